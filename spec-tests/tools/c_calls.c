/* c_calls.c -- kernels as programs have them, with pointers, arrays and numbers as arguments: loops of the
 * Livermore kind, linear algebra on flat and on square arrays, filters, codes, searches, sorts. c_calls.sh puts what LOOM
 * makes of each in the place of it, in the program of c_calls_main.c. */
#include "c_calls.h"

#include <math.h>
#include <string.h>

#define FOR(i, from, to) for (int i = (from); i < (to); i++)

/* ---- loops over vectors ------------------------------------------------------------------------ */

void hydro(int n, double q, double r, double t, double *restrict x, const double *y,
           const double *z) {
  FOR(k, 0, n) x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}

double inner(const double *a, const double *b, int n) {
  double q = 0.0;
  FOR(k, 0, n) q += a[k] * b[k];
  return q;
}

void tridiagonal(double *restrict x, const double *y, const double *z, int n) {
  FOR(i, 1, n) x[i] = z[i] * (y[i] - x[i - 1]);
}

void recurrence(double *w, const double *b, int n) {
  FOR(i, 1, n)
  FOR(k, 0, i) w[i] += b[(k * 7 + i) % 64] * w[(i - k) - 1] * 1e-3;
}

void state(double *restrict x, const double *u, const double *z, double r, double t, int n) {
  FOR(k, 0, n)
  x[k] = u[k] + r * (z[k] + r * u[k + 1]) +
         t * (u[k + 3] + r * (u[k + 2] + r * u[k + 1]) +
              t * (u[k + 6] + r * (u[k + 5] + r * u[k + 4])));
}

void prefix(double *restrict x, const double *y, int n) {
  x[0] = y[0];
  FOR(k, 1, n) x[k] = x[k - 1] + y[k];
}

void difference(double *restrict x, const double *y, int n) {
  FOR(k, 0, n) x[k] = y[k + 1] - y[k];
}

int least_at(const double *x, int n) {
  int m = 0;
  FOR(k, 1, n) if (x[k] < x[m]) m = k;
  return m;
}

float saxpy_strided(int n, float a, const float *x, int step, float *restrict y) {
  float last = 0;
  for (int i = 0; i < n; i += step) last = y[i] += a * x[i];
  return last;
}

void scatter(int *restrict to, const int *from, const int *at, unsigned n) {
  for (unsigned i = 0; i < n; i++) to[at[i] & 63] += from[i];
}

/* ---- linear algebra ---------------------------------------------------------------------------- */

void matrix_vector(int m, int n, float a[][16], const float x[16], float *restrict y) {
  FOR(i, 0, m) {
    float s = 0;
    FOR(j, 0, n) s += a[i][j] * x[j];
    y[i] = s;
  }
}

void multiply(int n, const double *a, const double *b, double *restrict c) {
  FOR(i, 0, n)
  FOR(j, 0, n) {
    double s = 0;
    FOR(k, 0, n) s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
  }
}

void rank_update(double c[8][8], double a[8][8], double alpha) {
  FOR(i, 0, 8)
  FOR(j, 0, i + 1) {
    c[i][j] *= 0.5;
    FOR(k, 0, 8) c[i][j] += alpha * a[i][k] * a[j][k];
  }
}

void triangular(double l[8][8], const double b[8], double *restrict x) {
  FOR(i, 0, 8) {
    x[i] = b[i];
    FOR(j, 0, i) x[i] -= l[i][j] * x[j];
    x[i] = x[i] / (l[i][i] + 3);
  }
}

void transpose_in_place(int *a, int n) {
  FOR(i, 0, n)
  for (int j = i + 1; j < n; j++) {
    int t = a[i * n + j];
    a[i * n + j] = a[j * n + i];
    a[j * n + i] = t;
  }
}

void jacobi(int steps, float (*restrict a)[16], float (*restrict b)[16]) {
  FOR(t, 0, steps) {
    FOR(i, 1, 15)
    FOR(j, 1, 15)
    b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
    FOR(i, 1, 15)
    FOR(j, 1, 15) a[i][j] = b[i][j];
  }
}

void bands(const double *band, const double *x, double *restrict y, int n) {
  FOR(i, 0, n) {
    int from = i > 1 ? i - 2 : 0, to = i + 3 < n ? i + 3 : n;
    y[i] = 0;
    FOR(j, from, to) y[i] += band[5 * i + j - i + 2] * x[j];
  }
}

void csr(const int *rows, const int *columns, const double *values, const double *x,
         double *restrict y, int n) {
  FOR(i, 0, n) {
    double s = 0;
    int from = rows[i] & 31, to = from + (rows[i + 1] & 7);
    FOR(k, from, to) s += values[k] * x[columns[k] & 63];
    y[i] = s;
  }
}

/* ---- filters and signals ----------------------------------------------------------------------- */

void fir_q15(const int16_t *x, const int16_t *h, int16_t *restrict y, int n, int taps) {
  FOR(i, 0, n) {
    int32_t s = 1 << 14;
    FOR(k, 0, taps) s += x[i + k] * h[taps - 1 - k] >> 3;
    s >>= 15;
    y[i] = s > INT16_MAX ? INT16_MAX : s < INT16_MIN ? INT16_MIN : (int16_t)s;
  }
}

void iir(const float *x, float *restrict y, int n, float a1, float a2) {
  float w1 = 0, w2 = 0;
  FOR(i, 0, n) {
    float w = x[i] - a1 * w1 - a2 * w2;
    y[i] = w + 2 * w1 + w2;
    w2 = w1;
    w1 = w;
  }
}

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

void blur3(const uint8_t *in, uint8_t *restrict out, int w, int h) {
  FOR(y, 1, h - 1)
  FOR(x, 1, w - 1) {
    unsigned s = 0;
    FOR(dy, -1, 2)
    FOR(dx, -1, 2)
    s += in[(y + dy) * w + x + dx] * (2u - (unsigned)(dy * dy)) * (2u - (unsigned)(dx * dx));
    out[y * w + x] = (uint8_t)(s >> 4);
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

int8_t adpcm(const int16_t *in, int8_t *restrict out, int n) {
  static const int16_t steps[16] = {7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31};
  int predicted = 0, index = 0;
  FOR(i, 0, n) {
    int diff = in[i] - predicted, sign = diff < 0 ? 8 : 0, step = steps[index], delta = 0;
    if (sign) diff = -diff;
    for (int bit = 4; bit; bit >>= 1, step >>= 1)
      if (diff >= step) delta |= bit, diff -= step;
    predicted += sign ? -delta * steps[index] / 4 : delta * steps[index] / 4;
    index += delta > 3 ? delta - 2 : -1;
    index = index < 0 ? 0 : index > 15 ? 15 : index;
    out[i] = (int8_t)(delta | sign);
  }
  return (int8_t)index;
}

int run_lengths(const uint8_t *in, int n, uint8_t *restrict out) {
  int used = 0;
  for (int i = 0; i < n;) {
    int length = 1;
    while (i + length < n && length < 255 && (in[i + length] & 3) == (in[i] & 3)) length++;
    out[used++] = (uint8_t)length;
    out[used++] = in[i] & 3;
    i += length;
  }
  return used;
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

int parity_of(uint64_t x) {
  int n = 0;
  for (; x; x &= x - 1) n ^= 1;
  return n;
}

unsigned char reversed(unsigned char b) {
  b = (unsigned char)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
  b = (unsigned char)((b & 0xcc) >> 2 | (b & 0x33) << 2);
  return (unsigned char)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}

/* ---- searching, sorting, numbers --------------------------------------------------------------- */

int lower_bound(const int *a, int n, int key) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (a[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void shell_sort(int *a, int n) {
  for (int gap = n / 2; gap > 0; gap /= 2) FOR(i, gap, n) {
      int t = a[i], j = i;
      for (; j >= gap && a[j - gap] > t; j -= gap) a[j] = a[j - gap];
      a[j] = t;
    }
}

void heap_sort(int *a, int n) {
  int start = n / 2, end = n;
  while (end > 1) {
    if (start > 0) {
      start--;
    } else {
      int t = a[--end];
      a[end] = a[0];
      a[0] = t;
    }
    int root = start, child;
    while ((child = 2 * root + 1) < end) {
      if (child + 1 < end && a[child] < a[child + 1]) child++;
      if (a[root] >= a[child]) break;
      int t = a[root];
      a[root] = a[child];
      a[child] = t;
      root = child;
    }
  }
}

int edit_cost(const char *a, int n, const char *b, int m, int *restrict row) {
  FOR(j, 0, m + 1) row[j] = j;
  FOR(i, 0, n) {
    int diagonal = row[0];
    row[0] = i + 1;
    FOR(j, 0, m) {
      int cost = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      if (row[j] + 1 < cost) cost = row[j] + 1;
      if (diagonal + 1 < cost) cost = diagonal + 1;
      row[j + 1] = cost;
    }
  }
  return row[m];
}

int match_count(const char *text, const char *word) {
  int n = 0;
  for (; *text; text++) {
    const char *t = text, *w = word;
    while (*w && *t == *w) t++, w++;
    n += !*w;
  }
  return n;
}

void shortest(int n, int *restrict d) {
  FOR(k, 0, n)
  FOR(i, 0, n)
  FOR(j, 0, n) {
    int by = d[i * n + k] + d[k * n + j];
    if (by < d[i * n + j]) d[i * n + j] = by;
  }
}

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

double simpson(double from, double to, int n) {
  double h = (to - from) / n, s = 0;
  FOR(i, 0, n + 1) {
    double x = from + h * i, y = sqrt(x * x + 1) / (1 + fabs(x));
    s += i == 0 || i == n ? y : i % 2 ? 4 * y : 2 * y;
  }
  return s * h / 3;
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

int words_in(const char *s, int16_t *restrict starts) {
  int n = 0;
  bool inside = false;
  FOR(i, 0, 64) {
    bool letter = s[i] > '@';
    if (letter && !inside) starts[n++] = (int16_t)i;
    inside = letter;
  }
  return n;
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

void life(const uint8_t (*restrict now)[16], uint8_t (*restrict then)[16]) {
  FOR(y, 0, 16)
  FOR(x, 0, 16) {
    int n = 0;
    FOR(d, 0, 9) if (d != 4) n += now[(y + d / 3 + 15) % 16][(x + d % 3 + 15) % 16] & 1;
    then[y][x] = n == 3 || (n == 2 && (now[y][x] & 1));
  }
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
