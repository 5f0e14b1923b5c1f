module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f80, dense<128> : vector<2xi32>>, #dlti.dl_entry<i64, dense<64> : vector<2xi32>>, #dlti.dl_entry<"dlti.endianness", "little">>, llvm.data_layout = "e-m:e-p270:32:32-i64:64", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64"} {
  func.func @kernel_gemm(%arg0: i32, %arg1: i32, %arg2: f64, %arg3: memref<?x1100xf64>, %arg4: memref<?x1200xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = arith.index_cast %arg1 : i32 to index
    scf.for %arg5 = %c0 to %0 step %c1 {
      scf.for %arg6 = %c0 to %1 step %c1 {
        %2 = memref.load %arg3[%arg5, %arg6] : memref<?x1100xf64>
        %3 = arith.mulf %2, %arg2 {fastmathFlags = #llvm.fastmath<none>} : f64
        memref.store %3, %arg3[%arg5, %arg6] : memref<?x1100xf64>
      }
    }
    return
  }
}

