"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32, f32, f32, index, index, i1, i64, f64, i8) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32, %arg4: index, %arg5: index, %arg6: i1, %arg7: i64, %arg8: f64, %arg9: i8):
    %0 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %1 = "arith.subi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %2 = "arith.muli"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %3 = "arith.divsi"(%arg0, %arg1) : (i32, i32) -> i32
    %4 = "arith.divui"(%arg0, %arg1) : (i32, i32) -> i32
    %5 = "arith.ceildivsi"(%arg0, %arg1) : (i32, i32) -> i32
    %6 = "arith.ceildivui"(%arg0, %arg1) : (i32, i32) -> i32
    %7 = "arith.floordivsi"(%arg0, %arg1) : (i32, i32) -> i32
    %8 = "arith.remsi"(%arg0, %arg1) : (i32, i32) -> i32
    %9 = "arith.remui"(%arg0, %arg1) : (i32, i32) -> i32
    %10 = "arith.andi"(%arg0, %arg1) : (i32, i32) -> i32
    %11 = "arith.ori"(%arg0, %arg1) : (i32, i32) -> i32
    %12 = "arith.xori"(%arg0, %arg1) : (i32, i32) -> i32
    %13 = "arith.shli"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "arith.shrsi"(%arg0, %arg1) : (i32, i32) -> i32
    %15 = "arith.shrui"(%arg0, %arg1) : (i32, i32) -> i32
    %16 = "arith.maxsi"(%arg0, %arg1) : (i32, i32) -> i32
    %17 = "arith.maxui"(%arg0, %arg1) : (i32, i32) -> i32
    %18 = "arith.minsi"(%arg0, %arg1) : (i32, i32) -> i32
    %19 = "arith.minui"(%arg0, %arg1) : (i32, i32) -> i32
    %20 = "arith.addf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %21 = "arith.subf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %22 = "arith.mulf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %23 = "arith.divf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %24 = "arith.remf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %25 = "arith.negf"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %26 = "arith.maximumf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %27 = "arith.minimumf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %28 = "arith.maxnumf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %29 = "arith.minnumf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %30 = "math.acos"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %31 = "math.acosh"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %32 = "math.asin"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %33 = "math.asinh"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %34 = "math.atan"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %35 = "math.atanh"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %36 = "math.cbrt"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %37 = "math.ceil"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %38 = "math.cos"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %39 = "math.cosh"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %40 = "math.erf"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %41 = "math.erfc"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %42 = "math.exp"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %43 = "math.exp2"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %44 = "math.expm1"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %45 = "math.floor"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %46 = "math.log"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %47 = "math.log10"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %48 = "math.log1p"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %49 = "math.log2"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %50 = "math.round"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %51 = "math.roundeven"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %52 = "math.rsqrt"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %53 = "math.sin"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %54 = "math.sinh"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %55 = "math.sqrt"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %56 = "math.tan"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %57 = "math.tanh"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %58 = "math.trunc"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %59 = "math.atan2"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %60 = "math.copysign"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %61 = "math.powf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %62 = "math.fma"(%arg2, %arg2, %arg2) <{fastmath = #arith.fastmath<none>}> : (f32, f32, f32) -> f32
    %63 = "math.absi"(%arg0) : (i32) -> i32
    %64 = "math.ctlz"(%arg0) : (i32) -> i32
    %65 = "math.cttz"(%arg0) : (i32) -> i32
    %66 = "math.ctpop"(%arg0) : (i32) -> i32
    %67 = "math.ipowi"(%arg0, %arg1) : (i32, i32) -> i32
    %68 = "math.fpowi"(%arg2, %arg1) <{fastmath = #arith.fastmath<none>}> : (f32, i32) -> f32
    %69 = "math.isfinite"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
    %70 = "math.isinf"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
    %71 = "math.isnan"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
    %72 = "math.isnormal"(%arg2) <{fastmath = #arith.fastmath<none>}> : (f32) -> i1
    %73 = "index.add"(%arg4, %arg5) : (index, index) -> index
    %74 = "index.sub"(%arg4, %arg5) : (index, index) -> index
    %75 = "index.mul"(%arg4, %arg5) : (index, index) -> index
    %76 = "index.divs"(%arg4, %arg5) : (index, index) -> index
    %77 = "index.divu"(%arg4, %arg5) : (index, index) -> index
    %78 = "index.ceildivs"(%arg4, %arg5) : (index, index) -> index
    %79 = "index.ceildivu"(%arg4, %arg5) : (index, index) -> index
    %80 = "index.floordivs"(%arg4, %arg5) : (index, index) -> index
    %81 = "index.rems"(%arg4, %arg5) : (index, index) -> index
    %82 = "index.remu"(%arg4, %arg5) : (index, index) -> index
    %83 = "index.maxs"(%arg4, %arg5) : (index, index) -> index
    %84 = "index.maxu"(%arg4, %arg5) : (index, index) -> index
    %85 = "index.mins"(%arg4, %arg5) : (index, index) -> index
    %86 = "index.minu"(%arg4, %arg5) : (index, index) -> index
    %87 = "index.shl"(%arg4, %arg5) : (index, index) -> index
    %88 = "index.shrs"(%arg4, %arg5) : (index, index) -> index
    %89 = "index.shru"(%arg4, %arg5) : (index, index) -> index
    %90 = "index.and"(%arg4, %arg5) : (index, index) -> index
    %91 = "index.or"(%arg4, %arg5) : (index, index) -> index
    %92 = "index.xor"(%arg4, %arg5) : (index, index) -> index
    %93 = "arith.extsi"(%arg0) : (i32) -> i64
    %94 = "arith.extui"(%arg0) : (i32) -> i64
    %95 = "arith.trunci"(%arg0) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i8
    %96 = "arith.extf"(%arg2) : (f32) -> f64
    %97 = "arith.truncf"(%arg8) : (f64) -> f32
    %98 = "arith.sitofp"(%arg0) : (i32) -> f32
    %99 = "arith.uitofp"(%arg0) : (i32) -> f32
    %100 = "arith.fptosi"(%arg2) : (f32) -> i32
    %101 = "arith.fptoui"(%arg2) : (f32) -> i32
    %102 = "arith.index_cast"(%arg4) : (index) -> i32
    %103 = "arith.index_castui"(%arg4) : (index) -> i32
    %104 = "arith.bitcast"(%arg0) : (i32) -> f32
    %105 = "arith.select"(%arg6, %arg0, %arg1) : (i1, i32, i32) -> i32
    %106 = "arith.cmpf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
    %107 = "index.casts"(%arg4) : (index) -> i32
    %108 = "index.castu"(%arg4) : (index) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

