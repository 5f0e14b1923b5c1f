/* job.h -- one function with its arguments, on the way from its source through the engines.
 *
 *     Job job = {.call = call};
 *     status = job_prepare(&job);        read the file, choose the function, read its arguments
 *     job_run_on(&job, ON_REF);          a trial of an engine; all but ref run the graph,
 *     job_make_graph(&job);              which is lowered and proved here, where it is not one yet
 *     job_run_on(&job, ON_DFG);
 *     job_all_agree(&job);               every trial against the first
 *     job_free(&job);
 */
#ifndef LOOM_DRIVER_JOB_H
#define LOOM_DRIVER_JOB_H

#include "driver/driver.h"
#include "driver/optimise.h"
#include "native/check_stages.h"
#include "native/trial.h"

/* Nodes up to which a graph is also compiled where no engine was named: more take seconds. */
enum { MAX_COMPILED = 20000 };

typedef struct {
  Call *call;                    /* set before job_prepare, as is needs_no_case */
  bool needs_no_case;            /* arguments may be missing */
  FoundMapping found;            /* the mapping that the search of -O2 found */
  const LoopChoice *loop_choice; /* of that search; NULL: the level of -O alone decides */
  Subject subject;               /* the caller may have read its module */
  Case *input;                   /* its arguments; NULL: there are none, and none are needed */
  ProofReport proof;
  Trial trials[ENGINES];
  u32 stages;            /* stages of lowering whose output was run and agreed with ref */
  RunCost before, after; /* on ref, of the input and output of the stages that -O adds; or zeros */
  Buf loops;             /* their output; empty: there was no such stage */
  bool stage_differs;
  double read_seconds, lower_seconds;
} Job;

/* Reads, verifies, chooses the function and reads its arguments. EXIT_GOOD to go on. */
int job_prepare(Job *job);
/* Lowers, proves and freezes, where the function is not a graph already. False after diagnostics.
 */
bool job_make_graph(Job *job);
void job_free(Job *job);

/* The function is a graph, or has become one. */
bool job_is_graph(const Job *job);

/* Runs an engine. All but ref need the graph to have been made. The outcome is in the trial. */
void job_run_on(Job *job, EngineId e);
/* The first engine that ran, or ENGINES. */
EngineId job_first_trial(const Job *job);
/* True where the engine finished and gave what the case expects; else after diagnostics. */
bool job_check(const Job *job, EngineId e);
/* Every engine that ran against the first; false after diagnostics. */
bool job_all_agree(const Job *job);
/* The exit status of a job that failed on an engine. */
int job_status(const Job *job);

#endif
