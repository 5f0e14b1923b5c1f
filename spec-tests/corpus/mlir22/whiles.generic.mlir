"builtin.module"() ({
  "func.func"() <{function_type = (i1, i32, f32) -> i32, sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: i32, %arg2: f32):
    %0 = "scf.while"(%arg1) ({
    ^bb0(%arg11: i32):
      "scf.condition"(%arg0, %arg11) : (i1, i32) -> ()
    }, {
    ^bb0(%arg10: i32):
      "scf.yield"(%arg10) : (i32) -> ()
    }) : (i32) -> i32
    "scf.while"() ({
      "scf.condition"(%arg0) : (i1) -> ()
    }, {
      "scf.yield"() : () -> ()
    }) : () -> ()
    %1:2 = "scf.while"(%arg1, %arg2) ({
    ^bb0(%arg8: i32, %arg9: f32):
      "scf.condition"(%arg0, %arg9, %arg8) : (i1, f32, i32) -> ()
    }, {
    ^bb0(%arg6: f32, %arg7: i32):
      "scf.yield"(%arg7, %arg6) : (i32, f32) -> ()
    }) {n = 1 : i64} : (i32, f32) -> (f32, i32)
    %2 = "scf.while"(%arg1) ({
    ^bb0(%arg5: i32):
      "scf.condition"(%arg0, %arg2) : (i1, f32) -> ()
    }, {
    ^bb0(%arg4: f32):
      "scf.yield"(%arg1) : (i32) -> ()
    }) : (i32) -> f32
    "scf.while"(%arg1) ({
    ^bb0(%arg3: i32):
      "scf.condition"(%arg0) : (i1) -> ()
    }, {
      "scf.yield"(%arg1) : (i32) -> ()
    }) : (i32) -> ()
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

