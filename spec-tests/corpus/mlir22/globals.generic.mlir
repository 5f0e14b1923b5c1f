"builtin.module"() ({
  "memref.global"() <{sym_name = "plain", type = memref<4xi32>}> : () -> ()
  "memref.global"() <{sym_name = "p", sym_visibility = "private", type = memref<4xf32>}> : () -> ()
  "memref.global"() <{sym_name = "n", sym_visibility = "nested", type = memref<4xf32>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "u", sym_visibility = "public", type = memref<2x2xf32>}> : () -> ()
  "memref.global"() <{constant, initial_value = dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, -3.500000e+00]]> : tensor<2x2xf32>, sym_name = "c", sym_visibility = "private", type = memref<2x2xf32>}> : () -> ()
  "memref.global"() <{constant, initial_value = dense<1> : tensor<4x2xi8>, sym_name = "s", type = memref<4x2xi8>}> : () -> ()
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<[true, false]> : tensor<2xi1>, sym_name = "t", type = memref<2xi1>}> : () -> ()
  "memref.global"() <{alignment = 16 : i64, sym_name = "al", type = memref<16xi64>}> {other = "attr"} : () -> ()
  "memref.global"() <{initial_value = dense<7> : tensor<i32>, sym_name = "z", type = memref<i32>}> : () -> ()
  "memref.global"() <{initial_value = dense<> : tensor<0xi32>, sym_name = "e", type = memref<0xi32>}> : () -> ()
  "memref.global"() <{initial_value = dense<-1> : tensor<8xi16>, sym_name = "sp", sym_visibility = "private", type = memref<8xi16, 3>}> : () -> ()
  "memref.global"() <{constant, initial_value = dense<[3, 4]> : tensor<2xindex>, sym_name = "ix", type = memref<2xindex>}> : () -> ()
  "memref.global"() <{initial_value = dense_resource<r> : tensor<2xf32>, sym_name = "res", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{initial_value = dense<1.000000e+00> : tensor<bf16>, sym_name = "odd name", type = memref<bf16>}> : () -> ()
  "memref.global"() <{initial_value = dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>, sym_name = "cplx", type = memref<2xcomplex<f32>>}> : () -> ()
  "func.func"() <{function_type = () -> memref<4xi32>, sym_name = "use"}> ({
    %0 = "memref.get_global"() <{name = @plain}> : () -> memref<4xi32>
    %1 = "memref.get_global"() <{name = @"odd name"}> : () -> memref<bf16>
    %2 = "memref.get_global"() <{name = @sp}> : () -> memref<8xi16, 3>
    "func.return"(%0) : (memref<4xi32>) -> ()
  }) : () -> ()
}) : () -> ()

{-#
  dialect_resources: {
    builtin: {
      r: "0x040000000000803F00000040"
    }
  }
#-}

