module {
  func.func @f(%arg0: f32, %arg1: f64, %arg2: i1, %arg3: i64) {
    %0 = arith.select %arg2, %arg0, %arg0 {q} : f32
    %1 = arith.sitofp %arg3 {w = 3 : i64} : i64 to f64
    %2 = arith.fptosi %arg1 : f64 to i8
    %3 = arith.bitcast %arg0 : f32 to i32
    %4 = arith.bitcast %arg1 : f64 to i64
    %cst = arith.constant dense<1.500000e+00> : vector<2x2xf32>
    %5 = arith.bitcast %cst : vector<2x2xf32> to vector<2x2xi32>
    %6 = arith.fptoui %arg1 : f64 to i64
    %7 = arith.uitofp %arg3 : i64 to bf16
    %8 = arith.index_cast %arg3 : i64 to index
    %9 = arith.index_castui %8 : index to i8
    %10 = arith.extsi %9 : i8 to i128
    %c-170141183460469231731687303715884105728_i128 = arith.constant -170141183460469231731687303715884105728 : i128
    %c-1_i128 = arith.constant -1 : i128
    return
  }
}

