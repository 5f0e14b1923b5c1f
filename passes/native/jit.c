/* jit.c -- compiles C text in memory with libtcc. The only file that uses libtcc.
 *
 * tcc compiles a kernel in a millisecond or two, without optimising: the engine for quick runs.
 * It is linked in statically and works on the text alone. No header, library or runtime file of tcc
 * is looked up (-nostdinc, -nostdlib), so LOOM needs no file but its binary. The functions that
 * generated code may call are listed here and given to tcc by address:
 *
 *     what C itself calls    memset, memcpy, memmove, memcmp; 64-bit conversions, which tcc leaves
 *                            to its runtime library
 *     math                   the functions in the C texts of ops.def
 *
 * A symbol that is missing here is an error of LOOM, reported like any other (RT_NATIVE_CODE).
 *
 * **Memory.** libtcc 0.9.27 gives the size of the code and relocates it into pages of our own: its
 * state can be freed before the code first runs, and one munmap frees the code. Later versions own
 * the pages; there the state lives as long as the code. libtcc 0.9.27 keeps state in globals while
 * it compiles, so two threads must not compile at the same time; LOOM has one.
 */
#include "native/code.h"

#include <libtcc.h>
#include <math.h>
#include <sys/mman.h>

/* ---- functions for generated code ------------------------------------------------------------ */

static double f64_of_u64(u64 x) {
  return (double)x;
}
static float f32_of_u64(u64 x) {
  return (float)x;
}
static u64 u64_of_f64(double x) {
  return (u64)x;
}
static u64 u64_of_f32(float x) {
  return (u64)x;
}
static i64 i64_of_f64(double x) {
  return (i64)x;
}
static i64 i64_of_f32(float x) {
  return (i64)x;
}

typedef void (*Function)(void);

#define SYMBOL(name)                                                                               \
  { #name, (Function)name }

static const struct {
  const char *name;
  Function function;
} symbols[] = {
    SYMBOL(memset),
    SYMBOL(memcpy),
    SYMBOL(memmove),
    SYMBOL(memcmp),
    /* names of the compiler's runtime library */
    {"__floatundidf", (Function)f64_of_u64},
    {"__floatundisf", (Function)f32_of_u64},
    {"__fixunsdfdi", (Function)u64_of_f64},
    {"__fixunssfdi", (Function)u64_of_f32},
    {"__fixdfdi", (Function)i64_of_f64},
    {"__fixsfdi", (Function)i64_of_f32},
#define MATH(name) SYMBOL(name), SYMBOL(name##f)
    MATH(acos),
    MATH(acosh),
    MATH(asin),
    MATH(asinh),
    MATH(atan),
    MATH(atan2),
    MATH(atanh),
    MATH(cbrt),
    MATH(ceil),
    MATH(copysign),
    MATH(cos),
    MATH(cosh),
    MATH(erf),
    MATH(erfc),
    MATH(exp),
    MATH(exp2),
    MATH(expm1),
    MATH(fabs),
    MATH(floor),
    MATH(fma),
    MATH(fmax),
    MATH(fmin),
    MATH(fmod),
    MATH(frexp),
    MATH(ldexp),
    MATH(log),
    MATH(log10),
    MATH(log1p),
    MATH(log2),
    MATH(nearbyint),
    MATH(pow),
    MATH(rint),
    MATH(round),
    MATH(sin),
    MATH(sinh),
    MATH(sqrt),
    MATH(tan),
    MATH(tanh),
    MATH(trunc),
#undef MATH
};

void jit_add_symbols(struct TCCState *tcc) {
  for (size_t i = 0; i < COUNT_OF(symbols); i++) {
    void *address; /* ISO C has no cast from a function's pointer */
    memcpy(&address, &symbols[i].function, sizeof address);
    tcc_add_symbol(tcc, symbols[i].name, address);
  }
}

/* ---- compiling ------------------------------------------------------------------------------- */

static void append_message(void *messages, const char *message) {
  buf_str(messages, message);
  buf_char(messages, '\n');
}

static size_t rounded_to_pages(size_t size) {
  const size_t page = 4096;
  return (size + 2 * page - 1) & ~(page - 1);
}

/* Relocates the code into executable pages. False, with a message, where that fails. */
static bool relocate(TCCState *tcc, Compiled *out, Buf *messages) {
#ifdef TCC_RELOCATE_AUTO
  int size = tcc_relocate(tcc, NULL);
  if (size < 0) return false;
  out->size = rounded_to_pages((size_t)size);
  void *pages = mmap(NULL, out->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    buf_str(messages, "no pages for the code\n");
    return false;
  }
  out->pages = pages;
  return tcc_relocate(tcc, pages) == 0;
#else
  (void)messages;
  out->compiler = tcc;
  return tcc_relocate(tcc) == 0;
#endif
}

static bool compile(TCCState *tcc, const Buf *text, Compiled *out, Buf *messages) {
  tcc_set_error_func(tcc, messages, append_message);
  tcc_set_options(tcc, "-nostdlib -nostdinc");
  tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY);
  tcc_define_symbol(tcc, "LOOM_NO_HEADERS", "1");
  if (tcc_compile_string(tcc, text->data) != 0) return false;
  jit_add_symbols(tcc);
  if (!relocate(tcc, out, messages)) return false;
  out->info = tcc_get_symbol(tcc, "loom_kernel");
  out->simulator = tcc_get_symbol(tcc, "loom_simulator");
  return out->info ? out->info->abi == LOOM_KERNEL_ABI
                   : out->simulator && out->simulator->abi == LOOM_SIMULATOR_ABI;
}

bool jit_compile(Context *ctx, const Buf *text, Compiled *out) {
  *out = (Compiled){0};
  Buf messages = {0};
  TCCState *tcc = tcc_new();
  bool good = tcc && compile(tcc, text, out, &messages);
  if (tcc && !out->compiler) tcc_delete(tcc);
  if (!good) {
    native_bad_code(ctx, "libtcc", text,
                    messages.len ? messages.data
                                 : "it defines neither loom_kernel nor loom_simulator\n");
    jit_free(out);
  }
  buf_free(&messages);
  return good;
}

void jit_free(Compiled *code) {
  if (code->pages) munmap(code->pages, code->size);
  if (code->compiler) tcc_delete(code->compiler);
  *code = (Compiled){0};
}
