/* c_kernels.c -- C functions that loom-c has to read: c_kernels.sh runs each both ways.
 *
 * RUN(name, "arguments", call) names a function, its arguments as `loom run --args` takes them, and
 * how C calls it. Compiled with -DMAIN the same file prints what the calls give, in the form of
 * `loom run`. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int clamp(int x, int lo, int hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

void fir(const int *restrict x, const int h[4], int *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < 4; k++) s += h[k] * x[i + k];
    y[i] = clamp(s >> 4, -128, 127);
  }
}

int dot(const int *a, const int *b, int n) {
  int s = 0;
  while (n-- > 0) s += *a++ * *b++;
  return s;
}

int find(const char *s, char c) {
  for (int i = 0; s[i]; i++)
    if (s[i] == c) return i;
  return -1;
}

unsigned checksum(const unsigned char *p, unsigned n) {
  static const unsigned table[8] = {1, 20, 300, 4000, 5, 60, 700, 8000};
  unsigned c = ~0u, seen[4] = {0};
  for (unsigned i = 0; i < n; i++) {
    c = table[(c ^ p[i]) & 7] ^ (c >> 4 | c << 28);
    seen[c & 3]++;
  }
  return c ^ seen[2];
}

int collatz(int n) {
  int steps = 0;
  do {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  } while (n != 1);
  return steps;
}

int gotos(int n) {
  int s = 0;
again:
  if (n <= 0) goto out;
  s += n;
  if (s > 20) goto half;
  n--;
  goto again;
half:
  s /= 2;
  n -= 2;
  goto again;
out:
  return s;
}

int price(int kind, int n) {
  switch (kind) {
  case 1: n *= 3; /* falls through */
  case 2: n += 7; break;
  case 5: return -n;
  default: n = 0;
  }
  return n;
}

typedef struct {
  int x, y;
} Point;

int spread(const Point *p, int n) {
  int least = p[0].x, most = p[0].y;
  for (int i = 1; i < n; i++) {
    if (p[i].x < least) least = p[i].x;
    if (p[i].y > most) most = p[i].y;
  }
  return most - least;
}

int gcd(int a, int b) {
  return b ? gcd(b, a % b) : a;
}

int determinant(int m[3][3]) {
  int d = 0;
  for (int i = 0; i < 3; i++)
    d += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
  return d;
}

typedef struct {
  int key;
  double value;
  char tag;
} Item;

/* A struct of several sizes: its memory is bytes. */
int mixed(int n) {
  Item items[6];
  int s = 0;
  for (int i = 0; i < 6; i++) {
    items[i].key = i * n;
    items[i].value = i * 0.75 - n;
    items[i].tag = (char)(n - i * 40);
  }
  for (int i = 0; i < 6; i++)
    if (items[i].value > 0.5) s += items[i].key + items[i].tag;
  return s;
}

int fill(unsigned v, int n) {
  int words[9];
  short halves[4];
  memset(words, (int)v, sizeof words);
  memset(halves, -1, sizeof halves);
  words[n] = 1;
  memmove(words + 1, words, 7 * sizeof *words);
  memmove(words, words + 3, 4 * sizeof *words);
  return words[0] + 3 * words[1] + 5 * words[n] + 7 * words[8] + halves[n & 3];
}

int variable(const int *a, int n) {
  int t[n], s = 0;
  for (int i = 0; i < n; i++) t[i] = a[n - 1 - i];
  for (int i = 0; i < n; i++) s = 3 * s + t[i];
  return s;
}

unsigned swapped(unsigned x) {
  return __builtin_bswap32(x) ^ __builtin_bswap16((uint16_t)x) ^ (unsigned)__builtin_bswap64(x);
}

int saturated(int a, int b) {
  int r, s = 0;
  unsigned u;
  s += __builtin_add_overflow(a, b, &r) ? 1 : r;
  s ^= __builtin_sub_overflow(a, b, &r) ? 2 : r;
  s ^= __builtin_mul_overflow(a, b, &r) ? 4 : r;
  s ^= __builtin_add_overflow((unsigned)a, (unsigned)b, &u) ? 8 : (int)u;
  s ^= __builtin_sub_overflow((unsigned)a, (unsigned)b, &u) ? 16 : (int)u;
  s ^= __builtin_mul_overflow((unsigned)a, (unsigned)b, &u) ? 32 : (int)u;
  return s;
}

int matrix(int n) {
  double a[n][n], b[n][n], c[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = i + 0.5 * j;
      b[i][j] = i - 0.25 * j;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    }
  return (int)(64 * c[n - 1][n / 2]);
}

int bits_of(int x) {
  union {
    float f;
    int i;
    unsigned char b[4];
  } u = {.f = (float)x * 0.1f};
  return u.i + u.b[1];
}

int greatest(const int *a, int n) {
  assert(n > 0);
  int m = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] > m) m = a[i];
  if (m > 1000) abort();
  return m;
}

int at_least_once(const int *a, int n) {
  int i = 0, s = 0;
  do {
    s += a[i];
    i++;
  } while (i < n);
  return s;
}

int sorted(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  return a[0] + 10 * a[1] + 100 * a[2] + 1000 * a[3];
}

int copied(const char *s) {
  char t[16], *d = t;
  int n = 0;
  while ((*d++ = *s++)) n++;
  return t[n - 1] * 256 + n;
}

int places(const char *s) {
  const char *p = s;
  while (*p && *p != ' ') p++;
  return (int)(p - s) * 100 + (int)strlen(s) + "0123456789"[(p - s) & 7];
}

int kinds(double x) {
  return isnan(x) + 2 * isinf(x) + 4 * !!isfinite(x) + 8 * !!isnormal(x);
}

void only_copied(int *to, const int *from, int n) {
  memcpy(to, from, (size_t)n * sizeof *to);
}

int copies(int n) {
  int a[4] = {1, 2, 3, n}, b[4] = {0};
  only_copied(b, a, 4);
  return b[0] + b[3] * 10 + (b + 1 == &b[1]);
}

/* Tables whose elements are of several types and sizes, with holes between them. */
struct row {
  double weight;
  int count;
  char kind;
  float scale;
};
static const struct row table[] = {
    {0.25, -7, 'a', 1.5f}, {-1e300, 70000, -3, -INFINITY}, {3, 1, 0, 0}};
static const struct {
  float low;
  int high;
} limits[3] = {{-2.5f, 9}, {INFINITY, -1}};

int tabled(int i) {
  float scale = table[i].scale;
  return (int)(table[i].weight > 0) + 10 * table[i].count + table[i].kind * 7 +
         (scale < 0 ? 1000 : (int)(scale * 4)) + (limits[i].low > 1e30f) * 5 + limits[i].high;
}

/* All that a do-while calculates is calculated once a turn. */
int rejected(int n) {
  unsigned long long s = 88172645463325252ull;
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned long long candidate;
    do {
      s ^= s << 13;
      s ^= s >> 7;
      s ^= s << 17;
      candidate = s >> 54;
    } while (candidate >= 600);
    sum = sum * 31 + (unsigned)candidate;
  }
  return (int)sum;
}
