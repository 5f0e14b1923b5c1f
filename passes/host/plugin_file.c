/* plugin_file.c -- from the path of a shared object to its entry.
 *
 * What is wrong with a file is for the system's loader to say, with one exception: of a library for
 * another processor it says that there is no such file. A file that was cut off kills the loader,
 * which maps what the headers announce and reads past the end; so does code that crashes when it is
 * loaded, and both are survived and reported in the same way (watch.h).
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

extern const ElfW(Ehdr) __ehdr_start; /* of the running program: made by the linker */

static bool looks_right(const PluginSource *source, int fd) {
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
    plugin_complain(source, RT_PLUGIN_MACHINE, "was built for another machine");
  else
    return true;
  return false;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* What the loader says, without the path before it. */
static const char *loader_says(const char *path) {
  const char *said = dlerror();
  size_t len = strlen(path);
  if (!said) return "the loader does not say why";
  return strncmp(said, path, len) == 0 && said[len] == ':' ? said + len + 2 : said;
}

bool plugin_may_load(const PluginSource *source, Arena *arena, PluginLoaded *loaded) {
  const char *why = trust_problem(arena, source->path, &loaded->real);
  int fd = open(loaded->real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    plugin_complain(source, RT_PLUGIN_FILE, "cannot be opened: %s", strerror(errno));
    return false;
  }
  bool good = looks_right(source, fd);
  close(fd);
  if (good && why) plugin_complain(source, RT_PLUGIN_TRUST, "is not loaded: %s", why);
  return good && !why;
}

/* By the real path, not by a descriptor: with $ORIGIN a plugin finds libraries beside it. */
const loom_plugin *plugin_load(PluginLoaded *loaded) {
  loaded->handle = dlopen(loaded->real, RTLD_NOW | RTLD_LOCAL);
  loaded->why = loaded->handle ? NULL : loader_says(loaded->real);
  return loaded->handle ? dlsym(loaded->handle, "loom_plugin_entry") : NULL;
}

bool plugin_is_one(const PluginSource *source, const PluginLoaded *loaded,
                   const loom_plugin *plugin) {
  if (plugin) return true;
  if (loaded->handle)
    plugin_complain(source, RT_PLUGIN_ENTRY, "is no plugin: it does not export loom_plugin_entry");
  else
    plugin_complain(source, RT_PLUGIN_FILE, "cannot be loaded: %s", loaded->why);
  return false;
}
