/* c_features.c -- the features of C, a small function for each. c_features.sh compares the results
 * of LOOM's code with those of the system's compiler. FEATURE(name) takes two ints and returns one.
 * No behaviour here is undefined or unspecified in C, except casts between pointer types and a
 * pointer that a loop leaves one element before an array. Whole kernels are in golden/
 * (c_golden.sh). */
#include <assert.h>
#include <ctype.h>
#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FEATURE(name) int name##_f(int a, int b)

FEATURE(ptr_walk) {
  int t[10];
  for (int i = 0; i < 10; i++) t[i] = a + i * b;
  int s = 0;
  for (int *p = t; p != t + 10; p++) s += *p;
  return s;
}

FEATURE(ptr_back) {
  int t[10];
  for (int i = 0; i < 10; i++) t[i] = a + i * b;
  int s = 0;
  for (int *p = t + 9; p >= t; p--) s = s * 3 + *p;
  return s;
}

FEATURE(ptr_sub) {
  int t[10];
  int *p = t + (a & 7), *q = t + (b & 7);
  return (int)(p - q);
}

static void sw_ptr_swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}
FEATURE(ptr_swap) {
  sw_ptr_swap(&a, &b);
  return a * 2 + b;
}

FEATURE(ptr_ptr) {
  int x = a;
  int *p = &x;
  int **pp = &p;
  **pp += b;
  return x;
}

FEATURE(ptr_cond_same) {
  int t[4] = {1, 2, 3, 4};
  int *p = a > b ? t : t + 2;
  return *p;
}

FEATURE(ptr_cast_char) {
  int x = a;
  unsigned char *p = (unsigned char *)&x;
  return p[0] + p[3] * b;
}

FEATURE(ptr_cast_float) {
  float x = a;
  int y;
  __builtin_memcpy(&y, &x, 4);
  return y ^ b;
}

struct P_struct_local {
  int x, y;
};
FEATURE(struct_local) {
  struct P_struct_local p = {a, b}, q;
  q = p;
  q.x += p.y;
  return q.x * q.y;
}

struct P_struct_array {
  int x, y;
};
FEATURE(struct_array) {
  struct P_struct_array p[5];
  for (int i = 0; i < 5; i++) {
    p[i].x = a + i;
    p[i].y = b * i;
  }
  int s = 0;
  for (int i = 0; i < 5; i++) s += p[i].x * p[i].y;
  return s;
}

struct P_struct_mixed {
  char c;
  double d;
  short s;
  long l;
};
FEATURE(struct_mixed) {
  struct P_struct_mixed p[4];
  for (int i = 0; i < 4; i++) {
    p[i].c = a + i;
    p[i].d = b * 0.5 + i;
    p[i].s = a * i;
    p[i].l = (long)a << i;
  }
  double s = 0;
  for (int i = 0; i < 4; i++) s += p[i].c + p[i].d + p[i].s + p[i].l;
  return (int)s;
}

struct Q_struct_nested {
  struct {
    int u[3];
  } in;
  int z;
};
FEATURE(struct_nested) {
  struct Q_struct_nested q[2] = {{{{a, b, 1}}, 2}, {{{3, 4, a}}, b}};
  return q[b & 1].in.u[2] + q[a & 1].z;
}

struct P_struct_ret {
  int x, y, z;
};
static struct P_struct_ret mk_struct_ret(int a, int b) {
  struct P_struct_ret p = {a, b, a + b};
  return p;
}
FEATURE(struct_ret) {
  struct P_struct_ret p = mk_struct_ret(a, b);
  return p.x + 2 * p.y + 3 * p.z;
}

struct N_struct_linked_index {
  int v, next;
};
FEATURE(struct_linked_index) {
  struct N_struct_linked_index n[6];
  for (int i = 0; i < 6; i++) {
    n[i].v = a * i;
    n[i].next = (i + b) % 6;
    if (n[i].next < 0) n[i].next += 6;
  }
  int s = 0, at = 0;
  for (int k = 0; k < 10; k++) {
    s += n[at].v;
    at = n[at].next;
  }
  return s;
}

union U_union_pun {
  float f;
  unsigned u;
};
FEATURE(union_pun) {
  union U_union_pun u;
  u.f = a * 0.25f;
  return (int)(u.u >> b);
}

union U_union_bytes {
  unsigned w;
  unsigned char c[4];
};
FEATURE(union_bytes) {
  union U_union_bytes u;
  u.w = a;
  unsigned char t = u.c[0];
  u.c[0] = u.c[3];
  u.c[3] = t;
  return (int)u.w + b;
}

struct B_bitfield {
  unsigned x : 3;
  int y : 5;
  unsigned z : 11;
};
FEATURE(bitfield) {
  struct B_bitfield s;
  s.x = a;
  s.y = b;
  s.z = a * b;
  s.y += 3;
  return s.x + s.y * 10 + s.z * 100;
}

struct B_bitfield_array {
  unsigned x : 3;
  int y : 5;
  unsigned z : 11;
};
FEATURE(bitfield_array) {
  struct B_bitfield_array s[4];
  for (int i = 0; i < 4; i++) {
    s[i].x = a + i;
    s[i].y = b - i;
    s[i].z = a * i;
  }
  int r = 0;
  for (int i = 0; i < 4; i++) r += s[i].x * s[i].y + s[i].z;
  return r;
}

/* More than 64 bits in a row, and fields that lie over the end of a word. */
struct B_bitfield_long {
  unsigned x : 11;
  int y : 19;
  unsigned z : 30;
  int u : 25;
  unsigned v : 7;
};
FEATURE(bitfield_long) {
  struct B_bitfield_long s[2] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
  for (int i = 0; i < 2; i++) {
    s[i].x += a;
    s[i].y -= b * 1000;
    s[i].z ^= a * b;
    s[i].u = a << i;
    s[i].v--;
  }
  return s[0].x + s[1].y + s[0].z * 3 + s[1].u + s[0].v + s[1].v;
}

/* Three, five and seven bytes in memory: elements are bytes, and pairs of them. */
struct B_bitfield_bytes {
  unsigned x : 24;
  unsigned char between;
  int y : 24;
} B_bitfield_bytes_of[3] = {{1, 2, -3}, {0xffffff, 7, -8388608}, {5, 6, 7}};
struct __attribute__((packed)) B_bitfield_packed {
  long x : 37;
  unsigned char between;
  unsigned y : 17;
  long z : 39;
};
FEATURE(bitfield_bytes) {
  struct B_bitfield_bytes s[3];
  struct B_bitfield_packed t[2] = {{1, 2, 3, 4}, {-5, 6, 7, -8}};
  for (int i = 0; i < 3; i++) {
    s[i] = B_bitfield_bytes_of[i];
    s[i].y += a;
    s[i].x -= b;
    t[i & 1].x *= a;
    t[i & 1].y += b;
    t[i & 1].z -= (long)a << 30;
    B_bitfield_bytes_of[2].x += i;
  }
  return s[0].y + s[1].x + s[2].between + s[1].y + t[0].x + t[1].y + (t[1].z >> 28) +
         B_bitfield_bytes_of[2].x;
}

FEATURE(goto_loop) {
  int s = 0;
again:
  s += b;
  if (s < a * 3 && b > 0) goto again;
  return s;
}

FEATURE(goto_irreducible) {
  int s = 0;
  if (a > 5) goto in;
out:
  s += 2;
  if (s > 50) return s;
in:
  s += b > 0 ? b : 1;
  if (s < 40) goto out;
  return s * 2;
}

FEATURE(goto_out_of_nest) {
  int i, j;
  for (i = 0; i < 9; i++)
    for (j = 0; j < 9; j++)
      if (i * j > a + b) goto done;
  i = j = 99;
done:
  return i * 100 + j;
}

FEATURE(switch_fall) {
  int s = 0;
  switch (a & 7) {
  case 0: s = 1;
  case 1: s += 2; break;
  case 2:
  case 3: s = 9;
  default: s += b;
  }
  return s;
}

FEATURE(switch_dense) {
  switch (a % 6) {
  case 0: return b;
  case 1: return b * 2;
  case 2: return b - 1;
  case 3: return ~b;
  case 4: return b << 2;
  default: return 77;
  }
}

FEATURE(switch_range) {
  switch (a) {
  case -100 ... - 1: return 1;
  case 0 ... 50: return b;
  default: return 9;
  }
}

FEATURE(switch_in_loop) {
  int st = 0, s = 0;
  for (int i = 0; i < 20; i++) {
    switch (st) {
    case 0: st = (a + i) & 1 ? 1 : 2; break;
    case 1:
      s += b;
      st = 2;
      continue;
    case 2:
      s -= 1;
      st = 0;
      break;
    }
    s *= 2;
    s %= 1000;
  }
  return s;
}

FEATURE(duff) {
  int n = (a & 15) + 1, s = 0, k = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { s += b;
    case 3: s += b * 2;
    case 2: s ^= 3;
    case 1: s += 1;
    } while (--k > 0);
  }
  return s;
}

static int g_recursion_tail(int n, int s) {
  return n <= 0 ? s : g_recursion_tail(n - 1, s + n);
}
FEATURE(recursion_tail) {
  return g_recursion_tail(a, b);
}

static int g_recursion_acc(int n) {
  return n <= 0 ? 0 : n + g_recursion_acc(n - 1);
}
FEATURE(recursion_acc) {
  return g_recursion_acc(a) + b;
}

static int add_func_ptr_const(int x, int y) {
  return x + y;
}
FEATURE(func_ptr_const) {
  int (*g)(int, int) = add_func_ptr_const;
  return g(a, b);
}

static int twice_func_ptr_param(int (*g)(int), int x) {
  return g(g(x));
}
static int inc_func_ptr_param(int x) {
  return x * 2 + 1;
}
FEATURE(func_ptr_param) {
  return twice_func_ptr_param(inc_func_ptr_param, a) + b;
}

FEATURE(complex) {
  double complex z = a + b * I;
  z = z * z;
  return (int)creal(z) + (int)cimag(z);
}

FEATURE(vla) {
  int n = (a & 7) + 3;
  int t[n];
  for (int i = 0; i < n; i++) t[i] = i * b;
  int s = 0;
  for (int i = 0; i < n; i++) s += t[i];
  return s;
}

FEATURE(vla2) {
  int n = (a & 3) + 2, m = (b & 3) + 2;
  int t[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) t[i][j] = i * 10 + j;
  return t[n - 1][m - 1] + t[1][0];
}

FEATURE(asm_barrier) {
  int r = a;
  __asm__ volatile("" ::: "memory");
  return r + b;
}

FEATURE(static_local) {
  static int n = 5;
  n += a;
  return n * b;
}

FEATURE(static_local_array) {
  static int t[4] = {1, 2, 3, 4};
  t[a & 3] += b;
  return t[1] + t[3];
}

static int g_global_var = 10;
FEATURE(global_var) {
  g_global_var += a;
  return g_global_var - b;
}

int g_global_extern = 10;
int tab_global_extern[4] = {3, 1, 4, 1};
FEATURE(global_extern) {
  g_global_extern += tab_global_extern[a & 3];
  tab_global_extern[b & 3] = g_global_extern;
  return g_global_extern + tab_global_extern[3];
}

static const short tab_const_table[16] = {1, -2,  3,  -4,  5,  -6,  7,  -8,
                                          9, -10, 11, -12, 13, -14, 15, -16};
FEATURE(const_table) {
  return tab_const_table[a & 15] * tab_const_table[b & 15];
}

static const double tab_const_table2[3][2] = {{.5, 1.5}, {2.5, 3.5}, {4.5}};
FEATURE(const_table2) {
  return (int)(4 * tab_const_table2[(a & 0xff) % 3][b & 1]);
}

static const struct {
  char op;
  int lat;
  double w;
} tab_const_struct_table[] = {{'a', 1, .5}, {'b', 3, 2}, {'c', 10, 1.25}};
FEATURE(const_struct_table) {
  unsigned i = (unsigned)a % 3;
  return tab_const_struct_table[i].op * tab_const_struct_table[i].lat +
         (int)(tab_const_struct_table[i].w * b);
}

FEATURE(const_string) {
  const char *s = "hello, world";
  return s[(unsigned)a % 12] + s[(unsigned)b % 12];
}

static const char names_string_table[3][6] = {"alpha", "beta", "gamma"};
FEATURE(string_table) {
  return names_string_table[(unsigned)a % 3][(unsigned)b % 5];
}

FEATURE(float_arith) {
  float x = a / 3.0f, y = b * 1.1f;
  return (int)((x + y) * (x - y) / (1 + y * y) * 100);
}

FEATURE(double_cmp_nan) {
  double x = a, y = b, z = (x - x) / (y - y);
  return (z == z) + 2 * (z != z) + 4 * (z < 1) + 8 * !(z >= 1) + 16 * __builtin_isnan(z);
}

FEATURE(math_sqrt) {
  return (int)(1000 *
               (sqrt(fabs((double)a)) + floor(b / 2.0) + ceil(a / 3.0) + fmin(a, b) + fmax(a, 2)));
}

FEATURE(math_trig) {
  return (int)(1000 * (sin(a) + cos(b) + atan2(a, b) + tan(0.5)));
}

FEATURE(math_exp) {
  return (int)(exp(b * 0.1) + log(fabs((double)a)) + pow(fabs((double)a), 0.3) + log2(9.0 + b) +
               log10(50.0 + b));
}

FEATURE(math_round) {
  return (int)(round(a * 0.5) + trunc(b * 1.7) + rint(a * 0.5) + nearbyint(b * 0.5) +
               lround(a * .3));
}

FEATURE(math_f) {
  return (int)(100 * (sqrtf(fabsf((float)a)) + fminf(a, b) + floorf(b / 3.f)));
}

FEATURE(bool) {
  bool x = a, y = b > 2;
  _Bool t[3] = {x, y, !x};
  t[1] = t[0] && t[1];
  return t[0] + 2 * t[1] + 4 * t[2] + (int)sizeof t;
}

enum E_enum { A_enum = 3, B_enum, C_enum = -2 };
FEATURE(enum) {
  enum E_enum e = a > 5 ? B_enum : a < 0 ? C_enum : A_enum;
  return e * b;
}

FEATURE(char_sign) {
  char c = (char)(a * 31);
  signed char d = (signed char)(b * 77);
  unsigned char e = (unsigned char)(a - b);
  return c + d * 3 + e * 7;
}

FEATURE(short_wrap) {
  short s = (short)(a * 3000);
  unsigned short u = (unsigned short)(b * 30000);
  s += u;
  return s * 2 + u;
}

FEATURE(unsigned_div) {
  unsigned x = (unsigned)a, y = (unsigned)b;
  return (int)(x / y + x % y);
}

FEATURE(signed_div) {
  return a / b * 1000 + a % b;
}

FEATURE(long_long) {
  long long x = (long long)a * 1000003, y = x * b;
  return (int)(y >> 7) ^ (int)(y % 99991);
}

FEATURE(shifts) {
  return (a << (b & 7)) + (a >> (b & 7)) + (int)((unsigned)a >> (b & 31));
}

FEATURE(rotate) {
  unsigned x = (unsigned)a;
  int n = b & 31;
  return (int)(x << n | x >> (-n & 31));
}

FEATURE(builtins) {
  unsigned x = (unsigned)a | 1;
  return __builtin_popcount(x) + __builtin_clz(x) * 2 + __builtin_ctz(x | 8) + __builtin_parity(x) +
         __builtin_ffs(b) + __builtin_bswap32(x) + __builtin_abs(b);
}

FEATURE(overflow_builtin) {
  int r;
  int o = __builtin_mul_overflow(a, b * 100000000, &r);
  return r + o;
}

FEATURE(ternary_chain) {
  return a > 10 ? b > 5 ? 1 : 2 : a < 0 ? 3 : b ? 4 : 5;
}

FEATURE(short_circuit) {
  int n = 0;
  if (a > 0 && (n++, b > 2)) n += 10;
  if (a < 0 || (n++, b < 0)) n += 100;
  return n;
}

FEATURE(comma) {
  int s = 0;
  for (int i = 0, j = 10; i < j; i++, j -= 2) s += i * j + a;
  return s + b;
}

FEATURE(do_while) {
  int n = 0;
  do {
    n += b;
    a /= 2;
  } while (a);
  return n;
}

FEATURE(break_continue) {
  int s = 0;
  for (int i = 0; i < 50; i++) {
    if (i % 3 == 0) continue;
    if (i * b > a + 20) break;
    s += i;
  }
  return s;
}

FEATURE(early_return) {
  for (int i = 0; i < 30; i++) {
    if (i * i > a * a) return i;
    if (i == b * 4) return -i;
  }
  return 7;
}

FEATURE(unsigned_counter) {
  unsigned n = (unsigned)(a & 15);
  int s = 0;
  for (unsigned i = n; i-- > 0;) s += (int)i * b;
  return s;
}

FEATURE(char_counter) {
  int s = 0;
  for (unsigned char i = 250; i >= 240; i++) s += i;
  return s + a + b;
}

FEATURE(size_t_counter) {
  int t[12] = {0};
  for (size_t i = 0; i < 12; i++) t[i] = (int)i * a;
  int s = 0;
  for (size_t i = 12; i > 0; --i) s = s * b + t[i - 1];
  return s;
}

FEATURE(float_counter) {
  int n = 0;
  for (float x = 0; x < 1; x += 0.125f) n += a;
  for (double d = 10; d > 0.1; d *= 0.5) n += b;
  return n;
}

FEATURE(long_counter_stride) {
  int s = 0;
  for (long i = -7; i < 100; i += 13) s += (int)i * a;
  for (int i = 100; i > b; i -= 9) s ^= i;
  return s;
}

static void add_restrict_arg(int *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++) d[i] += s[i];
}
FEATURE(restrict_arg) {
  int x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {a, b, a, b, a, b};
  add_restrict_arg(x, y, 6);
  return x[0] * x[5] + x[3];
}

static void mv_alias_overlap(int *d, const int *s, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i] + 1;
}
FEATURE(alias_overlap) {
  int x[8] = {a, b, 1, 2, 3, 4, 5, 6};
  mv_alias_overlap(x + 1, x, 7);
  mv_alias_overlap(x, x + 2, 5);
  return x[7] * 100 + x[0];
}

FEATURE(memcpy_overlap) {
  int x[8] = {a, b, 1, 2, 3, 4, 5, 6};
  memmove(x + 1, x, 5 * sizeof *x);
  memcpy(x + 6, x, 8);
  return x[1] + x[2] * 2 + x[6] * 3;
}

FEATURE(memset) {
  int x[8];
  memset(x, 0xff, sizeof x);
  x[a & 7] = b;
  memset(x + 4, 0, 8);
  return x[0] + x[4] + x[7] + x[a & 7];
}

FEATURE(strlen) {
  char x[20] = "hello world";
  x[(a & 7) + 1] = 0;
  return (int)strlen(x) * b;
}

FEATURE(assert_ok) {
  assert(b > 0);
  return a / b;
}

FEATURE(exit_call) {
  if (b > 1000) exit(1);
  return a;
}

FEATURE(abort_call) {
  if (b > 1000) abort();
  return a;
}

FEATURE(unreachable) {
  switch (b & 1) {
  case 0: return a;
  case 1: return b;
  }
  __builtin_unreachable();
}

static _Thread_local int g_thread_local = 3;
FEATURE(thread_local) {
  g_thread_local += a;
  return g_thread_local * b;
}

#define T_generic(x) _Generic((x), int : 1, double : 2, default : 3)
FEATURE(generic) {
  return T_generic(a) + T_generic(1.0) * b + T_generic("x");
}

#define MAX_stmt_expr(x, y)                                                                        \
  ({                                                                                               \
    typeof(x) _x = (x);                                                                            \
    typeof(y) _y = (y);                                                                            \
    _x > _y ? _x : _y;                                                                             \
  })
FEATURE(stmt_expr) {
  return MAX_stmt_expr(a, b) * 2;
}

static int sum_compound_literal(const int *p) {
  return p[0] + p[1];
}
FEATURE(compound_literal) {
  return sum_compound_literal((int[]){a, b});
}

FEATURE(designated) {
  int t[8] = {[2] = a, [5] = b};
  return t[2] * t[5] + t[3];
}

struct S_flexible_array {
  int n;
  int d[];
};
FEATURE(flexible_array) {
  int raw[5] = {4, a, b, 3, 4};
  struct S_flexible_array *s = (struct S_flexible_array *)raw;
  int t = 0;
  for (int i = 0; i < s->n; i++) t += s->d[i];
  return t;
}

struct __attribute__((packed)) S_packed {
  char c;
  int i;
  short s;
};
FEATURE(packed) {
  struct S_packed s[3];
  for (int k = 0; k < 3; k++) {
    s[k].c = (char)a;
    s[k].i = b * k;
    s[k].s = (short)(a * k);
  }
  return s[2].i + s[1].c + s[2].s;
}

FEATURE(float16) {
  _Float16 x = (_Float16)a, y = (_Float16)b;
  return (int)(x * y + x);
}

static int tr_matriarg(int n, int m[n][n]) {
  int s = 0;
  for (int i = 0; i < n; i++) s += m[i][i];
  return s;
}
FEATURE(matriarg) {
  int m[3][3] = {{a, 1, 2}, {3, b, 4}, {5, 6, a + b}};
  return tr_matriarg(3, m);
}

FEATURE(array3d) {
  int m[2][3][4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 4; k++) m[i][j][k] = i * a + j * b + k;
  return m[a & 1][1][3] + m[1][2][b & 3];
}

FEATURE(offset_neg) {
  int t[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  int *p = t + 4;
  return p[-(a & 3)] + p[b & 3] + 3 [p];
}

static int lut_nested_func_static(int i) {
  static const int t[4] = {5, 6, 7, 8};
  return t[i & 3];
}
FEATURE(nested_func_static) {
  return lut_nested_func_static(a) * lut_nested_func_static(b);
}

FEATURE(isnan_inf) {
  double x = a ? 1.0 / (a - a) : 0;
  return isinf(x) + 2 * isnan(x * 0) + 4 * (int)signbit(-1.0 * b) + 8 * isfinite(x);
}

FEATURE(float_to_int_big) {
  float x = a * 1e5f;
  return (int)x + (int)(unsigned char)(b * 2.5f) + (int)(long)(x * b);
}

FEATURE(int_to_float_u) {
  unsigned u = (unsigned)a;
  unsigned long l = (unsigned long)b << 40;
  return (int)((double)u / 65536) + (int)((float)l / 1e12f);
}

FEATURE(fma) {
  return (int)(fma(a, b, 0.5) * 8) + (int)fmaf(a, 2, b);
}

FEATURE(long_expr) {
  return ((a + b) * (a - b) ^ (a | b)) & ~(a & b) | (b << 3) - (a >> 1) + !a * !b;
}

FEATURE(infinite_for_break) {
  int i = 0;
  for (;;) {
    if (++i * b > a) break;
    if (i > 99) break;
  }
  return i;
}

static struct {
  int n;
  double w[4];
} g_global_struct = {2, {.5, 1, 2, 4}};
FEATURE(global_struct) {
  g_global_struct.n += a;
  double s = 0;
  for (int i = 0; i < 4; i++) s += g_global_struct.w[i] * (g_global_struct.n + i);
  return (int)s + b;
}

static const int tab_const_ptr_global[4] = {9, 8, 7, 6};
static const int *const p_const_ptr_global = tab_const_ptr_global + 1;
FEATURE(const_ptr_global) {
  return p_const_ptr_global[a & 1] + b;
}

FEATURE(uninit) {
  int x;
  if (a > 0)
    x = b;
  else
    x = 2;
  return x;
}

static int g_many_args(int a, int b, int c, int d, int e, int h, int i, int j) {
  return a - b + c * d - e + h * i - j;
}
FEATURE(many_args) {
  return g_many_args(a, b, 1, 2, a, b, 3, 4);
}

__attribute__((noinline)) static int g_attribute_noinline(int a) {
  return a * a;
}
FEATURE(attribute_noinline) {
  return g_attribute_noinline(a) + g_attribute_noinline(b);
}

inline int sq_extern_inline(int x) {
  return x * x;
}
extern inline int sq_extern_inline(int);
FEATURE(extern_inline) {
  return sq_extern_inline(a) - b;
}

__attribute__((weak)) int w_weak(int x) {
  return x + 1;
}
FEATURE(weak) {
  return w_weak(a) * b;
}

FEATURE(typeof_auto) {
  __auto_type x = a * 2.5;
  return (int)x + b;
}

struct __attribute__((packed)) S_packed_only {
  char c;
  int i;
};
FEATURE(packed_only) {
  struct S_packed_only s[3];
  for (int k = 0; k < 3; k++) s[k].i = b * k + a;
  return s[2].i - s[1].i * 2;
}

FEATURE(memcpy_bytes) {
  int x[4] = {a, b, 3, 4}, y[4] = {0};
  __builtin_memcpy(y, x, (b & 3) * 3 + 1);
  return y[0] + y[1] * 3 + y[2];
}

FEATURE(memcpy_part) {
  int x[4] = {a, b, 3, 4}, y[4] = {9, 9, 9, 9};
  __builtin_memcpy((char *)y + 1, x, 7);
  return y[0] + y[1] * 3 + y[2];
}

FEATURE(memcpy_chain) {
  long x[2] = {a, b};
  int y[4];
  short z[8];
  __builtin_memcpy(y, x, 16);
  __builtin_memcpy(z, y, 16);
  return z[0] + z[4] * 3 + y[2];
}

FEATURE(unaligned_load) {
  unsigned char t[16];
  for (int i = 0; i < 16; i++) t[i] = a * i + b;
  int s = 0;
  for (int i = 0; i < 12; i++) {
    unsigned w;
    __builtin_memcpy(&w, t + i, 4);
    s ^= w;
  }
  return s;
}

FEATURE(ptr_cmp_unused) {
  int t[10];
  int *p = t + (a & 7), *q = t + (b & 7);
  return (p < q) + 2 * (p == q);
}

FEATURE(ptr_byte_walk) {
  int t[8];
  for (int i = 0; i < 8; i++) t[i] = a + i * b;
  int s = 0;
  for (char *p = (char *)t; p < (char *)t + 32; p += 4) s = s * 5 + *(int *)p;
  return s;
}

FEATURE(lround) {
  return (int)(lround(a * 0.5) + lrint(b * 0.5) + llround(a * .3));
}

FEATURE(mod_ptr) {
  struct {
    int h;
    float v[3];
  } r = {a, {1, 2, 3}};
  float *p = r.v;
  for (int i = 0; i < 3; i++) *p++ *= b;
  return (int)(r.h + r.v[2]);
}

static const int hidden[4] = {5, 7, 11, 13};

static int is_hidden(int i) {
  return hidden[i & 3];
}

FEATURE(local_hides_global) {
  const char *text = "need";
  int hidden[4] = {1, 2, 3, 4}, table[4] = {a, b, a, b};
  hidden[b & 3] = a;
  return is_hidden(b) * hidden[a & 3] + table[b & 3] + text[a & 3];
}

FEATURE(arcs) {
  return (int)(1000 * (acos(1.0 / (1 + b)) + asin(1.0 / (2 + b)) + atan(a) + atan2(a, b) +
                       sinh(1.0 / b) + cosh(1.0 / b) + tanh(a)));
}

FEATURE(swapped) {
  int x[12], y[12], *now = x, *next = y;
  for (int i = 0; i < 12; i++) x[i] = a * i ^ b, y[i] = x[i];
  for (int t = 0; t < (a & 7); t++) {
    for (int i = 1; i < 11; i++) next[i] = now[i - 1] - 2 * now[i] + now[i + 1];
    int *swap = now;
    now = next;
    next = swap;
  }
  return now[5] * 7 + next[3] * 3 + x[2];
}

FEATURE(three_buffers) {
  float x[6] = {a, b, 1}, y[6] = {b, 2}, z[6] = {3}, *p = x, *q = y, *r = z;
  for (int t = 0; t < b; t++) {
    for (int i = 1; i < 5; i++) r[i] = p[i - 1] + q[i] * 0.5f;
    float *first = p;
    p = q, q = r, r = first;
  }
  return (int)(p[2] * 16) + (int)(q[3] * 4) - (int)r[4];
}

FEATURE(one_of_two) {
  int x[4] = {1, 2, 3, 4}, y[4] = {a, b, a - b, a + b};
  int *p = a > b ? x + 1 : y;
  *p += 100;
  int *q = p + (b & 1);
  return (q - p) * 10000 + (p == x + 1) * 1000 + (q != p) * 2000 + *q + x[1] + y[0];
}

FEATURE(copied_between) {
  int x[8], y[8], *p = x, *q = y;
  for (int i = 0; i < 8; i++) x[i] = a + i, y[i] = b * i;
  for (int t = 0; t < 3 + (a & 1); t++) {
    memcpy(p, q, 4 * sizeof *p);
    memset(q + 4, t, 8);
    int *s = p;
    p = q, q = s;
  }
  int s = 0;
  for (int i = 0; i < 8; i++) s = s * 3 + x[i] - y[i];
  return s;
}

FEATURE(bytes_of_one) {
  int x[2] = {a, b};
  unsigned char y[8] = {1, 2, 3, 4, 5, 6, 7, (unsigned char)a};
  unsigned char *p = a > 0 ? (unsigned char *)x : y;
  return p[0] + p[1] * 3 + p[7] + x[1];
}

static const int *find(const int *from, int n, int what) {
  for (int i = 0; i < n; i++)
    if (from[i] == what) return from + i;
  return NULL;
}

FEATURE(found_or_null) {
  int t[8] = {7, -5, 100, 3, 2, 9, 1, 0};
  const int *p = find(t, 8, a), *q = find(t, 8, a + b), *r = NULL;
  if (b > 2 && p) r = p;
  return (p ? (int)(p - t) : -1) * 100 + (q ? *q : -2) + (q == NULL) * 1000 + (p == r) * 5000 +
         (q == r) * 300;
}

FEATURE(same_or_null) {
  int t[4] = {a, b, 1, 2}, u[4] = {b, a, 4, 3}, *p = a > 0 ? t : NULL, *q = b > 2 ? u : t;
  if (a == 100) q = NULL;
  return (p == q) + 2 * (p != q) + 4 * (q == NULL) + 8 * (p == NULL) + (q ? q[2] : 9) * 16;
}

FEATURE(strings) {
  char x[40] = "to be, or not to be", y[40];
  x[(a & 7) + 1] = 'A' + (b & 15);
  strcpy(y, x);
  strcat(y, "!");
  strncat(y, x, 4);
  int s = strcmp(x, y) + 2 * strcmp(y, x) + 3 * (strcmp(x, x) == 0) + strncmp(x, y, 5) * 7;
  strncpy(x, "ab", 5);
  const char *found = strchr(y, 'o'), *last = strrchr(y, 'o'), *none = strchr(y, '#');
  s += 10 * (int)(last - found) + (none ? 7 : 100) + (int)strnlen(y, 9) + (int)strlen(x) * 3;
  return s + memcmp(x, y, 8) * 1000 + (memchr(y, 'b', 12) == NULL);
}

FEATURE(characters) {
  char x[] = "Ab 9_\tz~\x7f Q0";
  int s = 0;
  x[2] = (char)(a & 127);
  for (int i = 0; x[i]; i++) {
    int c = (unsigned char)x[i];
    s = s * 3 + !!isalpha(c) + 2 * !!isdigit(c) + 4 * !!isspace(c) + 8 * !!isupper(c) +
        16 * !!ispunct(c);
    s ^= !!isxdigit(c) << 5 | !!isalnum(c) << 6 | !!iscntrl(c) << 7 | !!isprint(c) << 8 |
         !!islower(c) << 9;
    s += tolower(c) - 2 * toupper(c) + !!isblank(c) + !!isgraph(c);
  }
  return s + atoi("  -123x") * b;
}

FEATURE(taken_apart) {
  int e, s = 0;
  double values[] = {a / 7.0, -b * 1e-310, 1e300 * b, 0, -0.0, 3, 1 / 3.0, 4e-320, 1e308}, whole;
  for (int i = 0; i < 9; i++) {
    double x = values[i], m = frexp(x, &e);
    s = s * 5 + e + (int)(m * 1000) + (ldexp(m, e) == x) + (int)(scalbn(m, 20) / 3);
    double rest = modf(x / 3e7, &whole);
    s = s * 3 + (int)(rest * 1000) + (whole > 1e5) + (signbit(rest) ? 5 : 0);
    s ^= (ldexp(x, -1070) == x * 0x1p-1000 * 0x1p-70) + 2 * (ldexp(x, 2000) > 1e308);
    if (x != 0) s += ilogb(x) * 7 + (int)logb(x);
    float f = (float)a / 3, r = frexpf(f, &e);
    s += (int)(r * 512) + e + (int)(ldexpf(f, 3 - i) * 100) + (int)(100 * fdim(b, i)) +
         (int)fdimf(3, i);
  }
  return s;
}

FEATURE(hypotenuse) {
  long long s = 0;
  for (int i = 0; i < 40; i++) {
    double x = a * (1 + i * 0.37), y = b * (i - 17.3) + 1e-9, h = hypot(x, y);
    float g = hypotf((float)x, (float)y / 3);
    uint64_t bits;
    uint32_t low;
    memcpy(&bits, &h, 8);
    memcpy(&low, &g, 4);
    s = s * 31 + (long long)bits + low;
  }
  return (int)(s ^ s >> 32) + (hypot(1e300, 1e300) < 1e308) + (hypot(INFINITY, NAN) > 1) * 4 +
         (hypot(1e-310, 1e-311) * 1e300 > 1e-10);
}

FEATURE(allocated) {
  int n = (a & 15) + 4, s = 0;
  int *p = malloc(n * sizeof *p);
  short *q = calloc(n, sizeof *q);
  if (!p || !q) return -1;
  for (int i = 0; i < n; i++) p[i] = a * i;
  for (int i = 0; i < n; i += 2) q[i] = (short)(b + i);
  for (int i = 0; i < n; i++) s += p[n - 1 - i] * (q[i] + 1);
  free(p);
  free(q);
  return s;
}

static int op_add(int x, int y) {
  return x + y;
}
static int op_mul(int x, int y) {
  return x * y;
}
static int op_fold(int (*op)(int, int), const int *t, int n, int from) {
  for (int i = 0; i < n; i++) from = op(from, t[i]);
  return from;
}
static int op_both(int (*op)(int, int), const int *t, int n) {
  return op_fold(op, t, n, 1) + op_fold(op_add, t, n, 0);
}

FEATURE(functions_passed) {
  int t[3] = {a, b, 3};
  int (*const table[2])(int, int) = {op_add, op_mul};
  return op_fold(op_mul, t, 3, 1) + op_both(op_mul, t, 2) * 3 + op_both(op_add, t, 3) +
         table[1](a, 7) - table[0](b, 1);
}

static int odd(int n);
static int even(int n) {
  return n ? odd(n - 1) : 1;
}
static int odd(int n) {
  return n ? even(n - 1) : 0;
}

FEATURE(each_other) {
  return even(a & 31) + 2 * odd(b & 31);
}

/* Of each function of math.h the value, to the bit. */
#ifdef __clang__
#define LEAST(x, y) __builtin_elementwise_min(x, y)
#define MOST(x, y)  __builtin_elementwise_max(x, y)
#else
#define LEAST(x, y) ((x) < (y) ? (x) : (y))
#define MOST(x, y)  ((x) > (y) ? (x) : (y))
#endif
static unsigned mixed(unsigned h, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (h ^ (unsigned)(bits ^ bits >> 32)) * 16777619u;
}

FEATURE(libm) {
  double x = a / 8.0, y = b / 3.0, z = 1 / (1.5 + y);
  unsigned h = mixed(mixed(mixed(0, sin(x)), cos(x)), tan(x));
  h = mixed(mixed(mixed(h, exp(x)), exp2(x)), expm1(z));
  h = mixed(mixed(mixed(h, log(y)), log2(y)), log10(y));
  h = mixed(mixed(mixed(h, log1p(y)), pow(y, x)), cbrt(x));
  h = mixed(mixed(mixed(h, atan(x)), atan2(x, y)), tanh(x));
  h = mixed(mixed(mixed(h, erf(z)), erfc(z)), sqrt(y));
  h = mixed(mixed(mixed(h, sinh(z)), cosh(z)), asin(z));
  h = mixed(mixed(mixed(h, acos(z)), acosh(1 + y)), asinh(x));
  h = mixed(mixed(mixed(h, atanh(z)), fabs(x)), fma(x, y, z));
  for (int i = -7; i < 8; i++) {
    double t = i / 2.0 + (i & 1) * z / 100;
    h = mixed(mixed(mixed(h, floor(t)), ceil(t)), round(t));
    h = mixed(mixed(mixed(h, trunc(i / 2.0)), rint(i / 2.0)), nearbyint(t));
    h = mixed(mixed(mixed(h, fmin(t, z)), fmax(t, z)), copysign(y, t));
    h = mixed(mixed(mixed(h, round(i / 2.0)), __builtin_roundeven(i / 2.0)), fmod(x, t + 9));
  }
  return (int)h;
}

FEATURE(comparisons) {
  unsigned h = 0;
  double f[] = {a / 3.0, NAN, b, -0.0, 0.0, INFINITY, a / 3.0};
  int s[] = {a, b, -1, INT32_MIN, INT32_MAX, a};
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 7; k++) {
      double x = f[i], y = f[k];
      unsigned bits =
          (x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5;
      bits |= !(x < y) << 6 | !(x <= y) << 7 | !(x > y) << 8 | !(x >= y) << 9;
      bits |= !!isunordered(x, y) << 10 | !isunordered(x, y) << 11 | !!islessgreater(x, y) << 12 |
              !islessgreater(x, y) << 13;
      h = h * 33 + bits;
    }
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) {
      int x = s[i], y = s[k];
      unsigned u = (unsigned)x, v = (unsigned)y;
      unsigned bits = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (u < v) << 4 |
                      (u <= v) << 5 | (u > v) << 6 | (u >= v) << 7;
      h = h * 33 + bits + (unsigned)LEAST(x, y) * 3 + (unsigned)MOST(x, y) * 5 + LEAST(u, v) * 7 +
          MOST(u, v) * 11;
    }
  return (int)h + (int)(unsigned)(3000000000.0 + a) + (int)((unsigned long long)(1.5e19 + b) >> 40);
}

static const short table_low[3] = {1, -2, 3}, table_mid[3] = {40, 50, 60},
                   table_high[3] = {700, 800, 900};
static const short *const table_of[4] = {table_low, table_mid + 1, table_high, table_mid};
static const struct {
  int n;
  const short *at, *end;
} table_rows[3] = {{3, table_low, table_low + 3},
                   {2, table_mid + 1, table_mid + 3},
                   {1, table_high, table_high + 1}};

FEATURE(table_global) {
  int s = 0;
  for (unsigned i = 0; i < 9; i++)
    s = 3 * s + table_of[((unsigned)a + i) & 3][((unsigned)b + i) & 1];
  return s;
}

FEATURE(table_inner) {
  int s = 0;
  for (unsigned i = 1; i < 4; i++)
    s = 7 * s + table_of[i - 1][(unsigned)a & 1] + table_of[3 - i][(unsigned)b & 1];
  return s;
}

FEATURE(table_struct) {
  int s = 0;
  for (unsigned i = 0; i < 6; i++) {
    unsigned k = ((unsigned)a + i * (unsigned)b) % 3;
    for (int j = 0; j < table_rows[k].n; j++) s = 5 * s + table_rows[k].at[j];
    s += table_rows[k].end[-1];
  }
  return s;
}

FEATURE(table_local) {
  const short *t[3] = {table_high, table_low, table_mid};
  int s = 0;
  for (unsigned i = 0; i < 3; i++) s = 11 * s + t[((unsigned)a + i) % 3][i];
  return s;
}

FEATURE(table_filled) {
  int x[3] = {a, b, 3}, y[3] = {4, a - b, a}, z[3] = {b, 8, 9}, *t[4];
  t[3] = y + 1;
  t[0] = x;
  t[2] = z;
  t[1] = y;
  int s = 0;
  for (unsigned i = 0; i < 8; i++) {
    int *p = t[((unsigned)b + i) & 3];
    s = 3 * s + p[0] - p[1];
    p[1] += s;
  }
  return s;
}

FEATURE(table_swapped) {
  int x[5] = {1, a, 3, b, 5}, y[5] = {9, 8, 7, 6, 5}, *both[2] = {x, y};
  for (int r = 0; r < 4; r++) {
    int *from = both[r & 1], *to = both[!(r & 1)];
    for (int i = 1; i < 4; i++) to[i] = from[i - 1] - from[i + 1];
  }
  return x[1] + 3 * x[2] + 5 * x[3] + 7 * y[1] + 11 * y[2] + 13 * y[3];
}

/* of the smallest float that is normal, the one below it, and 0 */
FEATURE(half_normal) {
  _Float16 x = (_Float16)((a - 5) * 6.103515625e-05f), y = (_Float16)((b > 2) * 6.1e-05f);
  return __builtin_isnormal(x) + 2 * __builtin_isnormal(y) +
         4 * __builtin_isnormal((_Float16)(a - 7));
}

FEATURE(table_bytes) {
  const unsigned char *bytes = (const unsigned char *)table_low;
  return bytes[(unsigned)a % 6] * 100 + bytes[(unsigned)b % 6];
}

FEATURE(saturated) {
  unsigned s = 0;
  int r, x[] = {a, INT_MAX, INT_MIN, INT_MIN, 65536}, y[] = {b, 1, -1, 1, 65536 + a};
  unsigned u;
  for (int i = 0; i < 5; i++) {
    s += __builtin_add_overflow(x[i], y[i], &r) ? 1u : (unsigned)r;
    s ^= __builtin_sub_overflow(x[i], y[i], &r) ? 2u : (unsigned)r;
    s ^= __builtin_mul_overflow(x[i], y[i], &r) ? 4u : (unsigned)r;
    s ^= __builtin_add_overflow((unsigned)x[i], (unsigned)y[i], &u) ? 8 : u;
    s ^= __builtin_sub_overflow((unsigned)x[i], (unsigned)y[i], &u) ? 16 : u;
    s ^= __builtin_mul_overflow((unsigned)x[i], (unsigned)y[i], &u) ? 32 : u;
  }
  return (int)s;
}

/* Tables whose elements are of several types and sizes, with holes between them. */
static const struct {
  double weight;
  int count;
  char kind;
  float scale;
} holes[] = {{0.25, -7, 'a', 1.5f}, {-1e300, 70000, -3, -INFINITY}, {3, 1, 0, 0}};
static const struct {
  float low;
  int high;
} limits[3] = {{-2.5f, 9}, {INFINITY, -1}};

FEATURE(table_holes) {
  unsigned i = ((unsigned)a + (unsigned)b) % 3;
  float scale = holes[i].scale;
  return (int)(holes[i].weight > 0) + 10 * holes[i].count + holes[i].kind * 7 +
         (scale < 0 ? 1000 : (int)(scale * 4)) + (limits[i].low > 1e30f) * 5 + limits[i].high;
}

FEATURE(fill_and_move) {
  int words[9], n = (unsigned)a % 5;
  short halves[4];
  memset(words, a * 37 + b, sizeof words);
  memset(halves, -1, sizeof halves);
  words[n] = 1;
  memmove(words + 1, words, 7 * sizeof *words);
  memmove(words, words + 3, 4 * sizeof *words);
  return words[0] + 3 * words[1] + 5 * words[n] + 7 * words[8] + halves[n & 3];
}

FEATURE(kinds) {
  double x[] = {2.5 * a, -0.0, 1e-320, INFINITY, NAN};
  int s = 0;
  for (int i = 0; i < 5; i++)
    s = s * 16 + isnan(x[i]) + 2 * !!isinf(x[i]) + 4 * !!isfinite(x[i]) + 8 * !!isnormal(x[i]);
  return s;
}

FEATURE(swapped_bytes) {
  unsigned x = (unsigned)a * 2654435761u;
  return (int)(__builtin_bswap32(x) ^ __builtin_bswap16((uint16_t)x) ^
               (unsigned)__builtin_bswap64(x) * (unsigned)b);
}

/* All that a do-while calculates is calculated once an iteration. */
FEATURE(rejected) {
  unsigned long long s = 88172645463325252ull;
  unsigned sum = 0;
  for (int i = 0; i < (a & 15); i++) {
    unsigned long long candidate;
    do {
      s ^= s << 13;
      s ^= s >> 7;
      s ^= s << 17;
      candidate = s >> 54;
    } while (candidate >= 600);
    sum = sum * 31 + (unsigned)candidate;
  }
  return (int)sum + b;
}

/* Arrays whose size is an argument, in a function of their own. */
static int backwards(const int *a, int n) {
  int t[n], s = 0;
  for (int i = 0; i < n; i++) t[i] = a[n - 1 - i];
  for (int i = 0; i < n; i++) s = 3 * s + t[i];
  return s;
}
static int product(int n) {
  double a[n][n], b[n][n], c[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = i + 0.5 * j, b[i][j] = i - 0.25 * j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    }
  return (int)(64 * c[n - 1][n / 2]);
}

FEATURE(vla_argument) {
  int t[5] = {3, a, 4, b, 5};
  return backwards(t, 1 + (a & 3)) + product(1 + (b & 3));
}
