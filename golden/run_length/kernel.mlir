// Run-length encoding: each run of equal bytes becomes a value and a count of
// at most 100. Returns the number of runs. The loop carries the current value,
// its count so far and the output position; the two sides of an scf.if store
// to two memories or only count. The last run is stored behind the loop.
func.func @run_length(%data: memref<?xi8>, %values: memref<?xi8>, %counts: memref<?xi16>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i16
  %limit = arith.constant 100 : i16
  %n = memref.dim %data, %c0 : memref<?xi8>
  %first = memref.load %data[%c0] : memref<?xi8>
  %last:3 = scf.for %i = %c1 to %n step %c1
      iter_args(%value = %first, %count = %one, %out = %c0) -> (i8, i16, index) {
    %next = memref.load %data[%i] : memref<?xi8>
    %same = arith.cmpi eq, %next, %value : i8
    %room = arith.cmpi ult, %count, %limit : i16
    %extend = arith.andi %same, %room : i1
    %run:3 = scf.if %extend -> (i8, i16, index) {
      %longer = arith.addi %count, %one : i16
      scf.yield %value, %longer, %out : i8, i16, index
    } else {
      memref.store %value, %values[%out] : memref<?xi8>
      memref.store %count, %counts[%out] : memref<?xi16>
      %out1 = arith.addi %out, %c1 : index
      scf.yield %next, %one, %out1 : i8, i16, index
    }
    scf.yield %run#0, %run#1, %run#2 : i8, i16, index
  }
  memref.store %last#0, %values[%last#2] : memref<?xi8>
  memref.store %last#1, %counts[%last#2] : memref<?xi16>
  %runs = arith.addi %last#2, %c1 : index
  return %runs : index
}
