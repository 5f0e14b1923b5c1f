// Blurs a 24x24 f16 image in place with the weights 1/4, 1/2, 1/4, first along
// the rows into a local buffer, then along the columns back into the image.
// The border is clamped by minsi and maxsi on index values. All arithmetic is
// f16, rounded after each operation; the halves and quarters are exact.
func.func @blur(%image: memref<24x24xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c23 = arith.constant 23 : index
  %c24 = arith.constant 24 : index
  %half = arith.constant 5.000000e-01 : f16
  %quarter = arith.constant 2.500000e-01 : f16
  %rows = memref.alloca() : memref<24x24xf16>
  scf.for %y = %c0 to %c24 step %c1 {
    scf.for %x = %c0 to %c24 step %c1 {
      %left = arith.subi %x, %c1 : index
      %right = arith.addi %x, %c1 : index
      %xl = arith.maxsi %left, %c0 : index
      %xr = arith.minsi %right, %c23 : index
      %a = memref.load %image[%y, %xl] : memref<24x24xf16>
      %b = memref.load %image[%y, %x] : memref<24x24xf16>
      %c = memref.load %image[%y, %xr] : memref<24x24xf16>
      %sides = arith.addf %a, %c : f16
      %quarters = arith.mulf %sides, %quarter : f16
      %halves = arith.mulf %b, %half : f16
      %v = arith.addf %quarters, %halves : f16
      memref.store %v, %rows[%y, %x] : memref<24x24xf16>
    }
  }
  scf.for %y = %c0 to %c24 step %c1 {
    %up = arith.subi %y, %c1 : index
    %down = arith.addi %y, %c1 : index
    %yu = arith.maxsi %up, %c0 : index
    %yd = arith.minsi %down, %c23 : index
    scf.for %x = %c0 to %c24 step %c1 {
      %a = memref.load %rows[%yu, %x] : memref<24x24xf16>
      %b = memref.load %rows[%y, %x] : memref<24x24xf16>
      %c = memref.load %rows[%yd, %x] : memref<24x24xf16>
      %sides = arith.addf %a, %c : f16
      %quarters = arith.mulf %sides, %quarter : f16
      %halves = arith.mulf %b, %half : f16
      %v = arith.addf %quarters, %halves : f16
      memref.store %v, %image[%y, %x] : memref<24x24xf16>
    }
  }
  return
}
