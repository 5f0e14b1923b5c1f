// One function, every kind of scalar.
func.func @f(%a: i32, %b: index, %c: f32, %d: bf16, %e: i1) -> (i32, f64) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.index_cast %b : index to i32
  %2 = arith.cmpi slt, %0, %1 : i32
  %3 = arith.select %2, %0, %1 : i32
  %4 = arith.extf %c : f32 to f64
  %5 = arith.cmpf oeq, %c, %c : f32
  %cst = arith.constant 1.5 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %6 = math.fma %4, %cst, %inf : f64
  %true = arith.constant true
  %c-1_i32 = arith.constant -1 : i32
  %low, %high = arith.mulsi_extended %3, %c-1_i32 : i32
  return %high, %6 : i32, f64
}
