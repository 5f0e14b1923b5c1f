/* library.c -- functions of the C library that a kernel may call and LOOM has no operation for.
 *
 *     memcmp(a, b, 16)      is what the loop below makes of it
 *
 * clang makes LLVM's bitcode of this file when LOOM is built, and child.c links what a kernel calls
 * with it, before everything is inlined. It is compiled without places: what is inlined of it
 * stands where it is called. A function of the same name in the user's file comes first; so none of
 * these calls another one by its name in C.
 *
 * Each gives what the GNU C library gives, to the bit; what is undefined in C is what comes of it.
 * Floats are taken apart as integers, with shifts and masks, so that no table and no loop is
 * needed. */
#include <stddef.h>
#include <stdint.h>

/* ---- <string.h> ------------------------------------------------------------------------------- */

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) n++;
  return n;
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  int difference = 0;
  for (size_t i = 0; i < n && !difference; i++) difference = x[i] - y[i];
  return difference;
}

int strncmp(const char *a, const char *b, size_t n) {
  int difference = 0;
  for (size_t i = 0; i < n && !difference; i++) {
    difference = (unsigned char)a[i] - (unsigned char)b[i];
    if (!a[i]) break;
  }
  return difference;
}

int strcmp(const char *a, const char *b) {
  int difference;
  size_t i = 0;
  do difference = (unsigned char)a[i] - (unsigned char)b[i];
  while (a[i++] && !difference);
  return difference;
}

void *memchr(const void *in, int byte, size_t n) {
  const unsigned char *x = in;
  for (size_t i = 0; i < n; i++)
    if (x[i] == (unsigned char)byte) return (void *)(x + i);
  return NULL;
}

char *strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return NULL;
  }
}

char *strrchr(const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}

char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++]);
  return to;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  do to[n + i] = from[i];
  while (from[i++]);
  return to;
}

char *strncat(char *to, const char *from, size_t most) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  for (; i < most && from[i]; i++) to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}

/* ---- <ctype.h> in the "C" locale, and <stdlib.h> ---------------------------------------------- */

static int is_digit(int c) {
  return (unsigned)c - '0' < 10;
}
static int is_lower(int c) {
  return (unsigned)c - 'a' < 26;
}
static int is_upper(int c) {
  return (unsigned)c - 'A' < 26;
}
static int is_alpha(int c) {
  return is_lower(c | 32);
}
static int is_space(int c) {
  return c == ' ' || (unsigned)c - '\t' < 5;
}
static int is_graph(int c) {
  return (unsigned)c - 33 < 94;
}

int isdigit(int c) {
  return is_digit(c);
}
int islower(int c) {
  return is_lower(c);
}
int isupper(int c) {
  return is_upper(c);
}
int isalpha(int c) {
  return is_alpha(c);
}
int isalnum(int c) {
  return is_alpha(c) || is_digit(c);
}
int isxdigit(int c) {
  return is_digit(c) || ((unsigned)c | 32) - 'a' < 6;
}
int isspace(int c) {
  return is_space(c);
}
int isblank(int c) {
  return c == ' ' || c == '\t';
}
int iscntrl(int c) {
  return (unsigned)c < 32 || c == 127;
}
int isprint(int c) {
  return (unsigned)c - 32 < 95;
}
int isgraph(int c) {
  return is_graph(c);
}
int ispunct(int c) {
  return is_graph(c) && !is_alpha(c) && !is_digit(c);
}
int tolower(int c) {
  return is_upper(c) ? c + 32 : c;
}
int toupper(int c) {
  return is_lower(c) ? c - 32 : c;
}

int atoi(const char *s) {
  unsigned n = 0;
  while (is_space((unsigned char)*s)) s++;
  int is_negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  for (; is_digit((unsigned char)*s); s++) n = 10 * n + (unsigned)(*s - '0');
  return (int)(is_negative ? 0 - n : n);
}

/* ---- <math.h> --------------------------------------------------------------------------------- */

static uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double real_of(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static int exponent_of(double x) {
  return (int)(bits_of(x) >> 52 & 0x7ff);
}

static double split(double x, int *exponent) {
  int e = exponent_of(x), scaled = 0;
  *exponent = 0;
  if (e == 0x7ff || x == 0) return x + x;
  if (!e) x *= 0x1p54, e = exponent_of(x), scaled = 54; /* subnormal */
  *exponent = e - 1022 - scaled;
  return real_of((bits_of(x) & ~(0x7ffull << 52)) | 1022ull << 52);
}

double frexp(double x, int *exponent) {
  return split(x, exponent);
}

float frexpf(float x, int *exponent) {
  return (float)split(x, exponent);
}

/* Powers of two that are normal numbers, one after another: only the last product is rounded. */
static double scale(double x, int n) {
  if (n > 1023) x *= 0x1p1023, n -= 1023;
  if (n > 1023) x *= 0x1p1023, n -= 1023;
  if (n > 1023) n = 1023;
  if (n < -1022) x *= 0x1p-969, n += 969;
  if (n < -1022) x *= 0x1p-969, n += 969;
  if (n < -1022) n = -1022;
  return x * real_of((uint64_t)(1023 + n) << 52);
}

double ldexp(double x, int n) {
  return scale(x, n);
}

static float scale_float(float x, int n) {
  return (float)scale(x, n < -300 ? -300 : n > 300 ? 300 : n);
}

float ldexpf(float x, int n) {
  return scale_float(x, n);
}

double scalbn(double x, int n) {
  return scale(x, n);
}
float scalbnf(float x, int n) {
  return scale_float(x, n);
}
static int of_long(long n) {
  return n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n;
}
double scalbln(double x, long n) {
  return scale(x, of_long(n));
}
float scalblnf(float x, long n) {
  return scale_float(x, of_long(n));
}

static int whole_exponent(double x) {
  int e;
  if (x == 0 || x != x) return INT32_MIN;
  if (exponent_of(x) == 0x7ff) return INT32_MAX;
  split(x, &e);
  return e - 1;
}

int ilogb(double x) {
  return whole_exponent(x);
}

int ilogbf(float x) {
  return whole_exponent(x);
}

static double exponent_as_real(double x) {
  if (exponent_of(x) == 0x7ff) return x * x;
  return x == 0 ? -1 / __builtin_fabs(x) : whole_exponent(x);
}

double logb(double x) {
  return exponent_as_real(x);
}

float logbf(float x) {
  return (float)exponent_as_real(x);
}

static double parts(double x, double *whole) {
  *whole = __builtin_trunc(x);
  double rest = exponent_of(x) == 0x7ff && x == x ? 0 : x - *whole;
  return __builtin_copysign(rest, x);
}

double modf(double x, double *whole) {
  return parts(x, whole);
}

float modff(float x, float *whole) {
  double w;
  float rest = (float)parts(x, &w);
  *whole = (float)w;
  return rest;
}

double fdim(double x, double y) {
  return x <= y ? 0 : x - y;
}
float fdimf(float x, float y) {
  return x <= y ? 0 : x - y;
}

/* C. F. Borges, "An Improved Algorithm for hypot(a, b)", 2019, as the GNU C library has it: the
 * square root, and what it is off by. */
static double hypotenuse(double x, double y) {
  double t1, t2, h = __builtin_sqrt(x * x + y * y);
  if (h <= 2 * y) {
    double delta = h - y;
    t1 = x * (2 * delta - x);
    t2 = (delta - 2 * (x - y)) * delta;
  } else {
    double delta = h - x;
    t1 = 2 * delta * (x - 2 * y);
    t2 = (4 * delta - y) * y + delta * delta;
  }
  return h - (t1 + t2) / (2 * h);
}

double hypot(double x, double y) {
  x = __builtin_fabs(x), y = __builtin_fabs(y);
  if (exponent_of(x) == 0x7ff || exponent_of(y) == 0x7ff)
    return x == __builtin_inf() || y == __builtin_inf() ? __builtin_inf() : x + y;
  double more = x < y ? y : x, less = x < y ? x : y;
  if (more > 0x1p+511) {
    if (less <= more * 0x1p-54) return more + less;
    return hypotenuse(more * 0x1p-600, less * 0x1p-600) * 0x1p+600;
  }
  if (less < 0x1p-459) {
    if (more >= less * 0x1p+54) return more + less;
    return hypotenuse(more * 0x1p+600, less * 0x1p+600) * 0x1p-600;
  }
  if (less <= more * 0x1p-54) return more + less;
  return hypotenuse(more, less);
}

float hypotf(float x, float y) {
  if (__builtin_isinf(x) || __builtin_isinf(y)) return __builtin_inff();
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}
