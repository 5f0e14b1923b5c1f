/* parse.h -- internals of the parser, for the files of text/ alone.
 *
 * It is a recursive-descent parser without tokens (see lexer.h) and without error paths. The
 * first error of a statement is reported, and then `cur` is made to point at an empty text: from
 * there on every test of the next character fails, every loop that reads a list
 * ends, and the functions return harmless values (`none` types, NULL values) until the statement's
 * own function sees `failed`, goes back to where the error was and skips to the next statement.
 * So a function of this parser may be written as if nothing could go wrong; only code that
 * dereferences a value or indexes a range that may be missing must test `p->failed` first.
 */
#ifndef LOOM_TEXT_PARSE_H
#define LOOM_TEXT_PARSE_H

#include "text/lexer.h"
#include "text/text.h"
#include "text/words.h"

enum {
  MAX_NESTED = 256,    /* types, attributes, affine expressions and regions inside one another */
  MAX_WEIGHT = 1 << 20 /* of an alias, see Alias; all uses in a file together: 256 times that */
};
#define NO_NAME UINT32_MAX

/* A use of a value before its definition is known: %name#sub, or a definition of %name:sub. Two
 * full words, because smaller fields would be put together in memory at every return, and there
 * are millions of them. */
typedef struct {
  u64 id;  /* sub << 32 | name */
  u64 loc; /* Loc */
} Operand;

static inline Operand operand_make(u32 name, u32 sub, Loc loc) {
  return (Operand){.id = (u64)sub << 32 | name, .loc = loc};
}
static inline u32 operand_name(Operand operand) {
  return (u32)operand.id;
}
static inline u32 operand_sub(Operand operand) {
  return (u32)(operand.id >> 32);
}
static inline Loc operand_loc(Operand operand) {
  return (Loc)operand.loc;
}

/* An argument of a region's entry block, from the header of an op. */
typedef struct {
  u32 name; /* or NO_NAME */
  const Type *type;
  Loc loc;
} Arg;

/* A slice of one of the parser's stacks. */
typedef struct {
  u32 first, n;
} Range;

/* The current meaning of a value's name. */
typedef struct {
  Value *first; /* the first of `n` values; NULL: not defined, maybe used already */
  u32 n;
  u32 forward;   /* 1 + index of the newest unresolved use in `forwards`, or 0 */
  u32 isolated;  /* serial number of the isolated scope it belongs to */
  Loc loc;       /* of the definition */
  bool poisoned; /* its definition was in error: no use of it is reported */
} NameBinding;

/* A name that is not just a number. */
typedef struct {
  Span text;
  const Str *str; /* NULL until it is first defined */
  u32 hash;
  u32 seen_in; /* the isolated scope that last defined it: for "did you mean" */
} Name;

/* A use that came before the definition: a stand-in value that the definition replaces. */
typedef struct {
  Value *stand_in;
  u32 name, sub;
  u32 next; /* of the same name: 1 + index, or 0 */
  u32 isolated;
  Loc loc;
} Forward;

/* The condition of an affine.if: each result of the map is 0 (is_equal), or at least 0. */
typedef struct {
  AffineMap map;
  const bool *is_equal;
} AffineSet;

/* An op being read. Its operands, attributes and successors are the tops of the parser's stacks,
 * from these marks on. */
typedef struct {
  OpKind kind;
  const Str *name; /* OP_UNREGISTERED */
  Loc loc;
  u32 operands, values, types, attrs, succs, args, regions;
} Draft;

/* A block label that was used or defined in a region. */
typedef struct {
  Block *block;
  u32 name;
  Loc loc;
  bool defined;
} Label;

typedef struct {
  u16 kind, len;
} KindName;

typedef struct {
  u64 key; /* hash of the text */
  Span text;
  const Type *type;
} CachedType;

/* The meaning of an alias, its nesting depth, and its length when written out. Both are limited:
 * aliases of aliases of aliases grow exponentially. */
typedef struct {
  const char *name;
  char sigil;
  const void *meaning; /* Attr or Type */
  u32 depth;
  u32 weight; /* characters, at most MAX_WEIGHT */
} Alias;

/* `loc(#alias)` of an op before the alias is defined. */
typedef struct {
  Op *op; /* NULL: of a block argument; only checked */
  const Str *alias;
  Loc loc;
} LateLoc;

typedef struct Parser {
  Context *ctx;
  Module *m;
  const Source *src;
  const char *cur;      /* the next character that is not in a space or comment */
  const char *last_end; /* the end of the text before those */
  const char *end;      /* of the source */

  bool failed;           /* an error in this statement was reported */
  const char *failed_at; /* what cur was then */
  bool end_reported;     /* the file ends too early, and this was reported */
  Buf metadata;          /* the module's {-# ... #-}, read so far */
  u32 nested;            /* types, attributes, expressions around the one being read */
  u32 nested_regions;
  u32 vain_searches; /* see may_search */

  Block *block;  /* ops are appended to it */
  OpKind parent; /* kind of the op whose region is being read */

  Arena *scratch;        /* stand-ins */
  Vec(Operand) operands; /* the stacks; see Draft */
  Vec(Value *) values;
  Vec(const Type *) types;
  Vec(NamedAttr) attrs;
  Vec(Successor) succs;
  Vec(Arg) args;
  Vec(Region *) regions;
  Vec(const Attr *) elems; /* of arrays being read */
  Vec(Operand) results;    /* names of results: sub is how many */
  Vec(Label) labels;       /* of the regions being read, outermost first */
  u32 first_label;         /* of the innermost */
  Map label_index;         /* region serial << 32 | name -> label */
  u32 region_serial, last_region_serial;

  /* names of values (parse_names.c) */
  Vec(Name) names;
  Vec(NameBinding) bindings; /* of names */
  Vec(NameBinding) numbers;  /* of %0, %1, ... */
  u32 *name_table;           /* open addressing; 1 + index in names */
  u32 name_cap;
  Vec(u32) defined;        /* names defined in open scopes, in order */
  Vec(NameBinding) hidden; /* bindings of outer isolated scopes, shadowed by inner ones; */
  Vec(u32) hidden_names;   /* and their names */
  Vec(Forward) forwards;
  Map forward_index; /* name << 32 | sub -> index of the newest of them */
  u32 isolated, last_isolated;

  Map attr_aliases, type_aliases; /* interned name -> index in aliases */
  Vec(Alias) aliases;
  u32 deepest;      /* greatest nesting since the alias being defined began */
  u64 alias_weight; /* of all uses of aliases so far */
  Vec(LateLoc) late_locs;
  Map sets; /* attribute of an affine_set -> AffineSet */

  const Str *words[WORD_COUNT];
  const Type *i32; /* the commonest */
  KindName *kinds; /* name table of ops.def; see parse_op.c */
  CachedType type_cache[64];
} Parser;

/* ---- the next characters (parse.c) ----------------------------------------------------------- */

static inline Loc loc_at(const Parser *p, const char *at) {
  return p->src->base + (u32)(at - p->src->text);
}
static inline Loc loc_here(const Parser *p) {
  return loc_at(p, p->failed ? p->failed_at : p->cur);
}
/* Moves behind the text that was just read, which ends at `end`. */
static inline void advance(Parser *p, const char *end) {
  p->last_end = end;
  p->cur = skip_space(end);
}

/* Both report the first error of a statement and return false; the second says "expected WANT,
 * found ..." at the current position. */
bool fail(Parser *p, Loc loc, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
bool fail_expected(Parser *p, const char *want);
/* Gives the statement up silently: its error was reported elsewhere. */
void give_up(Parser *p);

static inline bool at(const Parser *p, char c) {
  return *p->cur == c;
}
static inline bool accept(Parser *p, char c) {
  if (*p->cur != c) return false;
  advance(p, p->cur + 1);
  return true;
}
static inline bool expect(Parser *p, char c, const char *want) {
  return accept(p, c) || fail_expected(p, want);
}
bool at_arrow(const Parser *p); /* -> */
bool accept_arrow(Parser *p);
bool expect_arrow(Parser *p);
/* The next word, which is not consumed; length 0: there is none. */
Span peek_word(const Parser *p);
bool at_word(const Parser *p, const char *word);
bool accept_word(Parser *p, const char *word);
bool expect_word(Parser *p, const char *word);
/* Consumes any word; length 0 after an error. */
Span expect_any_word(Parser *p, const char *want);

/* The meaning of an alias; NULL if it is not defined; a unit attribute or none type if its use is
 * an error. `sigil` is # or !. */
const void *use_alias(Parser *p, Span name, char sigil);
/* Hints at the defined alias that is nearest to a name that is not defined, if one is near. */
void hint_alias(Parser *p, Span name, char sigil);

/* True if a search for a closing bracket may go beyond the line. One that fails costs the length
 * of the file, so in a text full of errors only the first ones may. */
static inline bool may_search(const Parser *p) {
  enum { MAX_VAIN_SEARCHES = 64 };
  return p->vain_searches < MAX_VAIN_SEARCHES;
}

/* Opens and closes one level of nesting; false after COMP_TEXT_NESTING. */
bool nest(Parser *p);
static inline void unnest(Parser *p) {
  p->nested--;
}

static inline const Str *intern(Parser *p, Span span) {
  return str_intern(p->ctx, span.at, span.len);
}

/* ---- values and their names (parse_names.c) -------------------------------------------------- */

/* Reads %name or %name#2. */
Operand parse_operand(Parser *p);
/* Reads zero or more, with commas between, onto p->operands. */
Range parse_operands(Parser *p);
/* Reads %name alone: a definition. */
Operand parse_definition(Parser *p);
/* The value of that name, which must have that type, or a stand-in if it is not defined yet. NULL
 * after an error. */
Value *resolve(Parser *p, Operand operand, const Type *type);
/* The same for a value of any type; a stand-in has type `otherwise`. */
Value *resolve_any(Parser *p, Operand operand, const Type *otherwise);
/* Resolves an operand onto p->values, the draft's operands. */
static inline void take(Parser *p, Operand operand, const Type *type) {
  vec_push(&p->values, resolve(p, operand, type));
}
/* Take a range of operands: all of one type, or one type each; different counts are an error at
 * `loc`. */
void take_all(Parser *p, Range operands, const Type *type);
void take_each(Parser *p, Range operands, Range types, Loc loc);

/* Binds a name to n values. */
void define_name(Parser *p, Operand name, Value *first, u32 n);
void poison_name(Parser *p, Operand name);
/* Reads ^label; returns the number of its name. */
u32 parse_label(Parser *p);
/* The text of a name, for messages. */
const char *name_text(Parser *p, u32 name);

typedef struct {
  u32 defined, hidden, forwards, isolated;
} NameScope;
NameScope open_names(Parser *p, bool isolated);
void close_names(Parser *p, NameScope scope);

/* ---- types (parse_types.c) ------------------------------------------------------------------- */

const Type *parse_type(Parser *p);
/* One or more, with commas between, onto p->types. */
Range parse_types(Parser *p);
/* `(a, b)`, maybe empty. */
Range parse_types_in_parens(Parser *p);
/* The types after ->: one, or any number in parentheses. */
Range parse_result_types(Parser *p);
static inline const Type *colon_type(Parser *p) {
  expect(p, ':', "':' and a type");
  return parse_type(p);
}
static inline const Type *type_in(const Parser *p, Range range, u32 i) {
  return p->types.at[range.first + i];
}
/* The text from `start`, through the <...> or other bracket that comes next, if one does, with its
 * aliases written out: a type or attribute LOOM does not know. */
const Str *parse_verbatim(Parser *p, const char *start);

/* ---- attributes (parse_attrs.c, parse_dense.c, parse_affine.c, parse_loc.c) ------------------ */

const Attr *parse_attr(Parser *p);
/* The same where the context gives a number its type. */
const Attr *parse_attr_of_type(Parser *p, const Type *type);
/* `{a = 1, b}`, if present, onto the draft's attributes. */
void parse_attrs(Parser *p);
/* The same after the word `attributes`. */
void parse_attrs_with_keyword(Parser *p);
/* Sorts the attributes pushed since `mark` by name; a name given twice is an error at `loc`. */
void sort_attrs(Parser *p, u32 mark, Loc loc);
/* `{...}` as an attribute. */
const Attr *parse_dict(Parser *p);
/* `<{...}>` of the generic form. */
void parse_properties(Parser *p);
static inline void give_attr(Parser *p, Word name, const Attr *value) {
  vec_push(&p->attrs, ((NamedAttr){.name = p->words[name], .value = value}));
}
i64 parse_integer(Parser *p);
/* A count of at most `limit`. */
u32 parse_count(Parser *p, u32 limit, const char *noun);
const Str *parse_string(Parser *p);
const Str *parse_symbol_name(Parser *p); /* @name or @"a name" */
const Attr *parse_symbol(Parser *p);     /* @a::@b */
/* dense<...>, after the word; `known` is its type if that need not be written, else NULL. */
const Attr *parse_dense(Parser *p, const Type *known);
/* The initial value of a memref.global: dense elements, whose type follows from the memref's. */
const Attr *parse_initial_value(Parser *p, const Type *memref);
const Attr *parse_affine_map(Parser *p); /* after the word */
const Attr *parse_affine_set(Parser *p);
const AffineMap *parse_affine_map_body(Parser *p); /* (i, j) -> (j, i) */
/* Reads `%i + 1, symbol(%n) * 2` up to `close` (0: one expression only) as a map over the operands
 * in it. These go onto p->operands, one per occurrence; dims and symbols are both numbered by their
 * place among them. */
const AffineMap *parse_subscripts(Parser *p, char close, Range *operands);
/* loc(...), if present. NULL: there is none, or it is an alias not defined yet, whose name goes to
 * *late. */
const Attr *parse_loc(Parser *p, const Str **late);
/* loc(...) of a block argument: checked and dropped. */
void skip_loc(Parser *p);
/* loc(...) as an attribute, after the word. */
const Attr *parse_loc_attr(Parser *p);
/* Sets an op's location; in MLIR that a front end made also Op.loc, to the place in the front end's
 * source. */
void set_location(Parser *p, Op *op, const Attr *attr);
/* Sets the locations whose aliases were defined after their use. */
void resolve_locs(Parser *p);

/* ---- ops and regions (parse_op.c) ------------------------------------------------------------ */

void parse_op(Parser *p);
/* Makes the draft's op, with results of these types, and appends it to the block. NULL after an
 * error. */
Op *finish(Parser *p, Draft *d, Range types, u32 nregions);
Op *finish_none(Parser *p, Draft *d);
/* Moves blocks read ahead of their op to where they belong. */
void take_region_body(Region *region, Region *from);

/* `{ ... }` into a region of an op of that kind, whose entry block has these arguments. */
void parse_region(Parser *p, OpKind kind, Region *region, Range args);
/* The same into a region of its own, on p->regions. */
Region *parse_detached_region(Parser *p, OpKind kind, Range args);
/* Adds a block to an empty region, and a terminator without operands to a last block that has
 * none. */
void ensure_terminator(Parser *p, Region *region, OpKind kind);
/* `%a: T` onto p->args, or without a type where `typed` is false. */
void parse_arg(Parser *p, bool typed);
/* `(%a, %b)` onto p->operands. */
Range parse_operand_list(Parser *p);
/* ^block, or ^block(%a, %b : T, T): a successor, its operands onto the draft's. */
void parse_successor(Parser *p, const Draft *d);

#endif
