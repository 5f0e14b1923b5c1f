#!/bin/sh
# interrupted.sh -- SIGINT and SIGTERM during mapping, simulation and compilation.
#
#     interrupted.sh build/loom FOLDER [KERNEL FABRIC]          N passed, N failed
#
# Maps a kernel, and again and again with SIGTERM at a moment of the search that is counted, not timed
# (LOOM_INTERRUPT), and with SIGINT or SIGTERM from outside, whenever that is. Each run must end in one
# of three ways, and nothing else may be in its folder:
#
#     before or behind the search   by the signal; no file
#     nothing found yet             status 3 and MAP_BUDGET; what came closest, and no image
#     something found               status 0, and says that it was ended early if it was; all files,
#                                   and the kernel runs on that hardware as its case says
#
# Of the counted ones the first must have found nothing, the last all there is, and one at least must
# have been ended with something found.
#
# Elsewhere a run ends by the signal, which comes when the run has taken some processor time of its own,
# however busy the machine is, after a word of what was interrupted; no compiler that it started
# goes on, and nothing is left in the folders for temporary files and in the cache.
set -u
. "$(dirname "$0")/lib.sh"
loom=$1 folder=$2 kernel=${3:-golden/cordic} fabric=${4:-large}
early=0
rm -rf "$folder" && mkdir -p "$folder" && folder=$(cd "$folder" && pwd) # compilers run elsewhere

# judge STATUS DIR SAID: is this one of the three?
judge() {
  files=$(find "$2" -type f 2>/dev/null | wc -l)
  case $1 in
  130 | 143) [ "$files" -eq 0 ] ;;
  3) [ -z "$(find "$2" -name '*.config.*')" ] && grep -q '"incomplete": true' "$2"/*.map.json && grep -q 'error\[MAP_BUDGET\]' "$3" ;;
  0)
    grep -q 'ended early' "$3" && early=$((early + 1))
    [ "$files" -eq "$all" ] &&
      "$loom" sim "$2" --case "$kernel/case.json" --engine jit >"$folder/sim" 2>&1 &&
      grep -q '^PASS$' "$folder/sim" && grep -q '^agrees with the graph' "$folder/sim"
    ;;
  *) false ;;
  esac
}

ends() {
  said=$3
  if judge "$1" "$2" "$3"; then pass; else fail "status $1, $files files, after $4"; fi
}

start=$(date +%s%N)
"$loom" map "$kernel/kernel.mlir" --adg "$fabric" -o "$folder/whole" >"$folder/said" 2>&1
status=$?
whole=$((($(date +%s%N) - start) / 1000000))
all=$(find "$folder/whole" -type f | wc -l)
ends $status "$folder/whole" "$folder/said" "no signal"

# Counted: the moments lie a quarter further apart each time.
ticks=1 first= last=
while [ "$last" != whole ] && [ $ticks -lt 1000000 ]; do
  rm -rf "$folder/cut"
  LOOM_INTERRUPT=$ticks "$loom" map "$kernel/kernel.mlir" --adg "$fabric" -o "$folder/cut" >"$folder/said" 2>&1
  status=$?
  ends $status "$folder/cut" "$folder/said" "$ticks ticks"
  last=$status
  [ "$first" ] || first=$status
  [ $status -ne 0 ] || grep -q 'ended early' "$folder/said" || last=whole
  ticks=$((ticks * 5 / 4 + 10))
done
if [ "$first" = 3 ] && [ $early -gt 0 ] && [ "$last" = whole ]; then
  pass
else
  fail "the first ended with $first, $early with a mapping found, the last with $last"
fi

# From outside, at any moment: on a busy machine it may be another one.
for part in 5 30 60 90; do
  for signal in INT TERM; do
    ms=$((whole * part / 100 + 1))
    rm -rf "$folder/cut"
    env --default-signal=INT,TERM timeout --preserve-status -s $signal \
      "$((ms / 1000)).$(printf %03d $((ms % 1000)))" \
      "$loom" map "$kernel/kernel.mlir" --adg "$fabric" -o "$folder/cut" >"$folder/said" 2>&1
    ends $? "$folder/cut" "$folder/said" "$ms ms"
  done
done
echo "$early runs were ended with a mapping found"

# ---- elsewhere ----

mkdir -p "$folder/tmp"
cat >"$folder/long.mlir" <<'END'
func.func @long(%a: memref<?xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (i32) {
    %k = arith.andi %i, %c3 : index
    %x = memref.load %a[%k] : memref<?xi32>
    %u = arith.muli %t, %x : i32
    scf.yield %u : i32
  }
  return %s : i32
}
END
args='{"memref": {"shape": [4], "type": "i32", "data": [7, 8, 9, 1]}}, {"scalar": {"type": "index", "value"'
echo "{\"args\": [$args: 2147483647}}]}" >"$folder/long.json"
echo "{\"args\": [$args: 2}}]}" >"$folder/short.json"

# A compiler that says who it is and never ends.
printf '#!/bin/sh\necho $$ >"$STARTED"\nexec sleep 1000\n' >"$folder/endless"
chmod +x "$folder/endless"

# Not ended, nor ended and not yet asked for by whoever is its parent now.
is_running() {
  state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)
  [ "$state" ] && [ "$state" != Z ]
}

# Hundredths of a second that a process has computed itself, or nothing where it is no more.
computed() {
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | { read -r line && set -- $line && echo $((${12} + ${13})); }
}

# True when it is time for the signal: the compiler was started, or the run itself has computed for long
# enough to be at what takes long.
is_time() {
  if [ "$compiler" ]; then [ -s "$folder/started" ]; else [ "$(computed $run)" -ge "$busy" ]; fi
}

# ended SIGNAL WORD COMMAND...: the signal comes when it is time.
ended() {
  signal=$1 word=$2
  shift 2
  rm -f "$folder/started" "$folder/said"
  env --default-signal=INT,TERM TMPDIR="$folder/tmp" XDG_CACHE_HOME="$folder/cache" STARTED="$folder/started" \
    LOOM_CC="$compiler" LOOM_VERILATOR="$compiler" "$loom" "$@" >"$folder/said" 2>&1 &
  run=$!
  until is_time 2>/dev/null || ! is_running $run; do sleep 0.05; done
  kill -s "$signal" $run
  wait $run
  status=$?
  left=$(find "$folder/tmp" "$folder/cache/loom" -mindepth 1 ! -name "*.so" | wc -l)
  goes_on=no
  [ -s "$folder/started" ] && is_running "$(cat "$folder/started")" && goes_on=yes
  if [ $status -eq $((signal == 2 ? 130 : 143)) ] && [ "$left" -eq 0 ] && [ $goes_on = no ] &&
    grep -q "^loom $1: interrupted while $word; no file is left half-written\$" "$folder/said" &&
    ! grep -q 'error' "$folder/said"; then
    pass
  else
    fail "$*: status $status, $left files left, compiler goes on: $goes_on"
  fi
}

"$loom" map "$folder/long.mlir" --adg medium -o "$folder/long" >"$folder/said" 2>&1
mkdir -p "$folder/cache/loom" && chmod 700 "$folder/cache/loom"
# A build whose search is ended ends there: no other fabric is tried, and no file is written.
"$loom" build "$folder/long.mlir" --case "$folder/short.json" -o "$folder/searched" >"$folder/whole.said" 2>&1
whole_build=$?
rm -rf "$folder/searched"
LOOM_INTERRUPT=2 "$loom" build "$folder/long.mlir" --case "$folder/short.json" -o "$folder/searched" \
  >"$folder/said" 2>&1
status=$?
if [ $whole_build -eq 0 ] && [ $status -eq 143 ] && [ "$(find "$folder/searched" -type f | wc -l)" -eq 0 ] &&
  grep -q '^loom build: interrupted while a mapping was searched for' "$folder/said" &&
  ! grep -q 'PASS' "$folder/said"; then
  pass
else
  fail "loom build, ended while it searches: status $status"
fi

compiler=
# Ten times what it takes to get there: the mapping is read, checked and made into code in that time.
start=$(cat /proc/$$/stat | sed 's/.*) //' | cut -d ' ' -f 14,15)
"$loom" sim "$folder/long" --case "$folder/short.json" --engine jit >"$folder/said" 2>&1
end=$(cat /proc/$$/stat | sed 's/.*) //' | cut -d ' ' -f 14,15)
busy=$((10 * (${end% *} + ${end#* } - ${start% *} - ${start#* }) + 20))
ended 2 'the machine ran on step' sim "$folder/long" --case "$folder/long.json" --max-cycles 0
ended 15 'the machine ran on jit' sim "$folder/long" --case "$folder/long.json" --max-cycles 0 --engine jit
ended 2 'the machine ran on cc' sim "$folder/long" --case "$folder/long.json" --max-cycles 0 --engine cc
ended 2 'the source ran on ref' build "$folder/long.mlir" --case "$folder/long.json" -o "$folder/built"
ended 15 'the graph ran on dfg' run "$folder/long.mlir" --case "$folder/long.json" --engine dfg
compiler=$folder/endless
for signal in 2 15; do
  ended $signal 'a C compiler was running' sim "$folder/long" --case "$folder/short.json" --engine cc
  ended $signal 'a C compiler was running' build "$folder/long.mlir" --case "$folder/short.json" -o "$folder/built"
  ended $signal 'its RTL was built, or ran' sim "$folder/long" --case "$folder/short.json" --engine verilator
done
# Examples of the manual: their folders go, and so do the processes that run them.
{
  printf '# Long\n\n```mlir\n' && cat "$folder/long.mlir"
  printf '```\n\n```console\n$ loom run in.mlir --args "[7, 8, 9, 1], 2147483647" --engine ref\n```\n'
} >"$folder/chapter.md"
children() { cat "/proc/$1/task/$1/children" 2>/dev/null; }
for signal in 2 15; do
  env --default-signal=INT,TERM TMPDIR="$folder/tmp" "$loom" test "$folder/chapter.md" >"$folder/said" 2>&1 &
  run=$!
  until [ "$(find "$folder/tmp" -name in.mlir)" ] && command=$(children $(children $run)) && [ "$command" ] || ! is_running $run; do
    sleep 0.05
  done
  worker=$(children $run)
  kill -s $signal $run
  wait $run
  status=$?
  sleep 0.2
  left=$(find "$folder/tmp" -mindepth 1 | wc -l)
  if [ $status -eq $((128 + signal)) ] && [ "$left" -eq 0 ] && ! is_running "$worker" && ! is_running "$command" &&
    [ "$(cat "$folder/said")" = "loom test: interrupted while examples ran; no file is left half-written" ]; then
    pass
  else
    fail "loom test: status $status, $left files left, $(cat "$folder/said")"
  fi
done
# What was blessed before an example ended the process that runs them is kept, and so is what comes after it.
block() { printf '\n```console\n%s\n```\n' "$1"; }
kill='#include <signal.h>
#include <unistd.h>
int main(void) { return kill(getppid(), SIGKILL); }'
{
  printf '# Killed\n\n## Before\n' && block '$ loom version'
  printf '\n## Kills\n\n```c file=kill.c\n%s\n```\n' "$kill" && block '$ cc -o kill kill.c
$ ./kill'
  printf '\n## After\n' && block '$ loom version'
} >"$folder/killed.md"
"$loom" test --native --bless "$folder/killed.md" >"$folder/said" 2>&1
if [ "$(grep -c "^$("$loom" version | head -n 1)$" "$folder/killed.md")" -eq 2 ] && grep -q 'killed by signal 9' "$folder/said"; then
  pass
else
  fail "loom test --bless of an example that kills it: $(cat "$folder/said" "$folder/killed.md")"
fi
if [ "$(find "$folder/built" -type f | wc -l)" -ne 0 ]; then
  fail "files of a build that was ended before it wrote any"
fi
checks_end
