handshake.func @scale(%a: memref<?xi32>, %n: index, %k: i32, %start: none, ...) -> (i32, none)
    attributes {argNames = ["a", "n", "k", "start"], resNames = ["sum", "done"]} {
  %c0 = handshake.constant %start {value = 0 : index} : index
  %c1 = handshake.constant %start {value = 1 : index} : index
  %zero = handshake.constant %start {value = 0 : i32} : i32
  %raw, %more = dataflow.stream %c0, %c1, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %again = dataflow.gate %raw, %more : index, i1 -> index, i1
  %s = dataflow.carry %more, %zero, %next : i1, i32, i32 -> i32
  %kk = dataflow.invariant %again, %k : i1, i32 -> i32
  %body, %exit = handshake.cond_br %more, %s : i32
  %go = dataflow.invariant %again, %start : i1, none -> none
  %x, %addr = handshake.load [%i] %mem#0, %go : index, i32
  %mem:2 = handshake.extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%addr) {id = 0 : i32} : (index) -> (i32, none)
  %y = arith.muli %x, %kk : i32
  %next = arith.addi %body, %y : i32
  %more2, %out = cond_br %again, %mem#1 : none
  handshake.return %exit, %out : i32, none
}
