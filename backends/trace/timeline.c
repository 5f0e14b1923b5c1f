/* timeline.c -- trace.json: a timeline in the trace event format that Chrome and Perfetto read.
 *
 *     {"traceEvents":[
 *     {"ph":"M","pid":1,"tid":5,"name":"thread_name","args":{"name":"sum: dataflow.carry at ..."}},
 *     {"ph":"X","pid":1,"tid":5,"ts":41,"dur":1,"name":"dataflow.carry","args":{"sum":"5"}},
 *     ...
 *
 * Each node is a track (a thread), named with its source location. Each firing is a slice of one
 * microsecond at its number, with the tokens that it emitted, by the names of their results. Values
 * are strings: a JSON number would lose bits.
 */
#include "trace.h"

/* Text that is the same for all events of a node or result is made once. */
struct Timeline {
  Out out;
  const char **slice, **slice_end; /* by node: the text before and after a slice's time */
  const char **key;                /* by result: "NAME":" */
  int is_open;                     /* a slice, to which tokens may be added */
  int has_args;
};

static void put_tracks(Trace *t, Timeline *line) {
  for (uint32_t i = 0; i < t->nodes && !t->failed; i++) {
    loom_node node;
    if (!t->node_chosen[i]) continue;
    t->dfg->node(t->design, i, &node, sizeof node);
    line->slice[i] = trace_format(t, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":", i);
    line->slice_end[i] =
        trace_format(t, ",\"dur\":1,\"name\":%s,\"args\":{", trace_json(t, node.op_name));
    const char *location = trace_location(t, i);
    const char *name = trace_json(t, trace_format(t, "%s: %s%s%s", node.name, node.op_name,
                                                  *location ? " at " : "", location));
    trace_printf(t, &line->out,
                 ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\","
                 "\"args\":{\"name\":%s}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,"
                 "\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
                 i, name, i, i);
  }
  for (uint32_t r = 0; r < t->results && !t->failed; r++) {
    loom_result result;
    t->dfg->result(t->design, r, &result, sizeof result);
    line->key[r] = trace_format(t, "%s:\"", trace_json(t, result.name));
  }
}

static void begin(Trace *t) {
  Timeline *line = trace_alloc(t, 1, sizeof *line);
  t->timeline = line;
  line->slice = trace_alloc(t, t->nodes, sizeof *line->slice);
  line->slice_end = trace_alloc(t, t->nodes, sizeof *line->slice_end);
  line->key = trace_alloc(t, t->results, sizeof *line->key);
  line->out.stream = "trace.json";
  trace_text(t, &line->out,
             "{\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
             "\"args\":{\"name\":");
  trace_text(t, &line->out, trace_json(t, t->dfg->name(t->design)));
  trace_text(t, &line->out, "}}");
  put_tracks(t, line);
}

static void close_slice(Trace *t, Timeline *line) {
  if (line->is_open) trace_text(t, &line->out, "}}");
  line->is_open = line->has_args = 0;
}

static void firing(Trace *t, uint64_t time, uint32_t id) {
  Timeline *line = t->timeline;
  close_slice(t, line);
  if (!t->node_chosen[id]) return;
  trace_text(t, &line->out, line->slice[id]);
  trace_number(t, &line->out, time);
  trace_text(t, &line->out, line->slice_end[id]);
  line->is_open = 1;
}

static void token(Trace *t, const Token *token) {
  Timeline *line = t->timeline;
  if (!line->is_open) return; /* a buffer starts with this token */
  if (line->has_args) trace_text(t, &line->out, ",");
  line->has_args = 1;
  trace_text(t, &line->out, line->key[token->result]);
  for (uint32_t i = 0; i < token->count; i++) {
    char value[VALUE_ROOM];
    trace_value(token->types[i], token->words[i], value);
    if (i) trace_text(t, &line->out, ", ");
    trace_text(t, &line->out, value);
  }
  trace_text(t, &line->out, "\"");
}

static void end(Trace *t) {
  close_slice(t, t->timeline);
  trace_text(t, &t->timeline->out, "\n]}\n");
  trace_flush(t, &t->timeline->out);
}

const Format trace_timeline = {"perfetto", begin, firing, token, end};
