"builtin.module"() ({
  "func.func"() <{function_type = (f32, f64, i1, i64) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32, %arg1: f64, %arg2: i1, %arg3: i64):
    %0 = "arith.select"(%arg2, %arg0, %arg0) {q} : (i1, f32, f32) -> f32
    %1 = "arith.sitofp"(%arg3) {w = 3 : i64} : (i64) -> f64
    %2 = "arith.fptosi"(%arg1) : (f64) -> i8
    %3 = "arith.bitcast"(%arg0) : (f32) -> i32
    %4 = "arith.bitcast"(%arg1) : (f64) -> i64
    %5 = "arith.constant"() <{value = dense<1.500000e+00> : vector<2x2xf32>}> : () -> vector<2x2xf32>
    %6 = "arith.bitcast"(%5) : (vector<2x2xf32>) -> vector<2x2xi32>
    %7 = "arith.fptoui"(%arg1) : (f64) -> i64
    %8 = "arith.uitofp"(%arg3) : (i64) -> bf16
    %9 = "arith.index_cast"(%arg3) : (i64) -> index
    %10 = "arith.index_castui"(%9) : (index) -> i8
    %11 = "arith.extsi"(%10) : (i8) -> i128
    %12 = "arith.constant"() <{value = -170141183460469231731687303715884105728 : i128}> : () -> i128
    %13 = "arith.constant"() <{value = -1 : i128}> : () -> i128
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

