// Blocked matrix product, C += A * B, i8 operands and an i32 accumulator.
// Three loops walk over 8x8 tiles taken as two-dimensional subviews at dynamic
// offsets, three more work inside a tile. Loop steps of 8; sign extension.
func.func @gemm_i8(%A: memref<24x32xi8>, %B: memref<32x16xi8>, %C: memref<24x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %M = arith.constant 24 : index
  %K = arith.constant 32 : index
  %N = arith.constant 16 : index
  scf.for %i0 = %c0 to %M step %c8 {
    scf.for %j0 = %c0 to %N step %c8 {
      %c_tile = memref.subview %C[%i0, %j0] [8, 8] [1, 1]
          : memref<24x16xi32> to memref<8x8xi32, strided<[16, 1], offset: ?>>
      scf.for %k0 = %c0 to %K step %c8 {
        %a_tile = memref.subview %A[%i0, %k0] [8, 8] [1, 1]
            : memref<24x32xi8> to memref<8x8xi8, strided<[32, 1], offset: ?>>
        %b_tile = memref.subview %B[%k0, %j0] [8, 8] [1, 1]
            : memref<32x16xi8> to memref<8x8xi8, strided<[16, 1], offset: ?>>
        scf.for %i = %c0 to %c8 step %c1 {
          scf.for %j = %c0 to %c8 step %c1 {
            %old = memref.load %c_tile[%i, %j] : memref<8x8xi32, strided<[16, 1], offset: ?>>
            %new = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %old) -> (i32) {
              %a8 = memref.load %a_tile[%i, %k] : memref<8x8xi8, strided<[32, 1], offset: ?>>
              %b8 = memref.load %b_tile[%k, %j] : memref<8x8xi8, strided<[16, 1], offset: ?>>
              %a = arith.extsi %a8 : i8 to i32
              %b = arith.extsi %b8 : i8 to i32
              %product = arith.muli %a, %b : i32
              %next = arith.addi %sum, %product : i32
              scf.yield %next : i32
            }
            memref.store %new, %c_tile[%i, %j] : memref<8x8xi32, strided<[16, 1], offset: ?>>
          }
        }
      }
    }
  }
  return
}
