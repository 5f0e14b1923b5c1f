handshake.func @f(%a: i32, %b: i32, ...) -> i32 attributes {argNames = ["a", "b"], resNames = ["out0"]} {
  %s = arith.addi %b, %a : i32
  %d = arith.subi %s, %b : i32
  handshake.return %d : i32
}
