handshake.func @o(%a: i32, %b: i32, %c: i1, %s: none, ...) -> (i32, none) {
  %0:2 = fork [2] %a : i32
  %1 = buffer [2] seq %0#0 {initValues = [1, 2]} : i32
  %2 = merge %1, %b : i32
  %3, %4 = control_merge %s, %s : none, index
  %5 = mux %4 [%2, %b] : index, i32
  %6 = join %s, %3 : none, none
  %7:2 = sync %5, %6 : i32, none
  %8 = pack %a, %c : tuple<i32, i1>
  %9:2 = unpack %8 : tuple<i32, i1>
  sink %9#0 : i32
  %10 = source
  %11 = br %10 : none
  %12 = instance @o(%a, %b, %c, %s) : (i32, i32, i1, none) -> (i32, none)
  %13:3 = handshake.memory[ld = 1, st = 1] (%a, %4, %4) {id = 1 : i32, lsq = false} : memref<64xi32>, (i32, index, index) -> (i32, none, none)
  %14:2 = handshake.store [%4] %a, %6 : index, i32
  %15 = never : i32
  return %7#0, %11 : i32, none
}
