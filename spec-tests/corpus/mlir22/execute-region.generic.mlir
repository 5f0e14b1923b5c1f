"builtin.module"() ({
  "func.func"() <{function_type = (i1, i32) -> i32, sym_name = "f"}> ({
  ^bb0(%arg0: i1, %arg1: i32):
    %0 = "scf.execute_region"() ({
      "scf.yield"(%arg1) : (i32) -> ()
    }) : () -> i32
    "scf.execute_region"() ({
      "scf.yield"() : () -> ()
    }) : () -> ()
    %1:2 = "scf.execute_region"() ({
      %3 = "arith.constant"() <{value = 7 : i64}> : () -> i64
      "cf.cond_br"(%arg0, %arg1)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i32) -> ()
    ^bb1:  // pred: ^bb0
      "cf.br"(%arg1)[^bb2] : (i32) -> ()
    ^bb2(%4: i32):  // 2 preds: ^bb0, ^bb1
      "scf.yield"(%4, %3) : (i32, i64) -> ()
    }) {tag = "t"} : () -> (i32, i64)
    %2 = "scf.execute_region"() <{no_inline}> ({
      "scf.yield"(%arg1) : (i32) -> ()
    }) : () -> i32
    "scf.execute_region"() <{no_inline}> ({
      "test.a"() : () -> ()
      "scf.yield"() : () -> ()
    }) {b} : () -> ()
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

