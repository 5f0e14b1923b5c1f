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

void hydro(int n, double q, double r, double t, double *x, const double *y, const double *z);
double inner(const double *a, const double *b, int n);
void tridiagonal(double *x, const double *y, const double *z, int n);
void recurrence(double *w, const double *b, int n);
void state(double *x, const double *u, const double *z, double r, double t, int n);
void prefix(double *x, const double *y, int n);
void difference(double *x, const double *y, int n);
int least_at(const double *x, int n);
float saxpy_strided(int n, float a, const float *x, int step, float *y);
void scatter(int *to, const int *from, const int *at, unsigned n);
void matrix_vector(int m, int n, float a[][16], const float *x, float *y);
void multiply(int n, const double *a, const double *b, double *c);
void rank_update(double (*c)[8], double (*a)[8], double alpha);
void triangular(double (*l)[8], const double *b, double *x);
void transpose_in_place(int *a, int n);
void jacobi(int steps, float (*a)[16], float (*b)[16]);
void bands(const double *band, const double *x, double *y, int n);
void csr(const int *rows, const int *columns, const double *values, const double *x, double *y,
         int n);
void fir_q15(const int16_t *x, const int16_t *h, int16_t *y, int n, int taps);
void iir(const float *x, float *y, int n, float a1, float a2);
void lms(const float *x, float d, float *h, float *error, int taps, float mu);
void complex_multiply(const struct complex_number *a, const struct complex_number *b,
                      struct complex_number *c, int n);
void blur3(const uint8_t *in, uint8_t *out, int w, int h);
void levels(const uint8_t *pixels, int n, unsigned *bins);
void to_gray(const uint8_t (*rgb)[3], uint8_t *gray, int n);
uint32_t crc(const uint8_t *p, size_t n);
uint16_t fletcher(const uint8_t *p, int n);
void predict(int16_t *x, const int16_t *h, int n, int order);
int degree(const struct edge_struct *edges, int n, int node);
int sum_down(const int *end, int n);
int8_t adpcm(const int16_t *in, int8_t *out, int n);
int run_lengths(const uint8_t *in, int n, uint8_t *out);
bool is_palindrome(const char *s, unsigned n);
unsigned long long mix64(unsigned long long x);
int parity_of(uint64_t x);
unsigned char reversed(unsigned char b);
int lower_bound(const int *a, int n, int key);
void shell_sort(int *a, int n);
void heap_sort(int *a, int n);
int edit_cost(const char *a, int n, const char *b, int m, int *row);
int match_count(const char *text, const char *word);
void shortest(int n, int *d);
int64_t power_mod(int64_t base, uint32_t exponent, int32_t modulus);
float inverse_root(float x);
double simpson(double from, double to, int n);
enum kind classify(int c);
int words_in(const char *s, int16_t *starts);
long total_of(const struct account *accounts, int n, signed char kind, struct account *best);
void life(const uint8_t (*now)[16], uint8_t (*then)[16]);

#endif
