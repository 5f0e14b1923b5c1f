#map = affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 + s0)>
module {
  memref.global "private" constant @tab : memref<2x3xi16> = dense<[[1, 2, 3], [4, 5, 6]]>
  memref.global "public" @pub : memref<4xf32> = dense<5.000000e-01> {alignment = 64 : i64}
  memref.global @un : memref<4xf32, 2> = uninitialized
  memref.global constant @big : memref<128xi32> = dense<7>
  func.func @views(%arg0: memref<4x4xf32>, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<*xf32>, %arg4: memref<8xi8>, %arg5: memref<4xi32, 1>) -> memref<2x2xf32, strided<[4, 1], offset: 5>> {
    %c0 = arith.constant 0 : index
    %subview = memref.subview %arg0[1, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 5>>
    %subview_0 = memref.subview %arg2[%arg1, 0] [%arg1, 4] [1, %arg1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
    %subview_1 = memref.subview %arg0[0, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32>
    %reinterpret_cast = memref.reinterpret_cast %arg3 to offset: [0], sizes: [%arg1, 4], strides: [4, 1] : memref<*xf32> to memref<?x4xf32>
    %reinterpret_cast_2 = memref.reinterpret_cast %arg0 to offset: [%arg1], sizes: [2], strides: [%arg1] : memref<4x4xf32> to memref<2xf32, strided<[?], offset: ?>>
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
    %cast = memref.cast %arg0 : memref<4x4xf32> to memref<?x4xf32>
    %cast_3 = memref.cast %arg3 : memref<*xf32> to memref<?xf32>
    %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
    %0 = memref.rank %arg3 : memref<*xf32>
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_4 = memref.alloc(%arg1, %arg1) {alignment = 8 : i64} : memref<?x?xi64, 3>
    %alloca = memref.alloca(%arg1)[%arg1] : memref<?x4xf32, #map>
    %alloca_5 = memref.alloca() {tag} : memref<4xcomplex<f32>>
    %view = memref.view %arg4[%c0][] : memref<8xi8> to memref<2xf32>
    %1 = memref.get_global @tab : memref<2x3xi16>
    %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
    memref.copy %arg0, %arg0 : memref<4x4xf32> to memref<4x4xf32>
    memref.dealloc %alloc : memref<4xf32>
    %2 = memref.load %arg0[%c0, %c0] {nontemporal = true} : memref<4x4xf32>
    memref.store %2, %arg0[%c0, %arg1] : memref<4x4xf32>
    %alloc_6 = memref.alloc() : memref<f32>
    %3 = memref.load %alloc_6[] : memref<f32>
    memref.store %3, %alloc_6[] {a.b} : memref<f32>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg2 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
    %4 = memref.alloca_scope  -> (i32) {
      %c3_i32 = arith.constant 3 : i32
      memref.alloca_scope.return %c3_i32 : i32
    }
    return %subview : memref<2x2xf32, strided<[4, 1], offset: 5>>
  }
}

