/* case.h: how a golden reference program writes its case.json.

   A reference builds its inputs, names them as arguments, runs its algorithm
   on those very arrays, and gives the results. Each call prints at once:

       case_begin("dot");
       arg_memref(F32, x, 64);            the contents as they are now
       arg_int(I32, n);
       ... the algorithm; it may write to x ...
       result_float(F32, sum);
       case_end();                        the contents as they are now

   Storage in C: I1 is bool, I8..I64 are intN_t, INDEX is int32_t, F16 and BF16
   are their bits in uint16_t, F32 is float, F64 is double. Numbers are printed
   so that they read back exactly. */

#ifndef GOLDEN_CASE_H
#define GOLDEN_CASE_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum { I1, I8, I16, I32, I64, INDEX, F16, BF16, F32, F64 } CaseType;

typedef struct {
    CaseType type;
    const void *data; /* NULL for a scalar */
    size_t count, row; /* elements, and how many of them on a line */
} CaseArg;

typedef struct {
    CaseArg args[16];
    int nargs, nresults;
} Case;

static inline Case *the_case(void)
{
    static Case c;
    return &c;
}

static inline uint32_t bits_of_float(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline float float_of_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* The value of a bfloat16: the upper half of a float. */
static inline float bf16_value(uint16_t h)
{
    return float_of_bits((uint32_t)h << 16);
}

/* The value of an IEEE half: sign, 5 bits of exponent, 10 of fraction. */
static inline float f16_value(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    float magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                      : exponent == 0 ? ldexpf((float)fraction, -24)
                                      : ldexpf((float)(1024 + fraction), exponent - 25);
    return h >> 15 ? -magnitude : magnitude;
}

static inline const char *case_type_name(CaseType t)
{
    static const char *const name[] = {"i1",  "i8",   "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"};
    return name[t];
}

static inline void print_float(CaseType t, double v)
{
    if (isnan(v))
        printf("\"nan\"");
    else if (isinf(v))
        printf(v > 0 ? "\"inf\"" : "\"-inf\"");
    else if (v == 0 && signbit(v))
        printf("-0.0"); /* readers take -0 for an integer, without a sign */
    else
        printf("%.*g", t == F64 ? 17 : 9, v);
}

static inline void print_element(CaseType t, const void *data, size_t i)
{
    switch (t) {
    case I1: printf("%d", ((const bool *)data)[i]); break;
    case I8: printf("%d", ((const int8_t *)data)[i]); break;
    case I16: printf("%d", ((const int16_t *)data)[i]); break;
    case I32:
    case INDEX: printf("%" PRId32, ((const int32_t *)data)[i]); break;
    case I64: printf("%" PRId64, ((const int64_t *)data)[i]); break;
    case F16: print_float(t, f16_value(((const uint16_t *)data)[i])); break;
    case BF16: print_float(t, bf16_value(((const uint16_t *)data)[i])); break;
    case F32: print_float(t, ((const float *)data)[i]); break;
    case F64: print_float(t, ((const double *)data)[i]); break;
    }
}

static inline void print_data(const CaseArg *a)
{
    printf("\"data\": [");
    for (size_t i = 0; i < a->count; i++) {
        printf(i == 0 ? "" : i % a->row ? ", " : ",\n      ");
        print_element(a->type, a->data, i);
    }
    printf("]");
}

static inline void case_begin(const char *function)
{
    printf("{\n  \"function\": \"%s\",\n  \"args\": [", function);
}

static inline CaseArg *case_add_arg(CaseArg a)
{
    Case *c = the_case();
    printf(c->nargs ? ",\n    " : "\n    ");
    c->args[c->nargs] = a;
    return &c->args[c->nargs++];
}

static inline void arg_int(CaseType t, int64_t v)
{
    case_add_arg((CaseArg){.type = t});
    printf("{\"scalar\": {\"type\": \"%s\", \"value\": %" PRId64 "}}", case_type_name(t), v);
}

static inline void arg_float(CaseType t, double v)
{
    case_add_arg((CaseArg){.type = t});
    printf("{\"scalar\": {\"type\": \"%s\", \"value\": ", case_type_name(t));
    print_float(t, v);
    printf("}}");
}

/* arg_memref(type, data, extent...): flat data in row-major order. */
#define arg_memref(t, data, ...)                                                                   \
    arg_memref_shaped(t, data, (const size_t[]){__VA_ARGS__},                                      \
                      sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

static inline void arg_memref_shaped(CaseType t, const void *data, const size_t *shape, size_t rank)
{
    size_t count = 1, row = shape[rank - 1];
    for (size_t d = 0; d < rank; d++)
        count *= shape[d];
    CaseArg *a = case_add_arg((CaseArg){t, data, count, row > 32 ? 16 : row});
    printf("{\"memref\": {\"shape\": [");
    for (size_t d = 0; d < rank; d++)
        printf("%s%zu", d ? ", " : "", shape[d]);
    printf("], \"type\": \"%s\",\n      ", case_type_name(t));
    print_data(a);
    printf("}}");
}

static inline void case_next_result(void)
{
    bool first = the_case()->nresults++ == 0;
    printf(first ? "\n  ],\n  \"expected\": {\n    \"results\": [" : ", ");
}

/* Results are printed alike whatever their type is: it is there to be read. */
static inline void result_int(CaseType t, int64_t v)
{
    (void)t;
    case_next_result();
    printf("%" PRId64, v);
}

static inline void result_float(CaseType t, double v)
{
    case_next_result();
    print_float(t, v);
}

static inline void case_end(void)
{
    Case *c = the_case();
    const char *separator = "\n    ";
    if (c->nresults == 0)
        case_next_result();
    printf("],\n    \"memrefs\": [");
    for (int i = 0; i < c->nargs; i++) {
        if (!c->args[i].data)
            continue;
        printf("%s{\"arg\": %d, ", separator, i);
        print_data(&c->args[i]);
        printf("}");
        separator = ",\n    ";
    }
    printf("]\n  }\n}\n");
}

#endif
