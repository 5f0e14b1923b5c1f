#map = affine_map<(d0) -> (d0)>
module {
  func.func private @f(memref<4xi32>, memref<4xi32, 1>, memref<4xi32, 1 : i32>, memref<4xi32, 3 : i8>, memref<4xi32, -1>, memref<4xi32, "x">, memref<4xi32, #gpu.address_space<private>>, memref<*xi32, 2>, memref<*xf32, "y">, memref<4xi32, strided<[2]>, 4>, memref<4xi32>)
  func.func private @g(tensor<4xi32, #foo.enc>, tensor<4x?xf32, "csr">, tensor<4xi32, 5 : i64>, tensor<4xi32, {x}>, tensor<2xf32, #map>)
  func.func private @h(memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?], offset: 5>>, memref<2xf32, strided<[1]>>, memref<2x3xf32, strided<[3, 1]>>, memref<f32, strided<[], offset: ?>>, memref<2xf32, strided<[0]>>, memref<2xf32, strided<[-2], offset: -3>>)
}

