// Adds two signed 8-bit images with saturation.
// A two-dimensional scf.parallel without reduction: its iterations touch
// different elements, so any order gives the same result. i8 is extended to
// i16, clamped by minsi and maxsi, and truncated again.
func.func @image_add(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %sum: memref<?x?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant -128 : i16
  %high = arith.constant 127 : i16
  %rows = memref.dim %a, %c0 : memref<?x?xi8>
  %cols = memref.dim %a, %c1 : memref<?x?xi8>
  scf.parallel (%y, %x) = (%c0, %c0) to (%rows, %cols) step (%c1, %c1) {
    %p8 = memref.load %a[%y, %x] : memref<?x?xi8>
    %q8 = memref.load %b[%y, %x] : memref<?x?xi8>
    %p = arith.extsi %p8 : i8 to i16
    %q = arith.extsi %q8 : i8 to i16
    %exact = arith.addi %p, %q : i16
    %floor = arith.maxsi %exact, %low : i16
    %clamped = arith.minsi %floor, %high : i16
    %result = arith.trunci %clamped : i16 to i8
    memref.store %result, %sum[%y, %x] : memref<?x?xi8>
  }
  return
}
