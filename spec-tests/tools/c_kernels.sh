#!/bin/sh
# c_kernels.sh -- C functions through the front end: does LOOM get what a C compiler gets?
#
#     spec-tests/tools/c_kernels.sh LOOM SCRATCH
#
# Each call below is made twice, by a program that the system's compiler made of the same file, and by
# LOOM on all its engines (which must agree, access by access). What a function is refused for is
# looked at as well.
set -u
with=
loom=$(readlink -f "$1") work=$2
here=$(dirname "$0")
. "$here/lib.sh"
mkdir -p "$work"

# result WHAT EXPECTED FOUND
result() { check "$1" is "$3" "$2"; }

# call NAME 'declarations of C' 'call of C' 'ARGS of LOOM': functions that return a number
call() {
  printf '#include "%s"\n#include <stdio.h>\nint main(void) { %s; printf("@%s == %%d\\n", (int)%s); }\n' \
    "$(cd "$here" && pwd)/c_kernels.c" "$2" "$1" "$3" >"$work/main.c"
  cc -o "$work/main" "$work/main.c" && "$work/main" >"$work/expected"
  result "$3" "$(cat "$work/expected")" \
    "$("$loom" run "$here/c_kernels.c" --func "$1" --args "$4" 2>&1 | grep "^@\|error" | head -n 1)"
}

# refused 'C' 'what is said'
refused() {
  printf '%s\n' "$1" >"$work/bad.c"
  result "$1" "bad.c:$2" "$(cd "$work" && "$loom" opt bad.c 2>&1 | head -n 1)"
}

check "the file is read" "$loom" opt "$here/c_kernels.c" -o "$work/kernels.mlir"
call dot 'int a[] = {1, -2, 3}, b[] = {4, 5, 6}' 'dot(a, b, 3)' '[1, -2, 3], [4, 5, 6], 3'
call dot 'int a[1], b[1]' 'dot(a, b, 0)' '[0], [0], 0'
call find '' "find(\"hello\", 'l')" '[104, 101, 108, 108, 111, 0], 108'
call find '' "find(\"hello\", 'x')" '[104, 101, 108, 108, 111, 0], 120'
call checksum 'unsigned char p[] = {200, 7, 90, 13, 255}' 'checksum(p, 5)' '[200, 7, 90, 13, 255], 5'
call collatz '' 'collatz(27)' 27
call collatz '' 'collatz(1)' 1
call gotos '' 'gotos(12)' 12
call gotos '' 'gotos(-1)' -1
for kind in 0 1 2 5; do call price '' "price($kind, 11)" "$kind, 11"; done
call spread 'Point p[] = {{5, 6}, {-3, 2}, {7, 40}}' 'spread(p, 3)' '[5, 6, -3, 2, 7, 40], 3'
call gcd '' 'gcd(462, 1071)' '462, 1071'
call determinant 'int m[3][3] = {{2, 0, 1}, {1, 3, 2}, {1, 1, 4}}' 'determinant(m)' \
  '[2, 0, 1, 1, 3, 2, 1, 1, 4]'
for n in -3 0 2 5; do call mixed '' "mixed($n)" "$n"; done
call fill '' 'fill(0x83, 4)' '131, 4'
call fill '' 'fill(7, 0)' '7, 0'
call variable 'int a[] = {3, -1, 4, 1, 5}' 'variable(a, 5)' '[3, -1, 4, 1, 5], 5'
call swapped '' 'swapped(0x12a4f6c8u)' 312800968
for pair in '3, 4' '2147483647, 1' '-2147483648, -1' '65536, 65536' '-5, 3' '-2147483648, 1'; do
  call saturated '' "saturated($pair)" "$pair"
done
call matrix '' 'matrix(4)' 4
for x in 3 -7 1000000; do call bits_of '' "bits_of($x)" "$x"; done
call greatest 'int a[] = {5, 9, -2}' 'greatest(a, 3)' '[5, 9, -2], 3'
call at_least_once 'int a[] = {5, 9, -2}' 'at_least_once(a, 3)' '[5, 9, -2], 3'
call at_least_once 'int a[] = {5, 9, -2}' 'at_least_once(a, -7)' '[5, 9, -2], -7'
call sorted 'int a[] = {4, 2, 3, 1}' 'sorted(a, 4)' '[4, 2, 3, 1], 4'
call places '' 'places("two words")' '[116, 119, 111, 32, 119, 111, 114, 100, 115, 0]'
for x in 2.5 -0.0 1e-320; do call kinds '' "kinds($x)" "$x"; done
call kinds '' 'kinds(INFINITY)' inf
call kinds '' 'kinds(NAN)' nan
call copies '' 'copies(7)' 7
result only_copied '%to == [5, 6]' \
  "$("$loom" run "$here/c_kernels.c" --func only_copied --args '[0, 0], [5, 6], 2' | head -n 1)"
call copied '' 'copied("fabric")' '[102, 97, 98, 114, 105, 99, 0]'

for i in 0 1 2; do call tabled '' "tabled($i)" "$i"; done
for n in 0 1 9; do call rejected '' "rejected($n)" "$n"; done
result "a do-while is there once" 3 "$("$loom" lower "$here/c_kernels.c" --func rejected | grep -c xori)"

printf '#include "%s"\n#include <stdio.h>\nint main(void) { int x[] = {1600, 2, 3, -4000, 5, 6}, h[] = {1, 2, -1, 1}, y[3]; fir(x, h, y, 3); printf("%%%%y == [%%d, %%d, %%d]\\n", y[0], y[1], y[2]); }\n' \
  "$(cd "$here" && pwd)/c_kernels.c" >"$work/main.c"
cc -o "$work/main" "$work/main.c" && "$work/main" >"$work/expected"
result fir "$(cat "$work/expected")" \
  "$("$loom" run "$here/c_kernels.c" --func fir --args '[1600, 2, 3, -4000, 5, 6], [1, 2, -1, 1], [0, 0, 0], 3' | head -n 1)"

refused 'int f(int (*g)(int)) { return g(1); }' '1:31: error[C_CALL]: calls through pointers are not supported'
refused 'int g(int); int f(int x) { return g(x); }' '1:35: error[C_CALL]: cannot call g: its body is not in this file'
refused 'int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }' '1:35: error[C_RECURSION]: f calls itself, but recursion is not supported'
refused 'int f(int **p) { return **p; }' '1:26: error[C_POINTER]: a pointer is stored in memory; store a number, and select by it: k ? b : a'
refused 'int f(int *a, int *b) { return a < b; }' \
  '1:34: error[C_TWO_MEMORIES]: cannot compare pointers into different memories'
refused 'int f(volatile int *a) { return *a; }' '1:33: error[C_VOLATILE]: volatile memory is not supported'
refused 'extern int t[8]; int f(int i) { return t[i]; }' '1:1: error[C_TABLE]: t is defined in another file'
refused '__int128 f(__int128 a) { return a + 1; }' '1:1: error[C_TYPE]: the result of f is not a single number; write it through a pointer'
refused 'long f(long a, long b) { return ((__int128)a * b) >> 64; }' '1:34: error[C_TYPE]: values of type i128 are not supported'
refused 'static int o(int); static int e(int n) { return n ? o(n - 1) + 1 : 1; } static int o(int n) { return n ? 2 * e(n - 1) : 0; } int f(int n) { return e(n); }' \
  '1:53: error[C_RECURSION]: o calls itself, but recursion is not supported'
refused 'long f(const int *a) { return (long)a; }' \
  '1:24: error[C_POINTER]: using an address as a number is not supported'
refused 'int f(int x) { return x +; }' '1:26: error[C_CLANG]: expected expression'


# files that are called or made as nobody would, and a machine without clang
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
