#!/bin/sh
# hostile_names.sh -- names in an input that would lead out of a folder, or nowhere.
#
#     spec-tests/tools/hostile_names.sh build/loom      the last line is: N passed, N failed
#
# Functions, arguments, memories, hardware and the fields of a mapping are called "../evil", "", "-rf"
# and worse, and every command that writes is run. Whatever it answers, it answers with a status and,
# where it refuses, with a code; nothing appears outside the folder of -o; and what appears there is
# called by names that need no quotes and begin with no dot and no dash. The C that is written out of such
# names is C. Nothing that people read, on the terminal or in a map.txt, has a control byte of a name's, or
# a line that a name made.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in" "$work/here"
cd "$work/here" || exit 1

fail() {
  failed=$((failed + 1))
  printf 'FAIL %.200s\n' "$*" | cat -v
  sed 's/^/    /' "$work/said" | head -n 5 | cat -v
}

controls=$(printf '[\001-\010\013-\037\177]')
long=$(printf '%05000d' 7)
# As they stand in MLIR text, a line each; the empty one is the first.
cat >"$work/names" <<END

../evil
../../evil
$work/evil
a/b
a/../../evil
/
.
..
.hidden
-rf
--help
a\\\\b
a\\0Ab
a\\0Aresult PASS
\\1B[31mred
a\\00b
\\01\\1B[31m\\7F
\\C3\\A9\\FF
a b*?~
%2E%2E
$long
END

# The same in JSON.
as_json() { printf '%s' "$1" | sed 's/\\\([0-9A-F][0-9A-F]\)/\\u00\1/g'; }

# What stands anywhere but in the folder of -o.
outside() { (cd "$work" && find . -path ./here/out -prune -o ! -name said -print | sort); }

# try NAME COMMAND...: one call
try() {
  name=$1
  shift
  rm -rf out
  before=$(outside)
  env -i PATH=/nowhere "$loom" "$@" >"$work/said" 2>&1 </dev/null
  status=$?
  raw=$({ find out -name '*.map.txt' -exec cat {} + 2>/dev/null; cat "$work/said"; } |
    LC_ALL=C grep -a "$controls\|^result PASS")
  odd=$(find out -mindepth 1 2>/dev/null | LC_ALL=C grep -v '^\(out\|/[A-Za-z0-9_#$%:][A-Za-z0-9_.#$%:-]*\)*$')
  if [ $status -gt 4 ] || [ $status -eq 2 ]; then
    fail "$1, '$name': status $status"
  elif [ $status -ne 0 ] && ! grep -q 'error\[[A-Z_]*\]\|^  .*\[[A-Z_]*\]\|^  *[A-Z_]*: ' "$work/said"; then
    fail "$1, '$name': refused without a code, status $status"
  elif [ "$before" != "$(outside)" ]; then
    outside | head -n 20 >"$work/said"
    fail "$1, '$name': something was written outside"
  elif [ "$raw" ]; then
    fail "$1, '$name': the name drives the terminal, or makes a line: $raw"
  elif [ "$odd" ]; then
    echo "$odd" >"$work/said"
    fail "$1, '$name': an odd name of a file"
  else
    pass
  fi
}

# is_c FILE: compiles as it stands
is_c() {
  if cc -std=c99 -Wall -Werror -Wno-unused -fsyntax-only "$1" >"$work/said" 2>&1; then
    pass
  else
    fail "$1, '$name': is no C"
  fi
}

echo '{"version": 1, "args": [{"memref": {"shape": [2], "type": "i32", "data": [4, 5]}},
  {"scalar": {"type": "i32", "value": 3}}]}' >"$work/in/case.json"
mkdir "$work/in/golden"

all_of() {
  name=$1
  cat >"$work/in/k.mlir" <<END
func.func @"$name"(%m: memref<2xi32>, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<2xi32>
  %s = arith.addi %x, %a : i32
  return %s : i32
}
END
  { # more than the fabric has room for
    sed '$d' "$work/in/k.mlir" | sed '$d'
    i=0
    while [ $i -lt 8 ]; do
      echo "  %d$i = arith.muli %s, %a : i32  memref.store %d$i, %m[%c0] : memref<2xi32>"
      i=$((i + 1))
    done
    printf '  return %%s : i32\n}\n'
  } >"$work/in/large.mlir"
  try "$name" map "$work/in/large.mlir" --adg tiny --budget 1 -o out
  # arguments and results of a graph
  cat >"$work/in/g.mlir" <<END
handshake.func @g(%m: memref<2xi32>, %a: i32, ...) -> i32 attributes {argNames = ["$name", "$name"], resNames = ["$name"]} {
  handshake.return %a : i32
}
END
  cat >"$work/in/f.mlir" <<END
fabric.module @top(%a: !fabric.bits<8>) -> (!fabric.bits<8>) {
  %b = fabric.fifo @"$name" [depth = 1] (%a) : (!fabric.bits<8>) -> !fabric.bits<8>
  fabric.yield %b : !fabric.bits<8>
}
END
  cat >"$work/in/d.mlir" <<END
fabric.module @"$name"(%a: !fabric.bits<8>) -> (!fabric.bits<8>) {
  fabric.yield %a : !fabric.bits<8>
}
END
  k=$work/in/k.mlir g=$work/in/g.mlir f=$work/in/f.mlir c=$work/in/case.json
  try "$name" map "$k" --adg tiny --dot -o out
  for file in out/*.config.h; do [ ! -e "$file" ] || is_c "$file"; done
  cp -r out "$work/mapped" 2>/dev/null
  try "$name" map "$k" --adg tiny --from "$work/mapped" -o out
  rm -rf "$work/mapped"
  try "$name" build "$k" --case "$c" -o out
  try "$name" lower "$k" -o out
  try "$name" opt "$k" -o out
  try "$name" run "$k" --case "$c" --engine dfg --out out
  try "$name" run "$k" --case "$c" --engine dfg --out-dir out
  try "$name" run "$g" --case "$c" --engine dfg --out-dir out
  try "$name" emit csim "$k" -o out
  for file in out/*.c; do [ ! -e "$file" ] || is_c "$file"; done
  try "$name" emit dot "$g" -o out
  try "$name" emit trace "$g" --case "$c" -o out -- --format=all
  try "$name" emit trace "$k" --case "$c" -o out -- --format=all
  for hardware in "$f" "$work/in/d.mlir"; do
    try "$name" emit verilog "$hardware" -o out
    try "$name" config encode "$hardware" -o out/image
    try "$name" adg show "$hardware" --dot -o out
  done
  cp "$k" "$work/in/golden/kernel.mlir"
  {
    printf '{"function": "%s", ' "$(as_json "$name")"
    sed '1s/^.//' "$c"
  } >"$work/in/golden/case.json"
  cp -r "$work/in/golden" golden # blessed in place; what it writes has one name
  : >golden/golden.trace
  try "$name" golden bless golden
  rm -rf golden
}

while IFS= read -r name; do all_of "$name"; done <"$work/names"

# The files that a mapping names stand beside it.
sed -i 's/@"[^"]*"/@f/' "$work/in/k.mlir"
"$loom" map "$work/in/k.mlir" --adg tiny -o "$work/mapped" >"$work/said" 2>&1 || fail "a mapping"
while IFS= read -r name; do
  for member in dfg fabric; do
    rm -rf "$work/in/moved"
    cp -r "$work/mapped" "$work/in/moved"
    awk -v name="$(as_json "$name" | sed 's/\\/\\\\/g')" -v old="\"f.$member.mlir\"" '
      { at = index($0, old); if (at) $0 = substr($0, 1, at) name substr($0, at + length(old) - 1); print }' \
      "$work/mapped/f.map.json" >"$work/in/moved/f.map.json"
    try "$name" sim "$work/in/moved" --case "$work/in/case.json"
    [ $status -eq 1 ] || fail "sim, '$name' as the file of a mapping: status $status"
  done
done <"$work/names"

# A front end says where its operations stand in a file, whatever the file is called.
deep=$(printf '%0200d' 7)
mkdir -p "$deep/$deep/$deep"
for name in "$deep/$deep/$deep/k" 'a"b' 'a\b' 'a"):1:1)' "$(printf 'a\nb')" 'a\22b'; do
  printf 'kernel k x\nd = x * x\nreturn d - 1\n' >"$name.line"
  try "$name" run "$name.line" --args 3
  [ "$(cat "$work/said")" = "@k == 8" ] || fail "run, '$name.line' as the name of a kernel"
  printf 'kernel k x\nd = x / x\n' >"$name.line"
  try "$name" run "$name.line" --args 3
  [ $status -eq 1 ] || fail "run, '$name.line', which is wrong: status $status"
done

checks_end
