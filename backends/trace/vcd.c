/* vcd.c -- waves: trace.vcd, a value change dump (IEEE 1364, section 18).
 *
 *     $scope module sum $end          each edge is a scope with two signals
 *     $var wire 1 ! valid $end
 *     $var wire 32 " data $end
 *     ...
 *     #41  1!  b101 "                 at time 41 a token of value 5 is emitted onto it,
 *     #42  0!                         and at 42 none
 *
 * So a wave reads like a channel that is sampled once a unit of time: valid is 1 in the units in
 * which a token was emitted. Data keep their last value. A tuple has a data signal for each
 * element, a control token none. Several tokens that a buffer starts with all come at time 0, and
 * only the last can be seen.
 *
 * Only what changes is written. What must go back to 0 is known from a list of the edges that
 * carried a token last.
 */
#include "trace.h"

#include <stdio.h>

enum { MOST_SCALARS = 64 };

typedef struct Vcd {
  Out out;
  uint32_t *first_code;   /* by edge: of its valid; its data follow */
  uint32_t *valid;        /* edges whose valid is 1 */
  unsigned char *is_high; /* by edge */
  uint32_t nvalid;
  uint64_t now;
  int begun; /* `now` was written */
} Vcd;

/* A signal's short name: its number in the 94 printable digits. */
void vcd_code(Trace *t, Out *out, uint32_t code) {
  char text[8];
  int n = 0;
  do text[n++] = (char)('!' + code % 94);
  while (code /= 94);
  text[n] = '\0';
  trace_text(t, out, text);
}

/* Names end at a blank; GTKWave and others take what is left of the printable bytes. */
void vcd_name(Trace *t, Out *out, const char *name) {
  for (; *name; name++) {
    char c[2] = {*name > ' ' && *name < 0x7f ? *name : '_', '\0'};
    trace_text(t, out, c);
  }
}

void vcd_declare(Trace *t, Out *out, uint32_t bits, uint32_t code, const char *name) {
  trace_text(t, out, "$var wire ");
  trace_number(t, out, bits);
  trace_text(t, out, " ");
  vcd_code(t, out, code);
  trace_text(t, out, " ");
  vcd_name(t, out, name);
  trace_text(t, out, " $end\n");
}

static void data_name(uint32_t i, uint32_t n, char out[32]) {
  if (n == 1)
    snprintf(out, 32, "data");
  else
    snprintf(out, 32, "data%u", i);
}

static uint32_t scalars_of_edge(const Trace *t, uint32_t e, const loom_type **types) {
  loom_edge edge;
  if (t->dfg->edge(t->design, e, &edge, sizeof edge)) return 0;
  uint32_t n = trace_scalars(t, t->type_of[edge.result], types, MOST_SCALARS);
  return n < MOST_SCALARS ? n : MOST_SCALARS;
}

static void declare_edges(Trace *t, Vcd *v) {
  uint32_t code = 0;
  for (uint32_t e = 0; e < t->edges; e++) {
    const loom_type *types[MOST_SCALARS];
    loom_edge edge;
    if (!t->edge_chosen[e] || t->dfg->edge(t->design, e, &edge, sizeof edge)) continue;
    v->first_code[e] = code;
    trace_text(t, &v->out, "$scope module ");
    vcd_name(t, &v->out, edge.name);
    trace_text(t, &v->out, " $end\n");
    vcd_declare(t, &v->out, 1, code++, "valid");
    uint32_t n = scalars_of_edge(t, e, types);
    for (uint32_t i = 0; i < n; i++) {
      char name[32];
      data_name(i, n, name);
      vcd_declare(t, &v->out, types[i]->bits, code++, name);
    }
    trace_text(t, &v->out, "$upscope $end\n");
  }
}

static void put_start_values(Trace *t, Vcd *v) {
  trace_text(t, &v->out, "$dumpvars\n");
  for (uint32_t e = 0; e < t->edges; e++) {
    const loom_type *types[MOST_SCALARS];
    if (!t->edge_chosen[e]) continue;
    trace_text(t, &v->out, "0");
    vcd_code(t, &v->out, v->first_code[e]);
    trace_text(t, &v->out, "\n");
    uint32_t n = scalars_of_edge(t, e, types);
    for (uint32_t i = 0; i < n; i++) {
      trace_text(t, &v->out, "bx ");
      vcd_code(t, &v->out, v->first_code[e] + 1 + i);
      trace_text(t, &v->out, "\n");
    }
  }
  trace_text(t, &v->out, "$end\n");
}

static int begin(Trace *t) {
  Vcd *v = trace_alloc(t, 1, sizeof *v);
  t->vcd = v;
  v->out.stream = "trace.vcd";
  v->first_code = trace_alloc(t, t->edges, sizeof *v->first_code);
  v->valid = trace_alloc(t, t->edges, sizeof *v->valid);
  v->is_high = trace_alloc(t, t->edges, 1);
  if (t->failed) return LOOM_ERROR;
  trace_text(t, &v->out, "$version loom trace $end\n$timescale 1 ns $end\n$scope module ");
  vcd_name(t, &v->out, t->dfg->name(t->design));
  trace_text(t, &v->out, " $end\n");
  declare_edges(t, v);
  trace_text(t, &v->out, "$upscope $end\n$enddefinitions $end\n");
  return LOOM_OK;
}

static void put_time(Trace *t, Vcd *v, uint64_t time) {
  trace_text(t, &v->out, "#");
  trace_number(t, &v->out, time);
  trace_text(t, &v->out, "\n");
  if (!v->begun) put_start_values(t, v);
  v->begun = 1;
  v->now = time;
}

static void put_valid(Trace *t, Vcd *v, uint32_t e, const char *level) {
  trace_text(t, &v->out, level);
  vcd_code(t, &v->out, v->first_code[e]);
  trace_text(t, &v->out, "\n");
}

/* Moves on to `time`: what was valid before it is not any more. An edge that gets a token in the
 * very next unit goes down and up at one time there, which viewers show as staying up. */
static void advance(Trace *t, Vcd *v, uint64_t time) {
  if (v->begun && time == v->now) return;
  if (v->nvalid) {
    put_time(t, v, v->now + 1);
    for (uint32_t i = 0; i < v->nvalid; i++) {
      put_valid(t, v, v->valid[i], "0");
      v->is_high[v->valid[i]] = 0;
    }
    v->nvalid = 0;
  }
  if (!v->begun || v->now != time) put_time(t, v, time);
}

void vcd_data(Trace *t, Out *out, uint32_t code, uint32_t bits, uint64_t word) {
  char digits[72];
  size_t n = 0;
  digits[n++] = 'b';
  unsigned top = bits > 64 ? 64 : bits ? bits : 1;
  while (top > 1 && !(word >> (top - 1) & 1)) top--;
  while (top) digits[n++] = (char)('0' + (word >> --top & 1));
  digits[n++] = ' ';
  digits[n] = '\0';
  trace_text(t, out, digits);
  vcd_code(t, out, code);
  trace_text(t, out, "\n");
}

static int token(Trace *t, uint64_t time, uint32_t r, uint64_t number, const uint64_t *words,
                 uint32_t count) {
  Vcd *v = t->vcd;
  const loom_type *types[MOST_SCALARS];
  loom_result result;
  (void)number;
  if (t->dfg->result(t->design, r, &result, sizeof result)) return LOOM_ERROR;
  uint32_t n = trace_scalars(t, result.type, types, MOST_SCALARS);
  if (n > MOST_SCALARS) n = MOST_SCALARS;
  if (n > count) n = count;
  for (uint32_t e = result.first_edge; e < result.first_edge + result.edge_count; e++) {
    if (!t->edge_chosen[e]) continue;
    advance(t, v, time);
    if (!v->is_high[e]) {
      put_valid(t, v, e, "1");
      v->is_high[e] = 1;
      v->valid[v->nvalid++] = e;
    }
    for (uint32_t i = 0; i < n; i++)
      vcd_data(t, &v->out, v->first_code[e] + 1 + i, types[i]->bits, words[i]);
  }
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

static int end(Trace *t) {
  Vcd *v = t->vcd;
  if (!v->begun) put_time(t, v, t->from);
  advance(t, v, v->now + 1);
  trace_flush(t, &v->out);
  return t->failed ? LOOM_ERROR : LOOM_OK;
}

const Format trace_vcd = {"vcd", begin, NULL, token, end};
