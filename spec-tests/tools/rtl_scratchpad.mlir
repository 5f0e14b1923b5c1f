// A scratchpad, which Yosys makes block RAM of.
fabric.module @top(%l: !fabric.bits<16>, %s: !fabric.bits<16>, %d: !fabric.bits<16>) -> (!fabric.bits<16>, none, none, memref<512xi16>) {
  %a:4 = fabric.memory @pad [ldCount = 1, stCount = 1, latency = 2, memrefType = memref<512xi16>, is_private = false] (%l, %s, %d)
      attributes {addr_offset_table = [1, 0, 1, 0, 1]}
      : (!fabric.bits<16>, !fabric.bits<16>, !fabric.bits<16>) -> (!fabric.bits<16>, none, none, memref<512xi16>)
  fabric.yield %a#0, %a#1, %a#2, %a#3 : !fabric.bits<16>, none, none, memref<512xi16>
}
