/* plugin_file.c -- loads the shared object of a path, and finds its plugin entry.
 *
 * Most errors of a file are those of the system's loader. Only the ELF header is checked here, as
 * the loader reports a library for another processor as a missing file. A truncated file kills the
 * loader, which maps the segments of the headers and reads past the end; that, and constructors
 * that crash, are survived and reported by the parent process (watch.h).
 */
#include "host/plugin.h"

#include "host/trust.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

void plugin_complain(const PluginSource *source, Code code, const char *format, ...) {
  Buf text = {0};
  va_list args;
  va_start(args, format);
  buf_printf(&text, "%s ", source->path);
  buf_vprintf(&text, format, args);
  va_end(args);
  (source->is_wanted ? diag : diag_warning)(source->ctx, LOC_NONE, code, "%s", text.data);
  buf_free(&text);
}

/* ---- the header ------------------------------------------------------------------------------ */

extern const ElfW(Ehdr) __ehdr_start; /* of the running program: defined by the linker */

/* Is it an ELF file for this machine? Else false, after a complaint. */
static bool has_own_header(const PluginSource *source, int fd) {
  const ElfW(Ehdr) *own = &__ehdr_start;
  ElfW(Ehdr) header;
  struct stat info;
  bool is_file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (!is_file)
    plugin_complain(source, RT_PLUGIN_FILE, "is not a file");
  else if (pread(fd, &header, sizeof header, 0) != sizeof header ||
           memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    plugin_complain(source, RT_PLUGIN_FILE, "is not a shared object");
  else if (memcmp(header.e_ident, own->e_ident, EI_VERSION) != 0 ||
           header.e_machine != own->e_machine)
    plugin_complain(source, RT_PLUGIN_MACHINE, "was built for another architecture");
  else
    return true;
  return false;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* The message of the loader, without the path before it. */
static const char *loader_message(const char *path) {
  const char *message = dlerror();
  size_t len = strlen(path);
  if (!message) return "the loader reports no reason";
  return strncmp(message, path, len) == 0 && message[len] == ':' ? message + len + 2 : message;
}

bool plugin_may_load(const PluginSource *source, Arena *arena, PluginLoaded *loaded) {
  const char *why = trust_problem(arena, source->path, &loaded->real);
  int fd = open(loaded->real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    plugin_complain(source, RT_PLUGIN_FILE, "cannot be opened: %s", strerror(errno));
    return false;
  }
  bool good = has_own_header(source, fd);
  close(fd);
  if (good && why) plugin_complain(source, RT_PLUGIN_TRUST, "is not loaded: %s", why);
  return good && !why;
}

/* Loads by the real path, not by a descriptor, so that $ORIGIN finds libraries beside a plugin. */
const loom_plugin *plugin_load(PluginLoaded *loaded) {
  loaded->handle = dlopen(loaded->real, RTLD_NOW | RTLD_LOCAL);
  loaded->why = loaded->handle ? NULL : loader_message(loaded->real);
  return loaded->handle ? dlsym(loaded->handle, "loom_plugin_entry") : NULL;
}

bool plugin_is_one(const PluginSource *source, const PluginLoaded *loaded,
                   const loom_plugin *plugin) {
  if (plugin) return true;
  if (loaded->handle)
    plugin_complain(source, RT_PLUGIN_ENTRY,
                    "is not a plugin: it does not export loom_plugin_entry");
  else
    plugin_complain(source, RT_PLUGIN_FILE, "cannot be loaded: %s", loaded->why);
  return false;
}
