module {
  func.func @f(%arg0: i32, %arg1: i32, %arg2: vector<4xi8>, %arg3: index) {
    %0 = arith.addi %arg0, %arg1 overflow<nsw> : i32
    %1 = arith.addi %arg0, %arg1 overflow<nuw> : i32
    %2 = arith.addi %arg0, %arg1 overflow<nsw, nuw> : i32
    %3 = arith.addi %arg0, %arg1 : i32
    %4 = arith.subi %arg0, %arg1 overflow<nsw, nuw> : i32
    %5 = arith.muli %arg2, %arg2 overflow<nsw> : vector<4xi8>
    %6 = arith.shli %arg3, %arg3 overflow<nuw> {note} : index
    %7 = arith.trunci %arg0 overflow<nsw, nuw> : i32 to i8
    %8 = arith.trunci %arg2 overflow<nuw> : vector<4xi8> to vector<4xi1>
    %9 = arith.divsi %arg0, %arg1 : i32
    %10 = arith.shrui %arg0, %arg1 exact : i32
    %11 = arith.shrsi %arg0, %arg1 exact : i32
    %12 = arith.divui %arg0, %arg1 exact : i32
    %13 = arith.divsi %arg0, %arg1 exact {k = 1 : i8} : i32
    return
  }
}

