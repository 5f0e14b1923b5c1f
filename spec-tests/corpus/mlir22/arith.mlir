module {
  func.func @ints(%arg0: i32, %arg1: i32, %arg2: vector<4xi32>, %arg3: tensor<2x?xi8>, %arg4: i64, %arg5: i1, %arg6: i7) -> i32 {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.subi %arg2, %arg2 : vector<4xi32>
    %2 = arith.muli %arg3, %arg3 {a.b = "x"} : tensor<2x?xi8>
    %3 = arith.divsi %arg4, %arg4 : i64
    %4 = arith.cmpi ult, %arg2, %arg2 : vector<4xi32>
    %5 = arith.cmpi eq, %arg3, %arg3 : tensor<2x?xi8>
    %6 = arith.select %4, %arg2, %arg2 : vector<4xi1>, vector<4xi32>
    %7 = arith.select %arg5, %arg2, %arg2 : vector<4xi32>
    %sum, %overflow = arith.addui_extended %arg2, %arg2 : vector<4xi32>, vector<4xi1>
    %low, %high = arith.mului_extended %arg0, %arg1 : i32
    %c-5_i7 = arith.constant -5 : i7
    %c7 = arith.constant {tag} 7 : index
    %cst = arith.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi16>
    %cst_0 = arith.constant dense<3> : vector<4xi32>
    %false = arith.constant false
    %true = arith.constant true
    %c-1 = arith.constant -1 : index
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %c5_i7 = arith.constant 5 : i7
    %c5_i7_1 = arith.constant 5 : i7
    %cst_2 = arith.constant dense<[true, false, true]> : vector<3xi1>
    %cst_3 = arith.constant dense<true> : vector<3xi1>
    %cst_4 = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
    %8 = arith.extui %arg5 : i1 to i32
    %9 = arith.trunci %arg2 : vector<4xi32> to vector<4xi8>
    %10 = arith.index_cast %arg0 : i32 to index
    %11 = arith.index_castui %c7 : index to i64
    %12 = arith.maxsi %arg0, %arg1 : i32
    %13 = arith.remui %arg0, %arg1 : i32
    return %0 : i32
  }
  func.func @floats(%arg0: f32, %arg1: f32, %arg2: f16, %arg3: bf16, %arg4: f64, %arg5: vector<2x3xf64>) -> (f32, i1) {
    %0 = arith.addf %arg0, %arg1 : f32
    %1 = arith.mulf %arg0, %arg1 fastmath<fast> : f32
    %2 = arith.divf %arg5, %arg5 fastmath<fast> : vector<2x3xf64>
    %3 = arith.negf %arg0 fastmath<nnan> : f32
    %4 = arith.cmpf une, %arg0, %arg1 : f32
    %5 = arith.cmpf true, %arg0, %arg1 : f32
    %6 = arith.cmpf false, %arg5, %arg5 : vector<2x3xf64>
    %7 = arith.extf %arg2 : f16 to f32
    %8 = arith.truncf %arg4 : f64 to bf16
    %9 = arith.sitofp %4 : i1 to f32
    %10 = arith.fptosi %arg0 : f32 to i64
    %11 = arith.bitcast %arg0 : f32 to i32
    %12 = arith.remf %arg0, %arg1 : f32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -0.000000e+00 : f32
    %cst_1 = arith.constant 0x7FC00000 : f32
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant 3.14159274 : f32
    %cst_4 = arith.constant 2.7182818284590451 : f64
    %cst_5 = arith.constant 9.999940e-41 : f32
    %cst_6 = arith.constant 0x7C00 : f16
    %cst_7 = arith.constant 3.320310e-01 : bf16
    %cst_8 = arith.constant 0x4132D68700000000 : f64
    %cst_9 = arith.constant 1.234560e+05 : f64
    %cst_10 = arith.constant 0x4B800000 : f32
    %cst_11 = arith.constant 1.000000e+22 : f64
    %cst_12 = arith.constant 9.9999999999999991E+22 : f64
    %cst_13 = arith.constant dense<[1.000000e+00, 0x7F800000, -3.500000e-07]> : tensor<3xf32>
    %cst_14 = arith.constant dense<1.000000e-01> : tensor<3xf64>
    %cst_15 = arith.constant dense<[[[5.000000e-01, 1.500000e+00]], [[2.500000e+00, 3.500000e+00]]]> : tensor<2x1x2xf16>
    %cst_16 = arith.constant 5.960460e-08 : f16
    %cst_17 = arith.constant 2.000000e-310 : f64
    %cst_18 = arith.constant 1.500000e+00 : f80
    %cst_19 = arith.constant 1.500000e+00 : f128
    return %0, %4 : f32, i1
  }
}

