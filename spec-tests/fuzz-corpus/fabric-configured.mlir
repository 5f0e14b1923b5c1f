fabric.function_unit @mac(%a: i16, %b: i16) -> (i16) [latency = 1, interval = 1] {
  %m = arith.muli %a, %b : i16
  %r = fabric.mux %m, %a {sel = 0 : i64} : i16, i16 -> i16
  fabric.yield %r : i16
}
fabric.spatial_pe @pe(%x: !fabric.bits<16>, %y: !fabric.bits<16>) -> (!fabric.bits<16>, !fabric.bits<16>) attributes {instruction = "mac(in 1, in 0 discard) -> (out 1)"} {
  fabric.instance @mac() : () -> ()
  fabric.function_unit @both(%a: none, %b: none) -> (none) [latency = 0, interval = 1] {
    %j = handshake.join %a, %b {join_mask = 2 : i64} : none, none
    fabric.yield %j : none
  }
  fabric.yield
}
fabric.memory @ram [ldCount = 2, stCount = 0, memrefType = memref<8xi16>, numRegion = 2] attributes {addr_offset_table = [[1, 0, 1, 8, 1], [1, 1, 4, 0, 1]]} : (!fabric.tagged<!fabric.bits<16>, i2>) -> (!fabric.tagged<!fabric.bits<16>, i2>, !fabric.tagged<none, i2>)
fabric.module @inner(%a: !fabric.bits<16>) -> (!fabric.bits<16>) {
  %b = fabric.fifo [depth = 1, bypassable] (%a) attributes {bypassed = true} : (!fabric.bits<16>) -> (!fabric.bits<16>)
  fabric.yield %b : !fabric.bits<16>
}
fabric.module @top(%a: !fabric.bits<16>, %b: !fabric.bits<16>, %la: !fabric.tagged<!fabric.bits<16>, i2>, %c: !fabric.bits<16>) -> (!fabric.bits<16>, !fabric.bits<16>, !fabric.tagged<!fabric.bits<16>, i2>, !fabric.tagged<none, i2>, !fabric.bits<16>) {
  %s:2 = fabric.spatial_sw @sw [decomposable_bits = 8, connectivity_table = ["11", "10"]] (%a, %b) attributes {route_table = ["in 1[1] -> out 0[0], in 0[0] -> out 0[1]"], discard = ["in 1[0]"]} : (!fabric.bits<16>, !fabric.bits<16>) -> (!fabric.bits<16>, !fabric.bits<16>)
  %p:2 = fabric.instance @pe(%s#0, %s#1) {sym_name = "pe_0", instruction = "both(in 0, none) -> (out 0)", payload = "0x3"} : (!fabric.bits<16>, !fabric.bits<16>) -> (!fabric.bits<16>, !fabric.bits<16>)
  %i = fabric.instance @inner(%p#0) : (!fabric.bits<16>) -> (!fabric.bits<16>)
  %j = fabric.instance @inner(%p#1) : (!fabric.bits<16>) -> (!fabric.bits<16>)
  %m:2 = fabric.instance @ram(%la) : (!fabric.tagged<!fabric.bits<16>, i2>) -> (!fabric.tagged<!fabric.bits<16>, i2>, !fabric.tagged<none, i2>)
  %t = fabric.add_tag %c {tag = 2 : i64} : !fabric.bits<16> -> !fabric.tagged<!fabric.bits<16>, i2>
  %ts = fabric.temporal_sw [num_route_table = 2, connectivity_table = ["1"]] (%t) attributes {route_table = ["invalid", "tag 2: in 0 -> out 0"]} : (!fabric.tagged<!fabric.bits<16>, i2>) -> (!fabric.tagged<!fabric.bits<16>, i2>)
  %tp = fabric.temporal_pe @tpe inputs(%ts) : (!fabric.tagged<!fabric.bits<16>, i2>) -> (!fabric.tagged<!fabric.bits<16>, i2>) [num_register = 2, reg_fifo_depth = 1, num_instruction = 3] attributes {instruction_mem = ["tag 1: mac(in 0 discard, reg 1) -> (reg 0 out 0 tag 3)", "invalid", "0x0"], payload = ["0x1", "0x0"]} {
    fabric.instance @mac() : () -> ()
    fabric.function_unit @value(%g: none) -> (i16) [latency = 0, interval = 1] {
      %k = handshake.constant %g {value = 7 : i16} : i16
      fabric.yield %k : i16
    }
    fabric.yield
  }
  %u = fabric.map_tag %tp [table_size = 2] attributes {table = [[1, 3, 1], [0, 0, 0]]} : !fabric.tagged<!fabric.bits<16>, i2> -> !fabric.tagged<!fabric.bits<16>, i1>
  %v = fabric.del_tag %u : !fabric.tagged<!fabric.bits<16>, i1> -> !fabric.bits<16>
  fabric.yield %i, %j, %m#0, %m#1, %v : !fabric.bits<16>, !fabric.bits<16>, !fabric.tagged<!fabric.bits<16>, i2>, !fabric.tagged<none, i2>, !fabric.bits<16>
}
