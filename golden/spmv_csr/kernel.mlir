// Sparse matrix times vector, y = A * x, with A in compressed sparse rows.
// The inner loop's bounds are loaded from memory and empty rows make it run
// zero times; x is read through loaded column numbers. Five memories, dynamic
// extents, the sum carried by iter_args.
func.func @spmv_csr(%row_start: memref<?xi32>, %column: memref<?xi32>, %value: memref<?xf32>,
                    %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %y, %c0 : memref<?xf32>
  scf.for %row = %c0 to %rows step %c1 {
    %next_row = arith.addi %row, %c1 : index
    %begin32 = memref.load %row_start[%row] : memref<?xi32>
    %end32 = memref.load %row_start[%next_row] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %total = scf.for %k = %begin to %end step %c1 iter_args(%sum = %zero) -> (f32) {
      %col32 = memref.load %column[%k] : memref<?xi32>
      %col = arith.index_cast %col32 : i32 to index
      %a = memref.load %value[%k] : memref<?xf32>
      %xc = memref.load %x[%col] : memref<?xf32>
      %product = arith.mulf %a, %xc : f32
      %next = arith.addf %sum, %product : f32
      scf.yield %next : f32
    }
    memref.store %total, %y[%row] : memref<?xf32>
  }
  return
}
