/* verilog.h -- private to the verilog backend: what its files share.
 *
 *     verilog.c    the backend: which files there are
 *     text.c       writing
 *     operation.c  one operation: what a function unit computes, from wires to wires
 *     library.c    the modules that are always the same, and which of them the others need
 *     library/     those modules, copied as they are
 *
 * All of it is SystemVerilog-2012 as Verilator 5, Icarus 11 and Yosys 0.23 all read it: packed
 * vectors, always_ff, always_comb, parameters, automatic functions; no interfaces, no unpacked
 * arrays in ports, no packages. No always_comb reads what it writes (Icarus 11 may then run it for
 * ever): loops stand in functions.
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
  int is_dry; /* nothing is written: only which modules of the library the text needs is noted */
  int is_captured; /* what is put comes to no file, but into: */
  BackendText captured;
  int status;                /* LOOM_OK so far, or what emit returns */
  struct Hardware *hardware; /* hardware.h; NULL until it was read */
  struct Sources *sources;   /* library.c; NULL until the first is written */
} Verilog;

/* Zeroed; lives until emit returns; never NULL. */
void *verilog_alloc(Verilog *v, size_t count, size_t size);
/* Opens a file that people read: the licence, and where the file comes from. */
void source_open(Verilog *v, const char *file);
/* Appends to v->stream. */
void put(Verilog *v, const char *format, ...) BACKEND_PRINTF(2, 3);
/* Text that lives as verilog_alloc's. */
const char *text(Verilog *v, const char *format, ...) BACKEND_PRINTF(2, 3);
/* A text, as the build packs it; gives what it is. */
const char *put_unpacked(Verilog *v, const unsigned char *packed);
/* All of a text, however long. */
void put_text(Verilog *v, const char *all);
/* From here to capture_end what is put comes to no file, but is what capture_end gives. */
void capture_begin(Verilog *v);
const char *capture_end(Verilog *v);

/* ---- verilog.c ------------------------------------------------------------------------------- */

/* What both backends here begin with, and require. */
int verilog_create(const loom_host *host, void **state);
extern const char *const verilog_requires[2];

/* What the fabric says of a component, to all of the backend. */
void component_of(const Verilog *v, uint32_t id, loom_component *out);
/* A field of a region of a memory, as the image has it. */
uint64_t region_field(const Verilog *v, uint32_t component, enum loom_field_kind kind,
                      uint32_t region);

/* ---- library.c ------------------------------------------------------------------------------- */

/* Called with all text on its way to v->stream; notes the files of rtl/, and which modules of the
 * library they name. */
void library_note(Verilog *v, const char *bytes, size_t length);
/* Writes each module of the library that the files of rtl/ name so far, and those that these name.
 * */
void library_need(Verilog *v);
/* Once all else is in rtl/: the same, and then rtl.f, the list of all files of rtl/. */
void library_write(Verilog *v);
/* Puts a line for each file of rtl/ with `part` in its name: `before` and the name. Sorted by name;
 * at least one file must have been written. */
void library_list(Verilog *v, const char *before, const char *part);
/* A hash of the files of rtl/ written so far, the version in their heads included. A case notes it,
 * and the test bench refuses cases of other hardware. */
unsigned long long library_hash(const Verilog *v);

#endif
