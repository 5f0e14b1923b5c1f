"builtin.module"() ({
  "func.func"() <{function_type = (index) -> i32, sym_name = "f"}> ({
  ^bb0(%arg0: index):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    %1 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %2 = "scf.for"(%0, %arg0, %0, %1) ({
    ^bb0(%arg1: index, %arg2: i32):
      %3 = "arith.addi"(%arg2, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "scf.yield"(%3) : (i32) -> ()
    }) {unroll = 4 : i64} : (index, index, index, i32) -> i32
    "func.return"(%2) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
