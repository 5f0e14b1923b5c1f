"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: index, %arg1: memref<?x?xf32>, %arg2: i1, %arg3: i32):
    %0 = "arith.constant"() {value = 0 : index} : () -> index
    %1 = "arith.constant"() {value = 1 : index} : () -> index
    %2 = "arith.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %3:2 = "scf.for"(%0, %arg0, %1, %2, %arg3) ({
    ^bb0(%arg4: index, %arg5: f32, %arg6: i32):
      %6 = "scf.for"(%0, %arg4, %1, %arg5) ({
      ^bb0(%arg7: index, %arg8: f32):
        %8 = "memref.load"(%arg1, %arg4, %arg7) : (memref<?x?xf32>, index, index) -> f32
        %9 = "arith.addf"(%arg8, %8) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
        %10 = "scf.if"(%arg2) ({
          "scf.yield"(%9) : (f32) -> ()
        }, {
          %11 = "arith.mulf"(%9, %9) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
          "scf.yield"(%11) : (f32) -> ()
        }) : (i1) -> f32
        "scf.yield"(%10) : (f32) -> ()
      }) : (index, index, index, f32) -> f32
      %7:2 = "scf.while"(%arg6, %6) ({
      ^bb0(%arg7: i32, %arg8: f32):
        %8 = "arith.cmpi"(%arg7, %arg3) {predicate = 2 : i64} : (i32, i32) -> i1
        "scf.condition"(%8, %arg7, %arg8) : (i1, i32, f32) -> ()
      }, {
      ^bb0(%arg7: i32, %arg8: f32):
        %8 = "arith.constant"() {value = 1 : i32} : () -> i32
        %9 = "arith.addi"(%arg7, %8) : (i32, i32) -> i32
        "scf.if"(%arg2) ({
          "memref.store"(%arg8, %arg1, %arg4, %arg4) : (f32, memref<?x?xf32>, index, index) -> ()
          "scf.yield"() : () -> ()
        }, {
        }) : (i1) -> ()
        "scf.yield"(%9, %arg8) : (i32, f32) -> ()
      }) : (i32, f32) -> (i32, f32)
      "scf.yield"(%7#1, %7#0) : (f32, i32) -> ()
    }) : (index, index, index, f32, i32) -> (f32, i32)
    %4:2 = "scf.execute_region"() ({
      "cf.cond_br"(%arg2, %arg3)[^bb1, ^bb2] {operand_segment_sizes = array<i32: 1, 0, 1>} : (i1, i32) -> ()
    ^bb1:  // pred: ^bb0
      "scf.yield"(%arg3, %2) : (i32, f32) -> ()
    ^bb2(%6: i32):  // pred: ^bb0
      "scf.yield"(%6, %2) : (i32, f32) -> ()
    }) : () -> (i32, f32)
    "scf.execute_region"() ({
      "scf.yield"() : () -> ()
    }) : () -> ()
    %5 = "scf.index_switch"(%arg0) ({
      "scf.yield"(%4#0) : (i32) -> ()
    }, {
      "scf.yield"(%arg3) : (i32) -> ()
    }, {
      %6 = "arith.addi"(%arg3, %arg3) : (i32, i32) -> i32
      "scf.yield"(%6) : (i32) -> ()
    }) {cases = array<i64: -3, 5>} : (index) -> i32
    "scf.index_switch"(%arg0) ({
      "scf.yield"() : () -> ()
    }, {
      "memref.store"(%2, %arg1, %0, %0) : (f32, memref<?x?xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {cases = array<i64: 1>} : (index) -> ()
    "scf.parallel"(%0, %arg0, %1) ({
    ^bb0(%arg4: index):
      "memref.store"(%2, %arg1, %arg4, %arg4) : (f32, memref<?x?xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {operand_segment_sizes = array<i32: 1, 1, 1, 0>} : (index, index, index) -> ()
    "scf.parallel"(%0, %0, %arg0, %arg0, %1, %1) ({
    ^bb0(%arg4: index, %arg5: index):
      "memref.store"(%2, %arg1, %arg4, %arg5) : (f32, memref<?x?xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) {mapping = "x", operand_segment_sizes = array<i32: 2, 2, 2, 0>} : (index, index, index, index, index, index) -> ()
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
  }) {function_type = (index, memref<?x?xf32>, i1, i32) -> (f32, i32), sym_name = "nest"} : () -> ()
}) : () -> ()

