module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<*xf32>, %arg2: index, %arg3: index, %arg4: index) {
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 5], strides: [5, 1] : memref<?xf32> to memref<4x5xf32, strided<[5, 1]>>
    %reinterpret_cast_0 = memref.reinterpret_cast %arg0 to offset: [%arg2], sizes: [%arg3, 5], strides: [%arg4, 1] : memref<?xf32> to memref<?x5xf32, strided<[?, 1], offset: ?>>
    %reinterpret_cast_1 = memref.reinterpret_cast %arg1 to offset: [7], sizes: [], strides: [] : memref<*xf32> to memref<f32, strided<[], offset: 7>>
    %reinterpret_cast_2 = memref.reinterpret_cast %arg1 to offset: [%arg2], sizes: [10, %arg3, 50], strides: [1, %arg4, 1] {a = 1 : i64} : memref<*xf32> to memref<10x?x50xf32, strided<[1, ?, 1], offset: ?>>
    %reinterpret_cast_3 = memref.reinterpret_cast %arg0 to offset: [0], sizes: [3], strides: [-1] : memref<?xf32> to memref<3xf32, strided<[-1]>>
    %cast = memref.cast %reinterpret_cast : memref<4x5xf32, strided<[5, 1]>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cast_4 = memref.cast %cast : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<*xf32>
    %0 = memref.rank %cast_4 : memref<*xf32>
    %dim = memref.dim %cast_4, %arg3 : memref<*xf32>
    return
  }
}

