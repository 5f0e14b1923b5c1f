module {
  func.func @nest(%arg0: index, %arg1: memref<?x?xf32>, %arg2: i1, %arg3: i32) -> (f32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0:2 = scf.for %arg4 = %c0 to %arg0 step %c1 iter_args(%arg5 = %cst, %arg6 = %arg3) -> (f32, i32) {
      %3 = scf.for %arg7 = %c0 to %arg4 step %c1 iter_args(%arg8 = %arg5) -> (f32) {
        %5 = memref.load %arg1[%arg4, %arg7] : memref<?x?xf32>
        %6 = arith.addf %arg8, %5 : f32
        %7 = scf.if %arg2 -> (f32) {
          scf.yield %6 : f32
        } else {
          %8 = arith.mulf %6, %6 : f32
          scf.yield %8 : f32
        }
        scf.yield %7 : f32
      }
      %4:2 = scf.while (%arg7 = %arg6, %arg8 = %3) : (i32, f32) -> (i32, f32) {
        %5 = arith.cmpi slt, %arg7, %arg3 : i32
        scf.condition(%5) %arg7, %arg8 : i32, f32
      } do {
      ^bb0(%arg7: i32, %arg8: f32):
        %c1_i32 = arith.constant 1 : i32
        %5 = arith.addi %arg7, %c1_i32 : i32
        scf.if %arg2 {
          memref.store %arg8, %arg1[%arg4, %arg4] : memref<?x?xf32>
        }
        scf.yield %5, %arg8 : i32, f32
      }
      scf.yield %4#1, %4#0 : f32, i32
    }
    %1:2 = scf.execute_region -> (i32, f32) {
      cf.cond_br %arg2, ^bb1, ^bb2(%arg3 : i32)
    ^bb1:  // pred: ^bb0
      scf.yield %arg3, %cst : i32, f32
    ^bb2(%3: i32):  // pred: ^bb0
      scf.yield %3, %cst : i32, f32
    }
    scf.execute_region {
      scf.yield
    }
    %2 = scf.index_switch %arg0 -> i32 
    case -3 {
      scf.yield %arg3 : i32
    }
    case 5 {
      %3 = arith.addi %arg3, %arg3 : i32
      scf.yield %3 : i32
    }
    default {
      scf.yield %1#0 : i32
    }
    scf.index_switch %arg0 
    case 1 {
      memref.store %cst, %arg1[%c0, %c0] : memref<?x?xf32>
      scf.yield
    }
    default {
    }
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) {
      memref.store %cst, %arg1[%arg4, %arg4] : memref<?x?xf32>
      scf.reduce 
    }
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg0) step (%c1, %c1) {
      memref.store %cst, %arg1[%arg4, %arg5] : memref<?x?xf32>
      scf.reduce 
    } {mapping = "x"}
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      scf.for %arg5 = %c0 to %arg0 step %c1 {
      } {inner}
    } {outer = 1 : i32}
    scf.while : () -> () {
      scf.condition(%arg2)
    } do {
      scf.yield
    }
    return %0#0, %0#1 : f32, i32
  }
}

