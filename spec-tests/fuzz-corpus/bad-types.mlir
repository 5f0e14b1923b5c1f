func.func @f(%a: i32, %b: f32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addf %a, %a : i32
  %2 = arith.trunci %a : i32 to i64
  %3 = memref.load %a[%b] : memref<4xi32>
  return %0, %1 : i32
}
