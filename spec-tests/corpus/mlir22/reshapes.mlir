module {
  func.func @f(%arg0: memref<4x8xf32>, %arg1: memref<?x?x4xf32>, %arg2: memref<?xi8>, %arg3: memref<i32>, %arg4: index, %arg5: index, %arg6: memref<4x?xf32, strided<[?, 1], offset: ?>>) {
    %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
    %collapse_shape_0 = memref.collapse_shape %arg1 [[0, 1], [2]] : memref<?x?x4xf32> into memref<?x4xf32>
    %collapse_shape_1 = memref.collapse_shape %arg1 [[0], [1, 2]] {w} : memref<?x?x4xf32> into memref<?x?xf32>
    %expand_shape = memref.expand_shape %arg2 [[0, 1]] output_shape [%arg4, 4] : memref<?xi8> into memref<?x4xi8>
    %expand_shape_2 = memref.expand_shape %arg2 [[0, 1, 2]] output_shape [2, %arg5, 4] : memref<?xi8> into memref<2x?x4xi8>
    %expand_shape_3 = memref.expand_shape %arg3 [] output_shape [] : memref<i32> into memref<i32>
    %expand_shape_4 = memref.expand_shape %arg3 [] output_shape [1, 1] : memref<i32> into memref<1x1xi32>
    %expand_shape_5 = memref.expand_shape %arg0 [[0, 1], [2, 3]] output_shape [2, 2, 4, 2] : memref<4x8xf32> into memref<2x2x4x2xf32>
    %collapse_shape_6 = memref.collapse_shape %expand_shape_4 [] : memref<1x1xi32> into memref<i32>
    %expand_shape_7 = memref.expand_shape %arg6 [[0, 1], [2]] output_shape [2, 2, %arg4] : memref<4x?xf32, strided<[?, 1], offset: ?>> into memref<2x2x?xf32, strided<[?, ?, 1], offset: ?>>
    %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    %alloc = memref.alloc() : memref<2048xi8>
    %view = memref.view %alloc[%arg4][%arg5] : memref<2048xi8> to memref<?xf32>
    return
  }
}

