/* verilog.h -- declarations shared by the files of the verilog backend.
 *
 *     verilog.c    the backend's entry point: which files it writes
 *     text.c       formatted output to the host's streams
 *     operation.c  one operation of a function unit, from operand wires to result wires
 *     library.c    copies the library modules that the generated ones instantiate
 *     library/     modules that do not depend on the fabric, copied verbatim
 *     hardware.h   lists the files that write the fabric
 *     bench.c      the test bench; case.c: the data that it replays
 *     system.h     the backend `system`: the fabric with registers, AXI4 and a driver
 *
 * The output is the subset of SystemVerilog-2012 that Verilator 5, Icarus 11 and Yosys 0.23 accept:
 * packed vectors, always_ff, always_comb, parameters, automatic functions; no interfaces, no
 * unpacked arrays in ports, no packages. No always_comb reads a variable that it writes (Icarus 11
 * may then run it for ever): loops stand in functions.
 */
#ifndef LOOM_VERILOG_H
#define LOOM_VERILOG_H

#include "backend.h"
#include "loom_replay.h"

typedef struct Verilog {
  const loom_host *host;
  const loom_design *design;
  const loom_fabric *fabric;
  const loom_image *image;
  const char *stream; /* the file that is being written */
  int is_dry;         /* writes nothing: library_note still finds the needed modules and the hash */
  int is_captured;    /* output goes to `captured`, not to a file */
  BackendText captured;
  int status;                /* LOOM_OK so far, or what emit returns */
  struct Hardware *hardware; /* hardware.h; NULL until it was read */
  struct Sources *sources;   /* library.c; NULL until the first is written */
} Verilog;

/* Zeroed memory; lives until emit returns; never NULL. */
void *verilog_alloc(Verilog *v, size_t count, size_t size);
/* Opens a file and writes its first lines: the licence, and which LOOM generated it. */
void source_open(Verilog *v, const char *file);
/* Appends to v->stream. */
void put(Verilog *v, const char *format, ...) BACKEND_PRINTF(2, 3);
/* Likewise, with `name` for each `$` of the format. */
void put_named(Verilog *v, const char *name, const char *format, ...) BACKEND_PRINTF(3, 4);
/* Formatted text in memory from verilog_alloc. */
const char *text(Verilog *v, const char *format, ...) BACKEND_PRINTF(2, 3);
/* The range of a vector in its declaration, "[7:0] "; "" where it has one bit. */
const char *bit_range(Verilog *v, uint32_t width);
/* Appends a text that the build has compressed (verilog_library.inc, ...); returns it unpacked. */
const char *put_unpacked(Verilog *v, const unsigned char *packed);
/* Likewise, with each `@NAME@` in it replaced by fills[i][1], where NAME is fills[i][0]. */
void put_filled(Verilog *v, const unsigned char *packed, const char *const (*fills)[2],
                size_t count);
/* Appends a text as it is, without formatting. */
void put_text(Verilog *v, const char *all);
/* From capture_begin to capture_end output goes to no file; capture_end returns it. */
void capture_begin(Verilog *v);
const char *capture_end(Verilog *v);

/* ---- verilog.c ------------------------------------------------------------------------------- */

/* `create` and `requires` of both backends, verilog and system. */
int verilog_create(const loom_host *host, void **state);
extern const char *const verilog_requires[2];

/* Reads component `id` of the fabric. */
loom_component component_of(const Verilog *v, uint32_t id);
/* The value that the image has for a field of a memory's region. */
uint64_t region_field(const Verilog *v, uint32_t component, enum loom_field_kind kind,
                      uint32_t region);

/* ---- library.c ------------------------------------------------------------------------------- */

/* Called with all text that is written to v->stream; records the files of rtl/ and the library
 * modules that they name. */
void library_note(Verilog *v, const char *bytes, size_t length);
/* Writes the library modules that the files of rtl/ name so far, and those that these name. */
void library_need(Verilog *v);
/* library_need, and then rtl.f, the list of all files of rtl/: call it once these are written. */
void library_write(Verilog *v);
/* Puts a line for each file of rtl/ with `part` in its name: `before` and the name. Sorted by name;
 * at least one file must have been written. */
void library_list(Verilog *v, const char *before, const char *part);
/* A hash of the files of rtl/ written so far, including LOOM's version in their heads. It is stored
 * with each case, and the test bench refuses a case whose hash differs. */
unsigned long long library_hash(const Verilog *v);

#endif
