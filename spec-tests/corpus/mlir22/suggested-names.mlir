module {
  func.func @f(%arg0: i32, %arg1: i32, %arg2: index) -> i32 {
    %c2 = arith.constant 2 : index
    %c2_0 = arith.constant 2 : index
    %false = arith.constant false
    %true = arith.constant true
    %cst = arith.constant 1.000000e+00 : f32
    %c5_i32 = arith.constant 5 : i32
    %c-1 = arith.constant -1 : index
    %alloc = memref.alloc() : memref<i32>
    %0:2 = scf.for %arg3 = %c2 to %c2_0 step %arg2 iter_args(%arg4 = %arg1, %arg5 = %arg0) -> (i32, i32) {
      %c1 = arith.constant 1 : index
      %1 = scf.for %arg6 = %c2 to %c2_0 step %arg2 iter_args(%arg7 = %arg4) -> (i32) {
        %c1_1 = arith.constant 1 : index
        %2 = arith.addi %arg7, %arg5 : i32
        scf.yield %2 : i32
      }
      scf.yield %1, %arg5 : i32, i32
    }
    return %0#1 : i32
  }
}

