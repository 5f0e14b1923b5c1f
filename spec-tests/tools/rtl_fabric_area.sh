#!/bin/sh
# rtl_fabric_area.sh -- cells of a fabric's modules, as Yosys counts them after `synth`.
#
#     rtl_fabric_area.sh LOOM FABRIC
#
# A row for each distinct module with its parameters: how many cells one has, how many of it there
# are, and all of them together. A PE has two rows: what happens to its tokens (loom_pe), and its
# configuration registers; what its function units compute is not in here, but operation by operation
# in area_check.sh, since one PE of a preset has hundreds of them. Cells are those of Yosys' internal
# library; a latch is a failure. AREA_SECONDS bounds each synthesis (120).
set -u
loom=$1 fabric=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v yosys >/dev/null || {
  echo "SKIP yosys is not installed: no area"
  exit 0
}
"$loom" emit verilog "$fabric" -o "$folder/v" -- --part=hardware >/dev/null || exit 1

# Every instance of a library module that has parameters: "loom_switch .IN(5), .OUT(5), ..."
instances() {
  tr '\n' ' ' <"$1" | grep -oE '\b(loom_(switch|temporal_switch|lanes|fifo|fork|map_tag|store|slice|pe)) #\([^;]*\) *[a-z]_[A-Za-z0-9_]* \(' |
    sed -E 's/ *\) *[a-z]_[A-Za-z0-9_]* \($//; s/ #\( */ /; s/ +/ /g'
}

# cells "loom_switch .IN(5), ...": a number, or why there is none
cells() {
  module=${1%% *}
  set=$(echo "${1#* }" | grep -oE '\.[A-Z_]+\([^)]*\)' | sed -E "s/\.([A-Z_]+)\((1'b)?([^)]*)\)/-set \1 \3/" | tr '\n' ' ')
  timeout "${AREA_SECONDS:-120}" yosys -q -p "read_verilog -sv $folder/v/rtl/loom_*.sv; chparam $set $module;
    hierarchy -top $module; synth -flatten -noabc -top $module; select -assert-none t:\$_DLATCH*;
    tee -o $folder/said stat" >"$folder/log" 2>&1
  case $? in
  0) sed -n 's/.*Number of cells: *//p' "$folder/said" | tail -n 1 ;;
  124) echo "too-long" ;;
  *) grep -q assert "$folder/log" && echo latch || echo failed ;;
  esac
}

for file in "$folder"/v/rtl/*.sv; do
  case ${file##*/} in loom_* | unit_* | needs_* | *_units_*) continue ;; esac
  name=$(basename "$file" .sv)
  # a PE's module stands for all that are instances of it
  many=$(cat "$folder"/v/rtl/*.sv | grep -cE "^  $name (#\(.*\) )?u_")
  [ "$many" -gt 0 ] || many=1
  instances "$file" | awk -v n="$many" '{print n, $0}'
done | awk '{n = $1; $1 = ""; count[$0] += n} END {for (k in count) print count[k] k}' |
  sort -k2 >"$folder/all"

failed=0 total=0
printf '%9s %6s %10s  %s\n' one many all 'cells of'
while read -r many what; do
  one=$(cells "$what")
  case $one in
  *[!0-9]*)
    [ "$one" = too-long ] || failed=1
    printf '%9s %6s %10s  %s\n' "$one" "$many" - "$what"
    ;;
  *)
    printf '%9s %6s %10s  %s\n' "$one" "$many" $((one * many)) "$what"
    total=$((total + one * many))
    ;;
  esac
done <"$folder/all"
printf '%9s %6s %10s\n' "" "" "$total"
exit $failed
