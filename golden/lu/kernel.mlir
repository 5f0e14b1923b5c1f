// LU factorisation in place, no pivoting (the matrix is diagonally dominant).
// The pivot row and the row being reduced are two rank-reduced subviews of the
// same memref at dynamic offsets: both alias A, so loads through one view must
// be ordered against stores through the other. f64.
func.func @lu(%A: memref<24x24xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  scf.for %k = %c0 to %c24 step %c1 {
    %pivot_row = memref.subview %A[%k, 0] [1, 24] [1, 1]
        : memref<24x24xf64> to memref<24xf64, strided<[1], offset: ?>>
    %pivot = memref.load %pivot_row[%k] : memref<24xf64, strided<[1], offset: ?>>
    %below = arith.addi %k, %c1 : index
    scf.for %i = %below to %c24 step %c1 {
      %row = memref.subview %A[%i, 0] [1, 24] [1, 1]
          : memref<24x24xf64> to memref<24xf64, strided<[1], offset: ?>>
      %head = memref.load %row[%k] : memref<24xf64, strided<[1], offset: ?>>
      %factor = arith.divf %head, %pivot : f64
      memref.store %factor, %row[%k] : memref<24xf64, strided<[1], offset: ?>>
      scf.for %j = %below to %c24 step %c1 {
        %p = memref.load %pivot_row[%j] : memref<24xf64, strided<[1], offset: ?>>
        %r = memref.load %row[%j] : memref<24xf64, strided<[1], offset: ?>>
        %product = arith.mulf %factor, %p : f64
        %reduced = arith.subf %r, %product : f64
        memref.store %reduced, %row[%j] : memref<24xf64, strided<[1], offset: ?>>
      }
    }
  }
  return
}
