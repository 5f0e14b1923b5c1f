#map = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + s1, (d1 floordiv 4) * 4 + d0 mod 3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3, d2, d1, d0)>
#map2 = affine_map<()[s0] -> (s0 ceildiv 2 - 1)>
#map3 = affine_map<(d0) -> (-d0, d0 - 5, -(d0 + 1), -d0 + 3)>
#map4 = affine_map<(d0, d1, d2) -> ()>
#map5 = affine_map<() -> (42)>
#map6 = affine_map<(d0)[s0] -> ((d0 + s0) * 8, (d0 * 4) floordiv s0, (d0 + 2) mod (s0 + 1))>
#map7 = affine_map<(d0, d1) -> (d0 + d1 + d0, 0, 0, d0, d1, d0 * 6, d0 + 3)>
#map8 = affine_map<(d0, d1) -> (d0 + d1 floordiv 4, 0, d0 * 2, d0 * 3)>
#map9 = affine_map<(d0, d1) -> (d0)>
#map10 = affine_map<(d0, d1) -> (d1, d0)>
#set = affine_set<(d0, d1)[s0] : (d0 - d1 >= 0, -d0 + s0 - 1 >= 0, d0 + d1 * 2 == 0)>
#set1 = affine_set<() : (1 == 0)>
#set2 = affine_set<(d0) : (d0 - 3 >= 0, -d0 + 10 >= 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x4xf32, #map>, memref<4x?x?x4xi8, #map1, 2>) -> (), sym_name = "g", sym_visibility = "private"}> ({
  }) : () -> ()
  "test.op"() {a = #map, b = #map2, c = #map3, d = #map4, e = #map5, f = #map6, g = #map7, h = #map8, i = #set, j = #set1, k = #set2, l = #map9} : () -> ()
  "test.op2"() {l = [#map, #map10], m = {x = #map5}} : () -> ()
}) : () -> ()

