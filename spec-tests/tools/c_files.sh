#!/bin/sh
# c_files.sh -- C files that are called or made as nobody would, and a machine without clang.
#
#     spec-tests/tools/c_files.sh LOOM SCRATCH               N passed, N failed
#
# What is said of each must be this, word for word; nothing is left behind where clang crashes, and clang ends with the
# LOOM that started it.
set -u
with=
loom=$(readlink -f "$1") work=$2
. "$(dirname "$0")/lib.sh"
mkdir -p "$work"
# result WHAT EXPECTED FOUND
result() { check "$1" is "$3" "$2"; }
for name in 'a b.c' 'quo"te.c' 'back\slash.c' 'per%sent.c' '-dash.c' "$(printf 'new\nline.c')"; do
  printf 'int f(int x) { return x / (x - 3); }\n' >"$work/$name"
  result "$name" "@f == 4" "$("$loom" run "$work/$name" --args 4 --engine dfg 2>&1 | head -n 1)"
done
says() { is "$(cd "$work" && env $with "$loom" opt hostile.c 2>&1 | grep -o "error.*" | head -n 1)" "$1"; }
: >"$work/hostile.c"
check "an empty file" says "error[C_NO_FUNCTION]: there is no function in this file"
printf '#include "nowhere.h"\n' >"$work/hostile.c"
check "a header that is not there" says "error[C_CLANG]: 'nowhere.h' file not found"
with=PATH=/nonexistent check "no clang" says "error[C_NO_CLANG]: clang-19 is not installed (Debian's package clang-19)"
printf '#pragma clang __debug crash\nint f(int x) { return x; }\n' >"$work/hostile.c"
mkdir -p "$work/left"
with=TMPDIR=$work/left check "clang crashes" says "error[C_FAILED]: clang or LLVM crashed on this file: hostile.c"
check "and leaves nothing behind" is "$(ls "$work/left")" ""
printf 'int f(int x) { return x; }\n' >"$work/hostile.c"
flags() { is "$(cd "$work" && "$loom" opt hostile.c --read "flags=$1" 2>&1 | head -n 1)" "$2"; }
check "an option that clang does not know" flags -fnone "loom: error[C_CLANG]: unknown argument: '-fnone'"
check "options that make no LLVM" flags -E "hostile.c:1:1: error[C_CLANG]: clang produced no LLVM bitcode for this file; check its options"
awk 'BEGIN { print "int f(int x) {"; for (i = 0; i < 3000; i++) print "x = x * 3 + " i ";"; print "return x; }" }' >"$work/hostile.c"
check "a long function" is "$("$loom" opt "$work/hostile.c" | grep -c arith.muli)" 3000

# ended while clang reads what never comes: nobody goes on
mkfifo "$work/endless.h"
printf '#include "endless.h"\n' >"$work/waiting.c"
"$loom" opt "$work/waiting.c" >"$work/said" 2>&1 &
ended=$!
waits() { for i in $(seq 100); do pgrep -f "clang.*$work/waiting.c" >/dev/null && return; sleep 0.1; done; false; }
gone() { for i in $(seq 100); do pgrep -f "(clang|loom-c).*$work/waiting.c" >/dev/null || return 0; sleep 0.1; done; false; }
check "clang is at work" waits
kill -TERM $ended
wait $ended 2>/dev/null
check "and is gone with who started it" gone

# where LLVM's library is not found; where the front end was not built
bare=$work/bare
mkdir -p "$bare/plugins"
cp "$loom" "$bare"
result "no front end" "loom: error[COMP_NO_FRONTEND]: cannot read $work/hostile.c: no front end for C" \
  "$("$bare/loom" opt "$work/hostile.c" 2>&1 | head -n 1)"
cp "$(dirname "$loom")/plugins/c.so" "$(dirname "$loom")/plugins/loom-c" "$bare/plugins"
LC_ALL=C sed -i 's/libLLVM[-.]/libGONE./' "$bare/plugins/loom-c"
result "no library" "loom: error[C_NO_CLANG]: LLVM 19's library is not installed (Debian's package libllvm19)" \
  "$("$bare/loom" opt "$work/hostile.c" 2>&1 | tail -n 1)"
check "a build without clang calls none" is "$(make -n BUILD="$bare/build" LLVM_CONFIG=none CLANG=none all 2>&1 | grep -c 'llvm-config\|clang\|loom-c\|c\.so')" 0
mkdir -p "$work/folder.c"
result "a folder" "loom: error[COMP_FILE_READ]: cannot read $work/folder.c: Is a directory" "$("$loom" opt "$work/folder.c" 2>&1)"

checks_end
