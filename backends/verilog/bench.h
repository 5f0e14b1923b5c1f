/* bench.h -- the test bench of a fabric, and the case that it replays. */
#ifndef LOOM_VERILOG_BENCH_H
#define LOOM_VERILOG_BENCH_H

#include "top.h"

/* An input, an output, or a memory that is not private: what the host sees of a fabric. */
typedef struct {
  uint32_t id; /* of the component */
  loom_component component;
  const char *name;          /* top_component_name */
  uint32_t width, tag_width; /* of an input's or output's port */
} BenchPort;

typedef struct {
  BenchPort *at;
  uint32_t count;
} BenchPorts;

void bench_ports(Verilog *v, BenchPorts *ports);
/* The name of a file of a case. `what` is "input" or "output", or for a region of a memory "memory"
 * (before the run) or "after". */
const char *bench_file(Verilog *v, const char *what, const BenchPort *p, uint32_t region);

int bench_is_memory(const BenchPort *port);
/* Writes modules.mk, which Makefiles include to compile the modules with Verilator, and
 * block.sh. */
void bench_write_modules(Verilog *v);
/* Writes tb/, Makefile, modules.mk, block.sh and README.md. */
void bench_write(Verilog *v);
/* Writes the files of a case to `folder` ("case/" or ""). */
void case_write(Verilog *v, const loom_replay *replay, const char *folder);

#endif
