/* loom_name.h -- names for what is generated: of files, and identifiers of C. It stands alone: a
 * backend that uses it needs no host that knows it. LOOM names its own files and C by it, too.
 *
 * A file's name out of any text, such as what a graph calls an edge:
 *
 *     char name[LOOM_FILE_NAME];
 *     loom_file_name(edge.name, name);         "row 1/sum" becomes row%201:sum
 *
 * Texts come from files that strangers wrote: "../x", "", a kilobyte. What is made of one is the
 * name of one file, in the folder it is put in, in printable ASCII, and other texts have other
 * names:
 *
 *     letters, digits and _ . # $ -     as they are, but no name begins with . or -
 *     /                                 :
 *     any other byte                    %XX, its number in two digits
 *     nothing at all                    %
 *     longer than 180 bytes             its first 160, %- and a hash of all of it
 *
 * loom_is_c_word, loom_is_cpp_word and loom_is_math_function say which identifiers generated C
 * must not define. */
#ifndef LOOM_NAME_H
#define LOOM_NAME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LOOM_FILE_NAME 184 /* bytes that a name may take, with its NUL */

/* Writes the name; its length. `name` has room for LOOM_FILE_NAME bytes. */
static inline size_t loom_file_name(const char *text, char *name) {
  static const char digits[] = "0123456789ABCDEF";
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  size_t n = 0, cut = 0;
  int is_long = 0;
  const char *at;
  for (at = text; *at; at++) {
    unsigned char c = (unsigned char)*at;
    int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '_' || c == '#' || c == '$' || (at > text && (c == '.' || c == '-'));
    hash = (hash ^ c) * 1099511628211u;
    if (n <= 160) cut = n;
    if (n + (plain || c == '/' ? 1 : 3) > 180) is_long = 1;
    if (is_long) continue;
    if (plain || c == '/') {
      name[n++] = plain ? (char)c : ':';
    } else {
      name[n++] = '%';
      name[n++] = digits[c >> 4];
      name[n++] = digits[c & 15];
    }
  }
  if (n == 0) name[n++] = '%';
  if (is_long) {
    name[cut] = '%';
    name[cut + 1] = '-';
    for (n = cut + 2; n < cut + 18; n++, hash <<= 4) name[n] = digits[hash >> 60];
  }
  name[n] = '\0';
  return n;
}

/* True where `words`, which has a space before and behind each, has this one. */
static inline int loom_is_among(const char *words, const char *word) {
  size_t n = strlen(word);
  const char *at = strstr(words, word);
  for (; at; at = strstr(at + 1, word))
    if (n && at > words && at[-1] == ' ' && at[n] == ' ') return 1;
  return 0;
}

/* True where an identifier means something already wherever it stands in a C file: keywords (to
 * C23), what compilers predefine, and types and macros of <math.h>, <stdbool.h>, <stdint.h> and
 * <stdlib.h>, or of headers that often stand beside them. */
static inline int loom_is_c_word(const char *name) {
  static const char keywords[] =
      " auto break case char const continue default do double else enum extern float for goto if "
      "inline int long register restrict return short signed sizeof static struct switch typedef "
      "union unsigned void volatile while asm typeof typeof_unqual bool true false alignas alignof "
      "constexpr nullptr static_assert thread_local main linux unix i386 ";
  static const char macros[] =
      " NULL EOF errno stdin stdout stderr INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL MATH_ERRNO "
      "MATH_ERREXCEPT math_errhandling FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0 "
      "FP_ILOGBNAN FP_FAST_FMA FP_FAST_FMAF FP_FAST_FMAL M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI "
      "M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 MAXFLOAT signgam EXIT_SUCCESS "
      "EXIT_FAILURE FD_SETSIZE NFDBITS WNOHANG WUNTRACED WSTOPPED WEXITED WCONTINUED WNOWAIT "
      "PTRDIFF_MAX PTRDIFF_MIN SIZE_MAX WCHAR_MAX WCHAR_MIN WINT_MAX WINT_MIN SIG_ATOMIC_MAX "
      "SIG_ATOMIC_MIN RAND_MAX MB_CUR_MAX LITTLE_ENDIAN BIG_ENDIAN PDP_ENDIAN BYTE_ORDER ";
  size_t n = strlen(name);
  if (n > 2 && strcmp(name + n - 2, "_t") == 0) return 1; /* size_t, int8_t */
  if ((strncmp(name, "INT", 3) == 0 || strncmp(name, "UINT", 4) == 0) && n > 5 &&
      (strcmp(name + n - 4, "_MAX") == 0 || strcmp(name + n - 4, "_MIN") == 0 ||
       strcmp(name + n - 2, "_C") == 0))
    return 1; /* INT8_MAX, UINT8_C */
  return loom_is_among(keywords, name) || loom_is_among(macros, name);
}

/* The same of C++, whose programs include the header of a function. */
static inline int loom_is_cpp_word(const char *name) {
  static const char keywords[] =
      " and and_eq bitand bitor catch class compl concept const_cast consteval constinit co_await "
      "co_return co_yield char8_t char16_t char32_t decltype delete dynamic_cast explicit export "
      "friend mutable namespace new noexcept not not_eq operator or or_eq private protected public "
      "reinterpret_cast requires static_cast template this throw try typeid typename using virtual "
      "wchar_t xor xor_eq ";
  return loom_is_c_word(name) || loom_is_among(keywords, name);
}

/* True for functions of <math.h>, those of float and long double too, and its macros with
 * arguments. */
static inline int loom_is_math_function(const char *name) {
  static const char functions[] =
      " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp2 "
      "exp10 expm1 fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb isinf isnan "
      "j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan "
      "nearbyint "
      "nextafter nexttoward pow remainder remquo rint round roundeven scalb scalbln scalbn "
      "significand sin sinh sqrt tan tanh tgamma trunc y0 y1 yn lgamma_r lgammaf_r lgammal_r "
      "fpclassify iscanonical iseqsig isfinite isgreater isgreaterequal isless islessequal "
      "islessgreater isnormal issignaling issubnormal isunordered iszero signbit ";
  char stem[16];
  size_t n = strlen(name);
  if (loom_is_among(functions, name)) return 1;
  if (n < 2 || n >= sizeof stem || (name[n - 1] != 'f' && name[n - 1] != 'l')) return 0;
  memcpy(stem, name, n - 1);
  stem[n - 1] = '\0';
  return loom_is_among(functions, stem);
}

#endif
