// Counts the ones of i32 words in two ways: by math.ctpop, and by clearing the
// lowest one until nothing is left (x & (x - 1), an scf.while whose length is
// the answer). Stores the counts as i8 and returns the total of each way.
func.func @popcount(%words: memref<?xi32>, %counts: memref<?xi8>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %words, %c0 : memref<?xi32>
  %totals:2 = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero, %total_loop = %zero) -> (i32, i32) {
    %word = memref.load %words[%i] : memref<?xi32>
    %ones = math.ctpop %word : i32
    %end:2 = scf.while (%rest = %word, %count = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %rest, %zero : i32
      scf.condition(%more) %rest, %count : i32, i32
    } do {
    ^bb0(%rest: i32, %count: i32):
      %below = arith.subi %rest, %one : i32
      %cleared = arith.andi %rest, %below : i32
      %counted = arith.addi %count, %one : i32
      scf.yield %cleared, %counted : i32, i32
    }
    %narrow = arith.trunci %end#1 : i32 to i8
    memref.store %narrow, %counts[%i] : memref<?xi8>
    %sum = arith.addi %total, %ones : i32
    %sum_loop = arith.addi %total_loop, %end#1 : i32
    scf.yield %sum, %sum_loop : i32, i32
  }
  return %totals#0, %totals#1 : i32, i32
}
