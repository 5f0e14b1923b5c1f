module {
  func.func @f() {
    %cst = arith.constant dense_resource<blob1> : tensor<3xi64>
    %cst_0 = arith.constant dense_resource<"quoted name"> : vector<2xf32>
    "test.op"() {a = dense_resource<blob1> : tensor<3xi64>} : () -> ()
    return
  }
}

{-#
  dialect_resources: {
    builtin: {
      blob1: "0x08000000010000000000000002000000000000000300000000000000",
      "quoted name": "0x040000000000803F00000040"
    }
  }
#-}

