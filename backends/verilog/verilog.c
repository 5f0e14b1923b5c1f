/* verilog.c -- the backend `verilog`: a fabric as synthesisable SystemVerilog.
 *
 *     loom emit verilog fabric.mlir -o out        out/rtl/NAME.sv
 *
 * The hardware is the whole fabric, as reconfigurable as its text says; the configuration image is
 * loaded through its configuration port.
 */
#include "top.h"

typedef struct {
  const char *file;
  const char *const *lines;
} LibraryFile;

#include "verilog_library.inc" /* library[]: every module of library/ */

static int create(const loom_host *host, void **state) {
  Verilog *v = host->alloc(host, sizeof *v);
  v->host = host;
  v->fabric = host->get_extension(host, "loom.fabric/1");
  v->image = host->get_extension(host, "loom.image/1");
  *state = v;
  return LOOM_OK;
}

static int emit(void *state, const loom_design *design) {
  Verilog *v = state;
  v->design = design;
  for (size_t i = 0; i < LOOM_COUNT(library); i++) {
    v->stream = library[i].file;
    put_lines(v, library[i].lines);
  }
  top_write(v);
  return v->status;
}

static void destroy(void *state) {
  (void)state;
}

static const char *const requirements[] = {"loom.fabric/1", "loom.image/1"};

static const loom_backend backend = {
    .size = sizeof(loom_backend),
    .id = "verilog",
    .version = "1.0",
    .summary = "a fabric as synthesisable SystemVerilog, with a test bench",
    .requires = requirements,
    .require_count = LOOM_COUNT(requirements),
    .create = create,
    .emit = emit,
    .destroy = destroy,
};

static const loom_backend *const backends[] = {&backend};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
