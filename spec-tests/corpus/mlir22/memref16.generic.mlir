#map = affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 + s0)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
"builtin.module"() ({
  "memref.global"() <{constant, initial_value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>, sym_name = "tab", sym_visibility = "private", type = memref<2x3xi16>}> : () -> ()
  "memref.global"() <{alignment = 64 : i64, initial_value = dense<5.000000e-01> : tensor<4xf32>, sym_name = "pub", sym_visibility = "public", type = memref<4xf32>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "un", type = memref<4xf32, 2>}> : () -> ()
  "memref.global"() <{constant, initial_value = dense<7> : tensor<128xi32>, sym_name = "big", type = memref<128xi32>}> : () -> ()
  "func.func"() <{function_type = (memref<4x4xf32>, index, memref<?x?xf32>, memref<*xf32>, memref<8xi8>, memref<4xi32, 1>) -> memref<2x2xf32, strided<[4, 1], offset: 5>>, sym_name = "views"}> ({
  ^bb0(%arg0: memref<4x4xf32>, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<*xf32>, %arg4: memref<8xi8>, %arg5: memref<4xi32, 1>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 1>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (memref<4x4xf32>) -> memref<2x2xf32, strided<[4, 1], offset: 5>>
    %2 = "memref.subview"(%arg2, %arg1, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, -9223372036854775808>}> : (memref<?x?xf32>, index, index, index) -> memref<?x4xf32, strided<[?, ?], offset: ?>>
    %3 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x4xf32>) -> memref<4xf32>
    %4 = "memref.reinterpret_cast"(%arg3, %arg1) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 4, 1>}> : (memref<*xf32>, index) -> memref<?x4xf32>
    %5 = "memref.reinterpret_cast"(%arg0, %arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2>, static_strides = array<i64: -9223372036854775808>}> : (memref<4x4xf32>, index, index) -> memref<2xf32, strided<[?], offset: ?>>
    %6 = "memref.collapse_shape"(%arg0) <{reassociation = [[0, 1]]}> : (memref<4x4xf32>) -> memref<16xf32>
    %7 = "memref.cast"(%arg0) : (memref<4x4xf32>) -> memref<?x4xf32>
    %8 = "memref.cast"(%arg3) : (memref<*xf32>) -> memref<?xf32>
    %9 = "memref.dim"(%arg2, %0) : (memref<?x?xf32>, index) -> index
    %10 = "memref.rank"(%arg3) : (memref<*xf32>) -> index
    %11 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
    %12 = "memref.alloc"(%arg1, %arg1) <{alignment = 8 : i64, operandSegmentSizes = array<i32: 2, 0>}> : (index, index) -> memref<?x?xi64, 3>
    %13 = "memref.alloca"(%arg1, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> memref<?x4xf32, #map>
    %14 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> {tag} : () -> memref<4xcomplex<f32>>
    %15 = "memref.view"(%arg4, %0) : (memref<8xi8>, index) -> memref<2xf32>
    %16 = "memref.get_global"() <{name = @tab}> : () -> memref<2x3xi16>
    %17 = "memref.transpose"(%arg0) <{permutation = #map1}> : (memref<4x4xf32>) -> memref<4x4xf32, strided<[1, 4]>>
    "memref.copy"(%arg0, %arg0) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    "memref.dealloc"(%11) : (memref<4xf32>) -> ()
    %18 = "memref.load"(%arg0, %0, %0) <{nontemporal = true}> : (memref<4x4xf32>, index, index) -> f32
    "memref.store"(%18, %arg0, %0, %arg1) : (f32, memref<4x4xf32>, index, index) -> ()
    %19 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f32>
    %20 = "memref.load"(%19) : (memref<f32>) -> f32
    "memref.store"(%20, %19) {a.b} : (f32, memref<f32>) -> ()
    %21:6 = "memref.extract_strided_metadata"(%arg2) : (memref<?x?xf32>) -> (memref<f32>, index, index, index, index, index)
    %22 = "memref.alloca_scope"() ({
      %23 = "arith.constant"() <{value = 3 : i32}> : () -> i32
      "memref.alloca_scope.return"(%23) : (i32) -> ()
    }) : () -> i32
    "func.return"(%1) : (memref<2x2xf32, strided<[4, 1], offset: 5>>) -> ()
  }) : () -> ()
}) : () -> ()

