"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "arith.constant"() <{value = dense<[1.000000e-01, 1.000000e-03, 1.234560e+05, 0x4996B438, 1.000000e+07, 1.17549435E-38, 3.40282347E+38]> : tensor<7xf32>}> : () -> tensor<7xf32>
    %1 = "arith.constant"() <{value = dense<[1.000000e-01, 1.000000e+100, 4.940660e-324, 2.2250738585072014E-308, 0x4340000000000000]> : tensor<5xf64>}> : () -> tensor<5xf64>
    %2 = "arith.constant"() <{value = dense<[6.550400e+04, 5.960460e-08, 3.330080e-01]> : tensor<3xf16>}> : () -> tensor<3xf16>
    %3 = "arith.constant"() <{value = dense<[3.389530e+38, 9.183550e-41, 3.320310e-01]> : tensor<3xbf16>}> : () -> tensor<3xbf16>
    %4 = "arith.constant"() <{value = dense<[0x7FC00000, 0xFF800000, 0x7F800001]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "test.op"() {a = 9.9999999999999995E-7 : f64, b = 9.99999997E-7 : f32, c = 1.000000e+05 : f64, d = 1.000000e+06 : f64, e = 1.000000e+22 : f64, f = 4.940660e-324 : f64, g = -1.788140e-07 : f16, h = 0xFFFF : bf16} : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

