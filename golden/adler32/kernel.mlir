// Adler-32 checksum (as in zlib) of a message.
// The loop's variable and bounds are i32 instead of index (MLIR 17 and later),
// so the address is an index_cast of it. Two sums are carried, each reduced
// with remui in every iteration.
func.func @adler32(%message: memref<?xi8>, %length: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sixteen = arith.constant 16 : i32
  %modulus = arith.constant 65521 : i32
  %sums:2 = scf.for %i = %zero to %length step %one iter_args(%a = %one, %b = %zero) -> (i32, i32) : i32 {
    %at = arith.index_cast %i : i32 to index
    %byte = memref.load %message[%at] : memref<?xi8>
    %wide = arith.extui %byte : i8 to i32
    %a_sum = arith.addi %a, %wide : i32
    %new_a = arith.remui %a_sum, %modulus : i32
    %b_sum = arith.addi %b, %new_a : i32
    %new_b = arith.remui %b_sum, %modulus : i32
    scf.yield %new_a, %new_b : i32, i32
  }
  %upper = arith.shli %sums#1, %sixteen : i32
  %checksum = arith.ori %upper, %sums#0 : i32
  return %checksum : i32
}
