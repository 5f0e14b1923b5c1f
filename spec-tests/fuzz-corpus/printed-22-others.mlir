"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x4xi32>, index) -> (), sym_name = "g"}> ({
  ^bb0(%arg0: memref<4x4xi32>, %arg1: index):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index
    "scf.parallel"(%0, %0, %2, %2, %1, %1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb0(%arg3: index, %arg4: index):
      %3 = "scf.index_switch"(%arg1) <{cases = array<i64: 2>}> ({
        %5 = "scf.execute_region"() ({
          %6 = "arith.constant"() <{value = 7 : i32}> : () -> i32
          "scf.yield"(%6) : (i32) -> ()
        }) : () -> i32
        "scf.yield"(%5) : (i32) -> ()
      }, {
        %4 = "memref.load"(%arg0, %arg3, %arg4) : (memref<4x4xi32>, index, index) -> i32
        "scf.yield"(%4) : (i32) -> ()
      }) : (index) -> i32
      "memref.store"(%3, %arg0, %arg4, %arg3) : (i32, memref<4x4xi32>, index, index) -> ()
      "scf.reduce"() : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%arg2: index):
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

