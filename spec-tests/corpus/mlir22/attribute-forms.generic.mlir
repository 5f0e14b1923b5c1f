#loc = loc(unknown)
"builtin.module"() ({
  "test.op"() {"1num" = 5 : i64, A = 4 : i64, _u = 3 : i64, a = [], b = {}, c = [[1], [2, [3]]], d = true, dotted.name = 2 : i64, e = true, f = false, g = 255 : ui8, h = -5 : si16, i = 5 : i128, j = "tab\09 nl\0A quote\22 bs\\ hi\C3\A9", k = @a::@b::@"c d", l = array<i8: -1, 2>, m = array<f32: 1.000000e+00, -0.000000e+00>, n = array<i1: true>, o = array<f64>, p = dense<1> : tensor<i32>, q = dense<[[1, 2]]> : vector<1x2xi8>, r = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, s = "typed" : !foo.str, t = i32, u = () -> (), v = tensor<*xf32>, w = #foo.bar<a = 1, b = [2]>, "weird name" = 1 : i64, x = #foo<"raw">, y = index, z = none} : () -> ()
  "test.more"() {aa = 1.000000e+00 : f16, ab = 0x7FF8000000000001 : f64, ac = vector<[2]x4xi1>, ad = complex<f64>, ae = tuple<i1, tuple<>>, af = !foo.bar<"x">, ag, ah = #loc} : () -> ()
}) : () -> ()

