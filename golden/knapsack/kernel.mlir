// 0/1 knapsack: the best value for every capacity, in one row updated in place
// from the top down (so that an item counts once). scf.for only goes upwards:
// the capacity is computed backwards from the loop variable. An item heavier
// than the whole knapsack makes the inner bound negative: no iterations.
func.func @knapsack(%weight: memref<?xi32>, %value: memref<?xi32>, %best: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %items = memref.dim %weight, %c0 : memref<?xi32>
  %sizes = memref.dim %best, %c0 : memref<?xi32>
  %capacity = arith.subi %sizes, %c1 : index
  scf.for %c = %c0 to %sizes step %c1 {
    memref.store %zero, %best[%c] : memref<?xi32>
  }
  scf.for %i = %c0 to %items step %c1 {
    %w32 = memref.load %weight[%i] : memref<?xi32>
    %v = memref.load %value[%i] : memref<?xi32>
    %w = arith.index_cast %w32 : i32 to index
    %useful = arith.subi %sizes, %w : index
    scf.for %k = %c0 to %useful step %c1 {
      %c = arith.subi %capacity, %k : index
      %rest = arith.subi %c, %w : index
      %without = memref.load %best[%c] : memref<?xi32>
      %before = memref.load %best[%rest] : memref<?xi32>
      %with = arith.addi %before, %v : i32
      %better = arith.maxsi %without, %with : i32
      memref.store %better, %best[%c] : memref<?xi32>
    }
  }
  %result = memref.load %best[%capacity] : memref<?xi32>
  return %result : i32
}
