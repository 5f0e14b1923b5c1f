#!/bin/sh
# study.sh -- which fabric for six kernels of signal processing.
#
#     spec-tests/tools/study.sh build/loom SCRATCH small     two kernels and six fabrics, for the tests
#     spec-tests/tools/study.sh build/loom SCRATCH large     all six, 500 fabrics, and the RTL of the specialised one in
#                                                            Yosys: make study
#
# Explores fabrics with the units of `large`, then specialises `large` for the same kernels, and asks: has every kernel
# of a point of the front been mapped, and does it run from its files in the cycles that its row has? Does the
# specialised fabric dominate `large`: smaller, and no kernel slower? Is the small front that of a run which
# prunes nothing, and the one that 64-explore.md prints? Shows the front and these figures.
set -u
. "$(dirname "$0")/lib.sh"
need "the study" sqlite3
loom=$(realpath "$1") scratch=$2 size=$3 golden=$(pwd)/golden tools=$(dirname "$(realpath "$0")")
[ "$size" = large ] || rm -rf "$scratch" # the large one goes on where it was
mkdir -p "$scratch"
cd "$scratch" || exit 1
said=said
case $size in
small) kernels='fir biquad' steps=2 rows='7, 8' cols='8' tracks='1, 2, 3' latency='1' points=6 more= ;;
*) kernels='fir biquad conv2d convolve sobel dct' steps=12 rows='10, 11, 12, 13' cols='10, 11, 12, 13, 14' tracks='1, 2, 3, 4' latency='1, 2, 4' points=500
  more=', "rounds": 1000, "wave": 16' ;;
esac
list= options=
for k in $kernels; do
  list="$list${list:+, }{\"file\": \"$golden/$k/kernel.mlir\", \"case\": \"$golden/$k/case.json\"}"
  options="$options $golden/$k/kernel.mlir --case $golden/$k/case.json"
done
echo "{\"kernels\": [$list],
 \"axes\": {\"fabric\": \"large\", \"rows\": [$rows], \"cols\": [$cols], \"tracks\": [$tracks], \"mem-latency\": [$latency],
  \"pe-fifo\": [\"4,bypassable\"$([ "$size" = small ] || echo ', "2", "8,bypassable"')]}, \"points\": $points$more}" >plan.json

check "exploring" "$loom" explore plan.json -o study
cat study/front.txt
if [ "$size" = small ]; then
  check "exploring all of it" "$loom" explore plan.json -o whole --whole
  check "the front is not that of all points" cmp whole/front.csv study/front.csv
  sed -n '/^```text file=front.txt/,/^```$/p' "$golden/../spec-tests/64-explore.md" | sed '1d;$d' >manual.txt
  check "the manual has another front" cmp manual.txt study/front.txt
fi
ask() { sqlite3 study/explore.db "$1"; }
[ "$(ask 'SELECT count(*) FROM points')" = $points ] && pass || fail "there are not $points rows"
[ "$(ask "SELECT count(*) FROM points WHERE front")" -ge 1 ] && pass || fail "there is no front"
for point in $(ask 'SELECT point FROM points WHERE front'); do
  for k in $kernels; do
    function=$(sed -n 's/.*"function": "\([^"]*\)".*/\1/p' "$golden/$k/case.json" | head -1)
    ran=$("$loom" sim "study/points/$point/$function.map.json" --case "$golden/$k/case.json" | sed -n 's/ cycles$//p')
    [ "${ran:-0}" = "$(ask "SELECT cycles FROM results WHERE point = $point AND kernel = '$function'")" ] && pass ||
      fail "point $point: $function takes ${ran:-no} cycles"
  done
done

# shellcheck disable=SC2086
"$loom" specialise $options --adg large --steps $steps -o mine.mlir --maps maps >mine.said && pass || fail "specialising"
cat mine.said
sed -n 's/^ .* \([0-9][0-9]*\) -> \([0-9][0-9]*\) cycles$/\1 \2/p' mine.said | while read -r before after; do
  [ "$after" -le "$before" ] || echo slower
done | grep -q slower && fail "a kernel is slower" || pass
share=$(sed -n 's/^ *area \([0-9]*\).*/\1/p' mine.said)
[ "${share:-100}" -le 60 ] && pass || fail "the specialised fabric has $share % of the area"
if [ "$size" = large ] && command -v yosys >/dev/null; then
  sh "$tools/rtl_fabric_area.sh" "$loom" "$PWD/mine.mlir" "$PWD/gates" >gates.said
  check "a tile of the specialised fabric was not synthesised" test $? = 0
  tail -n 1 gates.said
fi
checks_end
