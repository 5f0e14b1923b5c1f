// One-dimensional Jacobi relaxation, %steps sweeps, f64.
// Each sweep averages three neighbours of A into B and then copies B back: two
// memories written by turns, so a sweep may not overtake the copy before it.
// The number of sweeps is an index argument.
func.func @jacobi1d(%A: memref<?xf64>, %B: memref<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %third = arith.constant 0.33333333333333331 : f64
  %n = memref.dim %A, %c0 : memref<?xf64>
  %last = arith.subi %n, %c1 : index
  scf.for %t = %c0 to %steps step %c1 {
    scf.for %i = %c1 to %last step %c1 {
      %west = arith.subi %i, %c1 : index
      %east = arith.addi %i, %c1 : index
      %l = memref.load %A[%west] : memref<?xf64>
      %m = memref.load %A[%i] : memref<?xf64>
      %r = memref.load %A[%east] : memref<?xf64>
      %lm = arith.addf %l, %m : f64
      %lmr = arith.addf %lm, %r : f64
      %mean = arith.mulf %lmr, %third : f64
      memref.store %mean, %B[%i] : memref<?xf64>
    }
    scf.for %i = %c1 to %last step %c1 {
      %v = memref.load %B[%i] : memref<?xf64>
      memref.store %v, %A[%i] : memref<?xf64>
    }
  }
  return
}
