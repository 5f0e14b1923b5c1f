"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: index, %arg1: index):
    %0 = "index.add"(%arg0, %arg1) : (index, index) -> index
    %1 = "index.sub"(%arg0, %arg1) {x.y} : (index, index) -> index
    %2 = "index.mul"(%0, %1) : (index, index) -> index
    %3 = "index.divs"(%0, %1) : (index, index) -> index
    %4 = "index.shl"(%0, %1) : (index, index) -> index
    %5 = "index.cmp"(%0, %1) {pred = #index<cmp_predicate ult>} : (index, index) -> i1
    %6 = "index.constant"() {value = -7 : index} : () -> index
    %7 = "index.bool.constant"() {value = false} : () -> i1
    %8 = "index.sizeof"() : () -> index
    %9 = "index.castu"(%8) : (index) -> i32
    %10 = "index.casts"(%9) : (i32) -> index
    "func.return"(%2) : (index) -> ()
  }) {function_type = (index, index) -> index, sym_name = "i"} : () -> ()
}) : () -> ()

