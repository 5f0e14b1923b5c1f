/* plugin_file.c -- from the path of a shared object to its entry.
 *
 * The system's loader maps a file as its headers say and believes them: of a file that was cut off
 * it reads past the end and dies. So the headers are read here first: is it ELF, for this machine,
 * a shared object, and does every part it announces lie inside the file? What remains (bytes
 * flipped in the middle) is code that was asked for by name and runs guarded.
 */
#include "host/plugin.h"

#include "base/interrupt.h"
#include "host/guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  SECONDS_TO_LOAD = 10,
  CAME_BACK = 61 /* the rehearsal's exit status: code that calls exit says another one */
};

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
  if (strncmp(said, "./", 2) == 0 && strncmp(path, "./", 2) != 0) said += 2; /* we put it there */
  return strncmp(said, path, len) == 0 && said[len] == ':' ? said + len + 2 : said;
}

/* The loader searches for a name without a slash; this is always a path. */
static void *load(const char *path) {
  Buf full = {0};
  buf_printf(&full, "%s%s", strchr(path, '/') ? "" : "./", path);
  void *handle = dlopen(full.data, RTLD_NOW | RTLD_LOCAL);
  buf_free(&full);
  return handle;
}

/* In a process of its own: everything that LOOM will do before it calls a backend. */
NORETURN static void rehearse(const PluginSource *source) {
  int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  alarm(SECONDS_TO_LOAD);
  mem_never_fails();
  void *handle = load(source->path);
  const loom_plugin *plugin = handle ? dlsym(handle, "loom_plugin_entry") : NULL;
  u32 n;
  Arena *arena = arena_new();
  if (plugin) plugin_backends(source, plugin, arena, &n);
  arena_free(arena); /* for those who look for leaks: they change the exit status */
  if (handle) dlclose(handle);
  _exit(CAME_BACK);
}

/* The system's loader ends the program when it meets what it did not expect, and so may code that
 * runs when a plugin is loaded. So another process goes first. */
static bool comes_back(const PluginSource *source) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    interrupt_forget();
    rehearse(source);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  bool has_ended = child > 0 && WIFEXITED(status);
  if (child < 0 || (has_ended && WEXITSTATUS(status) == CAME_BACK)) return true;
  if (has_ended)
    plugin_complain(source, RT_PLUGIN_CRASH,
                    "ends the program when it is loaded, with exit status %d", WEXITSTATUS(status));
  else
    plugin_complain(source, RT_PLUGIN_CRASH, "%s when it is loaded",
                    WTERMSIG(status) == SIGALRM ? "does not come back" : "crashes");
  return false;
}

const loom_plugin *plugin_open(const PluginSource *source, void **handle) {
  int fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    plugin_complain(source, RT_PLUGIN_FILE, "cannot be opened: %s", strerror(errno));
    return NULL;
  }
  bool good = looks_right(source, fd);
  close(fd);
  if (!good || !comes_back(source)) return NULL;
  *handle = load(source->path);
  if (!*handle) {
    plugin_complain(source, RT_PLUGIN_FILE, "cannot be loaded: %s", loader_says(source->path));
    return NULL;
  }
  const loom_plugin *plugin = dlsym(*handle, "loom_plugin_entry");
  if (plugin) return plugin;
  plugin_complain(source, RT_PLUGIN_ENTRY, "is no plugin: it does not export loom_plugin_entry");
  dlclose(*handle);
  return NULL;
}
