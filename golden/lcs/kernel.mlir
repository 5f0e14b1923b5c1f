// Length of the longest common subsequence of two strings of 60 characters.
// A table of i16 in a local memory; every cell is the one to its upper left
// plus one, or the larger of its neighbours, chosen by an scf.if whose sides
// load different cells that the last iterations stored.
func.func @lcs(%a: memref<60xi8>, %b: memref<60xi8>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %c61 = arith.constant 61 : index
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %table = memref.alloc() : memref<61x61xi16>
  scf.for %k = %c0 to %c61 step %c1 {
    memref.store %zero, %table[%c0, %k] : memref<61x61xi16>
    memref.store %zero, %table[%k, %c0] : memref<61x61xi16>
  }
  scf.for %i = %c0 to %c60 step %c1 {
    %below = arith.addi %i, %c1 : index
    %ai = memref.load %a[%i] : memref<60xi8>
    scf.for %j = %c0 to %c60 step %c1 {
      %right = arith.addi %j, %c1 : index
      %bj = memref.load %b[%j] : memref<60xi8>
      %same = arith.cmpi eq, %ai, %bj : i8
      %length = scf.if %same -> (i16) {
        %diagonal = memref.load %table[%i, %j] : memref<61x61xi16>
        %longer = arith.addi %diagonal, %one : i16
        scf.yield %longer : i16
      } else {
        %up = memref.load %table[%i, %right] : memref<61x61xi16>
        %left = memref.load %table[%below, %j] : memref<61x61xi16>
        %best = arith.maxui %up, %left : i16
        scf.yield %best : i16
      }
      memref.store %length, %table[%below, %right] : memref<61x61xi16>
    }
  }
  %result16 = memref.load %table[%c60, %c60] : memref<61x61xi16>
  %result = arith.extui %result16 : i16 to i32
  memref.dealloc %table : memref<61x61xi16>
  return %result : i32
}
