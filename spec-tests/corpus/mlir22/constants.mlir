module {
  func.func @f() {
    %false = arith.constant false
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %c-1_i8 = arith.constant -1 : i8
    %c-128_i8 = arith.constant -128 : i8
    %c16_i16 = arith.constant 16 : i16
    %c-1_i64 = arith.constant -1 : i64
    %c9223372036854775807 = arith.constant 9223372036854775807 : index
    %cst = arith.constant 1.000000e+00 : f16
    %cst_2 = arith.constant 0x7C00 : f16
    %cst_3 = arith.constant -0.000000e+00 : f32
    %cst_4 = arith.constant 9.99999968E+37 : f32
    %cst_5 = arith.constant 1.401300e-45 : f32
    %cst_6 = arith.constant 0xFFC00000 : f32
    %cst_7 = arith.constant 0x7FF0000000000000 : f64
    %cst_8 = arith.constant 4.940660e-324 : f64
    %cst_9 = arith.constant 1.7976931348623157E+308 : f64
    %cst_10 = arith.constant 1.000980e-01 : bf16
    %cst_11 = arith.constant 0x4CEB79A3 : f32
    %cst_12 = arith.constant 1.000000e+00 : f80
    %cst_13 = arith.constant 1.000000e+00 : f128
    %cst_14 = arith.constant 1.500000e+00 : f8E5M2
    %cst_15 = arith.constant 2.000000e+00 : tf32
    %c5_i4 = arith.constant 5 : i4
    %c-1_i7 = arith.constant -1 : i7
    %c3_i32 = arith.constant {note = "n"} 3 : i32
    %c42_i32 = arith.constant 42 : i32
    return
  }
}

