"builtin.module"() ({
  "func.func"() <{function_type = (index, index, index, f32, memref<?x?xf32>) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: f32, %arg4: memref<?x?xf32>):
    "scf.parallel"(%arg0, %arg1, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%arg16: index):
      "test.a"(%arg16) : (index) -> ()
      "scf.reduce"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.parallel"(%arg0, %arg0, %arg1, %arg1, %arg2, %arg2) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb0(%arg14: index, %arg15: index):
      %9 = "memref.load"(%arg4, %arg14, %arg15) : (memref<?x?xf32>, index, index) -> f32
      "scf.reduce"() : () -> ()
    }) {mapping = [1, 2]} : (index, index, index, index, index, index) -> ()
    %0 = "scf.parallel"(%arg0, %arg1, %arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
    ^bb0(%arg11: index):
      %7 = "memref.load"(%arg4, %arg11, %arg11) : (memref<?x?xf32>, index, index) -> f32
      "scf.reduce"(%7) ({
      ^bb0(%arg12: f32, %arg13: f32):
        %8 = "arith.addf"(%arg12, %arg13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%8) : (f32) -> ()
      }) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2:2 = "scf.parallel"(%arg0, %arg0, %arg1, %arg1, %arg2, %arg2, %0, %1) <{operandSegmentSizes = array<i32: 2, 2, 2, 2>}> ({
    ^bb0(%arg5: index, %arg6: index):
      %3 = "memref.load"(%arg4, %arg5, %arg6) : (memref<?x?xf32>, index, index) -> f32
      %4 = "arith.fptosi"(%3) : (f32) -> i32
      "scf.reduce"(%3, %4) ({
      ^bb0(%arg9: f32, %arg10: f32):
        %6 = "arith.maximumf"(%arg9, %arg10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%6) : (f32) -> ()
      }, {
      ^bb0(%arg7: i32, %arg8: i32):
        %5 = "arith.maxsi"(%arg7, %arg8) : (i32, i32) -> i32
        "scf.reduce.return"(%5) : (i32) -> ()
      }) : (f32, i32) -> ()
    }) {some.attr = 4 : i64} : (index, index, index, index, index, index, f32, i32) -> (f32, i32)
    "func.return"(%2#0) : (f32) -> ()
  }) : () -> ()
}) : () -> ()

