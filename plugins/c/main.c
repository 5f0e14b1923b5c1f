/* main.c -- loom-c: C functions as MLIR.
 *
 *     loom-c fir.c                          every function that other files can call
 *     loom-c --func fir fir.c -- -DN=64     one, with options for clang
 *
 * The C file goes through clang without its optimiser, then through those of LLVM's passes that leave
 * loops as they were written: values in registers, calls inlined, what is constant folded, what does
 * not change in a loop moved out of it. Nothing that joins or turns loops: instcombine would sink
 * additions through the phis of counters, rotation would make while loops of for loops.
 *
 * A program of its own, not a part of LOOM: LLVM may abort, takes 100 MB, and is there only where C is
 * to be read. The MLIR goes to standard output; what is wrong to standard error, as
 * FILE:LINE:COLUMN: error[CODE]: TEXT, with status 1. */
#include "convert.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CLANG
#define CLANG "clang-19"
#endif

static const char *const clang_options[] = {"-O1",
                                            "-Xclang",
                                            "-disable-llvm-passes",
                                            "-fno-discard-value-names",
                                            "-gline-tables-only",
                                            "-ffp-contract=off",
                                            "-fno-math-errno",
                                            "-fno-builtin-memset",
                                            "-emit-llvm",
                                            "-c"};

static const char passes[] =
    "function(sroa,tailcallelim),always-inline,always-inline,"
    "function(sroa,early-cse<memssa>,simplifycfg,correlated-propagation,instsimplify,sccp,"
    "gvn<no-load-pre;no-pre>,loop-mssa(licm),adce,simplifycfg),"
    "function(loop-simplify,adce)";

static int failed(const char *what) {
  perror(what);
  return 5;
}

/* Runs clang on the file; LLVM's bitcode, or NULL after clang said why. */
static LLVMMemoryBufferRef compile(const char *file, char **more, int nmore, int *status) {
  char path[] = "/tmp/loom-c.XXXXXX", *message = NULL;
  int fd = mkstemp(path);
  LLVMMemoryBufferRef buffer = NULL;
  *status = 5;
  if (fd < 0) {
    perror(path);
    return NULL;
  }
  close(fd);
  enum { OWN = sizeof clang_options / sizeof *clang_options };
  const char **argv = calloc((size_t)nmore + OWN + 6, sizeof *argv);
  if (!argv) abort();
  int n = 0;
  argv[n++] = CLANG;
  for (int i = 0; i < OWN; i++) argv[n++] = clang_options[i];
  for (int i = 0; i < nmore; i++) argv[n++] = more[i];
  argv[n++] = "-o";
  argv[n++] = path;
  argv[n++] = file;
  pid_t child = fork();
  if (child == 0) {
    execvp(CLANG, (char *const *)argv);
    fprintf(stderr, "loom-c: cannot run %s\n", CLANG);
    _exit(127);
  }
  int ended = 0;
  if (child < 0 || waitpid(child, &ended, 0) != child)
    perror(CLANG);
  else if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) {
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
      fprintf(stderr, "loom-c: %s\n", message);
      LLVMDisposeMessage(message);
    }
  } else {
    *status = WIFEXITED(ended) && WEXITSTATUS(ended) != 127 ? 1 : 5;
  }
  unlink(path);
  free(argv);
  return buffer;
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

static bool has_name(LLVMValueRef f, const char *name) {
  size_t length;
  return !strcmp(LLVMGetValueName2(f, &length), name);
}

/* With a name only that function, else all that other files can call. */
static bool is_wanted(LLVMValueRef f, const char *func) {
  if (LLVMIsDeclaration(f)) return false;
  LLVMLinkage linkage = LLVMGetLinkage(f);
  return func ? has_name(f, func) : linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

/* Every function is inlined into those that call it. */
static bool optimise(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    drop_attribute(f, "noinline");
    drop_attribute(f, "optnone");
    set_attribute(f, "alwaysinline");
  }
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  fprintf(stderr, "loom-c: %s\n", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static int convert(LLVMMemoryBufferRef buffer, const char *file, const char *func) {
  LLVMContextRef ctx = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  char *text = NULL;
  size_t size = 0;
  int status = 0;
  if (LLVMParseBitcodeInContext2(ctx, buffer, &module)) return 5;
  if (!optimise(module)) return 5;
  FILE *out = open_memstream(&text, &size);
  if (!out) return failed("loom-c");
  unsigned n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!is_wanted(f, func)) continue;
    n++;
    if (!convert_function(module, f, file, out)) status = 1;
  }
  fclose(out);
  if (!n) {
    if (func)
      fprintf(stderr, "%s:1:1: error[C_NO_FUNCTION]: there is no function %s in this file\n", file,
              func);
    else
      fprintf(stderr, "%s:1:1: error[C_NO_FUNCTION]: there is no function in this file\n", file);
    status = 1;
  }
  if (!status && fwrite(text, 1, size, stdout) != size) status = failed("standard output");
  free(text);
  LLVMDisposeModule(module);
  LLVMContextDispose(ctx);
  return status;
}

int main(int argc, char **argv) {
  const char *file = NULL, *func = NULL;
  int i = 1, status;
  for (; i < argc && strcmp(argv[i], "--"); i++) {
    if (!strcmp(argv[i], "--func") && i + 1 < argc)
      func = argv[++i];
    else if (!file && argv[i][0] != '-')
      file = argv[i];
    else
      file = NULL, i = argc - 1;
  }
  if (!file) {
    fputs("usage: loom-c [--func NAME] FILE.c [-- OPTIONS OF CLANG]\n", stderr);
    return 2;
  }
  int more = i < argc ? i + 1 : argc;
  LLVMMemoryBufferRef buffer = compile(file, argv + more, argc - more, &status);
  return buffer ? convert(buffer, file, func) : status;
}
