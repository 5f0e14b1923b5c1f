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

/* A mapping that a search has found (optimise.h); NULL: none. Its graph and fabric were freed. */
typedef struct {
  Mapping *mapping;
  u64 shape; /* mapping_shape of that graph and fabric */
} FoundMapping;

typedef struct {
  Call *call;
  const Module *module; /* holds the graph; not changed */
  const char *function; /* a handshake.func of it */
  bool keeps_best;      /* the first interrupt ends the search, not the program */
  u64 *tokens;          /* of the run to optimise for (tokens_in_case); NULL: unknown */
  FoundMapping *found; /* a mapping to use instead of a search, if its shape is the same; or NULL */
  /* made here */
  Module *fabric, *graph; /* the hardware; the graph as its units can carry it out */
  const char *preset;     /* the preset that --adg names; or NULL */
  Op *top;
  Adg *adg;
  Layout *layout;
  Dfg *dfg;
  Mapping *mapping;
  Mapping *closest;     /* the best attempt of a search that found no mapping; or NULL */
  const char *reported; /* the diagnostics of the search; NULL: none */
} MapJob;

/* Reads the fabric (a file, or the name of a preset) and makes the graph ready for it. EXIT_GOOD to
 * go on; else after diagnostics. */
int map_job_fabric(MapJob *job, const char *path);
/* Only reads the fabric. */
int map_job_hardware(MapJob *job, const char *path);
/* The number of errors about resources that the fabric has too few of; 0: it may be enough. They
 * are not reported. */
u32 map_job_lacks(MapJob *job);
/* Maps with the options of the call (--seed, --budget, --pin, --from), and shows progress on a
 * terminal. */
int map_job_run(MapJob *job);
/* Maps the job's graph onto another fabric with the same --seed, --budget and --max-comb. NULL where
 * that fails or the search is ended early. */
Mapping *map_job_try(MapJob *job, const Layout *layout);
/* Finds out, for a mapping onto a preset, whether FIFOs before the inputs of PEs would help, for its
 * report (advise.c): in the case or, without one (NULL), by the intervals of its loops. */
void map_job_advise(MapJob *job, const Case *input);
/* After MAP_CONGESTED: tries other seeds, and hints at one that helps (advise.c). `options` are
 * those of the search that failed. */
void map_job_hint(const MapJob *job, const MapOptions *options);
/* The name of one of its files, which is called after the function: NAME.map.json. */
const char *map_job_file(const MapJob *job, const char *ending);
/* Writes all files of a mapping; job->fabric then has the mapping's configuration. An exit
 * status. */
int map_job_write(MapJob *job, const char *dir);
/* Without a mapping: writes the closest attempt, if there is one (NAME.map.json), with its graph
 * and fabric. EXIT_CANNOT_MAP; EXIT_FAULT if they cannot be written. */
int map_job_write_closest(MapJob *job, const char *dir);
void map_job_free(MapJob *job);

/* Copies a function into a module of its own, *graph, and legalises it for the fabric
 * (mapping_legalise). NULL after diagnostics; the caller frees both. */
Dfg *graph_for_fabric(Context *ctx, const Module *module, const char *function, const Adg *adg,
                      Module **graph);
/* Runs the case on the graph. *tokens: by result, how many tokens it gives (MapOptions); freed with
 * mem_free, by map_job_free where it is a MapJob's. An exit status: EXIT_RUN_FAILED or
 * EXIT_BAD_INPUT, and NULL, after diagnostics where the run fails or cannot start. */
int tokens_in_case(Call *call, const Dfg *dfg, const Case *input, u64 **tokens);
/* The cycles that a case takes on a mapping. 0: it does not give what the case expects, after a
 * diagnostic, or takes more than `most` cycles (0: no limit). */
u64 mapping_run_case(Context *ctx, const Mapping *mapping, const Case *input, u64 most);

#endif
