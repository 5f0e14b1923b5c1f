// Sine and cosine of angles by CORDIC, fixed point with 28 bits of fraction.
// Three i32 values rotate through sixteen iterations: arithmetic shifts by the
// iteration number, additions or subtractions chosen by arith.select, and a
// table of arc tangents that is a constant global.
memref.global "private" constant @arc_tangent : memref<16xi32> = dense<[
    210828714, 124459457, 65760959, 33381290, 16755422, 8385879, 4193963, 2097109,
    1048571, 524287, 262144, 131072, 65536, 32768, 16384, 8192]>

func.func @cordic(%angle: memref<?xi32>, %cosine: memref<?xi32>, %sine: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %gain = arith.constant 163008219 : i32
  %table = memref.get_global @arc_tangent : memref<16xi32>
  %n = memref.dim %angle, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %angle[%i] : memref<?xi32>
    %end:3 = scf.for %k = %c0 to %c16 step %c1 iter_args(%x = %gain, %y = %zero, %z = %a) -> (i32, i32, i32) {
      %k32 = arith.index_cast %k : index to i32
      %dx = arith.shrsi %x, %k32 : i32
      %dy = arith.shrsi %y, %k32 : i32
      %dz = memref.load %table[%k] : memref<16xi32>
      %left = arith.cmpi sge, %z, %zero : i32
      %x_left = arith.subi %x, %dy : i32
      %x_right = arith.addi %x, %dy : i32
      %y_left = arith.addi %y, %dx : i32
      %y_right = arith.subi %y, %dx : i32
      %z_left = arith.subi %z, %dz : i32
      %z_right = arith.addi %z, %dz : i32
      %x1 = arith.select %left, %x_left, %x_right : i32
      %y1 = arith.select %left, %y_left, %y_right : i32
      %z1 = arith.select %left, %z_left, %z_right : i32
      scf.yield %x1, %y1, %z1 : i32, i32, i32
    }
    memref.store %end#0, %cosine[%i] : memref<?xi32>
    memref.store %end#1, %sine[%i] : memref<?xi32>
  }
  return
}
