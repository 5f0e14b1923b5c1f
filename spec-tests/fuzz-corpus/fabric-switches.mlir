fabric.spatial_sw @sw [connectivity_table = ["110", "111"]]
    attributes {route_table = ["in 1 -> out 0, in 1 -> out 1"], discard = [2 : i64]}
    : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
fabric.spatial_sw @bytes [decomposable_bits = 8, connectivity_table = ["11"]]
    attributes {route_table = ["in 0[0] -> out 0[1], in 1[0] -> out 0[0]"]}
    : (!fabric.bits<16>, !fabric.bits<16>) -> (!fabric.bits<16>)
fabric.temporal_sw @tsw [num_route_table = 2, connectivity_table = ["11", "01"]]
    attributes {route_table = ["tag 0: in 0 -> out 0", "tag 3: in 1 -> out 0, in 1 -> out 1"]}
    : (!fabric.tagged<!fabric.bits<32>, i2>, !fabric.tagged<!fabric.bits<32>, i2>)
      -> (!fabric.tagged<!fabric.bits<32>, i2>, !fabric.tagged<!fabric.bits<32>, i2>)
fabric.module @tags(%a: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %t = fabric.add_tag %a {tag = 2 : i64} : !fabric.bits<32> -> !fabric.tagged<!fabric.bits<32>, i2>
  %u = fabric.map_tag %t [table_size = 4] attributes {table = [[1, 2, 1], [0, 0, 0]]}
      : !fabric.tagged<!fabric.bits<32>, i2> -> !fabric.tagged<!fabric.bits<32>, i1>
  %v = fabric.map_tag %u [table_size = 2] attributes {table = [1 : i64, 0 : i64]}
      : !fabric.tagged<!fabric.bits<32>, i1> -> !fabric.tagged<!fabric.bits<32>, i1>
  %b = fabric.del_tag %v : !fabric.tagged<!fabric.bits<32>, i1> -> !fabric.bits<32>
  fabric.yield %b : !fabric.bits<32>
}
