fabric.function_unit @average(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
  %s, %c = arith.addui_extended %a, %b : i32, i1
  %h = arith.select %c, %b, %s : i32
  fabric.yield %h : i32
}
fabric.spatial_pe @adder(%a: !fabric.bits<32>, %b: !fabric.bits<32>) -> (!fabric.bits<32>) {
  fabric.instance @average() : () -> ()
  fabric.yield
}
fabric.temporal_pe @counter(%a: !fabric.tagged<!fabric.bits<32>, i2>) -> (!fabric.tagged<!fabric.bits<32>, i2>)
    [num_register = 1 : i64, num_instruction = 4 : i64, reg_fifo_depth = 2 : i64] {
  fabric.function_unit @add(%x: i32) -> (i32) [latency = 1, interval = 1] {
    %z = arith.addi %x, %x : i32
    fabric.yield %z : i32
  }
  fabric.yield
}
