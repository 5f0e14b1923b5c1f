// A graph that takes every kind of argument a case can give; for hostile_program.c.
handshake.func @all(%m: memref<2x3xf32>, %n: memref<?xi8>, %i: index, %x: i64, %h: f16, %b: i1, %n_dim0: index, %start: none, ...) -> (f32, i64, f16, i8, none) {
  %v, %va = handshake.load [%i] %mm#0, %start : index, f32
  %mm:2 = handshake.extmemory[ld = 1, st = 0] (%m : memref<2x3xf32>) (%va) {id = 0 : i32} : (index) -> (f32, none)
  %one = handshake.constant %start {value = 1 : index} : index
  %last = arith.subi %n_dim0, %one : index
  %w, %wa = handshake.load [%last] %nm#0, %start : index, i8
  %nm:2 = handshake.extmemory[ld = 1, st = 0] (%n : memref<?xi8>) (%wa) {id = 1 : i32} : (index) -> (i8, none)
  %q = arith.divsi %x, %x : i64
  %yes, %no = handshake.cond_br %b, %q : i64
  %p = handshake.mux %b [%no, %yes] : i1, i64
  %g = arith.addf %h, %h : f16
  %done = handshake.join %mm#1, %nm#1 : none, none
  handshake.return %v, %p, %g, %w, %done : f32, i64, f16, i8, none
}
