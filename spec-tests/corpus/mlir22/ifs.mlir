module {
  func.func @f(%arg0: i1, %arg1: i32) -> (i32, i32) {
    scf.if %arg0 {
    }
    scf.if %arg0 {
    } else {
    }
    scf.if %arg0 {
    } {a = 1 : i64}
    scf.if %arg0 {
      "test.a"() : () -> ()
    } else {
      "test.b"() : () -> ()
    } {b}
    %0 = scf.if %arg0 -> (i32) {
      scf.yield %arg1 : i32
    } else {
      scf.yield %arg1 : i32
    }
    %1:2 = scf.if %arg0 -> (i32, i32) {
      %2 = scf.if %arg0 -> (i32) {
        scf.yield %arg1 : i32
      } else {
        scf.yield %0 : i32
      } {inner}
      scf.yield %2, %arg1 : i32, i32
    } else {
      scf.yield %arg1, %arg1 : i32, i32
    }
    return %1#0, %1#1 : i32, i32
  }
}

