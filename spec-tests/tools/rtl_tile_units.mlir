// What a PE of the tile has that rtl_agree.sh places on a chip.
fabric.function_unit @addi(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
  %r = arith.addi %a, %b : i32
  fabric.yield %r : i32
}
fabric.function_unit @andi(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
  %r = arith.andi %a, %b : i32
  fabric.yield %r : i32
}
fabric.function_unit @select(%c: i1, %a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
  %r = arith.select %c, %a, %b : i32
  fabric.yield %r : i32
}
