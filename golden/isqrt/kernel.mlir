// Integer square roots of i64 numbers by Newton's iteration, rounded down.
// A do-while: the before region divides and decides whether the guess still
// falls, the after region only yields the new guess. An scf.if keeps zero from
// being divided by. A dynamic scf.while inside an scf.if branch inside a for.
func.func @isqrt(%x: memref<?xi64>, %root: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xi64>
    %positive = arith.cmpi sgt, %v, %zero : i64
    %r = scf.if %positive -> (i64) {
      %last:2 = scf.while (%guess = %v) : (i64) -> (i64, i64) {
        %quotient = arith.divui %v, %guess : i64
        %sum = arith.addi %guess, %quotient : i64
        %better = arith.shrui %sum, %one : i64
        %falls = arith.cmpi ult, %better, %guess : i64
        scf.condition(%falls) %better, %guess : i64, i64
      } do {
      ^bb0(%better: i64, %guess: i64):
        scf.yield %better : i64
      }
      scf.yield %last#1 : i64
    } else {
      scf.yield %zero : i64
    }
    memref.store %r, %root[%i] : memref<?xi64>
  }
  return
}
