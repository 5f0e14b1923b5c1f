fabric.module @two(%x: !fabric.bits<32>, %y: !fabric.bits<32>, %z: !fabric.bits<32>, %go: none)
    -> (!fabric.bits<32>, none) {
  %w:5 = fabric.spatial_sw @sw [connectivity_table = ["11000", "11000", "00100", "00010", "00001"]]
      (%x, %y, %z, %p, %q)
      : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
      -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  %p = fabric.spatial_pe @times inputs(%w#0, %w#1) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) {
    fabric.function_unit @mul(%u: i32, %v: i32) -> (i32) [latency = 2, interval = 1] {
      %r = arith.muli %u, %v : i32
      fabric.yield %r : i32
    }
    fabric.yield
  }
  %q = fabric.spatial_pe @plus inputs(%w#2, %w#3) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) {
    fabric.function_unit @add(%u: i32, %v: i32) -> (i32) [latency = 1, interval = 1] {
      %r = arith.addi %u, %v : i32
      fabric.yield %r : i32
    }
    fabric.yield
  }
  fabric.yield %w#4, %go : !fabric.bits<32>, none
}
