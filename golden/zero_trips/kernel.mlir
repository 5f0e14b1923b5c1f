// Loops that do not run: %none is zero at run time, %few is small.
// Zero-trip for and while loops with carried values, nested in each other, in
// both branches of ifs, with loads and stores in their bodies and on either
// side of them; only the loop up to %few runs in some iterations. What is not
// run must leave no trace: the carried values come out as they went in.
func.func @zero_trips(%x: memref<64xi32>, %none: index, %few: index) -> (i32, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = arith.constant 1000 : index
  %end:3 = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %zero, %b = %c0, %c = %one) -> (i32, index, i32) {
    // Never: from i up to zero, with a loop inside.
    %a1 = scf.for %j = %i to %none step %c1 iter_args(%s = %a) -> (i32) {
      %inner = scf.for %k = %none to %j step %c1 iter_args(%t = %s) -> (i32) {
        %v = memref.load %x[%k] : memref<64xi32>
        %t1 = arith.addi %t, %v : i32
        memref.store %t1, %x[%k] : memref<64xi32>
        scf.yield %t1 : i32
      }
      scf.yield %inner : i32
    }
    // In the first iterations only.
    %a2 = scf.for %j = %i to %few step %c1 iter_args(%s = %a1) -> (i32) {
      %v = memref.load %x[%j] : memref<64xi32>
      %s1 = arith.addi %s, %v : i32
      memref.store %s1, %x[%j] : memref<64xi32>
      scf.yield %s1 : i32
    }
    // Never: the condition is false at once.
    %b1:2 = scf.while (%k = %i, %count = %b) : (index, index) -> (index, index) {
      %beyond = arith.cmpi ugt, %k, %far : index
      scf.condition(%beyond) %k, %count : index, index
    } do {
    ^bb0(%k: index, %count: index):
      memref.store %one, %x[%c0] : memref<64xi32>
      %k1 = arith.subi %k, %c1 : index
      %count1 = arith.addi %count, %c1 : index
      scf.yield %k1, %count1 : index, index
    }
    // Either way a loop that does not run, or that runs in even iterations.
    %low = arith.andi %i, %c1 : index
    %odd = arith.cmpi ne, %low, %c0 : index
    %c2 = scf.if %odd -> (i32) {
      %d = scf.for %j = %c1 to %none step %c1 iter_args(%s = %c) -> (i32) {
        %v = memref.load %x[%j] : memref<64xi32>
        %s1 = arith.muli %s, %v : i32
        scf.yield %s1 : i32
      }
      scf.yield %d : i32
    } else {
      scf.for %j = %few to %none step %c1 {
        memref.store %zero, %x[%j] : memref<64xi32>
      }
      %d = scf.for %j = %c0 to %i step %c1 iter_args(%s = %c) -> (i32) {
        %v = memref.load %x[%j] : memref<64xi32>
        %s1 = arith.xori %s, %v : i32
        scf.yield %s1 : i32
      }
      scf.yield %d : i32
    }
    scf.yield %a2, %b1#1, %c2 : i32, index, i32
  }
  return %end#0, %end#1, %end#2 : i32, index, i32
}
