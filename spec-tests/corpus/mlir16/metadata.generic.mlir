"builtin.module"() ({
  "func.func"() ({
    %0 = "arith.constant"() {value = dense_resource<blob> : tensor<2xi32>} : () -> tensor<2xi32>
    "func.return"() : () -> ()
  }) {function_type = () -> (), sym_name = "r"} : () -> ()
}) : () -> ()

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000"
    }
  }
#-}

