// 3x3 median filter of an i16 image, border left out.
// The nine pixels are copied to a small local array and its five smallest are
// put in order by selection: triangular loops with a compare-exchange, an
// scf.if without else that stores both elements. All in one short memory, so
// nearly every access depends on the one before.
func.func @median2d(%image: memref<14x16xi16>, %out: memref<12x14xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %rows = arith.constant 12 : index
  %cols = arith.constant 14 : index
  %pixels = memref.alloca() : memref<9xi16>
  scf.for %y = %c0 to %rows step %c1 {
    scf.for %x = %c0 to %cols step %c1 {
      scf.for %k = %c0 to %c9 step %c1 {
        %dy = arith.divui %k, %c3 : index
        %dx = arith.remui %k, %c3 : index
        %yy = arith.addi %y, %dy : index
        %xx = arith.addi %x, %dx : index
        %v = memref.load %image[%yy, %xx] : memref<14x16xi16>
        memref.store %v, %pixels[%k] : memref<9xi16>
      }
      scf.for %i = %c0 to %c5 step %c1 {
        %next = arith.addi %i, %c1 : index
        scf.for %j = %next to %c9 step %c1 {
          %a = memref.load %pixels[%i] : memref<9xi16>
          %b = memref.load %pixels[%j] : memref<9xi16>
          %wrong = arith.cmpi slt, %b, %a : i16
          scf.if %wrong {
            memref.store %b, %pixels[%i] : memref<9xi16>
            memref.store %a, %pixels[%j] : memref<9xi16>
          }
        }
      }
      %median = memref.load %pixels[%c4] : memref<9xi16>
      memref.store %median, %out[%y, %x] : memref<12x14xi16>
    }
  }
  return
}
