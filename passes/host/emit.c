/* emit.c -- runs a backend on a design, and turns its streams into files; and runs a front end on a
 * source, whose few streams stay in memory.
 *
 *     options   checked against the backend's own table before it runs
 *     requires  the design must have every extension that the backend requires, else it is not run
 *     create, emit, destroy
 *     streams   gathered by name; they become files only after all steps have succeeded
 *
 * A stream is a growing buffer. Past a megabyte it moves into a nameless file in the folder of the
 * output, which the system deletes however this process ends, so a backend may write more than fits
 * in memory, and a crash leaves nothing behind. At the end all streams get temporary names, and
 * then are renamed (files_write): a reader sees old files or new ones, and none of a backend that
 * failed.
 *
 * Stream names come from foreign code and become paths, so a name has one spelling and stays in
 * the folder (file_path_problem): parts joined by single slashes, none of them "." or "..", no
 * control bytes. Writing to the same name again appends. A name that is also the folder of another
 * ("a" and "a/b") is refused.
 *
 * Requires a backend whose tables the registry has checked. The backend runs with the rights of the
 * user: nothing prevents it from breaking its contract. A crash is reported by name (guard.h).
 */
#include "host/design.h"

#include "base/options.h"
#include "host/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
  SPILL_AT = 1 << 20, /* bytes of a stream before it goes to a nameless file */
  MANY_STREAMS = 64,  /* beyond, streams spill earlier */
  SPARE_FILES = 56,   /* descriptors that are not used for streams */
  ALIGNMENT = 16      /* of memory from alloc */
};

#define IS_FOLDER UINT64_MAX /* in stream_of_name: the folder of a stream */

typedef struct {
  const Str *name;
  Buf text;        /* not yet in the file */
  int fd;          /* of the nameless file; -1: none */
  size_t spill_at; /* bytes in `text` at which it moves to the file */
} EmitStream;

/* `table` comes first: the backend gets a pointer to it. */
typedef struct {
  loom_host table;
  Context *ctx;
  PluginPart part;
  const loom_design *design; /* of a backend */
  Translation *into;         /* of a front end */
  const EmitOption *options;
  u32 noptions;
  EmitSink sink;
  Arena *arena;
  Vec(EmitStream) streams;
  Map stream_of_name;        /* by id of the Str */
  size_t last;               /* the stream of the last write */
  u32 spilled, most_spilled; /* streams with a nameless file, and the most there may be */
  bool has_failed;           /* an error was reported, by the plugin or about a call of it */
  bool cannot_write;         /* a nameless file could not be written */
  bool is_open;              /* create or emit is running */
} Host;

static Host *host_of(const loom_host *table) {
  return (Host *)(uintptr_t)table;
}

/* ---- options --------------------------------------------------------------------------------- */

static const loom_option *find_option(const PluginPart *part, const char *name, size_t len) {
  for (u32 i = 0; i < part->option_count; i++) {
    const loom_option *option = part->options[i];
    if (strlen(option->name) == len && memcmp(option->name, name, len) == 0) return option;
  }
  return NULL;
}

bool emit_option_fits(const loom_option *option, const char *value) {
  switch (option->type) {
  case LOOM_FLAG: return strcmp(value, "0") == 0 || strcmp(value, "1") == 0;
  case LOOM_INT: {
    const char *digits = value + (*value == '-');
    if (!*digits || digits[strspn(digits, "0123456789")]) return false;
    errno = 0;
    (void)strtoll(value, NULL, 10);
    return errno == 0;
  }
  case LOOM_TEXT: return true;
  case LOOM_CHOICE:
    for (const char *at = option->choices; *at; at += strspn(at, "|")) {
      size_t len = strcspn(at, "|");
      if (strlen(value) == len && memcmp(value, at, len) == 0) return true;
      at += len;
    }
    return false;
  }
  return false;
}

/* What stands in front of the name of an option of a backend or a front end. */
static const char *dashes_of(const PluginPart *part) {
  return part->frontend ? "--read " : "--";
}

static int wrong_value(const char *command, const PluginPart *part, const loom_option *option,
                       const char *value) {
  Buf wants = {0};
  switch (option->type) {
  case LOOM_FLAG: buf_str(&wants, "0 or 1"); break;
  case LOOM_INT: buf_str(&wants, "a number"); break;
  case LOOM_TEXT: buf_str(&wants, "a string"); break;
  case LOOM_CHOICE:
    for (const char *at = option->choices; *at; at++)
      *at == '|' ? buf_str(&wants, strchr(at + 1, '|') ? ", " : " or ") : buf_char(&wants, *at);
  }
  int status = wrong_call(command, "%s%s expects %s, but got '%s'", dashes_of(part), option->name,
                          wants.data, value);
  buf_free(&wants);
  return status;
}

static int no_such_option(Context *ctx, const char *command, const PluginPart *part,
                          const char *word, size_t len) {
  const char **names = NEW_ARRAY(ctx->arena, const char *, part->option_count);
  for (u32 i = 0; i < part->option_count; i++)
    names[i] = str_printf(ctx, "%s%s", dashes_of(part), part->options[i]->name)->text;
  word = str_printf(ctx, "%s%.*s", dashes_of(part), (int)len - 2, word + 2)->text;
  return wrong_call(command, "unknown option '%s' of %s %s%s", word, part->kind, part->id,
                    suggestion(ctx, word, names, part->option_count));
}

int emit_options_read(Context *ctx, const char *command, const PluginPart *part,
                      const char *const *words, u32 n, EmitOptions *options) {
  for (u32 i = 0; i < n; i++) {
    const char *word = words[i];
    if (strncmp(word, "--", 2) != 0 || !word[2])
      return wrong_call(command, "%s %s expects only options (--NAME=VALUE), but got '%s'",
                        part->kind, part->id, word);
    const char *name = word + 2;
    size_t len = strcspn(name, "=");
    const loom_option *option = find_option(part, name, len);
    if (!option) return no_such_option(ctx, command, part, word, len + 2);
    const char *value = "1";
    if (name[len])
      value = name + len + 1;
    else if (option->type != LOOM_FLAG && (part->frontend || ++i == n))
      return wrong_call(command, "%s%s requires a value", dashes_of(part), option->name);
    else if (option->type != LOOM_FLAG)
      value = words[i];
    if (!emit_option_fits(option, value)) return wrong_value(command, part, option, value);
    vec_push(options, ((EmitOption){option->name, value}));
  }
  return EXIT_GOOD;
}

/* ---- the functions of loom_host -------------------------------------------------------------- */

/* A call that violates the interface makes the emit fail, whatever status the backend returns. */
PRINTF_LIKE(2, 3) static void refuse_call(Host *host, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *problem = str_vprintf(host->ctx, format, args)->text;
  va_end(args);
  diag(host->ctx, LOC_NONE, RT_EMIT_CALL, "%s %s %s", host->part.kind, host->part.id, problem);
  host->has_failed = true;
}

static void *host_alloc(const loom_host *table, size_t bytes) {
  Host *host = host_of(table);
  if (bytes > PTRDIFF_MAX - ALIGNMENT) {
    refuse_call(host, "requested %zu bytes of memory, which cannot exist", bytes);
    mem_too_large();
  }
  uintptr_t at = (uintptr_t)arena_alloc(host->arena, bytes + ALIGNMENT - 1);
  return (void *)((at + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
}

static void report(Host *host, enum loom_severity severity, Loc loc, const char *code,
                   const char *message) {
  if (!message) {
    refuse_call(host, "reported a diagnostic without a message");
    return;
  }
  if ((unsigned)severity > LOOM_FAILURE) {
    refuse_call(host, "reported a diagnostic of unknown severity %d: %.120s", (int)severity,
                message);
    return;
  }
  if (severity == LOOM_FAILURE) host->has_failed = true;
  diag_foreign(host->ctx,
               severity == LOOM_FAILURE   ? DIAG_ERROR
               : severity == LOOM_WARNING ? DIAG_WARNING
                                          : DIAG_NOTE,
               loc, code, message);
}

static void host_diag(const loom_host *table, enum loom_severity severity, const char *code,
                      u32 node, const char *message) {
  Host *host = host_of(table);
  const Dfg *dfg = host->design ? host->design->dfg : NULL;
  report(host, severity, dfg && node < dfg->nnodes ? dfg->nodes[node].loc : LOC_NONE, code,
         message);
}

/* loom.places/1. Reads the file, if it was not read before, to show the line. */
static void host_diag_at(const loom_host *table, enum loom_severity severity, const char *code,
                         const char *file, u32 line, u32 column, const char *message) {
  Host *host = host_of(table);
  Loc loc = file ? source_at(host->ctx, file, line, column) : LOC_NONE;
  if (file && !loc) {
    QuietScope quiet = diag_quiet(host->ctx);
    if (source_read(host->ctx, file)) loc = source_at(host->ctx, file, line, column);
    diag_quiet_end(host->ctx, &quiet);
  }
  report(host, severity, loc, code, message);
}

static const loom_places places = {sizeof places, host_diag_at};

static const char *host_option(const loom_host *table, const char *name) {
  const Host *host = host_of(table);
  for (u32 i = host->noptions; i-- > 0;) /* the last one given applies */
    if (strcmp(host->options[i].name, name) == 0) return host->options[i].value;
  const loom_option *option = find_option(&host->part, name, strlen(name));
  return option ? option->fallback : NULL;
}

static const void *host_extension(const loom_host *table, const char *id) {
  const Host *host = host_of(table);
  if (strcmp(id, "loom.folder/1") == 0) return host->sink.dir;
  if (host->design) return design_extension(host->design, id);
  return strcmp(id, "loom.places/1") == 0 ? &places : NULL;
}

/* ---- streams --------------------------------------------------------------------------------- */

static EmitStream *refuse_stream(Host *host, const char *name, const char *why) {
  diag(host->ctx, LOC_NONE, RT_EMIT_STREAM, "%s %s cannot write a stream '%.60s': %s",
       host->part.kind, host->part.id, name, why);
  host->has_failed = true;
  return NULL;
}

/* Marks a name as the folder of a stream. False where a stream has that name. */
static bool mark_folder(Host *host, const Str *folder) {
  u64 at;
  if (map_get(&host->stream_of_name, folder->id, &at)) return at == IS_FOLDER;
  map_put(&host->stream_of_name, folder->id, IS_FOLDER);
  return true;
}

static EmitStream *new_stream(Host *host, const Str *name) {
  const char *why = file_path_problem(name->text);
  if (!why && !host->sink.dir && host->streams.len)
    why = "standard output takes one file only; name a folder with -o";
  for (const char *at = name->text; !why && (at = strchr(at, '/')); at++)
    if (!mark_folder(host, str_intern(host->ctx, name->text, (size_t)(at - name->text))))
      why = "a file cannot be the folder of another one";
  if (why) return refuse_stream(host, name->text, why);
  EmitStream stream = {.name = name, .fd = -1, .spill_at = SPILL_AT};
  if (host->streams.len > MANY_STREAMS) stream.spill_at /= 16; /* bounds the memory of all */
  host->last = host->streams.len;
  map_put(&host->stream_of_name, name->id, host->last);
  vec_push(&host->streams, stream);
  return &vec_last(&host->streams);
}

static EmitStream *find_stream(Host *host, const char *text) {
  u64 at;
  if (host->streams.len && strcmp(host->streams.at[host->last].name->text, text) == 0)
    return &host->streams.at[host->last];
  const Str *name = str_of(host->ctx, text);
  if (!map_get(&host->stream_of_name, name->id, &at)) return new_stream(host, name);
  if (at == IS_FOLDER)
    return refuse_stream(host, text, "a file cannot be the folder of another one");
  host->last = (size_t)at;
  return &host->streams.at[at];
}

/* How many nameless files there may be: the limit of open files, raised as far as possible. */
static u32 most_spilled(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  struct rlimit wanted = limit;
  wanted.rlim_cur =
      limit.rlim_max == RLIM_INFINITY || limit.rlim_max > 65536 ? 65536 : limit.rlim_max;
  if (wanted.rlim_cur > limit.rlim_cur && setrlimit(RLIMIT_NOFILE, &wanted) == 0) limit = wanted;
  if (limit.rlim_cur > 65536) return 65536;
  return limit.rlim_cur > SPARE_FILES ? (u32)limit.rlim_cur - SPARE_FILES : 0;
}

/* Moves a stream's buffer into its nameless file; keeps it in memory where there can be no file.
 * False after a diagnostic. */
static bool spill(Host *host, EmitStream *stream) {
  if (stream->fd < 0 && host->spilled < host->most_spilled) {
    stream->fd = file_nameless(host->sink.dir);
    host->spilled += stream->fd >= 0;
  }
  if (stream->fd < 0) {
    stream->spill_at *= 2;
    return true;
  }
  if (file_append(stream->fd, stream->text.data, stream->text.len)) {
    stream->text.len = 0;
    return true;
  }
  diag(host->ctx, LOC_NONE, COMP_FILE_WRITE, "cannot write %s/%s: %s", host->sink.dir,
       stream->name->text, strerror(errno));
  host->has_failed = host->cannot_write = true;
  return false;
}

/* Pieces have at most SPILL_AT bytes: where a backend gives a size larger than its data, reading
 * that faults (guard.h), before much memory is allocated. */
static void put_piece(Host *host, EmitStream *stream, const char *data, size_t bytes) {
  if (!host->sink.dir) {
    buf_put(host->sink.text, data, bytes);
    return;
  }
  buf_put(&stream->text, data, bytes);
  if (stream->text.len >= stream->spill_at) spill(host, stream);
}

/* The buffer of a translation for a stream; NULL after a diagnostic. */
static Buf *text_of_stream(Host *host, const char *name) {
  Translation *t = host->into;
  if (strcmp(name, "kernel.mlir") == 0) return &t->kernel;
  if (strcmp(name, "native.c") == 0) return &t->native;
  if (strcmp(name, "native.flags") == 0) return &t->flags;
  refuse_stream(host, name, "a front end may write only kernel.mlir, native.c and native.flags");
  return NULL;
}

static int host_write(const loom_host *table, const char *name, const void *data, size_t bytes) {
  Host *host = host_of(table);
  if (!host->is_open)
    refuse_call(host, "wrote to '%.60s' after emit had returned; nothing was written", name);
  if (bytes > PTRDIFF_MAX)
    refuse_call(host, "wrote %zu bytes to '%.60s', more than memory can hold", bytes, name);
  if (host->has_failed) return LOOM_ERROR;
  if (host->into) {
    Buf *text = text_of_stream(host, name);
    if (text) buf_put(text, data, bytes);
    return text ? LOOM_OK : LOOM_ERROR;
  }
  EmitStream *stream = find_stream(host, name);
  if (!stream) return LOOM_ERROR;
  const char *at = data;
  for (size_t left = bytes; left && !host->has_failed;) {
    size_t piece = left < SPILL_AT ? left : SPILL_AT;
    put_piece(host, stream, at, piece);
    at += piece, left -= piece;
  }
  return host->has_failed ? LOOM_ERROR : LOOM_OK;
}

static void make_folder_of(Host *host, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *folder = str_intern(host->ctx, path, (size_t)(slash - path))->text;
  if (!file_make_dir_in(host->ctx, host->sink.dir, folder)) host->has_failed = true;
}

/* Writes all streams to files, or none. */
static bool keep_streams(Host *host) {
  size_t n = host->streams.len;
  FileText *files = NEW_ARRAY(host->arena, FileText, n);
  if (!file_make_dir(host->ctx, host->sink.dir)) return false;
  for (size_t i = 0; i < n && !host->has_failed; i++) {
    EmitStream *stream = &host->streams.at[i];
    if (stream->fd >= 0 && !spill(host, stream)) return false;
    files[i] = (FileText){
        .path = str_printf(host->ctx, "%s/%s", host->sink.dir, stream->name->text)->text,
        .fd = stream->fd,
        .data = stream->text.data,
        .len = stream->text.len,
    };
    make_folder_of(host, files[i].path);
    if (!file_was_read(host->ctx, files[i].path)) continue;
    diag(host->ctx, LOC_NONE, COMP_FILE_WRITE, "%s would overwrite an input file", files[i].path);
    diag_hint(host->ctx, "choose another folder with -o");
    host->has_failed = true;
  }
  return !host->has_failed && files_write(host->ctx, files, n);
}

/* ---- one emit -------------------------------------------------------------------------------- */

static bool has_required_extensions(Host *host) {
  const loom_backend *backend = host->part.backend;
  bool good = true;
  for (u32 i = 0; i < backend->require_count; i++) {
    const char *id = backend->requires[i];
    if (design_extension(host->design, id)) continue;
    const char *lacks = design_lacks(host->design, id);
    if (lacks)
      diag(host->ctx, LOC_NONE, RT_EMIT_REQUIRES, "backend %s requires %s: %s", backend->id, id,
           lacks);
    else
      diag(host->ctx, LOC_NONE, RT_EMIT_UNKNOWN,
           "backend %s requires '%.60s', which LOOM %s does not provide", backend->id, id,
           LOOM_VERSION);
    good = false;
  }
  return good;
}

/* Reports a step that failed. An exit status. */
static int judge(Host *host, Code code, const char *step, int status) {
  Context *ctx = host->ctx;
  const char *id = host->part.id;
  if (status == LOOM_OK && !host->has_failed) return EXIT_GOOD;
  if (host->cannot_write) return EXIT_FAULT; /* no fault of the backend; it was reported */
  if (status == LOOM_UNSUPPORTED) {
    diag(ctx, LOC_NONE, RT_EMIT_UNSUPPORTED, "backend %s does not support this design", id);
    return EXIT_BAD_INPUT;
  }
  if (status == LOOM_OK || status == LOOM_ERROR) {
    diag(ctx, LOC_NONE, code, "backend %s failed in %s; nothing was written", id, step);
    return EXIT_BAD_INPUT;
  }
  diag(ctx, LOC_NONE, code, "backend %s: %s returned %d, which is not a status", id, step, status);
  return EXIT_FAULT;
}

/* Streams may be written only while create or emit is running. */
static int run_backend(Host *host) {
  const loom_backend *backend = host->part.backend;
  const char *name = str_printf(host->ctx, "backend %s", backend->id)->text;
  void *state = NULL;
  host->is_open = true;
  guard_enter(host->ctx, name, "create");
  int created = backend->create(&host->table, &state);
  guard_leave();
  int status = judge(host, RT_EMIT_CREATE, "create", created);
  if (status == EXIT_GOOD) {
    guard_enter(host->ctx, name, "emit");
    int emitted = backend->emit(state, host->design);
    guard_leave();
    status = judge(host, RT_EMIT_FAILED, "emit", emitted);
  }
  host->is_open = false;
  if (created == LOOM_OK) {
    guard_enter(host->ctx, name, "destroy its state");
    backend->destroy(state);
    guard_leave();
  }
  return status;
}

static void check_options(const Host *host) {
  for (u32 i = 0; i < host->noptions; i++) {
    const EmitOption *given = &host->options[i];
    const loom_option *option = find_option(&host->part, given->name, strlen(given->name));
    if (!option || !emit_option_fits(option, given->value))
      loom_bug("%s %s does not take --%s=%s", host->part.kind, host->part.id, given->name,
               given->value);
  }
}

static Host new_host(Context *ctx, PluginPart part, const EmitOption *options, u32 noptions) {
  Host host = {.table = {.size = sizeof host.table,
                         .abi_major = LOOM_ABI_MAJOR,
                         .abi_minor = LOOM_ABI_MINOR,
                         .version = LOOM_VERSION,
                         .alloc = host_alloc,
                         .diag = host_diag,
                         .write = host_write,
                         .option = host_option,
                         .get_extension = host_extension},
               .ctx = ctx,
               .part = part,
               .options = options,
               .noptions = noptions,
               .arena = arena_new()};
  check_options(&host);
  return host;
}

bool host_emit(Context *ctx, const loom_backend *backend, loom_design *design,
               const EmitOption *options, u32 noptions, EmitSink sink, EmitReport *report) {
  Host host = new_host(ctx, backend_part(backend), options, noptions);
  host.design = design;
  host.sink = sink;
  host.most_spilled = most_spilled();
  u32 errors = ctx->errors;
  size_t before = sink.dir ? 0 : sink.text->len;
  int status = has_required_extensions(&host) ? run_backend(&host) : EXIT_BAD_INPUT;
  if (!status && ctx->errors > errors) status = EXIT_BAD_INPUT; /* a warning under --strict */
  for (size_t i = 0; report && i < host.streams.len;
       i++) /* before files are written: it allocates */
    buf_printf(&report->files, "%s\n", host.streams.at[i].name->text);
  if (!status) guard_writes(); /* below, or, where there is no folder, by the caller */
  if (!status && sink.dir && !keep_streams(&host)) status = EXIT_FAULT;
  if (status && !sink.dir) sink.text->len = before;
  if (status && report) report->files.len = 0;
  for (size_t i = 0; i < host.streams.len; i++) {
    EmitStream *stream = &host.streams.at[i];
    if (stream->fd >= 0) close(stream->fd);
    buf_free(&stream->text);
  }
  if (report) report->status = status;
  vec_free(&host.streams);
  map_free(&host.stream_of_name);
  arena_free(host.arena);
  return status == EXIT_GOOD;
}

/* ---- one translation ------------------------------------------------------------------------- */

bool host_translate(Context *ctx, const loom_frontend *frontend, const Source *source,
                    const char *function, const EmitOption *options, u32 noptions,
                    Translation *out) {
  Host host = new_host(ctx, frontend_part(frontend), options, noptions);
  const loom_kernel_file file = {.size = sizeof file,
                                 .name = source->name,
                                 .text = source->text,
                                 .bytes = source->len,
                                 .function = function};
  host.into = out;
  host.is_open = true;
  guard_enter(ctx, str_printf(ctx, "front end %s", frontend->id)->text, "read a file");
  int status = frontend->read(&host.table, &file);
  guard_leave();
  bool is_silent = !host.has_failed && (status != LOOM_OK || !out->kernel.len);
  if (is_silent)
    diag(ctx, LOC_NONE, RT_FRONTEND_FAILED, "front end %s failed to read %s, without a message",
         frontend->id, source->name);
  arena_free(host.arena);
  return status == LOOM_OK && !host.has_failed && !is_silent;
}
