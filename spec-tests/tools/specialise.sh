#!/bin/sh
# specialise.sh -- tests of loom specialise for some golden kernels.
#
#     spec-tests/tools/specialise.sh build/loom SCRATCH KERNEL-FOLDER...
#
# Specialises `large` for all of them, and asks of what comes out, from its files alone: does each
# kernel's mapping run, with its case, in no more cycles than on `large`? Is its image the
# graph, as the checker says? Is it at most 60 % of the area, and a third of that of `full`, where all PEs can do
# everything? Is it the same when made again? Does every unit of it have a user: without it, is there a
# mapping that does not run?
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1") scratch=$2
shift 2
mkdir -p "$scratch"
said=$scratch/mine.said checked=$scratch/checked
options=
for kernel; do options="$options $kernel/kernel.mlir --case $kernel/case.json"; done

area() { "$loom" adg show "$1" | sed -n 's/^.*area[^0-9]*\([0-9][0-9]*\).*/\1/p' | head -1; }

# shellcheck disable=SC2086
make_it() { "$loom" specialise $options --adg large --steps 12 -o "$scratch/$1.mlir" --maps "$scratch/$1" >"$scratch/$1.said"; }

make_it mine && pass || fail "specialise: $(cat "$scratch/mine.said")"
make_it again
cmp -s "$scratch/mine.mlir" "$scratch/again.mlir" && pass || fail "it is another fabric when made again"

for kernel; do
  name=$(sed -n 's/.*"function": "\([^"]*\)".*/\1/p' "$kernel/case.json" | head -1)
  "$loom" map "$kernel/kernel.mlir" --adg large -o "$scratch/large" >/dev/null
  before=$("$loom" sim "$scratch/large/$name.map.json" --case "$kernel/case.json" | sed -n 's/ cycles$//p')
  after=$("$loom" sim "$scratch/mine/$name.map.json" --case "$kernel/case.json" | sed -n 's/ cycles$//p')
  [ "${after:-0}" -gt 0 ] && [ "$after" -le "$before" ] && pass || fail "$name: $before cycles became ${after:-none}"
  check "$name: the image is not its graph" "$loom" config check "$scratch/mine/$name.fabric.mlir" \
    "$scratch/mine/$name.config.bin" "$scratch/mine/$name.dfg.mlir" "$scratch/mine/$name.map.json"
done

# A PE and a fabric whose names differ in what names of the part cannot have.
"$loom" adg tiny | sed 's/@fabric\b/@a_b/; s/@all\b/@"a.b"/g' >"$scratch/named.mlir"
"$loom" specialise golden/dot/kernel.mlir --adg "$scratch/named.mlir" --steps 1 -o "$scratch/named_part.mlir" >"$scratch/named.said" 2>&1 &&
  grep -q 'fabric.module @a_b(' "$scratch/named_part.mlir" && pass || fail "names that become one: $(cat "$scratch/named.said")"

# On standard output stands the fabric alone.
"$loom" specialise golden/dot/kernel.mlir --adg large --steps 1 -o - >"$scratch/piped.mlir" 2>/dev/null
check "the fabric on standard output" "$loom" adg show "$scratch/piped.mlir"

# More slack, no larger fabric; some, and a smaller one; and no kernel is slower than that.
slack_options="golden/prefix_sum/kernel.mlir --case golden/prefix_sum/case.json golden/histogram/kernel.mlir --case golden/histogram/case.json"
least=
for slack in 0 3 10 50; do
  # shellcheck disable=SC2086
  "$loom" specialise $slack_options --adg small --steps 60 --slack $slack -o "$scratch/slack$slack.mlir" >"$scratch/slack.said" && pass ||
    fail "--slack $slack"
  now=$(area "$scratch/slack$slack.mlir")
  [ "${now:-0}" -gt 0 ] && [ "$now" -le "${least:-$now}" ] && pass || fail "--slack $slack: an area of ${now:-none}, and with less slack $least"
  least=$now
  sed -n 's/^ .* \([0-9][0-9]*\) -> \([0-9][0-9]*\) cycles$/\1 \2/p' "$scratch/slack.said" | awk -v slack=$slack '
    { n++; if ($2 > $1 + $1 * slack / 100) wrong = 1 } END { exit wrong || n != 2 }' && pass || fail "--slack $slack: a kernel is slower"
done
[ "$least" -lt "$(area "$scratch/slack0.mlir")" ] && pass || fail "slack brings nothing"

for of in "large 60" "full 33"; do
  set -- $of
  "$loom" adg "$1" -o "$scratch/$1.mlir"
  whole=$(area "$scratch/$1.mlir") part=$(area "$scratch/mine.mlir")
  [ "${part:-0}" -gt 0 ] && [ $((part * 100)) -le $((whole * $2)) ] && pass ||
    fail "an area of ${part:-none} is more than $2 % of that of $1, ${whole:-none}"
done

# A unit that is taken out of a PE: some mapping then has none for a node of it, or another in its place.
line=$(grep -n 'fabric.instance @[a-z0-9_]*() : () -> ()' "$scratch/mine.mlir" | cut -d: -f1)
for at in $(echo "$line" | sed -n '1p;$p'); do
  found=no
  for mapping in "$scratch"/mine/*.map.json; do
    base=${mapping%.map.json}
    cp "$base.fabric.mlir" "$scratch/whole.mlir"
    unit=$(sed -n "${at}p" "$scratch/mine.mlir")
    awk -v unit="$unit" '!done && $0 == unit {done = 1; next} {print}' "$scratch/whole.mlir" >"$base.fabric.mlir"
    "$loom" sim "$mapping" >/dev/null 2>&1 || found=yes
    cp "$scratch/whole.mlir" "$base.fabric.mlir"
  done
  [ $found = yes ] && pass || fail "nobody misses the unit of line $at"
done
checks_end
