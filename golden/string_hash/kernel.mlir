// FNV-1a hashes, 64 bits wide, of the rows of a table of names; names are
// padded with zeros and only their own bytes count. One step of the hash is a
// helper function (func.call). i64 xor and wrapping multiplication, an
// scf.while with two conditions in its before region inside a for.
func.func private @fnv_step(%hash: i64, %byte: i8) -> i64 {
  %prime = arith.constant 1099511628211 : i64
  %wide = arith.extui %byte : i8 to i64
  %mixed = arith.xori %hash, %wide : i64
  %scaled = arith.muli %mixed, %prime : i64
  return %scaled : i64
}

func.func @string_hash(%names: memref<64x16xi8>, %hashes: memref<64xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 64 : index
  %width = arith.constant 16 : index
  %zero = arith.constant 0 : i64
  %end = arith.constant 0 : i8
  %basis = arith.constant 0xCBF29CE484222325 : i64
  %all = scf.for %row = %c0 to %rows step %c1 iter_args(%together = %zero) -> (i64) {
    %done:3 = scf.while (%k = %c0, %hash = %basis) : (index, i64) -> (index, i64, i8) {
      %in_row = arith.cmpi ult, %k, %width : index
      %char = scf.if %in_row -> (i8) {
        %c = memref.load %names[%row, %k] : memref<64x16xi8>
        scf.yield %c : i8
      } else {
        scf.yield %end : i8
      }
      %more = arith.cmpi ne, %char, %end : i8
      scf.condition(%more) %k, %hash, %char : index, i64, i8
    } do {
    ^bb0(%k: index, %hash: i64, %char: i8):
      %new_hash = func.call @fnv_step(%hash, %char) : (i64, i8) -> i64
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %new_hash : index, i64
    }
    memref.store %done#1, %hashes[%row] : memref<64xi64>
    %sum = arith.xori %together, %done#1 : i64
    scf.yield %sum : i64
  }
  return %all : i64
}
