/* loom_dpi.c -- what loom_math_f64.sv calls by DPI: functions of the C library that the language
 * of the simulator lacks. Give this file to Verilator beside the modules; it may be compiled as C
 * or as C++. */
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

double loom_cbrt(double x) {
  return cbrt(x);
}

double loom_erf(double x) {
  return erf(x);
}

double loom_erfc(double x) {
  return erfc(x);
}

double loom_exp2(double x) {
  return exp2(x);
}

double loom_expm1(double x) {
  return expm1(x);
}

double loom_log1p(double x) {
  return log1p(x);
}

double loom_log2(double x) {
  return log2(x);
}

double loom_pow(double x, double y) {
  return pow(x, y);
}

#ifdef __cplusplus
}
#endif
