// Adds 512 numbers of f32 pairwise, as a tree, in place; then sums every
// %stride-th partial sum that is left in memory.
// Two scf.whiles that are counted loops in disguise: one halves its variable
// by a shift until it is zero, the other adds an invariant step up to an
// invariant bound and carries a sum beside it.
func.func @reduction_tree(%x: memref<512xf32>, %stride: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %none = arith.constant 0.0 : f32
  %end = scf.while (%width = %c256) : (index) -> index {
    %more = arith.cmpi sgt, %width, %c0 : index
    scf.condition(%more) %width : index
  } do {
  ^bb0(%width: index):
    scf.for %i = %c0 to %width step %c1 {
      %partner = arith.addi %i, %width : index
      %a = memref.load %x[%i] : memref<512xf32>
      %b = memref.load %x[%partner] : memref<512xf32>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %x[%i] : memref<512xf32>
    }
    %half = arith.shrui %width, %c1 : index
    scf.yield %half : index
  }
  %rest:2 = scf.while (%i = %stride, %sum = %none) : (index, f32) -> (index, f32) {
    %more = arith.cmpi slt, %i, %c512 : index
    scf.condition(%more) %i, %sum : index, f32
  } do {
  ^bb0(%i: index, %sum: f32):
    %v = memref.load %x[%i] : memref<512xf32>
    %new_sum = arith.addf %sum, %v : f32
    %next = arith.addi %i, %stride : index
    scf.yield %next, %new_sum : index, f32
  }
  %total = memref.load %x[%c0] : memref<512xf32>
  return %total, %rest#1 : f32, f32
}
