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

# "pe_0_0 12": how often each module of the fabric is in it, through all levels of the hierarchy.
cat "$folder"/v/rtl/*.sv | awk '
  /^module / { module = $2; sub(/[^A-Za-z0-9_].*/, "", module); seen[module] = 1 }
  /^  [A-Za-z_][A-Za-z0-9_]* (#\(.*\) )?[tu]_/ { inside[module, $1]++; is_child[$1] = 1 }
  END {
    for (m in seen) many[m] = !is_child[m]
    for (level = 0; level < 16; level++) {
      for (m in seen) next_many[m] = !is_child[m]
      for (k in inside) { split(k, pair, SUBSEP); next_many[pair[2]] += many[pair[1]] * inside[k] }
      for (m in seen) many[m] = next_many[m]
    }
    for (m in seen) print m, many[m]
  }' >"$folder/many"

for file in "$folder"/v/rtl/*.sv; do
  case ${file##*/} in loom_* | unit_* | needs_* | *_units_*) continue ;; esac
  name=$(basename "$file" .sv)
  many=$(sed -n "s/^$name //p" "$folder/many")
  instances "$file" | awk -v n="$many" '{print n, $0}'
done | awk '{n = $1; $1 = ""; count[$0] += n} END {for (k in count) print count[k] k}' |
  sort -k2 >"$folder/all"

failed=0 total=0 missing=0
printf '%9s %6s %10s  %s\n' one many all 'cells of'
while read -r many what; do
  one=$(cells "$what")
  case $one in
  *[!0-9]*)
    [ "$one" = too-long ] || failed=1
    missing=$((missing + many))
    printf '%9s %6s %10s  %s\n' "$one" "$many" - "$what"
    ;;
  *)
    printf '%9s %6s %10s  %s\n' "$one" "$many" $((one * many)) "$what"
    total=$((total + one * many))
    ;;
  esac
done <"$folder/all"
[ $missing = 0 ] && what= || what="  and those of $missing modules that took too long"
printf '%9s %6s %10s%s\n' "" "" "$total" "$what"
exit $failed
