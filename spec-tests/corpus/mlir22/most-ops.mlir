#map = affine_map<(d0, d1) -> (d1 * 4 + d0)>
module {
  func.func @f(%arg0: i32, %arg1: index, %arg2: f64, %arg3: f32, %arg4: memref<4x4xf32>, %arg5: i1) {
    %0 = arith.truncf %arg2 : f64 to f32
    %1 = arith.truncf %arg2 to_nearest_even : f64 to f32
    %2 = arith.truncf %arg2 to_nearest_even fastmath<fast> : f64 to f32
    %3 = arith.extf %arg3 fastmath<fast> : f32 to f64
    %4 = arith.trunci %arg0 overflow<nsw> : i32 to i8
    %5 = arith.extui %arg0 {nneg} : i32 to i64
    %6 = arith.uitofp %arg0 {nneg} : i32 to f32
    %c0 = arith.constant 0 : index
    scf.for unsigned %arg6 = %c0 to %arg1 step %c0 {
    }
    %7 = memref.load %arg4[%c0, %c0] {alignment = 8 : i64, nontemporal = true} : memref<4x4xf32>
    memref.store %7, %arg4[%c0, %c0] {alignment = 8 : i64, nontemporal = true} : memref<4x4xf32>
    %assume_align = memref.assume_alignment %arg4, 16 : memref<4x4xf32>
    %dim = memref.dim %arg4, %c0 : memref<4x4xf32>
    %8 = memref.rank %arg4 : memref<4x4xf32>
    %expand_shape = memref.expand_shape %arg4 [[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
    %collapse_shape = memref.collapse_shape %arg4 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
    %transpose = memref.transpose %arg4 (d0, d1) -> (d1, d0) : memref<4x4xf32> to memref<4x4xf32, #map>
    %reinterpret_cast = memref.reinterpret_cast %arg4 to offset: [%c0], sizes: [4, %arg1], strides: [%arg1, 1] : memref<4x4xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg4 : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
    memref.copy %arg4, %arg4 : memref<4x4xf32> to memref<4x4xf32>
    %memspacecast = memref.memory_space_cast %arg4 : memref<4x4xf32> to memref<4x4xf32, 1>
    %alloc = memref.alloc() : memref<64xi8>
    %view = memref.view %alloc[%c0][%arg1] : memref<64xi8> to memref<?xi32>
    %cast = memref.cast %arg4 : memref<4x4xf32> to memref<?x4xf32>
    %9 = memref.get_global @gl : memref<4xi32>
    memref.alloca_scope  {
      %alloca = memref.alloca() : memref<4xi32>
    }
    %10 = memref.alloca_scope  -> (i32) {
      memref.alloca_scope.return %arg0 : i32
    }
    %c1_i32 = arith.constant 1 : i32
    cf.assert %arg5, "hello"
    cf.cond_br %arg5 weights([1, 2]), ^bb1(%arg0 : i32), ^bb2
  ^bb1(%11: i32):  // 2 preds: ^bb0, ^bb1
    cf.switch %arg0 : i32, [
      default: ^bb2,
      42: ^bb1(%11 : i32),
      43: ^bb2
    ]
  ^bb2:  // 3 preds: ^bb0, ^bb1, ^bb1
    %12 = ub.poison : i32
    cf.br ^bb3
  ^bb3:  // pred: ^bb2
    ub.unreachable
  }
  memref.global @gl : memref<4xi32> = dense<1> {alignment = 64 : i64}
  func.func @par(%arg0: index, %arg1: memref<?xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %0 = scf.parallel (%arg2) = (%c0) to (%arg0) step (%c1) init (%cst) -> f32 {
      %1 = memref.load %arg1[%arg2] : memref<?xf32>
      scf.reduce(%1 : f32) {
      ^bb0(%arg3: f32, %arg4: f32):
        %2 = arith.addf %arg3, %arg4 : f32
        scf.reduce.return %2 : f32
      }
    } {tag}
    scf.forall (%arg2, %arg3) in (%arg0, 4) {
    }
    scf.forall (%arg2, %arg3) = (0, %c0) to (%arg0, 4) step (1, 2) {
    } {mapping = []}
    scf.execute_region no_inline {
      scf.yield
    }
    scf.execute_region {
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      scf.yield
    }
    scf.index_switch %arg0 
    default {
    }
    return %0 : f32
  }
  func.func @g(%arg0: i32 {x.y = 3 : i32}, %arg1: f32) -> (i32 {z.z}, f32) attributes {foo.bar} {
    %0 = llvm.intr.bitreverse(%arg0) : (i32) -> i32
    %1 = math.isnan %arg1 : f32
    %2 = arith.cmpf olt, %arg1, %arg1 fastmath<fast> : f32
    %3 = builtin.unrealized_conversion_cast %arg0 : i32 to f32
    %4:2 = builtin.unrealized_conversion_cast to i32, f32
    return %arg0, %arg1 : i32, f32
  }
  func.func private @h() -> f32
  func.func nested @k()
  func.func private @kk() attributes {llvm.emit_c_interface}
  func.func private @kv(memref<?xf32> {llvm.noalias}, i32) -> (i32, i32)
  module @inner attributes {a.b = 1 : i64} {
    func.func @q() {
      return
    }
    %0 = unrealized_conversion_cast to i32
  }
}

