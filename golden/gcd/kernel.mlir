// Greatest common divisors of pairs of unsigned i32 by Euclid's algorithm.
// An scf.while on remui whose trip count depends on the data, zero when the
// second number is zero. Returns how many pairs are coprime.
func.func @gcd(%a: memref<?xi32>, %b: memref<?xi32>, %out: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %coprime = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %a0 = memref.load %a[%i] : memref<?xi32>
    %b0 = memref.load %b[%i] : memref<?xi32>
    %g:2 = scf.while (%x = %a0, %y = %b0) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %y, %zero : i32
      scf.condition(%more) %x, %y : i32, i32
    } do {
    ^bb0(%x: i32, %y: i32):
      %rest = arith.remui %x, %y : i32
      scf.yield %y, %rest : i32, i32
    }
    memref.store %g#0, %out[%i] : memref<?xi32>
    %is_one = arith.cmpi eq, %g#0, %one : i32
    %bit = arith.extui %is_one : i1 to i32
    %next = arith.addi %count, %bit : i32
    scf.yield %next : i32
  }
  return %coprime : i32
}
