// Insertion sort in place.
// The inner scf.while moves larger elements up until the key's slot is found;
// its before region holds an scf.if, because a[j-1] may only be loaded while
// j > 0. Loads in the before region, load and store in the after region.
func.func @insertion_sort(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %i = %c1 to %n step %c1 {
    %key = memref.load %a[%i] : memref<?xi32>
    %slot = scf.while (%j = %i) : (index) -> index {
      %not_first = arith.cmpi ugt, %j, %c0 : index
      %move = scf.if %not_first -> (i1) {
        %left = arith.subi %j, %c1 : index
        %v = memref.load %a[%left] : memref<?xi32>
        %larger = arith.cmpi sgt, %v, %key : i32
        scf.yield %larger : i1
      } else {
        %no = arith.constant false
        scf.yield %no : i1
      }
      scf.condition(%move) %j : index
    } do {
    ^bb0(%j: index):
      %left = arith.subi %j, %c1 : index
      %v = memref.load %a[%left] : memref<?xi32>
      memref.store %v, %a[%j] : memref<?xi32>
      scf.yield %left : index
    }
    memref.store %key, %a[%slot] : memref<?xi32>
  }
  return
}
