module {
  func.func @f(%arg0: index, %arg1: index, %arg2: i32) -> i1 {
    %idx5 = index.constant 5
    %idx-9223372036854775808 = index.constant -9223372036854775808
    %true = index.bool.constant true
    %false = index.bool.constant false
    %0 = index.add %arg0, %arg1
    %1 = index.sub %arg0, %arg1 {x}
    %2 = index.mul %0, %1
    %3 = index.divs %arg0, %arg1
    %4 = index.divu %arg0, %arg1
    %5 = index.ceildivs %arg0, %arg1
    %6 = index.ceildivu %arg0, %arg1
    %7 = index.floordivs %arg0, %arg1
    %8 = index.rems %arg0, %arg1
    %9 = index.remu %arg0, %arg1
    %10 = index.maxs %arg0, %arg1
    %11 = index.maxu %arg0, %arg1
    %12 = index.mins %arg0, %arg1
    %13 = index.minu %arg0, %arg1
    %14 = index.shl %arg0, %arg1
    %15 = index.shrs %arg0, %arg1
    %16 = index.shru %arg0, %arg1
    %17 = index.and %arg0, %arg1
    %18 = index.or %arg0, %arg1
    %19 = index.xor %arg0, %arg1
    %20 = index.casts %arg2 : i32 to index
    %21 = index.castu %20 : index to i64
    %22 = index.sizeof
    %23 = index.cmp slt(%arg0, %arg1)
    %24 = index.cmp ne(%arg0, %arg1) {k = 1 : i64}
    %25 = index.cmp ugt(%22, %idx-9223372036854775808)
    return %25 : i1
  }
}

