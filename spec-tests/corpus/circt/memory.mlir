module {
  handshake.func @internal(%in0: index, %inCtrl: none, ...) -> (i32, none) attributes {argNames = ["in0", "inCtrl"], resNames = ["out0", "outCtrl"]} {
    %0:3 = memory[ld = 1, st = 1] (%dataResult_0, %addressResults_1, %addressResults) {id = 0 : i32, lsq = false} : memref<10xi32>, (i32, index, index) -> (i32, none, none)
    %1:2 = fork [2] %0#1 : none
    %2 = merge %in0 : index
    %3:2 = fork [2] %2 : index
    %4:3 = fork [3] %inCtrl : none
    %5:2 = fork [2] %4#2 : none
    %6 = join %5#1, %1#1, %0#2 : none, none, none
    %7 = constant %5#0 {value = 1 : i32} : i32
    %dataResult, %addressResults = load [%3#0] %0#0, %1#0 : index, i32
    %8 = arith.addi %dataResult, %dataResult : i32
    sink %4#0 : none
    %dataResult_0, %addressResults_1 = store [%3#1] %7, %4#1 : index, i32
    return %8, %6 : i32, none
  }
  handshake.func @external(%a: memref<4xi32>, %v: i32, %i: index, %go: none, ...) -> none {
    %0 = extmemory[ld = 0, st = 1] (%a : memref<4xi32>) (%d, %addr) {id = 0 : i32} : (i32, index) -> none
    %d, %addr = store [%i] %v, %go : index, i32
    return %0 : none
  }
}
