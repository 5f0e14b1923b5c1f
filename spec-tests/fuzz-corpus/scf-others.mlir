func.func @g(%m: memref<4x4xi32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    %v = scf.index_switch %k -> i32
    case 2 {
      %x = memref.load %m[%i, %j] : memref<4x4xi32>
      scf.yield %x : i32
    }
    default {
      %x = scf.execute_region -> i32 {
        %y = arith.constant 7 : i32
        scf.yield %y : i32
      }
      scf.yield %x : i32
    }
    memref.store %v, %m[%j, %i] : memref<4x4xi32>
    scf.reduce
  }
  scf.forall (%i) in (4) {
  }
  return
}
