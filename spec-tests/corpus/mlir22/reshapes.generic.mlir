#map = affine_map<(d0, d1) -> (d1, d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<?x?x4xf32>, memref<?xi8>, memref<i32>, index, index, memref<4x?xf32, strided<[?, 1], offset: ?>>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<?x?x4xf32>, %arg2: memref<?xi8>, %arg3: memref<i32>, %arg4: index, %arg5: index, %arg6: memref<4x?xf32, strided<[?, 1], offset: ?>>):
    %0 = "memref.collapse_shape"(%arg0) <{reassociation = [[0, 1]]}> : (memref<4x8xf32>) -> memref<32xf32>
    %1 = "memref.collapse_shape"(%arg1) <{reassociation = [[0, 1], [2]]}> : (memref<?x?x4xf32>) -> memref<?x4xf32>
    %2 = "memref.collapse_shape"(%arg1) <{reassociation = [[0], [1, 2]]}> {w} : (memref<?x?x4xf32>) -> memref<?x?xf32>
    %3 = "memref.expand_shape"(%arg2, %arg4) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, 4>}> : (memref<?xi8>, index) -> memref<?x4xi8>
    %4 = "memref.expand_shape"(%arg2, %arg5) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 2, -9223372036854775808, 4>}> : (memref<?xi8>, index) -> memref<2x?x4xi8>
    %5 = "memref.expand_shape"(%arg3) <{reassociation = [], static_output_shape = array<i64>}> : (memref<i32>) -> memref<i32>
    %6 = "memref.expand_shape"(%arg3) <{reassociation = [], static_output_shape = array<i64: 1, 1>}> : (memref<i32>) -> memref<1x1xi32>
    %7 = "memref.expand_shape"(%arg0) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 2, 4, 2>}> : (memref<4x8xf32>) -> memref<2x2x4x2xf32>
    %8 = "memref.collapse_shape"(%6) <{reassociation = []}> : (memref<1x1xi32>) -> memref<i32>
    %9 = "memref.expand_shape"(%arg6, %arg4) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 2, -9223372036854775808>}> : (memref<4x?xf32, strided<[?, 1], offset: ?>>, index) -> memref<2x2x?xf32, strided<[?, ?, 1], offset: ?>>
    %10 = "memref.transpose"(%arg0) <{permutation = #map}> : (memref<4x8xf32>) -> memref<8x4xf32, strided<[1, 8]>>
    %11 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2048xi8>
    %12 = "memref.view"(%11, %arg4, %arg5) : (memref<2048xi8>, index, index) -> memref<?xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

