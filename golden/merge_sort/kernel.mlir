// Bottom-up merge sort; sorts keys and returns the number of merge rounds.
// An scf.while doubles the run length; an scf.for with that computed step
// visits pairs of runs; the merge loop carries two cursors and decides through
// nested scf.ifs which run to take from (a cursor past its run may not be
// loaded). The buffer is a memref.alloc of dynamic extent.
func.func @merge_sort(%keys: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %n = memref.dim %keys, %c0 : memref<?xi32>
  %buffer = memref.alloc(%n) : memref<?xi32>
  %end:2 = scf.while (%run = %c1, %round = %zero) : (index, i32) -> (index, i32) {
    %unsorted = arith.cmpi ult, %run, %n : index
    scf.condition(%unsorted) %run, %round : index, i32
  } do {
  ^bb0(%run: index, %round: i32):
    %pair = arith.addi %run, %run : index
    scf.for %low = %c0 to %n step %pair {
      %run_end = arith.addi %low, %run : index
      %pair_end = arith.addi %low, %pair : index
      %middle = arith.minui %run_end, %n : index
      %high = arith.minui %pair_end, %n : index
      %cursors:2 = scf.for %k = %low to %high step %c1 iter_args(%i = %low, %j = %middle) -> (index, index) {
        %left_lives = arith.cmpi ult, %i, %middle : index
        %take_left = scf.if %left_lives -> (i1) {
          %right_lives = arith.cmpi ult, %j, %high : index
          %not_larger = scf.if %right_lives -> (i1) {
            %x = memref.load %keys[%i] : memref<?xi32>
            %y = memref.load %keys[%j] : memref<?xi32>
            %le = arith.cmpi sle, %x, %y : i32
            scf.yield %le : i1
          } else {
            scf.yield %true : i1
          }
          scf.yield %not_larger : i1
        } else {
          scf.yield %false : i1
        }
        %next:2 = scf.if %take_left -> (index, index) {
          %x = memref.load %keys[%i] : memref<?xi32>
          memref.store %x, %buffer[%k] : memref<?xi32>
          %i1 = arith.addi %i, %c1 : index
          scf.yield %i1, %j : index, index
        } else {
          %y = memref.load %keys[%j] : memref<?xi32>
          memref.store %y, %buffer[%k] : memref<?xi32>
          %j1 = arith.addi %j, %c1 : index
          scf.yield %i, %j1 : index, index
        }
        scf.yield %next#0, %next#1 : index, index
      }
    }
    scf.for %k = %c0 to %n step %c1 {
      %v = memref.load %buffer[%k] : memref<?xi32>
      memref.store %v, %keys[%k] : memref<?xi32>
    }
    %rounds = arith.addi %round, %one : i32
    scf.yield %pair, %rounds : index, i32
  }
  memref.dealloc %buffer : memref<?xi32>
  return %end#1 : i32
}
