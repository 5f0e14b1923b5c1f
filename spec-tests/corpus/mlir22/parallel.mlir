module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index, %arg3: f32, %arg4: memref<?x?xf32>) -> f32 {
    scf.parallel (%arg5) = (%arg0) to (%arg1) step (%arg2) {
      "test.a"(%arg5) : (index) -> ()
      scf.reduce 
    }
    scf.parallel (%arg5, %arg6) = (%arg0, %arg0) to (%arg1, %arg1) step (%arg2, %arg2) {
      %2 = memref.load %arg4[%arg5, %arg6] : memref<?x?xf32>
      scf.reduce 
    } {mapping = [1, 2]}
    %0 = scf.parallel (%arg5) = (%arg0) to (%arg1) step (%arg2) init (%arg3) -> f32 {
      %2 = memref.load %arg4[%arg5, %arg5] : memref<?x?xf32>
      scf.reduce(%2 : f32) {
      ^bb0(%arg6: f32, %arg7: f32):
        %3 = arith.addf %arg6, %arg7 : f32
        scf.reduce.return %3 : f32
      }
    }
    %c0_i32 = arith.constant 0 : i32
    %1:2 = scf.parallel (%arg5, %arg6) = (%arg0, %arg0) to (%arg1, %arg1) step (%arg2, %arg2) init (%0, %c0_i32) -> (f32, i32) {
      %2 = memref.load %arg4[%arg5, %arg6] : memref<?x?xf32>
      %3 = arith.fptosi %2 : f32 to i32
      scf.reduce(%2, %3 : f32, i32) {
      ^bb0(%arg7: f32, %arg8: f32):
        %4 = arith.maximumf %arg7, %arg8 : f32
        scf.reduce.return %4 : f32
      }, {
      ^bb0(%arg7: i32, %arg8: i32):
        %4 = arith.maxsi %arg7, %arg8 : i32
        scf.reduce.return %4 : i32
      }
    } {some.attr = 4 : i64}
    return %1#0 : f32
  }
}

