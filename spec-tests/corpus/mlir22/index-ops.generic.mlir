"builtin.module"() ({
  "func.func"() <{function_type = (index, index, i32) -> i1, sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: index, %arg2: i32):
    %0 = "index.constant"() <{value = 5 : index}> : () -> index
    %1 = "index.constant"() <{value = -9223372036854775808 : index}> : () -> index
    %2 = "index.bool.constant"() <{value = true}> : () -> i1
    %3 = "index.bool.constant"() <{value = false}> : () -> i1
    %4 = "index.add"(%arg0, %arg1) : (index, index) -> index
    %5 = "index.sub"(%arg0, %arg1) {x} : (index, index) -> index
    %6 = "index.mul"(%4, %5) : (index, index) -> index
    %7 = "index.divs"(%arg0, %arg1) : (index, index) -> index
    %8 = "index.divu"(%arg0, %arg1) : (index, index) -> index
    %9 = "index.ceildivs"(%arg0, %arg1) : (index, index) -> index
    %10 = "index.ceildivu"(%arg0, %arg1) : (index, index) -> index
    %11 = "index.floordivs"(%arg0, %arg1) : (index, index) -> index
    %12 = "index.rems"(%arg0, %arg1) : (index, index) -> index
    %13 = "index.remu"(%arg0, %arg1) : (index, index) -> index
    %14 = "index.maxs"(%arg0, %arg1) : (index, index) -> index
    %15 = "index.maxu"(%arg0, %arg1) : (index, index) -> index
    %16 = "index.mins"(%arg0, %arg1) : (index, index) -> index
    %17 = "index.minu"(%arg0, %arg1) : (index, index) -> index
    %18 = "index.shl"(%arg0, %arg1) : (index, index) -> index
    %19 = "index.shrs"(%arg0, %arg1) : (index, index) -> index
    %20 = "index.shru"(%arg0, %arg1) : (index, index) -> index
    %21 = "index.and"(%arg0, %arg1) : (index, index) -> index
    %22 = "index.or"(%arg0, %arg1) : (index, index) -> index
    %23 = "index.xor"(%arg0, %arg1) : (index, index) -> index
    %24 = "index.casts"(%arg2) : (i32) -> index
    %25 = "index.castu"(%24) : (index) -> i64
    %26 = "index.sizeof"() : () -> index
    %27 = "index.cmp"(%arg0, %arg1) <{pred = #index<cmp_predicate slt>}> : (index, index) -> i1
    %28 = "index.cmp"(%arg0, %arg1) <{pred = #index<cmp_predicate ne>}> {k = 1 : i64} : (index, index) -> i1
    %29 = "index.cmp"(%26, %1) <{pred = #index<cmp_predicate ugt>}> : (index, index) -> i1
    "func.return"(%29) : (i1) -> ()
  }) : () -> ()
}) : () -> ()

