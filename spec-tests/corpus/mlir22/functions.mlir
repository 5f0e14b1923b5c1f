module {
  func.func private @decl(i32, f32) -> (i32, f32) attributes {k = 1 : i64, llvm.emit_c_interface}
  func.func private @decl2(i32 {foo.a}, memref<?xf32> {foo.b = "s", foo.noalias = true}) -> (f32 {foo.r = 1 : i8})
  func.func nested @nested() {
    return
  }
  func.func public @pub(%arg0: i32 {foo.arg = 0 : i64}, %arg1: i32) -> (i32 {foo.res}, i32) attributes {foo.fn = "x"} {
    return %arg0, %arg1 : i32, i32
  }
  func.func @noargs() {
    return
  }
  func.func @fty(%arg0: (i32) -> i32, %arg1: () -> ()) -> ((i32) -> i32) {
    %c1_i32 = arith.constant 1 : i32
    %0 = call_indirect %arg0(%c1_i32) : (i32) -> i32
    call_indirect %arg1() : () -> ()
    %f = constant @id : (i32) -> i32
    %1 = call_indirect %f(%0) {x = 1 : i64} : (i32) -> i32
    return %f : (i32) -> i32
  }
  func.func @id(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
  func.func @caller() -> (i32, i32) {
    %c2_i32 = arith.constant 2 : i32
    %0:2 = call @pub(%c2_i32, %c2_i32) : (i32, i32) -> (i32, i32)
    %1 = call @id(%c2_i32) {no_inline, y} : (i32) -> i32
    call @noargs() : () -> ()
    return %0#0, %1 : i32, i32
  }
  func.func @"quoted-name"() attributes {no_inline} {
    return
  }
}

