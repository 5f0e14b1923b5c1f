#map = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 + s1)>
module {
  func.func @f(%arg0: index, %arg1: index) {
    %alloc = memref.alloc() : memref<4xi32>
    %alloc_0 = memref.alloc(%arg0) {alignment = 16 : i64} : memref<?x4xf32>
    %alloc_1 = memref.alloc(%arg0, %arg1)[%arg0, %arg1] : memref<?x?xf32, #map>
    %alloc_2 = memref.alloc()[%arg0, %arg1] : memref<4x4xf32, #map>
    %alloca = memref.alloca(%arg0) : memref<?xi8, 5>
    %alloca_3 = memref.alloca() {alignment = 8 : i64} : memref<2xf64, "local">
    %alloc_4 = memref.alloc() : memref<3xf32, #gpu.address_space<workgroup>>
    %alloca_5 = memref.alloca()[%arg0, %arg1] {alignment = 1 : i64, extra} : memref<2x2xi1, #map, 1>
    memref.dealloc %alloc : memref<4xi32>
    memref.dealloc %alloc_4 : memref<3xf32, #gpu.address_space<workgroup>>
    %memspacecast = memref.memory_space_cast %alloca : memref<?xi8, 5> to memref<?xi8>
    %memspacecast_6 = memref.memory_space_cast %alloca : memref<?xi8, 5> to memref<?xi8, 7 : i32>
    %assume_align = memref.assume_alignment %alloc, 16 : memref<4xi32>
    memref.copy %alloc, %assume_align : memref<4xi32> to memref<4xi32>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %alloc_0 : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
    memref.alloca_scope  {
      %alloca_7 = memref.alloca() : memref<4xi32>
    }
    %0 = memref.alloca_scope  -> (i32) {
      %c3_i32 = arith.constant 3 : i32
      memref.alloca_scope.return %c3_i32 : i32
    }
    return
  }
}

