#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @f(%arg0: memref<4x4xf32>, %arg1: memref<i32>, %arg2: memref<16xf32, #map>, %arg3: index, %arg4: f32, %arg5: i32, %arg6: memref<4xvector<4xf32>>, %arg7: memref<2xmemref<4xf32>>) {
    %0 = memref.load %arg0[%arg3, %arg3] : memref<4x4xf32>
    %1 = memref.load %arg0[%arg3, %arg3] {nontemporal = true} : memref<4x4xf32>
    %2 = memref.load %arg0[%arg3, %arg3] : memref<4x4xf32>
    %3 = memref.load %arg0[%arg3, %arg3] {alignment = 8 : i64} : memref<4x4xf32>
    %4 = memref.load %arg1[] : memref<i32>
    %5 = memref.load %arg2[%arg3] : memref<16xf32, #map>
    memref.store %arg4, %arg0[%arg3, %arg3] : memref<4x4xf32>
    memref.store %arg4, %arg0[%arg3, %arg3] {alignment = 4 : i64, nontemporal = true, other} : memref<4x4xf32>
    memref.store %arg5, %arg1[] : memref<i32>
    %6 = memref.load %arg6[%arg3] : memref<4xvector<4xf32>>
    %7 = memref.load %arg7[%arg3] : memref<2xmemref<4xf32>>
    memref.store %6, %arg6[%arg3] : memref<4xvector<4xf32>>
    return
  }
}

