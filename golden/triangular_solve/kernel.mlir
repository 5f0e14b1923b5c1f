// Forward substitution: solves L * x = b in place in b, L lower triangular.
// The inner bound is the outer variable, so the first row's loop runs zero
// times, and every row reads all that earlier rows stored: a recurrence
// through memory at growing distance. Ends each row with a division.
func.func @triangular_solve(%L: memref<40x40xf64>, %b: memref<40xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  scf.for %i = %c0 to %c40 step %c1 {
    %bi = memref.load %b[%i] : memref<40xf64>
    %rest = scf.for %j = %c0 to %i step %c1 iter_args(%sum = %bi) -> (f64) {
      %l = memref.load %L[%i, %j] : memref<40x40xf64>
      %xj = memref.load %b[%j] : memref<40xf64>
      %product = arith.mulf %l, %xj : f64
      %next = arith.subf %sum, %product : f64
      scf.yield %next : f64
    }
    %pivot = memref.load %L[%i, %i] : memref<40x40xf64>
    %xi = arith.divf %rest, %pivot : f64
    memref.store %xi, %b[%i] : memref<40xf64>
  }
  return
}
