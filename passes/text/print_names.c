/* print_names.c -- gives each value its printed name, exactly as mlir-opt does.
 *
 *     names of the source are kept       %sum
 *     an entry block's arguments         %arg0, %arg1, ... where they have none
 *     some ops suggest a name            %c4_i32, %cst, %alloc (not in the generic form)
 *     all others are numbered            %0, %1, ...
 *     a name taken already               %sum_0
 *
 * Values of a region are named first, then those of the regions inside it; these go on counting
 * from where the surrounding region ended and may use any name that none around them uses, so
 * that neighbouring loops both have a %arg3. In the generic form the count goes on from region to
 * region instead, the last one first: that is what mlir-opt does.
 *
 * The walk is linear. It writes Op.index and Block.index; see Printer.codes. */
#include "text/print.h"

/* A region yet to be named, with the counters it starts from. */
typedef struct {
  const Region *region;
  u32 next_number, next_arg, next_conflict;
  u32 taken; /* how many names the regions around it have taken */
} Pending;

typedef struct {
  Printer *pr;
  u32 next_number, next_arg, next_conflict;
  Vec(u8) is_taken; /* by Str id */
  Vec(u32) taken;   /* ids, in order */
  Vec(Pending) pending;
} Namer;

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_taken(const Namer *n, const Str *name) {
  return name->id < n->is_taken.len && n->is_taken.at[name->id];
}

static void take_name(Namer *n, const Str *name) {
  if (name->id >= n->is_taken.len) {
    size_t old = n->is_taken.len;
    vec_reserve(&n->is_taken, (size_t)str_count(n->pr->ctx) + 64);
    n->is_taken.len = n->is_taken.cap;
    for (size_t i = old; i < n->is_taken.len; i++) n->is_taken.at[i] = 0;
  }
  n->is_taken.at[name->id] = 1;
  vec_push(&n->taken, name->id);
}

static void release_names(Namer *n, u32 down_to) {
  while (n->taken.len > down_to) n->is_taken.at[vec_pop(&n->taken)] = 0;
}

/* The code of the name at the end of Printer.names, from `at` on. */
static u32 rename_code(Printer *pr, size_t at) {
  vec_push(&pr->renamed, ((Rename){at, pr->names.len - at}));
  return CODE_RENAMED | (u32)(pr->renamed.len - 1);
}

/* The code of a name that is taken, with a number behind. No number is used twice, so the new name
 * can only clash with one of the source, which is interned; it need not be interned itself. That
 * matters: most names of a large graph are made here. */
static u32 numbered_code(Namer *n, const Str *name) {
  Buf *names = &n->pr->names;
  size_t at = names->len;
  for (;;) {
    put_str(names, name);
    put_char(names, '_');
    put_number(names, n->next_conflict++);
    const Str *known = str_find(n->pr->ctx, names->data + at, names->len - at);
    if (!known || !is_taken(n, known)) {
      if (known) take_name(n, known);
      return rename_code(n->pr, at);
    }
    names->len = at;
  }
}

static u32 named_code(Namer *n, const Str *name) {
  if (is_taken(n, name)) return numbered_code(n, name);
  take_name(n, name);
  return CODE_NAMED;
}

/* The same for a name other than the value's own. */
static u32 given_code(Namer *n, const Str *name) {
  u32 code = named_code(n, name);
  if (code != CODE_NAMED) return code;
  size_t at = n->pr->names.len;
  put_str(&n->pr->names, name);
  return rename_code(n->pr, at);
}

static const Str *arg_name(Printer *pr, u32 number) {
  while (pr->arg_names.len <= number) {
    const Str *name = str_printf(pr->ctx, "arg%u", (unsigned)pr->arg_names.len);
    vec_push(&pr->arg_names, name);
  }
  return pr->arg_names.at[number];
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The code of the value that leads a group of results (or stands alone). */
static u32 result_code(Namer *n, const Op *op, u32 result) {
  const Str *name = op->results[result].name;
  if (name) return named_code(n, name);
  if (!n->pr->options.generic) {
    Suggestion suggested = suggest_name(op, result);
    if (suggested.len) return given_code(n, str_intern(n->pr->ctx, suggested.text, suggested.len));
  }
  return n->next_number++;
}

/* True where result i starts a group of its own rather than being %a#i of the one before. */
static bool leads_group(const Printer *pr, const Op *op, u32 i) {
  return i == 0 || op->results[i].name || (!pr->options.generic && suggest_name(op, i).len);
}

static void name_results(Namer *n, Op *op) {
  Printer *pr = n->pr;
  if (op->nresults == 1) {
    op->index = result_code(n, op, 0);
    return;
  }
  if (op->nresults == 0) return;
  /* pairs: the code of the group, and where the group starts */
  op->index = (u32)pr->codes.len;
  u32 code = 0, leader = 0;
  for (u32 i = 0; i < op->nresults; i++) {
    if (leads_group(pr, op, i)) {
      code = result_code(n, op, i);
      leader = i;
    }
    vec_push(&pr->codes, code);
    vec_push(&pr->codes, leader);
  }
}

/* The regions of an op, to be named later; where their counters start is not known yet. */
static void add_pending(Namer *n, const Op *op) {
  for (u32 r = 0; r < op->nregions; r++)
    if (op->regions[r].first) vec_push(&n->pending, ((Pending){.region = &op->regions[r]}));
}

/* Gives the regions pending from `first` on the counters that the namer has now. */
static void start_pending(Namer *n, size_t first) {
  for (size_t i = first; i < n->pending.len; i++) {
    Pending *pending = &n->pending.at[i];
    pending->next_number = n->next_number;
    pending->next_arg = n->next_arg;
    pending->next_conflict = n->next_conflict;
    pending->taken = (u32)n->taken.len;
  }
}

static void name_block(Namer *n, Block *block, u32 number, bool entry) {
  Printer *pr = n->pr;
  block->index = (u32)pr->codes.len;
  vec_push(&pr->codes, number);
  for (u32 i = 0; i < block->nargs; i++) {
    const Str *name = block->args[i]->name;
    u32 code;
    if (name) {
      code = named_code(n, name);
      if (entry) n->next_arg++;
    } else if (entry) {
      code = given_code(n, arg_name(pr, n->next_arg++));
    } else {
      code = n->next_number++;
    }
    vec_push(&pr->codes, code);
  }
  for_each_op (op, block) {
    name_results(n, op);
    if (op->nregions) add_pending(n, op);
  }
}

/* ---- regions --------------------------------------------------------------------------------- */

static void name_region(Namer *n, const Region *region) {
  u32 number = 0;
  size_t first = n->pending.len;
  for_each_block (block, region) name_block(n, block, number++, block == region->first);
  start_pending(n, first);
}

void name_values(Printer *pr, const Op *op) {
  Namer n = {.pr = pr};
  vec_clear(&pr->codes);
  vec_clear(&pr->renamed);
  pr->names.len = 0;
  name_results(&n, (Op *)op); /* Op.index is scratch, even of a const op */
  add_pending(&n, op);
  start_pending(&n, 0);
  while (n.pending.len) {
    Pending next = vec_pop(&n.pending);
    release_names(&n, next.taken);
    if (!pr->options.generic) {
      n.next_number = next.next_number;
      n.next_arg = next.next_arg;
      n.next_conflict = next.next_conflict;
    }
    name_region(&n, next.region);
  }
  vec_free(&n.is_taken);
  vec_free(&n.taken);
  vec_free(&n.pending);
}
