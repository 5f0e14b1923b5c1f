module {
  "foo.region"() ({
  ^bb0(%arg0: i32, %arg1: !foo.t):
    %2:3 = "foo.multi"(%arg0, %arg1) : (i32, !foo.t) -> (i32, f32, !foo.t)
    "foo.br"(%2#0, %2#2)[^bb1, ^bb2] : (i32, !foo.t) -> ()
  ^bb1:  // pred: ^bb0
    "foo.end"() : () -> ()
  ^bb2:  // pred: ^bb0
    "foo.end"() {x} : () -> ()
  }, {
  }, {
    "foo.only"() : () -> ()
  }) {k = 1 : i64} : () -> ()
  %0 = "foo.graph"(%1) : (i32) -> i32
  %1 = "foo.def"() <{p = 1 : i32, "q r" = "s"}> {d = 2 : i64} : () -> i32
  "noDialect"() : () -> ()
  "foo.with.dots"() : () -> ()
}

