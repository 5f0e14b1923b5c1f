// Radix-2 fast Fourier transform of 128 complex f32 values, in place.
// First a permutation by llvm.intr.bitreverse whose swap is an scf.if without
// else, then butterflies: an scf.while that doubles the span and halves the
// stride into the twiddle tables, around two for loops, one with a step from
// the while. Four memories, two of them updated at computed addresses.
func.func @fft(%re: memref<128xf32>, %im: memref<128xf32>, %cos: memref<64xf32>, %sin: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half_n = arith.constant 64 : index
  %n = arith.constant 128 : index
  %shift = arith.constant 25 : i32
  scf.for %i = %c0 to %n step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %mirrored = llvm.intr.bitreverse(%i32) : (i32) -> i32
    %j32 = arith.shrui %mirrored, %shift : i32
    %j = arith.index_cast %j32 : i32 to index
    %swap = arith.cmpi ult, %i, %j : index
    scf.if %swap {
      %re_i = memref.load %re[%i] : memref<128xf32>
      %re_j = memref.load %re[%j] : memref<128xf32>
      memref.store %re_j, %re[%i] : memref<128xf32>
      memref.store %re_i, %re[%j] : memref<128xf32>
      %im_i = memref.load %im[%i] : memref<128xf32>
      %im_j = memref.load %im[%j] : memref<128xf32>
      memref.store %im_j, %im[%i] : memref<128xf32>
      memref.store %im_i, %im[%j] : memref<128xf32>
    }
  }
  %end:2 = scf.while (%half = %c1, %stride = %half_n) : (index, index) -> (index, index) {
    %more = arith.cmpi ult, %half, %n : index
    scf.condition(%more) %half, %stride : index, index
  } do {
  ^bb0(%half: index, %stride: index):
    %span = arith.shli %half, %c1 : index
    scf.for %base = %c0 to %n step %span {
      scf.for %k = %c0 to %half step %c1 {
        %top = arith.addi %base, %k : index
        %bottom = arith.addi %top, %half : index
        %t = arith.muli %k, %stride : index
        %wr = memref.load %cos[%t] : memref<64xf32>
        %wi = memref.load %sin[%t] : memref<64xf32>
        %ar = memref.load %re[%top] : memref<128xf32>
        %ai = memref.load %im[%top] : memref<128xf32>
        %br = memref.load %re[%bottom] : memref<128xf32>
        %bi = memref.load %im[%bottom] : memref<128xf32>
        %p0 = arith.mulf %br, %wr : f32
        %p1 = arith.mulf %bi, %wi : f32
        %p2 = arith.mulf %br, %wi : f32
        %p3 = arith.mulf %bi, %wr : f32
        %cr = arith.subf %p0, %p1 : f32
        %ci = arith.addf %p2, %p3 : f32
        %top_re = arith.addf %ar, %cr : f32
        %top_im = arith.addf %ai, %ci : f32
        %bottom_re = arith.subf %ar, %cr : f32
        %bottom_im = arith.subf %ai, %ci : f32
        memref.store %top_re, %re[%top] : memref<128xf32>
        memref.store %top_im, %im[%top] : memref<128xf32>
        memref.store %bottom_re, %re[%bottom] : memref<128xf32>
        memref.store %bottom_im, %im[%bottom] : memref<128xf32>
      }
    }
    %half_stride = arith.shrui %stride, %c1 : index
    scf.yield %span, %half_stride : index, index
  }
  return
}
