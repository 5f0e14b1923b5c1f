/* hashes.c -- histories.trace: the edges section of a golden trace.
 *
 *     NAME TYPE TOKENS xxh3:HASH      one line per edge, sorted by name in byte order
 *
 * The form is that of golden.trace (spec-tests/56-golden.md), with nothing in the observable
 * section: a graph does not know the source it was lowered from. So two runs, on two machines or
 * of two engines, are compared with diff. --from and --count do not matter here: a hash is of all
 * tokens.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *type;
  uint32_t result;
} HashLine;

/* Writes bytes that cannot be printed, backslashes and, unless `blanks` are kept, blanks as
 * \xNN. */
static const char *one_word(Trace *t, const char *text, int blanks) {
  char *out = trace_alloc(t, 4 * strlen(text) + 1, 1), *at = out;
  for (; *text; text++)
    if ((*text > ' ' && *text < 0x7f && *text != '\\') || (*text == ' ' && blanks))
      *at++ = *text;
    else
      at += sprintf(at, "\\x%02x", (unsigned char)*text);
  *at = '\0';
  return out;
}

static unsigned index_width(const Trace *t) {
  for (uint32_t i = 0; i < t->types; i++)
    if (t->type[i].kind == LOOM_INDEX) return t->type[i].bits;
  return 32; /* no address anywhere */
}

int trace_hashes(Trace *t) {
  Out *out = trace_alloc(t, 1, sizeof *out);
  HashLine *lines = trace_alloc(t, t->edges, sizeof *lines);
  out->stream = "histories.trace";
  uint32_t n = 0;
  for (uint32_t e = 0; e < t->edges; e++) {
    loom_edge edge;
    if (!t->edge_chosen[e]) continue;
    t->dfg->edge(t->design, e, &edge, sizeof edge);
    lines[n].name = one_word(t, edge.name, 0);
    lines[n].type = one_word(t, t->type[t->type_of[edge.result]].text, 1);
    lines[n++].result = edge.result;
  }
  if (n) qsort(lines, n, sizeof *lines, trace_by_name);
  trace_printf(t, out, "loom golden trace 1\nindex %u\n\nobservable\n\nedges\n", index_width(t));
  for (uint32_t i = 0; i < n; i++) {
    uint64_t hash[2];
    t->histories->hash(t->design, lines[i].result, hash);
    trace_printf(t, out, "%s %s %llu xxh3:%016llx%016llx\n", lines[i].name, lines[i].type,
                 (unsigned long long)t->histories->count(t->design, lines[i].result),
                 (unsigned long long)hash[0], (unsigned long long)hash[1]);
  }
  trace_flush(t, out);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}
