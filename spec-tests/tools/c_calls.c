/* c_calls.c -- kernels with parameters and results that the golden ones (c_golden.sh) do not have:
 * structs, pointers into arrays, negative indices, strings, every type of result. c_calls.sh
 * replaces each kernel in the program of c_calls_main.c by the C that LOOM writes. */
#include "c_calls.h"

#include <math.h>
#include <string.h>

#define FOR(i, from, to) for (int i = (from); i < (to); i++)

/* ---- loops over vectors ------------------------------------------------------------------------ */

double inner(const double *a, const double *b, int n) {
  double q = 0.0;
  FOR(k, 0, n) q += a[k] * b[k];
  return q;
}

int least_at(const double *x, int n) {
  int m = 0;
  FOR(k, 1, n) if (x[k] < x[m]) m = k;
  return m;
}

void scatter(int *restrict to, const int *from, const int *at, unsigned n) {
  for (unsigned i = 0; i < n; i++) to[at[i] & 63] += from[i];
}

/* ---- filters and signals ----------------------------------------------------------------------- */

void lms(const float *x, float d, float *restrict h, float *error, int taps, float mu) {
  float y = 0;
  FOR(k, 0, taps) y += h[k] * x[k];
  *error = d - y;
  FOR(k, 0, taps) h[k] += mu * *error * x[k];
}

void complex_multiply(const struct complex_number *a, const struct complex_number *b,
                      struct complex_number *restrict c, int n) {
  for (; n > 0; n--, a++, b++, c++) {
    c->re = a->re * b->re - a->im * b->im;
    c->im = a->re * b->im + a->im * b->re;
  }
}

void levels(const uint8_t *pixels, int n, unsigned bins[16]) {
  memset(bins, 0, 16 * sizeof *bins);
  FOR(i, 0, n) bins[pixels[i] >> 4]++;
}

void to_gray(const uint8_t (*rgb)[3], uint8_t *restrict gray, int n) {
  FOR(i, 0, n) gray[i] = (uint8_t)((77 * rgb[i][0] + 150 * rgb[i][1] + 29 * rgb[i][2]) >> 8);
}

/* ---- codes and bits ---------------------------------------------------------------------------- */

uint32_t crc(const uint8_t *p, size_t n) {
  uint32_t c = ~0u;
  while (n--) {
    c ^= *p++;
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}

uint16_t fletcher(const uint8_t *p, int n) {
  uint16_t a = 0, b = 0;
  FOR(i, 0, n) {
    a = (uint16_t)((a + p[i]) % 255);
    b = (uint16_t)((b + a) % 255);
  }
  return (uint16_t)(b << 8 | a);
}

bool is_palindrome(const char *s, unsigned n) {
  for (unsigned i = 0; i < n / 2; i++)
    if (s[i] != s[n - 1 - i]) return false;
  return true;
}

unsigned long long mix64(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}

unsigned char reversed(unsigned char b) {
  b = (unsigned char)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
  b = (unsigned char)((b & 0xcc) >> 2 | (b & 0x33) << 2);
  return (unsigned char)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}

/* ---- searching, sorting, numbers --------------------------------------------------------------- */

int64_t power_mod(int64_t base, uint32_t exponent, int32_t modulus) {
  int64_t result = 1;
  for (base %= modulus; exponent; exponent >>= 1) {
    if (exponent & 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

float inverse_root(float x) {
  uint32_t bits;
  float y;
  memcpy(&bits, &x, sizeof bits);
  bits = 0x5f3759dfu - (bits >> 1);
  memcpy(&y, &bits, sizeof y);
  FOR(i, 0, 3) y = y * (1.5f - 0.5f * x * y * y);
  return y;
}

enum kind classify(int c) {
  switch (c) {
  case ' ':
  case '\t':
  case '\n': return KIND_SPACE;
  case '0' ... '9': return KIND_DIGIT;
  case '_': return KIND_LETTER;
  default: return (c | 32) >= 'a' && (c | 32) <= 'z' ? KIND_LETTER : KIND_OTHER;
  }
}

long total_of(const struct account *accounts, int n, signed char kind,
              struct account *restrict best) {
  long total = 0;
  best->balance = INT64_MIN;
  FOR(i, 0, n) {
    if (accounts[i].kind != kind) continue;
    total += accounts[i].balance * accounts[i].rate;
    if (accounts[i].balance > best->balance) {
      best->balance = accounts[i].balance;
      best->kind = accounts[i].kind;
      best->rate = (int)i;
    }
  }
  return total;
}

int degree(const struct edge_struct *edges, int n, int node) {
  int found = 0;
  FOR(i, 0, n) found += (edges[i].from == node) - (edges[i].to == node);
  return found;
}

/* ---- what lies before the pointer -------------------------------------------------------------- */

void predict(int16_t *x, const int16_t *h, int n, int order) {
  FOR(i, 0, n) {
    int sum = 0;
    for (int k = 1; k <= order; k++) sum += h[k - 1] * x[i - k];
    x[i] = (int16_t)(x[i] + (sum >> 12));
  }
}

int sum_down(const int *end, int n) {
  int sum = 0;
  while (n-- > 0) sum = 3 * sum + *--end;
  return sum;
}
