// Symmetric rank-k update of a lower triangle: C = alpha * A * A^T + beta * C.
// The middle loop's upper bound is the outer variable plus one; the inner
// reduction starts from the scaled old value. Above the diagonal nothing is
// written. f32 with two scalar arguments.
func.func @syrk(%A: memref<28x20xf32>, %C: memref<28x28xf32>, %alpha: f32, %beta: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c28 = arith.constant 28 : index
  scf.for %i = %c0 to %c28 step %c1 {
    %width = arith.addi %i, %c1 : index
    scf.for %j = %c0 to %width step %c1 {
      %c = memref.load %C[%i, %j] : memref<28x28xf32>
      %start = arith.mulf %beta, %c : f32
      %result = scf.for %k = %c0 to %c20 step %c1 iter_args(%sum = %start) -> (f32) {
        %aik = memref.load %A[%i, %k] : memref<28x20xf32>
        %ajk = memref.load %A[%j, %k] : memref<28x20xf32>
        %scaled = arith.mulf %alpha, %aik : f32
        %product = arith.mulf %scaled, %ajk : f32
        %next = arith.addf %sum, %product : f32
        scf.yield %next : f32
      }
      memref.store %result, %C[%i, %j] : memref<28x28xf32>
    }
  }
  return
}
