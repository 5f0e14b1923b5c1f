"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: i32):
    %0 = "arith.constant"() {value = 0 : index} : () -> index
    %1 = "arith.constant"() {value = 1 : index} : () -> index
    %2:2 = "scf.parallel"(%0, %arg0, %1, %arg2, %arg3) ({
    ^bb0(%arg4: index):
      %4 = "memref.load"(%arg1, %arg4) : (memref<?xf32>, index) -> f32
      "scf.reduce"(%4) ({
      ^bb0(%arg5: f32, %arg6: f32):
        %6 = "arith.addf"(%arg5, %arg6) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
        "scf.reduce.return"(%6) : (f32) -> ()
      }) : (f32) -> ()
      %5 = "arith.fptosi"(%4) : (f32) -> i32
      "scf.reduce"(%5) ({
      ^bb0(%arg5: i32, %arg6: i32):
        %6 = "arith.maxsi"(%arg5, %arg6) : (i32, i32) -> i32
        "scf.reduce.return"(%6) : (i32) -> ()
      }) : (i32) -> ()
      "scf.yield"() : () -> ()
    }) {operand_segment_sizes = array<i32: 1, 1, 1, 2>} : (index, index, index, f32, i32) -> (f32, i32)
    %3 = "scf.parallel"(%0, %arg0, %1, %arg2) ({
    ^bb0(%arg4: index):
      %4 = "memref.load"(%arg1, %arg4) : (memref<?xf32>, index) -> f32
      "scf.reduce"(%4) ({
      ^bb0(%arg5: f32, %arg6: f32):
        "scf.reduce.return"(%arg6) : (f32) -> ()
      }) : (f32) -> ()
      "scf.yield"() : () -> ()
    }) {operand_segment_sizes = array<i32: 1, 1, 1, 1>} : (index, index, index, f32) -> f32
    "func.return"(%2#0, %2#1) : (f32, i32) -> ()
  }) {function_type = (index, memref<?xf32>, f32, i32) -> (f32, i32), sym_name = "p"} : () -> ()
}) : () -> ()

