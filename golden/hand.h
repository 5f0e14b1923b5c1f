/* hand.h -- what the hand-written kernels share.

   Each golden/NAME/hand.c is kernel.mlir once more, by the same algorithm, as a C programmer
   writes it who has not heard of LOOM: typed arrays, plain loops, locals. It is the measure of
   speed: generated code is compared with it under the same compiler. So it may be neither slowed
   down nor tuned; and since a comparison with something wrong is worth nothing, the tests run
   every hand.c on its case and expect the results and memories of case.json, bit for bit.

   All define one function, `hand`, which takes the arguments apart for a function with proper
   types. What a HandCall holds:

       memref   by memref argument: its elements, row-major, as C types. i1 is uint8_t 0 or 1,
                f16 and bf16 are their bits in uint16_t, index is int32_t. The arrays do not overlap.
       extent   the extents of all memref arguments, one after the other: of a call
                (memref<24x30xi8>, f32, memref<7xi32>) they are 24, 30, 7
       scalar   by scalar argument: its bits, the upper ones zero
       result   by result: room for its bits, the upper ones to be zero

   Compile with -std=c11 -ffp-contract=off: the kernels round every operation. With
   HAND_NO_HEADERS no header is needed (for libtcc, where tcc's own are not installed). */

#ifndef GOLDEN_HAND_H
#define GOLDEN_HAND_H

#ifdef HAND_NO_HEADERS
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
float fabsf(float), floorf(float), sqrtf(float);
double fabs(double), floor(double), fma(double, double, double);
#define INFINITY (1.0f / 0.0f)
#else
#include <math.h>
#include <stdint.h>
#endif

typedef struct {
    void *const *memref;
    const int64_t *extent;
    const uint64_t *scalar;
    uint64_t *result;
} HandCall;

void hand(const HandCall *call);

/* ---- bits of floats ------------------------------------------------------------------------- */

static inline uint32_t bits_of_float(float f)
{
    union { float value; uint32_t bits; } both = {f};
    return both.bits;
}

static inline float float_of_bits(uint32_t u)
{
    union { float value; uint32_t bits; } both;
    both.bits = u;
    return both.value;
}

static inline uint64_t bits_of_double(double f)
{
    union { double value; uint64_t bits; } both = {f};
    return both.bits;
}

static inline double double_of_bits(uint64_t u)
{
    union { double value; uint64_t bits; } both;
    both.bits = u;
    return both.value;
}

/* ---- narrow floats: to float and, rounded to nearest even, back ------------------------------- */

static inline float bf16_value(uint16_t h)
{
    return float_of_bits((uint32_t)h << 16);
}

static inline uint16_t bf16_of(float f)
{
    uint32_t u = bits_of_float(f);
    if (f != f)
        return 0x7fc0;
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static inline float f16_value(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
    if (rest >= 0x7c00) /* infinity, NaN */
        return float_of_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest < 0x400) /* subnormal: so many times 2^-24 */
        return float_of_bits(sign | bits_of_float((float)rest * 5.9604644775390625e-8f));
    return float_of_bits(sign | ((rest << 13) + 0x38000000)); /* 112 more in the exponent */
}

static inline uint16_t f16_of(float f)
{
    uint32_t u = bits_of_float(f), sign = u >> 16 & 0x8000, rest = u & 0x7fffffff;
    if (rest > 0x7f800000)
        return 0x7e00;
    if (rest >= 0x477ff000) /* 65520 and more */
        return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) /* below 2^-14: 0.5 + f has 2^-24 as its last bit */
        return (uint16_t)(sign | (bits_of_float(float_of_bits(rest) + 0.5f) - 0x3f000000));
    return (uint16_t)(sign | ((rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13));
}

/* ---- bits of integers ----------------------------------------------------------------------- */

static inline int ones(uint32_t x)
{
#if defined(__GNUC__) && !defined(__TINYC__)
    return __builtin_popcount(x);
#else
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return (int)(((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
#endif
}

/* Of 32; 32 for x = 0, both. */
static inline int leading_zeros(uint32_t x)
{
#if defined(__GNUC__) && !defined(__TINYC__)
    return x ? __builtin_clz(x) : 32;
#else
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return 32 - ones(x);
#endif
}

static inline int trailing_zeros(uint32_t x)
{
#if defined(__GNUC__) && !defined(__TINYC__)
    return x ? __builtin_ctz(x) : 32;
#else
    return ones(~x & (x - 1));
#endif
}

static inline uint32_t mirrored(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

#endif
