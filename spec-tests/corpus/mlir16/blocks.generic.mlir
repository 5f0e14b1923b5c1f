"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: i1):
    "cf.br"(%arg0, %arg1)[^bb1] : (i32, i32) -> ()
  ^bb1(%0: i32, %1: i32):  // 2 preds: ^bb0, ^bb1
    %2 = "arith.addi"(%0, %1) : (i32, i32) -> i32
    "cf.cond_br"(%arg2, %2, %0)[^bb1, ^bb3] {operand_segment_sizes = array<i32: 1, 2, 0>} : (i1, i32, i32) -> ()
  ^bb2:  // pred: ^bb2
    "cf.br"()[^bb2] : () -> ()
  ^bb3:  // pred: ^bb1
    "cf.switch"(%2, %2, %0)[^bb4, ^bb5, ^bb4, ^bb5] {case_operand_segments = array<i32: 0, 1, 0>, case_values = dense<[-5, 7, 8]> : vector<3xi32>, operand_segment_sizes = array<i32: 1, 1, 1>} : (i32, i32, i32) -> ()
  ^bb4(%3: i32):  // 2 preds: ^bb3, ^bb3
    "func.return"(%3) : (i32) -> ()
  ^bb5:  // 4 preds: ^bb3, ^bb3, ^bb6, ^bb6
    "cf.switch"(%arg0)[^bb6] {case_operand_segments = array<i32>, operand_segment_sizes = array<i32: 1, 0, 0>} : (i32) -> ()
  ^bb6:  // pred: ^bb5
    "cf.cond_br"(%arg2)[^bb5, ^bb5] {operand_segment_sizes = array<i32: 1, 0, 0>} : (i1) -> ()
  }) {function_type = (i32, i32, i1) -> i32, sym_name = "cfg"} : () -> ()
  "func.func"() ({
  ^bb0(%arg0: i1):
    "cf.br"()[^bb2] : () -> ()
  ^bb1:  // pred: ^bb2
    %0 = "arith.addi"(%1, %1) : (i32, i32) -> i32
    "func.return"(%0) : (i32) -> ()
  ^bb2:  // pred: ^bb0
    %1 = "arith.constant"() {value = 4 : i32} : () -> i32
    "cf.br"()[^bb1] : () -> ()
  }) {function_type = (i1) -> i32, sym_name = "back"} : () -> ()
  "func.func"() ({
  ^bb0(%arg0: i1):
    "cf.assert"(%arg0) {msg = "expected \22this\22 \\ to hold\0A"} : (i1) -> ()
    "func.return"() : () -> ()
  }) {function_type = (i1) -> (), sym_name = "asserts"} : () -> ()
}) : () -> ()

