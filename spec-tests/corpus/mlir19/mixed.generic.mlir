#map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>
"builtin.module"() ({
  "func.func"() <{function_type = (i32, f32) -> i32, sym_name = "ext", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (i32, i32, f32, f32, index, memref<?xi32>, memref<4x?xf32, strided<[?, 1], offset: ?>>, i1) -> (i32, f32), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32, %arg4: index, %arg5: memref<?xi32>, %arg6: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg7: i1):
    %0 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32, i32) -> i32
    %1 = "arith.addf"(%arg2, %arg3) <{fastmath = #arith.fastmath<nnan,contract>}> : (f32, f32) -> f32
    %2 = "arith.cmpi"(%arg0, %arg1) <{predicate = 2 : i64}> : (i32, i32) -> i1
    %3 = "arith.cmpf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
    %4 = "arith.select"(%arg7, %arg0, %arg1) : (i1, i32, i32) -> i32
    %5 = "arith.constant"() <{value = 5 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 1.500000e+00 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %8 = "arith.truncf"(%arg3) : (f32) -> f16
    %9 = "arith.extsi"(%arg0) : (i32) -> i64
    %10:2 = "arith.addui_extended"(%arg0, %arg1) : (i32, i32) -> (i32, i1)
    %11:2 = "arith.mulsi_extended"(%arg0, %arg1) : (i32, i32) -> (i32, i32)
    %12 = "arith.index_cast"(%arg4) : (index) -> i32
    %13 = "arith.constant"() <{value = 0 : index}> : () -> index
    %14 = "arith.constant"() <{value = 1 : index}> : () -> index
    %15 = "arith.constant"() <{value = true}> : () -> i1
    %16:2 = "scf.for"(%13, %arg4, %14, %arg0, %arg2) ({
    ^bb0(%arg16: index, %arg17: i32, %arg18: f32):
      %37 = "func.call"(%arg17, %arg18) <{callee = @ext}> : (i32, f32) -> i32
      "scf.yield"(%37, %arg18) : (i32, f32) -> ()
    }) : (index, index, index, i32, f32) -> (i32, f32)
    "scf.for"(%13, %arg4, %14) ({
    ^bb0(%arg15: index):
      %36 = "memref.load"(%arg5, %arg15) : (memref<?xi32>, index) -> i32
      "memref.store"(%36, %arg5, %arg15) <{nontemporal = true}> : (i32, memref<?xi32>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%arg0, %arg1, %5) ({
    ^bb0(%arg14: i32):
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    %17:2 = "scf.while"(%arg0, %arg1) ({
    ^bb0(%arg12: i32, %arg13: i32):
      %35 = "arith.cmpi"(%arg12, %arg13) <{predicate = 2 : i64}> : (i32, i32) -> i1
      "scf.condition"(%35, %arg12, %arg13) : (i1, i32, i32) -> ()
    }, {
    ^bb0(%arg10: i32, %arg11: i32):
      "scf.yield"(%arg11, %arg10) : (i32, i32) -> ()
    }) : (i32, i32) -> (i32, i32)
    %18 = "scf.if"(%arg7) ({
      "scf.yield"(%arg0) : (i32) -> ()
    }, {
      "scf.yield"(%arg1) : (i32) -> ()
    }) : (i1) -> i32
    "scf.if"(%arg7) ({
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    %19 = "scf.execute_region"() ({
      "scf.yield"(%arg0) : (i32) -> ()
    }) : () -> i32
    %20 = "scf.index_switch"(%arg4) <{cases = array<i64: 2, 5>}> ({
      "scf.yield"(%5) : (i32) -> ()
    }, {
      "scf.yield"(%arg0) : (i32) -> ()
    }, {
      "scf.yield"(%arg1) : (i32) -> ()
    }) : (index) -> i32
    "scf.parallel"(%13, %13, %arg4, %arg4, %14, %14) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb0(%arg8: index, %arg9: index):
      "scf.reduce"() : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    %21 = "func.call"(%arg0, %arg2) <{callee = @ext}> : (i32, f32) -> i32
    %22 = "memref.alloc"(%arg4) <{alignment = 16 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x4xi32>
    %23 = "memref.alloca"(%arg4) <{operandSegmentSizes = array<i32: 0, 1>}> : (index) -> memref<4xi32, #map>
    "memref.dealloc"(%22) : (memref<?x4xi32>) -> ()
    %24 = "memref.subview"(%arg6, %arg4, %arg4, %14) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 2, -9223372036854775808>, static_strides = array<i64: 1, -9223372036854775808>}> : (memref<4x?xf32, strided<[?, 1], offset: ?>>, index, index, index) -> memref<2x?xf32, strided<[?, ?], offset: ?>>
    %25 = "func.constant"() <{value = @ext}> : () -> ((i32, f32) -> i32)
    %26 = "func.call_indirect"(%25, %arg0, %arg2) : ((i32, f32) -> i32, i32, f32) -> i32
    %27 = "math.absf"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %28 = "math.fpowi"(%arg2, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, i32) -> f32
    %29 = "index.constant"() <{value = 4 : index}> : () -> index
    %30 = "index.bool.constant"() <{value = true}> : () -> i1
    %31 = "index.cmp"(%arg4, %13) <{pred = #index<cmp_predicate slt>}> : (index, index) -> i1
    %32 = "index.add"(%arg4, %13) : (index, index) -> index
    %33 = "index.sizeof"() : () -> index
    %34 = "index.casts"(%arg4) : (index) -> i32
    "func.return"(%0, %1) : (i32, f32) -> ()
  }) : () -> ()
  "memref.global"() <{constant, initial_value = dense<[1, 2, 3, 4]> : tensor<4xi32>, sym_name = "g", sym_visibility = "private", type = memref<4xi32>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "h", type = memref<4xi32>}> : () -> ()
  "memref.global"() <{sym_name = "h2", type = memref<4xi32>}> : () -> ()
}) : () -> ()

