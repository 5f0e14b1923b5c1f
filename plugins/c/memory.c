/* memory.c -- what reads, writes and makes memories.
 *
 *     store double %x, ptr %p      %$2 = arith.bitcast %x : f64 to i64     the memory is of i32
 *                                  ... arith.shrui, arith.trunci, memref.store, of each half
 *     memset(p, 0, n)              scf.for %$i3 = ... { memref.store ... }
 *     *(c ? a : b) = x             scf.if %$4 { memref.store ..., %a } else { memref.store ..., %b }
 *
 * A value may be of another type than the memory's elements, of the same size, or as large as
 * several of them: its bits are what counts. */
#include "emit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- loads and stores ---------------------------------------------------------------------------- */

/* How many elements of the memory behind a pointer a value of this type takes; its bits as an
 * integer type. */
static unsigned parts_of(Function *f, LLVMValueRef pointer, LLVMTypeRef type,
                         char bits[TYPE_TEXT]) {
  Pointer p;
  if (!follow(f, pointer, &p)) return 0;
  unsigned bytes = (unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(f->module), type);
  snprintf(bits, TYPE_TEXT, "i%u", 8 * bytes);
  return bytes / root_of(f, p.root)->bytes;
}

/* What turns a value's bits in memory into its type, or back: integers of 7 bits lie in one byte,
 * of 33 in five. */
static const char *as_op(LLVMTypeRef type, const char *text, const char *bits, bool loads) {
  bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  bool is_cut = is_integer && bits[0] == 'i' && strcmp(text, bits);
  return !is_cut ? "arith.bitcast" : loads ? "arith.trunci" : "arith.extui";
}

/* The value of an instruction is that of another one, or its bits as another type. */
static bool put_same(Function *f, LLVMValueRef i, const char *value, const char *from,
                     const char *to) {
  return put_result(f, i, "%s %s : %s to %s", as_op(LLVMTypeOf(i), to, from, true), value, from,
                    to);
}

/* A value that is larger than an element: the lowest bits come first. */
static bool load_parts(Function *f, LLVMValueRef i, unsigned n, const char *elem,
                       const char *bits) {
  char place[2 * OPERAND], all[OPERAND] = "", one[OPERAND], by[OPERAND], type[TYPE_TEXT];
  if (!value_type(f, i, type)) return false;
  for (unsigned k = 0; k < n; k++) {
    if (!place_of(f, LLVMGetOperand(i, 0), i, k, place)) return false;
    put_op(f, i, one, "memref.load %s", place);
    put_op(f, i, one, "arith.extui %s : %s to %s", one, elem, bits);
    if (k) {
      int_constant(f, (long long)k * atoi(elem + 1), bits, by);
      put_op(f, i, one, "arith.shli %s, %s : %s", one, by, bits);
      put_op(f, i, all, "arith.ori %s, %s : %s", all, one, bits);
    } else {
      memcpy(all, one, OPERAND);
    }
  }
  return put_same(f, i, all, bits, type);
}

static bool store_parts(Function *f, LLVMValueRef i, unsigned n, const char *elem,
                        const char *bits) {
  char place[2 * OPERAND], value[OPERAND], one[OPERAND], by[OPERAND], type[TYPE_TEXT];
  LLVMValueRef stored = LLVMGetOperand(i, 0);
  if (!operand(f, stored, value) || !value_type(f, stored, type)) return false;
  if (strcmp(type, bits))
    put_op(f, i, value, "%s %s : %s to %s", as_op(LLVMTypeOf(stored), type, bits, false), value,
           type, bits);
  for (unsigned k = 0; k < n; k++) {
    memcpy(one, value, OPERAND);
    int_constant(f, (long long)k * atoi(elem + 1), bits, by);
    if (k) put_op(f, i, one, "arith.shrui %s, %s : %s", one, by, bits);
    put_op(f, i, one, "arith.trunci %s : %s to %s", one, bits, elem);
    if (!place_of(f, LLVMGetOperand(i, 1), i, k, place)) return false;
    fprintf(f->out, "  memref.store %s, %s", one, place);
    put_loc(f, i);
  }
  return true;
}

static bool load_one(Function *f, LLVMValueRef i) {
  char place[2 * OPERAND], type[TYPE_TEXT], elem[TYPE_TEXT], bits[TYPE_TEXT], as_is[OPERAND];
  Pointer p;
  if (!value_type(f, i, type) || !follow(f, LLVMGetOperand(i, 0), &p)) return false;
  type_text(root_of(f, p.root)->type, elem);
  unsigned n = parts_of(f, LLVMGetOperand(i, 0), LLVMTypeOf(i), bits);
  if (n > 1) return load_parts(f, i, n, elem, bits);
  if (!place_of(f, LLVMGetOperand(i, 0), i, 0, place)) return false;
  if (!strcmp(type, elem)) {
    return put_result(f, i, "memref.load %s", place);
  }
  put_op(f, i, as_is, "memref.load %s", place);
  return put_same(f, i, as_is, elem, type);
}

static bool store_one(Function *f, LLVMValueRef i) {
  char place[2 * OPERAND], value[OPERAND], type[TYPE_TEXT], elem[TYPE_TEXT], bits[TYPE_TEXT];
  LLVMValueRef stored = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
  Pointer p;
  if (!operand(f, stored, value) || !value_type(f, stored, type) || !follow(f, pointer, &p))
    return false;
  type_text(root_of(f, p.root)->type, elem);
  unsigned n = parts_of(f, pointer, LLVMTypeOf(stored), bits);
  if (n > 1) return store_parts(f, i, n, elem, bits);
  if (!place_of(f, pointer, i, 0, place)) return false;
  if (strcmp(type, elem))
    put_op(f, i, value, "%s %s : %s to %s", as_op(LLVMTypeOf(stored), type, elem, false), value,
           type, elem);
  fprintf(f->out, "  memref.store %s, %s", value, place);
  put_loc(f, i);
  return true;
}

/* ---- memset, memcpy, memmove --------------------------------------------------------------------- */

/* An element all of whose bytes are the low one of an integer. */
static bool spread_byte(Function *f, LLVMValueRef i, LLVMValueRef byte, const Root *target,
                        char value[OPERAND]) {
  char from[TYPE_TEXT], bits[TYPE_TEXT], elem[TYPE_TEXT], factor[OPERAND], low[OPERAND];
  if (!operand(f, byte, value) || !value_type(f, byte, from)) return false;
  snprintf(bits, sizeof bits, "i%u", 8 * target->bytes);
  type_text(target->type, elem);
  if (strcmp(from, "i8")) put_op(f, i, value, "arith.trunci %s : %s to i8", value, from);
  if (target->bytes > 1) {
    int_constant(f, (long long)(0x0101010101010101ull >> (64 - 8 * target->bytes)), bits, factor);
    put_op(f, i, low, "arith.extui %s : i8 to %s", value, bits);
    put_op(f, i, value, "arith.muli %s, %s : %s", low, factor, bits);
  }
  if (strcmp(bits, elem)) put_op(f, i, value, "arith.bitcast %s : %s to %s", value, bits, elem);
  return true;
}

/* Bytes as a number of elements, an index. */
static bool count_elements(Function *f, LLVMValueRef i, LLVMValueRef length, unsigned bytes,
                           char count[OPERAND]) {
  char all[OPERAND], size[OPERAND];
  if (!LLVMIsAConstantInt(length)) {
    if (!index_of(f, length, i, all)) return false;
    int_constant(f, bytes, "index", size);
    put_op(f, i, count, "arith.divui %s, %s : index", all, size);
    return true;
  }
  int_constant(f, (long long)(LLVMConstIntGetZExtValue(length) / bytes), "index", count);
  return true;
}

/* memset, memcpy and memmove of whole elements: a loop; within one memory from the end where that
 * is behind the beginning. */
static bool move_memory(Function *f, LLVMValueRef i, bool sets) {
  char count[OPERAND], to[OPERAND], from[OPERAND], value[OPERAND], zero[OPERAND], one[OPERAND];
  char to_type[64], from_type[64], elem[TYPE_TEXT], other[TYPE_TEXT], last[OPERAND],
      behind[OPERAND];
  Pointer p, q = {0};
  if (!follow(f, LLVMGetOperand(i, 0), &p)) return false;
  Root *target = root_of(f, p.root), *source = NULL;
  if (!target->bytes) return true; /* never used */
  memref_text(target, to_type);
  type_text(target->type, elem);
  if (!count_elements(f, i, LLVMGetOperand(i, 2), target->bytes, count) ||
      !element_of(f, LLVMGetOperand(i, 0), i, to))
    return false;
  if (sets) {
    if (!spread_byte(f, i, LLVMGetOperand(i, 1), target, value)) return false;
  } else {
    if (!follow(f, LLVMGetOperand(i, 1), &q)) return false;
    source = root_of(f, q.root);
    memref_text(source, from_type);
    type_text(source->type, other);
    if (!element_of(f, LLVMGetOperand(i, 1), i, from)) return false;
  }
  int_constant(f, 0, "index", zero);
  int_constant(f, 1, "index", one);
  bool turns = !sets && p.root == q.root;
  if (turns) {
    put_op(f, i, last, "arith.subi %s, %s : index", count, one);
    put_op(f, i, behind, "arith.cmpi sgt, %s, %s : index", to, from);
  }
  unsigned k = f->next++;
  fprintf(f->out, "  scf.for %%$i%u = %s to %s step %s {\n", k, zero, count, one);
  if (turns) {
    fprintf(f->out, "    %%$r%u = arith.subi %s, %%$i%u : index\n", k, last, k);
    fprintf(f->out, "    %%$j%u = arith.select %s, %%$r%u, %%$i%u : index\n", k, behind, k, k);
  }
  char at = turns ? 'j' : 'i';
  fprintf(f->out, "    %%$t%u = arith.addi %s, %%$%c%u : index\n", k, to, at, k);
  if (!sets) {
    fprintf(f->out, "    %%$f%u = arith.addi %s, %%$%c%u : index\n", k, from, at, k);
    fprintf(f->out, "    %%$x%u = memref.load %%%s[%%$f%u] : %s\n", k, name_of(q.root), k,
            from_type);
    snprintf(value, sizeof value, "%%$x%u", k);
    if (strcmp(other, elem)) {
      fprintf(f->out, "    %%$y%u = arith.bitcast %%$x%u : %s to %s\n", k, k, other, elem);
      snprintf(value, sizeof value, "%%$y%u", k);
    }
  }
  fprintf(f->out, "    memref.store %s, %%%s[%%$t%u]", value, name_of(p.root), k);
  fprintf(f->out, " : %s\n  }", to_type);
  put_loc(f, i);
  return true;
}

static bool set_one(Function *f, LLVMValueRef i) {
  return move_memory(f, i, true);
}

static bool copy_one(Function *f, LLVMValueRef i) {
  return move_memory(f, i, false);
}

/* ---- ambiguous pointers -------------------------------------------------------------------------- */

typedef bool Access(Function *f, LLVMValueRef i);
static bool for_each_memory(Function *f, LLVMValueRef i, Access *write);

/* An access through a pointer into one of several memories, from the k-th on: an scf.if for each
 * but the last. */
static bool put_memory_choice(Function *f, LLVMValueRef i, Access *write, LLVMValueRef base,
                              const Roots *roots, unsigned k) {
  char mine[OPERAND], name[OPERAND], inner[OPERAND + 8], meant[OPERAND], is_it[OPERAND];
  char type[TYPE_TEXT];
  bool has_result = LLVMIsALoadInst(i) != NULL; /* that of memset is where it writes */
  f->chosen[f->nchosen++] = (Chosen){base, roots->at[k]};
  if (k + 1 == roots->n) {
    bool good = for_each_memory(f, i, write);
    f->nchosen--;
    return good;
  }
  snprintf(mine, sizeof mine, "%%$r.%s", name_of(base));
  int_constant(f, root_of(f, roots->at[k]) - f->roots, "i32", meant);
  put_op(f, i, is_it, "arith.cmpi eq, %s, %s : i32", mine, meant);
  if (has_result && !value_type(f, i, type)) return false;
  snprintf(name, sizeof name, "%s", has_result ? name_of(i) : "");
  snprintf(inner, sizeof inner, "%s.%u", name, k);
  if (has_result) {
    fprintf(f->out, "  %%%s = scf.if %s -> (%s) {\n", name, is_it, type);
    LLVMSetValueName2(i, inner, strlen(inner));
  } else {
    fprintf(f->out, "  scf.if %s {\n", is_it);
  }
  bool good = for_each_memory(f, i, write);
  f->nchosen--;
  if (has_result) {
    fprintf(f->out, "  scf.yield %%%s : %s\n", name_of(i), type);
    snprintf(inner, sizeof inner, "%s.%u", name, k + 1);
    LLVMSetValueName2(i, inner, strlen(inner));
  }
  fprintf(f->out, "  } else {\n");
  good = good && put_memory_choice(f, i, write, base, roots, k + 1);
  if (has_result) {
    fprintf(f->out, "  scf.yield %%%s : %s\n", name_of(i), type);
    LLVMSetValueName2(i, name, strlen(name));
  }
  fprintf(f->out, "  }");
  put_loc(f, i);
  return good;
}

/* A load, a store, memset, memcpy: for each memory that its pointers may point into. */
static bool for_each_memory(Function *f, LLVMValueRef i, Access *write) {
  unsigned n = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef pointer = LLVMGetOperand(i, k);
    Pointer p;
    Roots roots;
    if (!is_pointer(pointer)) continue;
    if (!follow(f, pointer, &p)) return false;
    if (!p.is_ambiguous) continue;
    roots_of(p.base, &roots);
    return put_memory_choice(f, i, write, p.base, &roots, 0);
  }
  return write(f, i);
}

bool convert_load(Function *f, LLVMValueRef i) {
  return for_each_memory(f, i, load_one);
}

bool convert_store(Function *f, LLVMValueRef i) {
  return for_each_memory(f, i, store_one);
}

bool convert_memset(Function *f, LLVMValueRef i) {
  return for_each_memory(f, i, set_one);
}

bool convert_memcpy(Function *f, LLVMValueRef i) {
  return for_each_memory(f, i, copy_one);
}

/* ---- locals and allocated memory ----------------------------------------------------------------- */

/* The elements of a local array of variable length. */
static bool put_extent(Function *f, LLVMValueRef i, const Root *root, char count[OPERAND]) {
  char factor[OPERAND];
  unsigned long long bytes =
      LLVMABISizeOfType(LLVMGetModuleDataLayout(f->module), LLVMGetAllocatedType(i));
  if (!index_of(f, LLVMGetOperand(i, 0), i, count)) return false;
  bool is_whole = bytes % root->bytes == 0; /* __builtin_alloca counts bytes */
  unsigned long long times = is_whole ? bytes / root->bytes : bytes;
  if (times != 1) {
    int_constant(f, (long long)times, "index", factor);
    put_op(f, i, count, "arith.muli %s, %s : index", count, factor);
  }
  if (is_whole) return true;
  int_constant(f, root->bytes, "index", factor);
  put_op(f, i, count, "arith.divui %s, %s : index", count, factor);
  return true;
}

/* Is there a way from what follows a block to another one, that does not lead through `around`? */
static bool leads_to(LLVMValueRef function, LLVMBasicBlockRef block, LLVMBasicBlockRef other,
                     LLVMBasicBlockRef around) {
  unsigned n = 0, done = 0;
  LLVMBasicBlockRef *seen = calloc(LLVMCountBasicBlocks(function) + 1, sizeof *seen);
  bool found = false;
  if (!seen) abort();
  for (LLVMBasicBlockRef from = block; from && !found; from = done < n ? seen[done++] : NULL) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
      bool is_known = to == around;
      for (unsigned k = 0; k < n; k++) is_known |= seen[k] == to;
      if (!is_known) seen[n++] = to;
      found |= to == other;
    }
  }
  free(seen);
  return found;
}

static bool is_in_loop(LLVMValueRef function, LLVMBasicBlockRef block) {
  return leads_to(function, block, block, NULL);
}

static bool has_root(LLVMValueRef pointer, LLVMValueRef root) {
  Roots roots;
  roots_of(pointer, &roots);
  for (unsigned k = 0; k < roots.n; k++)
    if (roots.at[k] == root) return true;
  return false;
}

/* May a pointer into a local of one iteration be there in the next one, which has another local?
 * Only a phi carries it there, and none does that the local is always made before. */
static bool outlives_iteration(LLVMValueRef function, LLVMValueRef local) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(local);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  if (!is_in_loop(function, block)) return false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
      if (is_pointer(i) && has_root(i, local) && leads_to(function, entry, b, block)) return true;
  return false;
}

static bool refuse_in_loop(Function *f, LLVMValueRef i) {
  return refuse(f, i, "C_POINTER",
                "memory is allocated in a loop; allocate it once, before the loop");
}

bool convert_alloca(Function *f, LLVMValueRef i) {
  const Root *root = root_of(f, i);
  char memref[64], count[OPERAND] = "";
  if (!root->bytes) return true; /* never used */
  memref_text(root, memref);
  if (outlives_iteration(f->llvm, i)) return refuse_in_loop(f, i);
  if (root->extent < 0 && !put_extent(f, i, root, count)) return false;
  return put_result(f, i, "memref.alloca(%s) : %s", count, memref);
}

/* malloc, calloc, new: a local array of variable length. In a loop each would be another one, and
 * all of them may be there at once. */
bool convert_allocation(Function *f, LLVMValueRef i) {
  char count[OPERAND], factor[OPERAND], memref[64], zero[OPERAND], one[OPERAND], value[OPERAND];
  char elem[TYPE_TEXT];
  const Root *root = root_of(f, i);
  bool is_zeroed = LLVMGetNumArgOperands(i) == 2;
  if (is_in_loop(f->llvm, LLVMGetInstructionParent(i))) return refuse_in_loop(f, i);
  if (!root->bytes) return true; /* never used */
  if (!index_of(f, allocated_bytes(i), i, count)) return false;
  if (is_zeroed) {
    if (!index_of(f, LLVMGetOperand(i, 0), i, factor)) return false;
    put_op(f, i, count, "arith.muli %s, %s : index", count, factor);
  }
  int_constant(f, root->bytes, "index", factor);
  if (root->bytes > 1) put_op(f, i, count, "arith.divui %s, %s : index", count, factor);
  memref_text(root, memref);
  put_result(f, i, "memref.alloca(%s) : %s", count, memref);
  if (!is_zeroed) return true;
  int_constant(f, 0, "index", zero);
  int_constant(f, 1, "index", one);
  type_text(root->type, elem);
  if (elem[0] == 'i')
    int_constant(f, 0, elem, value);
  else
    float_constant(f, LLVMConstNull(root->type), elem, value);
  unsigned k = f->next++;
  fprintf(f->out, "  scf.for %%$i%u = %s to %s step %s {\n", k, zero, count, one);
  fprintf(f->out, "    memref.store %s, %%%s[%%$i%u] : %s\n  }", value, name_of(i), k, memref);
  put_loc(f, i);
  return true;
}
