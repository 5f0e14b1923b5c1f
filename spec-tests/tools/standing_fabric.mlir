fabric.module @top(%z: !fabric.bits<32>, %one: !fabric.bits<32>, %n: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %zz:2 = fabric.spatial_sw @z2 [connectivity_table = ["1", "1"]] (%z) attributes {route_table = ["in 0 -> out 0, in 0 -> out 1"]} : (!fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
  %oo:2 = fabric.spatial_sw @one2 [connectivity_table = ["1", "1"]] (%one) attributes {route_table = ["in 0 -> out 0, in 0 -> out 1"]} : (!fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
  %s:2 = fabric.spatial_pe @count inputs(%zz#0, %oo#0, %n) : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<1>) attributes {instruction = "u(in 0, in 1, in 2) -> (out 0, out 1)"} {
    fabric.function_unit @u(%a: index, %b: index, %c: index) -> (index, i1) [latency = -1, interval = -1] {
      %i, %more = dataflow.stream %a, %b, %c {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
      fabric.yield %i, %more : index, i1
    }
    fabric.yield
  }
  %i:2 = fabric.spatial_sw @fork [connectivity_table = ["1", "1"]] (%s#0) attributes {route_table = ["in 0 -> out 0, in 0 -> out 1"]} : (!fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
  %last = fabric.spatial_pe @last inputs(%s#1, %i#0) : (!fabric.bits<1>, !fabric.bits<32>) -> (!fabric.bits<32>) attributes {instruction = "u(in 0, in 1) -> (discard, out 0)"} {
    fabric.function_unit @u(%a: i1, %b: i32) -> (i32, i32) [latency = 0, interval = 1] {
      %t, %f = handshake.cond_br %a, %b : i32
      fabric.yield %t, %f : i32, i32
    }
    fabric.yield
  }
  %t = fabric.spatial_pe @again inputs(%zz#1, %oo#1, %last) : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) attributes {instruction = "u(in 0, in 1, in 2) -> (out 0, discard)"} {
    fabric.function_unit @u(%a: index, %b: index, %c: index) -> (index, i1) [latency = -1, interval = -1] {
      %i, %more = dataflow.stream %a, %b, %c {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
      fabric.yield %i, %more : index, i1
    }
    fabric.yield
  }
  %q = fabric.fifo @q [depth = 2, bypassable] (%i#1) {bypassed = true} : (!fabric.bits<32>) -> (!fabric.bits<32>)
  %sum = fabric.spatial_pe @sum inputs(%q, %t) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) attributes {instruction = "u(in 0, in 1) -> (out 0)"} {
    fabric.function_unit @u(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
      %r = arith.addi %a, %b : i32
      fabric.yield %r : i32
    }
    fabric.yield
  }
  fabric.yield %sum : !fabric.bits<32>
}
