module {
  memref.global @plain : memref<4xi32>
  memref.global "private" @p : memref<4xf32>
  memref.global "nested" @n : memref<4xf32>
  memref.global "public" @u : memref<2x2xf32> = uninitialized
  memref.global "private" constant @c : memref<2x2xf32> = dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, -3.500000e+00]]>
  memref.global constant @s : memref<4x2xi8> = dense<1>
  memref.global constant @t : memref<2xi1> = dense<[true, false]> {alignment = 64 : i64}
  memref.global @al : memref<16xi64> {alignment = 16 : i64, other = "attr"}
  memref.global @z : memref<i32> = dense<7>
  memref.global @e : memref<0xi32> = dense<>
  memref.global "private" @sp : memref<8xi16, 3> = dense<-1>
  memref.global constant @ix : memref<2xindex> = dense<[3, 4]>
  memref.global @res : memref<2xf32> = dense_resource<r>
  memref.global @"odd name" : memref<bf16> = dense<1.000000e+00>
  memref.global @cplx : memref<2xcomplex<f32>> = dense<(1.000000e+00,2.000000e+00)>
  func.func @use() -> memref<4xi32> {
    %0 = memref.get_global @plain : memref<4xi32>
    %1 = memref.get_global @"odd name" : memref<bf16>
    %2 = memref.get_global @sp : memref<8xi16, 3>
    return %0 : memref<4xi32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      r: "0x040000000000803F00000040"
    }
  }
#-}

