// Mirrors the bits of numbers of three widths with llvm.intr.bitreverse: i32
// in place, i16 and i8 from parts of the same word (truncations), packed again
// by extensions, shifts and or. Where the packed words go is an address
// computed from the mirrored index.
func.func @bit_reverse(%words: memref<512xi32>, %packed: memref<512xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %eight = arith.constant 8 : i32
  %sixteen = arith.constant 16 : i32
  %unused_bits = arith.constant 23 : i32
  scf.for %i = %c0 to %c512 step %c1 {
    %word = memref.load %words[%i] : memref<512xi32>
    %mirror = llvm.intr.bitreverse(%word) : (i32) -> i32
    memref.store %mirror, %words[%i] : memref<512xi32>
    %upper = arith.shrui %word, %sixteen : i32
    %half = arith.trunci %upper : i32 to i16
    %byte = arith.trunci %word : i32 to i8
    %half_mirror = llvm.intr.bitreverse(%half) : (i16) -> i16
    %byte_mirror = llvm.intr.bitreverse(%byte) : (i8) -> i8
    %half_wide = arith.extui %half_mirror : i16 to i32
    %byte_wide = arith.extsi %byte_mirror : i8 to i32
    %shifted = arith.shli %byte_wide, %eight : i32
    %pack = arith.ori %shifted, %half_wide : i32
    %i32 = arith.index_cast %i : index to i32
    %i_mirror = llvm.intr.bitreverse(%i32) : (i32) -> i32
    %place32 = arith.shrui %i_mirror, %unused_bits : i32
    %place = arith.index_cast %place32 : i32 to index
    memref.store %pack, %packed[%place] : memref<512xi32>
  }
  return
}
