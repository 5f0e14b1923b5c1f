/* rtl.h -- machines as RTL under Verilator: `loom sim --engine verilator`. */
#ifndef LOOM_RTL_H
#define LOOM_RTL_H

#include "host/host.h"

/* Builds the hardware of a design of a fabric with its machine, replays the case, and compares
 * every transfer, output and memory. EXIT_GOOD where all are the same; EXIT_RUN_FAILED after
 * RT_ENGINES_DIFFER with the first transfer that is not, or where the case does not run;
 * EXIT_FAULT after RT_RTL_MISSING, RT_RTL_BUILD, RT_CC_CACHE. *said: by the test bench, in the
 * context's memory; NULL where it did not run. */
int rtl_run(loom_design *design, const ReplayCase *c, const char **said);

#endif
