"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<8x16xf32>, %arg2: memref<4x16xf32>):
    %0 = "arith.constant"() {value = 0 : index} : () -> index
    %1 = "arith.constant"() {value = 4 : index} : () -> index
    %2 = "arith.constant"() {value = 1 : index} : () -> index
    %3 = "arith.constant"() {value = 16 : index} : () -> index
    %4 = "arith.constant"() {value = 8 : index} : () -> index
    "cf.br"(%0)[^bb1] : (index) -> ()
  ^bb1(%5: index):  // 2 preds: ^bb0, ^bb8
    %6 = "arith.cmpi"(%5, %1) {predicate = 2 : i64} : (index, index) -> i1
    "cf.cond_br"(%6)[^bb2, ^bb9] {operand_segment_sizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:  // pred: ^bb1
    "cf.br"(%0)[^bb3] : (index) -> ()
  ^bb3(%7: index):  // 2 preds: ^bb2, ^bb7
    %8 = "arith.cmpi"(%7, %3) {predicate = 2 : i64} : (index, index) -> i1
    "cf.cond_br"(%8)[^bb4, ^bb8] {operand_segment_sizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:  // pred: ^bb3
    "cf.br"(%0)[^bb5] : (index) -> ()
  ^bb5(%9: index):  // 2 preds: ^bb4, ^bb6
    %10 = "arith.cmpi"(%9, %4) {predicate = 2 : i64} : (index, index) -> i1
    "cf.cond_br"(%10)[^bb6, ^bb7] {operand_segment_sizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb6:  // pred: ^bb5
    %11 = "memref.load"(%arg0, %5, %9) : (memref<4x8xf32>, index, index) -> f32
    %12 = "memref.load"(%arg1, %9, %7) : (memref<8x16xf32>, index, index) -> f32
    %13 = "memref.load"(%arg2, %5, %7) : (memref<4x16xf32>, index, index) -> f32
    %14 = "arith.mulf"(%11, %12) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
    %15 = "arith.addf"(%13, %14) {fastmath = #arith.fastmath<none>} : (f32, f32) -> f32
    "memref.store"(%15, %arg2, %5, %7) : (f32, memref<4x16xf32>, index, index) -> ()
    %16 = "arith.addi"(%9, %2) : (index, index) -> index
    "cf.br"(%16)[^bb5] : (index) -> ()
  ^bb7:  // pred: ^bb5
    %17 = "arith.addi"(%7, %2) : (index, index) -> index
    "cf.br"(%17)[^bb3] : (index) -> ()
  ^bb8:  // pred: ^bb3
    %18 = "arith.addi"(%5, %2) : (index, index) -> index
    "cf.br"(%18)[^bb1] : (index) -> ()
  ^bb9:  // pred: ^bb1
    "func.return"() : () -> ()
  }) {function_type = (memref<4x8xf32>, memref<8x16xf32>, memref<4x16xf32>) -> (), sym_name = "mm"} : () -> ()
  "func.func"() ({
  ^bb0(%arg0: memref<100xf32>, %arg1: index):
    %0 = "arith.constant"() {value = 0 : index} : () -> index
    %1 = "arith.constant"() {value = 2 : index} : () -> index
    "cf.br"(%0)[^bb1] : (index) -> ()
  ^bb1(%2: index):  // 2 preds: ^bb0, ^bb5
    %3 = "arith.cmpi"(%2, %arg1) {predicate = 2 : i64} : (index, index) -> i1
    "cf.cond_br"(%3)[^bb2, ^bb6] {operand_segment_sizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb2:  // pred: ^bb1
    %4 = "arith.constant"() {value = 5 : index} : () -> index
    %5 = "arith.cmpi"(%2, %4) {predicate = 4 : i64} : (index, index) -> i1
    %6 = "arith.select"(%5, %2, %4) : (i1, index, index) -> index
    %7 = "arith.constant"() {value = 10 : index} : () -> index
    %8 = "arith.addi"(%2, %7) : (index, index) -> index
    %9 = "arith.constant"() {value = 100 : index} : () -> index
    %10 = "arith.cmpi"(%8, %9) {predicate = 2 : i64} : (index, index) -> i1
    %11 = "arith.select"(%10, %8, %9) : (i1, index, index) -> index
    %12 = "arith.constant"() {value = 1 : index} : () -> index
    "cf.br"(%6)[^bb3] : (index) -> ()
  ^bb3(%13: index):  // 2 preds: ^bb2, ^bb4
    %14 = "arith.cmpi"(%13, %11) {predicate = 2 : i64} : (index, index) -> i1
    "cf.cond_br"(%14)[^bb4, ^bb5] {operand_segment_sizes = array<i32: 1, 0, 0>} : (i1) -> ()
  ^bb4:  // pred: ^bb3
    %15 = "arith.constant"() {value = 10 : index} : () -> index
    %16 = "arith.remsi"(%13, %15) : (index, index) -> index
    %17 = "arith.constant"() {value = 0 : index} : () -> index
    %18 = "arith.cmpi"(%16, %17) {predicate = 2 : i64} : (index, index) -> i1
    %19 = "arith.addi"(%16, %15) : (index, index) -> index
    %20 = "arith.select"(%18, %19, %16) : (i1, index, index) -> index
    %21 = "memref.load"(%arg0, %20) : (memref<100xf32>, index) -> f32
    %22 = "arith.constant"() {value = 2 : index} : () -> index
    %23 = "arith.constant"() {value = 0 : index} : () -> index
    %24 = "arith.constant"() {value = -1 : index} : () -> index
    %25 = "arith.cmpi"(%13, %23) {predicate = 2 : i64} : (index, index) -> i1
    %26 = "arith.subi"(%24, %13) : (index, index) -> index
    %27 = "arith.select"(%25, %26, %13) : (i1, index, index) -> index
    %28 = "arith.divsi"(%27, %22) : (index, index) -> index
    %29 = "arith.subi"(%24, %28) : (index, index) -> index
    %30 = "arith.select"(%25, %29, %28) : (i1, index, index) -> index
    %31 = "arith.addi"(%2, %30) : (index, index) -> index
    "memref.store"(%21, %arg0, %31) : (f32, memref<100xf32>, index) -> ()
    %32 = "arith.addi"(%13, %12) : (index, index) -> index
    "cf.br"(%32)[^bb3] : (index) -> ()
  ^bb5:  // pred: ^bb3
    %33 = "arith.addi"(%2, %1) : (index, index) -> index
    "cf.br"(%33)[^bb1] : (index) -> ()
  ^bb6:  // pred: ^bb1
    "func.return"() : () -> ()
  }) {function_type = (memref<100xf32>, index) -> (), sym_name = "aff"} : () -> ()
}) : () -> ()

