#map = affine_map<(d0, d1) -> (d1 * 4 + d0)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (i32, index, f64, f32, memref<4x4xf32>, i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg11: i32, %arg12: index, %arg13: f64, %arg14: f32, %arg15: memref<4x4xf32>, %arg16: i1):
    %12 = "arith.truncf"(%arg13) : (f64) -> f32
    %13 = "arith.truncf"(%arg13) <{roundingmode = 0 : i32}> : (f64) -> f32
    %14 = "arith.truncf"(%arg13) <{fastmath = #arith.fastmath<fast>, roundingmode = 0 : i32}> : (f64) -> f32
    %15 = "arith.extf"(%arg14) <{fastmath = #arith.fastmath<fast>}> : (f32) -> f64
    %16 = "arith.trunci"(%arg11) <{overflowFlags = #arith.overflow<nsw>}> : (i32) -> i8
    %17 = "arith.extui"(%arg11) {nneg} : (i32) -> i64
    %18 = "arith.uitofp"(%arg11) {nneg} : (i32) -> f32
    %19 = "arith.constant"() <{value = 0 : index}> : () -> index
    "scf.for"(%19, %arg12, %19) <{unsignedCmp}> ({
    ^bb0(%arg17: index):
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %20 = "memref.load"(%arg15, %19, %19) <{alignment = 8 : i64, nontemporal = true}> : (memref<4x4xf32>, index, index) -> f32
    "memref.store"(%20, %arg15, %19, %19) <{alignment = 8 : i64, nontemporal = true}> : (f32, memref<4x4xf32>, index, index) -> ()
    %21 = "memref.assume_alignment"(%arg15) <{alignment = 16 : i32}> : (memref<4x4xf32>) -> memref<4x4xf32>
    %22 = "memref.dim"(%arg15, %19) : (memref<4x4xf32>, index) -> index
    %23 = "memref.rank"(%arg15) : (memref<4x4xf32>) -> index
    %24 = "memref.expand_shape"(%arg15) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 2, 4>}> : (memref<4x4xf32>) -> memref<2x2x4xf32>
    %25 = "memref.collapse_shape"(%arg15) <{reassociation = [[0, 1]]}> : (memref<4x4xf32>) -> memref<16xf32>
    %26 = "memref.transpose"(%arg15) <{permutation = #map1}> : (memref<4x4xf32>) -> memref<4x4xf32, #map>
    %27 = "memref.reinterpret_cast"(%arg15, %19, %arg12, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<4x4xf32>, index, index, index) -> memref<4x?xf32, strided<[?, 1], offset: ?>>
    %28:6 = "memref.extract_strided_metadata"(%arg15) : (memref<4x4xf32>) -> (memref<f32>, index, index, index, index, index)
    "memref.copy"(%arg15, %arg15) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    %29 = "memref.memory_space_cast"(%arg15) : (memref<4x4xf32>) -> memref<4x4xf32, 1>
    %30 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<64xi8>
    %31 = "memref.view"(%30, %19, %arg12) : (memref<64xi8>, index, index) -> memref<?xi32>
    %32 = "memref.cast"(%arg15) : (memref<4x4xf32>) -> memref<?x4xf32>
    %33 = "memref.get_global"() <{name = @gl}> : () -> memref<4xi32>
    "memref.alloca_scope"() ({
      %38 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xi32>
      "memref.alloca_scope.return"() : () -> ()
    }) : () -> ()
    %34 = "memref.alloca_scope"() ({
      "memref.alloca_scope.return"(%arg11) : (i32) -> ()
    }) : () -> i32
    %35 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    "cf.assert"(%arg16) <{msg = "hello"}> : (i1) -> ()
    "cf.cond_br"(%arg16, %arg11)[^bb1, ^bb2] <{branch_weights = array<i32: 1, 2>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
  ^bb1(%36: i32):  // 2 preds: ^bb0, ^bb1
    "cf.switch"(%arg11, %36)[^bb2, ^bb1, ^bb2] <{case_operand_segments = array<i32: 1, 0>, case_values = dense<[42, 43]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
  ^bb2:  // 3 preds: ^bb0, ^bb1, ^bb1
    %37 = "ub.poison"() <{value = #ub.poison}> : () -> i32
    "cf.br"()[^bb3] : () -> ()
  ^bb3:  // pred: ^bb2
    "ub.unreachable"() : () -> ()
  }) : () -> ()
  "memref.global"() <{alignment = 64 : i64, initial_value = dense<1> : tensor<4xi32>, sym_name = "gl", type = memref<4xi32>}> : () -> ()
  "func.func"() <{function_type = (index, memref<?xf32>) -> f32, sym_name = "par"}> ({
  ^bb0(%arg2: index, %arg3: memref<?xf32>):
    %6 = "arith.constant"() <{value = 0 : index}> : () -> index
    %7 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = 1 : index}> : () -> index
    %9 = "scf.parallel"(%6, %arg2, %8, %7) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
    ^bb0(%arg8: index):
      %10 = "memref.load"(%arg3, %arg8) : (memref<?xf32>, index) -> f32
      "scf.reduce"(%10) ({
      ^bb0(%arg9: f32, %arg10: f32):
        %11 = "arith.addf"(%arg9, %arg10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%11) : (f32) -> ()
      }) : (f32) -> ()
    }) {tag} : (index, index, index, f32) -> f32
    "scf.forall"(%arg2) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: -9223372036854775808, 4>}> ({
    ^bb0(%arg6: index, %arg7: index):
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index) -> ()
    "scf.forall"(%6, %arg2) <{mapping = [], operandSegmentSizes = array<i32: 1, 1, 0, 0>, staticLowerBound = array<i64: 0, -9223372036854775808>, staticStep = array<i64: 1, 2>, staticUpperBound = array<i64: -9223372036854775808, 4>}> ({
    ^bb0(%arg4: index, %arg5: index):
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index, index) -> ()
    "scf.execute_region"() <{no_inline}> ({
      "scf.yield"() : () -> ()
    }) : () -> ()
    "scf.execute_region"() ({
      "cf.br"()[^bb1] : () -> ()
    ^bb1:  // pred: ^bb0
      "scf.yield"() : () -> ()
    }) : () -> ()
    "scf.index_switch"(%arg2) <{cases = array<i64>}> ({
      "scf.yield"() : () -> ()
    }) : (index) -> ()
    "func.return"(%9) : (f32) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{x.y = 3 : i32}, {}], function_type = (i32, f32) -> (i32, f32), res_attrs = [{z.z}, {}], sym_name = "g"}> ({
  ^bb0(%arg0: i32, %arg1: f32):
    %1 = "llvm.intr.bitreverse"(%arg0) : (i32) -> i32
    %2 = "math.isnan"(%arg1) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
    %3 = "arith.cmpf"(%arg1, %arg1) <{fastmath = #arith.fastmath<fast>, predicate = 4 : i64}> : (f32, f32) -> i1
    %4 = "builtin.unrealized_conversion_cast"(%arg0) : (i32) -> f32
    %5:2 = "builtin.unrealized_conversion_cast"() : () -> (i32, f32)
    "func.return"(%arg0, %arg1) : (i32, f32) -> ()
  }) {foo.bar} : () -> ()
  "func.func"() <{function_type = () -> f32, sym_name = "h", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "k", sym_visibility = "nested"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "kk", sym_visibility = "private"}> ({
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{llvm.noalias}, {}], function_type = (memref<?xf32>, i32) -> (i32, i32), sym_name = "kv", sym_visibility = "private"}> ({
  }) : () -> ()
  "builtin.module"() <{sym_name = "inner"}> ({
    "func.func"() <{function_type = () -> (), sym_name = "q"}> ({
      "func.return"() : () -> ()
    }) : () -> ()
    %0 = "builtin.unrealized_conversion_cast"() : () -> i32
  }) {a.b = 1 : i64} : () -> ()
}) : () -> ()

