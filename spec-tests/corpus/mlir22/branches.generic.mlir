"builtin.module"() ({
  "func.func"() <{function_type = (i1, i32, f32) -> (i32, f32), sym_name = "f"}> ({
  ^bb0(%arg1: i1, %arg2: i32, %arg3: f32):
    "cf.br"(%arg2, %arg3)[^bb1] : (i32, f32) -> ()
  ^bb1(%1: i32, %2: f32):  // 3 preds: ^bb0, ^bb2, ^bb3
    "cf.cond_br"(%arg1, %1, %2, %1)[^bb2, ^bb3] <{operandSegmentSizes = array<i32: 1, 1, 2>}> : (i1, i32, f32, i32) -> ()
  ^bb2(%3: i32):  // 2 preds: ^bb1, ^bb3
    "cf.cond_br"(%arg1, %3, %arg3)[^bb1, ^bb4] <{branch_weights = array<i32: 10, 90>, operandSegmentSizes = array<i32: 1, 2, 0>}> : (i1, i32, f32) -> ()
  ^bb3(%4: f32, %5: i32):  // 2 preds: ^bb1, ^bb3
    "cf.switch"(%arg2, %5, %4, %5, %5, %4)[^bb4, ^bb2, ^bb3, ^bb1] <{case_operand_segments = array<i32: 1, 2, 2>, case_values = dense<[1, -7, 2147483647]> : vector<3xi32>, operandSegmentSizes = array<i32: 1, 0, 5>}> : (i32, i32, f32, i32, i32, f32) -> ()
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %6 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    "cf.assert"(%arg1) <{msg = "assertion \22quoted\22 \\ \09 failed"}> : (i1) -> ()
    "cf.switch"(%arg2)[^bb5] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> {attr = 1 : i64} : (i32) -> ()
  ^bb5:  // pred: ^bb4
    "func.return"(%6, %arg3) : (i32, f32) -> ()
  ^bb6:  // pred: ^bb6
    "cf.br"()[^bb6] : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i64) -> (), sym_name = "dead"}> ({
  ^bb0(%arg0: i64):
    "func.return"() : () -> ()
  ^bb1(%0: i64):  // pred: ^bb2
    "cf.switch"(%0)[^bb2, ^bb2] <{case_operand_segments = array<i32: 0>, case_values = dense<0> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i64) -> ()
  ^bb2:  // 2 preds: ^bb1, ^bb1
    "cf.br"(%arg0)[^bb1] : (i64) -> ()
  }) : () -> ()
}) : () -> ()

