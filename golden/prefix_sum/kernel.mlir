// Running sums in place: x[i] becomes x[0] + ... + x[i], modulo 2^32; the total
// is returned. One loop that loads and stores the same address and carries the
// sum. Written as mlir-opt prints it: a module, numbered values.
module {
  func.func @prefix_sum(%arg0: memref<?xi32>) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_i32 = arith.constant 0 : i32
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    %0 = scf.for %arg1 = %c0 to %dim step %c1 iter_args(%arg2 = %c0_i32) -> (i32) {
      %1 = memref.load %arg0[%arg1] : memref<?xi32>
      %2 = arith.addi %arg2, %1 : i32
      memref.store %2, %arg0[%arg1] : memref<?xi32>
      scf.yield %2 : i32
    }
    return %0 : i32
  }
}
