#!/bin/sh
# rtl_area.sh -- cells of the operations of hardware, as Yosys counts them after `synth`.
#
#     rtl_area.sh                    all modules, at all formats and some widths: some minutes
#     rtl_area.sh "loom_float_add"   these modules
#
# Cells are those of Yosys' internal library (gates of one or two inputs, muxes). A latch is a failure.
# The remainder of f64 (loom_float_rem) is left out: 2098 rows keep Yosys busy for too long.
set -u
cd "$(dirname "$0")/../.." || exit 1
. spec-tests/tools/lib.sh
library=backends/verilog/library
modules=${1:-$(cd $library && ls loom_int_*.sv loom_float_*.sv | sed 's/\.sv$//')}
failed=0
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# cells MODULE PARAMETER VALUE...: the number, or "latch"
cells() {
  in_yosys "; select -assert-none t:\$_DLATCH*; stat" "$@" >"$said" || {
    echo latch
    return
  }
  sed -n 's/.*Number of cells: *//p' "$said" | tail -n 1
}

row() {
  printf '%-20s' "$module_name"
  printf ' %9s' "$@"
  echo
  case "$*" in *latch*) failed=1 ;; esac
}

printf '%-20s %9s %9s %9s %9s\n' "cells" "i8" "i16" "i32" "i64"
for module_name in $modules; do
  case $module_name in
  loom_int_cut) continue ;; # wires
  loom_int_*)
    row "$(cells "$module_name" W 8)" "$(cells "$module_name" W 16)" \
      "$(cells "$module_name" W 32)" "$(cells "$module_name" W 64)"
    ;;
  esac
done
printf '\n%-20s %9s %9s %9s %9s\n' "cells" "f16" "bf16" "f32" "f64"
for module_name in $modules; do
  case $module_name in
  loom_float_jam | loom_float_normalize | loom_float_unpack | loom_float_round | loom_float_pack | loom_float_zeros) ;; # parts
  loom_float_*)
    wide=-
    [ "$module_name" = loom_float_rem ] || wide=$(cells "$module_name" E 11 M 52)
    row "$(cells "$module_name" E 5 M 10)" "$(cells "$module_name" E 8 M 7)" \
      "$(cells "$module_name" E 8 M 23)" "$wide"
    ;;
  esac
done
exit $failed
