/* parse_affine.c -- affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 2)> and affine_set<...>.
 *
 *     expr := term (('+' | '-') term)*          names are those that the header declares
 *     term := factor (('*' | 'floordiv' | 'ceildiv' | 'mod') factor)*
 *     factor := '-' factor | '(' expr ')' | name | integer
 *
 * a - b is a + b * -1, -a is a * -1; ir/affine.c simplifies while it builds. Sets are
 * kept as text in the spelling MLIR prints, and, for affine.if, as the expressions that must be at
 * least or equal to 0. Subscripts, `%i + 1, symbol(%n) * 2`, are a map over the operands in them.
 */
#include "text/parse.h"

typedef struct {
  Span name;
  AffineKind kind;
  u32 position;
} AffineName;

typedef struct {
  Parser *p;
  Vec(AffineName) names;
  u32 ndims, nsyms;
  bool is_inline; /* subscripts: operands instead of names */
  u32 operators;  /* so far; limited, as a + b + c is a left-deep tree that is walked recursively */
} Affine;

enum { MAX_OPERATORS = 4000 };

static void count_operator(Affine *a) {
  if (++a->operators > MAX_OPERATORS)
    fail(a->p, loc_here(a->p), COMP_TEXT_NESTING, "more than %d operators in an affine map",
         MAX_OPERATORS);
}

static const AffineExpr *constant(Parser *p, i64 value) {
  return affine_leaf(p->ctx, AFFINE_CONST, value);
}

static const AffineExpr *parse_expr(Affine *a);

static const AffineExpr *parse_affine_name(Affine *a) {
  Parser *p = a->p;
  Loc loc = loc_here(p);
  Span word = expect_any_word(p, "a dimension, a symbol or a number");
  for (size_t i = 0; i < a->names.len; i++) {
    const AffineName *name = &a->names.at[i];
    if (name->name.len == word.len && memcmp(name->name.at, word.at, word.len) == 0)
      return affine_leaf(p->ctx, name->kind, name->position);
  }
  fail(p, loc, COMP_TEXT_ATTR, "'%.*s' is neither a dimension nor a symbol of this map",
       (int)(word.len > 60 ? 60 : word.len), word.at);
  return constant(p, 0);
}

/* %i, or symbol(%n): pushes the operand; the leaf is its number. */
static const AffineExpr *parse_inline_name(Affine *a) {
  Parser *p = a->p;
  bool is_symbol = accept_word(p, "symbol");
  if (is_symbol) expect(p, '(', "'('");
  Operand operand = parse_operand(p);
  if (is_symbol) expect(p, ')', "')'");
  vec_push(&p->operands, operand);
  return affine_leaf(p->ctx, is_symbol ? AFFINE_SYMBOL : AFFINE_DIM, a->ndims++);
}

static const AffineExpr *parse_factor(Affine *a) {
  Parser *p = a->p;
  const AffineExpr *expr;
  if (!nest(p)) return constant(p, 0);
  if (accept(p, '-')) {
    expr = affine_binary(p->ctx, AFFINE_MUL, parse_factor(a), constant(p, -1));
  } else if (accept(p, '(')) {
    expr = parse_expr(a);
    expect(p, ')', "')'");
  } else if (char_is(*p->cur, IS_DIGIT)) {
    Loc loc = loc_here(p);
    i64 value = parse_integer(p);
    if (value < 0) fail(p, loc, COMP_TEXT_NUMBER, "this integer is too large for an affine map");
    expr = constant(p, value);
  } else {
    expr = a->is_inline ? parse_inline_name(a) : parse_affine_name(a);
  }
  unnest(p);
  return expr;
}

static bool accept_operator(Parser *p, AffineKind *kind) {
  if (accept(p, '*'))
    *kind = AFFINE_MUL;
  else if (accept_word(p, "floordiv"))
    *kind = AFFINE_FLOORDIV;
  else if (accept_word(p, "ceildiv"))
    *kind = AFFINE_CEILDIV;
  else if (accept_word(p, "mod"))
    *kind = AFFINE_MOD;
  else
    return false;
  return true;
}

static const AffineExpr *parse_term(Affine *a) {
  Parser *p = a->p;
  const AffineExpr *expr = parse_factor(a);
  AffineKind kind;
  while (accept_operator(p, &kind)) {
    count_operator(a);
    Loc loc = loc_here(p);
    const AffineExpr *by = parse_factor(a);
    if (p->failed) break;
    bool linear = by->symbolic || (kind == AFFINE_MUL && expr->symbolic);
    if (!linear)
      fail(p, loc, COMP_TEXT_ATTR,
           kind == AFFINE_MUL ? "not affine: both factors of this product contain dimensions"
                              : "not affine: the divisor must be a constant or a symbol");
    expr = affine_binary(p->ctx, kind, expr, by);
  }
  return expr;
}

static const AffineExpr *parse_expr(Affine *a) {
  Parser *p = a->p;
  if (!nest(p)) return constant(p, 0);
  const AffineExpr *expr = parse_term(a);
  while (at(p, '+') || (at(p, '-') && !at_arrow(p))) {
    bool minus = at(p, '-');
    advance(p, p->cur + 1);
    count_operator(a);
    const AffineExpr *term = parse_term(a);
    if (minus) term = affine_binary(p->ctx, AFFINE_MUL, term, constant(p, -1));
    expr = affine_binary(p->ctx, AFFINE_ADD, expr, term);
  }
  unnest(p);
  return expr;
}

/* ---- header ---------------------------------------------------------------------------------- */

static u32 parse_names(Affine *a, AffineKind kind, char close) {
  Parser *p = a->p;
  u32 n = 0;
  if (!at(p, close)) {
    do {
      Span name = expect_any_word(p, "a name");
      for (size_t i = 0; i < a->names.len && !p->failed; i++)
        if (a->names.at[i].name.len == name.len &&
            memcmp(a->names.at[i].name.at, name.at, name.len) == 0)
          fail(p, loc_at(p, name.at), COMP_TEXT_ATTR, "duplicate name in this map");
      if (n >= MAX_NESTED) fail(p, loc_here(p), COMP_TEXT_COUNT, "more than %d dimensions", n);
      vec_push(&a->names, ((AffineName){.name = name, .kind = kind, .position = n++}));
    } while (accept(p, ','));
  }
  expect(p, close, close == ')' ? "')'" : "']'");
  return n;
}

static void parse_header(Affine *a) {
  Parser *p = a->p;
  expect(p, '(', "'('");
  a->ndims = parse_names(a, AFFINE_DIM, ')');
  if (accept(p, '[')) a->nsyms = parse_names(a, AFFINE_SYMBOL, ']');
}

/* The results of a map, up to `close`; 0: one only. */
static AffineMap *parse_results(Affine *a, char close) {
  Parser *p = a->p;
  Vec(const AffineExpr *) results = {0};
  if (!close || !at(p, close)) {
    do {
      const AffineExpr *expr = parse_expr(a);
      vec_push(&results, expr);
    } while (!p->failed && close && accept(p, ','));
  }
  AffineMap *map = NEW(p->ctx->arena, AffineMap);
  map->nresults = (u32)results.len;
  map->results = arena_copy(p->ctx->arena, results.at, mem_size(results.len, sizeof *results.at));
  vec_free(&results);
  return map;
}

const AffineMap *parse_subscripts(Parser *p, char close, Range *operands) {
  Affine a = {.p = p, .is_inline = true};
  operands->first = (u32)p->operands.len;
  const AffineMap *map = parse_results(&a, close);
  if (close) expect(p, close, close == ']' ? "',' or ']'" : "',' or ')'");
  operands->n = (u32)p->operands.len - operands->first;
  return map;
}

/* `(d0)[s0] -> (exprs)`, as in affine_map<...> and memref.transpose. */
const AffineMap *parse_affine_map_body(Parser *p) {
  Affine a = {.p = p};
  parse_header(&a);
  expect_arrow(p);
  expect(p, '(', "'('");
  AffineMap *map = parse_results(&a, ')');
  expect(p, ')', "')'");
  map->ndims = a.ndims;
  map->nsyms = a.nsyms;
  vec_free(&a.names);
  return map;
}

const Attr *parse_affine_map(Parser *p) {
  expect(p, '<', "'<'");
  const AffineMap *map = parse_affine_map_body(p);
  expect(p, '>', "'>'");
  return p->failed ? attr_unit(p->ctx) : attr_affine_map(p->ctx, map);
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* The constraints of `(d0)[s0] : (d0 - 1 >= 0, s0 == 0)`; also appends them to `text`. `a >= b`
 * is kept as `a - b >= 0`. */
static AffineSet *parse_constraints(Affine *a, Buf *text) {
  Parser *p = a->p;
  bool first = true;
  Vec(const AffineExpr *) differences = {0};
  Vec(bool) equal = {0};
  do {
    const AffineExpr *lhs = parse_expr(a);
    const char *relation = at(p, '=') ? " == 0" : " >= 0";
    bool less = at(p, '<');
    if (!accept(p, '=') && !accept(p, '>') && !accept(p, '<'))
      fail_expected(p, "'==', '>=' or '<='");
    expect(p, '=', "'='");
    count_operator(a);
    const AffineExpr *rhs = parse_expr(a);
    if (p->failed) break;
    const AffineExpr *big = less ? rhs : lhs, *small = less ? lhs : rhs;
    small = affine_binary(p->ctx, AFFINE_MUL, small, constant(p, -1));
    if (!first) buf_str(text, ", ");
    first = false;
    vec_push(&differences, affine_binary(p->ctx, AFFINE_ADD, big, small));
    vec_push(&equal, relation[1] == '=');
    text_affine_expr(vec_last(&differences), text);
    buf_str(text, relation);
  } while (accept(p, ','));
  AffineSet *set = NEW(p->m ? p->m->arena : p->ctx->arena, AffineSet);
  size_t n = differences.len;
  set->map = (AffineMap){.ndims = a->ndims, .nsyms = a->nsyms, .nresults = (u32)n};
  set->map.results = arena_copy(p->ctx->arena, differences.at, mem_size(n, sizeof *differences.at));
  set->is_equal = arena_copy(p->ctx->arena, equal.at, mem_size(n, sizeof *equal.at));
  vec_free(&differences), vec_free(&equal);
  return set;
}

static void put_names(Buf *text, char letter, u32 n) {
  for (u32 i = 0; i < n; i++) buf_printf(text, "%s%c%u", i ? ", " : "", letter, i);
}

const Attr *parse_affine_set(Parser *p) {
  Affine a = {.p = p};
  Buf text = {0};
  expect(p, '<', "'<'");
  parse_header(&a);
  expect(p, ':', "':'");
  expect(p, '(', "'('");
  buf_str(&text, "affine_set<(");
  put_names(&text, 'd', a.ndims);
  buf_char(&text, ')');
  if (a.nsyms) {
    buf_char(&text, '[');
    put_names(&text, 's', a.nsyms);
    buf_char(&text, ']');
  }
  buf_str(&text, " : (");
  AffineSet *set = at(p, ')') ? NULL : parse_constraints(&a, &text);
  buf_str(&text, ")>");
  expect(p, ')', "')'");
  expect(p, '>', "'>'");
  const Attr *attr = attr_affine_set(p->ctx, str_intern(p->ctx, text.data, text.len));
  if (set) map_put(&p->sets, PTR_KEY(attr), (u64)(uintptr_t)set);
  vec_free(&a.names);
  buf_free(&text);
  return attr;
}
