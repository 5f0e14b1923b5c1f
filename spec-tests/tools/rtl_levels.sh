#!/bin/sh
# rtl_levels.sh -- levels of gates of two inputs in the operations of hardware that have registers inside, and in
# the units of streams.
#
#     rtl_levels.sh LOOM SCRATCH            each at 32 bits, as passes/ir/timing.def says, and a temporal tile: a minute
#     rtl_levels.sh LOOM SCRATCH all        at all widths
#
# Yosys makes gates of a module (synth -flatten, abc -fast -g gates), and the longest way between two
# registers is counted (ltp -noff). Without registers it must have the levels of the table; with the
# table's latency no stage more than 30; and with one register less more than 30
# at 32 bits, so that no latency is longer than it must be. The last line is: N passed, N failed.
set -u
loom=$(realpath "$1") scratch=$2 how=${3:-}
mkdir -p "$scratch" && scratch=$(realpath "$scratch") && cd "$(dirname "$0")/../.." || exit 1
. spec-tests/tools/lib.sh
need "no levels are counted" yosys
DEFER=-defer FORGET=1

# longest FILES MODULE PARAMETER VALUE...
longest() {
  sources=$1 of=$2
  shift 2
  synthesised "$sources" "$of" "-g gates; opt_clean; ltp -noff" "$@" |
    sed -n 's/.*Longest topological.*length=\([0-9]*\).*/\1/p'
}

# levels MODULE PARAMETER VALUE...
levels() {
  longest "$(files backends/verilog/library "$1")" "$@"
}

# column OPERATION N: a number of its row
column() {
  tr -d ' ' <passes/ir/timing.def | sed -n "s/^TIMING($1,//p" | cut -d, -f "$2"
}

# holds WHAT IS-TRUE...
holds() {
  what=$1
  shift
  if [ "$@" ]; then pass; else fail "$what: $*"; fi
}

# latency OPERATION COLUMN: of its row
latency() {
  case $(grep -c "^SERIAL($1," passes/ir/timing.def) in
  1) tr -d ' ' <passes/ir/timing.def | sed -n "s/^SERIAL($1,//p" | cut -d')' -f 1 | cut -d, -f "$2" ;;
  *) column "$1" $(($2 + 4)) | tr -d ')' ;;
  esac
}

# stage OPERATION COLUMN MOST MODULE PARAMETER VALUE...: no stage has more levels
stage() {
  op=$1 column=$2 most=$3 latency=$(latency "$1" "$2")
  shift 3
  holds "$op, a stage of $latency" "$(levels "$@" STAGES "$latency")" -le "$most"
  [ "$column" -eq 3 ] && [ "$latency" -gt 1 ] || return 0
  holds "$op, one stage less" "$(levels "$@" STAGES $((latency - 1)))" -gt 30
}

# unit OPERATION COLUMN MODULE PARAMETER VALUE...: those of its row, and its stages
unit() {
  op=$1 column=$2
  shift 2
  holds "$op, all its levels" "$(levels "$@" STAGES 0)" -eq "$(column "$op" "$column")"
  stage "$op" "$column" 30 "$@"
}

# flat OPERATION COLUMN MODULE PARAMETER VALUE...: of what has no registers inside
flat() {
  op=$1 column=$2
  shift 2
  holds "$op, its levels" "$(levels "$@")" -eq "$(column "$op" "$column")"
}

f16="E 5 M 10" f32="E 8 M 23" f64="E 11 M 52"
unit ARITH_MULI 3 loom_int_multiply W 32
unit ARITH_ADDF 3 loom_float_add $f32
unit ARITH_MULF 3 loom_float_mul $f32
unit ARITH_TRUNCF 3 loom_float_convert $f32 RE 5 RM 10
unit ARITH_SITOFP 3 loom_float_from_int $f32 W 32
unit ARITH_FPTOSI 3 loom_float_to_int $f32 W 32
unit MATH_ROUNDEVEN 3 loom_float_integral $f32
flat ARITH_CMPF 3 loom_float_compare $f32
flat ARITH_MAXIMUMF 3 loom_float_extremum $f32
flat MATH_CTLZ 3 loom_int_count W 32
stage ARITH_DIVSI 3 30 loom_int_divide W 32 SERIAL 1
stage ARITH_DIVSI 3 30 loom_int_divide_early W 32 SERIAL 1
stage ARITH_REMF 4 30 loom_float_rem_early $f64 SERIAL 1

# Between the registers of a stream: whether it goes on, and its next index. What divides has registers of its own.
printf '%s\n' 'rows 1' 'cols 1' 'class A streams' '  units stream_*' '  inputs 3' '  outputs 2' >"$scratch/streams.adg"
rm -rf "$scratch/streams"
"$loom" adg "$scratch/streams.adg" -o "$scratch/streams.mlir" &&
  "$loom" emit verilog "$scratch/streams.mlir" -o "$scratch/streams" >"$scratch/streams.txt" || fail "no streams"
for step in add sub mul div shl shr; do
  holds "stream_$step" "$(longest "$(files "$scratch/streams/rtl" "unit_stream_$step")" "unit_stream_$step")" -le 30
done
# A tile with a temporal PE: a result, the arbiter of an output, the switch, the operand of another PE, the turn and a unit, all in a
# cycle; here gates are balanced, as a synthesis for speed does.
cat >"$scratch/tile.adg" <<'EOF'
rows 2
cols 2
width 32
fu merged
memories 0
scratchpads 0
inputs 2
outputs 2
tracks 1
operand-buffer 12
pattern A
switch-pattern st/ts
switch s
  connect turns
  buffer full
switch t
  connect turns
class A alu
  units constant_i8 cond_br_i8 carry_i8 alu2_i8_i8 cmpi_i8
  instructions 4
EOF
"$loom" adg "$scratch/tile.adg" -o "$scratch/tile.mlir" && rm -rf "$scratch/tile" &&
  "$loom" emit verilog "$scratch/tile.mlir" -o "$scratch/tile" -- --part=hardware >/dev/null || fail "a temporal tile"
tile_levels() {
  DEFER='' synthesised "$(ls "$scratch"/tile/rtl/*.sv | tr '\n' ' ')" tile_pe_0_1 \
    "-g gates -script +strash;balance;dch;balance;map; opt_clean; ltp -noff" | sed -n 's/.*Longest topological.*length=\([0-9]*\).*/\1/p'
}
holds "a temporal tile" "$(tile_levels)" -le 137

if [ "$how" = all ]; then
  sed -i 's/assign granted_tag = BY_TAG .*/assign granted_tag = tag_of(granted, tag);/' "$scratch/tile/rtl/loom_arbiter.sv"
  holds "one whose arbiters look for the tag of what they grant" "$(tile_levels)" -gt 137
  unit MATH_FMA 3 loom_float_fma $f32
  unit ARITH_MULI 1 loom_int_multiply W 8
  unit ARITH_MULI 2 loom_int_multiply W 16
  unit ARITH_MULI 4 loom_int_multiply W 64
  unit ARITH_MULSI_EXTENDED 1 loom_int_multiply_wide SIGNED 1 W 8
  unit ARITH_MULSI_EXTENDED 2 loom_int_multiply_wide SIGNED 1 W 16
  unit ARITH_MULSI_EXTENDED 3 loom_int_multiply_wide SIGNED 1 W 32
  unit ARITH_MULSI_EXTENDED 4 loom_int_multiply_wide SIGNED 1 W 64
  unit ARITH_ADDF 2 loom_float_add $f16
  unit ARITH_ADDF 4 loom_float_add $f64
  unit ARITH_MULF 2 loom_float_mul $f16
  unit ARITH_MULF 4 loom_float_mul $f64
  unit MATH_FMA 2 loom_float_fma $f16
  unit MATH_FMA 4 loom_float_fma $f64
  unit ARITH_TRUNCF 4 loom_float_convert $f64 RE 8 RM 23
  unit ARITH_SITOFP 4 loom_float_from_int $f64 W 64
  unit ARITH_FPTOSI 4 loom_float_to_int $f64 W 64
  unit MATH_ROUNDEVEN 4 loom_float_integral $f64
  flat ARITH_CMPF 4 loom_float_compare $f64
  flat ARITH_MAXIMUMF 4 loom_float_extremum $f64
  flat MATH_CTPOP 3 loom_int_count W 32 WHAT 2
  stage ARITH_DIVSI 1 30 loom_int_divide W 8 SERIAL 1
  stage ARITH_DIVSI 2 30 loom_int_divide W 16 SERIAL 1
  stage ARITH_DIVSI 4 30 loom_int_divide W 64 SERIAL 1
  stage ARITH_DIVSI 4 30 loom_int_divide_early W 64 SERIAL 1
  stage MATH_IPOWI 3 30 loom_int_power W 32 SERIAL 1
  for column in 2 3 4; do
    eval "format=\$f$((8 << (column - 1)))"
    stage ARITH_DIVF $column 30 loom_float_div $format SERIAL 1
    stage MATH_SQRT $column 30 loom_float_sqrt $format SERIAL 1
  done
  stage MATH_RSQRT 3 30 loom_float_rsqrt $f32 SERIAL 1
  for column in 2 3 4; do
    eval "format=\$f$((8 << (column - 1)))"
    stage ARITH_REMF $column 30 loom_float_rem $format SERIAL 1
    [ $column -eq 4 ] || stage ARITH_REMF $column 30 loom_float_rem_early $format SERIAL 1
  done
fi
checks_end
