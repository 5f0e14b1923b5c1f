#!/bin/sh
# c_kernels.sh -- C functions through the front end: does LOOM get what a C compiler gets?
#
#     spec-tests/tools/c_kernels.sh LOOM SCRATCH
#
# Each call below is made twice, by a program that the system's compiler made of the same file, and by
# LOOM on all its engines (which must agree, access by access). What a function is refused for is
# looked at as well.
set -u
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
printf '#include "%s"\n#include <stdio.h>\nint main(void) { int x[] = {1600, 2, 3, -4000, 5, 6}, h[] = {1, 2, -1, 1}, y[3]; fir(x, h, y, 3); printf("%%%%y == [%%d, %%d, %%d]\\n", y[0], y[1], y[2]); }\n' \
  "$(cd "$here" && pwd)/c_kernels.c" >"$work/main.c"
cc -o "$work/main" "$work/main.c" && "$work/main" >"$work/expected"
result fir "$(cat "$work/expected")" \
  "$("$loom" run "$here/c_kernels.c" --func fir --args '[1600, 2, 3, -4000, 5, 6], [1, 2, -1, 1], [0, 0, 0], 3' | head -n 1)"

refused 'int f(int (*g)(int)) { return g(1); }' '1:31: error[C_UNSUPPORTED]: a call through a pointer'
refused 'int g(int); int f(int x) { return g(x); }' \
  '1:35: error[C_UNSUPPORTED]: a call of g, whose body is not here'
refused 'int f(int **p) { return **p; }' '1:26: error[C_UNSUPPORTED]: a pointer is kept in memory'
refused 'int f(int *a, int *b, int c) { return *(c ? a : b); }' \
  '1:41: error[C_UNSUPPORTED]: which memory this pointer points into depends on the run'
refused 'int f(volatile int *a) { return *a; }' '1:33: error[C_UNSUPPORTED]: volatile memory'
refused 'int f(int *a) { return a[0] + ((short *)a)[3]; }' \
  '1:31: error[C_UNSUPPORTED]: one memory is accessed with 4 and with 2 bytes'
refused 'int f(int x) { return x +; }' '1:26: error[C_CLANG]: expected expression'

checks_end
