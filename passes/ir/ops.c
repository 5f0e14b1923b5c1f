/* ops.c -- the op table expanded from ops.def, and the parsed shapes of ops. */
#include "ir/ir.h"

/* Short names for the trait column. */
enum {
  P = TRAIT_PURE,
  TERM = TRAIT_TERMINATOR,
  COMM = TRAIT_COMMUTATIVE,
  SYM = TRAIT_SYMBOL,
  ISO = TRAIT_ISOLATED,
  GRAPH = TRAIT_GRAPH,
  NOTERM = TRAIT_NO_TERMINATOR,
  TRAPS = TRAIT_MAY_TRAP
};

#define TEXT(format)              .text = format
#define OWN(function, attributes) .text = attributes, .own = true

const OpInfo op_infos[OP_COUNT] = {
    [OP_UNREGISTERED] =
        {.name = "", .text = "", .shape = "?* -> ?*", .own = true, .types = TYPES_SHAPE},
#define OP(id, name_, text, shape_, types_, fire_, traits_, eval)                                  \
  [OP_##id] = {                                                                                    \
      .name = name_, text, .shape = shape_, .types = types_, .fire = fire_, .traits = traits_},
#include "ir/ops.def"
#undef OP
};

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Parses one word of a shape: `~i1`, `T+`, `T.elem`. */
static OpSlot read_slot(const char *word, size_t len) {
  static const char *const texts[] = {
      [SLOT_I1] = "i1", [SLOT_INDEX] = "index", [SLOT_NONE] = "none", [SLOT_OWN] = "?"};
  OpSlot slot = {.loose = *word == '~'};
  const char *end = word + len - 1, *dot = memchr(word, '.', len);
  if (slot.loose) word++;
  if (*end == '*' || *end == '+') slot.many = *end--;
  for (u32 kind = 0; kind < COUNT_OF(texts); kind++)
    if (texts[kind] && strncmp(texts[kind], word, (size_t)(end + 1 - word)) == 0)
      slot.kind = (u8)kind;
  if (dot)
    slot.kind = *word == 'i'    ? SLOT_I1_LIKE
                : dot[1] == 'e' ? SLOT_ELEM
                : dot[1] == 'p' ? SLOT_PARTS
                : dot[1] == 'i' ? SLOT_INPUTS
                                : SLOT_RESULTS;
  if (slot.kind >= SLOT_PARTS && slot.kind <= SLOT_RESULTS) slot.many = '*';
  if (slot.kind <= SLOT_I1_LIKE)
    slot.var = (u8)((slot.kind == SLOT_I1_LIKE ? dot[1] : *word) - 'A');
  return slot;
}

OpShape op_shape(OpKind kind) {
  OpShape shape = {0};
  bool results = false;
  u32 at = 0;
  for (const char *s = op_infos[kind].shape; *s; s += strspn(s, " ")) {
    size_t len = strcspn(s, " ");
    if (*s == '-') {
      results = true;
    } else if (at == MAX_SLOTS) {
      loom_bug("the shape \"%s\" is too long", op_infos[kind].shape);
    } else {
      OpSlot slot = shape.slots[at++] = read_slot(s, len);
      *(results ? &shape.nresults : &shape.noperands) += 1;
      *(results ? &shape.least_results : &shape.least_operands) += slot.many != '*';
      *(results ? &shape.result_list : &shape.operand_list) |= slot.many != 0;
    }
    s += len;
  }
  return shape;
}

bool op_is_uniform(OpKind kind) {
  OpShape shape = op_shape(kind);
  OpSlot first = shape.slots[0];
  bool uniform = shape.noperands && shape.nresults == 1;
  for (u32 i = 0; uniform && i <= shape.noperands; i++) {
    OpSlot slot = shape.slots[i];
    uniform = slot.kind == first.kind && slot.var == first.var && !slot.many &&
              (slot.kind == SLOT_TYPE || slot.kind == SLOT_INDEX);
  }
  return uniform;
}

OpKind op_as_arith(OpKind kind) {
  static const u16 same[OP_COUNT] = {
      [OP_INDEX_ADD] = OP_ARITH_ADDI,
      [OP_INDEX_SUB] = OP_ARITH_SUBI,
      [OP_INDEX_MUL] = OP_ARITH_MULI,
      [OP_INDEX_DIVS] = OP_ARITH_DIVSI,
      [OP_INDEX_DIVU] = OP_ARITH_DIVUI,
      [OP_INDEX_CEILDIVS] = OP_ARITH_CEILDIVSI,
      [OP_INDEX_CEILDIVU] = OP_ARITH_CEILDIVUI,
      [OP_INDEX_FLOORDIVS] = OP_ARITH_FLOORDIVSI,
      [OP_INDEX_REMS] = OP_ARITH_REMSI,
      [OP_INDEX_REMU] = OP_ARITH_REMUI,
      [OP_INDEX_MAXS] = OP_ARITH_MAXSI,
      [OP_INDEX_MAXU] = OP_ARITH_MAXUI,
      [OP_INDEX_MINS] = OP_ARITH_MINSI,
      [OP_INDEX_MINU] = OP_ARITH_MINUI,
      [OP_INDEX_SHL] = OP_ARITH_SHLI,
      [OP_INDEX_SHRS] = OP_ARITH_SHRSI,
      [OP_INDEX_SHRU] = OP_ARITH_SHRUI,
      [OP_INDEX_AND] = OP_ARITH_ANDI,
      [OP_INDEX_OR] = OP_ARITH_ORI,
      [OP_INDEX_XOR] = OP_ARITH_XORI,
      [OP_INDEX_CASTS] = OP_ARITH_INDEX_CAST,
      [OP_INDEX_CASTU] = OP_ARITH_INDEX_CASTUI,
  };
  return same[kind] ? (OpKind)same[kind] : kind;
}

bool op_dialect_is_known(const char *name) {
  const char *dot = strchr(name, '.');
  size_t len = dot ? (size_t)(dot - name) : strlen(name);
  for (u32 kind = 1; kind < OP_COUNT; kind++)
    if (strncmp(op_infos[kind].name, name, len) == 0 && op_infos[kind].name[len] == '.')
      return true;
  return false;
}
