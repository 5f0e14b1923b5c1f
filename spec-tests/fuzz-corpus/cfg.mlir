func.func @cfg(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^bb1(%x : i32), ^bb2
^bb1(%a: i32):  // 2 preds: ^bb0, ^bb1
  cf.switch %a : i32, [
    default: ^bb2,
    1: ^bb1(%a : i32),
    -2: ^bb3
  ]
^bb2:
  cf.br ^bb3
^bb3:
  cf.assert %c, "must"
  return %x : i32
}
