/* loom_dpi.c -- what loom_math_f64.sv calls by DPI: functions of the C library that the language
 * of the simulator lacks. Give this file to Verilator beside the modules; it may be compiled as C
 * or as C++. */
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOOM_OF_ONE(name)                                                                          \
  double loom_##name(double x) {                                                                   \
    return name(x);                                                                                \
  }

LOOM_OF_ONE(cbrt)
LOOM_OF_ONE(erf)
LOOM_OF_ONE(erfc)
LOOM_OF_ONE(exp2)
LOOM_OF_ONE(expm1)
LOOM_OF_ONE(log1p)
LOOM_OF_ONE(log2)

double loom_pow(double x, double y) {
  return pow(x, y);
}

#ifdef __cplusplus
}
#endif
