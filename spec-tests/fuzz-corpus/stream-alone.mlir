handshake.func @s(%start: index, %step: index, %bound: index, ...) -> (index, i1) {
  %idx, %cont = dataflow.stream %start, %step, %bound {step_op = ">>=", cont_cond = "!="}
  handshake.return %idx, %cont : index, i1
}
