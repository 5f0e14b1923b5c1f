"builtin.module"() ({
  "func.func"() <{function_type = (vector<4xi32>, vector<4xi64>, vector<4xi1>, vector<[4]xi8>, vector<f32>, tensor<?x4xi16>, i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<4xi32>, %arg1: vector<4xi64>, %arg2: vector<4xi1>, %arg3: vector<[4]xi8>, %arg4: vector<f32>, %arg5: tensor<?x4xi16>, %arg6: i1):
    %0 = "arith.extui"(%arg0) : (vector<4xi32>) -> vector<4xi64>
    %1 = "arith.trunci"(%arg1) <{overflowFlags = #arith.overflow<none>}> : (vector<4xi64>) -> vector<4xi8>
    %2 = "arith.select"(%arg2, %arg0, %arg0) : (vector<4xi1>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %3 = "arith.select"(%arg6, %arg0, %arg0) : (i1, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %4 = "arith.cmpi"(%arg3, %arg3) <{predicate = 6 : i64}> : (vector<[4]xi8>, vector<[4]xi8>) -> vector<[4]xi1>
    %5 = "arith.select"(%4, %arg3, %arg3) : (vector<[4]xi1>, vector<[4]xi8>, vector<[4]xi8>) -> vector<[4]xi8>
    %6 = "arith.negf"(%arg4) <{fastmath = #arith.fastmath<none>}> : (vector<f32>) -> vector<f32>
    %7 = "arith.extsi"(%arg5) : (tensor<?x4xi16>) -> tensor<?x4xi32>
    %8:2 = "arith.addui_extended"(%arg0, %arg0) : (vector<4xi32>, vector<4xi32>) -> (vector<4xi32>, vector<4xi1>)
    %9:2 = "arith.mulsi_extended"(%arg0, %arg0) : (vector<4xi32>, vector<4xi32>) -> (vector<4xi32>, vector<4xi32>)
    %10 = "arith.constant"() <{value = dense<[1, 2, 3, 4]> : vector<4xi32>}> : () -> vector<4xi32>
    %11 = "arith.constant"() <{value = dense<true> : vector<4xi1>}> : () -> vector<4xi1>
    %12 = "arith.constant"() <{value = dense<[[1.000000e+00, -0.000000e+00], [0x7F800000, 1.000000e+10]]> : vector<2x2xf32>}> : () -> vector<2x2xf32>
    %13 = "arith.index_cast"(%10) : (vector<4xi32>) -> vector<4xindex>
    %14 = "arith.constant"() <{value = dense<[0, 1]> : tensor<2xindex>}> : () -> tensor<2xindex>
    %15 = "arith.constant"() <{value = sparse<[[0, 1], [2, 3]], [5, -6]> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
    %16 = "arith.constant"() <{value = sparse<[[2, 3]], 1.500000e+00> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %17 = "arith.constant"() <{value = dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
    %18 = "arith.constant"() <{value = dense<[(1,2), (3,4)]> : tensor<2xcomplex<i32>>}> : () -> tensor<2xcomplex<i32>>
    %19 = "arith.constant"() <{value = dense<["a", "b"]> : tensor<2x!foo.str>}> : () -> tensor<2x!foo.str>
    %20 = "math.absi"(%arg0) : (vector<4xi32>) -> vector<4xi32>
    %21 = "math.ctlz"(%arg5) : (tensor<?x4xi16>) -> tensor<?x4xi16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

