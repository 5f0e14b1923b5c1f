#!/bin/sh
# c_nodes.sh -- how many nodes come of C, where there is the same kernel in MLIR, written by hand?
#
#     spec-tests/tools/c_nodes.sh LOOM SCRATCH             the median is at most 1.1
#     spec-tests/tools/c_nodes.sh LOOM SCRATCH --bench     a line each, and how long C takes
#
# The C is golden/*/hand.c, the function that is called as its folder. Some calculate in another way
# than the MLIR, as where C has no such type: it is the median that says what the front end costs.
set -u
loom=$1 work=$2 bench=${3:-}
here=$(dirname "$0")
. "$here/lib.sh"
mkdir -p "$work"
said=$work/said checked=$work/said

nodes() { "$loom" lower "$@" 2>"$work/said" | grep -c '^    [%a-z]'; }

for folder in "$here"/../../golden/*/; do
  kernel=$(basename "$folder")
  grep -q "^static .*[ *]$kernel(" "$folder/hand.c" 2>"$work/said" || continue
  of_c=$(nodes "$folder/hand.c" --func "$kernel")
  [ "$of_c" -eq 0 ] || echo "$kernel $(nodes "$folder/kernel.mlir") $of_c"
done | awk '{printf "%-20s %4d nodes of MLIR, %4d of C: %.2f\n", $1, $2, $3, $3 / $2}' |
  sort -n -t : -k 2 >"$work/nodes"
lines=$(wc -l <"$work/nodes")
median=$(sed -n "$(((lines + 1) / 2))s/.*: //p" "$work/nodes")
if [ -z "$bench" ]; then
  check "most kernels have C" [ "$lines" -ge 50 ]
  check "the median of the ratios, $median, is at most 1.1" awk "BEGIN { exit !($median <= 1.1) }"
  checks_end
  exit
fi

cat "$work/nodes"
echo "median of $lines: $median"

# The least of ten, in milliseconds.
least() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    begin=$(date +%s%N)
    "$@" >"$work/said" 2>&1
    echo $((($(date +%s%N) - begin) / 10000))
  done | sort -n | awk 'NR == 1 {printf "%.1f ms\n", $1 / 100}'
}
cat >"$work/fir.c" <<'C'
void fir(const int *restrict x, const int h[4], int *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += h[k] * x[i + k];
    y[i] = sum >> 4;
  }
}
C
"$loom" opt "$work/fir.c" -o "$work/fir.mlir"
echo "fir.c read:                     $(least "$loom" opt "$work/fir.c")"
echo "fir.mlir read:                  $(least "$loom" opt "$work/fir.mlir")"
echo "fir.c built, all engines, map:  $(least "$loom" build "$work/fir.c" --args '[1, 2, 3, 4, 5, 6], [1, 2, -1, 1], [0, 0, 0], 3' -o "$work/fir")"
