"builtin.module"() ({
  "func.func"() <{function_type = (f32, f32, bf16, tensor<4x?xf64>, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32, %arg1: f32, %arg2: bf16, %arg3: tensor<4x?xf64>, %arg4: i32):
    %0 = "arith.addf"(%arg0, %arg1) <{fastmath = #arith.fastmath<fast>}> : (f32, f32) -> f32
    %1 = "arith.subf"(%arg0, %arg1) <{fastmath = #arith.fastmath<nnan>}> : (f32, f32) -> f32
    %2 = "arith.mulf"(%arg0, %arg1) <{fastmath = #arith.fastmath<nnan,ninf>}> : (f32, f32) -> f32
    %3 = "arith.divf"(%arg0, %arg1) <{fastmath = #arith.fastmath<reassoc,nsz,arcp,contract,afn>}> : (f32, f32) -> f32
    %4 = "arith.remf"(%arg2, %arg2) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
    %5 = "arith.negf"(%arg3) <{fastmath = #arith.fastmath<contract>}> {x = "y"} : (tensor<4x?xf64>) -> tensor<4x?xf64>
    %6 = "arith.cmpf"(%arg0, %arg1) <{fastmath = #arith.fastmath<nnan>, predicate = 4 : i64}> : (f32, f32) -> i1
    %7 = "arith.cmpf"(%arg3, %arg3) <{fastmath = #arith.fastmath<fast>, predicate = 14 : i64}> : (tensor<4x?xf64>, tensor<4x?xf64>) -> tensor<4x?xi1>
    %8 = "arith.maximumf"(%arg0, %arg1) <{fastmath = #arith.fastmath<nsz>}> : (f32, f32) -> f32
    %9 = "arith.minnumf"(%arg0, %arg1) <{fastmath = #arith.fastmath<nnan,ninf,nsz>}> : (f32, f32) -> f32
    %10 = "arith.extf"(%arg0) <{fastmath = #arith.fastmath<contract>}> : (f32) -> f64
    %11 = "arith.truncf"(%10) <{fastmath = #arith.fastmath<fast>}> : (f64) -> f32
    %12 = "arith.truncf"(%10) <{roundingmode = 0 : i32}> : (f64) -> f32
    %13 = "arith.truncf"(%10) <{fastmath = #arith.fastmath<fast>, roundingmode = 1 : i32}> : (f64) -> f32
    %14 = "arith.truncf"(%10) <{roundingmode = 2 : i32}> : (f64) -> bf16
    %15 = "arith.truncf"(%10) <{roundingmode = 3 : i32}> : (f64) -> f16
    %16 = "arith.truncf"(%10) <{roundingmode = 4 : i32}> : (f64) -> f16
    %17 = "math.sin"(%arg0) <{fastmath = #arith.fastmath<afn>}> : (f32) -> f32
    %18 = "math.fma"(%arg0, %arg1, %arg0) <{fastmath = #arith.fastmath<fast>}> : (f32, f32, f32) -> f32
    %19 = "math.powf"(%arg0, %arg1) <{fastmath = #arith.fastmath<reassoc,nnan>}> : (f32, f32) -> f32
    %20 = "math.fpowi"(%arg0, %arg4) <{fastmath = #arith.fastmath<fast>}> : (f32, i32) -> f32
    %21 = "math.sqrt"(%arg3) <{fastmath = #arith.fastmath<none>}> : (tensor<4x?xf64>) -> tensor<4x?xf64>
    %22 = "arith.select"(%6, %arg0, %arg1) : (i1, f32, f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

