/* parse_names.c -- names of values: resolves %x in its scope.
 *
 * A name is defined in a scope (a region) and means that value until the scope ends; an isolated
 * region (a function) starts afresh. A use may come before the definition, in a graph region or
 * across blocks: it gets a stand-in value of the type it was used with, and the definition
 * replaces that. A name never defined is reported when the isolated scope ends.
 *
 *     ^bb0:  cf.br ^bb2(%x : i32)     %x: a stand-in of type i32, remembered in `forwards`
 *     ^bb1:  %x = ...                  all uses of the stand-in become uses of the result
 *
 * Names are found through a hash table of the names seen (never of values), so that a scope costs
 * nothing to open and its number of definitions to close. Numbers, which printed files mostly
 * have, index an array instead. A number no file of that size could count up to is treated as a
 * name: a hostile %4000000000 allocates nothing. */
#include "text/parse.h"

#include "ir/fabric.h"

#define IS_NUMBER 0x80000000u

static NameBinding *binding_of(Parser *p, u32 name) {
  if (name & IS_NUMBER) return &p->numbers.at[name & ~IS_NUMBER];
  return &p->bindings.at[name];
}

/* ---- the text of names ----------------------------------------------------------------------- */

/* Names are hashed while they are scanned. */
static inline u64 hash_char(u64 hash, char c) {
  return (hash ^ (unsigned char)c) * 0x9e3779b97f4a7c15ull;
}

static void grow_name_table(Parser *p) {
  u32 cap = p->name_cap ? p->name_cap * 2 : 1024;
  u32 *table = mem_alloc(mem_size(cap, sizeof *table));
  for (u32 i = 0; i < p->names.len; i++) {
    u32 at = p->names.at[i].hash & (cap - 1);
    while (table[at]) at = (at + 1) & (cap - 1);
    table[at] = i + 1;
  }
  mem_free(p->name_table);
  p->name_table = table;
  p->name_cap = cap;
}

static u32 name_of_text(Parser *p, Span text, u64 long_hash) {
  u32 hash = (u32)(long_hash >> 32), mask = p->name_cap - 1;
  if (p->names.len >= p->name_cap / 2) {
    grow_name_table(p);
    mask = p->name_cap - 1;
  }
  u32 at = hash & mask;
  for (; p->name_table[at]; at = (at + 1) & mask) {
    const Name *name = &p->names.at[p->name_table[at] - 1];
    if (name->hash == hash && name->text.len == text.len &&
        same_text(name->text.at, text.at, text.len))
      return p->name_table[at] - 1;
  }
  vec_push(&p->names, ((Name){.text = text, .hash = hash}));
  vec_push(&p->bindings, ((NameBinding){0}));
  p->name_table[at] = (u32)p->names.len;
  return (u32)p->names.len - 1;
}

/* Makes room in p->numbers for a number not seen before; returns its name. */
static u32 name_of_number(Parser *p, u32 number) {
  size_t old = p->numbers.len;
  vec_reserve(&p->numbers, number + (size_t)1);
  p->numbers.len = p->numbers.cap;
  memset(p->numbers.at + old, 0, (p->numbers.len - old) * sizeof *p->numbers.at);
  return number | IS_NUMBER;
}

/* Reads a name that is not a plain number; `s` is behind the % or ^. */
static u32 parse_text_name(Parser *p, const char *s) {
  const char *end = s;
  u64 hash = 0;
  unsigned classes = char_is(*s, IS_DIGIT) ? IS_DIGIT : IS_NAME;
  while (char_is(*end, classes)) hash = hash_char(hash, *end++);
  if (end == s) {
    fail(p, loc_here(p), COMP_TEXT_SYNTAX, "expected a name after '%c'", s[-1]);
    return NO_NAME;
  }
  advance(p, end);
  return name_of_text(p, (Span){s, (u32)(end - s)}, hash);
}

/* Reads what follows the %. */
static inline u32 parse_name(Parser *p) {
  const char *s = p->cur + 1, *end = s;
  u32 number = 0; /* may wrap; then it is not used */
  while (char_is(*end, IS_DIGIT)) number = number * 10 + (u32)(*end++ - '0');
  bool plain = end != s && end - s < 9 && (*s != '0' || end == s + 1) && number < p->src->len;
  if (!plain) return parse_text_name(p, s);
  advance(p, end);
  return number < p->numbers.len ? number | IS_NUMBER : name_of_number(p, number);
}

u32 parse_label(Parser *p) {
  if (at(p, '^')) return parse_text_name(p, p->cur + 1);
  fail_expected(p, "a block (^name)");
  return NO_NAME;
}

static inline Operand definition(Parser *p) {
  Loc loc = loc_here(p);
  if (at(p, '%')) return operand_make(parse_name(p), 0, loc);
  fail_expected(p, "a value (%name)");
  return operand_make(NO_NAME, 0, loc);
}

Operand parse_definition(Parser *p) {
  return definition(p);
}

Operand parse_operand(Parser *p) {
  Operand operand = definition(p);
  if (!at(p, '#') || !char_is(p->cur[1], IS_DIGIT)) return operand;
  advance(p, p->cur + 1);
  u32 sub = parse_count(p, UINT32_MAX, "the number of a result");
  return operand_make(operand_name(operand), sub, operand_loc(operand));
}

Range parse_operands(Parser *p) {
  Range range = {(u32)p->operands.len, 0};
  if (!at(p, '%')) return range;
  do vec_push(&p->operands, parse_operand(p));
  while (accept(p, ','));
  range.n = (u32)p->operands.len - range.first;
  return range;
}

Range parse_operand_list(Parser *p) {
  expect(p, '(', "'('");
  Range operands = parse_operands(p);
  expect(p, ')', "',' or ')'");
  return operands;
}

const char *name_text(Parser *p, u32 name) {
  const Str *str;
  if (name == NO_NAME)
    str = str_of(p->ctx, "");
  else if (name & IS_NUMBER)
    str = str_printf(p->ctx, "%u", name & ~IS_NUMBER);
  else
    str = intern(p, p->names.at[name].text);
  return str->text;
}

/* The name as a string; NULL for a number. */
static const Str *name_str(Parser *p, u32 name) {
  if (name == NO_NAME || (name & IS_NUMBER)) return NULL;
  Name *entry = &p->names.at[name];
  if (char_is(entry->text.at[0], IS_DIGIT)) return NULL;
  if (!entry->str) entry->str = intern(p, entry->text);
  return entry->str;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static Value *bad_number(Parser *p, Operand operand, const NameBinding *b) {
  fail(p, operand_loc(operand), COMP_SSA_RESULT_NUMBER, "%%%s has %u value%s, so there is no #%u",
       name_text(p, operand_name(operand)), b->n, plural(b->n), operand_sub(operand));
  return NULL;
}

static Value *type_differs(Parser *p, Operand operand, const Type *used, const Type *defined,
                           Loc definition) {
  Buf text = {0};
  text_type(used, &text);
  buf_str(&text, ", but it is ");
  text_type(defined, &text);
  fail(p, operand_loc(operand), COMP_SSA_TYPE, "%%%s is used as %s",
       name_text(p, operand_name(operand)), text.data);
  diag_note(p->ctx, definition, "defined here");
  buf_free(&text);
  return NULL;
}

/* May a value be used as another type than its own? In a fabric.module a use is a connection of
 * ports, and connections adapt widths; the value keeps its type. */
static bool adapts(const Parser *p, const Type *used, const Type *defined) {
  return used == defined || (p->parent == OP_FABRIC_MODULE && fabric_connects(used, defined));
}

/* A stand-in for a value to be defined later: the same one for all uses of it. */
static Value *stand_in(Parser *p, Operand operand, const Type *type) {
  NameBinding *b = binding_of(p, operand_name(operand));
  if (b->isolated != p->isolated) {
    if (b->first || b->forward) {
      vec_push(&p->hidden, *b);
      vec_push(&p->hidden_names, operand_name(operand));
    }
    *b = (NameBinding){.isolated = p->isolated};
  }
  u64 key = (u64)operand_name(operand) << 32 | operand_sub(operand), known;
  if (b->forward && map_get(&p->forward_index, key, &known) && known < p->forwards.len) {
    Forward *forward = &p->forwards.at[known];
    bool is_same = forward->isolated == p->isolated && forward->name == operand_name(operand) &&
                   forward->sub == operand_sub(operand);
    if (is_same && forward->stand_in) {
      if (adapts(p, type, forward->stand_in->type)) return forward->stand_in;
      return type_differs(p, operand, type, forward->stand_in->type, forward->loc);
    }
  }
  Value *value = &NEW(p->scratch, BlockArg)->value; /* of no block */
  value->is_arg = 1;
  value->type = type;
  value->loc = operand_loc(operand);
  vec_push(&p->forwards, ((Forward){.stand_in = value,
                                    .name = operand_name(operand),
                                    .sub = operand_sub(operand),
                                    .next = b->forward,
                                    .isolated = p->isolated,
                                    .loc = operand_loc(operand)}));
  map_put(&p->forward_index, key, p->forwards.len - 1);
  b->forward = (u32)p->forwards.len;
  return value;
}

Value *resolve(Parser *p, Operand operand, const Type *type) {
  if (p->failed || operand_name(operand) == NO_NAME) return NULL;
  NameBinding *b = binding_of(p, operand_name(operand));
  if (b->isolated != p->isolated || (!b->first && !b->poisoned)) return stand_in(p, operand, type);
  if (b->poisoned) {
    give_up(p); /* the error in its definition was reported */
    return NULL;
  }
  if (operand_sub(operand) >= b->n) return bad_number(p, operand, b);
  Value *value = b->first + operand_sub(operand);
  return adapts(p, type, value->type) ? value : type_differs(p, operand, type, value->type, b->loc);
}

Value *resolve_any(Parser *p, Operand operand, const Type *otherwise) {
  if (p->failed || operand_name(operand) == NO_NAME) return NULL;
  const NameBinding *b = binding_of(p, operand_name(operand));
  if (b->isolated == p->isolated && b->first && operand_sub(operand) < b->n)
    otherwise = b->first[operand_sub(operand)].type;
  return resolve(p, operand, otherwise);
}

void take_all(Parser *p, Range operands, const Type *type) {
  for (u32 i = 0; i < operands.n; i++) take(p, p->operands.at[operands.first + i], type);
}

void take_each(Parser *p, Range operands, Range types, Loc loc) {
  if (operands.n != types.n) {
    fail(p, loc, COMP_TEXT_COUNT, "%u value%s but %u type%s", operands.n, plural(operands.n),
         types.n, plural(types.n));
    return;
  }
  for (u32 i = 0; i < operands.n; i++)
    take(p, p->operands.at[operands.first + i], type_in(p, types, i));
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Replaces the stand-ins used so far by the values. */
static void resolve_forwards(Parser *p, Operand name, NameBinding *b) {
  for (u32 f = b->forward; f; f = p->forwards.at[f - 1].next) {
    Forward *forward = &p->forwards.at[f - 1];
    Operand use = operand_make(operand_name(name), forward->sub, forward->loc);
    if (forward->sub >= b->n)
      bad_number(p, use, b);
    else if (!adapts(p, forward->stand_in->type, b->first[forward->sub].type))
      type_differs(p, use, forward->stand_in->type, b->first[forward->sub].type, b->loc);
    else
      value_replace_uses(forward->stand_in, &b->first[forward->sub]);
    forward->stand_in = NULL;
  }
  b->forward = 0;
}

/* Binds a name in the current scope; false if it has a binding there already, which is an error
 * unless the old or the new one is poisoned. */
static bool bind(Parser *p, Operand name, NameBinding meaning) {
  NameBinding *b = binding_of(p, operand_name(name));
  meaning.isolated = p->isolated;
  meaning.loc = operand_loc(name);
  if (b->isolated == p->isolated) {
    if (b->first || b->poisoned) {
      if (b->poisoned || meaning.poisoned) return false;
      fail(p, operand_loc(name), COMP_SSA_REDEFINED, "%%%s is defined twice",
           name_text(p, operand_name(name)));
      diag_note(p->ctx, b->loc, "the first definition is here");
      return false;
    }
    meaning.forward = b->forward;
  } else if (b->first || b->forward) {
    vec_push(&p->hidden, *b);
    vec_push(&p->hidden_names, operand_name(name));
  }
  *b = meaning;
  vec_push(&p->defined, operand_name(name));
  if (!(operand_name(name) & IS_NUMBER)) p->names.at[operand_name(name)].seen_in = p->isolated;
  return true;
}

void define_name(Parser *p, Operand name, Value *first, u32 n) {
  if (operand_name(name) == NO_NAME || n == 0) return;
  first->name = name_str(p, operand_name(name));
  for (u32 i = 0; i < n; i++) first[i].loc = operand_loc(name);
  if (!bind(p, name, (NameBinding){.first = first, .n = n})) return;
  NameBinding *b = binding_of(p, operand_name(name));
  if (b->forward) resolve_forwards(p, name, b);
}

void poison_name(Parser *p, Operand name) {
  if (operand_name(name) == NO_NAME) return;
  if (!bind(p, name, (NameBinding){.poisoned = true})) return;
  NameBinding *b = binding_of(p, operand_name(name));
  for (u32 f = b->forward; f; f = p->forwards.at[f - 1].next) p->forwards.at[f - 1].stand_in = NULL;
  b->forward = 0;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

NameScope open_names(Parser *p, bool isolated) {
  NameScope scope = {.defined = (u32)p->defined.len,
                     .hidden = (u32)p->hidden.len,
                     .forwards = (u32)p->forwards.len,
                     .isolated = isolated ? p->isolated : 0};
  if (isolated) p->isolated = ++p->last_isolated;
  return scope;
}

/* Looking for likely names is limited to some candidates, and to the first errors. */
enum { MAX_CANDIDATES = 2000, MAX_LIKELY = 200 };

/* The most similar name that is defined in this isolated scope. */
static const char *likely_name(Parser *p, u32 wrong) {
  Vec(const char *) candidates = {0};
  for (u32 i = 0; i < p->names.len && candidates.len < MAX_CANDIDATES; i++)
    if (p->names.at[i].seen_in == p->isolated && p->names.at[i].str)
      vec_push(&candidates, p->names.at[i].str->text);
  const char *likely =
      candidates.len ? nearest_name(name_text(p, wrong), candidates.at, candidates.len) : NULL;
  vec_free(&candidates);
  return likely;
}

static void report_undefined(Parser *p, const Forward *forward) {
  diag(p->ctx, forward->loc, COMP_SSA_UNDEFINED, "%%%s is not defined",
       name_text(p, forward->name));
  bool worth = !p->ctx->muted && p->ctx->errors <= MAX_LIKELY;
  const char *likely = worth ? likely_name(p, forward->name) : NULL;
  if (likely) diag_hint(p->ctx, "did you mean %%%s?", likely);
}

void close_names(Parser *p, NameScope scope) {
  if (scope.isolated)
    for (u32 i = scope.forwards; i < p->forwards.len; i++) {
      Forward *forward = &p->forwards.at[i];
      if (!forward->stand_in) continue;
      report_undefined(p, forward);
      *binding_of(p, forward->name) = (NameBinding){0};
    }
  while (p->defined.len > scope.defined) {
    NameBinding *b = binding_of(p, vec_pop(&p->defined));
    *b = (NameBinding){.isolated = b->isolated};
  }
  if (!scope.isolated) return;
  p->forwards.len = scope.forwards;
  while (p->hidden.len > scope.hidden) {
    NameBinding hidden = vec_pop(&p->hidden);
    *binding_of(p, vec_pop(&p->hidden_names)) = hidden;
  }
  p->isolated = scope.isolated;
}
