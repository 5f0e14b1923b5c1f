#!/bin/sh
# disk_full.sh -- what becomes of each command that writes where there is no room, or no way to write.
#
#     spec-tests/tools/disk_full.sh build/loom      the last line is: N passed, N failed[, N skipped]
#
# Room ends in four ways: a device that is always full, a limit on the size of files (ulimit -f), a
# small file system that is full (where one can be mounted), and descriptors that are closed. Each
# command then ends with status 5 and a line of COMP_FILE_WRITE; what stood there before still stands,
# and no part of a file is left, under no name. And what `-o` makes of a file that is there already,
# how little stack is enough, and that regions and calls nested too deep for any are refused.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
export LOOM_CC=/nowhere/cc # nothing is compiled: that is told otherwise
said=said checked=checked

kernel=$root/golden/dot/kernel.mlir case=$root/golden/dot/case.json
cp "$kernel" "$case" .
"$loom" lower kernel.mlir -o graph.mlir
"$loom" map kernel.mlir --adg medium -o mapped >said 2>&1
"$loom" config encode mapped/dot.fabric.mlir -o image >said 2>&1
mkdir golden && cp kernel.mlir case.json golden

# The commands that write to standard output, a line each.
to_output="version
help
help map
opt kernel.mlir
lower kernel.mlir
run kernel.mlir --case case.json
run kernel.mlir --case case.json --out -
adg tiny
adg show mapped/dot.fabric.mlir
adg show mapped/dot.fabric.mlir --dot
config show mapped/dot.fabric.mlir
config encode mapped/dot.fabric.mlir
config decode mapped/dot.fabric.mlir mapped/dot.config.bin
config check mapped/dot.fabric.mlir mapped/dot.config.bin
map kernel.mlir --adg medium --count
sim mapped --case case.json --engine jit
golden check golden
emit csim kernel.mlir
emit dot kernel.mlir
backends
backends --header
explain RT_LIMIT
test chapter.md"
# And into a file or a folder of -o.
to_files="opt kernel.mlir -o
lower kernel.mlir -o
run kernel.mlir --case case.json --engine dfg --out
run kernel.mlir --case case.json --engine dfg --out-dir
adg tiny -o
config show mapped/dot.fabric.mlir -o
config encode mapped/dot.fabric.mlir -o
config decode mapped/dot.fabric.mlir mapped/dot.config.bin -o
map kernel.mlir --adg medium -o
build kernel.mlir --case case.json -o
sim mapped --case case.json --engine jit --out
sim mapped --case case.json --engine jit --timed
emit csim kernel.mlir -o
emit dot kernel.mlir -o
emit trace kernel.mlir --case case.json -o
emit verilog mapped/dot.fabric.mlir -o
backends --headers"
printf '# A\n\n```mlir\nfunc.func private @f(i32)\n```\n' >chapter.md
cp mapped/dot.trace golden/golden.trace 2>/dev/null || "$loom" golden bless golden >said 2>&1

# refused STATUS: as it should be
refused() {
  is "$1" 5 && grep -q 'error\[COMP_FILE_WRITE\]: cannot write' said &&
    is "$(grep -c 'backend .* failed\|fault inside' said)" 0
}

# ---- a device that is full, and nothing to write to ------------------------------------------------
echo "$to_output" >list
while read -r call; do
  # shellcheck disable=SC2086
  "$loom" $call >/dev/full 2>said
  check "loom $call, onto a full device" refused $?
  # shellcheck disable=SC2086
  "$loom" $call >&- 2>said
  check "loom $call, standard output closed" refused $?
done <list
"$loom" opt - <&- >said 2>&1
check "standard input closed" is "$?" 1
check "and it is told" grep -q COMP_FILE_READ said

# What never ends ends here, long before memory does.
for from in "lower /dev/zero" "lower -" "run kernel.mlir --case /dev/zero" "config show mapped/dot.fabric.mlir /dev/zero"; do
  # shellcheck disable=SC2086
  (ulimit -t 60 && exec "$loom" $from) </dev/zero >said 2>&1
  check "loom $from, of zeros without end" is "$?" 1
  check "and it is told" grep -q 'COMP_FILE_TOO_LARGE.*is a device with more than 16 MiB' said
done
"$loom" opt - </dev/null >said 2>&1
check "a device that is short is read" is "$?" 0
mkfifo typed
cat kernel.mlir >typed &
"$loom" opt typed >said 2>&1
check "so is a pipe" is "$?" 0

# With standard error closed nothing that is said lands in a file.
"$loom" emit csim kernel.mlir -o alone >said 2>&1
LOOM_PLUGIN_PATH=relative "$loom" emit csim kernel.mlir -o closed >/dev/null 2>&-
check "standard error closed" cmp alone/dot.c closed/dot.c
LOOM_PLUGIN_PATH=relative "$loom" emit csim kernel.mlir -o closed >&- 2>&- <&-
check "all three closed" cmp alone/dot.c closed/dot.c

# ---- no room in a folder ---------------------------------------------------------------------------
# full WHERE CALL: it says so and leaves nothing, and keeps what was there
full() {
  there=$1
  shift
  refused "$status" && is "$(find "$there" -type f ! -name filler ! -name kept)" "" &&
    is "$(cat "$there"/kept 2>/dev/null)" "what was there"
}

echo "$to_files" >list
while read -r call; do
  mkdir limited
  printf 'what was there' >limited/kept
  # shellcheck disable=SC2086
  (
    ulimit -f 0 # pipes have no limit
    "$loom" $call limited/new 2>&1 >/dev/null
    echo "status $?"
  ) | cat >said
  status=$(sed -n 's/^status //p' said)
  check "loom $call DIR, past the limit of a file's size" full limited
  rm -rf limited
done <list

mkdir small
if mount -t tmpfs -o size=64k,mode=700 none small 2>/dev/null; then
  printf 'what was there' >small/kept
  dd if=/dev/zero of=small/filler bs=1k 2>/dev/null
  while read -r call; do
    # shellcheck disable=SC2086
    "$loom" $call small/new >/dev/null 2>said
    status=$?
    check "loom $call DIR, on a full file system" full small
    find small -mindepth 1 -type d -exec rm -r {} + 2>/dev/null
  done <list
  cp kernel.mlir case.json golden 2>/dev/null
  rm small/filler small/kept && mkdir small/golden && cp kernel.mlir case.json small/golden
  dd if=/dev/zero of=small/filler bs=1k 2>/dev/null
  "$loom" golden bless small/golden >/dev/null 2>said
  check "loom golden bless, on a full file system" refused $?
  check "and it leaves nothing" is "$(find small/golden -name 'golden.trace*')" ""
  umount small
else
  skip "a full file system: none can be mounted here"
fi

# ---- over what is there ----------------------------------------------------------------------------
over() { "$loom" opt kernel.mlir -o "$1" >said 2>&1; }
"$loom" opt kernel.mlir >whole
echo old >mine && chmod 640 mine
over mine
check "permissions stay" is "$(stat -c %a mine)" 640
check "and the text is new" cmp mine whole
echo old >runs && chmod 4755 runs
over runs
check "but no set-user-ID" is "$(stat -c %a runs)" 755
(umask 027 && over fresh)
check "a new file has those of the umask" is "$(stat -c %a fresh)" 640
echo old >behind && chmod 600 behind && ln -s behind link
over link
check "a link stays a link" test -h link
check "what is behind it is written" cmp behind whole
check "and keeps its permissions" is "$(stat -c %a behind)" 600
echo old >one && ln one two
over one
check "another name of the same file keeps what it had" is "$(cat two)" old
check "the one that was named is new" cmp one whole
mkdir led
ln -s "$work/outside" led/dot.c
echo outside >outside
"$loom" emit csim kernel.mlir -o led >said 2>&1
check "a link inside a folder of -o leads nowhere" is "$(cat outside)" outside
check "it is replaced" sh -c 'test -f led/dot.c && ! test -h led/dot.c'
flood_so() { ${CC:-cc} -shared -fPIC -I"$root/plugins" "$root/spec-tests/plugins/flood.c" -o flood.so; }
check "a plugin with a folder of its own" flood_so
for lead in led "led/"; do
  rm -rf led away && mkdir led away && ln -s "$work/away" led/even
  "$loom" emit --plugin ./flood.so flood kernel.mlir -o "$lead" >said 2>&1
  check "a link inside a folder of -o, in place of a folder, is refused" is "$?" 5
  check "and told" grep -q 'COMP_FILE_WRITE.*cannot write led/*/even: it is a symbolic link, not a folder' said
  check "nothing is written, there or beside it" is "$(find led away ! -type d)" led/even
done
mkdir real && ln -s "$work/real" named
"$loom" emit --plugin ./flood.so flood kernel.mlir -o named >said 2>&1
check "the folder of -o itself may be a link" test -f real/even/a.txt
mkfifo pipe
over pipe &
cat pipe >through
wait
check "a pipe is written to" cmp through whole
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$work"
  mkdir -m 777 theirs
  echo old >theirs/closed && chmod 444 theirs/closed
  setpriv --reuid=65534 --regid=65534 --clear-groups "$loom" opt kernel.mlir -o theirs/closed >said 2>&1
  check "a file that may not be written stays" refused $?
  check "as it was" is "$(cat theirs/closed)" old
  echo old >theirs/owned && chown 65534:65534 theirs/owned
  over theirs/owned
  check "a file stays its owner's" is "$(stat -c %u:%g theirs/owned)" 65534:65534
else
  skip "files of another user: setpriv, and to be root, are needed"
fi

# A small stack is enough; sanitizers' frames are larger.
on_small_stack() { (ulimit -s 64 && "$loom" "$@") >said 2>&1; }
if ! grep -q __asan_init "$loom"; then
  for engine in ref dfg jit; do
    check "run on $engine with 64 KiB of stack" on_small_stack run kernel.mlir --case case.json --engine $engine
  done
  check "map with 64 KiB of stack" on_small_stack map kernel.mlir --adg medium -o small_stack
  check "sim with 64 KiB of stack" on_small_stack sim small_stack --case case.json --engine jit
  { # views of views, in an if that gives one of them
    echo 'func.func @f(%A: memref<4xi32>, %c: i1, %i: index) -> i32 {'
    echo '%r = scf.if %c -> (memref<?xi32>) { %v0 = memref.cast %A : memref<4xi32> to memref<?xi32>'
    seq 4000 | while read -r i; do echo "%v$i = memref.cast %v$((i - 1)) : memref<?xi32> to memref<?xi32>"; done
    echo 'scf.yield %v4000 : memref<?xi32> } else { %w = memref.cast %A : memref<4xi32> to memref<?xi32>'
    echo 'scf.yield %w : memref<?xi32> }'
    echo '%x = memref.load %r[%i] : memref<?xi32> return %x : i32 }'
  } >views.mlir
  check "lower 4,000 views of views with 64 KiB of stack" on_small_stack lower views.mlir
  awk 'BEGIN {
    print "func.func @f(%i: index, %A: memref<4xi32>, %v: i32) { scf.index_switch %i"
    for (k = 0; k < 4000; k++) print "case " k " { memref.store %v, %A[%i] : memref<4xi32> scf.yield }"
    print "default { } return }"
  }' >switch.mlir
  check "lower a switch of 4,000 cases with 64 KiB of stack" on_small_stack lower switch.mlir
fi

# Stages recurse over nested regions: what calls would nest too deep is refused.
too_deep() {
  "$loom" lower "$1" >said 2>&1
  grep -q COMP_LOWER_TOO_LARGE said
}
awk 'BEGIN {
  for (i = 0; i < 1000; i++) {
    print "func.func " (i ? "private " : "") "@f" i "(%c: i1) {"
    for (k = 0; k < 100; k++) print "scf.if %c {"
    if (i < 999) print "func.call @f" i + 1 "(%c) : (i1) -> ()"
    for (k = 0; k < 100; k++) printf "}"
    print " return }"
  }
}' >calls.mlir
check "calls that nest ifs 100,000 deep" too_deep calls.mlir
awk 'BEGIN {
  for (i = 0; i < 12000; i++)
    print "func.func " (i ? "private " : "") "@f" i "(%x: i32) -> i32 {" \
          (i < 11999 ? "%y = call @f" i + 1 "(%x) : (i32) -> i32 return %y : i32 }" : "return %x : i32 }")
}' >chain.mlir
check "a chain of 12,000 calls" too_deep chain.mlir
awk 'BEGIN {
  print "func.func @f(%v0: i32) -> i32 {"
  for (i = 0; i < 12000; i++) print "%v" i + 1 " = call @f" i "(%v" i ") : (i32) -> i32"
  print "return %v12000 : i32 }"
  for (i = 0; i < 12000; i++) print "func.func private @f" i "(%x: i32) -> i32 { return %x : i32 }"
}' >many.mlir
check "12,000 functions, called one after the other" "$loom" lower many.mlir -o many

checks_end
