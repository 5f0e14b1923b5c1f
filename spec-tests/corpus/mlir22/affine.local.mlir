module {
  "foo.x"() {m = affine_map<(d0, d1) -> (d0 + d1 * 2, (d1 mod 4) floordiv 2)>, n = [affine_map<(d0, d1) -> (d0 + d1 * 2, (d1 mod 4) floordiv 2)>, affine_map<(d0) -> (d0 ceildiv 3, 0, -7)>], s = affine_set<(d0)[s0] : (d0 - 1 >= 0, -d0 + s0 == 0)>, t = memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>} : () -> ()
  func.func @g(%arg0: memref<8xf32, affine_map<(d0) -> (d0 * 2)>>, %arg1: memref<8xf32>) -> memref<8xf32, affine_map<(d0) -> (d0 * 2)>> {
    %0 = "foo.y"(%arg0) {a = affine_map<()[s0, s1] -> (s0 * s1)>} : (memref<8xf32, affine_map<(d0) -> (d0 * 2)>>) -> i32
    return %arg0 : memref<8xf32, affine_map<(d0) -> (d0 * 2)>>
  }
}
