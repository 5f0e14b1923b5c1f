// Histogram of 8-bit pixels into 256 bins.
// One loop clears the bins, a second one increments them through a
// data-dependent address: the two loops share a memory and must keep their
// order, and equal neighbours make back-to-back updates of one bin.
func.func @histogram(%image: memref<?xi8>, %bins: memref<256xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %image, %c0 : memref<?xi8>
  scf.for %b = %c0 to %c256 step %c1 {
    memref.store %zero, %bins[%b] : memref<256xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %pixel = memref.load %image[%i] : memref<?xi8>
    %level = arith.extui %pixel : i8 to i32
    %bin = arith.index_cast %level : i32 to index
    %count = memref.load %bins[%bin] : memref<256xi32>
    %more = arith.addi %count, %one : i32
    memref.store %more, %bins[%bin] : memref<256xi32>
  }
  return
}
