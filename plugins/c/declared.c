/* declared.c -- a function's types as C writes them, from the debug information.
 *
 *     int32_t fir(const int16_t *x, int (*a)[16], enum mode m)
 *     "int32_t", "const int16_t *", "int (*)[16]", "unsigned int"
 *
 * Callers of generated code need the prototype that the C program has, and LLVM's types have
 * neither signedness nor the types that pointers point to. A type is written inside out, around the
 * declarator made so far. Typedefs are replaced by what they name, since the caller's file may not
 * have them: only those of <stdint.h> stay, and names of structs and unions. A pointer to a type
 * without a name becomes one to void, a reference a pointer. `volatile`, and `restrict` inside a
 * type, are dropped. */
#include "convert.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* DW_TAG_... of the DWARF standard. */
enum {
  ARRAY = 0x01,
  CLASS = 0x02,
  ENUM = 0x04,
  POINTER = 0x0f,
  REFERENCE = 0x10,
  STRUCT = 0x13,
  TYPEDEF = 0x16,
  UNION = 0x17,
  CONST = 0x26,
  VOLATILE = 0x35,
  RESTRICT = 0x37,
  RVALUE_REFERENCE = 0x42
};
/* Operand indices of LLVM's DIType nodes, and of DISubprogram, whose operand 4 is its type: the C
 * API has no accessors (llvm/IR/DebugInfoMetadata.h). */
enum { BASE = 3, PARTS = 4 };
/* Functions with more types, and longer types, are not written: put_declared returns false. */
enum { MAX_OPERANDS = 32, MAX_TYPE = 200 };

typedef struct {
  LLVMContextRef ctx;
  char text[MAX_TYPE];
} TypeText;

/* Operand i of a node, a constant or metadata; NULL: none. */
static LLVMValueRef operand(LLVMContextRef ctx, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef operands[MAX_OPERANDS], value = LLVMMetadataAsValue(ctx, node);
  unsigned n = (unsigned)LLVMGetMDNodeNumOperands(value);
  if (i >= n || n > MAX_OPERANDS) return NULL;
  LLVMGetMDNodeOperands(value, operands);
  return operands[i];
}

static LLVMMetadataRef part(LLVMContextRef ctx, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef value = operand(ctx, node, i);
  return value ? LLVMValueAsMetadata(value) : NULL;
}

static unsigned tag_of(LLVMMetadataRef type) {
  return type ? LLVMGetDINodeTag(type) : 0;
}

/* The type without typedefs and qualifiers. */
static LLVMMetadataRef canonical(LLVMContextRef ctx, LLVMMetadataRef type) {
  for (;;) switch (tag_of(type)) {
    case TYPEDEF:
    case CONST:
    case VOLATILE:
    case RESTRICT: type = part(ctx, type, BASE); break;
    default: return type;
    }
}

static bool describes_pointer(LLVMContextRef ctx, LLVMMetadataRef type) {
  unsigned tag = tag_of(canonical(ctx, type));
  return tag == POINTER || tag == REFERENCE || tag == RVALUE_REFERENCE;
}

/* One of the typedefs of <stdint.h>. */
static bool is_standard(const char *name) {
  static const char names[] =
      " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ";
  const char *at = strstr(names, name);
  return at && at[-1] == ' ' && at[strlen(name)] == ' ';
}

/* Makes s->text `before name inner`; false: it is too long. */
static bool put(TypeText *s, const char *before, const char *name, const char *inner) {
  char made[MAX_TYPE];
  int n = snprintf(made, sizeof made, "%s%s%s%s", before, name, *inner && *inner != '[' ? " " : "",
                   inner);
  memcpy(s->text, made, sizeof made);
  return n < MAX_TYPE;
}

static bool put_type(TypeText *s, LLVMMetadataRef type, const char *inner);

static bool put_array(TypeText *s, LLVMMetadataRef type, const char *inner) {
  char made[MAX_TYPE];
  LLVMMetadataRef ranges = part(s->ctx, type, PARTS);
  int n = snprintf(made, sizeof made, "%s", inner);
  for (unsigned i = 0; ranges; i++) {
    LLVMMetadataRef range = part(s->ctx, ranges, i);
    LLVMValueRef value = range ? operand(s->ctx, range, 0) : NULL;
    if (!range) break;
    if (!value || !LLVMIsAConstantInt(value) || n >= MAX_TYPE) return false;
    long long extent = LLVMConstIntGetSExtValue(value);
    if (extent < 0) return false; /* -1: a flexible or incomplete array */
    n += snprintf(made + n, sizeof made - (size_t)n, "[%lld]", extent);
  }
  return n < MAX_TYPE && put_type(s, part(s->ctx, type, BASE), made);
}

/* A qualifier of a pointer is written behind its `*`, of all else in front. */
static bool put_const(TypeText *s, LLVMMetadataRef type, const char *inner) {
  char made[MAX_TYPE];
  LLVMMetadataRef base = part(s->ctx, type, BASE);
  if (describes_pointer(s->ctx, base))
    return snprintf(made, sizeof made, "const%s%s", *inner ? " " : "", inner) < MAX_TYPE &&
           put_type(s, base, made);
  if (!put_type(s, base, inner)) return false;
  return snprintf(made, sizeof made, "const %s", s->text) < MAX_TYPE &&
         memcpy(s->text, made, sizeof made);
}

/* A pointer; to void if its target cannot be written. */
static bool put_pointer(TypeText *s, LLVMMetadataRef type, const char *inner) {
  char made[MAX_TYPE];
  LLVMMetadataRef base = part(s->ctx, type, BASE);
  bool is_array = tag_of(canonical(s->ctx, base)) == ARRAY;
  if (snprintf(made, sizeof made, is_array ? "(*%s)" : "*%s", inner) >= MAX_TYPE) return false;
  if (put_type(s, base, made)) return true;
  for (; tag_of(base) == TYPEDEF; base = part(s->ctx, base, BASE)) continue;
  return put(s, tag_of(base) == CONST ? "const " : "", "void", is_array ? "*" : made);
}

/* Makes s->text the declaration of `inner`, a declarator or "", with this type. False: the type
 * cannot be written in C, or is too long. */
static bool put_type(TypeText *s, LLVMMetadataRef type, const char *inner) {
  size_t length = 0;
  unsigned tag = tag_of(type);
  if (!type) return put(s, "", "void", inner);
  const char *name = LLVMDITypeGetName(type, &length);
  LLVMMetadataRef base = tag == ENUM || tag == TYPEDEF || tag == RESTRICT || tag == VOLATILE
                             ? part(s->ctx, type, BASE)
                             : NULL;
  switch (tag) {
  case TYPEDEF: return is_standard(name) ? put(s, "", name, inner) : put_type(s, base, inner);
  case ENUM: return base ? put_type(s, base, inner) : put(s, "", "int", inner);
  case RESTRICT:
  case VOLATILE: return put_type(s, base, inner);
  case CONST: return put_const(s, type, inner);
  case POINTER:
  case REFERENCE:
  case RVALUE_REFERENCE: return put_pointer(s, type, inner);
  case ARRAY: return put_array(s, type, inner);
  case STRUCT:
  case CLASS:
  case UNION: /* not C: a template's instance, or a name with a scope in it */
    if (!length || strpbrk(name, "<: ")) return false;
    return put(s, tag == UNION ? "union " : "struct ", name, inner);
  default: break;
  }
  return LLVMGetMetadataKind(type) == LLVMDIBasicTypeMetadataKind &&
         put(s, "", strcmp(name, "_Bool") ? name : "bool", inner);
}

/* Without the qualifiers of the parameter itself, which do not matter to a caller; but `restrict`
 * does. */
static LLVMMetadataRef unqualified(LLVMContextRef ctx, LLVMMetadataRef type, bool *is_restrict) {
  *is_restrict = false;
  for (; tag_of(type) == CONST || tag_of(type) == RESTRICT || tag_of(type) == VOLATILE;
       type = part(ctx, type, BASE))
    *is_restrict |= tag_of(type) == RESTRICT;
  return type;
}

/* The list of types of the result and then of each argument; NULL: no debug information. */
static LLVMMetadataRef types_of(LLVMContextRef ctx, LLVMValueRef function) {
  LLVMMetadataRef program = LLVMGetSubprogram(function);
  LLVMMetadataRef type = program ? part(ctx, program, PARTS) : NULL;
  return type ? part(ctx, type, BASE) : NULL;
}

const char *struct_by_value(LLVMValueRef function, unsigned i, const char **keyword) {
  LLVMContextRef ctx = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMMetadataRef types = types_of(ctx, function);
  LLVMMetadataRef type = types ? part(ctx, types, i) : NULL;
  unsigned tag = tag_of(canonical(ctx, type));
  size_t length = 0;
  if (tag != STRUCT && tag != UNION) return NULL;
  while (tag_of(type) == CONST) type = part(ctx, type, BASE);
  *keyword = tag_of(type) == TYPEDEF ? "" : tag == UNION ? "union " : "struct ";
  const char *name = LLVMDITypeGetName(type, &length);
  return length ? name : NULL;
}

bool put_declared(LLVMValueRef function, FILE *out) {
  TypeText s = {.ctx = LLVMGetModuleContext(LLVMGetGlobalParent(function))};
  LLVMMetadataRef types = types_of(s.ctx, function);
  char *text = NULL;
  size_t size;
  unsigned n = types ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(s.ctx, types)) : 0;
  if (!n || n - 1 != LLVMCountParams(function) || n > MAX_OPERANDS) return false;
  FILE *list = open_memstream(&text, &size);
  bool good = list != NULL;
  for (unsigned i = 0; i < n && good; i++) {
    bool is_restrict;
    LLVMMetadataRef one = unqualified(s.ctx, part(s.ctx, types, i), &is_restrict);
    bool points = LLVMGetTypeKind(i ? LLVMTypeOf(LLVMGetParam(function, i - 1))
                                    : LLVMGetReturnType(LLVMGlobalGetValueType(function))) ==
                  LLVMPointerTypeKind;
    good =
        put_type(&s, one, is_restrict ? "restrict" : "") && points == (strchr(s.text, '*') != NULL);
    if (good) fprintf(list, "%s\"%s\"", i ? ", " : "", s.text);
  }
  if (list) fclose(list);
  if (good) fprintf(out, " attributes {loom.c = [%s]}", text);
  free(text);
  return good;
}
