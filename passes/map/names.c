/* names.c -- names in the mapper's messages. See names.h. */
#include "map/names.h"

enum { MAX_NAMES = 6 };

static u32 most_of(const NameList *list) {
  return list->most ? list->most : MAX_NAMES;
}

void names_add(NameList *list, const char *name) {
  if (list->n++ < most_of(list)) buf_printf(&list->text, "%s%s", list->n > 1 ? ", " : "", name);
}

const char *names_end(NameList *list, const char *none) {
  if (list->n > most_of(list)) buf_printf(&list->text, " and %u more", list->n - most_of(list));
  if (!list->n) buf_str(&list->text, none);
  return list->text.data;
}

const char *names_end_open(NameList *list) {
  if (list->n > most_of(list)) buf_str(&list->text, ", ...");
  return list->text.data;
}

void names_taker(const Dfg *dfg, u32 edge, Buf *out) {
  const DfgEdge *e = &dfg->edges[edge];
  if (e->to == dfg->return_node)
    buf_printf(out, "output %u", e->operand);
  else
    buf_printf(out, "'%s'", dfg_text(dfg, dfg->nodes[e->to].name));
}
