#loc2 = loc("c_cf.mlir":1:16)
#loc3 = loc("c_cf.mlir":1:25)
#loc4 = loc("c_cf.mlir":1:34)
#loc6 = loc("c_cf.mlir":3:7)
#loc7 = loc("c_cf.mlir":3:16)
#loc12 = loc("c_cf.mlir":15:4)
#loc17 = loc("c_cf.mlir":22:17)
#loc24 = loc("c_cf.mlir":31:20)
module {
  func.func @cfg(%arg0: i32 loc("c_cf.mlir":1:16), %arg1: i32 loc("c_cf.mlir":1:25), %arg2: i1 loc("c_cf.mlir":1:34)) -> i32 {
    cf.br ^bb1(%arg0, %arg1 : i32, i32) loc(#loc5)
  ^bb1(%0: i32 loc("c_cf.mlir":3:7), %1: i32 loc("c_cf.mlir":3:16)):  // 2 preds: ^bb0, ^bb1
    %2 = arith.addi %0, %1 : i32 loc(#loc8)
    cf.cond_br %arg2, ^bb1(%2, %0 : i32, i32), ^bb3 loc(#loc9)
  ^bb2:  // pred: ^bb2
    cf.br ^bb2 loc(#loc10)
  ^bb3:  // pred: ^bb1
    cf.switch %2 : i32, [
      default: ^bb4(%2 : i32),
      4294967291: ^bb5,
      7: ^bb4(%0 : i32),
      8: ^bb5
    ] loc(#loc11)
  ^bb4(%3: i32 loc("c_cf.mlir":15:4)):  // 2 preds: ^bb3, ^bb3
    return %3 : i32 loc(#loc13)
  ^bb5:  // 4 preds: ^bb3, ^bb3, ^bb6, ^bb6
    cf.switch %arg0 : i32, [
      default: ^bb6] loc(#loc14)
  ^bb6:  // pred: ^bb5
    cf.cond_br %arg2, ^bb5, ^bb5 loc(#loc15)
  } loc(#loc1)
  func.func @back(%arg0: i1 loc("c_cf.mlir":22:17)) -> i32 {
    cf.br ^bb2 loc(#loc18)
  ^bb1:  // pred: ^bb2
    %0 = arith.addi %c4_i32, %c4_i32 : i32 loc(#loc19)
    return %0 : i32 loc(#loc20)
  ^bb2:  // pred: ^bb0
    %c4_i32 = arith.constant 4 : i32 loc(#loc21)
    cf.br ^bb1 loc(#loc22)
  } loc(#loc16)
  func.func @asserts(%arg0: i1 loc("c_cf.mlir":31:20)) {
    cf.assert %arg0, "expected \22this\22 \\ to hold\0A" loc(#loc25)
    return loc(#loc26)
  } loc(#loc23)
} loc(#loc)
#loc = loc("c_cf.mlir":0:0)
#loc1 = loc("c_cf.mlir":1:1)
#loc5 = loc("c_cf.mlir":2:3)
#loc8 = loc("c_cf.mlir":4:8)
#loc9 = loc("c_cf.mlir":5:3)
#loc10 = loc("c_cf.mlir":7:3)
#loc11 = loc("c_cf.mlir":9:3)
#loc13 = loc("c_cf.mlir":16:3)
#loc14 = loc("c_cf.mlir":18:3)
#loc15 = loc("c_cf.mlir":20:3)
#loc16 = loc("c_cf.mlir":22:1)
#loc18 = loc("c_cf.mlir":23:3)
#loc19 = loc("c_cf.mlir":25:8)
#loc20 = loc("c_cf.mlir":26:3)
#loc21 = loc("c_cf.mlir":28:8)
#loc22 = loc("c_cf.mlir":29:3)
#loc23 = loc("c_cf.mlir":31:1)
#loc25 = loc("c_cf.mlir":32:3)
#loc26 = loc("c_cf.mlir":33:3)

