module {
  func.func @names(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
    %0 = arith.addi %arg0, %arg1 : i32
    %c5_i32 = arith.constant 5 : i32
    %c6_i32 = arith.constant 6 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1:2 = "foo.x"() : () -> (i32, i32)
    scf.for %arg3 = %c0 to %c0 step %c1 {
      %c7_i32_0 = arith.constant 7 : i32
      %2 = arith.addi %c7_i32_0, %arg2 : i32
    }
    scf.for %arg3 = %c0 to %c0 step %c1 {
      %c7_i32_0 = arith.constant 7 : i32
      %2 = arith.addi %c7_i32_0, %arg2 : i32
      scf.for %arg4 = %c0 to %c0 step %c1 {
        %3 = arith.addi %c7_i32_0, %arg2 : i32
      }
    }
    %c1_i32 = arith.constant 1 : i32
    %c7_i32 = arith.constant 7 : i32
    return %0 : i32
  }
}

