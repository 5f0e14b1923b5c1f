"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: memref<4x4xf32>, %arg1: memref<4x?xf32>, %arg2: f32):
    %0 = "memref.expand_shape"(%arg0) {reassociation = [[0, 1], [2]]} : (memref<4x4xf32>) -> memref<2x2x4xf32>
    "memref.assume_alignment"(%arg0) {alignment = 16 : i32} : (memref<4x4xf32>) -> ()
    %1 = "arith.maxf"(%arg2, %arg2) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
    %2 = "arith.minf"(%arg2, %arg2) {fastmath = #arith.fastmath<nnan>} : (f32, f32) -> f32
    %3 = "memref.expand_shape"(%arg1) {reassociation = [[0, 1], [2]]} : (memref<4x?xf32>) -> memref<2x2x?xf32>
    "func.return"() : () -> ()
  }) {function_type = (memref<4x4xf32>, memref<4x?xf32>, f32) -> (), sym_name = "o"} : () -> ()
}) : () -> ()

