// Largest and smallest element of a vector of f32, where each is first found,
// and how many elements are not numbers. Five iter_args of three types;
// ordered and unordered float comparisons, select, infinite initial values.
func.func @argmax(%x: memref<?xf32>) -> (f32, index, f32, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %found:5 = scf.for %i = %c0 to %n step %c1
      iter_args(%max = %minus_infinity, %max_at = %c0, %min = %infinity, %min_at = %c0, %odd = %zero)
      -> (f32, index, f32, index, i32) {
    %v = memref.load %x[%i] : memref<?xf32>
    %larger = arith.cmpf ogt, %v, %max : f32
    %new_max = arith.select %larger, %v, %max : f32
    %new_max_at = arith.select %larger, %i, %max_at : index
    %smaller = arith.cmpf olt, %v, %min : f32
    %new_min = arith.select %smaller, %v, %min : f32
    %new_min_at = arith.select %smaller, %i, %min_at : index
    %no_number = arith.cmpf uno, %v, %v : f32
    %bit = arith.extui %no_number : i1 to i32
    %new_odd = arith.addi %odd, %bit : i32
    scf.yield %new_max, %new_max_at, %new_min, %new_min_at, %new_odd : f32, index, f32, index, i32
  }
  return %found#0, %found#1, %found#2, %found#3, %found#4 : f32, index, f32, index, i32
}
