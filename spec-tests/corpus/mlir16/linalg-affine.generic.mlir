#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0) -> (d0 mod 10)>
#map4 = affine_map<(d0, d1) -> (d0 + d1 floordiv 2)>
#map5 = affine_map<(d0) -> (d0, 5)>
#map6 = affine_map<(d0) -> (d0 + 10, 100)>
#map7 = affine_map<() -> (0)>
#map8 = affine_map<()[s0] -> (s0)>
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<8x16xf32>, %arg2: memref<4x16xf32>):
    "linalg.matmul"(%arg0, %arg1, %arg2) ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %0 = "arith.mulf"(%arg3, %arg4) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
      %1 = "arith.addf"(%arg5, %0) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
      "linalg.yield"(%1) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map1, #map2], operand_segment_sizes = array<i32: 2, 1>} : (memref<4x8xf32>, memref<8x16xf32>, memref<4x16xf32>) -> ()
    "func.return"() : () -> ()
  }) {function_type = (memref<4x8xf32>, memref<8x16xf32>, memref<4x16xf32>) -> (), sym_name = "mm"} : () -> ()
  "func.func"() ({
  ^bb0(%arg0: memref<100xf32>, %arg1: index):
    "affine.for"(%arg1) ({
    ^bb0(%arg2: index):
      "affine.for"(%arg2, %arg2) ({
      ^bb0(%arg3: index):
        %0 = "affine.load"(%arg0, %arg3) {map = #map3} : (memref<100xf32>, index) -> f32
        "affine.store"(%0, %arg0, %arg2, %arg3) {map = #map4} : (f32, memref<100xf32>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) {lower_bound = #map5, step = 1 : index, upper_bound = #map6} : (index, index) -> ()
      "affine.yield"() : () -> ()
    }) {lower_bound = #map7, step = 2 : index, upper_bound = #map8} : (index) -> ()
    "func.return"() : () -> ()
  }) {function_type = (memref<100xf32>, index) -> (), sym_name = "aff"} : () -> ()
}) : () -> ()

