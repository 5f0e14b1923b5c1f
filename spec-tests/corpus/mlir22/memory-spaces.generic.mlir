#map = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xi32>, memref<4xi32, 1>, memref<4xi32, 1 : i32>, memref<4xi32, 3 : i8>, memref<4xi32, -1>, memref<4xi32, "x">, memref<4xi32, #gpu.address_space<private>>, memref<*xi32, 2>, memref<*xf32, "y">, memref<4xi32, strided<[2]>, 4>, memref<4xi32>) -> (), sym_name = "f", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32, #foo.enc>, tensor<4x?xf32, "csr">, tensor<4xi32, 5 : i64>, tensor<4xi32, {x}>, tensor<2xf32, #map>) -> (), sym_name = "g", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?], offset: 5>>, memref<2xf32, strided<[1]>>, memref<2x3xf32, strided<[3, 1]>>, memref<f32, strided<[], offset: ?>>, memref<2xf32, strided<[0]>>, memref<2xf32, strided<[-2], offset: -3>>) -> (), sym_name = "h", sym_visibility = "private"}> ({
  }) : () -> ()
}) : () -> ()

