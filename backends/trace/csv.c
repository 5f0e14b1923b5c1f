/* csv.c -- tables of a run of a graph: edges/NAME.csv for each edge, with a line for each token.
 *
 *     token,time,value
 *     0,12,7
 *     1,31,-3
 *
 * edges.csv gives the operation that makes the tokens of each edge, and its source location:
 *
 *     edge,operation,at
 *     sum,dataflow.carry,fir.c:5:5
 *
 * `token` counts from 0 over the whole run, even if --from shows only a part. A tuple has a column
 * for each element, a control token none. plugins/loom_name.h makes the name of a file from that of
 * its edge.
 */
#include "loom_name.h"
#include "trace.h"

#include <stdio.h>
#include <string.h>

enum { LINE_ROOM = 64 + MAX_SCALARS * (VALUE_ROOM + 1) };

struct Csv {
  const char **streams; /* by edge */
};

static const char *file_name(Trace *t, const char *name) {
  char *out = trace_alloc(t, LOOM_FILE_NAME + 16, 1);
  size_t folder = sizeof "edges/" - 1;
  memcpy(out, "edges/", folder);
  size_t length = loom_file_name(name, out + folder);
  memcpy(out + folder + length, ".csv", sizeof ".csv");
  return out;
}

static void put_edges(Trace *t) {
  Out *out = trace_alloc(t, 1, sizeof *out);
  out->stream = "edges.csv";
  trace_text(t, out, "edge,operation,at\n");
  for (uint32_t e = 0; e < t->edges && !t->failed; e++) {
    loom_edge edge;
    loom_node node;
    if (!t->edge_chosen[e]) continue;
    t->dfg->edge(t->design, e, &edge, sizeof edge);
    t->dfg->node(t->design, edge.from, &node, sizeof node);
    trace_printf(t, out, "%s,%s,%s\n", csv_field(t, edge.name), node.op_name,
                 csv_field(t, trace_location(t, edge.from)));
  }
  trace_flush(t, out);
}

static void begin(Trace *t) {
  Csv *csv = trace_alloc(t, 1, sizeof *csv);
  t->csv = csv;
  csv->streams = trace_alloc(t, t->edges, sizeof *csv->streams);
  for (uint32_t e = 0; e < t->edges && !t->failed; e++) {
    const loom_type *types[MAX_SCALARS];
    loom_edge edge;
    char line[LINE_ROOM];
    if (!t->edge_chosen[e]) continue;
    t->dfg->edge(t->design, e, &edge, sizeof edge);
    csv->streams[e] = file_name(t, edge.name);
    uint32_t n = trace_scalars(t, t->type_of[edge.result], types, MAX_SCALARS);
    int len = snprintf(line, sizeof line, "token,time%s", n == 1 ? ",value" : "");
    for (uint32_t i = 0; n > 1 && i < n && i < MAX_SCALARS; i++)
      len += snprintf(line + len, sizeof line - (size_t)len, ",value%u", i);
    line[len++] = '\n';
    t->failed = t->host->write(t->host, csv->streams[e], line, (size_t)len) != LOOM_OK;
  }
  if (!t->failed) put_edges(t);
}

static void token(Trace *t, const Token *token) {
  loom_result result;
  char line[LINE_ROOM];
  t->dfg->result(t->design, token->result, &result, sizeof result);
  int len = snprintf(line, sizeof line, "%llu,%llu", (unsigned long long)token->number,
                     (unsigned long long)token->time);
  for (uint32_t i = 0; i < token->count; i++) {
    char value[VALUE_ROOM];
    trace_value(token->types[i], token->words[i], value);
    len += snprintf(line + len, sizeof line - (size_t)len, ",%s", value);
  }
  line[len++] = '\n';
  for (uint32_t e = result.first_edge; e < result.first_edge + result.edge_count; e++)
    if (t->edge_chosen[e] && t->host->write(t->host, t->csv->streams[e], line, (size_t)len)) {
      t->failed = 1;
      return;
    }
}

const Format trace_csv = {"csv", begin, NULL, token, NULL};
