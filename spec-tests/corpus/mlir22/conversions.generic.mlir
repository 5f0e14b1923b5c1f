"builtin.module"() ({
  "func.func"() <{function_type = (i32, memref<4xf32>) -> (i64, !foo.t), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: memref<4xf32>):
    %0 = "builtin.unrealized_conversion_cast"(%arg0) : (i32) -> i64
    %1:2 = "builtin.unrealized_conversion_cast"(%arg0, %0) : (i32, i64) -> (f32, !foo.t)
    %2 = "builtin.unrealized_conversion_cast"() : () -> index
    %3 = "builtin.unrealized_conversion_cast"(%arg1) {k = 1 : i64} : (memref<4xf32>) -> !foo.m
    "func.return"(%0, %1#1) : (i64, !foo.t) -> ()
  }) : () -> ()
}) : () -> ()

