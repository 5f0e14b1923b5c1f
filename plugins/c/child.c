/* child.c -- loom-c: C functions as MLIR; the process that the front end (c.c) starts.
 *
 *     loom-c fir.c                          every function that is not called by another one, but main
 *     loom-c --func fir fir.c -- -DN=64     one, with options for clang
 *
 * The C file goes through clang without its optimiser, then through those of LLVM's passes that
 * leave loops as they were written: the C library's functions that are called are added
 * (library.c), values are in registers, calls inlined, what is constant folded, what does not
 * change in a loop moved out of it. Nothing that joins or turns loops: instcombine would sink
 * additions through the phis of counters, rotation would make while loops of for loops.
 *
 * A process of its own: LLVM may abort, takes 100 MB, and is there only where C is to be read. What
 * is written where is told in c.c. Exit status: 0; 1, it said what is wrong; 3, there is no clang;
 * 5, a fault. */
#include "convert.h"

#include <errno.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CLANG
#define CLANG "clang-19"
#endif

static const char *const clang_options[] = {
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-discard-value-names",
    "-g",
    "-fdebug-compilation-dir=.", /* files are named as they were given */
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fcx-limited-range",
    "-ffine-grained-bitfield-accesses", /* no wider than a register */
    "-fno-builtin-memset",
    "-D__NO_CTYPE", /* isdigit and its like are functions, not tables of a locale */
    "-femit-all-decls",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics", /* no files of it are left behind */
    "-emit-llvm",
    "-c",
    "-o",
    "-"};

static const char unused[] = "globaldce";
static const char passes[] =
    "function(lower-expect,sroa,tailcallelim),always-inline,always-inline,"
    "function(sroa,early-cse<memssa>,simplifycfg,correlated-propagation,instsimplify,sccp,"
    "gvn<no-load-pre;no-pre>,loop-mssa(licm),adce,simplifycfg),"
    "function(loop-simplify,adce)";

static int failed(const char *what) {
  perror(what);
  return 5;
}

/* All that comes out of a pipe. */
static LLVMMemoryBufferRef read_all(int fd) {
  char *data = NULL;
  size_t n = 0, room = 0;
  ssize_t more;
  do {
    if (room - n < 65536) {
      room = 2 * room + 65536;
      char *larger = realloc(data, room);
      if (!larger) abort();
      data = larger;
    }
    more = read(fd, data + n, room - n);
    if (more > 0) n += (size_t)more;
  } while (more > 0 || (more < 0 && errno == EINTR));
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, n, "clang");
  free(data);
  return buffer;
}

/* Of clang's own exit status: the shell's for a file that is not there; its own, and the shell's,
 * for a crash. */
static int status_of(int clang) {
  return clang == 127 ? 3 : clang == 70 || clang > 127 ? 5 : 1;
}

/* Runs clang on the file; LLVM's bitcode, or NULL after clang said why. */
static LLVMMemoryBufferRef compile(const char *file, char **more, int nmore, int *status) {
  enum { OWN = sizeof clang_options / sizeof *clang_options };
  const char **argv = calloc((size_t)nmore + OWN + 3, sizeof *argv);
  int ends[2], n = 0, ended = 0;
  *status = 5;
  if (!argv) abort();
  argv[n++] = CLANG;
  for (int i = 0; i < OWN; i++) argv[n++] = clang_options[i];
  for (int i = 0; i < nmore; i++) argv[n++] = more[i];
  argv[n++] = file;
  if (pipe(ends) != 0) {
    perror("pipe");
    return NULL;
  }
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]), close(ends[1]);
    execvp(CLANG, (char *const *)argv);
    _exit(127);
  }
  close(ends[1]);
  LLVMMemoryBufferRef buffer = child > 0 ? read_all(ends[0]) : NULL;
  close(ends[0]);
  free(argv);
  if (child < 0 || waitpid(child, &ended, 0) != child)
    perror(CLANG);
  else if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
    return buffer;
  else
    *status = !WIFEXITED(ended) ? 5 : status_of(WEXITSTATUS(ended));
  if (buffer) LLVMDisposeMemoryBuffer(buffer);
  return NULL;
}

static void set_attribute(LLVMValueRef f, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMContextRef ctx = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(ctx, kind, 0));
}

static void drop_attribute(LLVMValueRef f, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

/* The name of a function of C++ without what its types, its namespace or `static` make of it: dot
 * of _Z3dotPKiS0_i, of _ZL3dotPKi and of _ZN4math3dotEPKi, *inside of which is then what stands
 * before "3dot", 4math. NULL: one of C. */
static const char *plain_name(const char *own, unsigned long *length, const char **inside) {
  char *at;
  if (strncmp(own, "_Z", 2)) return NULL;
  own += 2;
  bool is_nested = *own == 'N';
  *inside = own + is_nested;
  for (const char *part = own + is_nested;; part = at + *length) {
    if (*part == 'L') part++;
    *length = strtoul(part, &at, 10);
    if (at == part || !*length || *length > strlen(at) || *length > 200) return NULL;
    const char *next = at + *length + (at[*length] == 'L');
    if (is_nested && *next >= '0' && *next <= '9') continue;
    if (!is_nested) *inside = NULL;
    return at;
  }
}

/* Is a function called so? */
static bool has_name(LLVMValueRef f, const char *name) {
  size_t size;
  unsigned long n;
  const char *own = LLVMGetValueName2(f, &size), *inside, *plain = plain_name(own, &n, &inside);
  return !strcmp(own, name) || (plain && n == strlen(name) && !strncmp(plain, name, n));
}

/* One of C++ that is chosen gets its name back, where that is free. Returns what C++ calls it, with
 * its namespaces, to be freed: each part of LLVM's name stands there, two letters longer at most. */
static char *restore_name(LLVMValueRef f) {
  size_t size;
  unsigned long n, k;
  const char *own = LLVMGetValueName2(f, &size), *inside, *plain = plain_name(own, &n, &inside);
  char *out = malloc(3 * size + 1), *at = out, name[201];
  if (!out) abort();
  strcpy(out, own);
  if (!plain) return out;
  for (; inside && inside < plain; inside += k) {
    if (*inside == 'L') inside++;
    k = strtoul(inside, (char **)&inside, 10);
    if (inside != plain && strncmp(inside, "_GLOBAL__N_", 11))
      at += sprintf(at, "%.*s::", (int)k, inside);
  }
  sprintf(at, "%.*s", (int)n, plain);
  snprintf(name, sizeof name, "%.*s", (int)n, plain);
  if (!LLVMGetNamedFunction(LLVMGetGlobalParent(f), name)) LLVMSetValueName2(f, name, n);
  return out;
}

/* Does another function of the file call it? Calls are still there: it is asked before inlining. */
static bool is_called(LLVMValueRef f) {
  for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user)) continue;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    if (caller != f && !has_name(caller, "main")) return true;
  }
  return false;
}

/* With a name only that function, else those of the file itself that are not called. */
static bool is_wanted(LLVMValueRef f, const char *func) {
  if (LLVMIsDeclaration(f)) return false;
  if (func) return has_name(f, func);
  LLVMLinkage linkage = LLVMGetLinkage(f);
  return linkage == LLVMExternalLinkage && !has_name(f, "main") && !is_called(f);
}

/* ---- the C library ----------------------------------------------------------------------------- */

/* The function of the C library that LLVM's intrinsic stands for: sinf for llvm.sin.f32. False: for
 * none of floats. */
static bool name_in_c(const char *intrinsic, char name[32]) {
  if (strncmp(intrinsic, "llvm.", 5) != 0) return false;
  const char *stem = intrinsic + strlen("llvm."), *dot = strchr(stem, '.');
  const char *type = dot ? strrchr(dot, '.') : NULL;
  if (!dot || dot - stem > 20) return false;
  if (strcmp(type, ".f32") && strcmp(type, ".f64")) return false;
  int length = (int)(dot - stem);
  if (!strncmp(stem, "minnum", 6)) stem = "fmin", length = 4;
  if (!strncmp(stem, "maxnum", 6)) stem = "fmax", length = 4;
  snprintf(name, 32, "%.*s%s", length, stem, type[2] == '3' ? "f" : "");
  return true;
}

/* What clang takes for a function of the C library is the file's own where it has one of that
 * name. */
static void prefer_own(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    char name[32];
    if (!name_in_c(LLVMGetValueName2(f, &length), name)) continue;
    LLVMValueRef own = LLVMGetNamedFunction(module, name);
    if (own && !LLVMIsDeclaration(own) && LLVMGlobalGetValueType(own) == LLVMGlobalGetValueType(f))
      LLVMReplaceAllUsesWith(f, own);
  }
}

/* library.c, as clang made it. */
__asm__(".section .rodata\n"
        "library_start: .incbin \"" LIBRARY "\"\n"
        "library_end: .byte 0\n" /* LLVM wants one behind the text */
        ".balign 8\n"
        "library_size: .quad library_end - library_start\n"
        ".previous\n");
extern const char library_start[];
extern const size_t library_size;

static bool lacks_body(LLVMModuleRef module, LLVMValueRef of) {
  size_t length;
  LLVMValueRef f = LLVMGetNamedFunction(module, LLVMGetValueName2(of, &length));
  return f && LLVMIsDeclaration(f) && LLVMGetFirstUse(f);
}

/* Adds what the file calls of the library and does not define itself. */
static bool add_library(LLVMContextRef ctx, LLVMModuleRef module) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(library_start, library_size, "library", true);
  LLVMModuleRef library = NULL;
  bool any = false;
  if (LLVMParseBitcodeInContext2(ctx, buffer, &library)) return false;
  LLVMDisposeMemoryBuffer(buffer);
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage) continue;
    LLVMSetLinkage(f, LLVMLinkOnceODRLinkage); /* comes only where it is called, and is no kernel */
    any |= lacks_body(module, f);
  }
  if (any) return !LLVMLinkModules2(module, library);
  LLVMDisposeModule(library);
  return true;
}

/* Is a function called that has a body? What was called through a table or a pointer is only known
 * when all else is inlined; recursion remains. */
static bool calls_remain(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && is_called(f)) return true;
  return false;
}

static bool is_one_of(LLVMValueRef f, const LLVMValueRef *chosen, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (chosen[i] == f) return true;
  return false;
}

/* Every function is inlined into those that call it; what the chosen ones do not need is gone
 * first. */
static bool optimise(LLVMModuleRef module, const LLVMValueRef *chosen, unsigned n) {
  enum { MOST_ROUNDS = 3 };
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    LLVMSetLinkage(f, is_one_of(f, chosen, n) ? LLVMExternalLinkage : LLVMInternalLinkage);
    drop_attribute(f, "noinline");
    drop_attribute(f, "optnone");
    set_attribute(f, "alwaysinline");
  }
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, unused, NULL, options);
  if (!error) error = LLVMRunPasses(module, passes, NULL, options);
  for (int more = 0; more < MOST_ROUNDS && !error && calls_remain(module); more++)
    error = LLVMRunPasses(module, passes, NULL, options);
  if (!error && choose_from_tables(module)) error = LLVMRunPasses(module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  fprintf(stderr, "loom-c: %s\n", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* ---- the same natively ------------------------------------------------------------------------- */

#define VISIBLE "__attribute__((visibility(\"default\"))) "

/* The C type that loom.c/1 has for a value; NULL: there is none. */
static const char *native_type(LLVMTypeRef type) {
  static const char *const integers[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: {
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits > 64 ? NULL : integers[bits > 32 ? 3 : bits > 16 ? 2 : bits > 8 ? 1 : 0];
  }
  case LLVMHalfTypeKind: return "_Float16";
  case LLVMFloatTypeKind: return "float";
  case LLVMDoubleTypeKind: return "double";
  default: return NULL;
  }
}

/* Of C++ the compiler itself says what the arguments of a function are. */
static const char native_of_cpp[] =
    "#include <utility>\n"
    "template <class T> struct loom_at { static T &of(void *p) { return *(T *)p; } };\n"
    "template <class T> struct loom_at<T *> { static T *of(void *p) { return (T *)p; } };\n"
    "template <class T> struct loom_at<T &> { static T &of(void *p) { return *(T *)p; } };\n"
    "template <class... A, std::size_t... I>\n"
    "void loom_call(void (*f)(A...), void *const *a, void *const *, std::index_sequence<I...>) {\n"
    "  f(loom_at<A>::of(a[I])...);\n"
    "}\n"
    "template <class R, class... A, std::size_t... I>\n"
    "void loom_call(R (*f)(A...), void *const *a, void *const *r, std::index_sequence<I...>) {\n"
    "  *(R *)r[0] = f(loom_at<A>::of(a[I])...);\n"
    "}\n"
    "template <class R, class... A> void loom_call(R (*f)(A...), void *const *a, void *const *r) "
    "{\n"
    "  loom_call(f, a, r, std::index_sequence_for<A...>());\n"
    "}\n";

/* LOOM computes these functions of floats in double and rounds that, the GNU C library's own may be
 * off by one in the last place. So that results can be compared, those that the file calls are here
 * what they are for LOOM. */
static void put_rounded(LLVMModuleRef module, FILE *out) {
  static const char *const names[] = {"sin",   "cos",  "tan",   "asin",  "acos",  "atan",
                                      "sinh",  "cosh", "tanh",  "asinh", "acosh", "atanh",
                                      "exp",   "exp2", "expm1", "log",   "log2",  "log10",
                                      "log1p", "cbrt", "erf",   "erfc",  "pow",   "atan2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[32], intrinsic[32];
    const char *x = names[i];
    snprintf(name, sizeof name, "%sf", x);
    snprintf(intrinsic, sizeof intrinsic, "llvm.%s.f32", x);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f ? !LLVMIsDeclaration(f) : !LLVMGetNamedFunction(module, intrinsic)) continue;
    bool two = !strcmp(x, "pow") || !strcmp(x, "atan2");
    const char *parameters = two ? "(float x, float y)" : "(float x)";
    fprintf(out,
            "__attribute__((visibility(\"hidden\"), used)) float loom_%s%s __asm__(\"%s\");\n"
            "float loom_%s%s { return (float)__builtin_%s(x%s); }\n",
            name, parameters, name, name, parameters, x, two ? ", y" : "");
  }
}

/* Is its first argument where the struct that it returns goes? */
static bool returns_to_memory(LLVMValueRef f) {
  unsigned kind = LLVMGetEnumAttributeKindForName("sret", 4);
  return LLVMCountParams(f) && LLVMGetEnumAttributeAtIndex(f, 1, kind);
}

/* A cast to a pointer to argument i as C has it, or to the result, 0. A struct by value lies in
 * memory as its bytes, also where LLVM made an integer of it. */
static bool put_pointer_type(LLVMValueRef f, unsigned i, LLVMTypeRef type, FILE *out) {
  const char *keyword = "", *name = struct_by_value(f, i, &keyword);
  if (!name) name = native_type(type);
  fprintf(out, "(%s%s *)", keyword, name ? name : "void");
  return name != NULL;
}

/* void loom_native_f(...): calls f with the arguments of its memrefs and scalars. */
static bool put_native(LLVMValueRef f, const char *in_cpp, FILE *out) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f), result = LLVMGetReturnType(type);
  size_t length;
  const char *name = LLVMGetValueName2(f, &length);
  if (in_cpp) {
    fprintf(out,
            "extern \"C\" " VISIBLE "void loom_native_%s(void *const *a, void *const *r) {\n"
            "  loom_call(&%s, a, r);\n}\n",
            name, in_cpp);
    return true;
  }
  unsigned nparams = LLVMCountParams(f), first = returns_to_memory(f);
  bool good = true, is_void = LLVMGetTypeKind(result) == LLVMVoidTypeKind;
  fprintf(out,
          VISIBLE "void loom_native_%s(void *const *a, void *const *r) {\n  (void)a, (void)r;\n  ",
          name);
  if (first || !is_void) {
    fputc('*', out);
    good = put_pointer_type(f, 0, result, out);
    fprintf(out, "%s = ", first ? "a[0]" : "r[0]");
  }
  fprintf(out, "%s(", name);
  for (unsigned i = first; i < nparams && good; i++) {
    LLVMTypeRef param = LLVMTypeOf(LLVMGetParam(f, i));
    const char *keyword;
    bool points = LLVMGetTypeKind(param) == LLVMPointerTypeKind &&
                  !struct_by_value(f, i + 1 - first, &keyword);
    fprintf(out, "%s%s", i > first ? ", " : "", points ? "" : "*");
    good = points || put_pointer_type(f, i + 1 - first, param, out);
    fprintf(out, "a[%u]", i);
  }
  fprintf(out, ");\n}\n");
  return good;
}

/* What the system's compiler has to know of what clang was told; paths from here. Functions that
 * nobody needs are left out, as they may call what is in other files. */
static void put_flags(char **flags, int n, bool is_c) {
  static const char *const
      with_path[] = {"-include", "-isystem", "-iquote", "-I"},
      *const others[] = {"-D",      "-U",           "-std=", "-funsigned-char", "-fsigned-char",
                         "-fwrapv", "-fshort-enums"};
  char *here = getcwd(NULL, 0);
  printf("== native.flags\n"
         "-fvisibility=hidden\n-ffunction-sections\n-fdata-sections\n-Wl,--gc-sections\n%s",
         is_c ? "" : "-xc++\n-lstdc++\n");
  for (int i = 0; i < n; i++) {
    for (size_t k = 0; k < sizeof with_path / sizeof *with_path; k++) {
      size_t length = strlen(with_path[k]);
      if (strncmp(flags[i], with_path[k], length)) continue;
      const char *path = flags[i] + length;
      if (!*path && i + 1 < n) path = flags[++i];
      bool is_from_here = *path != '/' && (k || !access(path, F_OK)); /* or among the headers */
      printf("%s\n%s%s%s\n", with_path[k], is_from_here && here ? here : "",
             is_from_here ? "/" : "", path);
      break;
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
      if (strncmp(flags[i], others[k], strlen(others[k]))) continue;
      printf("%s\n", flags[i]);
      if (strlen(flags[i]) == 2 && i + 1 < n) printf("%s\n", flags[++i]);
      break;
    }
  }
  free(here);
}

/* ---- all of it --------------------------------------------------------------------------------- */

typedef struct {
  const char *file, *func;
  bool may_alias;
  char **flags;
  int nflags;
} Call;

/* Is it a function of the file that may be chosen? Those of LOOM's C library are not. */
static bool may_be_chosen(LLVMValueRef f) {
  return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMLinkOnceODRLinkage &&
         !has_name(f, "main");
}

/* Where the file has no function of the given name, LOOM gets declarations of those that it has,
 * and reports the name as it does for MLIR. */
static void declare_functions(LLVMModuleRef module, FILE *out) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!may_be_chosen(f)) continue;
    size_t size;
    free(restore_name(f));
    fprintf(out, "func.func private @\"%s\"()\n", LLVMGetValueName2(f, &size));
  }
}

static bool has_functions(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (may_be_chosen(f)) return true;
  return false;
}

static void no_function(const Call *call, LLVMModuleRef module) {
  fprintf(stderr, "%s:1:1: error[C_NO_FUNCTION]: %s\n", call->file,
          has_functions(module) ? "each function of this file is static or called by another one; "
                                  "choose one with --func"
                                : "there is no function in this file");
}

static bool is_c(const char *file) {
  size_t length = strlen(file);
  return length > 2 && !strcmp(file + length - 2, ".c");
}

/* All functions are looked at before one is changed: who calls whom is seen only then. */
static unsigned choose(LLVMModuleRef module, const char *func, LLVMValueRef *chosen) {
  unsigned n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!is_wanted(f, func)) continue;
    if (chosen) chosen[n] = f;
    n++;
  }
  return n;
}

/* A struct by value is the function's own: what it writes there nobody else sees. LLVM leaves the
 * copy to who calls. */
static void copy_structs(LLVMValueRef f) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMContextRef ctx = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(ctx);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  for (unsigned i = 0; i < LLVMCountParams(f); i++) {
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(f, i + 1, kind);
    if (!byval) continue;
    LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
    LLVMValueRef given = LLVMGetParam(f, i), own = LLVMBuildAlloca(builder, type, "own");
    LLVMReplaceAllUsesWith(given, own);
    LLVMBuildMemCpy(
        builder, own, LLVMGetAlignment(own), given, LLVMGetAlignment(own),
        LLVMConstInt(LLVMInt64TypeInContext(ctx), LLVMABISizeOfType(layout, type), false));
  }
  LLVMDisposeBuilder(builder);
}

static int convert_all(const Call *call, LLVMModuleRef module) {
  unsigned n = choose(module, call->func, NULL);
  LLVMValueRef *chosen = calloc(n + 1, sizeof *chosen);
  char **in_cpp = calloc(n + 1, sizeof *in_cpp);
  char *text = NULL, *native = NULL, *path = realpath(call->file, NULL);
  size_t size = 0, native_size = 0;
  bool lacks_named = !n && call->func && has_functions(module);
  int status = n || lacks_named ? 0 : 1;
  FILE *out = open_memstream(&text, &size), *wrappers = open_memstream(&native, &native_size);
  if (!chosen || !in_cpp || !out || !wrappers) abort();
  choose(module, call->func, chosen);
  for (unsigned i = 0; i < n; i++) {
    in_cpp[i] = restore_name(chosen[i]);
    copy_structs(chosen[i]);
  }
  if (!n && !lacks_named) no_function(call, module);
  if (lacks_named) declare_functions(module, out);
  if (!optimise(module, chosen, n)) return 5;
  bool has_native = n && path && !strpbrk(path, "\"\\\n");
  fprintf(wrappers, "#include <stdint.h>\n#include \"%s\"\n%s", path ? path : "",
          is_c(call->file) ? "" : native_of_cpp);
  put_rounded(module, wrappers);
  Globals globals = {0};
  for (unsigned i = 0; i < n; i++) {
    if (!convert_function(module, chosen[i], call->file, call->may_alias, &globals, out))
      status = 1;
    has_native = has_native && put_native(chosen[i], is_c(call->file) ? NULL : in_cpp[i], wrappers);
  }
  globals_free(&globals);
  fclose(out);
  fclose(wrappers);
  if (!status) printf("== kernel.mlir\n%s", text);
  if (!status && has_native) {
    printf("== native.c\n%s", native);
    put_flags(call->flags, call->nflags, is_c(call->file));
  }
  if (fflush(stdout) != 0) status = failed("standard output");
  free(text);
  free(native);
  free(path);
  for (unsigned i = 0; i < n; i++) free(in_cpp[i]);
  free(in_cpp);
  free(chosen);
  return status;
}

/* What LLVM would say of what is no bitcode, before it ended this process. */
static void say_nothing(LLVMDiagnosticInfoRef info, void *user) {
  (void)info, (void)user;
}

static int no_bitcode(const Call *call) {
  fprintf(
      stderr,
      "%s:1:1: error[C_CLANG]: clang produced no LLVM bitcode for this file; check its options\n",
      call->file);
  return 1;
}

/* Frees the buffer. */
static int convert(const Call *call, LLVMMemoryBufferRef buffer) {
  LLVMContextRef ctx = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  LLVMContextSetDiagnosticHandler(ctx, say_nothing, NULL);
  bool is_read = !LLVMParseBitcodeInContext2(ctx, buffer, &module);
  int status = 5;
  if (!is_read)
    status = no_bitcode(call);
  else if (prefer_own(module), add_library(ctx, module))
    status = convert_all(call, module);
  if (is_read) LLVMDisposeModule(module);
  LLVMContextDispose(ctx);
  LLVMDisposeMemoryBuffer(buffer);
  return status;
}

int main(int argc, char **argv) {
  Call call = {0};
  int i = 1, status;
  for (; i < argc && strcmp(argv[i], "--"); i++) {
    if (!strcmp(argv[i], "--func") && i + 1 < argc)
      call.func = argv[++i];
    else if (!strcmp(argv[i], "--may-alias"))
      call.may_alias = true;
    else if (!call.file && argv[i][0] != '-')
      call.file = argv[i];
    else
      call.file = NULL, i = argc - 1;
  }
  if (!call.file) {
    fputs("usage: loom-c [--func NAME] [--may-alias] FILE.c [-- OPTIONS OF CLANG]\n", stderr);
    return 2;
  }
  call.flags = argv + (i < argc ? i + 1 : argc);
  call.nflags = i < argc ? argc - i - 1 : 0;
  LLVMMemoryBufferRef buffer = compile(call.file, call.flags, call.nflags, &status);
  return buffer ? convert(&call, buffer) : status;
}
