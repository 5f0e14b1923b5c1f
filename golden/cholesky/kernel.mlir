// Cholesky factorisation in place: the lower triangle of A becomes L with
// L * L^T = A; the upper triangle is not touched. f32, math.sqrt, divf.
// Triangular loops in all three positions: below the diagonal the last column
// has no rows, and in the first column the sums have no terms.
func.func @cholesky(%A: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  scf.for %j = %c0 to %n step %c1 {
    %ajj = memref.load %A[%j, %j] : memref<?x?xf32>
    %square = scf.for %k = %c0 to %j step %c1 iter_args(%rest = %ajj) -> (f32) {
      %l = memref.load %A[%j, %k] : memref<?x?xf32>
      %ll = arith.mulf %l, %l : f32
      %next = arith.subf %rest, %ll : f32
      scf.yield %next : f32
    }
    %pivot = math.sqrt %square : f32
    memref.store %pivot, %A[%j, %j] : memref<?x?xf32>
    %below = arith.addi %j, %c1 : index
    scf.for %i = %below to %n step %c1 {
      %aij = memref.load %A[%i, %j] : memref<?x?xf32>
      %rest = scf.for %k = %c0 to %j step %c1 iter_args(%sum = %aij) -> (f32) {
        %lik = memref.load %A[%i, %k] : memref<?x?xf32>
        %ljk = memref.load %A[%j, %k] : memref<?x?xf32>
        %product = arith.mulf %lik, %ljk : f32
        %next = arith.subf %sum, %product : f32
        scf.yield %next : f32
      }
      %lij = arith.divf %rest, %pivot : f32
      memref.store %lij, %A[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
