#!/bin/sh
# c_features.sh -- what C has, feature by feature: does LOOM get what a C compiler gets, or say why not?
#
#     spec-tests/tools/c_features.sh LOOM SCRATCH            N passed, N failed
#
# The functions of c_features.c are read once, and run on the source and on their graphs, which must agree. One
# program, made by the system's compiler, says what is expected. What cannot be a kernel is refused, at its place,
# in ways of which 97-codes-c.md has no example.
set -u
loom=$(readlink -f "$1") work=$2
here=$(dirname "$0")
. "$here/lib.sh"
mkdir -p "$work"
said=$work/said checked=$work/said
features=$(sed -n 's/^FEATURE(\([a-z0-9_]*\)).*/\1/p' "$here/c_features.c")
check "there are features" [ "$(echo "$features" | wc -l)" -gt 100 ]
{
  cat <<END
#include "$(readlink -f "$here")/c_features.c"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#define CALL(f, args) if (!fork()) return printf("%s%s == %d\\n", #f, #args, f##_f args), 0; wait(0);
int main(void) {
END
  for f in $features; do
    for args in '7, 3' '-5, 2' '100, 9'; do printf '  CALL(%s, (%s))\n' "$f" "$args"; done
  done
  printf '  return 0;\n}\n'
} >"$work/main.c"
cc -w -O1 -fno-strict-aliasing -ffp-contract=off -o "$work/main" "$work/main.c" -lm && "$work/main" >"$work/expected"
"$loom" opt "$here/c_features.c" -o "$work/features.mlir"
for f in $features; do
  for args in '7, 3' '-5, 2' '100, 9'; do
    found=$("$loom" run "$work/features.mlir" --func "${f}_f" --args "$args" 2>&1 | sed -n "s/^@.*==/$f($args) ==/p; /error/p" | head -n 1)
    check "$f($args)" grep -qxF "$found" "$work/expected"
  done
done

check "a do-while is there once" is "$("$loom" lower "$work/features.mlir" --func rejected_f | grep -c xori)" 3
kept='a pointer is stored in memory; store a number, and select by it: k ? b : a'

# refused 'what is said, behind the name of the file' 'C'
refused() {
  printf '%s\n' "$2" >"$work/bad.c"
  check "refused: $2" is "$("$loom" opt "$work/bad.c" -o "$work/bad.mlir" 2>&1 | sed -n "1s,^$work/bad.c:,,p")" "$1"
}

refused '3:10: error[C_CALL]: cannot call sum: variadic functions are not supported' 'static int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return n; }
int f(int a) {
  return sum(1, a); }'
refused '2:1: error[C_POINTER]: name returns a pointer; return an index, or nothing' 'static const char names[2][4] = {"one", "two"};
const char *name(int i) { return names[i]; }'
refused '1:1: error[C_POINTER]: kind returns a pointer; return an index, or nothing' 'const char *kind(void) { return "fir"; }'
refused '1:53: error[C_RECURSION]: o calls itself, but recursion is not supported' 'static int o(int); static int e(int n) { return n ? o(n - 1) + 1 : 1; } static int o(int n) { return n ? 2 * e(n - 1) : 0; } int f(int n) { return e(n); }'
refused '1:31: error[C_CALL]: calls through pointers are not supported' 'int f(int (*g)(int)) { return g(1); }'
refused '1:24: error[C_POINTER]: using an address as a number is not supported' 'long f(const int *a) { return (long)a; }'
refused '1:34: error[C_TYPE]: values of type i128 are not supported' 'long f(long a, long b) { return ((__int128)a * b) >> 64; }'
refused '3:23: error[C_RECURSION]: fib calls itself, but recursion is not supported' 'static int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int f(int n) { return fib(n); }'
refused '5:10: error[C_CALL]: calls through pointers are not supported' 'static int one(int x) { return x; }
static int two(int x) { return -x; }
int f(int n) {
  int (*g)(int) = n > 2 ? one : two;
  return g(n); }'
refused "1:48: error[C_POINTER]: $kept" 'int f(int *a, int *b, int c) { int *t[2]; t[0] = a; if (c) t[1] = b; else t[1] = a;
  return t[c][1]; }'
refused "1:44: error[C_POINTER]: $kept" 'int f(int *a, int *b, int n) { int *t[2] = {a, b}, s = 0;
  for (int i = 0; i < n; i++) {
    s += t[i & 1][0];
    t[i & 1] = b; }
  return s; }'
refused "3:9: error[C_POINTER]: $kept" 'int f(int n) {
  static void *const to[] = {&&one, &&two};
  goto *to[n & 1];
one: n *= 2;
two: return n + 1; }'
refused '2:12: error[C_POINTER]: a pointer is the result of a call of realloc' 'void *realloc(void *, unsigned long); int f(int n) {
  int *p = realloc(0, 4 * n); p[0] = n; return p[0]; }'
refused '4:14: error[C_POINTER]: memory is allocated in a loop; allocate it once, before the loop' 'void *malloc(unsigned long); int f(int n) {
  int s = 0, *last = 0;
  while (n--) {
    int *p = malloc(n); *p = n; if (last) s += *last; last = p; } return s; }'
refused '2:10: error[C_TYPE]: values of type long double are not supported' 'int f(int n) {
  return (long double)n / 3 > 1; }'
refused '3:12: error[C_TWO_MEMORIES]: cannot compare pointers into different memories' 'int f(int *a, int *b) {
  int *p = a;
  return p < b; }'
refused '2:44: error[C_POINTER]: memory is allocated in a loop; allocate it once, before the loop' 'int f(int n) { int s = 0, *last = 0;
  for (int i = 0; i < n; i++) { int *cur = __builtin_alloca(16); *cur = i; if (last) s += *last; last = cur; }
  return s; }'
refused '2:57: error[C_VOLATILE]: volatile memory is not supported' 'struct S { int v[8]; };
int f(const volatile struct S *p, int k) { struct S t = *p; return t.v[k & 7]; }'
refused '1:28: error[C_UNSUPPORTED]: atomic accesses are not supported' 'int f(_Atomic int *p) { *p = 4; return *p; }'

# gives 'what is said' 'arguments' 'C' ['options for clang']
gives() {
  printf '%s\n' "$3" >"$work/good.c"
  check "given $2: $3" is "$("$loom" run "$work/good.c" --args "$2" --read "flags=${4:-}" 2>&1 | sed "s,^$work/,,")" "$1"
}

gives '@f == 20' 5 'int f(int n) { int s = 0;
  for (int i = 0; i < n; i++) { int m = 4, v[m]; for (int *p = v; p < v + m; p++) *p = i; s += v[i & 3] + *(i & 1 ? v : v + 2); }
  return s; }'
gives '@f == 7' 3 'struct __attribute__((packed)) S { long long a; int b; };
long long f(int n) { struct S v[n]; v[0].a = 3; v[2].a = 4; return v[0].a + v[2].a; }'
gives 'good.c:1:2: warning[C_CLANG]: foo: error: bar [-W#warnings]
  #warning foo: error: bar
   ^~~~~~~
@f == 3' 3 '#warning foo: error: bar
int f(int a) { return a; }'
long=$(printf '%0150d' 0)
gives '@f == 6' '[1, 2, 3], 3' "int f(const int *a, int n) { const int *p$long = a; int s = 0;
b$long: s += *p$long++;
  if (--n > 0) goto b$long;
  return s; }"
gives '@f == 6' 1 'int f(int a) { return a + LAST; }' "$(printf -- '-DA%d ' $(seq 70))-DLAST=5"

checks_end
