/* bench.h -- the test bench of a fabric, and the case that it replays. */
#ifndef LOOM_VERILOG_BENCH_H
#define LOOM_VERILOG_BENCH_H

#include "top.h"

/* What the host sees of a fabric: inputs, outputs, memories. */
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
/* The name of a file of a case: what is "input" or "output", or, of a region of a memory, "memory"
 * (before) or "after". */
const char *bench_file(Verilog *v, const char *what, const BenchPort *p, uint32_t region);

int bench_is_memory(const BenchPort *port);
/* modules.mk and block.sh: how Verilator compiles the modules, for a Makefile that includes it. */
void bench_write_modules(Verilog *v);
/* tb/, Makefile and what it includes, README.md. */
void bench_write(Verilog *v);
/* The files of a case, in `folder` ("case/" or ""). */
void case_write(Verilog *v, const loom_replay *replay, const char *folder);

#endif
