#map = affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 + s0)>
module {
  memref.global "private" constant @table : memref<2x2xi16> = dense<[[1, -2], [3, 4]]>
  memref.global @buffer : memref<8xf32> = uninitialized
  func.func @v(%arg0: memref<4x8xi32>, %arg1: index, %arg2: memref<4x4xf32, #map>) {
    %subview = memref.subview %arg0[1, %arg1] [2, 3] [1, 2] : memref<4x8xi32> to memref<2x3xi32, strided<[8, 2], offset: ?>>
    %cast = memref.cast %arg0 : memref<4x8xi32> to memref<?x?xi32>
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x8xi32> into memref<32xi32>
    %expand_shape = memref.expand_shape %collapse_shape [[0, 1]] output_shape [8, 4] : memref<32xi32> into memref<8x4xi32>
    %reinterpret_cast = memref.reinterpret_cast %collapse_shape to offset: [2], sizes: [3], strides: [4] : memref<32xi32> to memref<3xi32, strided<[4], offset: 2>>
    %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x8xi32> to memref<8x4xi32, strided<[1, 8]>>
    %c0 = arith.constant 0 : index
    %dim = memref.dim %cast, %c0 : memref<?x?xi32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xi32, 1>
    %0 = memref.get_global @table : memref<2x2xi16>
    %alloca = memref.alloca() : memref<i32>
    memref.copy %expand_shape, %expand_shape : memref<8x4xi32> to memref<8x4xi32>
    memref.dealloc %alloc : memref<?xi32, 1>
    return
  }
}

