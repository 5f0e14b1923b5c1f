module {
  func.func @f(%arg0: i32, %arg1: index, %arg2: i1, %arg3: tensor<4xf32>, %arg4: memref<?xf32>) {
    scf.execute_region no_inline {
      scf.yield
    }
    scf.execute_region {
      scf.yield
    }
    %0:2 = scf.execute_region -> (i32, i32) {
      scf.yield %arg0, %arg0 : i32, i32
    } {foo}
    scf.index_switch %arg1 {x.y} 
    case 1 {
      scf.yield
    }
    default {
    }
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.000000e+00 : f32
    scf.while : () -> () {
      scf.condition(%arg2) {x.y}
    } do {
      scf.yield
    } attributes {x.z}
    %1 = scf.while (%arg5 = %arg0) : (i32) -> i32 {
      scf.condition(%arg2) %arg5 : i32
    } do {
    ^bb0(%arg5: i32):
      scf.yield %arg5 : i32
    }
    %2:2 = scf.parallel (%arg5) = (%c0) to (%arg1) step (%c1) init (%cst, %arg0) -> (f32, i32) {
      %4 = memref.load %arg4[%arg5] : memref<?xf32>
      scf.reduce(%4, %arg0 : f32, i32) {
      ^bb0(%arg6: f32, %arg7: f32):
        %5 = arith.addf %arg6, %arg7 : f32
        scf.reduce.return %5 : f32
      }, {
      ^bb0(%arg6: i32, %arg7: i32):
        scf.reduce.return %arg6 : i32
      }
    } {tag}
    %3 = scf.forall (%arg5) in (4) shared_outs(%arg6 = %arg3) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
      }
    } {mapping = [#gpu.thread<x>]}
    scf.if %arg2 {
    } {x.y}
    scf.if %arg2 {
    } else {
    }
    scf.for %arg5 = %c0 to %arg1 step %c1 {
    } {x.y}
    %alloc = memref.alloc() : memref<1xi32>
    return {x.y}
  }
}

