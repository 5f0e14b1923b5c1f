module {
  func.func @i(%arg0: index, %arg1: index) -> index {
    %0 = index.add %arg0, %arg1
    %1 = index.sub %arg0, %arg1 {x.y}
    %2 = index.mul %0, %1
    %3 = index.divs %0, %1
    %4 = index.shl %0, %1
    %5 = index.cmp ult(%0, %1)
    %idx-7 = index.constant -7
    %false = index.bool.constant false
    %6 = index.sizeof
    %7 = index.castu %6 : index to i32
    %8 = index.casts %7 : i32 to index
    return %2 : index
  }
}

