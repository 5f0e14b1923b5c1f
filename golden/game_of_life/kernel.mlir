// Three generations of Conway's Game of Life on a 20x24 torus of i1 cells.
// Memories of i1, logic on i1, wrap-around by remui on index, an scf.if with a
// result inside the innermost of five loops (the cell itself is not counted),
// and a local buffer that is copied back after each generation.
func.func @game_of_life(%cells: memref<20x24xi1>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rows = arith.constant 20 : index
  %cols = arith.constant 24 : index
  %rows_less_1 = arith.constant 19 : index
  %cols_less_1 = arith.constant 23 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %next = memref.alloc() : memref<20x24xi1>
  %alive = scf.for %t = %c0 to %c3 step %c1 iter_args(%before = %zero) -> (i32) {
    scf.for %y = %c0 to %rows step %c1 {
      scf.for %x = %c0 to %cols step %c1 {
        %neighbours = scf.for %dy = %c0 to %c3 step %c1 iter_args(%count_y = %zero) -> (i32) {
          %count = scf.for %dx = %c0 to %c3 step %c1 iter_args(%count_x = %count_y) -> (i32) {
            %same_y = arith.cmpi eq, %dy, %c1 : index
            %same_x = arith.cmpi eq, %dx, %c1 : index
            %self = arith.andi %same_y, %same_x : i1
            %seen = scf.if %self -> (i32) {
              scf.yield %count_x : i32
            } else {
              %sy = arith.addi %y, %dy : index
              %sx = arith.addi %x, %dx : index
              %ty = arith.addi %sy, %rows_less_1 : index
              %tx = arith.addi %sx, %cols_less_1 : index
              %ny = arith.remui %ty, %rows : index
              %nx = arith.remui %tx, %cols : index
              %cell = memref.load %cells[%ny, %nx] : memref<20x24xi1>
              %bit = arith.extui %cell : i1 to i32
              %sum = arith.addi %count_x, %bit : i32
              scf.yield %sum : i32
            }
            scf.yield %seen : i32
          }
          scf.yield %count : i32
        }
        %self = memref.load %cells[%y, %x] : memref<20x24xi1>
        %two_around = arith.cmpi eq, %neighbours, %two : i32
        %three_around = arith.cmpi eq, %neighbours, %three : i32
        %stays = arith.andi %self, %two_around : i1
        %lives = arith.ori %stays, %three_around : i1
        memref.store %lives, %next[%y, %x] : memref<20x24xi1>
      }
    }
    %population = scf.for %y = %c0 to %rows step %c1 iter_args(%count_y = %zero) -> (i32) {
      %count = scf.for %x = %c0 to %cols step %c1 iter_args(%count_x = %count_y) -> (i32) {
        %cell = memref.load %next[%y, %x] : memref<20x24xi1>
        memref.store %cell, %cells[%y, %x] : memref<20x24xi1>
        %bit = arith.extui %cell : i1 to i32
        %sum = arith.addi %count_x, %bit : i32
        scf.yield %sum : i32
      }
      scf.yield %count : i32
    }
    scf.yield %population : i32
  }
  memref.dealloc %next : memref<20x24xi1>
  return %alive : i32
}
