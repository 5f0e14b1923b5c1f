// Quantises f32 to signed bytes with a scale: floor(x * scale + 0.5), clamped,
// and turned back. Returns the largest error and the f64 sum of squared errors.
// A tour of conversions: fptosi, sitofp, extf, truncf, trunci, extsi; math.floor
// and math.absf; clamping by cmpf and select.
func.func @quantize(%x: memref<?xf32>, %q: memref<?xi8>, %scale: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 5.000000e-01 : f32
  %low = arith.constant -1.280000e+02 : f32
  %high = arith.constant 1.270000e+02 : f32
  %none = arith.constant 0.000000e+00 : f32
  %none64 = arith.constant 0.000000e+00 : f64
  %n = memref.dim %x, %c0 : memref<?xf32>
  %errors:2 = scf.for %i = %c0 to %n step %c1 iter_args(%worst = %none, %squares = %none64) -> (f32, f64) {
    %v = memref.load %x[%i] : memref<?xf32>
    %scaled = arith.mulf %v, %scale : f32
    %shifted = arith.addf %scaled, %half : f32
    %whole = math.floor %shifted : f32
    %below = arith.cmpf olt, %whole, %low : f32
    %raised = arith.select %below, %low, %whole : f32
    %above = arith.cmpf ogt, %raised, %high : f32
    %clamped = arith.select %above, %high, %raised : f32
    %wide = arith.fptosi %clamped : f32 to i32
    %byte = arith.trunci %wide : i32 to i8
    memref.store %byte, %q[%i] : memref<?xi8>
    %again = arith.extsi %byte : i8 to i32
    %level = arith.sitofp %again : i32 to f32
    %restored = arith.divf %level, %scale : f32
    %difference = arith.subf %v, %restored : f32
    %error = math.absf %difference : f32
    %worse = arith.cmpf ogt, %error, %worst : f32
    %new_worst = arith.select %worse, %error, %worst : f32
    %error64 = arith.extf %error : f32 to f64
    %square = arith.mulf %error64, %error64 : f64
    %sum = arith.addf %squares, %square : f64
    scf.yield %new_worst, %sum : f32, f64
  }
  %total = arith.truncf %errors#1 : f64 to f32
  return %errors#0, %total : f32, f32
}
