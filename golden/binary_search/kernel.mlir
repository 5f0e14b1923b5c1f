// Looks up keys in a sorted table: the position of each key, or -1.
// The classic halving scf.while on two index bounds, with an scf.if in its
// after region that yields both; behind it an scf.if that may not load when
// the search ended past the table. Nothing is stored inside the while.
func.func @binary_search(%table: memref<?xi32>, %keys: memref<?xi32>, %position: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %absent = arith.constant -1 : i32
  %n = memref.dim %table, %c0 : memref<?xi32>
  %queries = memref.dim %keys, %c0 : memref<?xi32>
  scf.for %q = %c0 to %queries step %c1 {
    %key = memref.load %keys[%q] : memref<?xi32>
    %bounds:2 = scf.while (%low = %c0, %high = %n) : (index, index) -> (index, index) {
      %open = arith.cmpi ult, %low, %high : index
      scf.condition(%open) %low, %high : index, index
    } do {
    ^bb0(%low: index, %high: index):
      %sum = arith.addi %low, %high : index
      %middle = arith.shrui %sum, %c1 : index
      %v = memref.load %table[%middle] : memref<?xi32>
      %smaller = arith.cmpi slt, %v, %key : i32
      %half:2 = scf.if %smaller -> (index, index) {
        %above = arith.addi %middle, %c1 : index
        scf.yield %above, %high : index, index
      } else {
        scf.yield %low, %middle : index, index
      }
      scf.yield %half#0, %half#1 : index, index
    }
    %inside = arith.cmpi ult, %bounds#0, %n : index
    %answer = scf.if %inside -> (i32) {
      %v = memref.load %table[%bounds#0] : memref<?xi32>
      %hit = arith.cmpi eq, %v, %key : i32
      %at = arith.index_cast %bounds#0 : index to i32
      %found = arith.select %hit, %at, %absent : i32
      scf.yield %found : i32
    } else {
      scf.yield %absent : i32
    }
    memref.store %answer, %position[%q] : memref<?xi32>
  }
  return
}
