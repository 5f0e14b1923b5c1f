// Two-dimensional convolution of an i16 image with a constant 3x3 kernel.
// The weights are a memref.global constant read through memref.get_global;
// four nested loops, two of them with iter_args, and dynamic extents of which
// those of the output give the loop bounds. i16 operands, i32 sums.
memref.global "private" constant @weights : memref<3x3xi16> = dense<[[-1, 2, -3], [4, 30, -4], [3, -2, 1]]>

func.func @conv2d(%image: memref<?x?xi16>, %out: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %weights = memref.get_global @weights : memref<3x3xi16>
  %rows = memref.dim %out, %c0 : memref<?x?xi32>
  %cols = memref.dim %out, %c1 : memref<?x?xi32>
  scf.for %y = %c0 to %rows step %c1 {
    scf.for %x = %c0 to %cols step %c1 {
      %pixel = scf.for %dy = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (i32) {
        %yy = arith.addi %y, %dy : index
        %line = scf.for %dx = %c0 to %c3 step %c1 iter_args(%sum = %outer) -> (i32) {
          %xx = arith.addi %x, %dx : index
          %p16 = memref.load %image[%yy, %xx] : memref<?x?xi16>
          %w16 = memref.load %weights[%dy, %dx] : memref<3x3xi16>
          %p = arith.extsi %p16 : i16 to i32
          %w = arith.extsi %w16 : i16 to i32
          %product = arith.muli %p, %w : i32
          %next = arith.addi %sum, %product : i32
          scf.yield %next : i32
        }
        scf.yield %line : i32
      }
      memref.store %pixel, %out[%y, %x] : memref<?x?xi32>
    }
  }
  return
}
