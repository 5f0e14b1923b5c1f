func.func @f(%a: i32 -> i32 {
  %0 = arith.addi %a %a : i32
  %1 = arith.nonsense %a : i32
  scf.for %i = 0 to 4 {
  "unfinished
