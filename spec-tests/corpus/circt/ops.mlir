module {
  handshake.func @simple(%arg0: none, ...) -> none {
    return %arg0 : none
  }
  handshake.func private @ext(i32, none, ...) -> (i32, none) attributes {argNames = ["in0", "ctrl"], resNames = ["out0", "out1"]}
  handshake.func @mixed(%a: i32, %b: i32, %c: i1, %m: memref<8xi32>, %start: none, ...) -> (i32, none) attributes {argNames = ["a", "b", "c", "m", "start"], resNames = ["out", "done"]} {
    %0:2 = fork [2] %a : i32
    %1:3 = lazy_fork [3] %start : none
    %2 = merge %0#0, %b : i32
    %3, %index = control_merge %1#0, %1#1 : none, index
    %4 = mux %index [%0#1, %2] : index, i32
    %trueResult, %falseResult = cond_br %c, %4 : i32
    %5 = br %trueResult : i32
    %6 = constant %3 {value = 42 : i32} : i32
    %7 = buffer [2] seq %5 {initValues = [1, 2]} : i32
    %8 = buffer [1] fifo %7 : i32
    %9 = source
    sink %9 : none
    sink %falseResult : i32
    %10 = join %1#2, %8 : none, i32
    %11:2 = sync %10, %6 : none, i32
    %12 = pack %11#1, %10 : tuple<i32, none>
    %13:2 = unpack %12 : tuple<i32, none>
    %14 = never : i32
    %idx = constant %10 {value = 0 : index} : index
    %dataOut, %addr = load [%idx] %mem#0, %13#1 : index, i32
    %sd, %sa = store [%idx] %dataOut, %mem#2 : index, i32
    %mem:3 = extmemory[ld = 1, st = 1] (%m : memref<8xi32>) (%sd, %sa, %addr) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
    %mm:2 = memory[ld = 1, st = 0] (%idx) {id = 1 : i32, lsq = false} : memref<64xi32>, (index) -> (i32, none)
    %15:2 = instance @ext(%mm#0, %mm#1) : (i32, none) -> (i32, none)
    %16 = arith.addi %15#0, %14 : i32
    %17 = join %mem#1, %15#1 : none, none
    handshake.return %16, %17 : i32, none
  }
  handshake.func @multi(%d: f32, %i: index, %j: index, %c: none, ...) -> (f32, index, index) {
    %x, %y, %z = load [%i, %j] %d, %c : index, f32
    return %x, %y, %z : f32, index, index
  }
}
