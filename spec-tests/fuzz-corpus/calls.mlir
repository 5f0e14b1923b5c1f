module @m attributes {a.b = "c"} {
  func.func private @extern(i32) -> i32
  func.func private @helper(%x: i32 {llvm.noundef}) -> (i32 {a.r}) attributes {a.f} {
    return %x : i32
  }
  func.func @main(%x: i32) -> i32 {
    %0 = call @helper(%x) : (i32) -> i32
    %1 = func.call @helper(%0) : (i32) -> i32
    return %1 : i32
  }
}
