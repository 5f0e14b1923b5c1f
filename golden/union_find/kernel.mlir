// Connected components by union-find with path halving.
// For each edge a helper function walks both ends up to their roots: an
// scf.while that chases loaded pointers and stores shortcuts on its way, so
// each step's addresses depend on the loads of the one before. The smaller
// root becomes the parent. Returns the number of components.
func.func private @find(%parent: memref<?xi32>, %node: i32) -> i32 {
  %root:2 = scf.while (%v = %node) : (i32) -> (i32, i32) {
    %vi = arith.index_cast %v : i32 to index
    %p = memref.load %parent[%vi] : memref<?xi32>
    %not_root = arith.cmpi ne, %p, %v : i32
    scf.condition(%not_root) %v, %p : i32, i32
  } do {
  ^bb0(%v: i32, %p: i32):
    %pi = arith.index_cast %p : i32 to index
    %vi = arith.index_cast %v : i32 to index
    %grandparent = memref.load %parent[%pi] : memref<?xi32>
    memref.store %grandparent, %parent[%vi] : memref<?xi32>
    scf.yield %grandparent : i32
  }
  return %root#1 : i32
}

func.func @union_find(%from: memref<?xi32>, %to: memref<?xi32>, %parent: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %nodes = memref.dim %parent, %c0 : memref<?xi32>
  %edges = memref.dim %from, %c0 : memref<?xi32>
  scf.for %v = %c0 to %nodes step %c1 {
    %self = arith.index_cast %v : index to i32
    memref.store %self, %parent[%v] : memref<?xi32>
  }
  %all = arith.index_cast %nodes : index to i32
  %components = scf.for %e = %c0 to %edges step %c1 iter_args(%count = %all) -> (i32) {
    %u = memref.load %from[%e] : memref<?xi32>
    %v = memref.load %to[%e] : memref<?xi32>
    %ru = func.call @find(%parent, %u) : (memref<?xi32>, i32) -> i32
    %rv = func.call @find(%parent, %v) : (memref<?xi32>, i32) -> i32
    %apart = arith.cmpi ne, %ru, %rv : i32
    %fewer = scf.if %apart -> (i32) {
      %low = arith.minsi %ru, %rv : i32
      %high = arith.maxsi %ru, %rv : i32
      %slot = arith.index_cast %high : i32 to index
      memref.store %low, %parent[%slot] : memref<?xi32>
      %less = arith.subi %count, %one : i32
      scf.yield %less : i32
    } else {
      scf.yield %count : i32
    }
    scf.yield %fewer : i32
  }
  return %components : i32
}
