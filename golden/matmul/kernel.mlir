// Matrix product accumulated in place: C += A * B, 32x32, f32.
// The innermost loop loads, adds to and stores one element of C, so every
// iteration must see the store of the one before: a recurrence through
// memory under three loops with constant bounds.
func.func @matmul(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      scf.for %k = %c0 to %c32 step %c1 {
        %a = memref.load %A[%i, %k] : memref<32x32xf32>
        %b = memref.load %B[%k, %j] : memref<32x32xf32>
        %c = memref.load %C[%i, %j] : memref<32x32xf32>
        %product = arith.mulf %a, %b : f32
        %sum = arith.addf %c, %product : f32
        memref.store %sum, %C[%i, %j] : memref<32x32xf32>
      }
    }
  }
  return
}
