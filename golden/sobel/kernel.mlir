// Sobel edge strength of an 8-bit image, |gx| + |gy| clamped to 255.
// Eight loads an iteration go through a private helper function that extends
// a pixel; math.absi, minui, trunci, shifts. The border of the output is
// written as zero by an scf.if with an else branch inside the loop.
func.func private @pixel(%image: memref<28x28xi8>, %y: index, %x: index) -> i32 {
  %v = memref.load %image[%y, %x] : memref<28x28xi8>
  %wide = arith.extui %v : i8 to i32
  return %wide : i32
}

func.func @sobel(%image: memref<28x28xi8>, %edges: memref<28x28xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c26 = arith.constant 26 : index
  %c28 = arith.constant 28 : index
  %one = arith.constant 1 : i32
  %max = arith.constant 255 : i32
  %black = arith.constant 0 : i8
  scf.for %y = %c0 to %c28 step %c1 {
    %ym = arith.subi %y, %c1 : index
    %yp = arith.addi %y, %c1 : index
    %y_inside = arith.cmpi ult, %ym, %c26 : index
    scf.for %x = %c0 to %c28 step %c1 {
      %xm = arith.subi %x, %c1 : index
      %xp = arith.addi %x, %c1 : index
      %x_inside = arith.cmpi ult, %xm, %c26 : index
      %inside = arith.andi %y_inside, %x_inside : i1
      scf.if %inside {
        %nw = func.call @pixel(%image, %ym, %xm) : (memref<28x28xi8>, index, index) -> i32
        %n = func.call @pixel(%image, %ym, %x) : (memref<28x28xi8>, index, index) -> i32
        %ne = func.call @pixel(%image, %ym, %xp) : (memref<28x28xi8>, index, index) -> i32
        %w = func.call @pixel(%image, %y, %xm) : (memref<28x28xi8>, index, index) -> i32
        %e = func.call @pixel(%image, %y, %xp) : (memref<28x28xi8>, index, index) -> i32
        %sw = func.call @pixel(%image, %yp, %xm) : (memref<28x28xi8>, index, index) -> i32
        %s = func.call @pixel(%image, %yp, %x) : (memref<28x28xi8>, index, index) -> i32
        %se = func.call @pixel(%image, %yp, %xp) : (memref<28x28xi8>, index, index) -> i32
        // gx = (ne + 2e + se) - (nw + 2w + sw)
        %e2 = arith.shli %e, %one : i32
        %w2 = arith.shli %w, %one : i32
        %east1 = arith.addi %ne, %e2 : i32
        %east = arith.addi %east1, %se : i32
        %west1 = arith.addi %nw, %w2 : i32
        %west = arith.addi %west1, %sw : i32
        %gx = arith.subi %east, %west : i32
        // gy = (sw + 2s + se) - (nw + 2n + ne)
        %s2 = arith.shli %s, %one : i32
        %n2 = arith.shli %n, %one : i32
        %south1 = arith.addi %sw, %s2 : i32
        %south = arith.addi %south1, %se : i32
        %north1 = arith.addi %nw, %n2 : i32
        %north = arith.addi %north1, %ne : i32
        %gy = arith.subi %south, %north : i32
        %ax = math.absi %gx : i32
        %ay = math.absi %gy : i32
        %strength = arith.addi %ax, %ay : i32
        %clamped = arith.minui %strength, %max : i32
        %edge = arith.trunci %clamped : i32 to i8
        memref.store %edge, %edges[%y, %x] : memref<28x28xi8>
      } else {
        memref.store %black, %edges[%y, %x] : memref<28x28xi8>
      }
    }
  }
  return
}
