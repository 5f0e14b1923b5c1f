/* verilog.c -- the backend `verilog`: a fabric as synthesisable SystemVerilog.
 *
 *     loom emit verilog fabric.mlir -o out                      out/{rtl,tb}, Makefile, README.md
 *     loom emit verilog map/ --case case.json -o out            and out/case
 *
 * The hardware is the whole fabric, with all the reconfigurability that its text specifies; the
 * image is loaded through its configuration port. With --part case the hardware is generated, but
 * not written (Verilog.is_dry): its hash goes into the case.
 */
#include "bench.h"

#include <string.h>

loom_component component_of(const Verilog *v, uint32_t id) {
  loom_component c = {0};
  v->fabric->component(v->design, id, &c, sizeof c);
  return c;
}

uint64_t region_field(const Verilog *v, uint32_t component, enum loom_field_kind kind,
                      uint32_t region) {
  loom_field field = {.kind = kind, .item = region};
  uint32_t at = 0, width = 0, first = 0, count = 0;
  uint64_t value = 0;
  const uint32_t *words = v->image->words(v->design);
  v->image->slice(v->design, component, &first, &count);
  v->image->field(v->design, component, &field, &at, &width);
  for (uint32_t bit = 0; bit < width; bit++)
    value |= (uint64_t)(words[first + (at + bit) / 32] >> (at + bit) % 32 & 1) << bit;
  return value;
}

const char *const verilog_requires[] = {"loom.fabric/1", "loom.image/1"};

int verilog_create(const loom_host *host, void **state) {
  Verilog *v = host->alloc(host, sizeof *v);
  v->host = host;
  v->fabric = host->get_extension(host, "loom.fabric/1");
  v->image = host->get_extension(host, "loom.image/1");
  *state = v;
  return LOOM_OK;
}

static void write_hardware(Verilog *v) {
  top_write(v);
  library_write(v);
}

static int emit(void *state, const loom_design *design) {
  Verilog *v = state;
  const char *part = v->host->option(v->host, "part");
  const loom_replay *replay = v->host->get_extension(v->host, "loom.replay/1");
  v->design = design;
  v->is_dry = strcmp(part, "case") == 0; /* the case needs only the hash of the hardware */
  write_hardware(v);
  v->is_dry = 0;
  if (strcmp(part, "case") != 0) bench_write(v);
  if (strcmp(part, "hardware") != 0 && replay) case_write(v, replay, "case/");
  return v->status;
}

static const loom_option part =
    LOOM_OPTION(LOOM_CHOICE, "part", "all", "all|hardware|case",
                "the hardware with its test bench, the case that the bench replays, or both");
static const loom_option *const options[] = {&part};

static const loom_backend backend = {
    .size = sizeof(loom_backend),
    .id = "verilog",
    .version = "1.0",
    .summary = "a fabric as synthesisable SystemVerilog, with a test bench",
    .options = options,
    .option_count = LOOM_COUNT(options),
    .requires = verilog_requires,
    .require_count = LOOM_COUNT(verilog_requires),
    .create = verilog_create,
    .emit = emit,
    .destroy = backend_destroy,
};

extern const loom_backend system_backend; /* system.c */

static const loom_backend *const backends[] = {&backend, &system_backend};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
