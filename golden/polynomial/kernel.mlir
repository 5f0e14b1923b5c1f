// Evaluates a polynomial of degree 7 at many points by Horner's rule with
// math.fma in f64, and stores the value and its floor (math.floor).
// The inner loop walks the coefficients downwards: address n - 1 - k. The
// coefficients are a constant global.
memref.global "private" constant @coefficients : memref<8xf64> = dense<[1.0, -0.5, 0.33, -0.25, 0.2, -0.17, 0.14, -0.125]>

func.func @polynomial(%x: memref<?xf64>, %y: memref<?xf64>, %whole: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %coefficients = memref.get_global @coefficients : memref<8xf64>
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %value = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (f64) {
      %power = arith.subi %c7, %k : index
      %c = memref.load %coefficients[%power] : memref<8xf64>
      %next = math.fma %sum, %xi, %c : f64
      scf.yield %next : f64
    }
    %floor = math.floor %value : f64
    memref.store %value, %y[%i] : memref<?xf64>
    memref.store %floor, %whole[%i] : memref<?xf64>
  }
  return
}
