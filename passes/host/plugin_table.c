/* plugin_table.c -- may a plugin's tables be believed?
 *
 * Everything a backend declares is checked once, here, so that the rest of LOOM can use it without
 * looking: versions, sizes, names that can be typed on a command line, options whose defaults fit
 * their types. Each struct is copied into one of our own size on the way (plugin.h).
 *
 * All of version 1.0 must be there but for what may be NULL at the end of a struct: a plugin may
 * leave off a backend's `get_extension` and an option's `help`.
 */
#include "host/plugin.h"

#include "host/guard.h"

enum { MAX_BACKENDS = 256, MAX_OPTIONS = 1000, MAX_REQUIRES = 100, LONGEST_ID = 64 };

#define UP_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

typedef struct {
  const PluginSource *source;
  Arena *arena;
  const char *problem; /* NULL: none */
} PluginCheck;

PRINTF_LIKE(2, 3)
static bool wrong(PluginCheck *check, const char *format, ...) {
  va_list args;
  va_start(args, format);
  check->problem = arena_vprintf(check->arena, format, args);
  va_end(args);
  return false;
}

/* Copies a struct that starts with its size, where that reaches at least to `least`. */
static void *copy_struct(PluginCheck *check, const void *from, size_t least, size_t full) {
  u32 size = 0;
  memcpy(&size, from, sizeof size);
  if (size < least) return NULL;
  char *copy = arena_alloc(check->arena, full);
  memcpy(copy, from, size < full ? size : full);
  size = (u32)full;
  memcpy(copy, &size, sizeof size);
  return copy;
}

/* A copy of a text, so that nothing of the plugin is read once it was checked. */
static void keep(PluginCheck *check, const char **text) {
  if (*text) *text = arena_copy(check->arena, *text, strlen(*text) + 1);
}

static bool is_id(const char *text) {
  size_t len =
      text ? strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") : 0;
  return len && len <= LONGEST_ID && !text[len] && text[0] != '-';
}

/* ---- options --------------------------------------------------------------------------------- */

static bool check_option(PluginCheck *check, const char *backend, const loom_option *option) {
  if (!is_id(option->name))
    return wrong(check, "an option of backend %s has no name that can be typed", backend);
  if ((unsigned)option->type > LOOM_CHOICE)
    return wrong(check, "option %s of backend %s has an unknown type", option->name, backend);
  if (option->type == LOOM_CHOICE && (!option->choices || !*option->choices))
    return wrong(check, "option %s of backend %s is a choice without choices", option->name,
                 backend);
  if (!option->fallback || !emit_option_fits(option, option->fallback))
    return wrong(check, "option %s of backend %s has no default that fits its type", option->name,
                 backend);
  return true;
}

static bool check_options(PluginCheck *check, loom_backend *backend) {
  u32 n = backend->option_count;
  if (n > MAX_OPTIONS || (n && !backend->options))
    return wrong(check, "backend %s has no table of its %u options", backend->id, n);
  const loom_option **copies = NEW_ARRAY(check->arena, const loom_option *, n);
  for (u32 i = 0; i < n; i++) {
    if (!backend->options[i])
      return wrong(check, "option %u of backend %s is NULL", i, backend->id);
    loom_option *option =
        copy_struct(check, backend->options[i], UP_TO(loom_option, choices), sizeof(loom_option));
    if (!option) return wrong(check, "option %u of backend %s is too small", i, backend->id);
    if (!check_option(check, backend->id, option)) return false;
    if (!option->help) option->help = "";
    keep(check, &option->name), keep(check, &option->fallback);
    keep(check, &option->choices), keep(check, &option->help);
    for (u32 k = 0; k < i; k++)
      if (strcmp(copies[k]->name, option->name) == 0)
        return wrong(check, "backend %s has two options %s", backend->id, option->name);
    copies[i] = option;
  }
  backend->options = copies;
  return true;
}

/* ---- backends -------------------------------------------------------------------------------- */

static bool check_backend(PluginCheck *check, loom_backend *backend) {
  if (!is_id(backend->id)) return wrong(check, "a backend has no id that can be typed");
  if (!backend->version || !backend->summary)
    return wrong(check, "backend %s has no version or no summary", backend->id);
  if (!backend->create || !backend->emit || !backend->destroy)
    return wrong(check, "backend %s lacks create, emit or destroy", backend->id);
  u32 n = backend->require_count;
  if (n > MAX_REQUIRES || (n && !backend->requires))
    return wrong(check, "backend %s has no table of its %u requirements", backend->id, n);
  const char **requires = NEW_ARRAY(check->arena, const char *, n);
  for (u32 i = 0; i < n; i++) {
    requires[i] = backend->requires[i];
    if (!requires[i])
      return wrong(check, "requirement %u of backend %s is no text", i, backend->id);
    keep(check, &requires[i]);
  }
  backend->requires = requires;
  keep(check, &backend->id), keep(check, &backend->version), keep(check, &backend->summary);
  return check_options(check, backend);
}

/* Number `i` of the plugin's table. */
static bool copy_backend(PluginCheck *check, const loom_backend *from, u32 i,
                         const loom_backend **to) {
  if (!from) return wrong(check, "backend %u is NULL", i);
  loom_backend *backend =
      copy_struct(check, from, UP_TO(loom_backend, destroy), sizeof(loom_backend));
  *to = backend;
  if (!backend) return wrong(check, "backend %u is too small", i);
  return check_backend(check, backend);
}

static const loom_backend *const *copy_backends(PluginCheck *check, const loom_plugin *plugin) {
  const loom_backend **copies =
      NEW_ARRAY(check->arena, const loom_backend *, plugin->backend_count);
  for (u32 i = 0; i < plugin->backend_count; i++) {
    if (!copy_backend(check, plugin->backends[i], i, &copies[i])) return NULL;
    for (u32 k = 0; k < i; k++)
      if (strcmp(copies[k]->id, copies[i]->id) == 0) {
        wrong(check, "there are two backends %s", copies[i]->id);
        return NULL;
      }
  }
  return copies;
}

/* The entry starts with size and version, whatever else changes. */
static bool check_entry(PluginCheck *check, const loom_plugin *plugin) {
  const PluginSource *source = check->source;
  if (plugin->size < UP_TO(loom_plugin, abi_minor)) return wrong(check, "the entry is too small");
  if (plugin->abi_major != LOOM_ABI_MAJOR) {
    plugin_complain(
        source, RT_PLUGIN_ABI, "speaks version %u.%u of the interface, LOOM %s speaks %u.%u",
        plugin->abi_major, plugin->abi_minor, LOOM_VERSION, LOOM_ABI_MAJOR, LOOM_ABI_MINOR);
    return false;
  }
  if (plugin->size < UP_TO(loom_plugin, backends)) return wrong(check, "the entry is too small");
  if (plugin->machine != LOOM_MACHINE) {
    plugin_complain(source, RT_PLUGIN_MACHINE, "was built for another machine");
    return false;
  }
  if (plugin->backend_count == 0 || plugin->backend_count > MAX_BACKENDS || !plugin->backends)
    return wrong(check, "there is no table of %u backends", plugin->backend_count);
  return true;
}

const loom_backend *const *plugin_backends(const PluginSource *source, const loom_plugin *plugin,
                                           Arena *arena, u32 *n) {
  PluginCheck check = {.source = source, .arena = arena};
  const loom_backend *const *copies = NULL;
  if (check_entry(&check, plugin)) {
    *n = plugin->backend_count;
    copies = copy_backends(&check, plugin);
  }
  if (check.problem)
    plugin_complain(source, RT_PLUGIN_TABLE, "has wrong tables: %s", check.problem);
  return copies;
}
