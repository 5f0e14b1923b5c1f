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
  "func.func"() <{function_type = (memref<4x8xf32>, memref<8x16xf32>, memref<4x16xf32>) -> (), sym_name = "mm"}> ({
  ^bb0(%arg4: memref<4x8xf32>, %arg5: memref<8x16xf32>, %arg6: memref<4x16xf32>):
    "linalg.matmul"(%arg4, %arg5, %arg6) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg7: f32, %arg8: f32, %arg9: f32):
      %1 = "arith.mulf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %2 = "arith.addf"(%arg9, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%2) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map1, #map2]} : (memref<4x8xf32>, memref<8x16xf32>, memref<4x16xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<100xf32>, index) -> (), sym_name = "aff"}> ({
  ^bb0(%arg0: memref<100xf32>, %arg1: index):
    "affine.for"(%arg1) <{lowerBoundMap = #map7, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = #map8}> ({
    ^bb0(%arg2: index):
      "affine.for"(%arg2, %arg2) <{lowerBoundMap = #map5, operandSegmentSizes = array<i32: 1, 1, 0>, step = 1 : index, upperBoundMap = #map6}> ({
      ^bb0(%arg3: index):
        %0 = "affine.load"(%arg0, %arg3) <{map = #map3}> : (memref<100xf32>, index) -> f32
        "affine.store"(%0, %arg0, %arg2, %arg3) <{map = #map4}> : (f32, memref<100xf32>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) : (index, index) -> ()
      "affine.yield"() : () -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

