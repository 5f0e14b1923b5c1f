module {
  func.func @m(%arg0: f32, %arg1: f64, %arg2: i32, %arg3: vector<4xf32>) {
    %0 = math.absf %arg0 : f32
    %1 = math.exp %arg3 fastmath<fast> : vector<4xf32>
    %2 = math.powf %arg0, %arg0 : f32
    %3 = math.fma %arg1, %arg1, %arg1 : f64
    %4 = math.ctlz %arg2 : i32
    %5 = math.ipowi %arg2, %arg2 : i32
    %6 = math.fpowi %arg0, %arg2 : f32, i32
    %7 = math.atan2 %arg0, %arg0 {t.u} : f32
    %8 = math.copysign %arg1, %arg1 : f64
    %9 = math.absi %arg2 : i32
    %10 = math.sqrt %arg0 : f32
    %11 = math.roundeven %arg0 : f32
    %12 = math.log1p %arg0 : f32
    %13 = math.erf %arg0 : f32
    %14 = math.tan %arg0 : f32
    %15 = llvm.intr.bitreverse(%arg2) : (i32) -> i32
    return
  }
}

