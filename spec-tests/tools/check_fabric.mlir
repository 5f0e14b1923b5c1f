fabric.spatial_pe @pe(%x: !fabric.bits<32>, %y: !fabric.bits<32>) -> (!fabric.bits<32>) {
  fabric.function_unit @add(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
    %s = arith.addi %a, %b : i32
    fabric.yield %s : i32
  }
  fabric.function_unit @sub(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
    %s = arith.subi %a, %b : i32
    fabric.yield %s : i32
  }
  fabric.yield
}
fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %s:5 = fabric.spatial_sw @sw [connectivity_table = ["1111", "1111", "1111", "1111", "1111"]] (%a, %b, %p, %q)
      attributes {route_table = ["in 0 -> out 0, in 1 -> out 1, in 2 -> out 2, in 1 -> out 3, in 3 -> out 4"]}
      : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>)
  %p = fabric.instance @pe(%s#0, %s#1) {sym_name = "left", instruction = "add(in 0, in 1) -> (out 0)"} : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
  %q = fabric.instance @pe(%s#2, %s#3) {sym_name = "right", instruction = "sub(in 0, in 1) -> (out 0)"} : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
  fabric.yield %s#4 : !fabric.bits<32>
}
