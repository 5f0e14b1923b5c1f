"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x?xf32>, index) -> (), sym_name = "e"}> ({
  ^bb0(%arg0: memref<4x?xf32>, %arg1: index):
    %0 = "memref.expand_shape"(%arg0, %arg1) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 2, -9223372036854775808, 4>}> : (memref<4x?xf32>, index) -> memref<2x2x?x4xf32>
    %1 = "memref.expand_shape"(%arg0, %arg1) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: 4, -9223372036854775808, 4>}> {x.y} : (memref<4x?xf32>, index) -> memref<4x?x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

