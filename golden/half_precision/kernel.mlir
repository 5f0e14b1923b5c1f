// Rounds f32 numbers to the two 16-bit formats, f16 and bf16, and counts how
// many survive each unchanged (extf and an ordered comparison).
// arith.truncf to both types, with ties, halves too small to be normal and
// numbers that become infinite; memories of f16 and bf16 that are only stored.
func.func @half_precision(%x: memref<?xf32>, %half: memref<?xf16>, %brain: memref<?xbf16>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %exact:2 = scf.for %i = %c0 to %n step %c1 iter_args(%halves = %zero, %brains = %zero) -> (i32, i32) {
    %v = memref.load %x[%i] : memref<?xf32>
    %h = arith.truncf %v : f32 to f16
    %b = arith.truncf %v : f32 to bf16
    memref.store %h, %half[%i] : memref<?xf16>
    memref.store %b, %brain[%i] : memref<?xbf16>
    %h_back = arith.extf %h : f16 to f32
    %b_back = arith.extf %b : bf16 to f32
    %h_same = arith.cmpf oeq, %h_back, %v : f32
    %b_same = arith.cmpf oeq, %b_back, %v : f32
    %h_bit = arith.extui %h_same : i1 to i32
    %more_halves = arith.addi %halves, %h_bit : i32
    %more_brains = scf.if %b_same -> (i32) {
      %more = arith.addi %brains, %one : i32
      scf.yield %more : i32
    } else {
      scf.yield %brains : i32
    }
    scf.yield %more_halves, %more_brains : i32, i32
  }
  return %exact#0, %exact#1 : i32, i32
}
