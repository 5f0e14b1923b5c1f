fabric.spatial_pe @adder(%x: !fabric.bits<32>, %y: !fabric.bits<32>) -> (!fabric.bits<32>) {
  fabric.function_unit @add(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
    %s = arith.addi %a, %b : i32
    fabric.yield %s : i32
  }
  fabric.yield
}
fabric.module @top(%in: !fabric.bits<32>) -> (!fabric.bits<32>) attributes {viz_file = "top.viz.json"} {
  %s:3 = fabric.spatial_sw @sw [connectivity_table = ["10", "11", "01"]] (%in, %f)
      : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  %p:1 = fabric.instance @adder(%s#0, %s#1) {sym_name = "pe_0"}
      : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
  %f = fabric.fifo @loop [depth = 4, bypassable] (%p#0) attributes {bypassed = false}
      : (!fabric.bits<32>) -> (!fabric.bits<32>)
  fabric.yield %s#2 : !fabric.bits<32>
}
fabric.module @one(%a: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %p = fabric.spatial_pe @negator inputs(%a) : (!fabric.bits<32>) -> (!fabric.bits<32>) {
    fabric.function_unit @neg(%x: f32) -> (f32) [latency = 0, interval = 1] {
      %y = arith.negf %x : f32
      fabric.yield %y : f32
    }
    fabric.yield
  }
  fabric.yield %p : !fabric.bits<32>
}
