// Transposes a square matrix of i64 in place.
// A triangular loop swaps A[i,j] with A[j,i]: two loads and two stores of one
// memory an iteration, all at different addresses, none of which an earlier
// iteration touched. The last row's loop runs zero times.
func.func @transpose(%A: memref<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %right = arith.addi %i, %c1 : index
    scf.for %j = %right to %n step %c1 {
      %upper = memref.load %A[%i, %j] : memref<?x?xi64>
      %lower = memref.load %A[%j, %i] : memref<?x?xi64>
      memref.store %lower, %A[%i, %j] : memref<?x?xi64>
      memref.store %upper, %A[%j, %i] : memref<?x?xi64>
    }
  }
  return
}
