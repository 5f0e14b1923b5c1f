#!/bin/sh
# interrupted.sh -- Ctrl-C while a graph is being mapped.
#
#     interrupted.sh build/loom FOLDER [KERNEL FABRIC]          N passed, N failed
#
# Maps a large kernel, and again and again with SIGINT or SIGTERM after a part of that time. Each run
# must end in one of three ways, and nothing else may be in its folder:
#
#     before or behind the search   by the signal; no file
#     nothing found yet             status 3 and MAP_BUDGET; no file
#     something found               status 0, and says that it was ended early if it was; all files,
#                                   and the kernel runs on that hardware as its case says
#
# In one of the runs at least the search must have been ended with something found.
set -u
loom=$1 folder=$2 kernel=${3:-golden/dct} fabric=${4:-large}
passed=0 failed=0 early=0
rm -rf "$folder" && mkdir -p "$folder"

# judge STATUS DIR SAID: is this one of the three?
judge() {
  files=$(find "$2" -type f 2>/dev/null | wc -l)
  case $1 in
  130 | 143) [ "$files" -eq 0 ] ;;
  3) [ "$files" -eq 0 ] && grep -q 'error\[MAP_BUDGET\]' "$3" ;;
  0)
    grep -q 'ended early' "$3" && early=$((early + 1))
    [ "$files" -eq "$all" ] &&
      "$loom" sim "$2" --case "$kernel/case.json" --engine jit >"$folder/sim" 2>&1 &&
      grep -q '^PASS$' "$folder/sim" && grep -q '^agrees with the graph' "$folder/sim"
    ;;
  *) false ;;
  esac
}

check() {
  if judge "$1" "$2" "$3"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL status $1, $files files, after $4 ms of $whole"
    tail -n 5 "$3"
  fi
}

start=$(date +%s%N)
"$loom" map "$kernel/kernel.mlir" --adg "$fabric" -o "$folder/whole" >"$folder/said" 2>&1
status=$?
whole=$((($(date +%s%N) - start) / 1000000))
all=$(find "$folder/whole" -type f | wc -l)
check $status "$folder/whole" "$folder/said" $whole

# How long it takes is a guess on a machine that does other things too: a few tries.
for try in 1 2 3 4 5; do
  [ $early -eq 0 ] || break
  for part in 25 55 70 85; do
    for signal in INT TERM; do
      ms=$((whole * part / 100 + 1))
      rm -rf "$folder/cut"
      env --default-signal=INT,TERM timeout --preserve-status -s $signal \
        "$((ms / 1000)).$(printf %03d $((ms % 1000)))" \
        "$loom" map "$kernel/kernel.mlir" --adg "$fabric" -o "$folder/cut" >"$folder/said" 2>&1
      check $? "$folder/cut" "$folder/said" $ms
    done
  done
done
if [ $early -gt 0 ]; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo "FAIL no run was ended with a mapping found"
fi
echo "$early runs were ended with a mapping found"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
