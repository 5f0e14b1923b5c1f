// Second-order recursive filter (biquad, direct form I), in place, f32.
// Four iter_args hold the last two inputs and outputs: a loop-carried chain of
// floating-point operations. Coefficients come from a constant global; the
// filter's final state is the function's four results.
memref.global "private" constant @coefficients : memref<5xf32> = dense<[0.2, 0.4, 0.2, -0.75, 0.5]>

func.func @biquad(%signal: memref<?xf32>) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %table = memref.get_global @coefficients : memref<5xf32>
  %b0 = memref.load %table[%c0] : memref<5xf32>
  %b1 = memref.load %table[%c1] : memref<5xf32>
  %b2 = memref.load %table[%c2] : memref<5xf32>
  %a1 = memref.load %table[%c3] : memref<5xf32>
  %a2 = memref.load %table[%c4] : memref<5xf32>
  %n = memref.dim %signal, %c0 : memref<?xf32>
  %state:4 = scf.for %i = %c0 to %n step %c1
      iter_args(%x1 = %zero, %x2 = %zero, %y1 = %zero, %y2 = %zero) -> (f32, f32, f32, f32) {
    %x = memref.load %signal[%i] : memref<?xf32>
    %t0 = arith.mulf %b0, %x : f32
    %t1 = arith.mulf %b1, %x1 : f32
    %t2 = arith.mulf %b2, %x2 : f32
    %t3 = arith.mulf %a1, %y1 : f32
    %t4 = arith.mulf %a2, %y2 : f32
    %s1 = arith.addf %t0, %t1 : f32
    %s2 = arith.addf %s1, %t2 : f32
    %s3 = arith.subf %s2, %t3 : f32
    %y = arith.subf %s3, %t4 : f32
    memref.store %y, %signal[%i] : memref<?xf32>
    scf.yield %x, %x1, %y, %y1 : f32, f32, f32, f32
  }
  return %state#0, %state#1, %state#2, %state#3 : f32, f32, f32, f32
}
