#!/bin/sh
# hostile_names.sh -- names in an input that would make paths outside of the output folder, or bad file names.
#
#     spec-tests/tools/hostile_names.sh build/loom      the last line is: N passed, N failed
#
# Functions, arguments, memories, hardware and the fields of a mapping are called "../evil", "", "-rf"
# and worse, and every command that writes is run. Whatever it answers, it answers with a status and,
# where it refuses, with a code; nothing appears outside the folder of -o; and what appears there is
# called by names that need no quotes and begin with no dot and no dash. The C that is written out of such
# names is C, and so it is where it is called as C, its headers, or the written C call something themselves.
# Nothing that people read, on the terminal or in a map.txt, has a control byte of a name's, or
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

# The names of nodes inside an instance begin with the instance's name. Here they take megabytes, so the
# buffer that they are put together in moves several times.
longer=$(printf '%020000d' 7 | tr 0-9 n)
{
  printf 'handshake.func @inner(%%x: i32, %%c: none, ...) -> (i32, none) {\n'
  yes '  handshake.sink %x : i32' | head -n 300
  printf '  handshake.return %%x, %%c : i32, none\n}\n'
  printf 'handshake.func @f(%%a: i32, %%go: none, ...) -> (i32, none) {\n'
  printf '  %%%s, %%d = handshake.instance @inner(%%a, %%go) : (i32, none) -> (i32, none)\n' "$longer"
  printf '  handshake.return %%%s, %%d : i32, none\n}\n' "$longer"
} >"$work/in/instance.mlir"
if "$loom" run "$work/in/instance.mlir" --func f --args 1 >"$work/said" 2>&1; then
  passed=$((passed + 1))
else
  fail "300 sinks in an instance with a long name"
fi

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

# ---- names that C has, and that the generated C has itself ----

# c_names FILE: identifiers in a text of C
c_names() {
  sed 's://.*::; s:/\*[^*]*\*/::g; s/"[^"]*"//g' "$1" | grep -o '[A-Za-z_][A-Za-z0-9_]*'
}

# kernel NAME ARGUMENTS MEMORY VALUE BODY: all that loops are written with: branches, a scan, math, a memory of its own
kernel() {
  cat <<END
func.func @$1(%k.n: index$2) -> (i32, f64) {
  %k.c0 = arith.constant 0 : index
  %k.c1 = arith.constant 1 : index
  %k.one = arith.constant 1 : i32
  %k.pi = arith.constant 3.5 : f64
  %k.own = memref.alloc(%k.n) : memref<?xi32>
  %k.s, %k.f = scf.for %k.i = %k.c0 to %k.n step %k.c1 iter_args(%k.t = %k.one, %k.g = %k.pi) -> (i32, f64) {
    %k.x = memref.load %$3[%k.i] : memref<?xi32>
    %k.is = arith.cmpi slt, %k.x, %k.t : i32
    %k.q = scf.if %k.is -> (i32) {
      %k.d = arith.divsi %k.x, %k.t : i32
      scf.yield %k.d : i32
    } else {
      scf.yield %k.x : i32
    }
    memref.store %k.q, %k.own[%k.i] : memref<?xi32>
    %k.r = memref.load %k.own[%k.c0] : memref<?xi32>
    %k.u = arith.addi %k.q, %k.r : i32
    %k.g1 = math.sin %k.g : f64
    %k.g2 = math.exp2 %k.g1 : f64
    %k.g3 = math.fma %k.g2, %k.g1, %k.g : f64
    %k.g4 = arith.remf %k.g3, %k.g2 : f64
    %k.g5 = math.roundeven %k.g4 : f64
    %k.g6 = math.powf %k.g5, %k.g1 : f64
    %k.g7 = math.rsqrt %k.g6 : f64
    scf.yield %k.u, %k.g7 : i32, f64
  }
$4
  return %$5, %k.f : i32, f64
}
END
}

# compiles WAY...: what is in out, as this C
compiles() {
  for file in out/*.c; do
    if "$@" -fsyntax-only "$file" >"$work/said" 2>&1; then pass; else fail "$name: no C for $*"; fi
  done
}

# looks_like_c NAME KERNEL: in every form, for every C that is here
looks_like_c() {
  name=$1
  for form in "" "--histories --fuel" "--accesses"; do
    rm -rf out
    if ! "$loom" emit csim "$2" -o out -- $form >"$work/said" 2>&1; then
      fail "$name $form: not written"
      continue
    fi
    compiles cc
    compiles cc -std=c99 -Wall -Wextra -Werror -Wno-unused -DLOOM_MAIN
    for newest in clang-19 clang-18 clang gcc; do
      [ -n "$(command -v $newest)" ] && $newest -std=c2x -fsyntax-only -x c /dev/null 2>/dev/null || continue
      compiles $newest -std=c2x
      break
    done
  done
}

words="alignas alignof auto bool case class const constexpr do double else false for goto int inline nullptr
  operator register restrict static static_assert this thread_local true typedef typeof typeof_unqual union void
  NULL errno main run fuel history fill_constants n0 late1 started1 next0 flush0 flush_late1 contents0 loom_n0 loom_this loom
  _x __y malloc free abort realloc"
kernel k ", %A: memref<?xi32>" A "" k.s >"$work/in/c.mlir"
for form in "" "--histories --fuel"; do
  rm -rf out
  "$loom" emit csim "$work/in/c.mlir" -o out -- $form >"$work/said" 2>&1 || fail "a kernel with all there is"
  c_names out/k.c
done >"$work/all"
printf '#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n' >"$work/in/headers.c"
cc -E -dM "$work/in/headers.c" | sed -n 's/^#define \([A-Za-z][A-Za-z0-9_]*\).*/\1/p' >>"$work/all"
cc -E "$work/in/headers.c" | grep -v '^#' | grep -o '[a-z][a-z0-9_]* *(' | tr -d ' (' >>"$work/all"
printf '%s\n' $words >>"$work/all"
sort -u "$work/all" >"$work/own"
[ "$(wc -l <"$work/own")" -gt 500 ] || fail "only $(wc -l <"$work/own") names"

# as values
arguments=$(sed 's/.*/, %&: i32/' "$work/own" | tr -d '\n')
kernel k ", %k.A: memref<?xi32>$arguments" k.A "$(awk '
  { printf "  %%k.x%d = arith.xori %%k.%s, %%%s : i32\n", NR, (NR > 1 ? "x" NR - 1 : "s"), $0 }' "$work/own")" \
  "k.x$(wc -l <"$work/own")" >"$work/in/c.mlir"
looks_like_c "values as C has them" "$work/in/c.mlir"
arguments=$(printf ', %%%s: i32' $words) # no more than 64
kernel k ", %k.A: memref<?xi32>$arguments" k.A "" k.s >"$work/in/c.mlir"
for engine in jit cc; do
  if "$loom" run "$work/in/c.mlir" --engine $engine --args "1, [1]$(printf ', 1%.0s' $words)" >"$work/said" 2>&1; then
    pass
  else
    fail "$name: $engine"
  fi
done

# a kernel's file whose name is no UTF-8: the mapping, which says where its loops stand, can be read back
odd=$(printf '%s/in/k\377.mlir' "$work")
echo 'func.func @f(%a: i32) -> i32 { return %a : i32 }' >"$odd"
"$loom" build "$odd" --adg tiny --args 7 -o odd >"$work/said" 2>&1 && "$loom" sim odd --args 7 >>"$work/said" 2>&1 && pass ||
  fail "a file's name that is no UTF-8"

# as memories: the function's own, some of which are parameters of the loops, and the caller's
kernel k ", %k.A: memref<?xi32>" k.A "$(sed 's/.*/  %& = memref.alloc() : memref<2xi32>\
  memref.store %k.one, %&[%k.c0] : memref<2xi32>/' "$work/own")" k.s >"$work/in/c.mlir"
looks_like_c "memories as C has them" "$work/in/c.mlir"
printf '%s\n' $words | split -l 10 - "$work/words."
for part in "$work"/words.*; do
  arguments=$(sed 's/.*/, %&: memref<?xi32>/' "$part" | tr -d '\n')
  kernel k "$arguments" "$(head -n 1 "$part")" "" k.s >"$work/in/c.mlir"
  looks_like_c "arguments as C has them" "$work/in/c.mlir"
done

# as functions: their declarations, beside all that one of them has beside it
kernel k ", %A: memref<?xi32>" A "" k.s >"$work/in/c.mlir"
rm -rf out
while read -r name; do
  sed "1s/@k/@$name/" "$work/in/c.mlir" >"$work/in/named.mlir"
  "$loom" emit csim "$work/in/named.mlir" -o "out/$name" >"$work/said" 2>&1 || fail "$name: not written"
done <"$work/own"
sed 's/@k/@unlike_any/' "$work/in/c.mlir" >"$work/in/named.mlir"
"$loom" emit csim "$work/in/named.mlir" -o out >"$work/said" 2>&1
cp out/unlike_any.c "$work/k.c"
for file in out/*/*.h; do sed -n 's/^.* \([A-Za-z0-9_]*\)(int32_t k_n.*/void \1(struct loom_odd *);/p' "$file"; done >"$work/declared"
[ "$(wc -l <"$work/declared")" = "$(wc -l <"$work/own")" ] || fail "functions: not all have a header"
rm -rf out && mkdir out
{ cat "$work/k.c"; echo 'struct loom_odd;'; cat "$work/declared"; } >out/k.c
name="functions as C has them"
compiles cc
compiles cc -std=c99
for name in main_types MainType printf; do # as the program and what it includes has them
  sed "1s/@k/@$name/" "$work/in/c.mlir" >"$work/in/named.mlir"
  rm -rf out
  "$loom" emit csim "$work/in/named.mlir" -o out >"$work/said" 2>&1 || fail "$name: not written"
  compiles cc -DLOOM_MAIN
done

# a PE with a name of 300 characters: no edge that ends there is left out of what is compared
pe=$(printf '%0300d' 7)
cat >"$work/in/k.mlir" <<'END'
func.func @k(%a: i32, %b: i32) -> i32 {
  %p = arith.muli %a, %b : i32
  return %p : i32
}
END
cat >"$work/in/long.mlir" <<END
fabric.module @top(%a: !fabric.bits<32>, %b: !fabric.bits<32>, %c: none) -> (!fabric.bits<32>, none) {
  %p = fabric.spatial_pe @p$pe inputs(%a, %b) : (!fabric.bits<32>, !fabric.bits<32>) -> (!fabric.bits<32>) {
    fabric.function_unit @m(%x: i32, %y: i32) -> (i32) [latency = 1, interval = 1] {
      %r = arith.muli %x, %y : i32
      fabric.yield %r : i32
    }
    fabric.yield
  }
  fabric.yield %p, %c : !fabric.bits<32>, none
}
END
"$loom" build "$work/in/k.mlir" --args "3, 4" --adg "$work/in/long.mlir" -o out >"$work/said" 2>&1
if grep -q 'tokens of 4 edges' "$work/said"; then pass; else fail "a PE with a long name"; fi

# ---- the call of a mapped kernel on a system: what its files have themselves, and what they call ----

# calls KERNEL ARGUMENT ARGUMENT
calls() {
  name="a call of @$1(%$2, %$3)"
  cat >"$work/in/c.mlir" <<END
func.func @$1(%$2: i32, %$3: f32) -> f32 {
  %t = arith.sitofp %$2 : i32 to f32
  %s = arith.addf %t, %$3 : f32
  return %s : f32
}
END
  rm -rf out map
  "$loom" map "$work/in/c.mlir" --adg small -o map >"$work/said" 2>&1 &&
    "$loom" emit system map -o out -- --part=kernel >>"$work/said" 2>&1 || fail "$name: not written"
  [ -e "$work/driver" ] || "$loom" emit system map -o "$work/driver" >"$work/said" 2>&1
  for file in out/kernels/*.c; do
    if cc -std=c99 -Wall -Wextra -Werror -fno-builtin -Iout/kernels -I"$work/driver/driver" -I"$work/driver/sim" -fsyntax-only \
      "$file" >"$work/said" 2>&1; then pass; else fail "$name: no C"; fi
  done
}

for own in words inputs outputs regions region_count memcpy strlen string loom_wait; do calls $own a b; done
calls f f_kernel f_machine
calls f memcpy f_simulated
calls f words memcpy

checks_end
