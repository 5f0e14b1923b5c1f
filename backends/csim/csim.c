/* csim.c -- to come. Until it is here, the backend refuses every design. */
#include "loom_plugin.h"

static int create(const loom_host *host, void **state) {
  *state = (void *)(uintptr_t)host;
  return LOOM_OK;
}

static int emit(void *state, const loom_design *design) {
  const loom_host *host = state;
  (void)design;
  host->diag(host, LOOM_FAILURE, "NOT_WRITTEN_YET", LOOM_NONE, "this backend is not written yet");
  return LOOM_UNSUPPORTED;
}

static void destroy(void *state) {
  (void)state;
}

static const char *const requires[] = {"loom.dfg/1"};

static const loom_backend backend = {
    .size = sizeof(loom_backend),
    .id = "csim",
    .version = "0.1.0",
    .summary = "not written yet",
    .requires = requires,
    .require_count = LOOM_COUNT(requires),
    .create = create,
    .emit = emit,
    .destroy = destroy,
};

static const loom_backend *const backends[] = {&backend};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
