// A divider, and a scratchpad that keeps what it gives.
fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>, %l: !fabric.bits<32>, %s: !fabric.bits<32>) -> (!fabric.bits<32>, none, none, memref<16xi32>) {
  %q = fabric.spatial_pe @pe inputs(%a, %b) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) attributes {instruction = "div(in 0, in 1) -> (out 0)"} {
    fabric.function_unit @div(%x: i32, %y: i32) -> (i32) [latency = 34, interval = 34] {
      %z = arith.floordivsi %x, %y : i32
      fabric.yield %z : i32
    }
    fabric.yield
  }
  %m:4 = fabric.memory @pad [ldCount = 1, stCount = 1, latency = 2, memrefType = memref<16xi32>, is_private = false] (%l, %s, %q)
      attributes {addr_offset_table = [1, 0, 1, 0, 2]}
      : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, none, none, memref<16xi32>)
  fabric.yield %m#0, %m#1, %m#2, %m#3 : !fabric.bits<32>, none, none, memref<16xi32>
}
