"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: f64, %arg3: memref<?x1100xf64>, %arg4: memref<?x1200xf64>):
    %0 = "arith.constant"() {value = 0 : index} : () -> index
    %1 = "arith.constant"() {value = 1 : index} : () -> index
    %2 = "arith.index_cast"(%arg0) : (i32) -> index
    %3 = "arith.index_cast"(%arg1) : (i32) -> index
    "scf.for"(%0, %2, %1) ({
    ^bb0(%arg5: index):
      "scf.for"(%0, %3, %1) ({
      ^bb0(%arg6: index):
        %4 = "memref.load"(%arg3, %arg5, %arg6) : (memref<?x1100xf64>, index, index) -> f64
        %5 = "arith.mulf"(%4, %arg2) {fastmath = #arith.fastmath<none>, fastmathFlags = #llvm.fastmath<none>} : (f64, f64) -> f64
        "memref.store"(%5, %arg3, %arg5, %arg6) : (f64, memref<?x1100xf64>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {function_type = (i32, i32, f64, memref<?x1100xf64>, memref<?x1200xf64>) -> (), llvm.linkage = #llvm.linkage<external>, sym_name = "kernel_gemm"} : () -> ()
}) {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f80, dense<128> : vector<2xi32>>, #dlti.dl_entry<i64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">>, llvm.data_layout = "e-m:e-p270:32:32-i64:64", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64"} : () -> ()

