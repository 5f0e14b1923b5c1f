!alias = !other.type<"x", [1, 2], <nested>>
#attr = #other.attr<{a = 1, b = -2.0}>
"other.op"() ({
^bb0(%x: !alias, %y: tuple<i32, f32>):
  %0:2 = "other.two"(%x)[^bb1, ^bb2] {k = #attr, unit} : (!alias) -> (vector<4xf32>, tensor<*xi8>)
^bb1:
  "other.end"() : () -> ()
^bb2(%z: complex<f64>):
  "other.end"() <{p = array<i32: 1, 2>}> : () -> ()
}, {
}) : () -> () loc("file.c":3:4)
