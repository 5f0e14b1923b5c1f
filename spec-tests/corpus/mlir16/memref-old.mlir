module {
  func.func @o(%arg0: memref<4x4xf32>, %arg1: memref<4x?xf32>, %arg2: f32) {
    %expand_shape = memref.expand_shape %arg0 [[0, 1], [2]] : memref<4x4xf32> into memref<2x2x4xf32>
    memref.assume_alignment %arg0, 16 : memref<4x4xf32>
    %0 = arith.maxf %arg2, %arg2 : f32
    %1 = arith.minf %arg2, %arg2 fastmath<nnan> : f32
    %expand_shape_0 = memref.expand_shape %arg1 [[0, 1], [2]] : memref<4x?xf32> into memref<2x2x?xf32>
    return
  }
}

