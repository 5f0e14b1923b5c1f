// Two-dimensional Jacobi relaxation with a five-point stencil, 6 sweeps, f32.
// The new grid is built in a local buffer (memref.alloc, memref.dealloc) and
// copied back after each sweep; the border of the grid stays as it is.
func.func @jacobi2d(%grid: memref<20x20xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c19 = arith.constant 19 : index
  %fifth = arith.constant 2.000000e-01 : f32
  %next = memref.alloc() : memref<20x20xf32>
  scf.for %t = %c0 to %c6 step %c1 {
    scf.for %i = %c1 to %c19 step %c1 {
      %north = arith.subi %i, %c1 : index
      %south = arith.addi %i, %c1 : index
      scf.for %j = %c1 to %c19 step %c1 {
        %west = arith.subi %j, %c1 : index
        %east = arith.addi %j, %c1 : index
        %here = memref.load %grid[%i, %j] : memref<20x20xf32>
        %w = memref.load %grid[%i, %west] : memref<20x20xf32>
        %e = memref.load %grid[%i, %east] : memref<20x20xf32>
        %s = memref.load %grid[%south, %j] : memref<20x20xf32>
        %n = memref.load %grid[%north, %j] : memref<20x20xf32>
        %sum1 = arith.addf %here, %w : f32
        %sum2 = arith.addf %sum1, %e : f32
        %sum3 = arith.addf %sum2, %s : f32
        %sum4 = arith.addf %sum3, %n : f32
        %mean = arith.mulf %sum4, %fifth : f32
        memref.store %mean, %next[%i, %j] : memref<20x20xf32>
      }
    }
    scf.for %i = %c1 to %c19 step %c1 {
      scf.for %j = %c1 to %c19 step %c1 {
        %v = memref.load %next[%i, %j] : memref<20x20xf32>
        memref.store %v, %grid[%i, %j] : memref<20x20xf32>
      }
    }
  }
  memref.dealloc %next : memref<20x20xf32>
  return
}
