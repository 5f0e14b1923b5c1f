#!/bin/sh
# rtl_levels.sh -- levels of gates of two inputs in the operations of hardware that have registers inside.
#
#     rtl_levels.sh            each at 32 bits, as passes/fabric/timing.def says: some seconds
#     rtl_levels.sh all        at all widths
#
# Yosys makes gates of a module (synth -flatten, abc -fast -g gates), and the longest way between two
# registers is counted (ltp -noff). Without registers it must have the levels of the table; with the
# table's latency no stage more than 30, of products of 64 bits 37; and with one register less more than
# 30 at 32 bits, so that no latency is longer than it must be. The last line is: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
library=backends/verilog/library
. spec-tests/tools/lib.sh
need "no levels are counted" yosys

# levels MODULE PARAMETER VALUE...
levels() {
  module=$1 set=
  shift
  while [ $# -gt 0 ]; do
    set="$set -set $1 $2"
    shift 2
  done
  yosys -p "read_verilog -sv -DSYNTHESIS $library/loom_*.sv; chparam $set $module;
    synth -noabc -flatten -top $module; abc -fast -g gates; opt_clean; ltp -noff" 2>&1 |
    sed -n 's/.*Longest topological.*length=\([0-9]*\).*/\1/p'
}

# column OPERATION N: a number of its row
column() {
  tr -d ' ' <passes/fabric/timing.def | sed -n "s/^TIMING($1,//p" | cut -d, -f "$2"
}

# holds WHAT IS-TRUE...
holds() {
  what=$1
  shift
  if [ "$@" ]; then pass; else fail "$what: $*"; fi
}

# unit OPERATION COLUMN MOST MODULE PARAMETER VALUE...
unit() {
  op=$1 column=$2 most=$3
  shift 3
  latency=$(column "$op" $((column + 4)))
  holds "$op, all its levels" "$(levels "$@" STAGES 0)" -eq "$(column "$op" "$column")"
  holds "$op, a stage of $latency" "$(levels "$@" STAGES "$latency")" -le "$most"
  [ "$column" -eq 3 ] || return
  holds "$op, one stage less" "$(levels "$@" STAGES $((latency - 1)))" -gt 30
}

unit ARITH_MULI 3 30 loom_int_multiply W 32
unit ARITH_DIVSI 3 30 loom_int_divide W 32 SIGNED 1 SERIAL 1
unit ARITH_ADDF 3 30 loom_float_add E 8 M 23
if [ "${1:-}" = all ]; then
  unit ARITH_MULI 1 30 loom_int_multiply W 8
  unit ARITH_MULI 2 30 loom_int_multiply W 16
  unit ARITH_MULI 4 37 loom_int_multiply W 64
  unit ARITH_DIVSI 1 30 loom_int_divide W 8 SIGNED 1 SERIAL 1
  unit ARITH_DIVSI 2 30 loom_int_divide W 16 SIGNED 1 SERIAL 1
  unit ARITH_DIVSI 4 30 loom_int_divide W 64 SIGNED 1 SERIAL 1
  unit ARITH_ADDF 2 30 loom_float_add E 5 M 10
  unit ARITH_ADDF 4 30 loom_float_add E 11 M 52
fi
checks_end
