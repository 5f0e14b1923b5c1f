// Shortest paths by Bellman and Ford over a list of weighted edges, i64
// distances. Rounds go on while one changed something, so the scf.while's
// condition is an i1 it carries itself, and-ed with a limit on the rounds.
// Returns the number of rounds and whether the distances settled.
func.func @bellman_ford(%from: memref<?xi16>, %to: memref<?xi16>, %weight: memref<?xi64>, %dist: memref<60xi64>) -> (i32, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 60 : i32
  %true = arith.constant true
  %false = arith.constant false
  %edges = memref.dim %from, %c0 : memref<?xi16>
  %end:2 = scf.while (%changed = %true, %round = %zero) : (i1, i32) -> (i1, i32) {
    %in_limit = arith.cmpi slt, %round, %limit : i32
    %again = arith.andi %changed, %in_limit : i1
    scf.condition(%again) %changed, %round : i1, i32
  } do {
  ^bb0(%before: i1, %round: i32):
    %changed = scf.for %e = %c0 to %edges step %c1 iter_args(%any = %false) -> (i1) {
      %u16 = memref.load %from[%e] : memref<?xi16>
      %v16 = memref.load %to[%e] : memref<?xi16>
      %w = memref.load %weight[%e] : memref<?xi64>
      %u = arith.index_cast %u16 : i16 to index
      %v = arith.index_cast %v16 : i16 to index
      %du = memref.load %dist[%u] : memref<60xi64>
      %dv = memref.load %dist[%v] : memref<60xi64>
      %sum = arith.addi %du, %w : i64
      %shorter = arith.cmpi slt, %sum, %dv : i64
      scf.if %shorter {
        memref.store %sum, %dist[%v] : memref<60xi64>
      }
      %now = arith.ori %any, %shorter : i1
      scf.yield %now : i1
    }
    %next = arith.addi %round, %one : i32
    scf.yield %changed, %next : i1, i32
  }
  %settled = arith.xori %end#0, %true : i1
  return %end#1, %settled : i32, i1
}
