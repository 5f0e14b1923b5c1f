module {
  func.func @f(%arg0: vector<4xi32>, %arg1: vector<4xi64>, %arg2: vector<4xi1>, %arg3: vector<[4]xi8>, %arg4: vector<f32>, %arg5: tensor<?x4xi16>, %arg6: i1) {
    %0 = arith.extui %arg0 : vector<4xi32> to vector<4xi64>
    %1 = arith.trunci %arg1 : vector<4xi64> to vector<4xi8>
    %2 = arith.select %arg2, %arg0, %arg0 : vector<4xi1>, vector<4xi32>
    %3 = arith.select %arg6, %arg0, %arg0 : vector<4xi32>
    %4 = arith.cmpi ult, %arg3, %arg3 : vector<[4]xi8>
    %5 = arith.select %4, %arg3, %arg3 : vector<[4]xi1>, vector<[4]xi8>
    %6 = arith.negf %arg4 : vector<f32>
    %7 = arith.extsi %arg5 : tensor<?x4xi16> to tensor<?x4xi32>
    %sum, %overflow = arith.addui_extended %arg0, %arg0 : vector<4xi32>, vector<4xi1>
    %low, %high = arith.mulsi_extended %arg0, %arg0 : vector<4xi32>
    %cst = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
    %cst_0 = arith.constant dense<true> : vector<4xi1>
    %cst_1 = arith.constant dense<[[1.000000e+00, -0.000000e+00], [0x7F800000, 1.000000e+10]]> : vector<2x2xf32>
    %8 = arith.index_cast %cst : vector<4xi32> to vector<4xindex>
    %cst_2 = arith.constant dense<[0, 1]> : tensor<2xindex>
    %cst_3 = arith.constant sparse<[[0, 1], [2, 3]], [5, -6]> : tensor<3x4xi32>
    %cst_4 = arith.constant sparse<[[2, 3]], 1.500000e+00> : tensor<3x4xf32>
    %cst_5 = arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
    %cst_6 = arith.constant dense<[(1,2), (3,4)]> : tensor<2xcomplex<i32>>
    %cst_7 = arith.constant dense<["a", "b"]> : tensor<2x!foo.str>
    %9 = math.absi %arg0 : vector<4xi32>
    %10 = math.ctlz %arg5 : tensor<?x4xi16>
    return
  }
}

