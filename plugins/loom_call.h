/* loom_call.h -- for backends that make something that a C program calls; goes with loom_plugin.h.
 *
 * How the function of a design is declared in C, and what its parameters are called there. Strings
 * are good as long as the design. */
#ifndef LOOM_CALL_TABLE_H
#define LOOM_CALL_TABLE_H

#include "loom_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loom.call/1: the function as a C program calls it -----------------------------------------
 * Of a kernel that was C as it stands there; of another one by its types: int8_t to int64_t, float,
 * double, uint16_t with the bits of f16 and bf16. One result is returned; several go where pointers
 * behind the arguments point to. Not of functions that C has nothing for: with tuples, or tags. */
typedef struct loom_call { /* "loom.call/1" */
  uint32_t size;
  const char *(*name)(const loom_design *); /* of the function, as a C identifier: "fir" */
  /* "int32_t fir(const int16_t *x, int n)". Needs <stdint.h>, <stdbool.h>, and `before`, lines such
   * as "struct item;". */
  const char *(*declaration)(const loom_design *);
  const char *(*before)(const loom_design *);
  /* What the parameter of an argument, or of an output, is called there, and the C type that it has
   * (of an output: that it points to). NULL: it has none, a control token or what is returned. */
  const char *(*parameter)(const loom_design *, uint32_t argument);
  const char *(*out_parameter)(const loom_design *, uint32_t output);
  const char *(*type)(const loom_design *, uint32_t argument);
  const char *(*out_type)(const loom_design *, uint32_t output); /* also of what is returned */
} loom_call;

#ifdef __cplusplus
}
#endif
#endif
