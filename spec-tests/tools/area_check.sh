#!/bin/sh
# area_check.sh -- is the area that `loom adg show` tells that of the RTL?
#
#     area_check.sh LOOM SCRATCH        some rows of passes/fabric/area.def, and ten components
#     area_check.sh LOOM SCRATCH all    all rows: half an hour
#     area_check.sh LOOM SCRATCH ROW    that one alone: ARITH_ADDI
#
# Yosys makes gates of a module (synth -flatten, abc -fast), which are counted as transistors
# (gates.awk). An operation must have what its row says; a component is allowed 30 % more or less. The
# last line is: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. spec-tests/tools/lib.sh
need "no gates are counted" yosys
loom=$1 scratch=$2
mkdir -p "$scratch"

# gates FILES MODULE [PARAMETER VALUE]...
gates() {
  files=$1 module=$2
  shift 2
  synthesised "$files" "$module" "; opt_clean; tee -o $scratch/stat stat" "$@" >"$scratch/log" &&
    awk -f spec-tests/tools/gates.awk "$scratch/stat"
}

# component FOLDER MODULE [PARAMETER VALUE]...: likewise, of no more files than it needs
component() {
  from=$1
  shift
  gates "$(files "$from" "$1")" "$@"
}

# is WHAT SAID MEASURED PERCENT
is() {
  [ -n "$2" ] && [ -n "$3" ] && [ $((($2 - $3) * 100)) -le $(($3 * $4)) ] && [ $((($3 - $2) * 100)) -le $(($3 * $4)) ] &&
    pass || fail "$1: told ${2:-nothing}, synthesised ${3:-nothing}"
}

# row OPERATION COLUMN: of area.def
row() { tr -d ' ' <passes/fabric/area.def | sed -n "s/^AREA($1,//p" | tr -d ')' | cut -d, -f "$2"; }

# In a temporal PE whose units have one configuration each, each has a data path of its own. Pipelines of two or more cycles get one cycle more, in which the PE
# has their operands in a register (issued_args): so they have all of their own registers. Serial units have theirs anyway.
emitted=$scratch/all
"$loom" adg --topology mesh --rows 1 --cols 1 --width 64 --fu all --instructions 1 --registers 0 |
  awk '/latency = ([2-9]|[1-9][0-9]), interval = 1\]/ { for (i = 1; i <= NF; i++) if ($i + 0 > 1 && $(i - 1) == "=") sub(/^[0-9]+/, $i + 1, $i) } { sub(/unit_config = "per_instruction"/, "unit_config = \"shared\""); print }' \
    >"$emitted.mlir" &&
  "$loom" emit verilog "$emitted.mlir" -o "$emitted" -- --part=hardware >/dev/null || fail "a fabric of all units"
# What the configuration says of a firing goes with it through the stages there, and is constant in a spatial PE.
sed -i -E 's/^  loom_stages .* q_((connected|payload)_s[0-9]+h?) .*\.a\(([a-z]+)\).*/  assign \1 = \3;/' "$emitted"/rtl/temporal_*.sv
library=backends/verilog/library

# operation ROW COLUMN UNIT
operation() { is "$1 in column $2" "$(row "$1" "$2")" "$(gates "$emitted/rtl/loom_*.sv $emitted/rtl/temporal_$3.sv" "temporal_$3")" 1; }

# widths ROW: wherever there is a unit of it
widths() {
  lower=$(echo "${1#*_}" | tr A-Z a-z)
  for column in 1 2 3 4; do
    for unit in "${lower}_i$((4 << column))" "${lower}_f$((4 << column))"; do
      [ ! -f "$emitted/rtl/temporal_$unit.sv" ] || operation "$1" $column "$unit"
    done
  done
}

case ${3:-} in
"" | all) ;;
*)
  widths "$3"
  checks_end
  exit
  ;;
esac
operation ARITH_ADDI 3 addi_i32
operation ARITH_SHLI 2 shli_i16
operation ARITH_CMPI 3 cmpi_i32
operation ARITH_ADDF 2 addf_f16
operation ARITH_MULI 1 muli_i8
operation ARITH_DIVSI 1 divsi_i8
divider() { component "$library" "$1" W 32 SERIAL 1 STAGES 19; }
remainder() { component "$library" "$1" E 8 M 23 SERIAL 1 STAGES 282; }
constant() { sed -n "s/^ *$1 = \([0-9]*\).*/\1/p" passes/fabric/area.c; }
is "early-out of 32 bits" $((32 * $(constant EARLY_OUT))) $(($(divider loom_int_divide_early) - $(divider loom_int_divide))) 5
is "early-out of a remainder" "$(constant EARLY_FLOATS)" $(($(remainder loom_float_rem_early) - $(remainder loom_float_rem))) 5
operation ARITH_MAXIMUMF 3 maximumf_f32
if [ "${3:-}" = all ]; then
  for name in $(sed -n 's/^AREA(\([A-Z_0-9]*\),.*/\1/p' passes/fabric/area.def); do widths "$name"; done
fi

FORGET=1 # what follows may differ by more than the names of wires make

# told COMPONENT: the area of it in $scratch/one.mlir, on standard input
told() {
  cat >"$scratch/one.mlir"
  "$loom" adg show --json "$scratch/one.mlir" | sed -n "s/.*\"name\": \"$1\".*\"area\": \([0-9]*\)}.*/\1/p"
}
word=272 # gates of a word of configuration: 32 flip-flops that load or hold

fifo() {
  told f <<EOF
fabric.module @top(%a: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %b = fabric.fifo @f [depth = $1] (%a) : (!fabric.bits<32>) -> (!fabric.bits<32>)
  fabric.yield %b : !fabric.bits<32>
}
EOF
}
is "a FIFO of two" "$(fifo 2)" "$(component "$library" loom_fifo DEPTH 2 W 32)" 30
is "a FIFO of eight" "$(fifo 8)" "$(component "$library" loom_fifo DEPTH 8 W 32)" 30

# memory LANES: each of loads and stores
memory() {
  tag=$([ "$1" -gt 1 ] && echo ", i2")
  bits=$([ "$1" -gt 1 ] && echo "tagged<!fabric.bits<32>$tag>" || echo "bits<32>")
  none=$([ "$1" -gt 1 ] && echo "!fabric.tagged<none$tag>" || echo none)
  told far <<EOF
fabric.module @top(%m: memref<?xi32>, %a: !fabric.$bits, %b: !fabric.$bits, %c: !fabric.$bits) -> (!fabric.$bits, $none, $none) {
  %x:3 = fabric.extmemory @far [ldCount = $1, stCount = $1, numRegion = $1, memrefType = memref<?xi32>] (%m, %a, %b, %c)
      : (memref<?xi32>, !fabric.$bits, !fabric.$bits, !fabric.$bits) -> (!fabric.$bits, $none, $none)
  fabric.yield %x#0, %x#1, %x#2 : !fabric.$bits, $none, $none
}
EOF
}
lanes() { component "$library" loom_lanes LOADS "$1" STORES "$1" REGIONS "$1" PLACES 5 W 32 AW 32 OW 32 TAGS "$1" TW "$2"; }
is "a lane of each kind" "$(memory 1)" "$(lanes 1 1)" 30
is "four lanes of each kind" "$(memory 4)" "$(lanes 4 2)" 30

# Of several channels each has lanes of its own, and all regions.
channels() {
  a='!fabric.bits<32>'
  told far <<EOF
fabric.module @top(%m: memref<?xi32>, %a: $a, %b: $a, %c: $a, %d: $a, %e: $a, %f: $a) -> ($a, $a, none, none, none, none) {
  %x:6 = fabric.extmemory @far [ldCount = 2, stCount = 2, channels = 2, numRegion = 8, memrefType = memref<?xi32>] (%m, %a, %b, %c, %d, %e, %f)
      : (memref<?xi32>, $a, $a, $a, $a, $a, $a) -> ($a, $a, none, none, none, none)
  fabric.yield %x#0, %x#1, %x#2, %x#3, %x#4, %x#5 : $a, $a, none, none, none, none
}
EOF
}
channel=$(component "$library" loom_lanes LOADS 1 STORES 1 FIRST 1 STEP 2 REGIONS 8 PLACES 5 W 32 AW 32 OW 32)
is "two channels" "$(channels)" $((2 * ${channel:-0})) 30

# What banks add to a memory: how each is chosen by, and answers, any lane. RAM is no gates here.
banks() {
  a='!fabric.bits<32>'
  told near <<EOF
fabric.module @top(%a: $a, %b: $a, %c: $a, %d: $a, %e: $a, %f: $a) -> ($a, $a, none, none, none, none) {
  %x:6 = fabric.memory @near [ldCount = 2, stCount = 2, banks = $1, memrefType = memref<4096xi32>] (%a, %b, %c, %d, %e, %f)
      : ($a, $a, $a, $a, $a, $a) -> ($a, $a, none, none, none, none)
  fabric.yield %x#0, %x#1, %x#2, %x#3, %x#4, %x#5 : $a, $a, none, none, none, none
}
EOF
}
cp -R "$library" "$scratch/banks"
{ echo '(* blackbox *)'; sed -n '/^module/,/^);/p' "$library/loom_ram.sv"; echo endmodule; } >"$scratch/banks/loom_ram.sv"
several() {
  component "$scratch/banks" loom_banks BANKS "$1" ELEMENTS 4096 W 32 AW 14 LATENCY 1 L 2 S 2
}
is "four banks more than two" $(($(banks 4) - $(banks 2))) $(($(several 4) - $(several 2))) 30

# Answers that are long on their way: a stage more for each cycle.
late() {
  told far <<EOF
fabric.module @top(%m: memref<?xi32>, %a: !fabric.bits<32>) -> (!fabric.bits<32>, none) {
  %x:2 = fabric.extmemory @far [ldCount = 1, stCount = 0, latency = $1, memrefType = memref<?xi32>] (%m, %a)
      : (memref<?xi32>, !fabric.bits<32>) -> (!fabric.bits<32>, none)
  fabric.yield %x#0, %x#1 : !fabric.bits<32>, none
}
EOF
}
is "a lane of twenty places" "$(late 19)" "$(component "$library" loom_lanes LOADS 1 STORES 0 REGIONS 1 PLACES 20 W 32 AW 32 OW 32)" 30

# switch INPUTS OUTPUTS BUFFER
switch() {
  type='!fabric.bits<32>'
  awk -v n="$1" -v m="$2" -v b="$3" -v t="$type" 'BEGIN {
    for (i = 0; i < n; i++) { args = args (i ? ", " : "") "%a" i ": " t; in_ = in_ (i ? ", " : "") "%a" i; it = it (i ? ", " : "") t; ones = ones "1" }
    for (o = 0; o < m; o++) { ot = ot (o ? ", " : "") t; y = y (o ? ", " : "") "%s#" o; table = table (o ? ", " : "") "\"" ones "\"" }
    printf "fabric.module @top(%s) -> (%s) {\n  %%s:%d = fabric.spatial_sw @s [connectivity_table = [%s]%s] (%s)\n      : (%s) -> (%s)\n  fabric.yield %s : %s\n}\n", args, ot, m, table, b == 2 ? ", buffer = \"full\"" : b ? ", buffer = \"forward\"" : "", in_, it, ot, y, ot
  }' | told s
}
crossbar() { component "$library" loom_switch IN "$1" OUT "$2" W 32 BUFFER "$3"; }
is "a switch of four" "$(switch 4 4 0)" $(($(crossbar 4 4 0) + word)) 30
is "a switch of eight and four" "$(switch 8 4 0)" $(($(crossbar 8 4 0) + 2 * word)) 30
is "one with buffers" "$(switch 8 4 2)" $(($(crossbar 8 4 2) + 2 * word)) 30
is "one with forward buffers" "$(switch 8 4 1)" $(($(crossbar 8 4 1) + 2 * word)) 30

# One that packs lanes, and one that looks at tags.
is "a switch of lanes" "$(told s <<'EOF'
fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>) -> (!fabric.bits<32>) {
  %s = fabric.spatial_sw @s [decomposable_bits = 16, connectivity_table = ["11"]] (%a, %b) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>)
  fabric.yield %s : !fabric.bits<32>
}
EOF
)" $(($(component "$library" loom_switch IN 2 OUT 1 W 32 LANES 2) + 12 * word / 32)) 30
# temporal INPUTS OUTPUTS SLOTS BITS TAGBITS
temporal() {
  type="!fabric.tagged<!fabric.bits<$4>, i$5>"
  awk -v n="$1" -v m="$2" -v slots="$3" -v t="$type" 'BEGIN {
    for (i = 0; i < n; i++) { args = args (i ? ", " : "") "%a" i ": " t; in_ = in_ (i ? ", " : "") "%a" i; it = it (i ? ", " : "") t }
    for (o = 0; o < m; o++) { ot = ot (o ? ", " : "") t; y = y (o ? ", " : "") "%s#" o }
    printf "fabric.module @top(%s) -> (%s) {\n  %%s:%d = fabric.temporal_sw @s [num_route_table = %d] (%s)\n      : (%s) -> (%s)\n  fabric.yield %s : %s\n}\n", args, ot, m, slots, in_, it, ot, y, ot
  }' | told s
}
# The same as a module, and its words of configuration.
turns() {
  echo $(($(component "$library" loom_temporal_switch IN "$1" OUT "$2" SLOTS "$3" W "$4" TAGS $((1 << $5)) TW "$5") +
    $3 * ($1 * $2 + $5 + 1) * word / 32))
}
is "a temporal switch of one slot" "$(temporal 4 4 1 32 2)" "$(turns 4 4 1 32 2)" 30
is "one of eight" "$(temporal 4 4 8 32 2)" "$(turns 4 4 8 32 2)" 30
is "one of eight tags and 64 bits" "$(temporal 3 3 8 64 3)" "$(turns 3 3 8 64 3)" 30
is "one of 64 tags" "$(temporal 2 2 8 32 6)" "$(turns 2 2 8 32 6)" 30

# A PE of the preset: its ports, operands, units, and a word of configuration.
"$loom" adg small -o "$scratch/small.mlir" &&
  "$loom" emit verilog "$scratch/small.mlir" -o "$scratch/small" -- --part=hardware >/dev/null || fail "small"
pe() {
  told=$("$loom" adg show --json "$scratch/small.mlir" | sed -n "s/.*\"name\": \"$1\".*\"area\": \([0-9]*\)}.*/\1/p")
  is "$1 of small" "$told" $(($(component "$scratch/small/rtl" "pe_$1") + $2 * word)) 30
}
pe pe_0_0_c 3
pe pe_0_0_d 1

# own NAME PERCENT: a PE, @NAME, on standard input; its configuration is in it
own() {
  cat >"$scratch/own.mlir"
  rm -rf "$scratch/own"
  "$loom" emit verilog "$scratch/own.mlir" -o "$scratch/own" -- --part=hardware >/dev/null || fail "$1"
  told=$("$loom" adg show --json "$scratch/own.mlir" | sed -n "s/.*\"name\": \"$1\".*\"area\": \([0-9]*\)}.*/\1/p")
  is "the PE $1" "$told" $(($(component "$scratch/own/rtl" "pe_$1"))) "$2"
}
own flow 30 <<'EOF'
fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>, %c: !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>) {
  %p:2 = fabric.spatial_pe @flow inputs(%a, %b, %c) : (!fabric.bits<32>, !fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>, !fabric.bits<32>) {
    fabric.function_unit @gate(%x: i32, %y: i1) -> (i32, i1) [latency = -1, interval = -1] {
      %o, %m = dataflow.gate %x, %y : i32, i1 -> i32, i1
      fabric.yield %o, %m : i32, i1
    }
    fabric.function_unit @invariant(%d: i1, %x: i32) -> (i32) [latency = -1, interval = -1] {
      %o = dataflow.invariant %d, %x : i1, i32 -> i32
      fabric.yield %o : i32
    }
    fabric.function_unit @constant(%c: none) -> (i32) [latency = 1, interval = 1] {
      %o = handshake.constant %c {value = 1 : i32} : i32
      fabric.yield %o : i32
    }
    fabric.function_unit @carry(%d: i1, %x: i32, %y: i32) -> (i32) [latency = -1, interval = -1] {
      %o = dataflow.carry %d, %x, %y : i1, i32, i32 -> i32
      fabric.yield %o : i32
    }
    fabric.function_unit @stream(%x: index, %y: index, %z: index) -> (index, i1) [latency = -1, interval = -1] {
      %o, %m = dataflow.stream %x, %y, %z {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
      fabric.yield %o, %m : index, i1
    }
    fabric.yield
  }
  fabric.yield %p#0, %p#1 : !fabric.bits<32>, !fabric.bits<32>
}
EOF
# and_pe NAME TAG-BITS LATENCY PARAMETERS: a temporal PE with a unit that ands
and_pe() {
  t="!fabric.tagged<!fabric.bits<32>, i$2>"
  own "$1" 15 <<EOF
fabric.module @top(%a: $t, %b: $t) -> ($t) {
  %p = fabric.temporal_pe @$1 inputs(%a, %b) : ($t, $t) -> ($t) [$4] {
    fabric.function_unit @and(%x: i32, %y: i32) -> (i32) [latency = $3, interval = 1] {
      %z = arith.andi %x, %y : i32
      fabric.yield %z : i32
    }
    fabric.yield
  }
  fabric.yield %p : $t
}
EOF
}
and_pe turns 2 1 "num_register = 0, num_instruction = 6"
and_pe kept 4 4 "num_register = 4, num_instruction = 6, reg_fifo_depth = 2" # places for the results of five firings
and_pe buffered 2 1 "num_register = 0, num_instruction = 4, enable_share_operand_buffer = true, operand_buffer_size = 24"
# Units of several types, of which most share the data path of the widest.
{
  echo 'fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>) -> (!fabric.bits<32>) {'
  echo '  %p = fabric.spatial_pe @types inputs(%a, %b) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) {'
  for unit in muli.i8 muli.i16 muli.i32 muli.index addi.i16 addi.i32 minui.i16 minui.i32; do
    echo "    fabric.function_unit @${unit%.*}_${unit#*.}(%x: ${unit#*.}, %y: ${unit#*.}) -> (${unit#*.}) [latency = 1, interval = 1] {"
    echo "      %z = arith.${unit%.*} %x, %y : ${unit#*.}"
    echo "      fabric.yield %z : ${unit#*.}"
    echo "    }"
  done
  echo '    fabric.yield'
  echo '  }'
  echo '  fabric.yield %p : !fabric.bits<32>'
  echo '}'
} >"$scratch/types.mlir"
own types 30 <"$scratch/types.mlir"
checks_end
