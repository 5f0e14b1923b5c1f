module {
  func.func @f(%arg0: i1, %arg1: i32, %arg2: f32) -> (i32, f32) {
    cf.br ^bb1(%arg1, %arg2 : i32, f32)
  ^bb1(%0: i32, %1: f32):  // 3 preds: ^bb0, ^bb2, ^bb3
    cf.cond_br %arg0, ^bb2(%0 : i32), ^bb3(%1, %0 : f32, i32)
  ^bb2(%2: i32):  // 2 preds: ^bb1, ^bb3
    cf.cond_br %arg0 weights([10, 90]), ^bb1(%2, %arg2 : i32, f32), ^bb4
  ^bb3(%3: f32, %4: i32):  // 2 preds: ^bb1, ^bb3
    cf.switch %arg1 : i32, [
      default: ^bb4,
      1: ^bb2(%4 : i32),
      4294967289: ^bb3(%3, %4 : f32, i32),
      2147483647: ^bb1(%4, %3 : i32, f32)
    ]
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %c1_i32 = arith.constant 1 : i32
    cf.assert %arg0, "assertion \22quoted\22 \\ \09 failed"
    cf.switch %arg1 : i32, [
      default: ^bb5] {attr = 1 : i64}
  ^bb5:  // pred: ^bb4
    return %c1_i32, %arg2 : i32, f32
  ^bb6:  // pred: ^bb6
    cf.br ^bb6
  }
  func.func @dead(%arg0: i64) {
    return
  ^bb1(%0: i64):  // pred: ^bb2
    cf.switch %0 : i64, [
      default: ^bb2,
      0: ^bb2
    ]
  ^bb2:  // 2 preds: ^bb1, ^bb1
    cf.br ^bb1(%arg0 : i64)
  }
}

