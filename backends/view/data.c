/* data.c -- the data block: one JSON object, whose schema is in the manual's chapter on the view.
 */
#include "view.h"

#include <string.h>

enum { FORMAT_VERSION = 1 };

static void write_sources(const View *v, Json *j) {
  uint32_t n = v->source->file_count(v->design);
  json_open(j, "sources", '[');
  for (uint32_t i = 0; i < n; i++) {
    loom_source_file file;
    v->source->file(v->design, i, &file, sizeof file);
    json_open(j, NULL, '{');
    json_string(j, "name", file.name);
    json_key(j, "text");
    json_text(j, file.text, (size_t)file.length);
    json_close(j, '}');
  }
  json_close(j, ']');
}

/* A `<`, which only strings have, is escaped, so that no text can end the script. */
static void write_mapping(const View *v, Json *j) {
  const char *at = v->mapping->json(v->design);
  json_key(j, "mapping");
  while (*at) {
    size_t n = strcspn(at, "<");
    json_bytes(j, at, n);
    at += n;
    if (*at) json_raw(j, "\\u003c"), at++;
  }
}

static void write_outcome(const View *v, Json *j) {
  static const char *const ends[] = {"good", "leftover", "deadlock", "trap", "limit"};
  static const char *const kinds[] = {"operand", "space", "input ended"};
  const loom_outcome *o = v->outcome;
  json_open(j, "outcome", '{');
  json_string(j, "end", ends[o->end(v->design)]);
  json_number(j, "cycles", (long long)o->cycles(v->design));
  json_string(j, "text", o->text(v->design));
  json_open(j, "loops", '[');
  for (uint32_t i = 0; i < o->loop_count(v->design); i++) {
    loom_loop l;
    char about[2] = {0, 0};
    o->loop(v->design, i, &l, sizeof l);
    json_open(j, NULL, '{');
    json_number(j, "unit", l.unit);
    json_number(j, "entries", (long long)l.entries);
    json_number(j, "iterations", (long long)l.iterations);
    json_number(j, "gaps", (long long)l.gaps);
    json_number(j, "cycles", (long long)l.gap_cycles);
    json_number(j, "bound", l.bound);
    json_number(j, "expected", l.expected_cycles);
    json_number(j, "turns", l.expected_iterations);
    about[0] = (char)l.about;
    json_string(j, "about", about);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_number(j, "circular", o->is_circular(v->design));
  json_open(j, "waits", '[');
  for (uint32_t i = 0; i < o->wait_count(v->design); i++) {
    loom_wait_for w;
    o->wait(v->design, i, &w, sizeof w);
    json_open(j, NULL, '{');
    json_string(j, "kind", kinds[w.kind]);
    json_number(j, "unit", w.unit);
    json_id(j, "input", w.input);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "firings", '[');
  for (uint32_t i = 0; i < v->machine->unit_count(v->design); i++)
    json_number(j, NULL, (long long)o->firings(v->design, i));
  json_close(j, ']');
  json_close(j, '}');
}

int view_data(const View *v, Json *j) {
  j->fresh = 1;
  json_open(j, NULL, '{');
  json_string(j, "format", "loom view");
  json_number(j, "version", FORMAT_VERSION);
  json_string(j, "tool", v->host->version);
  if (v->source && v->shown) write_sources(v, j);
  if (view_graph(v, j)) return LOOM_ERROR;
  view_hardware(v, j);
  if (v->mapping) write_mapping(v, j);
  if (v->outcome && v->machine) write_outcome(v, j);
  if (view_run(v, j)) return LOOM_ERROR;
  json_close(j, '}');
  return j->failed ? LOOM_ERROR : LOOM_OK;
}
