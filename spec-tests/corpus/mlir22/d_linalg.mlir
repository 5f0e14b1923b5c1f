#map = affine_map<(d0) -> (d0, 5)>
#map1 = affine_map<(d0) -> (d0 + 10, 100)>
module {
  func.func @mm(%arg0: memref<4x8xf32>, %arg1: memref<8x16xf32>, %arg2: memref<4x16xf32>) {
    linalg.matmul ins(%arg0, %arg1 : memref<4x8xf32>, memref<8x16xf32>) outs(%arg2 : memref<4x16xf32>)
    return
  }
  func.func @aff(%arg0: memref<100xf32>, %arg1: index) {
    affine.for %arg2 = 0 to %arg1 step 2 {
      affine.for %arg3 = max #map(%arg2) to min #map1(%arg2) {
        %0 = affine.load %arg0[%arg3 mod 10] : memref<100xf32>
        affine.store %0, %arg0[%arg2 + %arg3 floordiv 2] : memref<100xf32>
      }
    }
    return
  }
}

