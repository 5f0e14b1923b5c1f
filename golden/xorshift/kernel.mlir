// Random numbers below 1000 from a 64-bit xorshift generator, by rejection.
// The inner scf.while is a do-while: its before region steps the generator and
// tests the candidate, its after region passes the state on. The state is
// carried through both loops as an i64; candidates are 10 bits wide, and the
// while's number of rounds is the generator's luck. Returns the final state.
func.func @xorshift(%seed: i64, %numbers: memref<?xi16>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i64
  %thirteen = arith.constant 13 : i64
  %seventeen = arith.constant 17 : i64
  %top = arith.constant 54 : i64
  %limit = arith.constant 1000 : i64
  %n = memref.dim %numbers, %c0 : memref<?xi16>
  %final = scf.for %i = %c0 to %n step %c1 iter_args(%start = %seed) -> (i64) {
    %drawn:2 = scf.while (%s0 = %start) : (i64) -> (i64, i64) {
      %t1 = arith.shli %s0, %thirteen : i64
      %s1 = arith.xori %s0, %t1 : i64
      %t2 = arith.shrui %s1, %seven : i64
      %s2 = arith.xori %s1, %t2 : i64
      %t3 = arith.shli %s2, %seventeen : i64
      %s3 = arith.xori %s2, %t3 : i64
      %candidate = arith.shrui %s3, %top : i64
      %too_large = arith.cmpi uge, %candidate, %limit : i64
      scf.condition(%too_large) %s3, %candidate : i64, i64
    } do {
    ^bb0(%state: i64, %candidate: i64):
      scf.yield %state : i64
    }
    %number = arith.trunci %drawn#1 : i64 to i16
    memref.store %number, %numbers[%i] : memref<?xi16>
    scf.yield %drawn#0 : i64
  }
  return %final : i64
}
