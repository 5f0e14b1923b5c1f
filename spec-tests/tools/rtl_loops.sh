#!/bin/sh
# rtl_loops.sh -- hardware whose switches have buffers has no loop of gates, however it is configured.
#
#     rtl_loops.sh LOOM FOLDER
#
# Yosys looks for strongly connected components among all the gates of a generated fabric, configuration
# and all (scc). It is told that it finds them: where switches have no buffers, and in buffers that are
# broken. The last line is: N passed, N failed[, N skipped].
set -u
cd "$(dirname "$0")/../.." || exit 1
loom=$1 folder=$2
. "$(dirname "$0")/lib.sh"
need "loops of gates are not looked for" yosys
mkdir -p "$folder"
said=$folder/said

# Small units: what is in them is not what this is about.
cat >"$folder/units.mlir" <<'END'
fabric.function_unit @and(%a: i4, %b: i4) -> (i4) [latency = 1, interval = 1] {
  %z = arith.andi %a, %b : i4
  fabric.yield %z : i4
}
fabric.function_unit @or(%a: i4, %b: i4) -> (i4) [latency = 0, interval = 1] {
  %z = arith.ori %a, %b : i4
  fabric.yield %z : i4
}
END

# written NAME OPTION...: a fabric of two PEs, with these options, as Verilog in FOLDER/NAME.
written() {
  name=$1
  shift
  rm -rf "${folder:?}/$name"
  "$loom" adg --topology mesh --rows 1 --cols 2 --tracks 1 --fu "$folder/units.mlir" --memories 1 \
    --scratchpads 0 --inputs 1 --outputs 1 "$@" -o "$folder/$name.mlir" >"$said" 2>&1 &&
    "$loom" emit verilog "$folder/$name.mlir" -o "$folder/$name" >"$said" 2>&1
}

# loops NAME: how many there are in FOLDER/NAME.
loops() {
  cat >"$folder/$1.ys" <<END
read_verilog -sv $(echo "$folder/$1"/rtl/*.sv)
hierarchy -top fabric
proc
flatten
memory -nomap
memory_map
opt_clean
simplemap
opt_clean
scc
END
  yosys "$folder/$1.ys" >"$folder/$1.said" 2>&1 || return 1
  sed -n 's/^Found \([0-9]*\) SCCs\.$/\1/p' "$folder/$1.said"
}

# Verilator is told of no loops that it shall not mind, either.
has_none() {
  written "$@" && [ "$(loops "$1")" = 0 ] && ! grep -q UNOPTFLAT "$folder/$1"/rtl/*
}
has_some() {
  written "$@" && [ "$(loops "$1")" -gt 0 ] && grep -q UNOPTFLAT "$folder/$1"/rtl/*
}
# Has Verilator nothing to say?
is_clean() {
  command -v verilator >/dev/null || return 0
  make -s -C "$folder/$1" lint >"$said" 2>&1
}
# is_noticed NAME COMMAND: the same of the fabric NAME, its buffers broken by sed.
is_noticed() {
  rm -rf "${folder:?}/broken"
  cp -r "$folder/$1" "$folder/broken"
  sed "$2" "$folder/$1/rtl/loom_buffer.sv" >"$folder/broken/rtl/loom_buffer.sv"
  ! cmp -s "$folder/$1/rtl/loom_buffer.sv" "$folder/broken/rtl/loom_buffer.sv" && [ "$(loops broken)" -gt 0 ]
}

check "switches with buffers" has_none full --sw-buffer full
check "their lint" is_clean full
check "temporal switches with buffers" has_none tagged --sw-buffer full --instructions 2 --registers 0 --switches temporal
check "their lint" is_clean tagged
check "switches without" has_some none --sw-buffer none
check "a token that is offered when it comes is noticed" is_noticed full "s/offered\[s\] = count != '0/& || in_valid/"
check "room that is there when a token goes is noticed" is_noticed full "s/room\[s\] = !count\[1\]/& || give/"
checks_end
