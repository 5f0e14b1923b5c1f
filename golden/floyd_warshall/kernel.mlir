// All shortest paths between 24 nodes by Floyd and Warshall, in place.
// Three nested loops over one memory: every iteration loads three elements and
// an scf.if without else stores a shorter distance, which later iterations of
// all three loops may read.
func.func @floyd_warshall(%dist: memref<24x24xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 24 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %direct = memref.load %dist[%i, %j] : memref<24x24xi32>
        %to_k = memref.load %dist[%i, %k] : memref<24x24xi32>
        %from_k = memref.load %dist[%k, %j] : memref<24x24xi32>
        %via_k = arith.addi %to_k, %from_k : i32
        %shorter = arith.cmpi slt, %via_k, %direct : i32
        scf.if %shorter {
          memref.store %via_k, %dist[%i, %j] : memref<24x24xi32>
        }
      }
    }
  }
  return
}
