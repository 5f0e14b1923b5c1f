"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<8x16xf32>, memref<4x16xf32>) -> (), sym_name = "mm"}> ({
  ^bb0(%arg2: memref<4x8xf32>, %arg3: memref<8x16xf32>, %arg4: memref<4x16xf32>):
    %32 = "arith.constant"() <{value = 0 : index}> : () -> index
    %33 = "arith.constant"() <{value = 4 : index}> : () -> index
    %34 = "arith.constant"() <{value = 1 : index}> : () -> index
    %35 = "arith.constant"() <{value = 16 : index}> : () -> index
    %36 = "arith.constant"() <{value = 8 : index}> : () -> index
    "cf.br"(%32)[^bb1] : (index) -> ()
  ^bb1(%37: index):  // 2 preds: ^bb0, ^bb8
    %38 = "arith.cmpi"(%37, %33) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%38)[^bb2, ^bb9] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb2:  // pred: ^bb1
    "cf.br"(%32)[^bb3] : (index) -> ()
  ^bb3(%39: index):  // 2 preds: ^bb2, ^bb7
    %40 = "arith.cmpi"(%39, %35) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%40)[^bb4, ^bb8] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb4:  // pred: ^bb3
    "cf.br"(%32)[^bb5] : (index) -> ()
  ^bb5(%41: index):  // 2 preds: ^bb4, ^bb6
    %42 = "arith.cmpi"(%41, %36) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%42)[^bb6, ^bb7] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb6:  // pred: ^bb5
    %43 = "memref.load"(%arg2, %37, %41) <{nontemporal = false}> : (memref<4x8xf32>, index, index) -> f32
    %44 = "memref.load"(%arg3, %41, %39) <{nontemporal = false}> : (memref<8x16xf32>, index, index) -> f32
    %45 = "memref.load"(%arg4, %37, %39) <{nontemporal = false}> : (memref<4x16xf32>, index, index) -> f32
    %46 = "arith.mulf"(%43, %44) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %47 = "arith.addf"(%45, %46) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    "memref.store"(%47, %arg4, %37, %39) <{nontemporal = false}> : (f32, memref<4x16xf32>, index, index) -> ()
    %48 = "arith.addi"(%41, %34) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%48)[^bb5] : (index) -> ()
  ^bb7:  // pred: ^bb5
    %49 = "arith.addi"(%39, %34) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%49)[^bb3] : (index) -> ()
  ^bb8:  // pred: ^bb3
    %50 = "arith.addi"(%37, %34) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%50)[^bb1] : (index) -> ()
  ^bb9:  // pred: ^bb1
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<100xf32>, index) -> (), sym_name = "aff"}> ({
  ^bb0(%arg0: memref<100xf32>, %arg1: index):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    "cf.br"(%0)[^bb1] : (index) -> ()
  ^bb1(%2: index):  // 2 preds: ^bb0, ^bb5
    %3 = "arith.cmpi"(%2, %arg1) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%3)[^bb2, ^bb6] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb2:  // pred: ^bb1
    %4 = "arith.constant"() <{value = 5 : index}> : () -> index
    %5 = "arith.maxsi"(%2, %4) : (index, index) -> index
    %6 = "arith.constant"() <{value = 10 : index}> : () -> index
    %7 = "arith.addi"(%2, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %8 = "arith.constant"() <{value = 100 : index}> : () -> index
    %9 = "arith.minsi"(%7, %8) : (index, index) -> index
    %10 = "arith.constant"() <{value = 1 : index}> : () -> index
    "cf.br"(%5)[^bb3] : (index) -> ()
  ^bb3(%11: index):  // 2 preds: ^bb2, ^bb4
    %12 = "arith.cmpi"(%11, %9) <{predicate = 2 : i64}> : (index, index) -> i1
    "cf.cond_br"(%12)[^bb4, ^bb5] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb4:  // pred: ^bb3
    %13 = "arith.constant"() <{value = 10 : index}> : () -> index
    %14 = "arith.remsi"(%11, %13) : (index, index) -> index
    %15 = "arith.constant"() <{value = 0 : index}> : () -> index
    %16 = "arith.cmpi"(%14, %15) <{predicate = 2 : i64}> : (index, index) -> i1
    %17 = "arith.addi"(%14, %13) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %18 = "arith.select"(%16, %17, %14) : (i1, index, index) -> index
    %19 = "memref.load"(%arg0, %18) <{nontemporal = false}> : (memref<100xf32>, index) -> f32
    %20 = "arith.constant"() <{value = 2 : index}> : () -> index
    %21 = "arith.constant"() <{value = 0 : index}> : () -> index
    %22 = "arith.constant"() <{value = -1 : index}> : () -> index
    %23 = "arith.cmpi"(%11, %21) <{predicate = 2 : i64}> : (index, index) -> i1
    %24 = "arith.subi"(%22, %11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %25 = "arith.select"(%23, %24, %11) : (i1, index, index) -> index
    %26 = "arith.divsi"(%25, %20) : (index, index) -> index
    %27 = "arith.subi"(%22, %26) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %28 = "arith.select"(%23, %27, %26) : (i1, index, index) -> index
    %29 = "arith.addi"(%2, %28) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "memref.store"(%19, %arg0, %29) <{nontemporal = false}> : (f32, memref<100xf32>, index) -> ()
    %30 = "arith.addi"(%11, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%30)[^bb3] : (index) -> ()
  ^bb5:  // pred: ^bb3
    %31 = "arith.addi"(%2, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%31)[^bb1] : (index) -> ()
  ^bb6:  // pred: ^bb1
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

