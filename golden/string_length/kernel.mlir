// The length of a string that ends with a zero byte.
// The smallest data-dependent scf.while: one index carried, a load and a
// compare in the before region, an add in the after region.
func.func @string_length(%text: memref<?xi8>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 0 : i8
  %length = scf.while (%i = %c0) : (index) -> index {
    %char = memref.load %text[%i] : memref<?xi8>
    %more = arith.cmpi ne, %char, %end : i8
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return %length : index
}
