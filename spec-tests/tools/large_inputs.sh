#!/bin/sh
# large_inputs.sh -- inputs that are a thousand times as large as those of the manual.
#
#     spec-tests/tools/large_inputs.sh build/loom SCRATCH
#
# Each input takes a fraction of a second. Before the cost of each of these grew as slowly as the input,
# they took from ten seconds to minutes of a core, or gigabytes; the limits are in between. So the speed
# of the machine has no say.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1") scratch=$2
mkdir -p "$scratch"
cd "$scratch" || exit 1

# limited WHAT ARGUMENTS OF LOOM: in 6 seconds of a core and 2 GB. (Shadow memory of a sanitizer is none of LOOM's.)
limited() {
  what=$1
  shift
  limits="ulimit -t 6; ulimit -v 2000000"
  ! grep -q __asan_init "$loom" || limits=:
  check "$what" sh -c "$limits; exec \"\$@\"" - "$loom" "$@"
}

# Loops in a row, as branches between blocks.
awk -v n=16000 'BEGIN {
  print "func.func @f(%m: memref<?xi32>, %n: index) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index"
  print "  cf.br ^h0(%c0 : index)"
  for (k = 0; k < n; k++) {
    printf "^h%d(%%i%d: index):\n  %%c_%d = arith.cmpi slt, %%i%d, %%n : index\n  cf.cond_br %%c_%d, ^b%d, ^e%d\n", k, k, k, k, k, k, k
    printf "^b%d:\n  %%x%d = arith.index_cast %%i%d : index to i32\n  memref.store %%x%d, %%m[%%i%d] : memref<?xi32>\n", k, k, k, k, k
    printf "  %%j%d = arith.addi %%i%d, %%c1 : index\n  cf.br ^h%d(%%j%d : index)\n^e%d:\n", k, k, k, k, k
    if (k < n - 1) printf "  cf.br ^h%d(%%c0 : index)\n", k + 1
  }
  print "  return\n}"
}' >loops.mlir
limited "16,000 loops in a row" lower loops.mlir -o loops.out

# `if (x < b && x > s) ... else ...`: the else is entered from two places.
awk -v n=4000 'BEGIN {
  print "func.func @f(%a: i32, %b: i32, %s: i32) -> i32 {\n  cf.br ^h0(%a : i32)"
  for (k = 0; k < n; k++) {
    to = k < n - 1 ? "^h" (k + 1) : "^end"
    printf "^h%d(%%i%d: i32):\n  %%c_%d = arith.cmpi slt, %%i%d, %%b : i32\n  cf.cond_br %%c_%d, ^d%d, ^e%d\n", k, k, k, k, k, k, k
    printf "^d%d:\n  %%d_%d = arith.cmpi sgt, %%i%d, %%s : i32\n  cf.cond_br %%d_%d, ^b%d, ^e%d\n", k, k, k, k, k, k
    printf "^b%d:\n  %%x%d = arith.addi %%i%d, %%b : i32\n  cf.br %s(%%x%d : i32)\n", k, k, k, to, k
    printf "^e%d:\n  %%y%d = arith.muli %%i%d, %%b : i32\n  cf.br %s(%%y%d : i32)\n", k, k, k, to, k
  }
  print "^end(%r: i32):\n  return %r : i32\n}"
}' >conditions.mlir
limited "4,000 conditions of two parts in a row" lower conditions.mlir -o conditions.out

# A case of many: what is printed after each stage can be read.
awk -v n=2000 'BEGIN {
  print "func.func @f(%i: index, %a: i32) -> i32 {\n  %r = scf.index_switch %i -> i32"
  for (k = 0; k < n; k++)
    printf "  case %d {\n    %%c%d = arith.constant %d : i32\n    %%v%d = arith.muli %%a, %%c%d : i32\n    scf.yield %%v%d : i32\n  }\n", 7 * k, k, k, k, k, k
  print "  default {\n    scf.yield %a : i32\n  }\n  return %r : i32\n}"
}' >switch.mlir
for stage in structure simplify dataflow; do
  limited "a switch with 2,000 cases after $stage" lower switch.mlir --stop-after $stage -o switch.$stage.mlir
  limited "a switch with 2,000 cases after $stage is read" opt switch.$stage.mlir -o switch.out
done
for pair in "0 0" "7 3" "8 3" "6993 2997" "13993 5997" "14000 3"; do
  "$loom" run switch.mlir --args "${pair% *}, 3" --engine all >said 2>&1
  check "case ${pair% *} of a switch" grep -q "^@f == ${pair#* }\$" said
done

# Affine maps that differ in a constant alone.
awk -v n=60000 'BEGIN {
  for (k = 0; k < n; k++) printf "#m%d = affine_map<(d0) -> (d0 + %d)>\n", k, k
  printf "func.func @f() attributes {x.a = ["
  for (k = 0; k < n; k++) printf "%s#m%d", k ? ", " : "", k
  print "]} {\n  return\n}"
}' >maps.mlir
limited "60,000 affine maps" opt maps.mlir -o maps.out

# Inputs and outputs of a fabric. Names that begin with s_ could be those of wires.
ports() { # COUNT NAME
  awk -v n="$1" -v name="$2" 'BEGIN {
    printf "fabric.module @ports("
    for (k = 0; k < n; k++) printf "%s%%%s%d: !fabric.bits<32>", k ? ", " : "", name, k
    printf ") -> ("
    for (k = 0; k < n; k++) printf "%s!fabric.bits<32>", k ? ", " : ""
    printf ") {\n  fabric.yield "
    for (k = 0; k < n; k++) printf "%s%%%s%d", k ? ", " : "", name, k
    printf " : "
    for (k = 0; k < n; k++) printf "%s!fabric.bits<32>", k ? ", " : ""
    print "\n}"
  }'
}
ports 20000 a >ports.mlir
ports 20000 s_a >wires.mlir
limited "20,000 ports as Verilog" emit verilog ports.mlir -o ports
limited "20,000 ports named as wires, as Verilog" emit verilog wires.mlir -o wires
limited "a picture of 40,000 components in one place" adg show --dot ports.mlir

ports 40000 a >ports.mlir
limited "40,000 ports as a program" emit csim ports.mlir -o ports

# A route through more components than fit into a small table.
awk -v n=80000 'BEGIN {
  bits = "!fabric.bits<32>"
  print "fabric.module @chain(%f0: " bits ") -> (" bits ") {"
  for (k = 1; k <= n; k++) printf "  %%f%d = fabric.fifo @f%d [depth = 1] (%%f%d) : (%s) -> (%s)\n", k, k, k - 1, bits, bits
  print "  fabric.yield %f" n " : " bits "\n}"
}' >chain.mlir
limited "80,000 FIFOs in a row as a program" emit csim chain.mlir -o chain
checks_end
