#map = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 + s1)>
"builtin.module"() ({
  "func.func"() <{function_type = (index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: index):
    %0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xi32>
    %1 = "memref.alloc"(%arg0) <{alignment = 16 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x4xf32>
    %2 = "memref.alloc"(%arg0, %arg1, %arg0, %arg1) <{operandSegmentSizes = array<i32: 2, 2>}> : (index, index, index, index) -> memref<?x?xf32, #map>
    %3 = "memref.alloc"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 0, 2>}> : (index, index) -> memref<4x4xf32, #map>
    %4 = "memref.alloca"(%arg0) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xi8, 5>
    %5 = "memref.alloca"() <{alignment = 8 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2xf64, "local">
    %6 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf32, #gpu.address_space<workgroup>>
    %7 = "memref.alloca"(%arg0, %arg1) <{alignment = 1 : i64, operandSegmentSizes = array<i32: 0, 2>}> {extra} : (index, index) -> memref<2x2xi1, #map, 1>
    "memref.dealloc"(%0) : (memref<4xi32>) -> ()
    "memref.dealloc"(%6) : (memref<3xf32, #gpu.address_space<workgroup>>) -> ()
    %8 = "memref.memory_space_cast"(%4) : (memref<?xi8, 5>) -> memref<?xi8>
    %9 = "memref.memory_space_cast"(%4) : (memref<?xi8, 5>) -> memref<?xi8, 7 : i32>
    %10 = "memref.assume_alignment"(%0) <{alignment = 16 : i32}> : (memref<4xi32>) -> memref<4xi32>
    "memref.copy"(%0, %10) : (memref<4xi32>, memref<4xi32>) -> ()
    %11:6 = "memref.extract_strided_metadata"(%1) : (memref<?x4xf32>) -> (memref<f32>, index, index, index, index, index)
    "memref.alloca_scope"() ({
      %14 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xi32>
      "memref.alloca_scope.return"() : () -> ()
    }) : () -> ()
    %12 = "memref.alloca_scope"() ({
      %13 = "arith.constant"() <{value = 3 : i32}> : () -> i32
      "memref.alloca_scope.return"(%13) : (i32) -> ()
    }) : () -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

