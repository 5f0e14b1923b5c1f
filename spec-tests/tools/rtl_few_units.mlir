fabric.function_unit @constant_i32(%a: none) -> (i32) [latency = 0, interval = 1] {
  %r = handshake.constant %a {value = 0 : i32} : i32
  fabric.yield %r : i32
}
fabric.function_unit @constant_index(%a: none) -> (index) [latency = 0, interval = 1] {
  %r = handshake.constant %a {value = 0 : index} : index
  fabric.yield %r : index
}
fabric.function_unit @cond_br_none(%a: i1, %b: none) -> (none, none) [latency = 0, interval = 1] {
  %r, %s = handshake.cond_br %a, %b : none
  fabric.yield %r, %s : none, none
}
fabric.function_unit @cond_br_i32(%a: i1, %b: i32) -> (i32, i32) [latency = 0, interval = 1] {
  %r, %s = handshake.cond_br %a, %b : i32
  fabric.yield %r, %s : i32, i32
}
fabric.function_unit @cond_br_index(%a: i1, %b: index) -> (index, index) [latency = 0, interval = 1] {
  %r, %s = handshake.cond_br %a, %b : index
  fabric.yield %r, %s : index, index
}
fabric.function_unit @mux2_none(%a: i1, %b: none, %c: none) -> (none) [latency = 0, interval = 1] {
  %r = handshake.mux %a [%b, %c] : i1, none
  fabric.yield %r : none
}
fabric.function_unit @mux2_i32(%a: i1, %b: i32, %c: i32) -> (i32) [latency = 0, interval = 1] {
  %r = handshake.mux %a [%b, %c] : i1, i32
  fabric.yield %r : i32
}
fabric.function_unit @join(%a: none, %b: none, %c: none, %d: none) -> (none) [latency = 0, interval = 1] {
  %r = handshake.join %a, %b, %c, %d : none, none, none, none
  fabric.yield %r : none
}
fabric.function_unit @load_i32(%a: index, %b: i32, %c: none) -> (i32, index) [latency = 0, interval = 1] {
  %r, %s = handshake.load [%a] %b, %c : index, i32
  fabric.yield %r, %s : i32, index
}
fabric.function_unit @store_i32(%a: index, %b: i32, %c: none) -> (i32, index) [latency = 0, interval = 1] {
  %r, %s = handshake.store [%a] %b, %c : index, i32
  fabric.yield %r, %s : i32, index
}
fabric.function_unit @stream_add(%a: index, %b: index, %c: index) -> (index, i1) [latency = -1, interval = -1] {
  %r, %s = dataflow.stream %a, %b, %c {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  fabric.yield %r, %s : index, i1
}
fabric.function_unit @gate_index(%a: index, %b: i1) -> (index, i1) [latency = -1, interval = -1] {
  %r, %s = dataflow.gate %a, %b : index, i1 -> index, i1
  fabric.yield %r, %s : index, i1
}
fabric.function_unit @carry_i32(%a: i1, %b: i32, %c: i32) -> (i32) [latency = -1, interval = -1] {
  %r = dataflow.carry %a, %b, %c : i1, i32, i32 -> i32
  fabric.yield %r : i32
}
fabric.function_unit @invariant_none(%a: i1, %b: none) -> (none) [latency = -1, interval = -1] {
  %r = dataflow.invariant %a, %b : i1, none -> none
  fabric.yield %r : none
}
fabric.function_unit @cmpi_index(%a: index, %b: index) -> (i1) [latency = 1, interval = 1] {
  %r = arith.cmpi eq, %a, %b : index
  fabric.yield %r : i1
}
fabric.function_unit @addi_i32(%a: i32, %b: i32) -> (i32) [latency = 1, interval = 1] {
  %r = arith.addi %a, %b : i32
  fabric.yield %r : i32
}
