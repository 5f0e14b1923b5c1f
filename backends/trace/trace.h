/* trace.h -- private to the trace backend: one run, shown in several formats at once.
 *
 * trace.c replays the run and passes each event on to the formats that were asked for; each format
 * is a file of its own with four functions. Of the events only as much is kept as a format needs
 * to close its last line, so a run may be as long as the disk allows.
 */
#ifndef LOOM_TRACE_H
#define LOOM_TRACE_H

#include "backend.h"
#include "loom_machine.h"
#include "loom_show.h"

/* What the formats keep, each in its own file; and the load of a configuration (load.c). */
typedef struct Trace Trace;
typedef struct Vcd Vcd;
typedef struct Timeline Timeline;
typedef struct Csv Csv;
typedef struct Load Load;

enum { MAX_SCALARS = 64 };

/* A token of a result, with its number, from 0: `count` scalars. */
typedef struct {
  uint64_t time, number;
  uint32_t result, count;
  const loom_type *types[MAX_SCALARS];
  const uint64_t *words;
} Token;

/* `begin` and `end` frame the events; NULL does nothing. Errors of writing are kept in
 * Trace.failed. */
typedef struct {
  const char *name;
  void (*begin)(Trace *);
  void (*firing)(Trace *, uint64_t time, uint32_t node);
  void (*token)(Trace *, const Token *);
  void (*end)(Trace *);
} Format;

extern const Format trace_vcd, trace_timeline, trace_csv;
int trace_hashes(Trace *); /* needs no events */
/* Of configured hardware: all formats, by cycles (machine.h). */
int trace_machine(Trace *, const loom_machine *, const loom_cycles *);

/* A stream of text, gathered before it goes to the host. */
enum { OUT_ROOM = 1 << 15 };
typedef struct {
  const char *stream;
  size_t used;
  char text[OUT_ROOM];
} Out;

struct Trace {
  const loom_host *host;
  const loom_design *design;
  const loom_dfg *dfg;
  const loom_histories *histories;
  uint32_t nodes, results, edges, types;
  loom_type *type;            /* by id */
  uint32_t *type_of;          /* by result */
  unsigned char *edge_chosen; /* by edge: --edges */
  unsigned char *node_chosen; /* by node: touches such an edge */
  uint64_t from, to;          /* firings of this time are shown: from <= time < to */
  uint64_t *numbers;          /* by result: tokens so far */
  uint64_t seen, last;        /* events, and the time of the last one */
  int stopped, failed;        /* past `to`; the host could not write */
  char *line;                 /* room for trace_printf; grows to twice the longest */
  size_t line_room;
  const Format *formats[4];
  int nformats;
  Vcd *vcd;
  Timeline *timeline;
  Csv *csv;
  const loom_source *source; /* NULL: not known */
  Load *load;                /* of the configuration; NULL: it is not shown */
  uint64_t lead;             /* cycles that the load takes before cycle 0 of the run; or 0 */
};

/* Zeroed; never NULL. */
void *trace_alloc(Trace *, size_t count, size_t size);

/* Text into a stream; errors are kept in Trace.failed. */
void trace_text(Trace *, Out *, const char *text);
void trace_number(Trace *, Out *, uint64_t number);
void trace_flush(Trace *, Out *);

/* One scalar as people write it: signed, i1 as 0 or 1, floats with digits that read back to the
 * same bits, "nan", "inf", "-inf". */
enum { VALUE_ROOM = 48 };
void trace_value(const loom_type *, uint64_t word, char out[VALUE_ROOM]);

/* The scalars of a token of this type, in order: the types of the first `room` of them go to `out`.
 * Returns how many there are, which may be more. */
uint32_t trace_scalars(const Trace *, uint32_t type, const loom_type **out, uint32_t room);

/* The value change dump of Trace.vcd (vcd.c). Channels are declared between vcd_new and
 * vcd_declared: vcd_channel enters a scope with a valid signal, vcd_data adds data signals, and
 * vcd_leave leaves the scope; other scopes may be around it. */
void vcd_new(Trace *, uint32_t channels, const char *title);
void vcd_enter(Trace *, const char *name, size_t length);
void vcd_leave(Trace *);
void vcd_channel(Trace *, uint32_t channel, const char *name, const char *location,
                 const char *valid);
void vcd_data(Trace *, uint32_t channel, uint32_t bits, const char *name);
/* A comment with the source location of what is declared next; none if that is empty. */
void vcd_location(Trace *, const char *location);
/* Declares a signal of the scope that vcd_change sets, and that is unknown before. */
uint32_t vcd_level(Trace *, const char *name, uint32_t bits);
void vcd_declared(Trace *);
/* Then, in the order of time: a channel has a token, a level changes, and the value of data `i` of
 * the token. */
void vcd_token(Trace *, uint64_t time, uint32_t channel);
void vcd_change(Trace *, uint64_t time, uint32_t level, uint32_t value);
void vcd_word(Trace *, uint32_t channel, uint32_t i, uint32_t bits, uint64_t word);
void vcd_end(Trace *);

/* A text as printf makes it; as a string of JSON, with its quotes; as a field of a table, in quotes
 * where it has to be, else the text itself. In memory of the host. */
const char *trace_format(Trace *, const char *format, ...) BACKEND_PRINTF(2, 3);
const char *trace_json(Trace *, const char *text);
const char *csv_field(Trace *, const char *text);
/* The source location of a node of the graph (for hardware, of the graph that it implements):
 * "fir.c:6:21"; "": not known. */
const char *trace_location(Trace *, uint32_t node);
/* printf into a stream. */
void trace_printf(Trace *, Out *, const char *format, ...) BACKEND_PRINTF(3, 4);

/* The load of the configuration before the run (load.c); without --load these do nothing.
 * `load_waves` and `load_timeline` come before all events of the run, at times below `lead`. */
int load_find(Trace *);
void load_declare(Trace *);
void load_waves(Trace *);
void load_timeline(Trace *, Out *json, uint32_t process);
void load_table(Trace *);

/* The order of elements that begin with a name, for qsort. */
int trace_by_name(const void *, const void *);

/* Reports that --from is past the end of the run, and returns LOOM_ERROR. */
int trace_nothing(Trace *t, uint64_t length, const char *unit);

/* True if one of the patterns, which are separated by commas, matches `text`: `*` stands for any
 * bytes, `?` for one. */
int trace_matches(const char *patterns, const char *text);

#endif
