"builtin.module"() ({
  "func.func"() <{function_type = (i1, i32) -> (i32, i32), sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: i32):
    "scf.if"(%arg0) ({
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    "scf.if"(%arg0) ({
      "scf.yield"() : () -> ()
    }, {
      "scf.yield"() : () -> ()
    }) : (i1) -> ()
    "scf.if"(%arg0) ({
      "scf.yield"() : () -> ()
    }, {
    }) {a = 1 : i64} : (i1) -> ()
    "scf.if"(%arg0) ({
      "test.a"() : () -> ()
      "scf.yield"() : () -> ()
    }, {
      "test.b"() : () -> ()
      "scf.yield"() : () -> ()
    }) {b} : (i1) -> ()
    %0 = "scf.if"(%arg0) ({
      "scf.yield"(%arg1) : (i32) -> ()
    }, {
      "scf.yield"(%arg1) : (i32) -> ()
    }) : (i1) -> i32
    %1:2 = "scf.if"(%arg0) ({
      %2 = "scf.if"(%arg0) ({
        "scf.yield"(%arg1) : (i32) -> ()
      }, {
        "scf.yield"(%0) : (i32) -> ()
      }) {inner} : (i1) -> i32
      "scf.yield"(%2, %arg1) : (i32, i32) -> ()
    }, {
      "scf.yield"(%arg1, %arg1) : (i32, i32) -> ()
    }) : (i1) -> (i32, i32)
    "func.return"(%1#0, %1#1) : (i32, i32) -> ()
  }) : () -> ()
}) : () -> ()

