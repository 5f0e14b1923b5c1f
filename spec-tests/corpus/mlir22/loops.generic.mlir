"builtin.module"() ({
  "func.func"() <{function_type = (index, index, index, i32, i32, i32, i64) -> i32, sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i64):
    "scf.for"(%arg0, %arg1, %arg2) ({
    ^bb0(%arg18: index):
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%arg0, %arg1, %arg2) ({
    ^bb0(%arg17: index):
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%arg4, %arg5, %arg3) ({
    ^bb0(%arg16: i32):
      "test.use"(%arg16) : (i32) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "scf.for"(%arg4, %arg5, %arg3) <{unsignedCmp}> ({
    ^bb0(%arg15: i32):
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "scf.for"(%arg0, %arg1, %arg2) <{unsignedCmp}> ({
    ^bb0(%arg14: index):
      "scf.yield"() : () -> ()
    }) {loop = "unroll"} : (index, index, index) -> ()
    %0:2 = "scf.for"(%arg0, %arg1, %arg2, %arg3, %arg6) ({
    ^bb0(%arg11: index, %arg12: i32, %arg13: i64):
      "scf.yield"(%arg12, %arg13) : (i32, i64) -> ()
    }) {a.b = 2 : i64} : (index, index, index, i32, i64) -> (i32, i64)
    %1 = "scf.for"(%arg4, %arg5, %arg3, %arg3) ({
    ^bb0(%arg7: i32, %arg8: i32):
      %2 = "scf.for"(%arg6, %arg6, %arg6, %arg8) <{unsignedCmp}> ({
      ^bb0(%arg9: i64, %arg10: i32):
        "scf.yield"(%arg10) : (i32) -> ()
      }) : (i64, i64, i64, i32) -> i32
      "scf.yield"(%2) : (i32) -> ()
    }) : (i32, i32, i32, i32) -> i32
    "func.return"(%1) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

