module {
  func.func @mm(%arg0: memref<4x8xf32>, %arg1: memref<8x16xf32>, %arg2: memref<4x16xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c8 = arith.constant 8 : index
    scf.for %arg3 = %c0 to %c4 step %c1 {
      scf.for %arg4 = %c0 to %c16 step %c1 {
        scf.for %arg5 = %c0 to %c8 step %c1 {
          %0 = memref.load %arg0[%arg3, %arg5] : memref<4x8xf32>
          %1 = memref.load %arg1[%arg5, %arg4] : memref<8x16xf32>
          %2 = memref.load %arg2[%arg3, %arg4] : memref<4x16xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %arg2[%arg3, %arg4] : memref<4x16xf32>
        }
      }
    }
    return
  }
  func.func @aff(%arg0: memref<100xf32>, %arg1: index) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    scf.for %arg2 = %c0 to %arg1 step %c2 {
      %c5 = arith.constant 5 : index
      %0 = arith.maxsi %arg2, %c5 : index
      %c10 = arith.constant 10 : index
      %1 = arith.addi %arg2, %c10 : index
      %c100 = arith.constant 100 : index
      %2 = arith.minsi %1, %c100 : index
      %c1 = arith.constant 1 : index
      scf.for %arg3 = %0 to %2 step %c1 {
        %c10_0 = arith.constant 10 : index
        %3 = arith.remsi %arg3, %c10_0 : index
        %c0_1 = arith.constant 0 : index
        %4 = arith.cmpi slt, %3, %c0_1 : index
        %5 = arith.addi %3, %c10_0 : index
        %6 = arith.select %4, %5, %3 : index
        %7 = memref.load %arg0[%6] : memref<100xf32>
        %c2_2 = arith.constant 2 : index
        %c0_3 = arith.constant 0 : index
        %c-1 = arith.constant -1 : index
        %8 = arith.cmpi slt, %arg3, %c0_3 : index
        %9 = arith.subi %c-1, %arg3 : index
        %10 = arith.select %8, %9, %arg3 : index
        %11 = arith.divsi %10, %c2_2 : index
        %12 = arith.subi %c-1, %11 : index
        %13 = arith.select %8, %12, %11 : index
        %14 = arith.addi %arg2, %13 : index
        memref.store %7, %arg0[%14] : memref<100xf32>
      }
    }
    return
  }
}

