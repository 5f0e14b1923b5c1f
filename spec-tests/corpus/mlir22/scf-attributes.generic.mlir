"builtin.module"() ({
  "func.func"() <{function_type = (i32, index, i1, tensor<4xf32>, memref<?xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: index, %arg2: i1, %arg3: tensor<4xf32>, %arg4: memref<?xf32>):
    "scf.execute_region"() <{no_inline}> ({
      "scf.yield"() : () -> ()
    }) : () -> ()
    "scf.execute_region"() ({
      "scf.yield"() : () -> ()
    }) : () -> ()
    %0:2 = "scf.execute_region"() ({
      "scf.yield"(%arg0, %arg0) : (i32, i32) -> ()
    }) {foo} : () -> (i32, i32)
    "scf.index_switch"(%arg1) <{cases = array<i64: 1>}> ({
      "scf.yield"() : () -> ()
    }, {
      "scf.yield"() : () -> ()
    }) {x.y} : (index) -> ()
    %1 = "arith.constant"() <{value = 0 : index}> : () -> index
    %2 = "arith.constant"() <{value = 1 : index}> : () -> index
    %3 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    "scf.while"() ({
      "scf.condition"(%arg2) {x.y} : (i1) -> ()
    }, {
      "scf.yield"() : () -> ()
    }) {x.z} : () -> ()
    %4 = "scf.while"(%arg0) ({
    ^bb0(%arg14: i32):
      "scf.condition"(%arg2, %arg14) : (i1, i32) -> ()
    }, {
    ^bb0(%arg13: i32):
      "scf.yield"(%arg13) : (i32) -> ()
    }) : (i32) -> i32
    %5:2 = "scf.parallel"(%1, %arg1, %2, %3, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 1, 2>}> ({
    ^bb0(%arg8: index):
      %8 = "memref.load"(%arg4, %arg8) : (memref<?xf32>, index) -> f32
      "scf.reduce"(%8, %arg0) ({
      ^bb0(%arg11: f32, %arg12: f32):
        %9 = "arith.addf"(%arg11, %arg12) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%9) : (f32) -> ()
      }, {
      ^bb0(%arg9: i32, %arg10: i32):
        "scf.reduce.return"(%arg9) : (i32) -> ()
      }) : (f32, i32) -> ()
    }) {tag} : (index, index, index, f32, i32) -> (f32, i32)
    %6 = "scf.forall"(%arg3) <{mapping = [#gpu.thread<x>], operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%arg6: index, %arg7: tensor<4xf32>):
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    "scf.if"(%arg2) ({
      "scf.yield"() : () -> ()
    }, {
    }) {x.y} : (i1) -> ()
    "scf.if"(%arg2) ({
      "scf.yield"() : () -> ()
    }, {
      "scf.yield"() : () -> ()
    }) : (i1) -> ()
    "scf.for"(%1, %arg1, %2) ({
    ^bb0(%arg5: index):
      "scf.yield"() : () -> ()
    }) {x.y} : (index, index, index) -> ()
    %7 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1xi32>
    "func.return"() {x.y} : () -> ()
  }) : () -> ()
}) : () -> ()

