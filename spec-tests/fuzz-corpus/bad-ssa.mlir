func.func @f(%a: i32) -> i32 {
  %1 = arith.addi %0, %nowhere : i32
  %0 = arith.addi %a, %a : i32
  %0 = arith.addi %a, %a : i32
  cf.br ^nowhere
}
