// Escape times of the Mandelbrot set on a grid, f64.
// An scf.while that carries two floats and a count and stops on a float
// comparison or at a limit; the squares it computes in its before region are
// passed on to the after region with the rest. sitofp for the coordinates.
func.func @mandelbrot(%escape: memref<?x?xi16>, %limit: i16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %origin = arith.constant 0.000000e+00 : f64
  %two = arith.constant 2.000000e+00 : f64
  %four = arith.constant 4.000000e+00 : f64
  %left = arith.constant -2.100000e+00 : f64
  %bottom = arith.constant -1.200000e+00 : f64
  %pixel = arith.constant 1.250000e-01 : f64
  %rows = memref.dim %escape, %c0 : memref<?x?xi16>
  %cols = memref.dim %escape, %c1 : memref<?x?xi16>
  scf.for %row = %c0 to %rows step %c1 {
    %row32 = arith.index_cast %row : index to i32
    %row_f = arith.sitofp %row32 : i32 to f64
    %dy = arith.mulf %row_f, %pixel : f64
    %cy = arith.addf %bottom, %dy : f64
    scf.for %col = %c0 to %cols step %c1 {
      %col32 = arith.index_cast %col : index to i32
      %col_f = arith.sitofp %col32 : i32 to f64
      %dx = arith.mulf %col_f, %pixel : f64
      %cx = arith.addf %left, %dx : f64
      %end:5 = scf.while (%x = %origin, %y = %origin, %k = %zero) : (f64, f64, i16) -> (f64, f64, f64, f64, i16) {
        %xx = arith.mulf %x, %x : f64
        %yy = arith.mulf %y, %y : f64
        %distance = arith.addf %xx, %yy : f64
        %near = arith.cmpf ole, %distance, %four : f64
        %patient = arith.cmpi slt, %k, %limit : i16
        %more = arith.andi %near, %patient : i1
        scf.condition(%more) %x, %y, %xx, %yy, %k : f64, f64, f64, f64, i16
      } do {
      ^bb0(%x: f64, %y: f64, %xx: f64, %yy: f64, %k: i16):
        %difference = arith.subf %xx, %yy : f64
        %new_x = arith.addf %difference, %cx : f64
        %xy = arith.mulf %x, %y : f64
        %xy2 = arith.mulf %two, %xy : f64
        %new_y = arith.addf %xy2, %cy : f64
        %next = arith.addi %k, %one : i16
        scf.yield %new_x, %new_y, %next : f64, f64, i16
      }
      memref.store %end#4, %escape[%row, %col] : memref<?x?xi16>
    }
  }
  return
}
