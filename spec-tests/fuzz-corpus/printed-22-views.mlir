#map = affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 + s0)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
"builtin.module"() ({
  "memref.global"() <{constant, initial_value = dense<[[1, -2], [3, 4]]> : tensor<2x2xi16>, sym_name = "table", sym_visibility = "private", type = memref<2x2xi16>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "buffer", type = memref<8xf32>}> : () -> ()
  "func.func"() <{function_type = (memref<4x8xi32>, index, memref<4x4xf32, #map>) -> (), sym_name = "v"}> ({
  ^bb0(%arg0: memref<4x8xi32>, %arg1: index, %arg2: memref<4x4xf32, #map>):
    %0 = "memref.subview"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 1, -9223372036854775808>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, 2>}> : (memref<4x8xi32>, index) -> memref<2x3xi32, strided<[8, 2], offset: ?>>
    %1 = "memref.cast"(%arg0) : (memref<4x8xi32>) -> memref<?x?xi32>
    %2 = "memref.collapse_shape"(%arg0) <{reassociation = [[0, 1]]}> : (memref<4x8xi32>) -> memref<32xi32>
    %3 = "memref.expand_shape"(%2) <{reassociation = [[0, 1]], static_output_shape = array<i64: 8, 4>}> : (memref<32xi32>) -> memref<8x4xi32>
    %4 = "memref.reinterpret_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2>, static_sizes = array<i64: 3>, static_strides = array<i64: 4>}> : (memref<32xi32>) -> memref<3xi32, strided<[4], offset: 2>>
    %5 = "memref.transpose"(%arg0) <{permutation = #map1}> : (memref<4x8xi32>) -> memref<8x4xi32, strided<[1, 8]>>
    %6 = "arith.constant"() <{value = 0 : index}> : () -> index
    %7 = "memref.dim"(%1, %6) : (memref<?x?xi32>, index) -> index
    %8 = "memref.alloc"(%7) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xi32, 1>
    %9 = "memref.get_global"() <{name = @table}> : () -> memref<2x2xi16>
    %10 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<i32>
    "memref.copy"(%3, %3) : (memref<8x4xi32>, memref<8x4xi32>) -> ()
    "memref.dealloc"(%8) : (memref<?xi32, 1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

