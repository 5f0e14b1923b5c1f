// Three-tap median filter of a signal; the two ends are copied.
// A compare-exchange is an scf.if that yields the pair in either order, the
// rest is a min and a max: an if with two results inside a loop, three
// overlapping loads from one memory.
func.func @median(%in: memref<?xi32>, %out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %in, %c0 : memref<?xi32>
  %last = arith.subi %n, %c1 : index
  %head = memref.load %in[%c0] : memref<?xi32>
  memref.store %head, %out[%c0] : memref<?xi32>
  %tail = memref.load %in[%last] : memref<?xi32>
  memref.store %tail, %out[%last] : memref<?xi32>
  scf.for %i = %c1 to %last step %c1 {
    %before = arith.subi %i, %c1 : index
    %after = arith.addi %i, %c1 : index
    %a = memref.load %in[%before] : memref<?xi32>
    %b = memref.load %in[%i] : memref<?xi32>
    %c = memref.load %in[%after] : memref<?xi32>
    %swap = arith.cmpi sgt, %a, %b : i32
    %low, %high = scf.if %swap -> (i32, i32) {
      scf.yield %b, %a : i32, i32
    } else {
      scf.yield %a, %b : i32, i32
    }
    %cut = arith.minsi %high, %c : i32
    %median = arith.maxsi %low, %cut : i32
    memref.store %median, %out[%i] : memref<?xi32>
  }
  return
}
