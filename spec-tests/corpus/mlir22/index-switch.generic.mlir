"builtin.module"() ({
  "func.func"() <{function_type = (index, i32) -> (i32, f32), sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: i32):
    %0 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %1:2 = "scf.index_switch"(%arg0) <{cases = array<i64: 2, -5>}> ({
      "scf.yield"(%arg1, %0) : (i32, f32) -> ()
    }, {
      %4 = "arith.constant"() <{value = 10 : i32}> : () -> i32
      "scf.yield"(%4, %0) : (i32, f32) -> ()
    }, {
      "scf.yield"(%arg1, %0) : (i32, f32) -> ()
    }) : (index) -> (i32, f32)
    "scf.index_switch"(%arg0) <{cases = array<i64: 0>}> ({
      "scf.yield"() : () -> ()
    }, {
      "scf.yield"() : () -> ()
    }) : (index) -> ()
    "scf.index_switch"(%arg0) <{cases = array<i64>}> ({
      %3 = "arith.addi"(%arg1, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "scf.yield"() : () -> ()
    }) {attr = 1 : i64} : (index) -> ()
    %2 = "scf.index_switch"(%arg0) <{cases = array<i64: 9223372036854775807>}> ({
      "scf.yield"(%arg1) : (i32) -> ()
    }, {
      "scf.yield"(%arg1) : (i32) -> ()
    }) {attr = 2 : i64} : (index) -> i32
    "func.return"(%1#0, %1#1) : (i32, f32) -> ()
  }) : () -> ()
}) : () -> ()

