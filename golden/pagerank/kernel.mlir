// One step of PageRank over a graph given by incoming edges, f32.
// First each node's share, rank / out-degree, is put into a local buffer (an
// scf.if guards nodes without outgoing edges), then every node sums the shares
// of its sources. Returns the summed |new - old| (math.absf). sitofp, divf.
func.func @pagerank(%row_start: memref<?xi32>, %source: memref<?xi32>, %out_degree: memref<?xi32>,
                    %rank: memref<100xf32>, %damping: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %all = arith.constant 1.0 : f32
  %nodes = arith.constant 100.0 : f32
  %share = memref.alloc() : memref<100xf32>
  scf.for %v = %c0 to %n step %c1 {
    %degree = memref.load %out_degree[%v] : memref<?xi32>
    %has_edges = arith.cmpi sgt, %degree, %zero : i32
    %part = scf.if %has_edges -> (f32) {
      %r = memref.load %rank[%v] : memref<100xf32>
      %d = arith.sitofp %degree : i32 to f32
      %quotient = arith.divf %r, %d : f32
      scf.yield %quotient : f32
    } else {
      scf.yield %none : f32
    }
    memref.store %part, %share[%v] : memref<100xf32>
  }
  %rest = arith.subf %all, %damping : f32
  %base = arith.divf %rest, %nodes : f32
  %change = scf.for %v = %c0 to %n step %c1 iter_args(%delta = %none) -> (f32) {
    %after = arith.addi %v, %c1 : index
    %begin32 = memref.load %row_start[%v] : memref<?xi32>
    %end32 = memref.load %row_start[%after] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %inflow = scf.for %e = %begin to %end step %c1 iter_args(%sum = %none) -> (f32) {
      %u32 = memref.load %source[%e] : memref<?xi32>
      %u = arith.index_cast %u32 : i32 to index
      %s = memref.load %share[%u] : memref<100xf32>
      %next = arith.addf %sum, %s : f32
      scf.yield %next : f32
    }
    %damped = arith.mulf %damping, %inflow : f32
    %new = arith.addf %base, %damped : f32
    %old = memref.load %rank[%v] : memref<100xf32>
    memref.store %new, %rank[%v] : memref<100xf32>
    %step = arith.subf %new, %old : f32
    %distance = math.absf %step : f32
    %moved = arith.addf %delta, %distance : f32
    scf.yield %moved : f32
  }
  memref.dealloc %share : memref<100xf32>
  return %change : f32
}
