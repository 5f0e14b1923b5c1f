// One over the square root without division, by the well-known constant and
// three steps of Newton's method; returns the largest deviation of x * y * y
// from one. arith.bitcast between f32 and i32, integer arithmetic on the bits
// of a float, negf, absf, an inner loop with a constant trip count.
func.func @fast_rsqrt(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %bit = arith.constant 1 : i32
  %magic = arith.constant 0x5F3759DF : i32
  %none = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %three_halves = arith.constant 1.5 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %deviation = scf.for %i = %c0 to %n step %c1 iter_args(%worst = %none) -> (f32) {
    %v = memref.load %x[%i] : memref<?xf32>
    %bits = arith.bitcast %v : f32 to i32
    %halved = arith.shrui %bits, %bit : i32
    %guess_bits = arith.subi %magic, %halved : i32
    %guess = arith.bitcast %guess_bits : i32 to f32
    %half_v = arith.mulf %v, %half : f32
    %minus_half_v = arith.negf %half_v : f32
    %root = scf.for %k = %c0 to %c3 step %c1 iter_args(%r = %guess) -> (f32) {
      %rr = arith.mulf %r, %r : f32
      %scaled = arith.mulf %minus_half_v, %rr : f32
      %factor = arith.addf %three_halves, %scaled : f32
      %better = arith.mulf %r, %factor : f32
      scf.yield %better : f32
    }
    memref.store %root, %y[%i] : memref<?xf32>
    %vr = arith.mulf %v, %root : f32
    %vrr = arith.mulf %vr, %root : f32
    %off = arith.subf %vrr, %one : f32
    %distance = math.absf %off : f32
    %worse = arith.cmpf ugt, %distance, %worst : f32
    %new_worst = arith.select %worse, %distance, %worst : f32
    scf.yield %new_worst : f32
  }
  return %deviation : f32
}
