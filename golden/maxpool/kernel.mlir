// Rectifier and 2x2 maximum pooling with stride 2 of a 40x40 f32 image.
// Uses arith.maximumf (MLIR 17 and later): a NaN wins over every number and
// +0 over -0. The running maximum starts at zero, which is the rectifier.
// Output rows are reached through loop steps of 2 and a division of indices.
func.func @maxpool(%image: memref<40x40xf32>, %pooled: memref<20x20xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0.000000e+00 : f32
  scf.for %y = %c0 to %c40 step %c2 {
    %oy = arith.divui %y, %c2 : index
    scf.for %x = %c0 to %c40 step %c2 {
      %ox = arith.divui %x, %c2 : index
      %y_end = arith.addi %y, %c2 : index
      %x_end = arith.addi %x, %c2 : index
      %best = scf.for %yy = %y to %y_end step %c1 iter_args(%best_y = %zero) -> (f32) {
        %best_row = scf.for %xx = %x to %x_end step %c1 iter_args(%best_x = %best_y) -> (f32) {
          %v = memref.load %image[%yy, %xx] : memref<40x40xf32>
          %larger = arith.maximumf %best_x, %v : f32
          scf.yield %larger : f32
        }
        scf.yield %best_row : f32
      }
      memref.store %best, %pooled[%oy, %ox] : memref<20x20xf32>
    }
  }
  return
}
