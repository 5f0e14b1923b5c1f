// Schoolbook product of two numbers of 24 limbs of 32 bits, lowest limb first.
// arith.mului_extended gives both halves of each product, two
// arith.addui_extended add the old limb and the carry: ops with two results,
// some of type i1. The carry runs through the inner loop as an iter_arg, the
// result is accumulated in memory.
func.func @bignum_mul(%a: memref<24xi32>, %b: memref<24xi32>, %product: memref<48xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limbs = arith.constant 24 : index
  %twice = arith.constant 48 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %twice step %c1 {
    memref.store %zero, %product[%i] : memref<48xi32>
  }
  scf.for %i = %c0 to %limbs step %c1 {
    %ai = memref.load %a[%i] : memref<24xi32>
    %top = scf.for %j = %c0 to %limbs step %c1 iter_args(%carry = %zero) -> (i32) {
      %place = arith.addi %i, %j : index
      %bj = memref.load %b[%j] : memref<24xi32>
      %old = memref.load %product[%place] : memref<48xi32>
      %low, %high = arith.mului_extended %ai, %bj : i32
      %sum1, %over1 = arith.addui_extended %low, %old : i32, i1
      %sum2, %over2 = arith.addui_extended %sum1, %carry : i32, i1
      memref.store %sum2, %product[%place] : memref<48xi32>
      %more1 = arith.extui %over1 : i1 to i32
      %more2 = arith.extui %over2 : i1 to i32
      %more = arith.addi %more1, %more2 : i32
      %next = arith.addi %high, %more : i32
      scf.yield %next : i32
    }
    %above = arith.addi %i, %limbs : index
    memref.store %top, %product[%above] : memref<48xi32>
  }
  return
}
