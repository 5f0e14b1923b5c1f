/* c_calls_main.c -- the program that calls the kernels of c_calls.c. It calls each on fixed arrays
 * and prints the result and a hash of all arrays after the call. Linked with the C that LOOM
 * writes, it must print the same; with LOOM_HEADERS LOOM's headers must agree with the declarations
 * here. */
#include "c_calls.h"

#ifdef LOOM_HEADERS
#include "headers.h"
#endif

#include <stdio.h>
#include <string.h>

static struct {
  double d[4][320];
  float f[3][16][16];
  struct complex_number z[3][40];
  struct account accounts[12];
  int i[3][320];
  int16_t s[3][200];
  uint8_t b[2][16][16], rgb[64][3];
  int8_t c[200];
  char text[2][65];
  unsigned bins[16];
} a;

static void fill(void) {
  unsigned seed = 12345;
#define NEXT (seed = seed * 1103515245u + 12345u, seed >> 16 & 0x7fff)
  memset(&a, 0, sizeof a);
  double *d = (double *)&a.d;
  float *f = (float *)&a.f;
  struct complex_number *z = (struct complex_number *)&a.z;
  int *i = (int *)&a.i;
  int16_t *s = (int16_t *)&a.s;
  uint8_t *b = (uint8_t *)&a.b, *rgb = (uint8_t *)&a.rgb;
  char *text = (char *)&a.text;
  for (int k = 0; k < 4 * 320; k++) d[k] = (int)(NEXT % 2001) / 64.0 - 15;
  for (int k = 0; k < 3 * 256; k++) f[k] = (float)((int)(NEXT % 2001) / 64.0 - 15);
  for (int k = 0; k < 3 * 40; k++) z[k].re = (float)NEXT / 77, z[k].im = (float)NEXT / -33;
  for (int k = 0; k < 12; k++) {
    a.accounts[k].balance = (int64_t)NEXT * 1000003 - 5000000000;
    a.accounts[k].rate = (int)NEXT % 7;
    a.accounts[k].kind = (signed char)((int)(NEXT % 3) - 1);
  }
  for (int k = 0; k < 3 * 320; k++) i[k] = (int)(NEXT % 1000);
  for (int k = 0; k < 3 * 200; k++) s[k] = (int16_t)(NEXT * 2);
  for (int k = 0; k < 512; k++) b[k] = (uint8_t)NEXT;
  for (int k = 0; k < 64 * 3; k++) rgb[k] = (uint8_t)NEXT;
  for (int k = 0; k < 130; k++) text[k] = k % 65 == 64 ? '\0' : "ab cab"[NEXT % 6];
}

static unsigned hash(void) {
  const unsigned char *bytes = (const unsigned char *)&a;
  unsigned h = 2166136261u;
  for (size_t k = 0; k < sizeof a; k++) h = (h ^ bytes[k]) * 16777619u;
  return h;
}

#define VALUE(format, type, name, ...)                                                             \
  fill();                                                                                          \
  {                                                                                                \
    type result = name(__VA_ARGS__);                                                               \
    printf("%s %08x " format "\n", #name, hash(), result);                                         \
  }
#define INT(name, ...)  VALUE("%lld", long long, name, __VA_ARGS__)
#define REAL(name, ...) VALUE("%a", double, name, __VA_ARGS__)
#define VOID(name, ...)                                                                            \
  fill();                                                                                          \
  name(__VA_ARGS__);                                                                               \
  printf("%s %08x\n", #name, hash());

int main(void) {
  REAL(inner, a.d[0], a.d[1], 300)
  REAL(inner, a.d[0], a.d[1], 0)
  INT(least_at, a.d[3], 300)
  INT(least_at, a.d[3], -5)
  VOID(scatter, a.i[0], a.i[1], a.i[2], 300)
  VOID(lms, a.f[0][0], 3, a.f[1][0], &a.f[2][0][7], 30, 1e-3f)
  VOID(complex_multiply, a.z[0], a.z[1], a.z[2], 40)
  VOID(levels, a.b[0][0], 256, a.bins)
  VOID(to_gray, (const uint8_t(*)[3])a.rgb, a.b[0][0], 64)
  INT(crc, a.b[0][0], 100)
  INT(fletcher, a.b[0][0], 256)
  INT(is_palindrome, a.text[0], 64)
  INT(is_palindrome, "abcba", 5)
  INT(mix64, 0x0123456789abcdefull)
  INT(reversed, 0xb1)
  INT(power_mod, -123456789, 1000003, 2147483647)
  REAL(inverse_root, 1234.5f)
  for (int c = 0; c < 130; c += 9) {
    INT(classify, c)
  }
  INT(total_of, a.accounts, 12, -1, &a.accounts[5])
  VOID(predict, a.s[0] + 20, a.s[1], 100, 12)
  INT(degree, (struct edge_struct *)a.s[0], 90, a.s[0][2])
  INT(sum_down, a.i[0] + 300, 250)
  return 0;
}
