fabric.module @top(%a: !fabric.bits<2>, %b: !fabric.bits<2>) -> (!fabric.bits<2>, !fabric.bits<2>) {
  %q = fabric.fifo @queue [depth = 2, bypassable] (%a) : (!fabric.bits<2>) -> (!fabric.bits<2>)
  %s:3 = fabric.spatial_sw @sw [connectivity_table = ["11", "11", "11"]] (%q, %b) attributes {route_table = ["in 0 -> out 0, in 1 -> out 1, in 0 -> out 2"]}
      : (!fabric.bits<2>, !fabric.bits<2>) -> (!fabric.bits<2>, !fabric.bits<2>, !fabric.bits<2>)
  %p = fabric.spatial_pe @pe inputs(%s#0, %s#1) : (!fabric.bits<2>, !fabric.bits<2>) -> (!fabric.bits<2>)
      attributes {instruction = "add(in 0, in 1) -> (out 0)"} {
    fabric.function_unit @add(%x: i2, %y: i2) -> (i2) [latency = 2, interval = 1] {
      %z = arith.addi %x, %y : i2
      fabric.yield %z : i2
    }
    fabric.yield
  }
  fabric.yield %p, %s#2 : !fabric.bits<2>, !fabric.bits<2>
}
