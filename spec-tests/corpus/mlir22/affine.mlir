#map = affine_map<(d0, d1) -> (d0 + d1 * 2, (d1 mod 4) floordiv 2)>
#map1 = affine_map<(d0) -> (d0 ceildiv 3, 0, -7)>
#map2 = affine_map<(d0, d1) -> (d1, d0)>
#map3 = affine_map<(d0) -> (d0 * 2)>
#map4 = affine_map<()[s0, s1] -> (s0 * s1)>
#set = affine_set<(d0)[s0] : (d0 - 1 >= 0, -d0 + s0 == 0)>
module {
  "foo.x"() {m = #map, n = [#map, #map1], s = #set, t = memref<4x4xf32, #map2>} : () -> ()
  func.func @g(%arg0: memref<8xf32, #map3>, %arg1: memref<8xf32>) -> memref<8xf32, #map3> {
    %0 = "foo.y"(%arg0) {a = #map4} : (memref<8xf32, #map3>) -> i32
    return %arg0 : memref<8xf32, #map3>
  }
}

