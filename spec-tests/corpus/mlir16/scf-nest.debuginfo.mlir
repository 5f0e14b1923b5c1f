#loc2 = loc("c_scf.mlir":1:17)
#loc3 = loc("c_scf.mlir":1:28)
#loc4 = loc("c_scf.mlir":1:49)
#loc5 = loc("c_scf.mlir":1:57)
#loc21 = loc("c_scf.mlir":21:10)
#loc22 = loc("c_scf.mlir":21:19)
#loc32 = loc("c_scf.mlir":35:6)
module {
  func.func @nest(%arg0: index loc("c_scf.mlir":1:17), %arg1: memref<?x?xf32> loc("c_scf.mlir":1:28), %arg2: i1 loc("c_scf.mlir":1:49), %arg3: i32 loc("c_scf.mlir":1:57)) -> (f32, i32) {
    %c0 = arith.constant 0 : index loc(#loc6)
    %c1 = arith.constant 1 : index loc(#loc7)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc8)
    %0:2 = scf.for %arg4 = %c0 to %arg0 step %c1 iter_args(%arg5 = %cst, %arg6 = %arg3) -> (f32, i32) {
      %3 = scf.for %arg7 = %c0 to %arg4 step %c1 iter_args(%arg8 = %arg5) -> (f32) {
        %5 = memref.load %arg1[%arg4, %arg7] : memref<?x?xf32> loc(#loc11)
        %6 = arith.addf %arg8, %5 : f32 loc(#loc12)
        %7 = scf.if %arg2 -> (f32) {
          scf.yield %6 : f32 loc(#loc14)
        } else {
          %8 = arith.mulf %6, %6 : f32 loc(#loc15)
          scf.yield %8 : f32 loc(#loc16)
        } loc(#loc13)
        scf.yield %7 : f32 loc(#loc17)
      } loc(#loc10)
      %4:2 = scf.while (%arg7 = %arg6, %arg8 = %3) : (i32, f32) -> (i32, f32) {
        %5 = arith.cmpi slt, %arg7, %arg3 : i32 loc(#loc19)
        scf.condition(%5) %arg7, %arg8 : i32, f32 loc(#loc20)
      } do {
      ^bb0(%arg7: i32 loc("c_scf.mlir":21:10), %arg8: f32 loc("c_scf.mlir":21:19)):
        %c1_i32 = arith.constant 1 : i32 loc(#loc23)
        %5 = arith.addi %arg7, %c1_i32 : i32 loc(#loc24)
        scf.if %arg2 {
          memref.store %arg8, %arg1[%arg4, %arg4] : memref<?x?xf32> loc(#loc26)
        } loc(#loc25)
        scf.yield %5, %arg8 : i32, f32 loc(#loc27)
      } loc(#loc18)
      scf.yield %4#1, %4#0 : f32, i32 loc(#loc28)
    } loc(#loc9)
    %1:2 = scf.execute_region -> (i32, f32) {
      cf.cond_br %arg2, ^bb1, ^bb2(%arg3 : i32) loc(#loc30)
    ^bb1:  // pred: ^bb0
      scf.yield %arg3, %cst : i32, f32 loc(#loc31)
    ^bb2(%3: i32 loc("c_scf.mlir":35:6)):  // pred: ^bb0
      scf.yield %3, %cst : i32, f32 loc(#loc33)
    } loc(#loc29)
    scf.execute_region {
      scf.yield loc(#loc35)
    } loc(#loc34)
    %2 = scf.index_switch %arg0 -> i32 
    case -3 {
      scf.yield %arg3 : i32 loc(#loc37)
    }
    case 5 {
      %3 = arith.addi %arg3, %arg3 : i32 loc(#loc38)
      scf.yield %3 : i32 loc(#loc39)
    }
    default {
      scf.yield %1#0 : i32 loc(#loc40)
    } loc(#loc36)
    scf.index_switch %arg0 
    case 1 {
      memref.store %cst, %arg1[%c0, %c0] : memref<?x?xf32> loc(#loc42)
      scf.yield loc(#loc43)
    }
    default {
    } loc(#loc41)
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) {
      memref.store %cst, %arg1[%arg4, %arg4] : memref<?x?xf32> loc(#loc45)
      scf.yield loc(#loc44)
    } loc(#loc44)
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg0) step (%c1, %c1) {
      memref.store %cst, %arg1[%arg4, %arg5] : memref<?x?xf32> loc(#loc47)
      scf.yield loc(#loc46)
    } {mapping = "x"} loc(#loc46)
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      scf.for %arg5 = %c0 to %arg0 step %c1 {
      } {inner} loc(#loc49)
    } {outer = 1 : i32} loc(#loc48)
    scf.while : () -> () {
      scf.condition(%arg2) loc(#loc51)
    } do {
      scf.yield loc(#loc52)
    } loc(#loc50)
    return %0#0, %0#1 : f32, i32 loc(#loc53)
  } loc(#loc1)
} loc(#loc)
#loc = loc("c_scf.mlir":0:0)
#loc1 = loc("c_scf.mlir":1:1)
#loc6 = loc("c_scf.mlir":2:9)
#loc7 = loc("c_scf.mlir":3:9)
#loc8 = loc("c_scf.mlir":4:8)
#loc9 = loc("c_scf.mlir":5:10)
#loc10 = loc("c_scf.mlir":6:11)
#loc11 = loc("c_scf.mlir":7:12)
#loc12 = loc("c_scf.mlir":8:12)
#loc13 = loc("c_scf.mlir":9:12)
#loc14 = loc("c_scf.mlir":10:9)
#loc15 = loc("c_scf.mlir":12:14)
#loc16 = loc("c_scf.mlir":13:9)
#loc17 = loc("c_scf.mlir":15:7)
#loc18 = loc("c_scf.mlir":17:12)
#loc19 = loc("c_scf.mlir":18:12)
#loc20 = loc("c_scf.mlir":19:7)
#loc23 = loc("c_scf.mlir":22:14)
#loc24 = loc("c_scf.mlir":23:13)
#loc25 = loc("c_scf.mlir":24:7)
#loc26 = loc("c_scf.mlir":25:9)
#loc27 = loc("c_scf.mlir":27:7)
#loc28 = loc("c_scf.mlir":29:5)
#loc29 = loc("c_scf.mlir":31:10)
#loc30 = loc("c_scf.mlir":32:5)
#loc31 = loc("c_scf.mlir":34:5)
#loc33 = loc("c_scf.mlir":36:5)
#loc34 = loc("c_scf.mlir":38:3)
#loc35 = loc("c_scf.mlir":38:24)
#loc36 = loc("c_scf.mlir":39:8)
#loc37 = loc("c_scf.mlir":40:13)
#loc38 = loc("c_scf.mlir":41:17)
#loc39 = loc("c_scf.mlir":41:42)
#loc40 = loc("c_scf.mlir":42:13)
#loc41 = loc("c_scf.mlir":43:3)
#loc42 = loc("c_scf.mlir":43:32)
#loc43 = loc("c_scf.mlir":43:80)
#loc44 = loc("c_scf.mlir":44:3)
#loc45 = loc("c_scf.mlir":44:50)
#loc46 = loc("c_scf.mlir":45:3)
#loc47 = loc("c_scf.mlir":45:68)
#loc48 = loc("c_scf.mlir":46:3)
#loc49 = loc("c_scf.mlir":46:37)
#loc50 = loc("c_scf.mlir":47:3)
#loc51 = loc("c_scf.mlir":47:26)
#loc52 = loc("c_scf.mlir":47:51)
#loc53 = loc("c_scf.mlir":48:3)

