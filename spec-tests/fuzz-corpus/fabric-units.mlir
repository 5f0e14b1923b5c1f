fabric.function_unit @mul_add(%a: i32, %b: i32, %c: i32) -> (i32) [latency = 2, interval = 1] {
  %m = arith.muli %a, %b : i32
  %s = arith.addi %m, %c : i32
  fabric.yield %s : i32
}
fabric.temporal_pe @tpe(%x: !fabric.tagged<!fabric.bits<32>, i2>, %y: !fabric.tagged<!fabric.bits<32>, i2>)
    -> (!fabric.tagged<!fabric.bits<32>, i2>)
    [num_register = 1, reg_fifo_depth = 2, num_instruction = 4,
     enable_share_operand_buffer = true, operand_buffer_size = 8]
    attributes {instruction_mem = ["tag 1: add(in 0, in 1) -> (reg 0)",
                                   "tag 2: double(reg 0) -> (out 0 tag 3)",
                                   "invalid"]} {
  fabric.function_unit @add(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
    %s = arith.addi %a, %b : i32
    fabric.yield %s : i32
  }
  fabric.function_unit @double(%a: i32) -> (i32) [latency = 1, interval = 1] {
    %s = arith.addi %a, %a : i32
    fabric.yield %s : i32
  }
  fabric.yield
}
