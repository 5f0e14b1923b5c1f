// Mean and variance in one pass by Welford's method, f64.
// The two running values live in memory cells of rank 0 (memref<f64>, no
// subscript) instead of iter_args: each iteration loads and stores both, a
// recurrence through memory with a division in it. uitofp from an i32 count.
func.func @welford(%x: memref<?xf64>) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %mean = memref.alloca() : memref<f64>
  %squares = memref.alloca() : memref<f64>
  memref.store %zero, %mean[] : memref<f64>
  memref.store %zero, %squares[] : memref<f64>
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %seen = arith.addi %i, %c1 : index
    %seen32 = arith.index_cast %seen : index to i32
    %count = arith.uitofp %seen32 : i32 to f64
    %old_mean = memref.load %mean[] : memref<f64>
    %off = arith.subf %xi, %old_mean : f64
    %step = arith.divf %off, %count : f64
    %new_mean = arith.addf %old_mean, %step : f64
    memref.store %new_mean, %mean[] : memref<f64>
    %new_off = arith.subf %xi, %new_mean : f64
    %square = arith.mulf %off, %new_off : f64
    %old_squares = memref.load %squares[] : memref<f64>
    %new_squares = arith.addf %old_squares, %square : f64
    memref.store %new_squares, %squares[] : memref<f64>
  }
  %final_mean = memref.load %mean[] : memref<f64>
  %final_squares = memref.load %squares[] : memref<f64>
  %total32 = arith.index_cast %n : index to i32
  %total = arith.uitofp %total32 : i32 to f64
  %variance = arith.divf %final_squares, %total : f64
  return %final_mean, %variance : f64, f64
}
