/* machine.h -- private to the traces of configured hardware, in which time is cycles.
 *
 *     loom emit trace DIR --case case.json -o out -- --format=vcd --edges='pe_0_*' --from=100
 *
 *     vcd       trace.vcd       each component a scope (machine_vcd.c)
 *     perfetto  trace.json      each unit a track (machine_json.c)
 *     csv       transfers.csv   and more tables: a line a token, a stall, ... (machine_csv.c)
 *     hash      channels.timed  what `loom sim --timed` writes (machine.c)
 *
 * machine.c reads the tables of the hardware, replays the run and passes each event on to the
 * chosen formats.
 *
 * Operands have the names that loom sim prints. If a mapping tells which edge of the graph an
 * operand takes, the name and source location of its value are shown, too, and tokens are printed
 * by its type; else as unsigned integers. --edges matches names of operands and of values; --from
 * and --count are cycles. If components are in instances of other modules, "tile_3/pe", each
 * instance is a scope and a process of its own.
 */
#ifndef LOOM_TRACE_MACHINE_H
#define LOOM_TRACE_MACHINE_H

#include "trace.h"

#include "loom_fabric.h"

typedef struct MachineTrace MachineTrace;
typedef struct Waves Waves;
typedef struct Tracks Tracks;
typedef struct Tables Tables;

/* A token goes through a switch on its way to an operand. */
typedef struct {
  uint64_t cycle;
  uint32_t component; /* the switch */
  const char *name;
  uint32_t from, to; /* its input and its output */
  uint32_t input;    /* of the machine: it takes the token, in this cycle */
} Passage;

/* A unit does not fire, from <= cycle < to. */
typedef struct {
  uint64_t from, to;
  uint32_t unit;
  enum loom_wait why;
  uint32_t input; /* the missing operand, or the input without room; or LOOM_NONE */
} Stall;

/* NULL does nothing. Only shown events are passed: of chosen operands, or of units that have one,
 * in the window of cycles. */
typedef struct {
  const char *name;
  void (*begin)(MachineTrace *);
  void (*transfer)(MachineTrace *, uint64_t cycle, uint32_t input, uint64_t value);
  void (*passage)(MachineTrace *, const Passage *);
  void (*firing)(MachineTrace *, uint64_t cycle, uint32_t unit);
  void (*stall)(MachineTrace *, const Stall *);
  void (*end)(MachineTrace *, uint64_t cycles);
} MachineFormat;

extern const MachineFormat trace_machine_vcd, trace_machine_json, trace_machine_csv;

struct MachineTrace {
  Trace *t;
  const loom_machine *machine;
  const loom_cycles *run;
  uint64_t max_cycles; /* to replay; 0: all */
  const MachineFormat *formats[3];
  int nformats;

  uint32_t ninputs, nunits;
  loom_unit_input *inputs;
  loom_unit *units;
  const char **names;     /* by input */
  const char **values;    /* by input: the name of its value in the graph; "": not known */
  const char **locations; /* by input: the source location of that value; "": not known */
  loom_type *types;       /* by input; kind NO_DATA: not known, or of no data */
  uint32_t *reader_of;    /* by unit: an input that takes a result of it with a name; LOOM_NONE */
  unsigned char *chosen;  /* by input: --edges */
  unsigned char *unit_chosen;

  uint64_t *last;            /* by input: the token it took last */
  uint64_t *counts, *hashes; /* by input: of all cycles (loom_timed.h) */

  const loom_fabric *fabric; /* `routes` is NULL if the routes of tokens are not known */
  const loom_routes *routes;
  uint32_t *route_of; /* by input: a route, or LOOM_NONE */

  /* What the formats keep. */
  Waves *waves;
  Tracks *tracks;
  Tables *tables;
};

/* The name of the graph that the hardware implements. */
const char *trace_machine_name(const MachineTrace *);
/* Prints the value of a token of an input by its type. */
void trace_machine_value(const MachineTrace *, uint32_t input, uint64_t value,
                         char out[VALUE_ROOM]);
/* The operation of a unit: "arith.addi"; of a lane of a memory "load" or "store". */
const char *trace_machine_operation(const MachineTrace *, uint32_t unit);
/* The source location of a unit's results; "": not known. */
const char *trace_machine_location(const MachineTrace *, uint32_t unit);
/* True of units that are no ports, drains or FIFOs. */
int trace_machine_fires(const MachineTrace *, uint32_t unit);
/* Clips a range of cycles to the window; false: nothing is left. */
int trace_machine_clip(const MachineTrace *, uint64_t *from, uint64_t *to);

#endif
