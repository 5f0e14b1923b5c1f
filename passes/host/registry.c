/* registry.c -- finds and loads plugins, and keeps the table of their backends and front ends.
 *
 *     --plugin FILE                     in the order given
 *     LOOM_PLUGIN_PATH=/a:/b            every *.so in each folder, by name
 *     plugins/, backends/               beside the running binary
 *     ../lib/loom/{plugins,backends}    of an installed one
 *     built in                          the shipped ones, which need no file
 *
 * The first plugin of a kind and id is taken; a second one is left out with a warning that names
 * both. A file is read by the first front end with its ending. The shipped backends exist twice, as
 * files and built in: a built-in one of the same id and version is left out silently. A file that
 * is found twice is opened once.
 *
 * The current folder is never searched, neither as such nor by a relative or empty part of
 * LOOM_PLUGIN_PATH: running LOOM in a stranger's folder must not run a stranger's code.
 */
#include "host/plugin.h"

#include "host/guard.h"
#include "host/watch.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  const char *path;
  void *handle;
} Loaded;

struct Registry {
  Context *ctx;
  Arena *arena;
  Vec(PluginPart) parts;
  Vec(PluginSource) wanted; /* files to load, each once */
  Vec(Loaded) loaded;
  Vec(const char *) opened; /* real paths */
};

/* The folders of backends/: made by the build, BACKEND(name) a line. */
#define BACKEND(name) extern const loom_plugin loom_##name##_plugin;
#include "built_in.inc"
#undef BACKEND
#define BACKEND(name) &loom_##name##_plugin,
static const loom_plugin *const built_in[] = {
#include "built_in.inc"
};
#undef BACKEND

/* ---- one plugin ------------------------------------------------------------------------------ */

static const PluginPart *find_part(const Registry *registry, const char *kind, const char *id) {
  for (size_t i = 0; i < registry->parts.len; i++) {
    const PluginPart *part = &registry->parts.at[i];
    if (part->kind == kind && strcmp(part->id, id) == 0) return part;
  }
  return NULL;
}

static void add_part(Registry *registry, const PluginPart *part) {
  const PluginPart *first = find_part(registry, part->kind, part->id);
  if (!first) {
    vec_push(&registry->parts, *part);
    return;
  }
  if (!part->path && strcmp(first->version, part->version) == 0) return;
  diag_warning(registry->ctx, LOC_NONE, RT_PLUGIN_DUPLICATE,
               "%s %s is in both %s and %s; using the first", part->kind, part->id,
               first->path ? first->path : "LOOM itself", part->path ? part->path : "LOOM itself");
}

/* `path` is NULL where it is built in. */
static void add_plugin(Registry *registry, const PluginSource *source, const char *path,
                       const loom_plugin *plugin) {
  u32 n = 0;
  PluginPart *parts = NULL;
  if (!plugin_parts(source, plugin, registry->arena, &parts, &n)) return;
  for (u32 i = 0; i < n; i++) {
    parts[i].path = path;
    parts[i].abi_major = plugin->abi_major;
    parts[i].abi_minor = plugin->abi_minor;
    add_part(registry, &parts[i]);
  }
}

static char *keep_text(Registry *registry, const char *text) {
  return arena_copy(registry->arena, text, strlen(text) + 1);
}

static bool was_opened(Registry *registry, const char *path) {
  char *real = realpath(path, NULL);
  if (!real) return false; /* opening it reports why */
  bool known = false;
  for (size_t i = 0; i < registry->opened.len; i++)
    known = known || strcmp(registry->opened.at[i], real) == 0;
  if (!known) vec_push(&registry->opened, keep_text(registry, real));
  free(real);
  return known;
}

static void want_file(Registry *registry, const char *path, bool is_wanted) {
  if (was_opened(registry, path)) return;
  vec_push(&registry->wanted,
           ((PluginSource){registry->ctx, keep_text(registry, path), is_wanted}));
}

static void load_file(Registry *registry, const PluginSource *source, u32 i) {
  PluginLoaded loaded = {0};
  if (!plugin_may_load(source, registry->arena, &loaded)) return;
  watch_load(i);
  const loom_plugin *plugin = plugin_load(&loaded);
  guard_put_back();
  watch_show();
  if (plugin_is_one(source, &loaded, plugin)) add_plugin(registry, source, source->path, plugin);
  watch_loaded();
  if (loaded.handle) vec_push(&registry->loaded, ((Loaded){source->path, loaded.handle}));
}

/* Problems that an earlier copy of the process has reported are counted, but not printed again. */
static void load_or_report(Registry *registry, const PluginSource *source, u32 i) {
  char how[80];
  FILE *err = registry->ctx->err;
  WatchPast past = watch_past(i, how);
  if (past == WATCH_REPORTED || past == WATCH_DEAD_REPORTED) registry->ctx->err = NULL;
  if (past == WATCH_DEAD || past == WATCH_DEAD_REPORTED)
    plugin_complain(source, RT_PLUGIN_CRASH, "%s", how);
  else
    load_file(registry, source, i);
  registry->ctx->err = err;
}

/* Loads all files, in their order, in a copy of the process (watch.h). */
static void load_wanted(Registry *registry) {
  u32 n = (u32)registry->wanted.len;
  if (!n) return;
  guard_keep();
  bool is_watched = watch_begin(n);
  int error = errno;
  for (u32 i = 0; i < n; i++)
    if (is_watched)
      load_or_report(registry, &registry->wanted.at[i], i);
    else
      plugin_complain(&registry->wanted.at[i], RT_PLUGIN_FILE, "cannot be loaded: %s",
                      strerror(error));
  if (is_watched) watch_all_loaded();
}

/* ---- folders --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_plugin_name(const char *name) {
  size_t len = strlen(name);
  return name[0] != '.' && len > 3 && strcmp(name + len - 3, ".so") == 0;
}

/* Adds the plugins in a folder, by name. False, with errno set, where it cannot be read. */
static bool open_folder(Registry *registry, const char *folder) {
  DIR *dir = opendir(folder);
  Vec(char *) paths = {0};
  if (!dir) return false;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (!is_plugin_name(entry->d_name)) continue;
    vec_push(&paths, arena_printf(registry->arena, "%s/%s", folder, entry->d_name));
  }
  closedir(dir);
  if (paths.len) qsort(paths.at, paths.len, sizeof *paths.at, by_name);
  for (size_t i = 0; i < paths.len; i++) want_file(registry, paths.at[i], false);
  vec_free(&paths);
  return true;
}

static void open_plugin_path(Registry *registry) {
  const char *at = getenv("LOOM_PLUGIN_PATH");
  for (; at && *at; at += *at == ':') {
    size_t len = strcspn(at, ":");
    const char *folder = str_intern(registry->ctx, at, len)->text;
    at += len;
    if (*folder != '/')
      diag_warning(registry->ctx, LOC_NONE, RT_PLUGIN_PATH,
                   "LOOM_PLUGIN_PATH: '%s' is ignored: only absolute paths are searched", folder);
    else if (!open_folder(registry, folder))
      diag_warning(registry->ctx, LOC_NONE, RT_PLUGIN_PATH, "LOOM_PLUGIN_PATH: %s: %s", folder,
                   strerror(errno));
  }
}

static void open_beside_binary(Registry *registry) {
  static const char *const folders[] = {"plugins", "backends", "../lib/loom/plugins",
                                        "../lib/loom/backends"};
  char self[PATH_MAX];
  ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
  if (len <= 0) return;
  self[len] = '\0';
  char *slash = strrchr(self, '/');
  if (!slash) return;
  *slash = '\0';
  for (size_t i = 0; i < COUNT_OF(folders); i++) {
    char *real = realpath(arena_printf(registry->arena, "%s/%s", self, folders[i]), NULL);
    if (real) open_folder(registry, real); /* shown without ".." */
    free(real);
  }
}

static void add_built_in(Registry *registry) {
  PluginSource source = {registry->ctx, "LOOM itself", true};
  for (size_t i = 0; i < COUNT_OF(built_in); i++) add_plugin(registry, &source, NULL, built_in[i]);
}

/* ---- the registry ---------------------------------------------------------------------------- */

Registry *registry_open(Context *ctx, const char *const *plugins, u32 n) {
  Registry *registry = mem_alloc(sizeof *registry);
  registry->ctx = ctx;
  registry->arena = arena_new();
  for (u32 i = 0; i < n; i++) want_file(registry, plugins[i], true);
  open_plugin_path(registry);
  open_beside_binary(registry);
  load_wanted(registry);
  add_built_in(registry);
  return registry;
}

void registry_close(Registry *registry) {
  if (!registry) return;
  for (size_t i = registry->loaded.len; i-- > 0;) {
    guard_enter(registry->ctx, registry->loaded.at[i].path, "leave");
    dlclose(registry->loaded.at[i].handle);
    guard_leave();
  }
  watch_end();
  vec_free(&registry->wanted);
  vec_free(&registry->loaded);
  vec_free(&registry->opened);
  vec_free(&registry->parts);
  arena_free(registry->arena);
  mem_free(registry);
}

u32 registry_count(const Registry *registry) {
  return (u32)registry->parts.len;
}

const PluginPart *registry_at(const Registry *registry, u32 i) {
  return &registry->parts.at[i];
}

const PluginPart *registry_backend(const Registry *registry, const char *id) {
  for (size_t i = 0; i < registry->parts.len; i++) {
    const PluginPart *part = &registry->parts.at[i];
    if (part->backend && strcmp(part->id, id) == 0) return part;
  }
  return NULL;
}

static bool reads(const loom_frontend *frontend, const char *file) {
  size_t len = strlen(file);
  for (u32 i = 0; i < frontend->ending_count; i++) {
    size_t n = strlen(frontend->endings[i]);
    if (len > n && strcmp(file + len - n, frontend->endings[i]) == 0) return true;
  }
  return false;
}

const PluginPart *registry_frontend(const Registry *registry, const char *file) {
  for (size_t i = 0; i < registry->parts.len; i++) {
    const PluginPart *part = &registry->parts.at[i];
    if (part->frontend && reads(part->frontend, file)) return part;
  }
  return NULL;
}
