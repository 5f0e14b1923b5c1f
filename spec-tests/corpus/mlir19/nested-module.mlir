module {
  func.func @f(%arg0: i32) {
    %0 = arith.addi %arg0, %arg0 : i32
    %1 = "foo.x"() ({
      %2 = arith.addi %arg0, %arg0 : i32
      "foo.y"() : () -> ()
    }) : () -> i32
    builtin.module {
      func.func @g(%arg1: i32) -> i32 {
        %2 = arith.addi %arg1, %arg1 : i32
        return %2 : i32
      }
    }
    return
  }
}

