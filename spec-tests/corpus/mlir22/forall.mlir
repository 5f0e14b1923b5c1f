module {
  func.func @f(%arg0: index, %arg1: memref<8xi32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    scf.forall (%arg3) in (8) {
    }
    scf.forall (%arg3, %arg4) in (%arg0, 4) {
      %c0_i32 = arith.constant 0 : i32
      memref.store %c0_i32, %arg1[%arg3] : memref<8xi32>
    } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
    scf.forall (%arg3) = (0) to (%arg0) step (2) {
    } {k = 3 : i64}
    %0 = scf.forall (%arg3) in (4) shared_outs(%arg4 = %arg2) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
      }
    }
    return %0 : tensor<4xf32>
  }
}

