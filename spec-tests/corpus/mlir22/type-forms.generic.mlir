"builtin.module"() ({
  "func.func"() <{function_type = (i32, vector<4xi32>, (i32, i32) -> f32, tuple<i32, vector<4xi32>>, !foo.a<!alias, [1, "x"]>, memref<4xi32>) -> (), sym_name = "f", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (si1, ui128, i1, i16777215, f16, bf16, tf32, f80, f128, f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E3M4, f8E4M3, f8E4M3B11FNUZ, f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ, f8E8M0FNU) -> (), sym_name = "g", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (vector<1x[2]x3xf32>, tensor<0xi1>, tensor<?x?x0xf16>, memref<0x?xi8>, complex<i8>, vector<4xindex>, tensor<2x3x!foo.t>, memref<2xcomplex<f32>>, memref<2xvector<4xf32>>) -> (), sym_name = "h", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (() -> (), (() -> ()) -> (() -> ()), () -> (i32, f32), (tuple<>) -> tuple<i1>) -> (), sym_name = "i", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (!foo<"a b">, !foo.b, !foo.c<>, !foo.d<1, 2 x 3, {a = 1}, (i32) -> i32, "str)>">, !llvm.ptr, !llvm.struct<(i32, ptr)>) -> (), sym_name = "j", sym_visibility = "private"}> ({
  }) : () -> ()
}) : () -> ()

