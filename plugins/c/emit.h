/* emit.h -- the files that write a function as MLIR, and what they use of one another.
 *
 *     emit.c        places, names, types, operands, constants
 *     addresses.c   a pointer as a memory and an index
 *     memory.c      loads, stores, memset and memcpy, locals, malloc
 *     calls.c       mathematical functions and LLVM's intrinsics
 *     branches.c    ends of blocks, and what they pass on
 *     globals.c     global variables and tables
 *     convert.c     the other instructions, and the function as a whole
 *
 * A function that is `bool` is false after a refusal, and what was written then is not used. */
#ifndef LOOM_C_EMIT_H
#define LOOM_C_EMIT_H

#include "convert.h"

#include <stdint.h>

/* Room for the text of a type that is a number, and for an operand: of two names of at most MAX_NAME
 * letters, those of a phi and of a block. */
enum { TYPE_TEXT = 24, MAX_NAME = 200, OPERAND = 2 * MAX_NAME + 16 };

/* ---- emit.c ------------------------------------------------------------------------------------ */

/* ` loc("f.c":3:9)` and the end of the line: where in the C file `at` comes from. */
void put_loc(Function *f, LLVMValueRef at);
void put_symbol(const char *name, FILE *out);

/* Gives every value and block a name that MLIR can read. */
void name_all(LLVMValueRef function);
void name_value(LLVMValueRef v, const char *otherwise);
/* A name that nothing has, `%$7`. */
void new_name(Function *f, char out[OPERAND]);

/* "i32", "f64", ...; false: there is no such type in MLIR's arith. */
bool type_text(LLVMTypeRef type, char out[TYPE_TEXT]);
/* The type of a value; a pointer that is one is an index, the number of an element. */
bool value_type(Function *f, LLVMValueRef v, char out[TYPE_TEXT]);
/* The memref of a root. One that is not accessed is of bytes. */
void memref_text(const Root *root, char out[64]);

/* How a constant is named, which is made in the first block where it is not there yet. */
void int_constant(Function *f, long long value, const char *type, char out[OPERAND]);
void float_constant(Function *f, LLVMValueRef v, const char *type, char out[OPERAND]);
/* How a value is named; a constant is made, and what LLVM does not define is zero. */
bool operand(Function *f, LLVMValueRef v, char out[OPERAND]);

/* A line `%made = OP`, made of a format, which may name what `made` was. */
void put_op(Function *f, LLVMValueRef at, char made[OPERAND], const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A line `%i = OP` for instruction `i`; true. */
bool put_result(Function *f, LLVMValueRef i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Instruction `i` as one operation of one or two operands. */
bool put_unary(Function *f, LLVMValueRef i, const char *op, LLVMValueRef x);
bool put_binary(Function *f, LLVMValueRef i, const char *op, LLVMValueRef x, LLVMValueRef y);

/* ---- addresses.c ------------------------------------------------------------------------------- */

/* An integer as an index, read as signed; what widens it is looked through. */
bool index_of(Function *f, LLVMValueRef v, LLVMValueRef at, char out[OPERAND]);
/* Bytes of an element; of a memory that is not accessed, one. */
unsigned size_of(const Root *root);
/* The number of the element that a pointer points to; NOWHERE for NULL. */
enum { NOWHERE = INT32_MIN };
bool element_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, char out[OPERAND]);
/* May it point into one of several memories, which the run decides? */
bool is_ambiguous(LLVMValueRef pointer);
/* Which memory a pointer points into: its root's number, an i32. */
bool root_number_of(Function *f, LLVMValueRef pointer, char out[OPERAND]);
/* `%a[%i] : memref<?xf32>` of the element that is `more` behind the one that a pointer points
 * to. */
bool place_of(Function *f, LLVMValueRef pointer, LLVMValueRef at, unsigned more,
              char out[2 * OPERAND]);
bool convert_ptrtoint(Function *f, LLVMValueRef i);
/* The predicate of arith.cmpi; of pointers, which are numbers of elements, always a signed one: one
 * before the first is where a loop ends that goes down. */
const char *icmp_text(LLVMIntPredicate p, bool of_pointers);
bool compare_pointers(Function *f, LLVMValueRef i);

/* ---- memory.c ---------------------------------------------------------------------------------- */

bool convert_load(Function *f, LLVMValueRef i);
bool convert_store(Function *f, LLVMValueRef i);
bool convert_memset(Function *f, LLVMValueRef i);
/* memcpy and memmove. */
bool convert_memcpy(Function *f, LLVMValueRef i);
bool convert_alloca(Function *f, LLVMValueRef i);
/* malloc, calloc, new. */
bool convert_allocation(Function *f, LLVMValueRef i);

/* ---- calls.c, branches.c ----------------------------------------------------------------------- */

bool convert_call(Function *f, LLVMValueRef i);
bool convert_end(Function *f, LLVMBasicBlockRef block, LLVMValueRef end);

/* ---- globals.c --------------------------------------------------------------------------------- */

/* A name that no local of the function has: C lets a local hide a global that an inlined function
 * uses. */
void name_global(LLVMValueRef function, LLVMValueRef global);
/* Globals are named in the first block, under their own names. */
void name_globals(Function *f);
/* Those that no function before this one has written. */
bool put_globals(Function *f, FILE *out);

#endif
