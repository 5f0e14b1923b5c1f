// Counts the ways to place n queens on an n x n board (n <= 8), without
// recursion: the sets of free squares, and of attacked columns and diagonals,
// of every row so far are kept as bit masks on four stacks in local memories.
// One long scf.while that climbs and descends, with scf.ifs three deep and
// stores in some branches only.
func.func @n_queens(%n: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %free = memref.alloca() : memref<9xi32>
  %columns = memref.alloca() : memref<9xi32>
  %left = memref.alloca() : memref<9xi32>
  %right = memref.alloca() : memref<9xi32>
  %power = arith.shli %one, %n : i32
  %board = arith.subi %power, %one : i32
  memref.store %board, %free[%c0] : memref<9xi32>
  memref.store %zero, %columns[%c0] : memref<9xi32>
  memref.store %zero, %left[%c0] : memref<9xi32>
  memref.store %zero, %right[%c0] : memref<9xi32>
  %end:4 = scf.while (%row = %c0, %alive = %true, %solutions = %zero, %steps = %zero)
      : (index, i1, i32, i32) -> (index, i1, i32, i32) {
    scf.condition(%alive) %row, %alive, %solutions, %steps : index, i1, i32, i32
  } do {
  ^bb0(%row: index, %alive: i1, %solutions: i32, %steps: i32):
    %squares = memref.load %free[%row] : memref<9xi32>
    %stuck = arith.cmpi eq, %squares, %zero : i32
    %next:3 = scf.if %stuck -> (index, i1, i32) {
      // Nothing left to try in this row: back to the row before, if there is one.
      %not_first = arith.cmpi ne, %row, %c0 : index
      %previous = scf.if %not_first -> (index) {
        %up = arith.subi %row, %c1 : index
        scf.yield %up : index
      } else {
        scf.yield %c0 : index
      }
      scf.yield %previous, %not_first, %solutions : index, i1, i32
    } else {
      // Take the lowest free square.
      %minus = arith.subi %zero, %squares : i32
      %queen = arith.andi %squares, %minus : i32
      %others = arith.xori %squares, %queen : i32
      memref.store %others, %free[%row] : memref<9xi32>
      %old_columns = memref.load %columns[%row] : memref<9xi32>
      %new_columns = arith.ori %old_columns, %queen : i32
      %complete = arith.cmpi eq, %new_columns, %board : i32
      %after:2 = scf.if %complete -> (index, i32) {
        %found = arith.addi %solutions, %one : i32
        scf.yield %row, %found : index, i32
      } else {
        %old_left = memref.load %left[%row] : memref<9xi32>
        %old_right = memref.load %right[%row] : memref<9xi32>
        %with_left = arith.ori %old_left, %queen : i32
        %with_right = arith.ori %old_right, %queen : i32
        %new_left = arith.shli %with_left, %one : i32
        %new_right = arith.shrui %with_right, %one : i32
        %diagonals = arith.ori %new_left, %new_right : i32
        %attacked = arith.ori %new_columns, %diagonals : i32
        %kept = arith.andi %attacked, %board : i32
        %open = arith.xori %kept, %board : i32
        %down = arith.addi %row, %c1 : index
        memref.store %new_columns, %columns[%down] : memref<9xi32>
        memref.store %new_left, %left[%down] : memref<9xi32>
        memref.store %new_right, %right[%down] : memref<9xi32>
        memref.store %open, %free[%down] : memref<9xi32>
        scf.yield %down, %solutions : index, i32
      }
      scf.yield %after#0, %true, %after#1 : index, i1, i32
    }
    %more_steps = arith.addi %steps, %one : i32
    scf.yield %next#0, %next#1, %next#2, %more_steps : index, i1, i32, i32
  }
  return %end#2, %end#3 : i32, i32
}
