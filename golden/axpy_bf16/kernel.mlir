// y = a * x + y in bfloat16, every product and sum rounded to bf16; the new y
// are also added up in f32, which is the result.
// bf16 scalar argument, bf16 memories, arith on bf16, extf to f32.
func.func @axpy_bf16(%x: memref<?xbf16>, %y: memref<?xbf16>, %a: bf16) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xbf16>
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
    %xi = memref.load %x[%i] : memref<?xbf16>
    %yi = memref.load %y[%i] : memref<?xbf16>
    %product = arith.mulf %a, %xi : bf16
    %new = arith.addf %product, %yi : bf16
    memref.store %new, %y[%i] : memref<?xbf16>
    %wide = arith.extf %new : bf16 to f32
    %next = arith.addf %sum, %wide : f32
    scf.yield %next : f32
  }
  return %total : f32
}
