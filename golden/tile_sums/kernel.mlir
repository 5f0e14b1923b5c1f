// Sums the 5x6 tiles of a flat array that holds a 20x30 image, then doubles the
// image's second column in place and sums once more.
// memref.reinterpret_cast makes the flat array two-dimensional, subview and
// cast give tiles with fully dynamic strides to a helper function, and a second
// reinterpret_cast with an offset and a stride is the column.
func.func private @sum(%tile: memref<?x?xi32, strided<[?, ?], offset: ?>>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %rows = memref.dim %tile, %c0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %cols = memref.dim %tile, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %total = scf.for %y = %c0 to %rows step %c1 iter_args(%sum_y = %zero) -> (i32) {
    %line = scf.for %x = %c0 to %cols step %c1 iter_args(%sum_x = %sum_y) -> (i32) {
      %v = memref.load %tile[%y, %x] : memref<?x?xi32, strided<[?, ?], offset: ?>>
      %next = arith.addi %sum_x, %v : i32
      scf.yield %next : i32
    }
    scf.yield %line : i32
  }
  return %total : i32
}

func.func @tile_sums(%flat: memref<600xi32>, %sums: memref<4x5xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c20 = arith.constant 20 : index
  %image = memref.reinterpret_cast %flat to offset: [0], sizes: [20, 30], strides: [30, 1]
      : memref<600xi32> to memref<20x30xi32>
  scf.for %ty = %c0 to %c4 step %c1 {
    %y = arith.muli %ty, %c5 : index
    scf.for %tx = %c0 to %c5 step %c1 {
      %x = arith.muli %tx, %c6 : index
      %tile = memref.subview %image[%y, %x] [5, 6] [1, 1]
          : memref<20x30xi32> to memref<5x6xi32, strided<[30, 1], offset: ?>>
      %any = memref.cast %tile
          : memref<5x6xi32, strided<[30, 1], offset: ?>> to memref<?x?xi32, strided<[?, ?], offset: ?>>
      %s = func.call @sum(%any) : (memref<?x?xi32, strided<[?, ?], offset: ?>>) -> i32
      memref.store %s, %sums[%ty, %tx] : memref<4x5xi32>
    }
  }
  %column = memref.reinterpret_cast %flat to offset: [1], sizes: [20], strides: [30]
      : memref<600xi32> to memref<20xi32, strided<[30], offset: 1>>
  scf.for %y = %c0 to %c20 step %c1 {
    %v = memref.load %column[%y] : memref<20xi32, strided<[30], offset: 1>>
    %doubled = arith.addi %v, %v : i32
    memref.store %doubled, %column[%y] : memref<20xi32, strided<[30], offset: 1>>
  }
  %whole = memref.cast %image : memref<20x30xi32> to memref<?x?xi32, strided<[?, ?], offset: ?>>
  %total = func.call @sum(%whole) : (memref<?x?xi32, strided<[?, ?], offset: ?>>) -> i32
  return %total : i32
}
