module {
  func.func private @f(i32, vector<4xi32>, (i32, i32) -> f32, tuple<i32, vector<4xi32>>, !foo.a<!alias, [1, "x"]>, memref<4xi32>)
  func.func private @g(si1, ui128, i1, i16777215, f16, bf16, tf32, f80, f128, f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E3M4, f8E4M3, f8E4M3B11FNUZ, f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ, f8E8M0FNU)
  func.func private @h(vector<1x[2]x3xf32>, tensor<0xi1>, tensor<?x?x0xf16>, memref<0x?xi8>, complex<i8>, vector<4xindex>, tensor<2x3x!foo.t>, memref<2xcomplex<f32>>, memref<2xvector<4xf32>>)
  func.func private @i(() -> (), (() -> ()) -> (() -> ()), () -> (i32, f32), (tuple<>) -> tuple<i1>)
  func.func private @j(!foo<"a b">, !foo.b, !foo.c<>, !foo.d<1, 2 x 3, {a = 1}, (i32) -> i32, "str)>">, !llvm.ptr, !llvm.struct<(i32, ptr)>)
}

