// Bubble sort in place; the result is the number of passes it took.
// An scf.while that goes on while the last pass swapped something (an i1 and
// two counters carried), around an scf.for whose bound shrinks, around an
// scf.if with stores on one side and a result. The pass is done in the before
// region, so the after region only yields: a do-while. i16 elements.
func.func @bubble_sort(%a: memref<?xi16>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %n = memref.dim %a, %c0 : memref<?xi16>
  %start = arith.subi %n, %c1 : index
  %end:2 = scf.while (%last = %start, %passes = %c0) : (index, index) -> (index, index) {
    %swapped = scf.for %i = %c0 to %last step %c1 iter_args(%any = %false) -> (i1) {
      %right = arith.addi %i, %c1 : index
      %x = memref.load %a[%i] : memref<?xi16>
      %y = memref.load %a[%right] : memref<?xi16>
      %wrong = arith.cmpi sgt, %x, %y : i16
      %now = scf.if %wrong -> (i1) {
        memref.store %y, %a[%i] : memref<?xi16>
        memref.store %x, %a[%right] : memref<?xi16>
        scf.yield %true : i1
      } else {
        scf.yield %any : i1
      }
      scf.yield %now : i1
    }
    %shorter = arith.subi %last, %c1 : index
    %more = arith.addi %passes, %c1 : index
    scf.condition(%swapped) %shorter, %more : index, index
  } do {
  ^bb0(%last: index, %passes: index):
    scf.yield %last, %passes : index, index
  }
  return %end#1 : index
}
