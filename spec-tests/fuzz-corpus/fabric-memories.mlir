fabric.module @top(%m: memref<?xi32>, %la: !fabric.bits<32>, %sa: !fabric.bits<32>, %sd: !fabric.bits<32>)
    -> (!fabric.bits<32>, none, none) {
  %e:3 = fabric.extmemory @ext_0 [ldCount = 1, stCount = 1, lsqDepth = 0, memrefType = memref<?xi32>, numRegion = 1]
      (%m, %la, %sa, %sd) attributes {addr_offset_table = [1, 0, 1, 0, 2]}
      : (memref<?xi32>, !fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, none, none)
  fabric.yield %e#0, %e#1, %e#2 : !fabric.bits<32>, none, none
}
fabric.module @shared(%a0: !fabric.bits<32>, %a1: !fabric.bits<32>)
    -> (!fabric.bits<32>, !fabric.bits<32>, none, none) {
  %t0 = fabric.add_tag %a0 {tag = 0 : i64} : !fabric.bits<32> -> !fabric.tagged<!fabric.bits<32>, i1>
  %t1 = fabric.add_tag %a1 {tag = 1 : i64} : !fabric.bits<32> -> !fabric.tagged<!fabric.bits<32>, i1>
  %a = fabric.temporal_sw @gather [num_route_table = 2, connectivity_table = ["11"]] (%t0, %t1)
      attributes {route_table = ["tag 0: in 0 -> out 0", "tag 1: in 1 -> out 0"]}
      : (!fabric.tagged<!fabric.bits<32>, i1>, !fabric.tagged<!fabric.bits<32>, i1>) -> (!fabric.tagged<!fabric.bits<32>, i1>)
  %m:2 = fabric.memory @table [ldCount = 2, stCount = 0, memrefType = memref<256xi32>, numRegion = 2] (%a)
      attributes {addr_offset_table = [[1, 0, 1, 0, 2], [1, 1, 2, 512, 2]]}
      : (!fabric.tagged<!fabric.bits<32>, i1>) -> (!fabric.tagged<!fabric.bits<32>, i1>, !fabric.tagged<none, i1>)
  %d:2 = fabric.temporal_sw @data [num_route_table = 2, connectivity_table = ["1", "1"]] (%m#0)
      attributes {route_table = ["tag 0: in 0 -> out 0", "tag 1: in 0 -> out 1"]}
      : (!fabric.tagged<!fabric.bits<32>, i1>) -> (!fabric.tagged<!fabric.bits<32>, i1>, !fabric.tagged<!fabric.bits<32>, i1>)
  %k:2 = fabric.temporal_sw @done [num_route_table = 2, connectivity_table = ["1", "1"]] (%m#1)
      attributes {route_table = ["tag 0: in 0 -> out 0", "tag 1: in 0 -> out 1"]}
      : (!fabric.tagged<none, i1>) -> (!fabric.tagged<none, i1>, !fabric.tagged<none, i1>)
  %d0 = fabric.del_tag %d#0 : !fabric.tagged<!fabric.bits<32>, i1> -> !fabric.bits<32>
  %d1 = fabric.del_tag %d#1 : !fabric.tagged<!fabric.bits<32>, i1> -> !fabric.bits<32>
  %k0 = fabric.del_tag %k#0 : !fabric.tagged<none, i1> -> none
  %k1 = fabric.del_tag %k#1 : !fabric.tagged<none, i1> -> none
  fabric.yield %d0, %d1, %k0, %k1 : !fabric.bits<32>, !fabric.bits<32>, none, none
}
