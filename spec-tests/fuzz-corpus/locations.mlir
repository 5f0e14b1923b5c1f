#loc = loc(unknown)
#loc1 = loc("k.c":3:5)
#loc2 = loc(fused<"inline">["a.c":1:2, callsite("f"(#loc1) at "g.c":7:8)])
module {
  func.func @f(%a: i32 loc("a.c":1:1)) -> i32 {
    %0 = arith.addi %a, %a : i32 loc(#loc2)
    return %0 : i32 loc("here")
  } loc(#loc1)
} loc(#loc)
