// Levenshtein distance of two strings of dynamic length (at most 63).
// Two rolling rows in one memref.alloca, chosen by the parity of the outer
// variable; the value to the left is an iter_arg, the row above is loaded.
// A cost by select, minsi; the rows' roles swap every iteration.
func.func @edit_distance(%a: memref<?xi8>, %b: memref<?xi8>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %a, %c0 : memref<?xi8>
  %m = memref.dim %b, %c0 : memref<?xi8>
  %rows = memref.alloca() : memref<2x64xi32>
  %width = arith.addi %m, %c1 : index
  scf.for %j = %c0 to %width step %c1 {
    %j32 = arith.index_cast %j : index to i32
    memref.store %j32, %rows[%c0, %j] : memref<2x64xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %above = arith.andi %i, %c1 : index
    %here = arith.xori %above, %c1 : index
    %i1 = arith.addi %i, %c1 : index
    %first = arith.index_cast %i1 : index to i32
    memref.store %first, %rows[%here, %c0] : memref<2x64xi32>
    %ai = memref.load %a[%i] : memref<?xi8>
    %last = scf.for %j = %c0 to %m step %c1 iter_args(%left = %first) -> (i32) {
      %j1 = arith.addi %j, %c1 : index
      %bj = memref.load %b[%j] : memref<?xi8>
      %diagonal = memref.load %rows[%above, %j] : memref<2x64xi32>
      %up = memref.load %rows[%above, %j1] : memref<2x64xi32>
      %same = arith.cmpi eq, %ai, %bj : i8
      %cost = arith.select %same, %zero, %one : i32
      %replace = arith.addi %diagonal, %cost : i32
      %remove = arith.addi %up, %one : i32
      %insert = arith.addi %left, %one : i32
      %best1 = arith.minsi %remove, %insert : i32
      %best = arith.minsi %best1, %replace : i32
      memref.store %best, %rows[%here, %j1] : memref<2x64xi32>
      scf.yield %best : i32
    }
  }
  %final = arith.andi %n, %c1 : index
  %distance = memref.load %rows[%final, %m] : memref<2x64xi32>
  return %distance : i32
}
