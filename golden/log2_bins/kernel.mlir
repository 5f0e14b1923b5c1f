// Sorts numbers into bins by magnitude: bin 0 for zero, bin b for
// 2^(b-1) <= |x| < 2^b. math.absi and math.ctlz give the bin; math.cttz the
// factor of two, whose sum is returned. Read-modify-write of a small memory
// that one loop clears first.
func.func @log2_bins(%x: memref<?xi32>, %bins: memref<33xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  scf.for %b = %c0 to %c33 step %c1 {
    memref.store %zero, %bins[%b] : memref<33xi32>
  }
  %n = memref.dim %x, %c0 : memref<?xi32>
  %twos = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
    %v = memref.load %x[%i] : memref<?xi32>
    %magnitude = math.absi %v : i32
    %zeros = math.ctlz %magnitude : i32
    %bits = arith.subi %width, %zeros : i32
    %bin = arith.index_cast %bits : i32 to index
    %count = memref.load %bins[%bin] : memref<33xi32>
    %counted = arith.addi %count, %one : i32
    memref.store %counted, %bins[%bin] : memref<33xi32>
    %factor = math.cttz %v : i32
    %next = arith.addi %sum, %factor : i32
    scf.yield %next : i32
  }
  return %twos : i32
}
