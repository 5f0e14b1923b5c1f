"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x32xf32>, memref<?x?xf32>, memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>>, index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16x32xf32>, %arg1: memref<?x?xf32>, %arg2: memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>>, %arg3: index, %arg4: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32>) -> memref<4x8xf32, strided<[32, 1]>>
    %1 = "memref.subview"(%arg0, %arg3, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 2>, static_sizes = array<i64: 4, -9223372036854775808>, static_strides = array<i64: 1, 2>}> : (memref<16x32xf32>, index, index) -> memref<4x?xf32, strided<[32, 2], offset: ?>>
    %2 = "memref.subview"(%arg1, %arg3, %arg3, %arg4, %arg4, %arg3, %arg4) <{operandSegmentSizes = array<i32: 1, 2, 2, 2>, static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, -9223372036854775808>}> : (memref<?x?xf32>, index, index, index, index, index, index) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
    %3 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 3>, static_sizes = array<i64: 1, 8>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32>) -> memref<8xf32, strided<[1], offset: 35>>
    %4 = "memref.subview"(%arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 16, 4>, static_strides = array<i64: 1, 1, 1>}> : (memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>>, index) -> memref<16x4xi8, strided<[4, 1], offset: ?>>
    %5 = "memref.subview"(%arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808, 1>, static_sizes = array<i64: 8, 1, 1>, static_strides = array<i64: 1, 1, 1>}> {tag = 1 : i64} : (memref<8x16x4xi8, strided<[64, 4, 1], offset: ?>>, index) -> memref<8xi8, strided<[64], offset: ?>>
    %6 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32>) -> memref<f32, strided<[]>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

