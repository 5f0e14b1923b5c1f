module {
  handshake.func @df(%a: index, %n: index, %s: index, %x: i32, %start: none, ...) -> (i32, none) {
    %i, %more = dataflow.stream %a, %s, %n
    %j, %m2 = dataflow.stream %a, %s, %n {step_op = "<<=", cont_cond = "!="} : (index, index, index) -> (index, i1)
    %v, %again = dataflow.gate %i, %more : index, i1 -> index, i1
    %c = dataflow.carry %more, %x, %next : i1, i32, i32 -> i32
    %k = dataflow.invariant %again, %x : i1, i32 -> i32
    %body, %exit = cond_br %more, %c : i32
    %next = arith.addi %body, %k : i32
    return %exit, %start : i32, none
  }
  handshake.func @tag(%a: !dataflow.tagged<i32, i4>, ...) -> !dataflow.tagged<i32, i4> {
    return %a : !dataflow.tagged<i32, i4>
  }
  handshake.func @noargs(...) -> () { return }
}
