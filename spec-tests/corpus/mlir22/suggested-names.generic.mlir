"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32, index) -> i32, sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: index):
    %0 = "arith.constant"() <{value = 2 : index}> : () -> index
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    %2 = "arith.constant"() <{value = false}> : () -> i1
    %3 = "arith.constant"() <{value = true}> : () -> i1
    %4 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %5 = "arith.constant"() <{value = 5 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = -1 : index}> : () -> index
    %7 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<i32>
    %8:2 = "scf.for"(%0, %1, %arg2, %arg1, %arg0) ({
    ^bb0(%arg3: index, %arg4: i32, %arg5: i32):
      %9 = "arith.constant"() <{value = 1 : index}> : () -> index
      %10 = "scf.for"(%0, %1, %arg2, %arg4) ({
      ^bb0(%arg6: index, %arg7: i32):
        %11 = "arith.constant"() <{value = 1 : index}> : () -> index
        %12 = "arith.addi"(%arg7, %arg5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        "scf.yield"(%12) : (i32) -> ()
      }) : (index, index, index, i32) -> i32
      "scf.yield"(%10, %arg5) : (i32, i32) -> ()
    }) : (index, index, index, i32, i32) -> (i32, i32)
    "func.return"(%8#1) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

