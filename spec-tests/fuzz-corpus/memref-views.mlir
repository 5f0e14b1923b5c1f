#map = affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 + s0)>
memref.global "private" constant @table : memref<2x2xi16> = dense<[[1, -2], [3, 4]]>
memref.global @buffer : memref<8xf32> = uninitialized
func.func @v(%m: memref<4x8xi32>, %n: index, %o: memref<4x4xf32, #map>) {
  %0 = memref.subview %m[1, %n] [2, 3] [1, 2] : memref<4x8xi32> to memref<2x3xi32, strided<[8, 2], offset: ?>>
  %1 = memref.cast %m : memref<4x8xi32> to memref<?x?xi32>
  %2 = memref.collapse_shape %m [[0, 1]] : memref<4x8xi32> into memref<32xi32>
  %3 = memref.expand_shape %2 [[0, 1]] output_shape [8, 4] : memref<32xi32> into memref<8x4xi32>
  %4 = memref.reinterpret_cast %2 to offset: [2], sizes: [3], strides: [4] : memref<32xi32> to memref<3xi32, strided<[4], offset: 2>>
  %5 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x8xi32> to memref<8x4xi32, strided<[1, 8]>>
  %c0 = arith.constant 0 : index
  %6 = memref.dim %1, %c0 : memref<?x?xi32>
  %7 = memref.alloc(%6) {alignment = 64 : i64} : memref<?xi32, 1>
  %8 = memref.get_global @table : memref<2x2xi16>
  %9 = memref.alloca() : memref<i32>
  memref.copy %3, %3 : memref<8x4xi32> to memref<8x4xi32>
  memref.dealloc %7 : memref<?xi32, 1>
  return
}
