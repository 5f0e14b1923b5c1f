/* load.c -- shows the load of the configuration before the run: a word a cycle, and its checksum.
 *
 *     cycle   -3    -2    -1    0
 *             sw    pe    sum   the run
 *
 * That is how the configuration port of the hardware takes an image that is sent without pauses.
 * With --load, waves and the timeline begin with the load, so that all times of the run are shifted
 * by `Trace.lead`, the number of words plus one; tables keep the run's cycles, and those of the
 * load are negative. In the waves there is a scope `configuration`: the port's valid and data, and
 * for each component a signal that is 1 while its words are taken.
 */
#include "trace.h"

#include "loom_fabric.h"

struct Load {
  const loom_fabric *fabric;
  const loom_image *image;
  uint32_t words, components;
  uint32_t *component_of; /* by word */
  uint32_t *signal;       /* by component, in the waves */
  uint32_t valid, data;
};

static const char *name_of(const Trace *t, uint32_t component) {
  loom_component c;
  t->load->fabric->component(t->design, component, &c, sizeof c);
  return c.name;
}

int load_find(Trace *t) {
  Load *l = trace_alloc(t, 1, sizeof *l);
  uint32_t first, count;
  if (t->host->option(t->host, "load")[0] != '1') return LOOM_OK;
  l->fabric = t->host->get_extension(t->host, "loom.fabric/1");
  l->image = t->host->get_extension(t->host, "loom.image/1");
  if (!l->fabric || !l->image) {
    t->host->diag(t->host, LOOM_FAILURE, "TRACE_NO_LOAD", LOOM_NONE,
                  "--load requires configured hardware");
    return LOOM_ERROR;
  }
  l->words = l->image->word_count(t->design);
  l->components = l->fabric->component_count(t->design);
  l->component_of = trace_alloc(t, l->words, sizeof *l->component_of);
  l->signal = trace_alloc(t, l->components, sizeof *l->signal);
  for (uint32_t k = 0; k < l->words; k++) l->component_of[k] = LOOM_NONE;
  for (uint32_t c = 0; c < l->components; c++) {
    if (l->image->slice(t->design, c, &first, &count) || first == LOOM_NONE) continue;
    for (uint32_t k = first; k < first + count; k++) l->component_of[k] = c;
  }
  t->load = l;
  t->lead = (uint64_t)l->words + 1;
  return LOOM_OK;
}

/* The first word after `word` that is not of the same component. */
static uint32_t slice_end(const Load *l, uint32_t word) {
  uint32_t end = word;
  while (end < l->words && l->component_of[end] == l->component_of[word]) end++;
  return end;
}

void load_declare(Trace *t) {
  Load *l = t->load;
  if (!l) return;
  vcd_enter(t, "configuration", sizeof "configuration" - 1);
  l->valid = vcd_level(t, "valid", 1);
  l->data = vcd_level(t, "data", 32);
  for (uint32_t k = 0; k < l->words; k = slice_end(l, k))
    l->signal[l->component_of[k]] = vcd_level(t, name_of(t, l->component_of[k]), 1);
  vcd_leave(t);
}

/* The checksum follows the last word, and is of no component. */
void load_waves(Trace *t) {
  Load *l = t->load;
  const uint32_t *words;
  if (!l) return;
  words = l->image->words(t->design);
  vcd_change(t, 0, l->valid, 1);
  for (uint32_t k = 0; k < l->words; k = slice_end(l, k))
    vcd_change(t, 0, l->signal[l->component_of[k]], k == 0);
  for (uint32_t k = 0; k < l->words; k++) {
    uint32_t c = l->component_of[k];
    if (k && l->component_of[k - 1] != c) {
      vcd_change(t, k, l->signal[l->component_of[k - 1]], 0);
      vcd_change(t, k, l->signal[c], 1);
    }
    vcd_change(t, k, l->data, words[k]);
  }
  if (l->words) vcd_change(t, l->words, l->signal[l->component_of[l->words - 1]], 0);
  vcd_change(t, l->words, l->data, backend_checksum(words, l->words));
  vcd_change(t, t->lead, l->valid, 0);
}

void load_timeline(Trace *t, Out *json, uint32_t process) {
  const Load *l = t->load;
  uint32_t end;
  if (!l) return;
  trace_printf(t, json,
               ",\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\","
               "\"args\":{\"name\":\"configuration\"}}",
               process);
  for (uint32_t k = 0; k < l->words; k = end) {
    end = slice_end(l, k);
    trace_printf(
        t, json,
        ",\n{\"ph\":\"X\",\"cat\":\"load\",\"pid\":%u,\"tid\":0,\"ts\":%u,\"dur\":%u,\"name\":%s,"
        "\"args\":{\"words\":\"%u\"}}",
        process, k, end - k, trace_json(t, name_of(t, l->component_of[k])), end - k);
  }
  trace_printf(
      t, json,
      ",\n{\"ph\":\"X\",\"cat\":\"load\",\"pid\":%u,\"tid\":0,\"ts\":%u,\"dur\":1,\"name\":"
      "\"checksum\",\"args\":{}}",
      process, l->words);
}

void load_table(Trace *t) {
  const Load *l = t->load;
  Out *out = trace_alloc(t, 1, sizeof *out);
  uint32_t end;
  if (!l) return;
  out->stream = "load.csv";
  trace_text(t, out, "from,to,component,words\n");
  for (uint32_t k = 0; k < l->words; k = end) {
    end = slice_end(l, k);
    trace_printf(t, out, "%lld,%lld,%s,%u\n", (long long)k - (long long)t->lead,
                 (long long)end - 1 - (long long)t->lead,
                 csv_field(t, name_of(t, l->component_of[k])), end - k);
  }
  trace_text(t, out, "-1,-1,checksum,1\n");
  trace_flush(t, out);
}
