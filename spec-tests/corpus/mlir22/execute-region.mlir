module {
  func.func @f(%arg0: i1, %arg1: i32) -> i32 {
    %0 = scf.execute_region -> i32 {
      scf.yield %arg1 : i32
    }
    scf.execute_region {
      scf.yield
    }
    %1:2 = scf.execute_region -> (i32, i64) {
      %c7_i64 = arith.constant 7 : i64
      cf.cond_br %arg0, ^bb1, ^bb2(%arg1 : i32)
    ^bb1:  // pred: ^bb0
      cf.br ^bb2(%arg1 : i32)
    ^bb2(%3: i32):  // 2 preds: ^bb0, ^bb1
      scf.yield %3, %c7_i64 : i32, i64
    } {tag = "t"}
    %2 = scf.execute_region -> i32 no_inline {
      scf.yield %arg1 : i32
    }
    scf.execute_region no_inline {
      "test.a"() : () -> ()
      scf.yield
    } {b}
    return %0 : i32
  }
}

