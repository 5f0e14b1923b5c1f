// Dot product of two vectors of f32.
// The smallest reduction: one loop, one iter_args sum that becomes the
// function's result, two read-only memories of dynamic extent.
func.func @dot(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %dot = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = memref.load %y[%i] : memref<?xf32>
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    scf.yield %next : f32
  }
  return %dot : f32
}
