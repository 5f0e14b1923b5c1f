#map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>
module {
  func.func private @ext(i32, f32) -> i32
  func.func @f(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32, %arg4: index, %arg5: memref<?xi32>, %arg6: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg7: i1) -> (i32, f32) {
    %0 = arith.addi %arg0, %arg1 overflow<nsw, nuw> : i32
    %1 = arith.addf %arg2, %arg3 fastmath<nnan,contract> : f32
    %2 = arith.cmpi slt, %arg0, %arg1 : i32
    %3 = arith.cmpf ogt, %arg2, %arg3 : f32
    %4 = arith.select %arg7, %arg0, %arg1 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst = arith.constant 1.500000e+00 : f32
    %cst_0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
    %5 = arith.truncf %arg3 : f32 to f16
    %6 = arith.extsi %arg0 : i32 to i64
    %sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1
    %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
    %7 = arith.index_cast %arg4 : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %8:2 = scf.for %arg8 = %c0 to %arg4 step %c1 iter_args(%arg9 = %arg0, %arg10 = %arg2) -> (i32, f32) {
      %21 = func.call @ext(%arg9, %arg10) : (i32, f32) -> i32
      scf.yield %21, %arg10 : i32, f32
    }
    scf.for %arg8 = %c0 to %arg4 step %c1 {
      %21 = memref.load %arg5[%arg8] : memref<?xi32>
      memref.store %21, %arg5[%arg8] {nontemporal = true} : memref<?xi32>
    }
    scf.for %arg8 = %arg0 to %arg1 step %c5_i32  : i32 {
    }
    %9:2 = scf.while (%arg8 = %arg0, %arg9 = %arg1) : (i32, i32) -> (i32, i32) {
      %21 = arith.cmpi slt, %arg8, %arg9 : i32
      scf.condition(%21) %arg8, %arg9 : i32, i32
    } do {
    ^bb0(%arg8: i32, %arg9: i32):
      scf.yield %arg9, %arg8 : i32, i32
    }
    %10 = scf.if %arg7 -> (i32) {
      scf.yield %arg0 : i32
    } else {
      scf.yield %arg1 : i32
    }
    scf.if %arg7 {
    }
    %11 = scf.execute_region -> i32 {
      scf.yield %arg0 : i32
    }
    %12 = scf.index_switch %arg4 -> i32 
    case 2 {
      scf.yield %arg0 : i32
    }
    case 5 {
      scf.yield %arg1 : i32
    }
    default {
      scf.yield %c5_i32 : i32
    }
    scf.parallel (%arg8, %arg9) = (%c0, %c0) to (%arg4, %arg4) step (%c1, %c1) {
      scf.reduce 
    }
    %13 = call @ext(%arg0, %arg2) : (i32, f32) -> i32
    %alloc = memref.alloc(%arg4) {alignment = 16 : i64} : memref<?x4xi32>
    %alloca = memref.alloca()[%arg4] : memref<4xi32, #map>
    memref.dealloc %alloc : memref<?x4xi32>
    %subview = memref.subview %arg6[0, %arg4] [2, %arg4] [1, %c1] : memref<4x?xf32, strided<[?, 1], offset: ?>> to memref<2x?xf32, strided<[?, ?], offset: ?>>
    %f = constant @ext : (i32, f32) -> i32
    %14 = call_indirect %f(%arg0, %arg2) : (i32, f32) -> i32
    %15 = math.absf %arg2 : f32
    %16 = math.fpowi %arg2, %arg0 : f32, i32
    %idx4 = index.constant 4
    %true_1 = index.bool.constant true
    %17 = index.cmp slt(%arg4, %c0)
    %18 = index.add %arg4, %c0
    %19 = index.sizeof
    %20 = index.casts %arg4 : index to i32
    return %0, %1 : i32, f32
  }
  memref.global "private" constant @g : memref<4xi32> = dense<[1, 2, 3, 4]>
  memref.global @h : memref<4xi32> = uninitialized
  memref.global @h2 : memref<4xi32>
}

