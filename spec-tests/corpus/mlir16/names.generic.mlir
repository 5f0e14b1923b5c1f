"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: i32):
    %0 = "arith.addi"(%arg0, %arg1) : (i32, i32) -> i32
    %1 = "arith.constant"() {value = 5 : i32} : () -> i32
    %2 = "arith.constant"() {value = 6 : i32} : () -> i32
    %3 = "arith.constant"() {value = 0 : index} : () -> index
    %4 = "arith.constant"() {value = 1 : index} : () -> index
    %5:2 = "foo.x"() : () -> (i32, i32)
    "scf.for"(%3, %3, %4) ({
    ^bb0(%arg3: index):
      %8 = "arith.constant"() {value = 7 : i32} : () -> i32
      %9 = "arith.addi"(%8, %arg2) : (i32, i32) -> i32
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%3, %3, %4) ({
    ^bb0(%arg3: index):
      %8 = "arith.constant"() {value = 7 : i32} : () -> i32
      %9 = "arith.addi"(%8, %arg2) : (i32, i32) -> i32
      "scf.for"(%3, %3, %4) ({
      ^bb0(%arg4: index):
        %10 = "arith.addi"(%8, %arg2) : (i32, i32) -> i32
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %6 = "arith.constant"() {value = 1 : i32} : () -> i32
    %7 = "arith.constant"() {value = 7 : i32} : () -> i32
    "func.return"(%0) : (i32) -> ()
  }) {function_type = (i32, i32, i32) -> i32, sym_name = "names"} : () -> ()
}) : () -> ()

