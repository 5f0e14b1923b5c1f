"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>, memref<*xf32>, index, index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<?xf32>, %arg1: memref<*xf32>, %arg2: index, %arg3: index, %arg4: index):
    %0 = "memref.reinterpret_cast"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4, 5>, static_strides = array<i64: 5, 1>}> : (memref<?xf32>) -> memref<4x5xf32, strided<[5, 1]>>
    %1 = "memref.reinterpret_cast"(%arg0, %arg2, %arg3, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, 5>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32>, index, index, index) -> memref<?x5xf32, strided<[?, 1], offset: ?>>
    %2 = "memref.reinterpret_cast"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 7>, static_sizes = array<i64>, static_strides = array<i64>}> : (memref<*xf32>) -> memref<f32, strided<[], offset: 7>>
    %3 = "memref.reinterpret_cast"(%arg1, %arg2, %arg3, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 10, -9223372036854775808, 50>, static_strides = array<i64: 1, -9223372036854775808, 1>}> {a = 1 : i64} : (memref<*xf32>, index, index, index) -> memref<10x?x50xf32, strided<[1, ?, 1], offset: ?>>
    %4 = "memref.reinterpret_cast"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 3>, static_strides = array<i64: -1>}> : (memref<?xf32>) -> memref<3xf32, strided<[-1]>>
    %5 = "memref.cast"(%0) : (memref<4x5xf32, strided<[5, 1]>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
    %6 = "memref.cast"(%5) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<*xf32>
    %7 = "memref.rank"(%6) : (memref<*xf32>) -> index
    %8 = "memref.dim"(%6, %arg3) : (memref<*xf32>, index) -> index
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

