"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index):
    %0 = "arith.constant"() {value = 0 : index} : () -> index
    %1 = "arith.constant"() {value = 1 : index} : () -> index
    %2 = "arith.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %3 = "scf.for"(%0, %arg2, %1, %2) ({
    ^bb0(%arg3: index, %arg4: f32):
      %4 = "memref.load"(%arg0, %arg3) : (memref<?xf32>, index) -> f32
      %5 = "memref.load"(%arg1, %arg3) : (memref<?xf32>, index) -> f32
      %6 = "arith.mulf"(%4, %5) {fastmath = #arith.fastmath<contract>} : (f32, f32) -> f32
      %7 = "arith.addf"(%arg4, %6) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
      "scf.yield"(%7) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
    "func.return"(%3) : (f32) -> ()
  }) {function_type = (memref<?xf32>, memref<?xf32>, index) -> f32, sym_name = "dot"} : () -> ()
}) : () -> ()

