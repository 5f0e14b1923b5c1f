module @m attributes {a.b = 1 : i32} {
  func.func private @decl(i32 {x.a}, f32) -> (i32 {x.b = "r"})
  func.func public @"odd name"(%arg0: i32) -> ((i32) -> i32) {
    %f = constant @id : (i32) -> i32
    return %f : (i32) -> i32
  }
  func.func nested @id(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
  func.func @none() {
    return
  }
  func.func @multi() -> (i32, f32, index) {
    %2:3 = call @ext3() : () -> (i32, f32, index)
    %3:3 = "foo.x"() : () -> (i32, i32, i32)
    %f = constant @id : (i32) -> i32
    %4 = call_indirect %f(%2#0) : (i32) -> i32
    %5 = call @"odd name"(%4) {tag} : (i32) -> ((i32) -> i32)
    scf.execute_region {
      %7 = func.call @id(%4) : (i32) -> i32
      scf.yield
    }
    %6:2 = "foo.y"(%3#1, %3#2) : (i32, i32) -> (i32, i32)
    return %2#0, %2#1, %2#2 : i32, f32, index
  }
  func.func private @ext3() -> (i32, f32, index)
  func.func @attrs(%arg0: i32 {foo.x, x.x = [1, 2]}) attributes {x.z = {a = 1 : i64}} {
    return {fin}
  }
  module {
    module @nested {
    }
  }
  %0:2 = unrealized_conversion_cast %1#0 : i32 to f32, f32
  %1:2 = "foo.graph"(%0#0) : (f32) -> (i32, i32)
}

