/* convert.h -- a C function as LLVM sees it, written as MLIR. Private to loom-c.
 *
 *     child.c      the C file goes through clang and LLVM's passes; functions are chosen
 *     tables.c     tables of pointers become choices
 *     pointers.c   what each pointer points into, and how far from its start
 *     declared.c   its types as C writes them
 *     convert.c    instructions as func, cf, arith, math and memref, with the files of emit.h
 *
 * LLVM has pointers, MLIR has memories with a type and an index. So of each function first every
 * pointer gets a *root*, the argument, local or global that it points into, and an *offset*, a sum
 * of values times bytes. The root's element type is that of the loads and stores through it; where
 * these are of several sizes, elements are as large as the smallest, and a larger value is put
 * together of several. Where the run decides which of several roots is meant, a pointer is the
 * number of a root, too, and an access an scf.if between the memories. Where a pointer is kept in
 * memory the function is refused, at its line in the C file. */
#ifndef LOOM_C_CONVERT_H
#define LOOM_C_CONVERT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdio.h>

/* One term of an offset: value * bytes, where the value is an integer that is read as signed. */
typedef struct {
  LLVMValueRef value;
  long long bytes;
} Term;

enum { MAX_TERMS = 16 };

typedef struct {
  LLVMValueRef root;
  /* Where the offset is counted from: NULL, the root itself; or a phi or select of pointers, whose
   * value in the MLIR is the number of an element. */
  LLVMValueRef base;
  bool is_ambiguous;  /* the run decides which of several roots it is; `root` is one of them */
  long long constant; /* bytes */
  unsigned nterms;
  Term terms[MAX_TERMS];
} Pointer;

typedef struct {
  LLVMValueRef value;
  unsigned bytes;   /* of an element, the smallest that is accessed; 0: it is not accessed */
  LLVMTypeRef type; /* as the first access has it; an integer where they are of several sizes */
  long long extent; /* elements; -1: not known (an argument, or an array of variable length) */
} Root;

/* The memories that a pointer may point into; `has_null`: it may be NULL, too. */
enum { MAX_ROOTS = 8, MAX_CHOICES = 64 };
typedef struct {
  LLVMValueRef at[MAX_ROOTS];
  unsigned n;
  bool has_null;
} Roots;

/* While an access is written for each memory that its pointer may point into: the one that is
 * meant. */
typedef struct {
  LLVMValueRef base, root;
} Chosen;

/* The memref.globals of the module: a global of C is one for each type of elements that functions
 * see in it. */
typedef struct {
  LLVMValueRef value;
  char memref[64], *symbol;
  bool is_written;
} Global;

typedef struct {
  Global *at;
  unsigned n;
} Globals;

typedef struct Function Function;

/* Says what is wrong where in the C file, and makes the conversion fail. Returns false. */
bool refuse(Function *f, LLVMValueRef at, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

struct Function {
  LLVMModuleRef module;
  LLVMValueRef llvm;
  const char *file; /* the C file, as given */
  Globals *globals; /* of all functions so far */
  bool may_alias;   /* arguments without restrict may be of one memory */
  FILE *out;        /* the body */
  FILE *constants;  /* what stands at the start of the first block */
  char **known;     /* names of constants that stand there, where their hashes say */
  unsigned nknown, room;
  Root *roots;
  unsigned nroots;
  Chosen chosen[2]; /* of memcpy both sides */
  unsigned nchosen;
  unsigned next; /* for names that LLVM does not have */
  bool failed;
};

static inline bool is_pointer(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* ---- tables.c ---- */

/* Loads from tables of pointers become choices among what stands there, where that is known. Was
 * there one? */
bool choose_from_tables(LLVMModuleRef module);

/* ---- emit.c ---- */

const char *name_of(LLVMValueRef v);
bool starts_with(const char *name, const char *with);

/* ---- pointers.c ---- */

/* The function that an instruction calls; "": none that is known. */
const char *called_name(LLVMValueRef v);
/* Adds up the offset of a getelementptr: what is constant, and by `step` an index of elements of so
 * many bytes. The index where that is false; NULL: none. */
typedef bool Step(void *with, LLVMValueRef index, long long bytes);
LLVMValueRef add_steps(LLVMTargetDataRef data, LLVMValueRef gep, long long *constant, Step *step,
                       void *with);

/* Finds the roots of a function and their types; false after a refusal. */
bool find_roots(Function *f);
Root *root_of(Function *f, LLVMValueRef value);
/* Moves constant factors of a term's value to its bytes until these are whole elements of so many.
 * False: they cannot be. */
bool peel(Term *term, unsigned bytes);
/* What malloc, calloc and C++'s new are asked for, in bytes, of calloc the last factor; NULL: this
 * is none. */
LLVMValueRef allocated_bytes(LLVMValueRef call);
/* False: it has none, as one that is kept in memory; that is the last of them then. */
bool roots_of(LLVMValueRef pointer, Roots *roots);
/* Follows a pointer back to its root. False, after a refusal, where it has none. */
bool follow(Function *f, LLVMValueRef pointer, Pointer *p);

/* ---- declared.c ---- */

/* Writes ` attributes {loom.c = [...]}`, the function's result and argument types in C. False, and
 * nothing is written, where LLVM's function has other arguments than C's (a struct by value becomes
 * several), or a type cannot be written. */
bool put_declared(LLVMValueRef function, FILE *out);
/* The name of the struct or union that argument i, counted from 1, or the result, 0, has by value;
 * NULL: it is none, or has no name. *keyword: "struct ", "union " or, of a typedef, "". */
const char *struct_by_value(LLVMValueRef function, unsigned i, const char **keyword);

/* ---- convert.c ---- */

/* Writes the function as a func.func, and those globals that it uses and none before it has used,
 * to `out`. */
bool convert_function(LLVMModuleRef module, LLVMValueRef function, const char *file, bool may_alias,
                      Globals *globals, FILE *out);
void globals_free(Globals *globals);

#endif
