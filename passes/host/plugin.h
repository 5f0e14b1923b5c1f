/* plugin.h -- loading one plugin. Private to passes/host.
 *
 * A file and its tables are checked before they are used, in this order, each failure with its own
 * code:
 *
 *     plugin_file.c    it is a shared object, whole, for this machine; it loads; it has an entry
 *     plugin_table.c   same major version; every struct large enough, every name and default right
 *
 * The tables of a plugin may be shorter than ours (an older header) or longer (a newer one). They
 * are copied into structs of our own size, with zeros for fields that the plugin does not have, so
 * that the rest of LOOM need not ask LOOM_HAS.
 */
#ifndef LOOM_HOST_PLUGIN_H
#define LOOM_HOST_PLUGIN_H

#include "host/host.h"

/* Bytes of a public struct up to the end of a field. */
#define UP_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* A file with a plugin. Problems are errors if the user named it, warnings if it was found. */
typedef struct {
  Context *ctx;
  const char *path; /* as it is shown */
  bool is_wanted;
} PluginSource;

PRINTF_LIKE(3, 4)
void plugin_complain(const PluginSource *source, Code code, const char *format, ...);

/* A shared object that was loaded; closed with dlclose when nothing of it is used any more. */
typedef struct {
  const char *real; /* the path without links that was checked, and is loaded */
  void *handle;     /* NULL: it was not loaded */
  const char *why;  /* the loader's message then */
} PluginLoaded;

/* Is the file a shared object that can be trusted? Sets loaded->real, in the arena. False after a
 * complaint. */
bool plugin_may_load(const PluginSource *source, Arena *arena, PluginLoaded *loaded);
/* Loads it, which runs its constructors; returns its entry, or NULL. Reports nothing. */
const loom_plugin *plugin_load(PluginLoaded *loaded);
/* False, after a complaint, where it was not loaded or has no entry. */
bool plugin_is_one(const PluginSource *source, const PluginLoaded *loaded,
                   const loom_plugin *plugin);

/* Checks the tables of a plugin, and copies its backends and front ends to `parts`, in the arena,
 * without path and ABI. False after a complaint. */
bool plugin_parts(const PluginSource *source, const loom_plugin *plugin, Arena *arena,
                  PluginPart **parts, u32 *n);

#endif
