// What rtl_host.sv drives: a sum, with a fifo before it and a switch behind it. The image has a word of each.
fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %f = fabric.fifo @q [depth = 2, bypassable] (%b) attributes {bypassed = false} : (!fabric.bits<32>) -> (!fabric.bits<32>)
  %p = fabric.spatial_pe @pe inputs(%a, %f) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) attributes {instruction = "add(in 0, in 1) -> (out 0)"} {
    fabric.function_unit @add(%x: i32, %y: i32) -> (i32) [latency = 2, interval = 1] {
      %z = arith.addi %x, %y : i32
      fabric.yield %z : i32
    }
    fabric.yield
  }
  %s = fabric.spatial_sw @sw [connectivity_table = ["1"]] (%p) attributes {route_table = ["in 0 -> out 0"]} : (!fabric.bits<32>) -> (!fabric.bits<32>)
  fabric.yield %s : !fabric.bits<32>
}
