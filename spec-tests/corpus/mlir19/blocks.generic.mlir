"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32, i1) -> i32, sym_name = "cfg"}> ({
  ^bb0(%arg2: i32, %arg3: i32, %arg4: i1):
    "cf.br"(%arg2, %arg3)[^bb1] : (i32, i32) -> ()
  ^bb1(%2: i32, %3: i32):  // 2 preds: ^bb0, ^bb1
    %4 = "arith.addi"(%2, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "cf.cond_br"(%arg4, %4, %2)[^bb1, ^bb3] <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i1, i32, i32) -> ()
  ^bb2:  // pred: ^bb2
    "cf.br"()[^bb2] : () -> ()
  ^bb3:  // pred: ^bb1
    "cf.switch"(%4, %4, %2)[^bb4, ^bb5, ^bb4, ^bb5] <{case_operand_segments = array<i32: 0, 1, 0>, case_values = dense<[-5, 7, 8]> : vector<3xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i32) -> ()
  ^bb4(%5: i32):  // 2 preds: ^bb3, ^bb3
    "func.return"(%5) : (i32) -> ()
  ^bb5:  // 4 preds: ^bb3, ^bb3, ^bb6, ^bb6
    "cf.switch"(%arg2)[^bb6] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^bb6:  // pred: ^bb5
    "cf.cond_br"(%arg4)[^bb5, ^bb5] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i1) -> i32, sym_name = "back"}> ({
  ^bb0(%arg1: i1):
    "cf.br"()[^bb2] : () -> ()
  ^bb1:  // pred: ^bb2
    %0 = "arith.addi"(%1, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "func.return"(%0) : (i32) -> ()
  ^bb2:  // pred: ^bb0
    %1 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    "cf.br"()[^bb1] : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i1) -> (), sym_name = "asserts"}> ({
  ^bb0(%arg0: i1):
    "cf.assert"(%arg0) <{msg = "expected \22this\22 \\ to hold\0A"}> : (i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

