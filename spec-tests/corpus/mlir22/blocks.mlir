module {
  func.func @cfg(%arg0: i32, %arg1: i32, %arg2: i1) -> i32 {
    cf.br ^bb1(%arg0, %arg1 : i32, i32)
  ^bb1(%0: i32, %1: i32):  // 2 preds: ^bb0, ^bb1
    %2 = arith.addi %0, %1 : i32
    cf.cond_br %arg2, ^bb1(%2, %0 : i32, i32), ^bb3
  ^bb2:  // pred: ^bb2
    cf.br ^bb2
  ^bb3:  // pred: ^bb1
    cf.switch %2 : i32, [
      default: ^bb4(%2 : i32),
      4294967291: ^bb5,
      7: ^bb4(%0 : i32),
      8: ^bb5
    ]
  ^bb4(%3: i32):  // 2 preds: ^bb3, ^bb3
    return %3 : i32
  ^bb5:  // 4 preds: ^bb3, ^bb3, ^bb6, ^bb6
    cf.switch %arg0 : i32, [
      default: ^bb6]
  ^bb6:  // pred: ^bb5
    cf.cond_br %arg2, ^bb5, ^bb5
  }
  func.func @back(%arg0: i1) -> i32 {
    cf.br ^bb2
  ^bb1:  // pred: ^bb2
    %0 = arith.addi %c4_i32, %c4_i32 : i32
    return %0 : i32
  ^bb2:  // pred: ^bb0
    %c4_i32 = arith.constant 4 : i32
    cf.br ^bb1
  }
  func.func @asserts(%arg0: i1) {
    cf.assert %arg0, "expected \22this\22 \\ to hold\0A"
    return
  }
}

