/* plugin_table.c -- checks and copies the tables of a plugin.
 *
 * Everything a backend or a front end declares is checked once, here, so that the rest of LOOM can
 * rely on it: versions, sizes, names that can be typed on a command line, options whose defaults
 * fit their types. Each struct is copied into one of our own size (plugin.h).
 *
 * A struct must have all fields of version 1.0, except those at its end that may be NULL: a
 * backend's `get_extension` and an option's `help`.
 */
#include "host/plugin.h"

enum { MAX_PARTS = 256, MAX_OPTIONS = 1000, MAX_TEXTS = 100, LONGEST_ID = 64 };

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

/* Copies a struct that begins with its size into one of `full` bytes, zeroed beyond. NULL where it
 * has fewer than `least` bytes. */
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

/* Replaces a text by a copy, so that no data of the plugin is read after it was checked. */
static void keep(PluginCheck *check, const char **text) {
  if (*text) *text = arena_copy(check->arena, *text, strlen(*text) + 1);
}

static bool is_id(const char *text) {
  size_t len =
      text ? strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") : 0;
  return len && len <= LONGEST_ID && !text[len] && text[0] != '-';
}

/* ---- options --------------------------------------------------------------------------------- */

static bool check_option(PluginCheck *check, const PluginPart *part, const loom_option *option) {
  if (!is_id(option->name))
    return wrong(check, "an option of %s %s has no valid name", part->kind, part->id);
  if ((unsigned)option->type > LOOM_CHOICE)
    return wrong(check, "option %s of %s %s has an unknown type", option->name, part->kind,
                 part->id);
  if (option->type == LOOM_CHOICE && (!option->choices || !*option->choices))
    return wrong(check, "option %s of %s %s has no list of choices", option->name, part->kind,
                 part->id);
  if (!option->fallback || !emit_option_fits(option, option->fallback))
    return wrong(check, "option %s of %s %s has no valid default", option->name, part->kind,
                 part->id);
  return true;
}

/* Copies the options of a part. NULL where one is wrong. */
static const loom_option *const *copy_options(PluginCheck *check, const PluginPart *part) {
  const loom_option **copies = NEW_ARRAY(check->arena, const loom_option *, part->option_count);
  for (u32 i = 0; i < part->option_count && !check->problem; i++) {
    if (!part->options[i]) {
      wrong(check, "option %u of %s %s is NULL", i, part->kind, part->id);
      break;
    }
    loom_option *option =
        copy_struct(check, part->options[i], UP_TO(loom_option, choices), sizeof(loom_option));
    if (!option) wrong(check, "option %u of %s %s is too small", i, part->kind, part->id);
    if (!option || !check_option(check, part, option)) break;
    if (!option->help) option->help = "";
    keep(check, &option->name), keep(check, &option->fallback);
    keep(check, &option->choices), keep(check, &option->help);
    for (u32 k = 0; k < i; k++)
      if (strcmp(copies[k]->name, option->name) == 0)
        wrong(check, "%s %s has two options named %s", part->kind, part->id, option->name);
    copies[i] = option;
  }
  return check->problem ? NULL : copies;
}

/* Checks the fields of both kinds: id, version, summary, options. */
static bool check_part(PluginCheck *check, const PluginPart *part) {
  if (!is_id(part->id)) return wrong(check, "a %s has no valid id", part->kind);
  if (!part->version || !part->summary)
    return wrong(check, "%s %s has no version or no summary", part->kind, part->id);
  u32 n = part->option_count;
  if (n > MAX_OPTIONS || (n && !part->options))
    return wrong(check, "%s %s has no table for its %u options", part->kind, part->id, n);
  return true;
}

/* Copies a table of texts, each a `noun`. NULL where one is missing, or there are too many. */
static const char *const *copy_texts(PluginCheck *check, const PluginPart *part, const char *noun,
                                     const char *const *texts, u32 n) {
  if (n > MAX_TEXTS || (n && !texts)) {
    wrong(check, "%s %s has no table for its %u %ss", part->kind, part->id, n, noun);
    return NULL;
  }
  const char **copies = NEW_ARRAY(check->arena, const char *, n);
  for (u32 i = 0; i < n; i++) {
    copies[i] = texts[i];
    keep(check, &copies[i]);
    if (!copies[i])
      wrong(check, "%s %u of %s %s is not a valid string", noun, i, part->kind, part->id);
  }
  return check->problem ? NULL : copies;
}

/* ---- backends and front ends ----------------------------------------------------------------- */

PluginPart backend_part(const loom_backend *b) {
  return (PluginPart){.backend = b,
                      .kind = "backend",
                      .id = b->id,
                      .version = b->version,
                      .summary = b->summary,
                      .options = b->options,
                      .option_count = b->option_count};
}

PluginPart frontend_part(const loom_frontend *f) {
  return (PluginPart){.frontend = f,
                      .kind = "front end",
                      .id = f->id,
                      .version = f->version,
                      .summary = f->summary,
                      .options = f->options,
                      .option_count = f->option_count};
}

/* Copies backend `i` of the plugin's table. */
static bool copy_backend(PluginCheck *check, const loom_backend *from, u32 i, PluginPart *part) {
  if (!from) return wrong(check, "backend %u is NULL", i);
  loom_backend *b = copy_struct(check, from, UP_TO(loom_backend, destroy), sizeof(loom_backend));
  if (!b) return wrong(check, "backend %u is too small", i);
  *part = backend_part(b);
  if (!check_part(check, part)) return false;
  if (!b->create || !b->emit || !b->destroy)
    return wrong(check, "backend %s lacks create, emit or destroy", b->id);
  b->requires = copy_texts(check, part, "requirement", b->requires, b->require_count);
  if (!b->requires) return false;
  keep(check, &b->id), keep(check, &b->version), keep(check, &b->summary);
  b->options = copy_options(check, part);
  *part = backend_part(b);
  return !check->problem;
}

static bool copy_frontend(PluginCheck *check, const loom_frontend *from, u32 i, PluginPart *part) {
  if (!from) return wrong(check, "front end %u is NULL", i);
  loom_frontend *f = copy_struct(check, from, UP_TO(loom_frontend, read), sizeof(loom_frontend));
  if (!f) return wrong(check, "front end %u is too small", i);
  *part = frontend_part(f);
  if (!check_part(check, part)) return false;
  if (!f->read || !f->ending_count)
    return wrong(check, "front end %s lacks read, or names no file extension", f->id);
  f->endings = copy_texts(check, part, "ending", f->endings, f->ending_count);
  for (u32 k = 0; f->endings && k < f->ending_count; k++)
    if (f->endings[k][0] != '.' || !is_id(f->endings[k] + 1))
      return wrong(check, "extension %u of front end %s is not a dot and letters", k, f->id);
  if (!f->endings) return false;
  keep(check, &f->id), keep(check, &f->version), keep(check, &f->summary);
  f->options = copy_options(check, part);
  *part = frontend_part(f);
  return !check->problem;
}

/* Copies the entry. In every version it begins with size and version. */
static bool check_entry(PluginCheck *check, const loom_plugin *plugin, loom_plugin *entry) {
  const PluginSource *source = check->source;
  if (plugin->size < UP_TO(loom_plugin, abi_minor)) return wrong(check, "the entry is too small");
  if (plugin->abi_major != LOOM_ABI_MAJOR) {
    plugin_complain(
        source, RT_PLUGIN_ABI, "has version %u.%u of the plugin interface, but LOOM %s has %u.%u",
        plugin->abi_major, plugin->abi_minor, LOOM_VERSION, LOOM_ABI_MAJOR, LOOM_ABI_MINOR);
    return false;
  }
  const loom_plugin *copy =
      copy_struct(check, plugin, UP_TO(loom_plugin, backends), sizeof(loom_plugin));
  if (!copy) return wrong(check, "the entry is too small");
  *entry = *copy;
  if (entry->machine != LOOM_MACHINE) {
    plugin_complain(source, RT_PLUGIN_MACHINE, "was built for another architecture");
    return false;
  }
  u32 backends = entry->backend_count, frontends = entry->frontend_count;
  if (backends > MAX_PARTS || (backends && !entry->backends) || !(backends || frontends))
    return wrong(check, "it has no table for its %u backends", backends);
  if (frontends > MAX_PARTS || (frontends && !entry->frontends))
    return wrong(check, "it has no table for its %u front ends", frontends);
  return true;
}

static bool copy_parts(PluginCheck *check, const loom_plugin *entry, PluginPart *parts, u32 n) {
  for (u32 i = 0; i < n; i++) {
    bool good = i < entry->backend_count
                    ? copy_backend(check, entry->backends[i], i, &parts[i])
                    : copy_frontend(check, entry->frontends[i - entry->backend_count],
                                    i - entry->backend_count, &parts[i]);
    if (!good) return false;
    for (u32 k = 0; k < i; k++)
      if (parts[k].kind == parts[i].kind && strcmp(parts[k].id, parts[i].id) == 0)
        return wrong(check, "it has two %ss named %s", parts[i].kind, parts[i].id);
  }
  return true;
}

bool plugin_parts(const PluginSource *source, const loom_plugin *plugin, Arena *arena,
                  PluginPart **parts, u32 *n) {
  PluginCheck check = {.source = source, .arena = arena};
  loom_plugin entry = {0};
  bool good = check_entry(&check, plugin, &entry);
  if (good) {
    *n = entry.backend_count + entry.frontend_count;
    *parts = NEW_ARRAY(arena, PluginPart, *n);
    good = copy_parts(&check, &entry, *parts, *n);
  }
  if (check.problem)
    plugin_complain(source, RT_PLUGIN_TABLE, "has invalid tables: %s", check.problem);
  return good;
}
