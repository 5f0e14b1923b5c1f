// Compares two zero-terminated strings as unsigned bytes: -1, 0 or 1, and the
// position where they part. The while carries an index but passes on the two
// characters as well: its results differ in number and type from its initial
// values. Two memories are read in lock-step; nothing is stored.
func.func @string_compare(%a: memref<?xi8>, %b: memref<?xi8>) -> (i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 0 : i8
  %less = arith.constant -1 : i32
  %equal = arith.constant 0 : i32
  %greater = arith.constant 1 : i32
  %stop:3 = scf.while (%i = %c0) : (index) -> (index, i8, i8) {
    %x = memref.load %a[%i] : memref<?xi8>
    %y = memref.load %b[%i] : memref<?xi8>
    %same = arith.cmpi eq, %x, %y : i8
    %inside = arith.cmpi ne, %x, %end : i8
    %more = arith.andi %same, %inside : i1
    scf.condition(%more) %i, %x, %y : index, i8, i8
  } do {
  ^bb0(%i: index, %x: i8, %y: i8):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  %below = arith.cmpi ult, %stop#1, %stop#2 : i8
  %above = arith.cmpi ugt, %stop#1, %stop#2 : i8
  %upper = arith.select %above, %greater, %equal : i32
  %order = arith.select %below, %less, %upper : i32
  return %order, %stop#0 : i32, index
}
