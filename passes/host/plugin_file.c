/* plugin_file.c -- from the path of a shared object to its entry.
 *
 * The system's loader maps a file as its headers say and believes them: of a file that was cut off
 * it reads past the end and dies. So the headers are read here first: is it ELF, for this machine,
 * a shared object, and does every part it announces lie inside the file? What remains (bytes
 * flipped in the middle) is code that was asked for by name, and is watched (watch.h).
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
  char few[400];
  va_list args;
  va_start(args, format);
  vsnprintf(few, sizeof few, format, args);
  va_end(args);
  buf_printf(&text, "%s %s", source->path, few);
  if (source->is_wanted)
    diag(source->ctx, LOC_NONE, code, "%s", text.data);
  else
    diag_warning(source->ctx, LOC_NONE, code, "%s", text.data);
  buf_free(&text);
}

/* ---- headers --------------------------------------------------------------------------------- */

static bool read_at(int fd, void *data, size_t len, u64 offset) {
  return pread(fd, data, len, (off_t)offset) == (ssize_t)len;
}

/* The header of the running program: plugins must be for the same machine. */
static bool own_header(ElfW(Ehdr) * header) {
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool good = fd >= 0 && read_at(fd, header, sizeof *header, 0);
  if (fd >= 0) close(fd);
  return good;
}

static bool same_machine(const ElfW(Ehdr) * a, const ElfW(Ehdr) * b) {
  return a->e_ident[EI_CLASS] == b->e_ident[EI_CLASS] &&
         a->e_ident[EI_DATA] == b->e_ident[EI_DATA] && a->e_machine == b->e_machine;
}

/* True where every part that the loader will map lies inside the file. */
static bool is_whole(int fd, const ElfW(Ehdr) * header, u64 size) {
  bool has_dynamic = false;
  if (header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phnum == 0) return false;
  for (unsigned i = 0; i < header->e_phnum; i++) {
    ElfW(Phdr) part;
    u64 at = header->e_phoff + (u64)i * sizeof part;
    if (at < header->e_phoff || !read_at(fd, &part, sizeof part, at)) return false;
    if (part.p_type != PT_LOAD && part.p_type != PT_DYNAMIC) continue;
    if (part.p_offset > size || part.p_filesz > size - part.p_offset) return false;
    has_dynamic = has_dynamic || part.p_type == PT_DYNAMIC;
  }
  return has_dynamic;
}

static bool looks_right(const PluginSource *source, int fd) {
  struct stat info;
  ElfW(Ehdr) header, own;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    plugin_complain(source, RT_PLUGIN_FILE, "is not a file");
    return false;
  }
  if (!read_at(fd, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    plugin_complain(source, RT_PLUGIN_FILE, "is not a shared object");
    return false;
  }
  if (own_header(&own) && !same_machine(&header, &own)) {
    plugin_complain(source, RT_PLUGIN_MACHINE, "was built for another machine");
    return false;
  }
  if (header.e_type != ET_DYN) {
    plugin_complain(source, RT_PLUGIN_FILE, "is %s, not a shared object: link it with -shared",
                    header.e_type == ET_REL ? "an object file" : "a program");
    return false;
  }
  if (!is_whole(fd, &header, (u64)info.st_size)) {
    plugin_complain(source, RT_PLUGIN_FILE, "is damaged: it ends before what it announces");
    return false;
  }
  return true;
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
