"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32, vector<4xi32>, tensor<2x?xi8>, i64, i1, i7) -> i32, sym_name = "ints"}> ({
  ^bb0(%arg6: i32, %arg7: i32, %arg8: vector<4xi32>, %arg9: tensor<2x?xi8>, %arg10: i64, %arg11: i1, %arg12: i7):
    %34 = "arith.addi"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %35 = "arith.subi"(%arg8, %arg8) <{overflowFlags = #arith.overflow<none>}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %36 = "arith.muli"(%arg9, %arg9) <{overflowFlags = #arith.overflow<none>}> {a.b = "x"} : (tensor<2x?xi8>, tensor<2x?xi8>) -> tensor<2x?xi8>
    %37 = "arith.divsi"(%arg10, %arg10) : (i64, i64) -> i64
    %38 = "arith.cmpi"(%arg8, %arg8) <{predicate = 6 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi1>
    %39 = "arith.cmpi"(%arg9, %arg9) <{predicate = 0 : i64}> : (tensor<2x?xi8>, tensor<2x?xi8>) -> tensor<2x?xi1>
    %40 = "arith.select"(%38, %arg8, %arg8) : (vector<4xi1>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %41 = "arith.select"(%arg11, %arg8, %arg8) : (i1, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %42:2 = "arith.addui_extended"(%arg8, %arg8) : (vector<4xi32>, vector<4xi32>) -> (vector<4xi32>, vector<4xi1>)
    %43:2 = "arith.mului_extended"(%arg6, %arg7) : (i32, i32) -> (i32, i32)
    %44 = "arith.constant"() <{value = -5 : i7}> : () -> i7
    %45 = "arith.constant"() <{value = 7 : index}> {tag} : () -> index
    %46 = "arith.constant"() <{value = dense<[[1, -2], [3, 4]]> : tensor<2x2xi16>}> : () -> tensor<2x2xi16>
    %47 = "arith.constant"() <{value = dense<3> : vector<4xi32>}> : () -> vector<4xi32>
    %48 = "arith.constant"() <{value = false}> : () -> i1
    %49 = "arith.constant"() <{value = true}> : () -> i1
    %50 = "arith.constant"() <{value = -1 : index}> : () -> index
    %51 = "arith.constant"() <{value = 9223372036854775807 : i64}> : () -> i64
    %52 = "arith.constant"() <{value = -9223372036854775808 : i64}> : () -> i64
    %53 = "arith.constant"() <{value = 5 : i7}> : () -> i7
    %54 = "arith.constant"() <{value = 5 : i7}> : () -> i7
    %55 = "arith.constant"() <{value = dense<[true, false, true]> : vector<3xi1>}> : () -> vector<3xi1>
    %56 = "arith.constant"() <{value = dense<true> : vector<3xi1>}> : () -> vector<3xi1>
    %57 = "arith.constant"() <{value = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
    %58 = "arith.extui"(%arg11) : (i1) -> i32
    %59 = "arith.trunci"(%arg8) <{overflowFlags = #arith.overflow<none>}> : (vector<4xi32>) -> vector<4xi8>
    %60 = "arith.index_cast"(%arg6) : (i32) -> index
    %61 = "arith.index_castui"(%45) : (index) -> i64
    %62 = "arith.maxsi"(%arg6, %arg7) : (i32, i32) -> i32
    %63 = "arith.remui"(%arg6, %arg7) : (i32, i32) -> i32
    "func.return"(%34) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, f32, f16, bf16, f64, vector<2x3xf64>) -> (f32, i1), sym_name = "floats"}> ({
  ^bb0(%arg0: f32, %arg1: f32, %arg2: f16, %arg3: bf16, %arg4: f64, %arg5: vector<2x3xf64>):
    %0 = "arith.addf"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %1 = "arith.mulf"(%arg0, %arg1) <{fastmath = #arith.fastmath<fast>}> : (f32, f32) -> f32
    %2 = "arith.divf"(%arg5, %arg5) <{fastmath = #arith.fastmath<fast>}> : (vector<2x3xf64>, vector<2x3xf64>) -> vector<2x3xf64>
    %3 = "arith.negf"(%arg0) <{fastmath = #arith.fastmath<nnan>}> : (f32) -> f32
    %4 = "arith.cmpf"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>, predicate = 13 : i64}> : (f32, f32) -> i1
    %5 = "arith.cmpf"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>, predicate = 15 : i64}> : (f32, f32) -> i1
    %6 = "arith.cmpf"(%arg5, %arg5) <{fastmath = #arith.fastmath<none>, predicate = 0 : i64}> : (vector<2x3xf64>, vector<2x3xf64>) -> vector<2x3xi1>
    %7 = "arith.extf"(%arg2) : (f16) -> f32
    %8 = "arith.truncf"(%arg4) : (f64) -> bf16
    %9 = "arith.sitofp"(%4) : (i1) -> f32
    %10 = "arith.fptosi"(%arg0) : (f32) -> i64
    %11 = "arith.bitcast"(%arg0) : (f32) -> i32
    %12 = "arith.remf"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %13 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %14 = "arith.constant"() <{value = -0.000000e+00 : f32}> : () -> f32
    %15 = "arith.constant"() <{value = 0x7FC00000 : f32}> : () -> f32
    %16 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %17 = "arith.constant"() <{value = 3.14159274 : f32}> : () -> f32
    %18 = "arith.constant"() <{value = 2.7182818284590451 : f64}> : () -> f64
    %19 = "arith.constant"() <{value = 9.999940e-41 : f32}> : () -> f32
    %20 = "arith.constant"() <{value = 0x7C00 : f16}> : () -> f16
    %21 = "arith.constant"() <{value = 3.320310e-01 : bf16}> : () -> bf16
    %22 = "arith.constant"() <{value = 0x4132D68700000000 : f64}> : () -> f64
    %23 = "arith.constant"() <{value = 1.234560e+05 : f64}> : () -> f64
    %24 = "arith.constant"() <{value = 0x4B800000 : f32}> : () -> f32
    %25 = "arith.constant"() <{value = 1.000000e+22 : f64}> : () -> f64
    %26 = "arith.constant"() <{value = 9.9999999999999991E+22 : f64}> : () -> f64
    %27 = "arith.constant"() <{value = dense<[1.000000e+00, 0x7F800000, -3.500000e-07]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %28 = "arith.constant"() <{value = dense<1.000000e-01> : tensor<3xf64>}> : () -> tensor<3xf64>
    %29 = "arith.constant"() <{value = dense<[[[5.000000e-01, 1.500000e+00]], [[2.500000e+00, 3.500000e+00]]]> : tensor<2x1x2xf16>}> : () -> tensor<2x1x2xf16>
    %30 = "arith.constant"() <{value = 5.960460e-08 : f16}> : () -> f16
    %31 = "arith.constant"() <{value = 2.000000e-310 : f64}> : () -> f64
    %32 = "arith.constant"() <{value = 1.500000e+00 : f80}> : () -> f80
    %33 = "arith.constant"() <{value = 1.500000e+00 : f128}> : () -> f128
    "func.return"(%0, %4) : (f32, i1) -> ()
  }) : () -> ()
}) : () -> ()

