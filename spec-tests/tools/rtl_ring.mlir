// Two units of wires, and switches by which either may be before the other: `rtl_ring.sv` loads an image with the one order, and
// another with the other over it. Each is sound; some words of both together would be a ring.
fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>, %c: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %from_a:2 = fabric.spatial_sw @from_a (%a) : (!fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
  %from_1:2 = fabric.spatial_sw @from_1 (%one) : (!fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
  %from_2:2 = fabric.spatial_sw @from_2 (%two) : (!fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
  %to_1 = fabric.spatial_sw @to_1 (%from_a#0, %from_2#0) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
  %to_2 = fabric.spatial_sw @to_2 (%from_a#1, %from_1#0) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
  %out = fabric.spatial_sw @to_out (%from_1#1, %from_2#1) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
  %one = fabric.spatial_pe @one inputs(%to_1, %b) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) {
    fabric.function_unit @flip(%x: i32, %y: i32) -> (i32) [latency = 0, interval = 1] {
      %z = arith.xori %x, %y : i32
      fabric.yield %z : i32
    }
    fabric.yield
  }
  %two = fabric.spatial_pe @two inputs(%to_2, %c) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) {
    fabric.function_unit @flip(%x: i32, %y: i32) -> (i32) [latency = 0, interval = 1] {
      %z = arith.xori %x, %y : i32
      fabric.yield %z : i32
    }
    fabric.yield
  }
  fabric.yield %out : !fabric.bits<32>
}
