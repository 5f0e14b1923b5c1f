// Matrix times vector with scaling, y = alpha * A * x + y, in f64.
// Both extents of A are dynamic (memref.dim) and alpha is a scalar argument;
// the sum of a row is carried by iter_args, y is updated in place.
func.func @matvec(%A: memref<?x?xf64>, %x: memref<?xf64>, %y: memref<?xf64>, %alpha: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.000000e+00 : f64
  %rows = memref.dim %A, %c0 : memref<?x?xf64>
  %cols = memref.dim %A, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %rows step %c1 {
    %row = scf.for %j = %c0 to %cols step %c1 iter_args(%sum = %zero) -> (f64) {
      %a = memref.load %A[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %product = arith.mulf %a, %xj : f64
      %next = arith.addf %sum, %product : f64
      scf.yield %next : f64
    }
    %scaled = arith.mulf %alpha, %row : f64
    %old = memref.load %y[%i] : memref<?xf64>
    %new = arith.addf %old, %scaled : f64
    memref.store %new, %y[%i] : memref<?xf64>
  }
  return
}
