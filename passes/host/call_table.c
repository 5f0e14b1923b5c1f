/* call_table.c -- loom.call/1: the kernel's declaration in C, for backends whose output C programs
 * call: the generated C of a graph, the driver of a system with a fabric in it.
 *
 *     func.func @fir(%x: memref<?xi16>, %n: i32) -> i32
 *       attributes {loom.c = ["int32_t", "const int16_t *", "int"]}
 *     int32_t fir(const int16_t *x, int n)
 *
 * A front end for C writes the attribute; types are written as in a cast, and the name is inserted
 * after the last `*` of "int (*)[16]", else appended. Without it types are those of the graph,
 * signed.
 *
 * Names are those of the graph, turned into distinct identifiers. A name with a meaning in C
 * (keywords, plugins/loom_name.h; for the function also names that <math.h> and <stdlib.h> declare,
 * which generated C includes, and that compilers know without a header, as memcpy) gets a `_`
 * appended. A name that begins with loom or LOOM, which generated C reserves, or with __ or _A,
 * which compilers reserve, gets a `v` before it. */
#include "host/design.h"

#include "../plugins/loom_name.h"
#include "host/c_text.h"

#include <ctype.h>
#include <string.h>

struct DesignCall {
  const char *name, *declaration, *before;
  const char **types, **names;         /* by argument; NULL: no parameter */
  const char **out_types, **out_names; /* by output; type NULL: none; name NULL: it is returned */
};

/* ---- names ----------------------------------------------------------------------------------- */

/* Functions of <stdlib.h>, and functions, macros and types of headers that C libraries include
 * there; types that end in _t are reserved words (loom_name.h). */
static const char stdlib_functions[] =
    " a64l abort abs aligned_alloc alloca arc4random arc4random_buf arc4random_uniform "
    "at_quick_exit atexit atof atoi atol atoll bsearch calloc canonicalize_file_name clearenv "
    "div drand48 drand48_r ecvt ecvt_r erand48 erand48_r exit fcvt fcvt_r free free_sized "
    "free_aligned_sized gcvt getenv getloadavg getpt getsubopt grantpt initstate initstate_r "
    "jrand48 jrand48_r l64a labs lcong48 lcong48_r ldiv llabs lldiv lrand48 lrand48_r malloc "
    "mblen mbstowcs mbtowc mkdtemp mkostemp mkostemps mkstemp mkstemps mktemp mrand48 "
    "mrand48_r nrand48 nrand48_r on_exit posix_memalign posix_openpt pselect ptsname "
    "ptsname_r putenv qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort qsort_r quick_exit rand rand_r "
    "random random_r realloc reallocarray reallocf realpath rpmatch secure_getenv seed48 "
    "seed48_r select setenv setstate setstate_r srand srand48 srand48_r srandom srandom_r "
    "strfromd strfromf strfroml strtod strtof strtol strtold strtoll strtoq strtoul strtoull "
    "strtouq system unlockpt unsetenv valloc wcstombs wctomb FD_CLR FD_ISSET FD_SET FD_ZERO "
    "WCOREDUMP WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WSTOPSIG WTERMSIG "
    "be16toh be32toh be64toh htobe16 htobe32 htobe64 htole16 htole32 htole64 le16toh le32toh "
    "le64toh fd_mask fd_set u_char u_int u_long u_short uint ulong ushort ";

/* What compilers know, and may call, without a header: functions of <string.h>, <stdio.h>,
 * <ctype.h>, <complex.h> and others. One that is called so would be called in their place. */
static const char known_functions[] =
    " bcmp bcopy bzero cabs cabsf cabsl cacos cacosf cacosh cacoshf cacoshl cacosl carg "
    "cargf cargl casin casinf casinh casinhf casinhl casinl catan catanf catanh catanhf "
    "catanhl catanl ccos ccosf ccosh ccoshf ccoshl ccosl cexp cexpf cexpl cimag cimagf "
    "cimagl clog clog10 clog10f clog10l clogf clogl conj conjf conjl cpow cpowf cpowl cproj "
    "cprojf cprojl creal crealf creall csin csinf csinh csinhf csinhl csinl csqrt csqrtf "
    "csqrtl ctan ctanf ctanh ctanhf ctanhl ctanl dcgettext dgettext execl execle execlp "
    "execv execve execvp feclearexcept fegetenv fegetexceptflag fegetround feholdexcept "
    "feraiseexcept fesetenv fesetexceptflag fesetround fetestexcept feupdateenv ffs ffsl "
    "ffsll fork fprintf fputc fputc_unlocked fputs fputs_unlocked fscanf fwrite "
    "fwrite_unlocked gettext imaxabs index isalnum isalpha isascii isblank iscntrl isdigit "
    "isgraph islower isprint ispunct isspace isupper iswalnum iswalpha iswblank iswcntrl "
    "iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit "
    "memalign memccpy memchr memcmp memcpy memmove mempcpy memset pow10 pow10f pow10l "
    "printf putc putc_unlocked putchar putchar_unlocked puts rindex scanf sincos sincosf "
    "sincosl snprintf sprintf sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy "
    "strcspn strdup strerror strfmon strftime strlen strncasecmp strncat strncmp strncpy "
    "strndup strnlen strpbrk strrchr strspn strstr strtok strxfrm toascii tolower toupper "
    "towlower towupper vfork vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf "
    "wcschr wcscmp wcslen wcsncmp wmemchr wmemcmp wmemcpy wmemmove ";

/* Of <math.h> for a type of so many bits: sqrtf32, fmaf64x. */
static bool is_sized_math(const char *name) {
  static const char *const sizes[] = {"f16", "f32", "f64", "f128", "f32x", "f64x"};
  size_t len = strlen(name);
  char base[16];
  for (u32 i = 0; i < COUNT_OF(sizes); i++) {
    size_t n = strlen(sizes[i]);
    if (len <= n || len - n >= sizeof base || strcmp(name + len - n, sizes[i]) != 0) continue;
    memcpy(base, name, len - n);
    base[len - n] = 0;
    if (loom_is_math_function(base)) return true;
  }
  return false;
}

/* What the function calls: its parameters must not hide that. */
static const char called_functions[] = " abort free malloc realloc ";

static bool has_meaning(const char *name, bool is_function) {
  if (loom_is_cpp_word(name)) return true;
  if (!is_function) return loom_is_among(called_functions, name);
  return loom_is_among(stdlib_functions, name) || loom_is_among(known_functions, name) ||
         loom_is_math_function(name) || is_sized_math(name);
}

/* The names given so far, by the id of their string in the context. */
typedef struct {
  Context *ctx;
  Map map;
} Taken;

static bool is_taken(const Taken *taken, const char *name) {
  const Str *known = str_find(taken->ctx, name, strlen(name));
  u64 value;
  return known && map_get(&taken->map, known->id, &value);
}

/* Does it begin as names do that LOOM and compilers reserve? */
static bool is_reserved(const char *name) {
  return strncmp(name, "loom", 4) == 0 || strncmp(name, "LOOM", 4) == 0 ||
         (name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1])));
}

/* An identifier that differs from those given before. Up to MOST_BARS times a `_` is appended;
 * then, as many names differ only in characters that C does not have, the number `n`. */
static const char *identifier(Arena *arena, const char *text, bool is_function, Taken *taken,
                              u32 n) {
  enum { MOST_BARS = 8 };
  char *name =
      arena_printf(arena, "%s%s", isdigit((unsigned char)*text) || !*text ? "_" : "", text);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127) *c = '_';
  if (is_reserved(name)) name = arena_printf(arena, "v%s", name);
  for (u32 i = 0; has_meaning(name, is_function) || is_taken(taken, name); i++)
    name = i == MOST_BARS ? arena_printf(arena, "%s%u", name, n) : arena_printf(arena, "%s_", name);
  map_put(&taken->map, str_of(taken->ctx, name)->id, 1);
  return name;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The C type of a scalar; NULL: there is none. An i1 is a bool. */
static const char *scalar_type(loom_design *d, const DfgType *type) {
  const char *c = c_text_type(type);
  if (!c || type->ir->kind == TYPE_FLOAT) return c;
  return type->bits == 1 ? "bool" : arena_printf(d->arena, "int%u_t", c_text_width(type->bits));
}

/* The C type of a memref's elements. */
static const char *element_type(loom_design *d, u32 argument) {
  for (u32 m = 0; m < d->dfg->nmemories; m++)
    if (d->dfg->memories[m].arg == argument)
      return scalar_type(d, &d->dfg->types[d->dfg->memories[m].elem]);
  return "void"; /* it is not accessed */
}

static const char *argument_type(loom_design *d, u32 i) {
  const DfgArg *arg = &d->dfg->args[i];
  const char *given = dfg_text(d->dfg, arg->c_type), *promise = strstr(given, "restrict");
  if (promise) /* C++ has no such word */
    return arena_printf(d->arena, "%.*s%s", (int)(promise - given), given,
                        promise + strlen("restrict"));
  if (*given) return given;
  if (arg->role != DFG_ARG_MEMREF) return scalar_type(d, &d->dfg->types[arg->type]);
  const char *element = element_type(d, i);
  return element
             ? arena_printf(d->arena, "%s%s *", dfg_is_stored(d->dfg, i) ? "" : "const ", element)
             : NULL;
}

/* ---- the declaration ------------------------------------------------------------------------- */

/* `int (*x)[16]`, `const char *x`, `int x`. */
static void put_declarator(Buf *out, const char *type, const char *name) {
  const char *inside = strstr(type, "(*");
  size_t n = inside ? strcspn(inside, ")[") + (size_t)(inside - type) : strlen(type);
  buf_put(out, type, n);
  if (n && type[n - 1] != '*') buf_char(out, ' ');
  buf_printf(out, "%s%s", name, type + n);
}

/* `struct item;`, once for each struct or union that the declaration names. */
static void put_forwards(Buf *out, const char *declaration) {
  static const char *const kinds[] = {"struct ", "union "};
  for (size_t k = 0; k < COUNT_OF(kinds); k++)
    for (const char *at = strstr(declaration, kinds[k]); at; at = strstr(at + 1, kinds[k])) {
      size_t n = strlen(kinds[k]);
      if (at > declaration && c_text_is_name(at[-1])) continue; /* node_struct *p */
      while (c_text_is_name(at[n])) n++;
      Buf line = {0};
      buf_put(&line, at, n);
      buf_str(&line, ";\n");
      if (!out->len || !strstr(out->data, line.data)) buf_str(out, line.data);
      buf_free(&line);
    }
}

static const char *kept(loom_design *d, Buf *text) {
  const char *copy = arena_copy(d->arena, text->data ? text->data : "", text->len + 1);
  buf_free(text);
  return copy;
}

/* Types and names of parameters and results. False where C has no type for one. */
static bool find_types(loom_design *d, struct DesignCall *call, Taken *taken) {
  const Dfg *dfg = d->dfg;
  u32 nout = 0;
  for (u32 i = 0; i < dfg->nargs; i++) {
    const DfgArg *arg = &dfg->args[i];
    if (arg->role == DFG_ARG_CONTROL) continue;
    if (arg->role == DFG_ARG_EXTENT && !dfg_arg_is_used(dfg, arg)) continue; /* no parameter */
    if (arg->role == DFG_ARG_EXTENT && dfg->args[arg->of].c_type)
      return false; /* a C caller does not pass it */
    if (!(call->types[i] = argument_type(d, i))) return false;
    call->names[i] = identifier(d->arena, dfg_text(dfg, arg->name), false, taken, i);
  }
  for (u32 i = 0; i < dfg->noutputs; i++) {
    const DfgType *type = &dfg->types[dfg->outputs[i].type];
    if (type->ir->kind == TYPE_NONE) continue;
    if (!(call->out_types[i] = scalar_type(d, type))) return false;
    nout++;
  }
  for (u32 i = 0; nout > 1 && i < dfg->noutputs; i++) {
    if (!call->out_types[i]) continue;
    const char *text = dfg_text(dfg, dfg->outputs[i].name);
    call->out_names[i] = identifier(d->arena, text, false, taken, dfg->nargs + i);
  }
  if (nout == 1 && dfg->c_result)
    for (u32 i = 0; i < dfg->noutputs; i++)
      if (call->out_types[i]) call->out_types[i] = dfg_text(dfg, dfg->c_result);
  return true;
}

static void declare(loom_design *d, struct DesignCall *call) {
  Buf list = {0}, text = {0}, before = {0};
  const char *result = "void";
  for (u32 i = 0; i < d->dfg->nargs; i++) {
    if (!call->types[i]) continue;
    if (list.len) buf_str(&list, ", ");
    put_declarator(&list, call->types[i], call->names[i]);
  }
  for (u32 i = 0; i < d->dfg->noutputs; i++) {
    if (!call->out_types[i]) continue;
    if (!call->out_names[i]) result = call->out_types[i];
    if (!call->out_names[i]) continue;
    if (list.len) buf_str(&list, ", ");
    buf_printf(&list, "%s *%s", call->out_types[i], call->out_names[i]);
  }
  put_declarator(&text, result, call->name);
  buf_printf(&text, "(%s)", list.len ? list.data : "void");
  put_forwards(&before, text.data);
  buf_free(&list);
  call->declaration = kept(d, &text);
  call->before = kept(d, &before);
}

void call_make(loom_design *d) {
  const Dfg *dfg = d->dfg;
  struct DesignCall *call = NEW(d->arena, struct DesignCall);
  Taken functions = {.ctx = d->ctx}, parameters = {.ctx = d->ctx};
  call->name = identifier(d->arena, dfg_text(dfg, dfg->name), true, &functions, 0);
  call->types = NEW_ARRAY(d->arena, const char *, dfg->nargs + dfg->noutputs);
  call->names = NEW_ARRAY(d->arena, const char *, dfg->nargs + dfg->noutputs);
  call->out_types = call->types + dfg->nargs;
  call->out_names = call->names + dfg->nargs;
  bool is_declarable = find_types(d, call, &parameters);
  map_free(&functions.map);
  map_free(&parameters.map);
  if (!is_declarable) return;
  declare(d, call);
  d->call = call;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *name(const loom_design *d) {
  return d->call->name;
}
static const char *declaration(const loom_design *d) {
  return d->call->declaration;
}
static const char *before(const loom_design *d) {
  return d->call->before;
}
static const char *parameter(const loom_design *d, uint32_t argument) {
  return argument < d->dfg->nargs ? d->call->names[argument] : NULL;
}
static const char *out_parameter(const loom_design *d, uint32_t output) {
  return output < d->dfg->noutputs ? d->call->out_names[output] : NULL;
}
static const char *type(const loom_design *d, uint32_t argument) {
  return argument < d->dfg->nargs ? d->call->types[argument] : NULL;
}
static const char *out_type(const loom_design *d, uint32_t output) {
  return output < d->dfg->noutputs ? d->call->out_types[output] : NULL;
}

const loom_call loom_call_table = {
    .size = sizeof(loom_call),
    .name = name,
    .declaration = declaration,
    .before = before,
    .parameter = parameter,
    .out_parameter = out_parameter,
    .type = type,
    .out_type = out_type,
};
