module {
  func.func @f(%arg0: index, %arg1: i32) -> (i32, f32) {
    %cst = arith.constant 1.000000e+00 : f32
    %0:2 = scf.index_switch %arg0 -> i32, f32 
    case 2 {
      %c10_i32 = arith.constant 10 : i32
      scf.yield %c10_i32, %cst : i32, f32
    }
    case -5 {
      scf.yield %arg1, %cst : i32, f32
    }
    default {
      scf.yield %arg1, %cst : i32, f32
    }
    scf.index_switch %arg0 
    case 0 {
      scf.yield
    }
    default {
    }
    scf.index_switch %arg0 {attr = 1 : i64} 
    default {
      %2 = arith.addi %arg1, %arg1 : i32
    }
    %1 = scf.index_switch %arg0 {attr = 2 : i64} -> i32 
    case 9223372036854775807 {
      scf.yield %arg1 : i32
    }
    default {
      scf.yield %arg1 : i32
    }
    return %0#0, %0#1 : i32, f32
  }
}

