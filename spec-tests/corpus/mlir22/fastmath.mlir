module {
  func.func @f(%arg0: f32, %arg1: f32, %arg2: bf16, %arg3: tensor<4x?xf64>, %arg4: i32) {
    %0 = arith.addf %arg0, %arg1 fastmath<fast> : f32
    %1 = arith.subf %arg0, %arg1 fastmath<nnan> : f32
    %2 = arith.mulf %arg0, %arg1 fastmath<nnan,ninf> : f32
    %3 = arith.divf %arg0, %arg1 fastmath<reassoc,nsz,arcp,contract,afn> : f32
    %4 = arith.remf %arg2, %arg2 : bf16
    %5 = arith.negf %arg3 fastmath<contract> {x = "y"} : tensor<4x?xf64>
    %6 = arith.cmpf olt, %arg0, %arg1 fastmath<nnan> : f32
    %7 = arith.cmpf uno, %arg3, %arg3 fastmath<fast> : tensor<4x?xf64>
    %8 = arith.maximumf %arg0, %arg1 fastmath<nsz> : f32
    %9 = arith.minnumf %arg0, %arg1 fastmath<nnan,ninf,nsz> : f32
    %10 = arith.extf %arg0 fastmath<contract> : f32 to f64
    %11 = arith.truncf %10 fastmath<fast> : f64 to f32
    %12 = arith.truncf %10 to_nearest_even : f64 to f32
    %13 = arith.truncf %10 downward fastmath<fast> : f64 to f32
    %14 = arith.truncf %10 upward : f64 to bf16
    %15 = arith.truncf %10 toward_zero : f64 to f16
    %16 = arith.truncf %10 to_nearest_away : f64 to f16
    %17 = math.sin %arg0 fastmath<afn> : f32
    %18 = math.fma %arg0, %arg1, %arg0 fastmath<fast> : f32
    %19 = math.powf %arg0, %arg1 fastmath<reassoc,nnan> : f32
    %20 = math.fpowi %arg0, %arg4 fastmath<fast> : f32, i32
    %21 = math.sqrt %arg3 : tensor<4x?xf64>
    %22 = arith.select %6, %arg0, %arg1 : f32
    return
  }
}

