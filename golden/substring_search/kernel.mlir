// Finds all places where a pattern occurs in a text: how many, and the first
// (-1 if none). For every start an scf.while compares until it finds a
// difference; an scf.if in its before region keeps it from loading beyond the
// pattern. The for carries a count and a position.
func.func @substring_search(%text: memref<?xi8>, %pattern: memref<?xi8>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %nowhere = arith.constant -1 : i32
  %false = arith.constant false
  %n = memref.dim %text, %c0 : memref<?xi8>
  %m = memref.dim %pattern, %c0 : memref<?xi8>
  %room = arith.subi %n, %m : index
  %starts = arith.addi %room, %c1 : index
  %found:2 = scf.for %s = %c0 to %starts step %c1 iter_args(%count = %zero, %first = %nowhere) -> (i32, i32) {
    %matched = scf.while (%k = %c0) : (index) -> index {
      %in_pattern = arith.cmpi ult, %k, %m : index
      %alike = scf.if %in_pattern -> (i1) {
        %at = arith.addi %s, %k : index
        %t = memref.load %text[%at] : memref<?xi8>
        %p = memref.load %pattern[%k] : memref<?xi8>
        %same = arith.cmpi eq, %t, %p : i8
        scf.yield %same : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%alike) %k : index
    } do {
    ^bb0(%k: index):
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    %whole = arith.cmpi eq, %matched, %m : index
    %now:2 = scf.if %whole -> (i32, i32) {
      %more = arith.addi %count, %one : i32
      %none_yet = arith.cmpi eq, %count, %zero : i32
      %here = arith.index_cast %s : index to i32
      %position = arith.select %none_yet, %here, %first : i32
      scf.yield %more, %position : i32, i32
    } else {
      scf.yield %count, %first : i32, i32
    }
    scf.yield %now#0, %now#1 : i32, i32
  }
  return %found#0, %found#1 : i32, i32
}
