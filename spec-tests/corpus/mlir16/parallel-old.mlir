module {
  func.func @p(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: i32) -> (f32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:2 = scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) init (%arg2, %arg3) -> (f32, i32) {
      %2 = memref.load %arg1[%arg4] : memref<?xf32>
      scf.reduce(%2)  : f32 {
      ^bb0(%arg5: f32, %arg6: f32):
        %4 = arith.addf %arg5, %arg6 : f32
        scf.reduce.return %4 : f32
      }
      %3 = arith.fptosi %2 : f32 to i32
      scf.reduce(%3)  : i32 {
      ^bb0(%arg5: i32, %arg6: i32):
        %4 = arith.maxsi %arg5, %arg6 : i32
        scf.reduce.return %4 : i32
      }
      scf.yield
    }
    %1 = scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) init (%arg2) -> f32 {
      %2 = memref.load %arg1[%arg4] : memref<?xf32>
      scf.reduce(%2)  : f32 {
      ^bb0(%arg5: f32, %arg6: f32):
        scf.reduce.return %arg6 : f32
      }
      scf.yield
    }
    return %0#0, %0#1 : f32, i32
  }
}

