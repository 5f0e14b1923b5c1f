/* view.h -- private to the view backend: one design, read once, written as a page.
 *
 *     view.c       the backend: options, and the page round the data
 *     data.c       the data block, part by part
 *     graph.c      the dataflow graph, laid out by graphviz
 *     hardware.c   the fabric, the machine that it is configured to, and routes
 *     floorplan.c  where components and channels are drawn
 *     run.c        the events of a run, packed
 *     json.c       text of JSON
 *     page/        the page: HTML, CSS, and JavaScript without a framework
 */
#ifndef LOOM_VIEW_H
#define LOOM_VIEW_H

#include "floorplan.h"
#include "loom_machine.h"
#include "loom_show.h"

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct {
  const loom_host *host;
  const char *stream;
  int failed, depth;
  int fresh; /* this object or array is still empty */
} Json;

void json_raw(Json *, const char *text);
void json_bytes(Json *, const char *text, size_t length);
/* A string, as backend_json writes it: no text can end the script that it stands in. */
void json_text(Json *, const char *text, size_t length);
/* Members and elements, with commas where they are needed. NULL keys: an element of an array. */
void json_open(Json *, const char *key, char bracket);
void json_close(Json *, char bracket);
void json_string(Json *, const char *key, const char *text);
void json_number(Json *, const char *key, long long number);
/* LOOM_NONE becomes null. */
void json_id(Json *, const char *key, uint32_t id);
void json_key(Json *, const char *key);
/* Arrays. */
void json_numbers(Json *, const char *key, const int *numbers, size_t n);
void json_ids(Json *, const char *key, const uint32_t *ids, size_t n);

/* ---- packed numbers --------------------------------------------------------------------------
 * A column is a list of numbers as text: differences, with a count where the same one repeats. A
 * digit is one of `A-Za-z0-9-_`: 5 bits of a number, the lowest first, and above them "more digits
 * follow". The first digit of a difference has "it repeats" in its lowest bit, and only 4 bits of
 * the number; if it repeats, the count less one follows. Differences of times are not negative;
 * those of values are zigzag coded, in 64 bits. */
typedef struct {
  const loom_host *host;
  BackendText text;
  uint64_t last, delta, repeats; /* `repeats` times `delta` is not written yet */
  uint64_t count;
} Column;

void column_time(Column *, const loom_host *, uint64_t time);
void column_value(Column *, const loom_host *, uint64_t value);
const char *column_end(Column *); /* the whole text; "" */

/* ---- the design ------------------------------------------------------------------------------ */

typedef struct {
  const loom_host *host;
  const loom_design *design; /* as LOOM hands it over */
  const loom_design *shown;  /* the graph that is shown; NULL: there is none */
  const loom_dfg *dfg;
  const loom_domains *domains; /* of `shown`; NULL: not proved */
  const loom_source *source;
  const loom_fabric *fabric; /* this and the next ones: NULL, where the design has none */
  const loom_drawing *drawing;
  const loom_image *image;
  const loom_machine *machine;
  const loom_binding *binding;
  const loom_routes *routes;
  const loom_mapping *mapping;
  const loom_outcome *outcome;
  const loom_initial *contents;
  const loom_cycles *cycles;
  const loom_histories *histories;
  uint64_t from, count;
} View;

/* Each writes a member of the data block; LOOM_ERROR after a diagnostic. */
int view_graph(const View *, Json *);
void view_hardware(const View *, Json *);
int view_run(const View *, Json *);
int view_data(const View *, Json *);

#endif
