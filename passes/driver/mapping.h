/* mapping.h -- a graph and a fabric on the way to a mapping, for loom map and loom build.
 *
 *     MapJob job = {.call = call, .module = module, .function = name};
 *     status = map_job_fabric(&job, "large");   the hardware; the graph fits its units
 *     status = map_job_run(&job);               maps
 *     status = map_job_write(&job, "dir");      all files or none
 *     map_job_free(&job);
 */
#ifndef LOOM_DRIVER_MAPPING_H
#define LOOM_DRIVER_MAPPING_H

#include "driver/driver.h"
#include "ir/ir.h"
#include "map/map.h"
#include "run/case.h"

/* A mapping that a search has found (optimise.h), of a graph and a fabric that are gone; NULL:
 * none. */
typedef struct {
  Mapping *mapping;
  u64 shape; /* of those: mapping_shape */
} FoundMapping;

typedef struct {
  Call *call;
  const Module *module; /* holds the graph; not changed */
  const char *function; /* a handshake.func of it */
  bool keeps_best;      /* the first interrupt ends the search, not the program */
  u64 *tokens; /* of the run that it shall be quick for (tokens_in_case); NULL: none is known */
  FoundMapping *found; /* NULL, or what need not be searched for again; taken, where it fits */
  /* made here */
  Module *fabric, *graph; /* the hardware; the graph as its units can carry it out */
  const char *preset;     /* what --adg names, where that is one; or NULL */
  Op *top;
  Adg *adg;
  Layout *layout;
  Dfg *dfg;
  Mapping *mapping;
  Mapping *closest;     /* where none was found, but searched for */
  const char *reported; /* the diagnostics of it; NULL */
} MapJob;

/* Reads the fabric (a file, or the name of a preset) and makes the graph ready for it. EXIT_GOOD to
 * go on; else after diagnostics. */
int map_job_fabric(MapJob *job, const char *path);
/* The hardware alone. */
int map_job_hardware(MapJob *job, const char *path);
/* How many errors say what there is not enough of; 0: there is enough of everything. Reports
 * nothing. */
u32 map_job_lacks(MapJob *job);
/* Maps as the options of the call say (--seed, --budget, --pin, --from), with a line of progress on
 * a terminal. */
int map_job_run(MapJob *job);
/* The name of one of its files, which is called after the function: NAME.map.json. */
const char *map_job_file(const MapJob *job, const char *ending);
/* Writes DIR/NAME.map.json and the others; the fabric then has the mapping's configuration. An exit
 * status. */
int map_job_write(MapJob *job, const char *dir);
/* Where there is none, DIR/NAME.map.json alone, with what came closest, and says so. An exit
 * status: EXIT_CANNOT_MAP, if that could be done. */
int map_job_write_closest(MapJob *job, const char *dir);
void map_job_free(MapJob *job);

/* A function of a module alone in a module of its own, *graph, with joins that the fabric has. NULL
 * after diagnostics; the caller frees both. */
Dfg *graph_for_fabric(Context *ctx, const Module *module, const char *function, const Adg *adg,
                      Module **graph);
/* By result of the graph: how many tokens it gives in the case (MapOptions). NULL after diagnostics
 * where the run fails. The caller frees it with mem_free, if it is not a MapJob's. */
u64 *tokens_in_case(Call *call, const Dfg *dfg, const Case *input);
/* Cycles of a case on a mapping, which gives what the case expects; 0: it does not, after a
 * diagnostic, or takes more than `most` (0: it may take any number). */
u64 mapping_run_case(Context *ctx, const Mapping *mapping, const Case *input, u64 most);

#endif
