"builtin.module"() ({
  "foo.top"() ({
  ^bb0(%arg0: !foo.type<i32, [1, 2], "s>">, %arg1: !foo.plain):
    %0:3 = "foo.op"(%arg0, %arg1) {x = #foo.attr<"x", !foo.t, {a = 1}>, y = #foo.simple, z = #foo<"opaque">} : (!foo.type<i32, [1, 2], "s>">, !foo.plain) -> (i32, !foo.a<b<c>>, tensor<4x!foo.e>)
    "foo.br"(%0#0)[^bb2] : (i32) -> ()
  ^bb1:  // pred: ^bb2
    "foo.end"(%1) : (i32) -> ()
  ^bb2:  // pred: ^bb0
    %1 = "foo.def"() : () -> i32
    "foo.regs"() ({
    }, {
      "foo.x"() : () -> ()
    }, {
    ^bb0:
    }) : () -> ()
    "foo.end"()[^bb1] : () -> ()
  }) {attr = dense<"x"> : tensor<2x!foo.i>} : () -> ()
  "func.func"() ({
  ^bb0(%arg0: !foo.t):
    %0 = "foo.id"(%arg0) : (!foo.t) -> !foo.t
    "func.return"(%0) : (!foo.t) -> ()
  }) {function_type = (!foo.t) -> !foo.t, llvm.linkage = #llvm.linkage<internal>, sym_name = "u"} : () -> ()
}) : () -> ()

