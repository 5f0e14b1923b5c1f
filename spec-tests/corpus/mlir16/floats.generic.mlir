"builtin.module"() ({
  "func.func"() ({
    %0 = "arith.constant"() {value = 8.013690e-20 : f32} : () -> f32
    %1 = "arith.constant"() {value = 2.7519803684107288E-217 : f64} : () -> f64
    %2 = "arith.constant"() {value = -1.145360e-03 : f16} : () -> f16
    %3 = "arith.constant"() {value = 0x7FA1 : bf16} : () -> bf16
    %4 = "arith.constant"() {value = 0.693140208 : f32} : () -> f32
    %5 = "arith.constant"() {value = 0.69314018600554417 : f64} : () -> f64
    %6 = "arith.constant"() {value = 5.66282408E+18 : f32} : () -> f32
    %7 = "arith.constant"() {value = 1.2678482050268386E-99 : f64} : () -> f64
    %8 = "arith.constant"() {value = 3.718000e+03 : f16} : () -> f16
    %9 = "arith.constant"() {value = -5.737680e+23 : bf16} : () -> bf16
    %10 = "arith.constant"() {value = 3.073250e+05 : f32} : () -> f32
    %11 = "arith.constant"() {value = 3.073250e+05 : f64} : () -> f64
    %12 = "arith.constant"() {value = 1.71679759E-24 : f32} : () -> f32
    %13 = "arith.constant"() {value = 1.5529576015122035E+128 : f64} : () -> f64
    %14 = "arith.constant"() {value = 1.561740e-02 : f16} : () -> f16
    %15 = "arith.constant"() {value = 3.387870e-11 : bf16} : () -> bf16
    %16 = "arith.constant"() {value = 0.966288864 : f32} : () -> f32
    %17 = "arith.constant"() {value = 0.96628887188084133 : f64} : () -> f64
    %18 = "arith.constant"() {value = -3.10132264E+12 : f32} : () -> f32
    %19 = "arith.constant"() {value = -2.4385744330903521E+270 : f64} : () -> f64
    %20 = "arith.constant"() {value = 2.449040e-02 : f16} : () -> f16
    %21 = "arith.constant"() {value = -9.680000e+02 : bf16} : () -> bf16
    %22 = "arith.constant"() {value = 9.406110e+08 : f32} : () -> f32
    %23 = "arith.constant"() {value = 0x41CC084AEA800000 : f64} : () -> f64
    %24 = "arith.constant"() {value = -4.67091915E+32 : f32} : () -> f32
    %25 = "arith.constant"() {value = -1.7468104023444049E-90 : f64} : () -> f64
    %26 = "arith.constant"() {value = 9.993750e+01 : f16} : () -> f16
    %27 = "arith.constant"() {value = 2.940900e-18 : bf16} : () -> bf16
    %28 = "arith.constant"() {value = 1.111250e+02 : f32} : () -> f32
    %29 = "arith.constant"() {value = 1.111250e+02 : f64} : () -> f64
    %30 = "arith.constant"() {value = -1.36333469E-20 : f32} : () -> f32
    %31 = "arith.constant"() {value = 2.8529275442603893E+189 : f64} : () -> f64
    %32 = "arith.constant"() {value = -2.236250e+02 : f16} : () -> f16
    %33 = "arith.constant"() {value = 6.912000e+03 : bf16} : () -> bf16
    %34 = "arith.constant"() {value = 0.60047853 : f32} : () -> f32
    %35 = "arith.constant"() {value = 0.60047854596733186 : f64} : () -> f64
    %36 = "arith.constant"() {value = -2.81610889E-32 : f32} : () -> f32
    %37 = "arith.constant"() {value = -2.3613925692700821E+142 : f64} : () -> f64
    %38 = "arith.constant"() {value = 8.337500e+01 : f16} : () -> f16
    %39 = "arith.constant"() {value = 3.802950e+32 : bf16} : () -> bf16
    %40 = "arith.constant"() {value = 9.292000e+03 : f32} : () -> f32
    %41 = "arith.constant"() {value = 9.292000e+03 : f64} : () -> f64
    %42 = "arith.constant"() {value = -3.81412462E+37 : f32} : () -> f32
    %43 = "arith.constant"() {value = 3.9495294036999767E+101 : f64} : () -> f64
    %44 = "arith.constant"() {value = -1.950000e+03 : f16} : () -> f16
    %45 = "arith.constant"() {value = 4.788890e+11 : bf16} : () -> bf16
    %46 = "arith.constant"() {value = 3.000000e+01 : f32} : () -> f32
    %47 = "arith.constant"() {value = 3.000000e+01 : f64} : () -> f64
    %48 = "arith.constant"() {value = -5.79812149E-26 : f32} : () -> f32
    %49 = "arith.constant"() {value = 6.7288075929714893E+103 : f64} : () -> f64
    %50 = "arith.constant"() {value = 6.451420e-02 : f16} : () -> f16
    %51 = "arith.constant"() {value = -9.817840e+17 : bf16} : () -> bf16
    %52 = "arith.constant"() {value = 2.912500e+01 : f32} : () -> f32
    %53 = "arith.constant"() {value = 2.912500e+01 : f64} : () -> f64
    %54 = "arith.constant"() {value = 4.94365082E-8 : f32} : () -> f32
    %55 = "arith.constant"() {value = 1.1955619178712884E-6 : f64} : () -> f64
    %56 = "arith.constant"() {value = 6.100000e+03 : f16} : () -> f16
    %57 = "arith.constant"() {value = 4.871090e+19 : bf16} : () -> bf16
    "func.return"() : () -> ()
  }) {function_type = () -> (), sym_name = "f"} : () -> ()
}) : () -> ()

