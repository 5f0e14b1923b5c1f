module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i64) -> i32 {
    scf.for %arg7 = %arg0 to %arg1 step %arg2 {
    }
    scf.for %arg7 = %arg0 to %arg1 step %arg2 {
    }
    scf.for %arg7 = %arg4 to %arg5 step %arg3  : i32 {
      "test.use"(%arg7) : (i32) -> ()
    }
    scf.for unsigned %arg7 = %arg4 to %arg5 step %arg3  : i32 {
    }
    scf.for unsigned %arg7 = %arg0 to %arg1 step %arg2 {
    } {loop = "unroll"}
    %0:2 = scf.for %arg7 = %arg0 to %arg1 step %arg2 iter_args(%arg8 = %arg3, %arg9 = %arg6) -> (i32, i64) {
      scf.yield %arg8, %arg9 : i32, i64
    } {a.b = 2 : i64}
    %1 = scf.for %arg7 = %arg4 to %arg5 step %arg3 iter_args(%arg8 = %arg3) -> (i32)  : i32 {
      %2 = scf.for unsigned %arg9 = %arg6 to %arg6 step %arg6 iter_args(%arg10 = %arg8) -> (i32)  : i64 {
        scf.yield %arg10 : i32
      }
      scf.yield %2 : i32
    }
    return %1 : i32
  }
}

