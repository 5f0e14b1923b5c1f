// What rtl_memory.sv drives: two lanes that load, and one that stores elements of two bytes.
fabric.module @top(%m: memref<?xi32>, %i: !fabric.bits<32>, %j: !fabric.bits<32>, %k: !fabric.bits<32>, %v: !fabric.bits<32>)
    -> (!fabric.bits<32>, !fabric.bits<32>, none, none, none) {
  %a = fabric.add_tag %i {tag = 0 : i64} : !fabric.bits<32> -> !fabric.tagged<!fabric.bits<32>, i1>
  %b = fabric.add_tag %j {tag = 1 : i64} : !fabric.bits<32> -> !fabric.tagged<!fabric.bits<32>, i1>
  %c = fabric.temporal_sw @gather [num_route_table = 2, connectivity_table = ["11"]] (%a, %b)
      attributes {route_table = ["tag 0: in 0 -> out 0", "tag 1: in 1 -> out 0"]}
      : (!fabric.tagged<!fabric.bits<32>, i1>, !fabric.tagged<!fabric.bits<32>, i1>) -> !fabric.tagged<!fabric.bits<32>, i1>
  %e:3 = fabric.extmemory @mem [ldCount = 2, stCount = 1, lsqDepth = 3, memrefType = memref<?xi32>] (%m, %c, %k, %v)
      attributes {addr_offset_table = [1, 0, 2, 0, 1]}
      : (memref<?xi32>, !fabric.tagged<!fabric.bits<32>, i1>, !fabric.bits<32>, !fabric.bits<32>)
      -> (!fabric.tagged<!fabric.bits<32>, i1>, !fabric.tagged<none, i1>, none)
  %d:2 = fabric.temporal_sw @data [num_route_table = 2, connectivity_table = ["1", "1"]] (%e#0)
      attributes {route_table = ["tag 0: in 0 -> out 0", "tag 1: in 0 -> out 1"]}
      : (!fabric.tagged<!fabric.bits<32>, i1>) -> (!fabric.tagged<!fabric.bits<32>, i1>, !fabric.tagged<!fabric.bits<32>, i1>)
  %n:2 = fabric.temporal_sw @done [num_route_table = 2, connectivity_table = ["1", "1"]] (%e#1)
      attributes {route_table = ["tag 0: in 0 -> out 0", "tag 1: in 0 -> out 1"]}
      : (!fabric.tagged<none, i1>) -> (!fabric.tagged<none, i1>, !fabric.tagged<none, i1>)
  %d0 = fabric.del_tag %d#0 : !fabric.tagged<!fabric.bits<32>, i1> -> !fabric.bits<32>
  %d1 = fabric.del_tag %d#1 : !fabric.tagged<!fabric.bits<32>, i1> -> !fabric.bits<32>
  %n0 = fabric.del_tag %n#0 : !fabric.tagged<none, i1> -> none
  %n1 = fabric.del_tag %n#1 : !fabric.tagged<none, i1> -> none
  fabric.yield %d0, %d1, %e#2, %n0, %n1 : !fabric.bits<32>, !fabric.bits<32>, none, none, none
}
