// Discrete cosine transform of 8x8 blocks in place: M * X * M^T, f32.
// The block is a slice of a rank-3 memref (a subview that drops a dimension);
// the product in between lives in a memref.alloca; the 64 cosines are a
// constant global. Two triple loops inside a loop over the blocks.
memref.global "private" constant @cosines : memref<8x8xf32> = dense<[
    [0.353553385, 0.353553385, 0.353553385, 0.353553385, 0.353553385, 0.353553385, 0.353553385, 0.353553385],
    [0.49039264, 0.415734798, 0.277785122, 0.0975451618, -0.0975451618, -0.277785122, -0.415734798, -0.49039264],
    [0.461939752, 0.191341713, -0.191341713, -0.461939752, -0.461939752, -0.191341713, 0.191341713, 0.461939752],
    [0.415734798, -0.0975451618, -0.49039264, -0.277785122, 0.277785122, 0.49039264, 0.0975451618, -0.415734798],
    [0.353553385, -0.353553385, -0.353553385, 0.353553385, 0.353553385, -0.353553385, -0.353553385, 0.353553385],
    [0.277785122, -0.49039264, 0.0975451618, 0.415734798, -0.415734798, -0.0975451618, 0.49039264, -0.277785122],
    [0.191341713, -0.461939752, 0.461939752, -0.191341713, -0.191341713, 0.461939752, -0.461939752, 0.191341713],
    [0.0975451618, -0.277785122, 0.415734798, -0.49039264, 0.49039264, -0.415734798, 0.277785122, -0.0975451618]]>

func.func @dct(%blocks: memref<?x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.get_global @cosines : memref<8x8xf32>
  %half_done = memref.alloca() : memref<8x8xf32>
  %count = memref.dim %blocks, %c0 : memref<?x8x8xf32>
  scf.for %b = %c0 to %count step %c1 {
    %block = memref.subview %blocks[%b, 0, 0] [1, 8, 8] [1, 1, 1]
        : memref<?x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    scf.for %u = %c0 to %c8 step %c1 {
      scf.for %x = %c0 to %c8 step %c1 {
        %total = scf.for %y = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (f32) {
          %c = memref.load %m[%u, %y] : memref<8x8xf32>
          %v = memref.load %block[%y, %x] : memref<8x8xf32, strided<[8, 1], offset: ?>>
          %product = arith.mulf %c, %v : f32
          %next = arith.addf %sum, %product : f32
          scf.yield %next : f32
        }
        memref.store %total, %half_done[%u, %x] : memref<8x8xf32>
      }
    }
    scf.for %u = %c0 to %c8 step %c1 {
      scf.for %v = %c0 to %c8 step %c1 {
        %total = scf.for %x = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (f32) {
          %h = memref.load %half_done[%u, %x] : memref<8x8xf32>
          %c = memref.load %m[%v, %x] : memref<8x8xf32>
          %product = arith.mulf %h, %c : f32
          %next = arith.addf %sum, %product : f32
          scf.yield %next : f32
        }
        memref.store %total, %block[%u, %v] : memref<8x8xf32, strided<[8, 1], offset: ?>>
      }
    }
  }
  return
}
