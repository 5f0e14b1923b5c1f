module {
  func.func @e(%arg0: memref<4x?xf32>, %arg1: index) {
    %expand_shape = memref.expand_shape %arg0 [[0, 1], [2, 3]] output_shape [2, 2, %arg1, 4] : memref<4x?xf32> into memref<2x2x?x4xf32>
    %expand_shape_0 = memref.expand_shape %arg0 [[0], [1, 2]] output_shape [4, %arg1, 4] {x.y} : memref<4x?xf32> into memref<4x?x4xf32>
    return
  }
}

