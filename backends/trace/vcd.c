/* vcd.c -- waves: trace.vcd, a value change dump (IEEE 1364, section 18).
 *
 *     $scope module sum $end          each edge is a scope with two signals
 *     $comment fir.c:6:11 $end        the source location of the node that makes its tokens
 *     $var wire 1 ! valid $end
 *     $var wire 32 " data $end
 *     ...
 *     #41  1!  b101 "                 at time 41 a token of value 5 is emitted onto it,
 *     #42  0!                         and at 42 none
 *
 * A channel here is whatever carries tokens and has such a scope: an edge of a graph, or an operand
 * of hardware (machine_vcd.c). A wave reads like a channel that is sampled once per unit of time:
 * valid is 1 in the units in which a token was emitted. Data keep their last value. A tuple has a
 * data signal for each element, a control token none. Several tokens that a buffer starts with all
 * come at time 0, and only the last can be seen.
 *
 * Only changes are written. A list of the channels that carried a token last has those whose valid
 * goes back to 0.
 */
#include "trace.h"

#include <stdio.h>
#include <string.h>

struct Vcd {
  Out out;
  uint32_t *first_code,
      *ndata; /* by channel: code of its valid, before those of its data; how many */
  unsigned char *is_declared, *is_high;
  uint32_t *valid; /* channels whose valid is 1 */
  uint32_t channels, ncodes, nvalid;
  uint64_t now;
  int begun; /* `now` was written */
};

/* ---- the format ------------------------------------------------------------------------------ */

/* A signal's short name, its number in the 94 printable digits, and what is around it. */
static void put_code(Trace *t, const char *before, uint32_t code, const char *end) {
  char text[8];
  int n = 0;
  do text[n++] = (char)('!' + code % 94);
  while (code /= 94);
  text[n] = '\0';
  trace_text(t, &t->vcd->out, before);
  trace_text(t, &t->vcd->out, text);
  trace_text(t, &t->vcd->out, end);
}

/* Names end at a blank; GTKWave and others take all other printable bytes, except the word that
 * ends a declaration. */
static void put_name(Trace *t, const char *name, size_t length) {
  int is_end = length == 4 && memcmp(name, "$end", 4) == 0;
  if (is_end) trace_text(t, &t->vcd->out, "_");
  for (size_t i = is_end; i < length; i++) {
    char c[2] = {name[i] > ' ' && name[i] < 0x7f ? name[i] : '_', '\0'};
    trace_text(t, &t->vcd->out, c);
  }
}

void vcd_enter(Trace *t, const char *name, size_t length) {
  trace_text(t, &t->vcd->out, "$scope module ");
  put_name(t, name, length);
  trace_text(t, &t->vcd->out, " $end\n");
}

void vcd_leave(Trace *t) {
  trace_text(t, &t->vcd->out, "$upscope $end\n");
}

static void declare(Trace *t, uint32_t bits, const char *name) {
  Out *out = &t->vcd->out;
  trace_text(t, out, "$var wire ");
  trace_number(t, out, bits);
  put_code(t, " ", t->vcd->ncodes++, " ");
  put_name(t, name, strlen(name));
  trace_text(t, out, " $end\n");
}

void vcd_new(Trace *t, uint32_t channels, const char *title) {
  Vcd *v = t->vcd = trace_alloc(t, 1, sizeof *v);
  v->out.stream = "trace.vcd";
  v->channels = channels;
  v->first_code = trace_alloc(t, channels, sizeof *v->first_code);
  v->ndata = trace_alloc(t, channels, sizeof *v->ndata);
  v->is_declared = trace_alloc(t, channels, 1);
  v->is_high = trace_alloc(t, channels, 1);
  v->valid = trace_alloc(t, channels, sizeof *v->valid);
  trace_text(t, &v->out, "$version loom trace $end\n$timescale 1 ns $end\n");
  vcd_enter(t, title, strlen(title));
}

void vcd_channel(Trace *t, uint32_t channel, const char *name, const char *location,
                 const char *valid) {
  vcd_enter(t, name, strlen(name));
  vcd_location(t, location);
  t->vcd->is_declared[channel] = 1;
  t->vcd->first_code[channel] = t->vcd->ncodes;
  declare(t, 1, valid);
}

void vcd_data(Trace *t, uint32_t channel, uint32_t bits, const char *name) {
  t->vcd->ndata[channel]++;
  declare(t, bits, name);
}

void vcd_location(Trace *t, const char *location) {
  if (!*location) return;
  trace_text(t, &t->vcd->out, "$comment ");
  put_name(t, location, strlen(location));
  trace_text(t, &t->vcd->out, " $end\n");
}

uint32_t vcd_level(Trace *t, const char *name, uint32_t bits) {
  declare(t, bits, name);
  return t->vcd->ncodes - 1;
}

void vcd_declared(Trace *t) {
  trace_text(t, &t->vcd->out, "$upscope $end\n$enddefinitions $end\n");
}

/* ---- changes --------------------------------------------------------------------------------- */

static void put_valid(Trace *t, uint32_t channel, const char *level) {
  put_code(t, level, t->vcd->first_code[channel], "\n");
}

static void put_start_values(Trace *t, Vcd *v) {
  trace_text(t, &v->out, "$dumpvars\n");
  for (uint32_t c = 0; c < v->channels; c++) {
    if (!v->is_declared[c]) continue;
    put_valid(t, c, "0");
    for (uint32_t i = 0; i < v->ndata[c]; i++) put_code(t, "bx ", v->first_code[c] + 1 + i, "\n");
  }
  trace_text(t, &v->out, "$end\n");
}

static void put_time(Trace *t, Vcd *v, uint64_t time) {
  trace_text(t, &v->out, "#");
  trace_number(t, &v->out, time);
  trace_text(t, &v->out, "\n");
  if (!v->begun) put_start_values(t, v);
  v->begun = 1;
  v->now = time;
}

/* Moves on to `time`: channels that were valid before are no longer. A channel that gets a token in
 * the very next unit goes down and up at the same time, which viewers show as staying up. */
static void advance(Trace *t, Vcd *v, uint64_t time) {
  if (v->begun && time == v->now) return;
  if (v->nvalid) put_time(t, v, v->now + 1);
  for (uint32_t i = 0; i < v->nvalid; i++) {
    put_valid(t, v->valid[i], "0");
    v->is_high[v->valid[i]] = 0;
  }
  v->nvalid = 0;
  if (!v->begun || v->now != time) put_time(t, v, time);
}

static void put_value(Trace *t, uint32_t code, uint32_t bits, uint64_t word) {
  char digits[72];
  size_t n = 0;
  digits[n++] = 'b';
  unsigned top = bits > 64 ? 64 : bits ? bits : 1;
  while (top > 1 && !(word >> (top - 1) & 1)) top--;
  while (top) digits[n++] = (char)('0' + (word >> --top & 1));
  digits[n++] = ' ';
  digits[n] = '\0';
  put_code(t, digits, code, "\n");
}

void vcd_change(Trace *t, uint64_t time, uint32_t level, uint32_t value) {
  advance(t, t->vcd, time);
  put_value(t, level, 32, value);
}

void vcd_token(Trace *t, uint64_t time, uint32_t channel) {
  Vcd *v = t->vcd;
  advance(t, v, time);
  if (v->is_high[channel]) return;
  put_valid(t, channel, "1");
  v->is_high[channel] = 1;
  v->valid[v->nvalid++] = channel;
}

void vcd_word(Trace *t, uint32_t channel, uint32_t i, uint32_t bits, uint64_t word) {
  put_value(t, t->vcd->first_code[channel] + 1 + i, bits, word);
}

void vcd_end(Trace *t) {
  Vcd *v = t->vcd;
  if (!v->begun) put_time(t, v, t->from + t->lead);
  advance(t, v, v->now + 1);
  trace_flush(t, &v->out);
}

/* ---- of a graph ------------------------------------------------------------------------------ */

static void begin(Trace *t) {
  vcd_new(t, t->edges, t->dfg->name(t->design));
  for (uint32_t e = 0; e < t->edges && !t->failed; e++) {
    const loom_type *types[MAX_SCALARS];
    loom_edge edge;
    if (!t->edge_chosen[e] || t->dfg->edge(t->design, e, &edge, sizeof edge)) continue;
    uint32_t n = trace_scalars(t, t->type_of[edge.result], types, MAX_SCALARS);
    vcd_channel(t, e, edge.name, trace_location(t, edge.from), "valid");
    for (uint32_t i = 0; i < n && i < MAX_SCALARS; i++) {
      char name[32] = "data";
      if (n > 1) snprintf(name, sizeof name, "data%u", i);
      vcd_data(t, e, types[i]->bits, name);
    }
    vcd_leave(t);
  }
  vcd_declared(t);
}

static void token(Trace *t, const Token *token) {
  loom_result result;
  t->dfg->result(t->design, token->result, &result, sizeof result);
  for (uint32_t e = result.first_edge; e < result.first_edge + result.edge_count; e++) {
    if (!t->edge_chosen[e]) continue;
    vcd_token(t, token->time, e);
    for (uint32_t i = 0; i < token->count; i++)
      vcd_word(t, e, i, token->types[i]->bits, token->words[i]);
  }
}

const Format trace_vcd = {"vcd", begin, NULL, token, vcd_end};
