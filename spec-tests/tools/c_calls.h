/* c_calls.h -- the kernels of c_calls.c, as their program declares them. */
#ifndef C_CALLS_H
#define C_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct complex_number {
  float re, im;
};
struct account {
  int64_t balance;
  int rate;
  signed char kind;
};
struct edge_struct {
  int16_t from, to;
};
enum kind { KIND_SPACE, KIND_DIGIT, KIND_LETTER, KIND_OTHER };

double inner(const double *a, const double *b, int n);
int least_at(const double *x, int n);
void scatter(int *to, const int *from, const int *at, unsigned n);
void lms(const float *x, float d, float *h, float *error, int taps, float mu);
void complex_multiply(const struct complex_number *a, const struct complex_number *b,
                      struct complex_number *c, int n);
void levels(const uint8_t *pixels, int n, unsigned *bins);
void to_gray(const uint8_t (*rgb)[3], uint8_t *gray, int n);
uint32_t crc(const uint8_t *p, size_t n);
uint16_t fletcher(const uint8_t *p, int n);
void predict(int16_t *x, const int16_t *h, int n, int order);
int degree(const struct edge_struct *edges, int n, int node);
int sum_down(const int *end, int n);
bool is_palindrome(const char *s, unsigned n);
unsigned long long mix64(unsigned long long x);
unsigned char reversed(unsigned char b);
int64_t power_mod(int64_t base, uint32_t exponent, int32_t modulus);
float inverse_root(float x);
enum kind classify(int c);
long total_of(const struct account *accounts, int n, signed char kind, struct account *best);

#endif
