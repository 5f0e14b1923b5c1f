func.func @gcd(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi ne, %y, %zero : i32
    scf.condition(%go) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %m = arith.remui %x, %y : i32
    scf.yield %y, %m : i32, i32
  }
  %neg = arith.cmpi slt, %r#0, %zero : i32
  %s = scf.if %neg -> (i32) {
    %t = arith.subi %zero, %r#0 overflow<nsw> : i32
    scf.yield %t : i32
  } else {
    scf.yield %r#0 : i32
  }
  scf.if %neg {
  }
  return %s : i32
}
