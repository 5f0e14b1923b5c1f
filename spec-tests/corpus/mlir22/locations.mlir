#map = affine_map<(d0) -> (d0)>
module attributes {m.a = #map} {
  func.func @f(%arg0: i32) -> i32 {
    %0 = arith.addi %arg0, %arg0 : i32
    %1 = arith.addi %0, %arg0 : i32
    %2 = arith.addi %1, %arg0 : i32
    %3 = arith.addi %2, %arg0 : i32
    %4 = arith.addi %3, %arg0 : i32
    %5 = arith.addi %4, %arg0 : i32
    scf.execute_region {
      cf.br ^bb1(%arg0 : i32)
    ^bb1(%6: i32):  // pred: ^bb0
      scf.yield
    }
    return %5 : i32
  }
}

