// Breadth-first search over a graph in compressed rows: hops from a start node.
// The queue is a local memory with head and tail carried by an scf.while; it
// is stored to while it is being read. Inside: a loop over neighbours with
// loaded bounds and an scf.if that appends unseen nodes. Returns how many
// nodes were reached; unreached ones keep -1.
func.func @bfs(%row_start: memref<?xi32>, %neighbour: memref<?xi32>, %hops: memref<?xi32>, %source: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %unseen = arith.constant -1 : i32
  %n = memref.dim %hops, %c0 : memref<?xi32>
  %queue = memref.alloc() : memref<128xindex>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %unseen, %hops[%i] : memref<?xi32>
  }
  memref.store %zero, %hops[%source] : memref<?xi32>
  memref.store %source, %queue[%c0] : memref<128xindex>
  %ends:2 = scf.while (%head = %c0, %tail = %c1) : (index, index) -> (index, index) {
    %waiting = arith.cmpi ult, %head, %tail : index
    scf.condition(%waiting) %head, %tail : index, index
  } do {
  ^bb0(%head: index, %tail: index):
    %node = memref.load %queue[%head] : memref<128xindex>
    %next_head = arith.addi %head, %c1 : index
    %here = memref.load %hops[%node] : memref<?xi32>
    %farther = arith.addi %here, %one : i32
    %after = arith.addi %node, %c1 : index
    %begin32 = memref.load %row_start[%node] : memref<?xi32>
    %end32 = memref.load %row_start[%after] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %new_tail = scf.for %e = %begin to %end step %c1 iter_args(%t = %tail) -> (index) {
      %to32 = memref.load %neighbour[%e] : memref<?xi32>
      %to = arith.index_cast %to32 : i32 to index
      %seen_at = memref.load %hops[%to] : memref<?xi32>
      %is_new = arith.cmpi eq, %seen_at, %unseen : i32
      %grown = scf.if %is_new -> (index) {
        memref.store %farther, %hops[%to] : memref<?xi32>
        memref.store %to, %queue[%t] : memref<128xindex>
        %t1 = arith.addi %t, %c1 : index
        scf.yield %t1 : index
      } else {
        scf.yield %t : index
      }
      scf.yield %grown : index
    }
    scf.yield %next_head, %new_tail : index, index
  }
  memref.dealloc %queue : memref<128xindex>
  return %ends#1 : index
}
