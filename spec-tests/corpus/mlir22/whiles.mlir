module {
  func.func @f(%arg0: i1, %arg1: i32, %arg2: f32) -> i32 {
    %0 = scf.while (%arg3 = %arg1) : (i32) -> i32 {
      scf.condition(%arg0) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      scf.yield %arg3 : i32
    }
    scf.while : () -> () {
      scf.condition(%arg0)
    } do {
      scf.yield
    }
    %1:2 = scf.while (%arg3 = %arg1, %arg4 = %arg2) : (i32, f32) -> (f32, i32) {
      scf.condition(%arg0) %arg4, %arg3 : f32, i32
    } do {
    ^bb0(%arg3: f32, %arg4: i32):
      scf.yield %arg4, %arg3 : i32, f32
    } attributes {n = 1 : i64}
    %2 = scf.while (%arg3 = %arg1) : (i32) -> f32 {
      scf.condition(%arg0) %arg2 : f32
    } do {
    ^bb0(%arg3: f32):
      scf.yield %arg1 : i32
    }
    scf.while (%arg3 = %arg1) : (i32) -> () {
      scf.condition(%arg0)
    } do {
      scf.yield %arg1 : i32
    }
    return %0 : i32
  }
}

