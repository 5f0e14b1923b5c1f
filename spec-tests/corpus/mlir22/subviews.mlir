module {
  func.func @f(%arg0: memref<16x32xf32>, %arg1: memref<?x?xf32>, %arg2: memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>>, %arg3: index, %arg4: index) {
    %subview = memref.subview %arg0[0, 0] [4, 8] [1, 1] : memref<16x32xf32> to memref<4x8xf32, strided<[32, 1]>>
    %subview_0 = memref.subview %arg0[%arg3, 2] [4, %arg4] [1, 2] : memref<16x32xf32> to memref<4x?xf32, strided<[32, 2], offset: ?>>
    %subview_1 = memref.subview %arg1[%arg3, %arg3] [%arg4, %arg4] [%arg3, %arg4] : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %subview_2 = memref.subview %arg0[1, 3] [1, 8] [1, 1] : memref<16x32xf32> to memref<8xf32, strided<[1], offset: 35>>
    %subview_3 = memref.subview %arg2[%arg3, 0, 0] [1, 16, 4] [1, 1, 1] : memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>> to memref<16x4xi8, strided<[4, 1], offset: ?>>
    %subview_4 = memref.subview %arg2[0, %arg3, 1] [8, 1, 1] [1, 1, 1] {tag = 1 : i64} : memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>> to memref<8xi8, strided<[64], offset: ?>>
    %subview_5 = memref.subview %arg0[0, 0] [1, 1] [1, 1] : memref<16x32xf32> to memref<f32, strided<[]>>
    return
  }
}

