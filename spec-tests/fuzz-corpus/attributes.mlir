"x.y"() {a = 1 : i8, b = -5, c = 2.5 : f16, d = "s\22\0A", e = [1, "two", 3.0], f = {g = unit}, h = @sym::@nested,
  i = i32, j = (i32) -> (), k = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, l = dense<"0x0102"> : tensor<2xi8>,
  m = dense<1.0> : vector<4xf32>, n = array<i1: true, false>, o = affine_map<(d0)[s0] -> (d0 floordiv 2, s0 mod 3)>,
  p = strided<[4, ?], offset: ?>, q = loc(unknown), r = true, s = sparse<[[0]], 1> : tensor<2xi8>, t = 0x7FC0 : bf16,
  u = affine_set<(d0) : (d0 - 1 >= 0, d0 == 5)>, v = #x.y<z>, w = dense_resource<blob> : tensor<2xi8>, "quoted name" = 1} : () -> ()
{-# dialect_resources: { builtin: { blob: "0x040000000102" } } #-}
