/* registry.c -- which backends there are. */
#include "host/host.h"

struct Registry {
  Context *ctx;
  Vec(RegisteredBackend) backends;
};

static const loom_plugin *const built_in[] = {&loom_csim_plugin, &loom_trace_plugin};

Registry *registry_open(Context *ctx, const char *const *plugins, u32 n) {
  (void)plugins, (void)n;
  Registry *registry = mem_alloc(sizeof *registry);
  registry->ctx = ctx;
  for (size_t i = 0; i < COUNT_OF(built_in); i++) {
    const loom_plugin *plugin = built_in[i];
    for (u32 b = 0; b < plugin->backend_count; b++) {
      RegisteredBackend backend = {plugin->backends[b], NULL, plugin->abi_major, plugin->abi_minor};
      vec_push(&registry->backends, backend);
    }
  }
  return registry;
}

void registry_close(Registry *registry) {
  if (!registry) return;
  vec_free(&registry->backends);
  mem_free(registry);
}

u32 registry_count(const Registry *registry) {
  return (u32)registry->backends.len;
}

const RegisteredBackend *registry_at(const Registry *registry, u32 i) {
  return &registry->backends.at[i];
}

const RegisteredBackend *registry_find(const Registry *registry, const char *id) {
  for (size_t i = 0; i < registry->backends.len; i++)
    if (strcmp(registry->backends.at[i].backend->id, id) == 0) return &registry->backends.at[i];
  return NULL;
}
