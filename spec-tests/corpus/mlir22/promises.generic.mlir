"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32, vector<4xi8>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i32, %arg2: vector<4xi8>, %arg3: index):
    %0 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
    %1 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nuw>}> : (i32, i32) -> i32
    %2 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32, i32) -> i32
    %3 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %4 = "arith.subi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32, i32) -> i32
    %5 = "arith.muli"(%arg2, %arg2) <{overflowFlags = #arith.overflow<nsw>}> : (vector<4xi8>, vector<4xi8>) -> vector<4xi8>
    %6 = "arith.shli"(%arg3, %arg3) <{overflowFlags = #arith.overflow<nuw>}> {note} : (index, index) -> index
    %7 = "arith.trunci"(%arg0) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32) -> i8
    %8 = "arith.trunci"(%arg2) <{overflowFlags = #arith.overflow<nuw>}> : (vector<4xi8>) -> vector<4xi1>
    %9 = "arith.divsi"(%arg0, %arg1) : (i32, i32) -> i32
    %10 = "arith.shrui"(%arg0, %arg1) <{isExact}> : (i32, i32) -> i32
    %11 = "arith.shrsi"(%arg0, %arg1) <{isExact}> : (i32, i32) -> i32
    %12 = "arith.divui"(%arg0, %arg1) <{isExact}> : (i32, i32) -> i32
    %13 = "arith.divsi"(%arg0, %arg1) <{isExact}> {k = 1 : i8} : (i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

