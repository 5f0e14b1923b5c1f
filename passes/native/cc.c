/* cc.c -- compiles C text with the system's compiler, and keeps the code in the user's cache.
 *
 *     ~/.cache/loom/                      mode 0700; $XDG_CACHE_HOME/loom where that is set
 *         2f09...c4.so                    a kernel, named by the hash of all its inputs
 *         tmp.x7Qa2f/kernel.c, kernel.so  one that is being compiled
 *
 * The compiler takes a tenth of a second, which pays off where a kernel runs for long, or often:
 * the second time its code is in the cache. The name hashes the C text, the flags, and the compiler
 * (path, size and date of its file), so a cached file is never stale.
 *
 * **Concurrent runs.** Each makes its kernel in a folder of its own and renames it into place, so a
 * named file is always complete, and a second run replaces it by an equal one.
 *
 * **Damaged files.** The shared object is followed by a trailer with the hash of all before it
 * (loaders ignore bytes behind the last section). A file that was truncated or changed does not
 * match, and is made again.
 *
 * **Security.** See tools.h. Where the cache cannot be used, the kernel is made in a temporary
 * folder, with the warning RT_CC_CACHE.
 *
 * **Size.** After each new kernel the least recently used ones are removed where there are more
 * than MAX_FILES, or most_bytes. Folders of killed runs are removed by the next compilation
 * (tools.h).
 */
#include "base/interrupt.h"
#include "native/code.h"
#include "native/tools.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WORDS = 32, MAX_FILES = 2000 };
static const u64 most_bytes = (u64)1 << 27;

static const char *const flags[] = {"-O2",
                                    "-std=c99",
                                    "-ffp-contract=off",
                                    "-fno-math-errno",
                                    "-fPIC",
                                    "-shared",
                                    "-w",
                                    "-DLOOM_NO_HEADERS=1",
                                    "-o",
                                    "kernel.so",
                                    "kernel.c",
                                    "-lm"};

typedef struct {
  Context *ctx;
  Arena *arena;
  char *words[MAX_WORDS]; /* the compiler and its first arguments, from LOOM_CC, CC or "cc" */
  u32 nwords;
  const char *program;  /* absolute */
  const char *identity; /* of the compiler */
  const char *cache;    /* folder; NULL: there is none */
  const char *kept;     /* path of the kernel in it */
  const char *work;     /* folder to compile in; NULL: not yet made */
} Compilation;

/* ---- the compiler ---------------------------------------------------------------------------- */

static void split_words(Compilation *m, const char *text) {
  char *copy = arena_copy(m->arena, text, strlen(text) + 1), *rest;
  m->nwords = 0;
  for (char *word = strtok_r(copy, " \t", &rest); word && m->nwords < MAX_WORDS;
       word = strtok_r(NULL, " \t", &rest))
    m->words[m->nwords++] = word;
}

/* Sets words and program; program is NULL where there is none. */
static void choose_compiler(Compilation *m) {
  static const char *const usual[] = {"cc", "gcc", "clang"};
  const char *named = tool_variable("LOOM_CC");
  if (!named) named = tool_variable("CC");
  if (named) split_words(m, named);
  if (m->nwords) m->program = tool_find(m->arena, m->words[0]);
  for (size_t i = 0; !m->nwords && i < COUNT_OF(usual); i++) {
    m->program = tool_find(m->arena, usual[i]);
    if (m->program || i + 1 == COUNT_OF(usual)) split_words(m, m->program ? usual[i] : usual[0]);
  }
}

bool native_has_compiler(void) {
  Compilation m = {.arena = arena_new()};
  choose_compiler(&m);
  arena_free(m.arena);
  return m.program != NULL;
}

static bool find_compiler(Compilation *m) {
  choose_compiler(m);
  if (!m->program) {
    diag(m->ctx, LOC_NONE, RT_CC_MISSING, "no C compiler found: '%s' is not %s", m->words[0],
         strchr(m->words[0], '/') ? "a program with an absolute path" : "in PATH");
    diag_hint(m->ctx, "install one (on Debian: apt-get install gcc), name one with LOOM_CC, or "
                      "use --engine jit, which needs none");
    return false;
  }
  struct stat about = {0};
  char *real = realpath(m->program, NULL);
  stat(m->program, &about);
  m->identity = arena_printf(m->arena, "%s %lld %lld.%09ld", real ? real : m->program,
                             (long long)about.st_size, (long long)about.st_mtim.tv_sec,
                             (long)about.st_mtim.tv_nsec);
  free(real);
  return true;
}

/* ---- the cache ------------------------------------------------------------------------------- */

static void name_kernel(Compilation *m, const Buf *text) {
  Buf key = {0};
  for (u32 i = 0; i < m->nwords; i++) buf_printf(&key, "%s\n", m->words[i]);
  for (size_t i = 0; i < COUNT_OF(flags); i++) buf_printf(&key, "%s\n", flags[i]);
  buf_printf(&key, "%s\n", m->identity);
  u64 a = hash_bytes(key.data, key.len, 1), b = hash_bytes(key.data, key.len, 2);
  buf_free(&key);
  a = hash_bytes(text->data, text->len, a);
  b = hash_bytes(text->data, text->len, b);
  m->kept = arena_printf(m->arena, "%s/%016llx%016llx.so", m->cache, (unsigned long long)a,
                         (unsigned long long)b);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool write_all(const char *path, int how, const void *data, size_t len) {
  int fd = open(path, O_WRONLY | O_CLOEXEC | how, 0600);
  if (fd < 0) return false;
  const char *at = data;
  while (len) {
    ssize_t n = write(fd, at, len);
    if (n <= 0) break;
    at += n, len -= (size_t)n;
  }
  return (close(fd) == 0) && len == 0;
}

typedef struct {
  char magic[8];
  u64 a, b; /* hashes of all before, with seeds 1 and 2 */
} Trailer;

static Trailer trailer_of(const void *data, size_t len) {
  Trailer t = {.a = hash_bytes(data, len, 1), .b = hash_bytes(data, len, 2)};
  memcpy(t.magic, "LOOM so", sizeof t.magic);
  return t;
}

static bool is_intact(int fd) {
  Buf all = {0};
  Trailer t, want;
  bool good = tool_read_file(fd, &all) && all.len > sizeof t;
  if (good) {
    memcpy(&t, all.data + all.len - sizeof t, sizeof t);
    want = trailer_of(all.data, all.len - sizeof t);
    good = memcmp(&t, &want, sizeof t) == 0;
  }
  buf_free(&all);
  return good;
}

static bool append_trailer(const char *path) {
  Buf all = {0};
  bool good = chmod(path, 0700) == 0 && tool_read(path, &all);
  Trailer t = trailer_of(all.data, all.len);
  good = good && write_all(path, O_APPEND, &t, sizeof t);
  buf_free(&all);
  return good;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* Runs the compiler in the working folder; its output goes to the file "said" there. */
static bool call_compiler(Compilation *m, const char *const *options, size_t noptions) {
  char **args = NEW_ARRAY(m->arena, char *, m->nwords + noptions + 1);
  u32 n = 0;
  args[n++] = (char *)m->program; /* gcc finds its parts relative to its own path */
  for (u32 i = 1; i < m->nwords; i++) args[n++] = m->words[i];
  for (size_t i = 0; i < noptions; i++) args[n++] = (char *)options[i];
  return tool_run(m->program, args, m->work) == 0;
}

/* Writes kernel.c in a working folder. False after a diagnostic. */
static bool write_source(Compilation *m, const Buf *text) {
  m->work = tool_work_folder(m->ctx, m->arena, m->cache);
  if (!m->work) return false;
  const char *source = arena_printf(m->arena, "%s/kernel.c", m->work);
  if (write_all(source, O_CREAT | O_EXCL, text->data, text->len)) return true;
  diag(m->ctx, LOC_NONE, RT_CC_CACHE, "cannot write %s: %s", source, strerror(errno));
  return false;
}

/* Makes kernel.so in a working folder. False after a diagnostic. */
static bool make_kernel(Compilation *m, const Buf *text) {
  if (!write_source(m, text)) return false;
  if (call_compiler(m, flags, COUNT_OF(flags))) return true;
  if (interrupt_came()) return false;
  const char *said = tool_said(m->arena, m->work);
  native_bad_code(m->ctx, m->words[0], text, *said ? said : "nothing\n");
  return false;
}

/* Loads the open file, so that the file checked is the file loaded. It stays open as long as it is
 * loaded: the name is that of the descriptor, and the loader takes files of one name for the same.
 * False, without a diagnostic, where it is no kernel. */
static bool load(Compilation *m, int fd, const char *path, Compiled *out) {
  out->fd = fd;
  out->library = dlopen(tool_path_of(m->arena, fd, path), RTLD_NOW | RTLD_LOCAL);
  out->info = out->library ? dlsym(out->library, "loom_kernel") : NULL;
  out->simulator = out->library ? dlsym(out->library, "loom_simulator") : NULL;
  if (out->info && out->info->abi == LOOM_KERNEL_ABI) return true;
  if (out->simulator && out->simulator->abi == LOOM_SIMULATOR_ABI) return true;
  cc_free(out);
  return false;
}

static void report_load(Compilation *m, int fd) {
  const char *why = fd < 0 ? strerror(errno) : dlerror();
  const char *colon = why && *why == '/' ? strstr(why, ": ") : NULL; /* behind the path */
  if (colon) why = colon + 2;
  diag(m->ctx, LOC_NONE, RT_CC_LOAD, "cannot load the output of '%s': %s", m->words[0],
       why ? why : "it has no loom_kernel");
  diag_hint(m->ctx, "the compiler must generate code for this machine; set LOOM_CC to use another");
}

static bool find_kept(Compilation *m, Compiled *out) {
  int fd = tool_open_own(m->kept);
  if (fd < 0) return false;
  if (!is_intact(fd)) {
    close(fd);
    return false;
  }
  if (!load(m, fd, m->kept, out)) return false;
  futimens(fd, NULL); /* used now */
  out->cached = true;
  out->kept = str_of(m->ctx, m->kept)->text;
  return true;
}

static bool compile(Compilation *m, const Buf *text, Compiled *out) {
  if (!find_compiler(m)) return false;
  m->cache = tool_cache(m->ctx, m->arena);
  if (m->cache) {
    name_kernel(m, text);
    if (find_kept(m, out)) return true;
  }
  if (!make_kernel(m, text)) return false;
  const char *made = arena_printf(m->arena, "%s/kernel.so", m->work);
  bool sealed = m->cache && append_trailer(made);
  int fd = tool_open(made);
  if (fd < 0 || !load(m, fd, made, out)) {
    report_load(m, fd);
    return false;
  }
  if (sealed && rename(made, m->kept) == 0) {
    out->kept = str_of(m->ctx, m->kept)->text;
    tool_trim_cache(m->cache, "", ".so", MAX_FILES, most_bytes);
  }
  return true;
}

bool cc_compile(Context *ctx, const Buf *text, Compiled *out) {
  Compilation m = {.ctx = ctx, .arena = arena_new()};
  *out = (Compiled){0};
  const char *before = interrupt_while("a C compiler was running");
  interrupt_hold();
  bool good = compile(&m, text, out);
  if (m.work) tool_remove(m.work);
  interrupt_release();
  interrupt_while(before);
  arena_free(m.arena);
  return good;
}

const char *cc_make_object(Context *ctx, Arena *arena, const Buf *text, const char *const *options,
                           u32 n, const char **why) {
  static const char *const own[] = {
      "-O2", "-ffp-contract=off", "-fcx-limited-range", "-fPIC", "-shared", "-w", "-Wl,-Bsymbolic",
      "-o",  "kernel.so",         "kernel.c",           "-lm"};
  Compilation m = {.ctx = ctx, .arena = arena};
  const char **args = NEW_ARRAY(arena, const char *, n + COUNT_OF(own));
  const char *before = interrupt_while("a C compiler was running");
  for (u32 i = 0; i < n; i++) args[i] = options[i];
  for (size_t i = 0; i < COUNT_OF(own); i++) args[n + i] = own[i];
  choose_compiler(&m);
  interrupt_hold();
  QuietScope quiet = diag_quiet(ctx);
  bool is_written = m.program && write_source(&m, text);
  bool good = is_written && call_compiler(&m, args, n + COUNT_OF(own));
  diag_quiet_end(ctx, &quiet);
  *why = !m.program    ? "no C compiler found"
         : !is_written ? "no folder to compile it in"
         : !good       ? "the C compiler rejects the file"
                       : NULL;
  if (!good && m.work) tool_remove(m.work);
  interrupt_release();
  interrupt_while(before);
  return good ? m.work : NULL;
}

void cc_free(Compiled *code) {
  if (code->library) dlclose(code->library);
  if (code->fd > STDERR_FILENO) close(code->fd); /* 0: there is none */
  *code = (Compiled){0};
}
