// Finite impulse response filter of i16 samples, any number of taps.
// The samples under the filter are a subview of the input at the loop
// variable's offset, of dynamic size; the inner loop reads the view and the
// coefficients, accumulates in i64, and the sum is scaled by an arithmetic
// shift and truncated to i32.
func.func @fir(%x: memref<?xi16>, %taps: memref<?xi16>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %scale = arith.constant 12 : i64
  %n = memref.dim %y, %c0 : memref<?xi32>
  %m = memref.dim %taps, %c0 : memref<?xi16>
  %last = arith.subi %m, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %window = memref.subview %x[%i] [%m] [1] : memref<?xi16> to memref<?xi16, strided<[1], offset: ?>>
    %total = scf.for %k = %c0 to %m step %c1 iter_args(%sum = %zero) -> (i64) {
      %back = arith.subi %last, %k : index
      %s16 = memref.load %window[%back] : memref<?xi16, strided<[1], offset: ?>>
      %t16 = memref.load %taps[%k] : memref<?xi16>
      %s = arith.extsi %s16 : i16 to i64
      %t = arith.extsi %t16 : i16 to i64
      %product = arith.muli %s, %t : i64
      %next = arith.addi %sum, %product : i64
      scf.yield %next : i64
    }
    %scaled = arith.shrsi %total, %scale : i64
    %result = arith.trunci %scaled : i64 to i32
    memref.store %result, %y[%i] : memref<?xi32>
  }
  return
}
