/* c_kernels.c -- C functions that loom-c has to read: c_kernels.sh runs each both ways.
 *
 * RUN(name, "arguments", call) names a function, its arguments as `loom run --args` takes them, and
 * how C calls it. Compiled with -DMAIN the same file prints what the calls give, in the form of
 * `loom run`. */
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
