#!/bin/sh
# rtl_fabric_area.sh -- the gates of a whole fabric as Yosys makes them, beside the area that LOOM tells.
#
#     rtl_fabric_area.sh LOOM FABRIC [SCRATCH]
#
#     gates    of it    all    what           a row a kind of tile, the largest first
#     told 4291000, synthesised 2700000       the last line; exit status 1 where a kind has no figure
#
# Each kind of tile is synthesised by itself, flat, and counts as often as the fabric has it; then
# what stands between tiles (memories, inputs, outputs, control) without them and without block RAM. Gates are those of
# area_check.sh: transistors over those of a NAND, after `synth -flatten` and `abc -fast`. A latch is a
# failure. AREA_SECONDS bounds each synthesis (1200), AREA_JOBS is how many go on at once (one a core).
# What is in SCRATCH already is not made again.
set -u
cd "$(dirname "$0")/../.." || exit 1
loom=$(realpath "$1") fabric=$2 folder=${3:-}
[ -n "$folder" ] || {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
}
command -v yosys >/dev/null || {
  echo "SKIP yosys is not installed: no area"
  exit 0
}
mkdir -p "$folder" && "$loom" emit verilog "$fabric" -o "$folder/v" -- --part=hardware >/dev/null || exit 1

# "119 tile_pe_1_2_b": what the module of the fabric has of each kind, and itself
top=$("$loom" adg show "$fabric" | sed -n '1s/^module \([^:]*\):.*/\1/p')
{
  sed -n 's/^  \(tile_[A-Za-z0-9_]*\) .*/\1/p' "$folder/v/rtl/$top.sv" | sort | uniq -c
  echo "1 $top"
} >"$folder/kinds"

# The gates of one kind, into KIND.gates: a number, or why there is none.
cat >"$folder/one.sh" <<'END'
. spec-tests/tools/lib.sh
kind=$1 folder=$2 top=$3
[ -s "$folder/$kind.gates" ] && exit
files=$(sed -n "s|^rtl/.*\.sv$|$folder/v/&|p" "$folder/v/rtl.f" | tr '\n' ' ')
[ "$kind" = "$top" ] && files="$files; blackbox tile_* loom_ram"
synthesised "$files" "$kind" "; select -assert-none t:\$_DLATCH*; opt_clean; tee -o $folder/$kind.stat stat" >"$folder/$kind.log"
case $? in
0) grep -vE '^ *(tile_|loom_ram|\$paramod.*loom_ram)' "$folder/$kind.stat" | awk -f spec-tests/tools/gates.awk ;;
*) grep -q 'Assertion failed' "$folder/$kind.log" && echo latch || echo failed ;;
esac >"$folder/$kind.made" && mv "$folder/$kind.made" "$folder/$kind.gates"
END
awk '{ print $2 }' "$folder/kinds" |
  xargs -P "${AREA_JOBS:-$(nproc)}" -I KIND timeout "${AREA_SECONDS:-1200}" sh "$folder/one.sh" KIND "$folder" "$top"

while read -r many kind; do
  echo "$(cat "$folder/$kind.gates" 2>/dev/null || echo too-long) $many $kind"
done <"$folder/kinds" | awk '{ print ($1 ~ /^[0-9]+$/ ? $1 * $2 : 0), $1, $2, $3 }' | sort -k1,1nr -k4 |
  awk -v told="$("$loom" adg show "$fabric" | awk '$1 == "area" { print $3 }')" '
    { printf "%10s %5d %12d  %s\n", $2, $3, $1, $4; all += $1; if ($2 !~ /^[0-9]+$/) failed++ }
    END {
      printf "told %d, synthesised %d%s\n", told, all, failed ? ", and " failed " kinds have no figure" : ""
      exit failed > 0
    }'
