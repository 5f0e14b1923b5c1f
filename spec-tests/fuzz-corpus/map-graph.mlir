handshake.func @f(%a: i32, %b: i32, %c: i32, %start: none, ...) -> (i32, none) {
  %m = arith.muli %a, %b : i32
  %s = arith.addi %m, %c : i32
  handshake.return %s, %start : i32, none
}
