module {
  func.func @f(%arg0: i32, %arg1: memref<4xf32>) -> (i64, !foo.t) {
    %0 = builtin.unrealized_conversion_cast %arg0 : i32 to i64
    %1:2 = builtin.unrealized_conversion_cast %arg0, %0 : i32, i64 to f32, !foo.t
    %2 = builtin.unrealized_conversion_cast to index
    %3 = builtin.unrealized_conversion_cast %arg1 : memref<4xf32> to !foo.m {k = 1 : i64}
    return %0, %1#1 : i64, !foo.t
  }
}

