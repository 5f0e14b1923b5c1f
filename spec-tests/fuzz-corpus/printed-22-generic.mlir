"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32) -> i32, sym_name = "gcd"}> ({
  ^bb0(%arg0: i32, %arg1: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1:2 = "scf.while"(%arg0, %arg1) ({
    ^bb0(%arg4: i32, %arg5: i32):
      %6 = "arith.cmpi"(%arg5, %0) <{predicate = 1 : i64}> : (i32, i32) -> i1
      "scf.condition"(%6, %arg4, %arg5) : (i1, i32, i32) -> ()
    }, {
    ^bb0(%arg2: i32, %arg3: i32):
      %5 = "arith.remui"(%arg2, %arg3) : (i32, i32) -> i32
      "scf.yield"(%arg3, %5) : (i32, i32) -> ()
    }) : (i32, i32) -> (i32, i32)
    %2 = "arith.cmpi"(%1#0, %0) <{predicate = 2 : i64}> : (i32, i32) -> i1
    %3 = "scf.if"(%2) ({
      %4 = "arith.subi"(%0, %1#0) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
      "scf.yield"(%4) : (i32) -> ()
    }, {
      "scf.yield"(%1#0) : (i32) -> ()
    }) : (i1) -> i32
    "scf.if"(%2) ({
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    "func.return"(%3) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

