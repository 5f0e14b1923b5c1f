module {
  func.func @f() {
    %cst = arith.constant 8.013690e-20 : f32
    %cst_0 = arith.constant 2.7519803684107288E-217 : f64
    %cst_1 = arith.constant -1.145360e-03 : f16
    %cst_2 = arith.constant 0x7FA1 : bf16
    %cst_3 = arith.constant 0.693140208 : f32
    %cst_4 = arith.constant 0.69314018600554417 : f64
    %cst_5 = arith.constant 5.66282408E+18 : f32
    %cst_6 = arith.constant 1.2678482050268386E-99 : f64
    %cst_7 = arith.constant 3.718000e+03 : f16
    %cst_8 = arith.constant -5.737680e+23 : bf16
    %cst_9 = arith.constant 3.073250e+05 : f32
    %cst_10 = arith.constant 3.073250e+05 : f64
    %cst_11 = arith.constant 1.71679759E-24 : f32
    %cst_12 = arith.constant 1.5529576015122035E+128 : f64
    %cst_13 = arith.constant 1.561740e-02 : f16
    %cst_14 = arith.constant 3.387870e-11 : bf16
    %cst_15 = arith.constant 0.966288864 : f32
    %cst_16 = arith.constant 0.96628887188084133 : f64
    %cst_17 = arith.constant -3.10132264E+12 : f32
    %cst_18 = arith.constant -2.4385744330903521E+270 : f64
    %cst_19 = arith.constant 2.449040e-02 : f16
    %cst_20 = arith.constant -9.680000e+02 : bf16
    %cst_21 = arith.constant 9.406110e+08 : f32
    %cst_22 = arith.constant 0x41CC084AEA800000 : f64
    %cst_23 = arith.constant -4.67091915E+32 : f32
    %cst_24 = arith.constant -1.7468104023444049E-90 : f64
    %cst_25 = arith.constant 9.993750e+01 : f16
    %cst_26 = arith.constant 2.940900e-18 : bf16
    %cst_27 = arith.constant 1.111250e+02 : f32
    %cst_28 = arith.constant 1.111250e+02 : f64
    %cst_29 = arith.constant -1.36333469E-20 : f32
    %cst_30 = arith.constant 2.8529275442603893E+189 : f64
    %cst_31 = arith.constant -2.236250e+02 : f16
    %cst_32 = arith.constant 6.912000e+03 : bf16
    %cst_33 = arith.constant 0.60047853 : f32
    %cst_34 = arith.constant 0.60047854596733186 : f64
    %cst_35 = arith.constant -2.81610889E-32 : f32
    %cst_36 = arith.constant -2.3613925692700821E+142 : f64
    %cst_37 = arith.constant 8.337500e+01 : f16
    %cst_38 = arith.constant 3.802950e+32 : bf16
    %cst_39 = arith.constant 9.292000e+03 : f32
    %cst_40 = arith.constant 9.292000e+03 : f64
    %cst_41 = arith.constant -3.81412462E+37 : f32
    %cst_42 = arith.constant 3.9495294036999767E+101 : f64
    %cst_43 = arith.constant -1.950000e+03 : f16
    %cst_44 = arith.constant 4.788890e+11 : bf16
    %cst_45 = arith.constant 3.000000e+01 : f32
    %cst_46 = arith.constant 3.000000e+01 : f64
    %cst_47 = arith.constant -5.79812149E-26 : f32
    %cst_48 = arith.constant 6.7288075929714893E+103 : f64
    %cst_49 = arith.constant 6.451420e-02 : f16
    %cst_50 = arith.constant -9.817840e+17 : bf16
    %cst_51 = arith.constant 2.912500e+01 : f32
    %cst_52 = arith.constant 2.912500e+01 : f64
    %cst_53 = arith.constant 4.94365082E-8 : f32
    %cst_54 = arith.constant 1.1955619178712884E-6 : f64
    %cst_55 = arith.constant 6.100000e+03 : f16
    %cst_56 = arith.constant 4.871090e+19 : bf16
    return
  }
}

