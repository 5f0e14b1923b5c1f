func.func @f(%a: i32, %b: f32) -> i32 {
  %0 = arith.andi %a, %a {overflowFlags = #arith.overflow<none>} : i32
  %1 = arith.addf %b, %b {overflowFlags = #arith.overflow<nsw>, isExact} : f32
  %2 = arith.extsi %a {roundingmode = 1 : i32, fastmath = #arith.fastmath<fast>} : i32 to i64
  %3 = arith.divsi %a, %0 exact : i32
  return %3 : i32
}
