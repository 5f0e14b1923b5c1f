// All integer divisions and remainders side by side, on pairs of every sign:
// divsi, remsi, divui, remui, floordivsi, ceildivsi, ceildivui. The results of
// a pair form a row of a rank-2 memref; a division by zero is stepped over by
// an scf.if, which also counts the pairs divided.
func.func @div_rem(%a: memref<?xi32>, %b: memref<?xi32>, %out: memref<?x7xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %divided = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = memref.load %b[%i] : memref<?xi32>
    %defined = arith.cmpi ne, %y, %zero : i32
    %next = scf.if %defined -> (i32) {
      %quotient = arith.divsi %x, %y : i32
      %rest = arith.remsi %x, %y : i32
      %uquotient = arith.divui %x, %y : i32
      %urest = arith.remui %x, %y : i32
      %floor = arith.floordivsi %x, %y : i32
      %ceil = arith.ceildivsi %x, %y : i32
      %uceil = arith.ceildivui %x, %y : i32
      memref.store %quotient, %out[%i, %c0] : memref<?x7xi32>
      memref.store %rest, %out[%i, %c1] : memref<?x7xi32>
      memref.store %uquotient, %out[%i, %c2] : memref<?x7xi32>
      memref.store %urest, %out[%i, %c3] : memref<?x7xi32>
      memref.store %floor, %out[%i, %c4] : memref<?x7xi32>
      memref.store %ceil, %out[%i, %c5] : memref<?x7xi32>
      memref.store %uceil, %out[%i, %c6] : memref<?x7xi32>
      %more = arith.addi %count, %one : i32
      scf.yield %more : i32
    } else {
      scf.yield %count : i32
    }
    scf.yield %next : i32
  }
  return %divided : i32
}
