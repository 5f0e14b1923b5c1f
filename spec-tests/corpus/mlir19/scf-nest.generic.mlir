"builtin.module"() ({
  "func.func"() <{function_type = (index, memref<?x?xf32>, i1, i32) -> (f32, i32), sym_name = "nest"}> ({
  ^bb0(%arg0: index, %arg1: memref<?x?xf32>, %arg2: i1, %arg3: i32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %3:2 = "scf.for"(%0, %arg0, %1, %2, %arg3) ({
    ^bb0(%arg9: index, %arg10: f32, %arg11: i32):
      %8 = "scf.for"(%0, %arg9, %1, %arg10) ({
      ^bb0(%arg16: index, %arg17: f32):
        %13 = "memref.load"(%arg1, %arg9, %arg16) : (memref<?x?xf32>, index, index) -> f32
        %14 = "arith.addf"(%arg17, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %15 = "scf.if"(%arg2) ({
          "scf.yield"(%14) : (f32) -> ()
        }, {
          %16 = "arith.mulf"(%14, %14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "scf.yield"(%16) : (f32) -> ()
        }) : (i1) -> f32
        "scf.yield"(%15) : (f32) -> ()
      }) : (index, index, index, f32) -> f32
      %9:2 = "scf.while"(%arg11, %8) ({
      ^bb0(%arg14: i32, %arg15: f32):
        %12 = "arith.cmpi"(%arg14, %arg3) <{predicate = 2 : i64}> : (i32, i32) -> i1
        "scf.condition"(%12, %arg14, %arg15) : (i1, i32, f32) -> ()
      }, {
      ^bb0(%arg12: i32, %arg13: f32):
        %10 = "arith.constant"() <{value = 1 : i32}> : () -> i32
        %11 = "arith.addi"(%arg12, %10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        "scf.if"(%arg2) ({
          "memref.store"(%arg13, %arg1, %arg9, %arg9) : (f32, memref<?x?xf32>, index, index) -> ()
          "scf.yield"() : () -> ()
        }, {
        }) : (i1) -> ()
        "scf.yield"(%11, %arg13) : (i32, f32) -> ()
      }) : (i32, f32) -> (i32, f32)
      "scf.yield"(%9#1, %9#0) : (f32, i32) -> ()
    }) : (index, index, index, f32, i32) -> (f32, i32)
    %4:2 = "scf.execute_region"() ({
      "cf.cond_br"(%arg2, %arg3)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i32) -> ()
    ^bb1:  // pred: ^bb0
      "scf.yield"(%arg3, %2) : (i32, f32) -> ()
    ^bb2(%7: i32):  // pred: ^bb0
      "scf.yield"(%7, %2) : (i32, f32) -> ()
    }) : () -> (i32, f32)
    "scf.execute_region"() ({
      "scf.yield"() : () -> ()
    }) : () -> ()
    %5 = "scf.index_switch"(%arg0) <{cases = array<i64: -3, 5>}> ({
      "scf.yield"(%4#0) : (i32) -> ()
    }, {
      "scf.yield"(%arg3) : (i32) -> ()
    }, {
      %6 = "arith.addi"(%arg3, %arg3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "scf.yield"(%6) : (i32) -> ()
    }) : (index) -> i32
    "scf.index_switch"(%arg0) <{cases = array<i64: 1>}> ({
      "scf.yield"() : () -> ()
    }, {
      "memref.store"(%2, %arg1, %0, %0) : (f32, memref<?x?xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index) -> ()
    "scf.parallel"(%0, %arg0, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%arg8: index):
      "memref.store"(%2, %arg1, %arg8, %arg8) : (f32, memref<?x?xf32>, index, index) -> ()
      "scf.reduce"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.parallel"(%0, %0, %arg0, %arg0, %1, %1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb0(%arg6: index, %arg7: index):
      "memref.store"(%2, %arg1, %arg6, %arg7) : (f32, memref<?x?xf32>, index, index) -> ()
      "scf.reduce"() : () -> ()
    }) {mapping = "x"} : (index, index, index, index, index, index) -> ()
    "scf.for"(%0, %arg0, %1) ({
    ^bb0(%arg4: index):
      "scf.for"(%0, %arg0, %1) ({
      ^bb0(%arg5: index):
        "scf.yield"() : () -> ()
      }) {inner} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {outer = 1 : i32} : (index, index, index) -> ()
    "scf.while"() ({
      "scf.condition"(%arg2) : (i1) -> ()
    }, {
      "scf.yield"() : () -> ()
    }) : () -> ()
    "func.return"(%3#0, %3#1) : (f32, i32) -> ()
  }) : () -> ()
}) : () -> ()

