// What circt-opt prints for a counting loop: forks and sinks explicit, prefixes left out.
module {
  handshake.func @simple_loop(%inCtrl: none, ...) -> none attributes {argNames = ["inCtrl"], resNames = ["outCtrl"]} {
    %0:4 = fork [4] %inCtrl : none
    %1 = constant %0#2 {value = 1 : index} : index
    %2 = constant %0#1 {value = 42 : index} : index
    %3 = br %0#3 : none
    %4 = br %1 : index
    %5 = br %2 : index
    %6 = mux %13#1 [%20, %5] : i1, index
    %7:2 = fork [2] %6 : index
    %trueResult, %falseResult = cond_br %14#2, %7#1 : index
    sink %falseResult : index
    %8 = mux %13#2 [%21, %4] : i1, index
    %9:2 = fork [2] %8 : index
    %trueResult_0, %falseResult_1 = cond_br %14#1, %9#1 : index
    sink %falseResult_1 : index
    %10 = mux %13#0 [%22, %3] : i1, none
    %11 = buffer [1] seq %14#3 {initValues = [0]} : i1
    %12 = arith.cmpi slt, %9#0, %7#0 : index
    %13:3 = fork [3] %11 : i1
    %14:4 = fork [4] %12 : i1
    %trueResult_2, %falseResult_3 = cond_br %14#0, %10 : none
    %15 = merge %trueResult : index
    %16 = merge %trueResult_0 : index
    %result, %index = control_merge %trueResult_2 : none, index
    %17:2 = fork [2] %result : none
    %18 = constant %17#0 {value = 1 : index} : index
    %19 = arith.addi %16, %18 : index
    %20 = br %15 : index
    %21 = br %19 : index
    %22 = br %17#1 : none
    sink %index : index
    %result_4, %index_5 = control_merge %falseResult_3 : none, index
    sink %index_5 : index
    return %result_4 : none
  }
}
