"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "arith.constant"() <{value = false}> : () -> i1
    %1 = "arith.constant"() <{value = true}> : () -> i1
    %2 = "arith.constant"() <{value = true}> : () -> i1
    %3 = "arith.constant"() <{value = true}> : () -> i1
    %4 = "arith.constant"() <{value = -1 : i8}> : () -> i8
    %5 = "arith.constant"() <{value = -128 : i8}> : () -> i8
    %6 = "arith.constant"() <{value = 16 : i16}> : () -> i16
    %7 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 9223372036854775807 : index}> : () -> index
    %9 = "arith.constant"() <{value = 1.000000e+00 : f16}> : () -> f16
    %10 = "arith.constant"() <{value = 0x7C00 : f16}> : () -> f16
    %11 = "arith.constant"() <{value = -0.000000e+00 : f32}> : () -> f32
    %12 = "arith.constant"() <{value = 9.99999968E+37 : f32}> : () -> f32
    %13 = "arith.constant"() <{value = 1.401300e-45 : f32}> : () -> f32
    %14 = "arith.constant"() <{value = 0xFFC00000 : f32}> : () -> f32
    %15 = "arith.constant"() <{value = 0x7FF0000000000000 : f64}> : () -> f64
    %16 = "arith.constant"() <{value = 4.940660e-324 : f64}> : () -> f64
    %17 = "arith.constant"() <{value = 1.7976931348623157E+308 : f64}> : () -> f64
    %18 = "arith.constant"() <{value = 1.000980e-01 : bf16}> : () -> bf16
    %19 = "arith.constant"() <{value = 0x4CEB79A3 : f32}> : () -> f32
    %20 = "arith.constant"() <{value = 1.000000e+00 : f80}> : () -> f80
    %21 = "arith.constant"() <{value = 1.000000e+00 : f128}> : () -> f128
    %22 = "arith.constant"() <{value = 1.500000e+00 : f8E5M2}> : () -> f8E5M2
    %23 = "arith.constant"() <{value = 2.000000e+00 : tf32}> : () -> tf32
    %24 = "arith.constant"() <{value = 5 : i4}> : () -> i4
    %25 = "arith.constant"() <{value = -1 : i7}> : () -> i7
    %26 = "arith.constant"() <{value = 3 : i32}> {note = "n"} : () -> i32
    %27 = "arith.constant"() <{value = 42 : i32}> : () -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

