#!/bin/sh
# large_map.sh -- large graphs on large fabrics.
#
#     spec-tests/tools/large_map.sh build/loom SCRATCH
#
# Maps 24 loops of 20 operations, and one of them, onto boards of 32 by 32 and 64 by 64 PEs, and onto
# a chess board. What the machine then computes must be what the graph does (loom sim compares), and
# the search must not grow with the board: its moves and steps of routes are counted, and its memory
# has a limit. Clocks have no say, but for the Verilog of a large board.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1") scratch=$2
mkdir -p "$scratch"
cd "$scratch" || exit 1
said=$scratch/said checked=$scratch/checked

# kernel LOOPS: each a chain of 20 operations, its sum carried round
kernel() {
  awk -v loops="$1" 'BEGIN {
    split("addi xori muli subi ori andi", op, " ")
    print "func.func @k(%n: index, %s: i32) -> i32 {"
    print "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index"
    for (l = 0; l < loops; l++) {
      printf "  %%r%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%a = %%s) -> (i32) {\n", l
      print "    %x0 = arith.index_cast %i : index to i32"
      for (k = 1; k < 19; k++)
        printf "    %%x%d = arith.%s %%x%d, %s : i32\n", k, op[(k + l) % 6 + 1], k - 1, (k > 2 ? "%x" (k - 2) : "%s")
      print "    %y = arith.addi %a, %x18 : i32\n    scf.yield %y : i32\n  }"
    }
    for (l = 1; l < loops; l++)
      printf "  %%z%d = arith.addi %s, %%r%d : i32\n", l, (l > 1 ? "%z" (l - 1) : "%r0"), l
    print "  return " (loops > 1 ? "%z" (loops - 1) : "%r0") " : i32\n}"
  }'
}

figure() { sed -n "s/^  $1.*[ ;]\([0-9][0-9]*\) $2.*/\1/p" "$3"; }

# mapped KERNEL BOARD MOST-MOVES MOST-STEPS
mapped() {
  # Addresses, not what is resident: shadow memory of a sanitizer is no memory of the search.
  limit=400000
  ! grep -q __asan_init "$loom" || limit=unlimited
  check "$1 onto $2 in 400 MB" sh -c "ulimit -v $limit; exec '$loom' map $1.mlir --adg $2.mlir -o $1.$2"
  check "$1 on $2 computes what its graph does" "$loom" sim "$1.$2" --args "7, 3"
  moves=$(figure search moves "$1.$2/k.map.txt") steps=$(sed -n "s/^  routes .*wirelength //p" "$1.$2/k.map.txt")
  check "$1 onto $2: $moves moves, at most $3" [ "$moves" -le "$3" ]
  check "$1 onto $2: $steps steps of routes, at most $4" [ "$steps" -le "$4" ]
}

# The Verilog of a board grows as the board does: one of 96 by 96 took a minute of a core, and takes 4 seconds.
limit=20
! grep -q __asan_init "$loom" || limit=unlimited
check "96 x 96" "$loom" adg --topology mesh --rows 96 --cols 96 --fu int --fifo 2 --memories 0 --scratchpads 0 -o mesh96.mlir
check "96 x 96 as Verilog in 20 seconds of a core" sh -c "ulimit -t $limit; exec '$loom' emit verilog mesh96.mlir -o mesh96"
rm -rf mesh96

kernel 1 >one.mlir
kernel 24 >all.mlir
# One board of a kind is all in reach of an annealing; on the others only a part is looked at.
check "32 x 32" "$loom" adg --topology mesh --rows 32 --cols 32 -o mesh32.mlir
check "64 x 64" "$loom" adg --topology mesh --rows 64 --cols 64 -o mesh64.mlir
check "30 x 30" "$loom" adg --topology chess --rows 30 --cols 30 -o chess30.mlir
mapped one mesh32 1000000 800
mapped one mesh64 1000000 1000
mapped one chess30 1000000 800
mapped all mesh64 20000000 10000

# A part of the board is looked at, and more of it until the graph fits; also where the graph needs no PE.
# One input and one output are wide enough here, and they are not to be reached from the memories.
cat >wire.mlir <<'END'
func.func @wire(%a: i64) -> i64 {
  return %a : i64
}
END
sed '/^fabric.module @fabric(/ { s/(/(%wide: !fabric.bits<64>, /; s/-> (/-> (!fabric.bits<64>, / }
/^  fabric.yield .*memref<1024xi32>$/ { s/yield /yield %wide, /; s/ : / : !fabric.bits<64>, / }' mesh32.mlir >wide32.mlir
check "an island far from the memories" timeout -k 1 60 "$loom" map wire.mlir --adg wide32.mlir -o wire

# A PE of many inputs, of which an addition takes two.
cat >sum.mlir <<'END'
handshake.func @f(%a: i32, %b: i32, ...) -> i32 {
  %s = arith.addi %a, %b : i32
  handshake.return %s : i32
}
END
awk -v n=200 'BEGIN {
  bits = "!fabric.bits<32>"
  for (k = 0; k < n; k++) {
    args = args (k ? ", " : "") "%a" k ": " bits
    ins = ins (k ? ", " : "") "%a" k
    types = types (k ? ", " : "") bits
  }
  print "fabric.module @wide(" args ") -> (" bits ") {"
  print "  %p = fabric.spatial_pe @p inputs(" ins ") : (" types ") -> (" bits ") {"
  print "    fabric.function_unit @add(%x: i32, %y: i32) -> (i32) [latency = 1, interval = 1] {"
  print "      %r = arith.addi %x, %y : i32\n      fabric.yield %r : i32\n    }"
  print "    fabric.yield\n  }\n  fabric.yield %p : " bits "\n}"
}' >inputs.mlir
check "a PE of 200 inputs" "$loom" map sum.mlir --adg inputs.mlir -o sum
check "a PE of 200 inputs adds" "$loom" sim sum --args "3, 4"

# A route through so many FIFOs that its table is in huge pages.
cat >through.mlir <<'END'
handshake.func @f(%a: i32, ...) -> i32 attributes {argNames = ["a"], resNames = ["out0"]} {
  handshake.return %a : i32
}
END
awk -v n=60000 'BEGIN {
  bits = "!fabric.bits<32>"
  print "fabric.module @long(%a: " bits ") -> (" bits ") {"
  for (k = 0; k < n; k++)
    printf "  %%f%d = fabric.fifo [depth = 1] (%s) : (%s) -> (%s)\n", k, (k ? "%f" (k - 1) : "%a"), bits, bits
  print "  fabric.yield %f" (n - 1) " : " bits "\n}"
}' >long.mlir
check "an image of 60,000 FIFOs" "$loom" config -o long encode long.mlir
check "a route through 60,000 FIFOs" "$loom" config check long.mlir long.config.bin through.mlir

# A machine that is deadlocked, and all of which waits for that: @p0 for itself, each of the others for the one before.
deadlocked() {
  awk -v n="$1" 'BEGIN {
    bits = "!fabric.bits<32>"
    print "fabric.module @chain(%i: " bits ") -> (" bits ") {"
    for (k = 0; k < n; k++) {
      printf "  %%s%d%s = fabric.spatial_pe @p%d inputs(%s) : (", k, (k ? "" : ", %b"), k, (k ? "%s" (k - 1) : "%i, %b")
      print (k ? bits ") -> (" bits ")" : bits ", " bits ") -> (" bits ", " bits ")") \
        " attributes {instruction = \"add(in 0" (k ? "" : ", in 1") ") -> (out 0" (k ? "" : ", out 1") ")\"} {"
      print "    fabric.function_unit @add(%x: i32" (k ? "" : ", %y: i32") ") -> (i32" (k ? "" : ", i32") ") [latency = 1, interval = 1] {"
      print "      %r = arith.addi %x, " (k ? "%x" : "%y") " : i32\n      fabric.yield %r" (k ? " : i32" : ", %r : i32, i32")
      print "    }\n    fabric.yield\n  }"
    }
    print "  fabric.yield %s" (n - 1) " : " bits "\n}"
  }'
}
deadlocked 16000 >chain.mlir
timeout 20 "$loom" sim chain.mlir --args 1 >said 2>&1
check "a deadlock of a large machine is found" grep -q "which closes the cycle" said

# A unit of 40 muxes in a row, both inputs of each being the one before: which of 2^40 settings makes
# the product of it is nothing to try, as it comes out of none.
cat >sum.mlir <<'END'
func.func @sum(%a: i32, %b: i32) -> i32 {
  %r = arith.addi %a, %b : i32
  return %r : i32
}
END
{
  cat <<'END'
fabric.module @muxes(%a: !fabric.bits<32>, %b: !fabric.bits<32>, %c: none) -> (!fabric.bits<32>, none) {
  %p = fabric.spatial_pe @p inputs(%a, %b) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) {
    fabric.function_unit @u(%x: i32, %y: i32) -> (i32, i32) [latency = 1, interval = 1] {
      %s = arith.addi %x, %y : i32
      %m0 = arith.muli %x, %y : i32
END
  awk 'BEGIN { for (k = 1; k <= 40; k++)
    printf "      %%m%d = fabric.mux %%m%d, %%m%d {sel = 0 : i64, discard = false, disconnect = false} : i32, i32 -> i32\n", k, k - 1, k - 1 }'
  printf '%s\n' '      fabric.yield %m40, %s : i32, i32' '    }' '    fabric.yield' '  }' \
    '  fabric.yield %p, %c : !fabric.bits<32>, none' '}'
} >muxes.mlir
check "a unit of 40 muxes" timeout -k 1 20 "$loom" map sum.mlir --adg muxes.mlir -o muxes

# Twice the same: the first three of some numbers and the last three are added up, so a FIFO holds all
# between. The one of 2000 places is deep enough for 1500; that the other needs 14 is found out with
# the first left as it is.
half() { # NAME DEPTH
  cat <<END
  %$1s:2 = fabric.spatial_sw @$1sw [connectivity_table = ["1", "1"]] (%$1)
      attributes {route_table = ["in 0 -> out 0, in 0 -> out 1"]} : (!fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>)
  %$1f = fabric.fifo @$1fifo [depth = $2] (%$1s#0) : (!fabric.bits<32>) -> (!fabric.bits<32>)
  %$1u = fabric.spatial_pe @$1u inputs(%$1e, %$1f) : (!fabric.bits<1>, !fabric.bits<32>) -> (!fabric.bits<32>)
      attributes {instruction = "b(in 0, in 1) -> (out 0, discard)"} {
    $branch
    fabric.yield
  }
  %$1v = fabric.spatial_pe @$1v inputs(%$1d, %$1s#1) : (!fabric.bits<1>, !fabric.bits<32>) -> (!fabric.bits<32>)
      attributes {instruction = "b(in 0, in 1) -> (out 0, discard)"} {
    $branch
    fabric.yield
  }
  %$1w = fabric.spatial_pe @$1w inputs(%$1u, %$1v) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
      attributes {instruction = "a(in 0, in 1) -> (out 0)"} {
    fabric.function_unit @a(%s: i32, %v: i32) -> (i32) [latency = 1, interval = 1] {
      %t = arith.addi %s, %v : i32
      fabric.yield %t : i32
    }
    fabric.yield
  }
END
}
numbers() { # COUNT: themselves, which are the last three, which the first three
  awk -v n="$1" 'BEGIN { for (k = 0; k < n; k++) {
      x = x (k ? "," : "") k; d = d (k ? "," : "") (k >= n - 3); e = e (k ? "," : "") (k < 3) }
    printf "{\"stream\":{\"type\":\"i32\",\"data\":[%s]}},{\"stream\":{\"type\":\"i1\",\"data\":[%s]}},{\"stream\":{\"type\":\"i1\",\"data\":[%s]}}", x, d, e }'
}
branch='fabric.function_unit @b(%s: i1, %v: i32) -> (i32, i32) [latency = 1, interval = 1] {
      %t, %f = handshake.cond_br %s, %v : i32
      fabric.yield %t, %f : i32, i32
    }'
{
  echo 'fabric.module @top(%p: !fabric.bits<32>, %pd: !fabric.bits<1>, %pe: !fabric.bits<1>,'
  echo '    %q: !fabric.bits<32>, %qd: !fabric.bits<1>, %qe: !fabric.bits<1>) -> (!fabric.bits<32>, !fabric.bits<32>) {'
  half p 2000
  half q 2
  printf '  fabric.yield %%pw, %%qw : !fabric.bits<32>, !fabric.bits<32>\n}\n'
} >deep.mlir
{ printf '{"args":['; numbers 1500; printf ','; numbers 20; printf ']}\n'; } >deep.json
timeout 60 "$loom" sim deep.mlir --case deep.json >said 2>&1
check "a FIFO beside a deeper one" grep -q "with fifo 'qfifo' 14 deep instead of 2, the run ends" said
checks_end
