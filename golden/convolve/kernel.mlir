// Full convolution of two sequences of i64: every output sums as many products
// as overlap there. Both inner bounds are computed from the outer variable by
// minsi and maxsi, with differences that are negative at the start; products
// and sums wrap around.
func.func @convolve(%x: memref<?xi64>, %h: memref<?xi64>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  %m = memref.dim %h, %c0 : memref<?xi64>
  %length = memref.dim %y, %c0 : memref<?xi64>
  scf.for %i = %c0 to %length step %c1 {
    %next = arith.addi %i, %c1 : index
    %lead = arith.subi %next, %m : index
    %begin = arith.maxsi %lead, %c0 : index
    %end = arith.minsi %next, %n : index
    %total = scf.for %k = %begin to %end step %c1 iter_args(%sum = %zero) -> (i64) {
      %back = arith.subi %i, %k : index
      %xk = memref.load %x[%k] : memref<?xi64>
      %hk = memref.load %h[%back] : memref<?xi64>
      %product = arith.muli %xk, %hk : i64
      %more = arith.addi %sum, %product : i64
      scf.yield %more : i64
    }
    memref.store %total, %y[%i] : memref<?xi64>
  }
  return
}
