// Gray code of i16 numbers, decoded again, with the parity of each number.
// Encoding is x ^ (x >> 1); decoding folds with shifts that a loop halves (8,
// 4, 2, 1); parity is a memory of i1. Returns whether every number survived
// the round trip: an i1 carried by and.
func.func @gray_code(%numbers: memref<?xi16>, %codes: memref<?xi16>, %parity: memref<?xi1>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i16
  %eight = arith.constant 8 : i16
  %true = arith.constant true
  %n = memref.dim %numbers, %c0 : memref<?xi16>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%good = %true) -> (i1) {
    %x = memref.load %numbers[%i] : memref<?xi16>
    %half = arith.shrui %x, %one : i16
    %code = arith.xori %x, %half : i16
    memref.store %code, %codes[%i] : memref<?xi16>
    %decoded:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%v = %code, %shift = %eight) -> (i16, i16) {
      %moved = arith.shrui %v, %shift : i16
      %folded = arith.xori %v, %moved : i16
      %next_shift = arith.shrui %shift, %one : i16
      scf.yield %folded, %next_shift : i16, i16
    }
    %same = arith.cmpi eq, %decoded#0, %x : i16
    %still = arith.andi %good, %same : i1
    // The parity of x is the lowest bit of x folded upon itself, which is what
    // decoding does to it.
    %fold:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%v = %x, %shift = %eight) -> (i16, i16) {
      %moved = arith.shrui %v, %shift : i16
      %folded = arith.xori %v, %moved : i16
      %next_shift = arith.shrui %shift, %one : i16
      scf.yield %folded, %next_shift : i16, i16
    }
    %odd = arith.trunci %fold#0 : i16 to i1
    memref.store %odd, %parity[%i] : memref<?xi1>
    scf.yield %still : i1
  }
  return %all : i1
}
