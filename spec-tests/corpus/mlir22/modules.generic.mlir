"builtin.module"() <{sym_name = "outer"}> ({
  "builtin.module"() ({
    "func.func"() <{function_type = () -> (), sym_name = "x"}> ({
      "func.return"() : () -> ()
    }) : () -> ()
  }) : () -> ()
  "builtin.module"() <{sym_name = "inner"}> ({
    "func.func"() <{function_type = () -> i32, sym_name = "y", sym_visibility = "private"}> ({
    }) : () -> ()
    "builtin.module"() <{sym_name = "deep"}> ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  "builtin.module"() ({
  ^bb0:
  }) {q.r} : () -> ()
  "builtin.module"() <{sym_name = "named"}> ({
    "func.func"() <{function_type = () -> (), sym_name = "z"}> ({
      "func.call"() <{callee = @w}> : () -> ()
      "func.return"() : () -> ()
    }) : () -> ()
    "func.func"() <{function_type = () -> (), sym_name = "w", sym_visibility = "private"}> ({
    }) : () -> ()
  }) : () -> ()
}) {a.b = 1 : i64, dl.x = "y"} : () -> ()

