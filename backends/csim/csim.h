/* csim.h -- private to this folder: one graph, or one machine, while it is written as one C99 file.
 *
 *     csim.c      the backend: options, and which of the others writes the file
 *     call.c      a graph as a plain C function, fir(x, n), and its header
 *     main.c      with -DLOOM_MAIN: a program that reads a case; its C is in text/
 *
 * A proved graph, as nested loops over scalars ("the loop code"; its words are in plan.h):
 *
 *     plan.c      reads the graph and orders its operations within loops and branches
 *     values.c    which values are needed, and as which C expressions
 *     names.c     literals, and identifiers of values and memories
 *     ranges.c    which accesses need no check of their bounds
 *     counting.c  which are checked once before their loop
 *     loops.c     writes loops, and their items in the order of the plan
 *     writer.c    lines, and the branches around them
 *     accesses.c  statements: assignments, and accesses with their checks
 *     scan.c      search loops, vectorised
 *     records.c   histories: the tokens of each result
 *     function.c  the function around the loops: memories, arguments, results
 *
 * A configured fabric, cycle by cycle: clock.c and the files that clock.h lists.
 *
 * The file of a graph, from top to bottom: loom_kernel.h; loom.c/1's prelude; loom_grow and what is
 * in memories (function.c); buffers of histories (records.c); loom_loops and loom_run (function.c);
 * `const loom_kernel_info loom_kernel` (csim.c); the function (call.c); main.
 */
#ifndef LOOM_CSIM_H
#define LOOM_CSIM_H

#include "backend.h"
#include "loom_call.h"
#include "loom_kernel.h"
#include "loom_machine.h"

/* Which tokens are handed to the caller: none; all; the addresses and data of loads and stores. */
enum { CSIM_NO_HISTORIES = 0, CSIM_ALL_HISTORIES = 1, CSIM_ACCESSES = 2 };

typedef BackendText Text;

typedef struct Csim {
  const loom_host *host;
  const loom_design *design;
  const loom_dfg *dfg;
  const loom_c *c;
  const loom_call *call;       /* NULL: not asked for, or C has no such function */
  const loom_domains *domains; /* NULL: not proved */
  const loom_machine *machine; /* NULL: the design is a graph without hardware */
  const loom_binding
      *binding;        /* of a machine; NULL: it is not known which port is which argument */
  const char *stream;  /* name of the file */
  int histories, fuel; /* options; histories: CSIM_... */
  const char *why;     /* why loop code is not possible; NULL: it is */
  Text *held;          /* where csim_put appends; NULL: to the file */
  unsigned indent;     /* of csim_put_line */
  int status;          /* LOOM_OK until something could not be written */
} Csim;

/* Appends to the file. */
void csim_put(Csim *m, const char *format, ...) BACKEND_PRINTF(2, 3);
/* A line, with its indentation and newline. Lines between one that ends with { (and perhaps a
 * comment) and one that begins with } are indented. */
void csim_put_line(Csim *m, const char *format, va_list args) BACKEND_PRINTF(2, 0);
void csim_text(Csim *m, const char *const *lines);        /* lines, NULL after the last */
void csim_unpacked(Csim *m, const unsigned char *packed); /* a text, as the build packs it */
/* Zeroed; never NULL. */
void *csim_alloc(Csim *m, size_t count, size_t size);
/* Text that lives until the emit is done; never NULL. */
const char *csim_format(Csim *m, const char *format, ...) BACKEND_PRINTF(2, 3);
/* Names and paths of the source may hold any bytes. The text as a C string literal, with quotes;
 * and as the text of a C comment. */
const char *csim_quoted(Csim *m, const char *text);
const char *csim_comment_text(Csim *m, const char *text);

/* The C expression of a stream's next value. `i` and `by` are `value` and `step` sign-extended. The
 * caller truncates the result to `bits` bits. */
const char *csim_step(Csim *m, const char *op, const char *type, const char *value,
                      const char *step, const char *i, const char *by, uint32_t bits);

/* Writes `static int loom_run(loom_kernel_run *run)` and what it needs, or nothing:
 * LOOM_UNSUPPORTED where the graph cannot be loops, with m->why set and no diagnostic. */
int csim_write_loops(Csim *m);
/* With m->call: the function, which follows loom_kernel; and its header file. */
void csim_write_call(Csim *m);
void csim_write_header(Csim *m);
/* The type of an output of the graph. */
uint32_t csim_output_type(Csim *m, uint32_t output);
/* The whole file of a machine. */
int csim_write_clock(Csim *m);
/* The top of every file: comment, pragmas, integer types. `usage` is appended to the comment. */
void csim_write_top(Csim *m, const char *usage);
/* The part under #ifdef LOOM_MAIN; follows `loom_kernel`. */
int csim_write_main(Csim *m);

#endif
