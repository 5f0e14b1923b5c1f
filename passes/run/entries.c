/* entries.c -- see entries.h. The number of a case's entries tells which arguments they are for:
 *
 *     handshake.func @f(%a: memref<?xf32>, %k: i32, %a_0: index, %start: none, ...)
 *     a call       2 entries: %a, %k
 *     + controls   3 entries: %a, %k, %start
 *     all          4 entries
 *
 * Cost: linear in the graph's arguments.
 */
#include "run/entries.h"

typedef enum { FORM_CALL, FORM_CONTROLS, FORM_ALL, FORMS } CaseForm;

static bool has_entry(CaseForm form, u8 role) {
  return role == DFG_ARG_VALUE || role == DFG_ARG_MEMREF ||
         (role == DFG_ARG_CONTROL && form >= FORM_CONTROLS) || form == FORM_ALL;
}

/* The form that has as many entries as the case; a call's where there is none. */
static CaseForm form_of(const Dfg *dfg, const Case *c) {
  for (CaseForm form = FORM_CALL; form < FORMS; form++) {
    u32 n = 0;
    for (u32 i = 0; i < dfg->nargs; i++) n += has_entry(form, dfg->args[i].role);
    if (n == c->nargs) return form;
  }
  return FORM_CALL;
}

bool entries_read(Context *ctx, const Dfg *dfg, const Case *c, Arena *arena, ArgEntry *entries) {
  const Type **types = NEW_ARRAY(arena, const Type *, dfg->nargs);
  CaseForm form = form_of(dfg, c);
  u32 n = 0;
  for (u32 i = 0; i < dfg->nargs; i++) {
    entries[i] = (ArgEntry){0};
    if (!has_entry(form, dfg->args[i].role)) continue;
    if (n < c->nargs) entries[i].entry = &c->args[n];
    types[n++] = dfg->types[dfg->args[i].type].ir;
  }
  if (!case_fits(ctx, c, dfg->loc, types, n)) return false;
  for (u32 i = 0; i < dfg->nargs; i++) {
    const DfgArg *arg = &dfg->args[i];
    ArgEntry *e = &entries[i];
    if (arg->role == DFG_ARG_MEMREF) {
      assert(e->entry); /* case_fits has counted them */
      if (!layout_of(dfg->types[arg->type].ir, e->entry->shape, &e->layout))
        loom_bug("case_fits let a shape through");
    } else if (e->entry) {
      e->tokens = e->entry->data;
      e->ntokens = e->entry->n;
      e->is_stream = e->entry->kind == CASE_STREAM;
    } else {
      u64 *token = NEW(arena, u64);
      if (arg->role == DFG_ARG_EXTENT)
        *token = (u64)entries[arg->of].entry->shape[arg->dim] & eval_mask(ctx->index_width);
      e->tokens = token;
      e->ntokens = 1;
    }
  }
  return true;
}

bool entries_memory_fits(Context *ctx, const Dfg *dfg, u32 memory) {
  const DfgMemory *m = &dfg->memories[memory];
  if (m->arg != DFG_NONE) return true;
  if (m->elements <= (u64)LAYOUT_MAX_ELEMENTS && m->rank <= LAYOUT_MAX_RANK) return true;
  diag(ctx, dfg->nodes[m->node].loc, RT_ALLOC_SIZE, "a memory may have at most %lld elements",
       (long long)LAYOUT_MAX_ELEMENTS);
  return false;
}

void entries_row_major(const Dfg *dfg, const DfgMemory *memory, ElementLayout *layout) {
  i64 stride = 1;
  *layout = (ElementLayout){.rank = memory->rank};
  for (u32 d = memory->rank; d-- > 0;) {
    layout->sizes[d] = dfg->extents[memory->first_extent + d];
    layout->strides[d] = stride;
    stride *= layout->sizes[d] ? layout->sizes[d] : 1;
  }
}
