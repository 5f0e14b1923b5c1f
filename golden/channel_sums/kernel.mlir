// Per-channel sums of an image stored as rows of interleaved channels.
// memref.collapse_shape flattens 6x80 to 480, memref.expand_shape splits that
// into 120 pixels of 4 channels (syntax of MLIR 18 and later, with
// output_shape); both views read the argument, and one is also stored through.
func.func @channel_sums(%image: memref<6x80xf64>, %sums: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c120 = arith.constant 120 : index
  %c480 = arith.constant 480 : index
  %none = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %flat = memref.collapse_shape %image [[0, 1]] : memref<6x80xf64> into memref<480xf64>
  %pixels = memref.expand_shape %flat [[0, 1]] output_shape [120, 4] : memref<480xf64> into memref<120x4xf64>
  scf.for %c = %c0 to %c4 step %c1 {
    %total = scf.for %p = %c0 to %c120 step %c1 iter_args(%sum = %none) -> (f64) {
      %v = memref.load %pixels[%p, %c] : memref<120x4xf64>
      %darker = arith.mulf %v, %half : f64
      memref.store %darker, %pixels[%p, %c] : memref<120x4xf64>
      %next = arith.addf %sum, %v : f64
      scf.yield %next : f64
    }
    memref.store %total, %sums[%c] : memref<4xf64>
  }
  %all = scf.for %i = %c0 to %c480 step %c1 iter_args(%sum = %none) -> (f64) {
    %v = memref.load %flat[%i] : memref<480xf64>
    %next = arith.addf %sum, %v : f64
    scf.yield %next : f64
  }
  return %all : f64
}
