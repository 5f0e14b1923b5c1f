/* plugin.h -- loading one plugin. Private to passes/host.
 *
 * What a file claims is checked before it is used, in this order, each failure with its own code:
 *
 *     plugin_file.c    it is a shared object, whole, for this machine; it loads; it has an entry
 *     plugin_table.c   same major version; every struct large enough, every name and default right
 *
 * The tables of a plugin may be shorter than ours (an older header) or longer (a newer one). What
 * comes out is a copy in structs of our own size, with zeros for what the plugin does not have, so
 * that nothing behind this point asks LOOM_HAS.
 */
#ifndef LOOM_HOST_PLUGIN_H
#define LOOM_HOST_PLUGIN_H

#include "host/host.h"

/* Bytes of a public struct up to the end of a field. */
#define UP_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* How trouble with a plugin is reported: an error of one that was asked for, a warning of one
 * found. */
typedef struct {
  Context *ctx;
  const char *path; /* as it is shown */
  bool is_wanted;
} PluginSource;

PRINTF_LIKE(3, 4)
void plugin_complain(const PluginSource *source, Code code, const char *format, ...);

/* A shared object that was loaded; closed with dlclose when nothing of it is used any more. */
typedef struct {
  const char *real; /* what was looked at, and is loaded: its path without links */
  void *handle;     /* NULL: it was not */
  const char *why;  /* then */
} PluginLoaded;

/* Is there a shared object that can be trusted? Its real path, in the arena. False after a
 * complaint. */
bool plugin_may_load(const PluginSource *source, Arena *arena, PluginLoaded *loaded);
/* Loads that, which runs code of it; its entry, or NULL. Says nothing. */
const loom_plugin *plugin_load(PluginLoaded *loaded);
/* False, after a complaint, where it is none. */
bool plugin_is_one(const PluginSource *source, const PluginLoaded *loaded,
                   const loom_plugin *plugin);

/* Checks a plugin's tables and copies what it offers into the arena: one of `parts` each, without
 * path and ABI. False after a complaint. */
bool plugin_parts(const PluginSource *source, const loom_plugin *plugin, Arena *arena,
                  PluginPart **parts, u32 *n);

#endif
