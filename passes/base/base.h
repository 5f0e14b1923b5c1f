/* base.h -- the foundation of all files: memory, strings, growing arrays, maps, source files,
 * diagnostics, output.
 *
 * One `Context` is one compilation: it owns the sources read, the strings interned, the types and
 * attributes made unique, and the count of errors so far. Nothing here is global state, so two
 * contexts can live in one process (the exceptions, fault injection and signals, are explained in
 * memory.c).
 *
 * Three kinds of failure are kept apart everywhere in LOOM:
 *   - the user's: `diag(ctx, loc, CODE, ...)`; accumulated, located, coded; the stage goes on as
 *     far as it sensibly can and then reports failure to its caller;
 *   - ours: `loom_bug(...)`; prints a request for a report and ends with exit status 5, in
 *     release builds too;
 *   - the machine's (no memory, no disk): reported once, exit status 5, no partial file.
 */
#ifndef LOOM_BASE_BASE_H
#define LOOM_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LOOM_VERSION "0.1.0"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define NORETURN               __attribute__((noreturn))
#else
#define PRINTF_LIKE(fmt, args)
#define NORETURN
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The greatest common divisor; gcd(0, 0) is 0. */
static inline u64 gcd(u64 a, u64 b) {
  while (b) {
    u64 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static inline u64 max_u64(u64 a, u64 b) {
  return a > b ? a : b;
}

/* Puts a list in the opposite order. */
static inline void reverse(u32 *list, size_t n) {
  for (size_t i = 0; i < n / 2; i++) {
    u32 keep = list[i];
    list[i] = list[n - 1 - i];
    list[n - 1 - i] = keep;
  }
}

/* Union-find with path halving: the root of a vertex's set. `up` holds the parents; a root is its
 * own parent. */
static inline u32 find_root(u32 *up, u32 vertex) {
  while (up[vertex] != vertex) vertex = up[vertex] = up[up[vertex]];
  return vertex;
}

/* ceil(log2(n)): the bits that select one of n. */
static inline u32 log2_up(u64 n) {
  u32 k = 0;
  while (k < 64 && (u64)1 << k < n) k++;
  return k;
}

/* The plural ending of a regular noun: "" for one, else "s". */
static inline const char *plural(u64 n) {
  return n == 1 ? "" : "s";
}

/* For qsort and bsearch. */
static inline int compare_u64(const void *a, const void *b) {
  u64 x = *(const u64 *)a, y = *(const u64 *)b;
  return (x > y) - (x < y);
}

/* Whether the host is known to be. */
static inline bool is_little_endian(void) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return true;
#else
  return false;
#endif
}

/* Exit statuses of the program. */
enum {
  EXIT_GOOD = 0,
  EXIT_BAD_INPUT = 1,
  EXIT_BAD_CALL = 2,
  EXIT_CANNOT_MAP = 3,
  EXIT_RUN_FAILED = 4,
  EXIT_FAULT = 5
};

/* ---- memory (memory.c) ------------------------------------------------------------------- */

/* malloc, realloc and free that never return failure: out of memory, they report it and exit with
 * EXIT_FAULT. Sizes in bytes. `mem_alloc` memory is zeroed. The caller frees. */
void *mem_alloc(size_t size);
void *mem_realloc(void *old, size_t size);
void mem_free(void *p);

/* count * size in bytes, or the no-memory exit when that does not fit a size_t. */
NORETURN void mem_too_large(void);
static inline size_t mem_size(size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) mem_too_large();
  return count * size;
}

/* A short array on the stack, a longer one allocated. Do not rely on zeroed elements.
 *
 *     u32 few[64], *list = FEW_OR_ALLOC(few, n);
 *     ...
 *     few_free(few, list); */
#define FEW_OR_ALLOC(few, n)                                                                       \
  ((n) <= COUNT_OF(few) ? (void *)(few) : mem_alloc(mem_size((n), sizeof *(few))))
static inline void few_free(void *few, void *list) {
  if (list != few) mem_free(list);
}

/* Zeroed memory straight from mmap, for blocks of at least one huge page; they are backed by huge
 * pages where the system has some. Sizes are multiples of HUGE_PAGE. */
enum { HUGE_PAGE = 1 << 21 };
size_t pages_rounded(size_t size); /* up */
void *pages_alloc(size_t size);
/* Grows such a block, in place or by remapping it, without a copy. The new part may be non-zero. */
void *pages_grow(void *p, size_t size, size_t grown);
void pages_free(void *p, size_t size); /* NULL is allowed */

/* Starts fault injection when the environment asks for it (LOOM_FAIL_ALLOC=N: the Nth allocation
 * fails). Called once by main. */
void mem_init(void);
/* On running out of memory, store the size of the failed request, in bytes, in *wanted before LOOM
 * exits. */
void mem_tell(volatile size_t *wanted);
/* Prints the out-of-memory message. */
void mem_say_ended(size_t size);

/* Prefetches the cache line at `p`. Any pointer is safe. */
static inline void mem_fetch(const void *p) {
#if defined(__GNUC__)
  __builtin_prefetch(p);
#else
  (void)p;
#endif
}

/* An arena: objects of one lifetime, freed together. Objects are zeroed and aligned for any
 * scalar. A mark remembers a state of the arena; releasing it frees what came after. */
typedef struct Arena Arena;
typedef struct {
  void *chunk;
  size_t used;
} ArenaMark;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL is allowed */
void *arena_alloc(Arena *arena, size_t size);
void *arena_copy(Arena *arena, const void *data, size_t size);
/* printf into the arena. */
char *arena_printf(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(Arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);
ArenaMark arena_mark(Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);

#define NEW(arena, T)          ((T *)arena_alloc((arena), sizeof(T)))
#define NEW_ARRAY(arena, T, n) ((T *)arena_alloc((arena), mem_size((n), sizeof(T))))

/* ---- growing arrays ---------------------------------------------------------------------- */

/* `Vec(int) v = {0}; vec_push(&v, 7); v.at[0]; vec_free(&v);` Elements move when it grows. Only
 * these macros change `at` and `cap`. */
#define Vec(T)                                                                                     \
  struct {                                                                                         \
    T *at;                                                                                         \
    size_t len, cap;                                                                               \
  }
#define vec_push(v, x)                                                                             \
  ((void)((v)->len == (v)->cap                                                                     \
              ? ((v)->at = vec_grown((v)->at, &(v)->cap, (v)->len + 1, sizeof *(v)->at), 0)        \
              : 0),                                                                                \
   (void)((v)->at[(v)->len++] = (x)))
#define vec_reserve(v, n)                                                                          \
  ((void)((v)->cap < (size_t)(n)                                                                   \
              ? ((v)->at = vec_grown((v)->at, &(v)->cap, (n), sizeof *(v)->at), 0)                 \
              : 0))
#define vec_pop(v)   ((v)->at[--(v)->len])
#define vec_last(v)  ((v)->at[(v)->len - 1])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_free(v)                                                                                \
  (vec_release((v)->at, (v)->cap, sizeof *(v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)
void *vec_grown(void *old, size_t *cap, size_t want, size_t elem_size);
void vec_release(void *at, size_t cap, size_t elem_size);

/* ---- text under construction (buf.c) ------------------------------------------------------ */

/* A growable byte string; NUL-terminated after the first append. Start with {0}. */
typedef struct {
  char *data;
  size_t len, cap;
} Buf;

void buf_put(Buf *buf, const void *bytes, size_t len);
void buf_str(Buf *buf, const char *text);
void buf_char(Buf *buf, char c);
void buf_u64(Buf *buf, u64 number); /* decimal, faster than printf */
void buf_i64(Buf *buf, i64 number);
void buf_printf(Buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(Buf *buf, const char *format, va_list args);
void buf_free(Buf *buf);

/* Bytes of the well-formed UTF-8 character at `p`, 1 to 4; 0 for anything else and at the end. */
size_t utf8_character(const char *p, const char *end);
bool text_is_utf8(const char *text, size_t len);

/* Appends text from the input to output for people. Control characters, bytes that are not UTF-8
 * and backslashes are escaped as in an MLIR string (\0A), so that a name can neither end a line nor
 * send escape codes to a terminal. */
void buf_shown(Buf *buf, const char *text);
/* Appends a quoted JSON string; Graphviz accepts it, too. A byte that is not UTF-8, as in a file
 * name, becomes U+FFFD: JSON readers would reject it. */
void buf_json(Buf *buf, const char *text);

/* As vfprintf, for one line of a message that may quote names from the input: unprintable
 * characters, line ends included, become '?'. */
void put_message(FILE *out, const char *format, va_list args);

/* ---- maps (map.c) ------------------------------------------------------------------------- */

/* Hash map from u64 to u64; pointers go in as (u64)(uintptr_t)p. It has no iteration on purpose:
 * no output may depend on hash order. Start with {0}. */
typedef struct {
  u64 key, value;
} MapSlot;

typedef struct {
  MapSlot *slots; /* key 0: empty */
  size_t len, cap;
  bool has_zero; /* key 0 itself is kept here */
  u64 zero_value;
} Map;

bool map_get(const Map *map, u64 key, u64 *value); /* false: absent, *value untouched */
void map_put(Map *map, u64 key, u64 value);        /* replaces */
/* The address of the key's value; a missing key is added with value 0. Valid until the next key is
 * added. */
u64 *map_slot(Map *map, u64 key);
void map_free(Map *map);
#define PTR_KEY(p) ((u64)(uintptr_t)(p))

/* 64-bit hash of bytes (xxHash's XXH3); `seed` chains several. */
u64 hash_bytes(const void *bytes, size_t len, u64 seed);

/* ---- interned strings (context.c) --------------------------------------------------------- */

/* One object per distinct text in a context: equality is pointer equality. `id` counts from 0 in
 * order of first sight, for use as an index into side tables. NUL-terminated; may hold NULs. */
typedef struct {
  u32 len, id;
  u64 hash;
  char text[];
} Str;

/* ---- sources and locations (file.c) ------------------------------------------------------ */

/* A place in some file that was read: 1 + the offset in the concatenation of all sources of the
 * context; 0 is "nowhere". It costs four bytes an op; line and column are computed on demand. */
typedef u32 Loc;
enum { LOC_NONE = 0 };

typedef struct {
  const char *name; /* as the user gave it; "<stdin>" for - */
  const char *text; /* NUL-terminated; `len` bytes without the NUL */
  u32 len;
  Loc base;                  /* Loc of the first byte */
  struct SourceLines *lines; /* private to file.c */
  bool is_translation; /* MLIR that a front end made: its loc(...) are places in other sources */
} Source;

typedef struct {
  const char *file; /* NULL: no such place */
  u32 line, column; /* from 1; columns count bytes */
} Place;

/* ---- the context --------------------------------------------------------------------------- */

typedef struct StrTable StrTable;
typedef struct IrTables IrTables;           /* types and attributes; ir/ owns it */
typedef struct TextForms TextForms;         /* how ops are written; text/ owns it */
typedef struct LinearAnswers LinearAnswers; /* of ir/linear.h */

typedef struct Context {
  Arena *arena; /* everything that lives as long as the context */
  StrTable *strings;
  IrTables *ir;
  TextForms *forms;
  LinearAnswers *answers;
  Vec(Source) sources;
  u32 next_loc;
  unsigned index_width; /* bits of `index`: 32..64, LOOM_INDEX_WIDTH */
  bool strict;          /* --strict: warnings that become errors, poison that stops a run */

  FILE *err; /* where diagnostics go; NULL swallows them (they are still counted) */
  bool colour;
  u32 max_errors;       /* 0: no limit */
  u32 errors, warnings; /* so far */
  u32 last_error;       /* where `errors` is not 0: the Code of the last that diag reported */
  bool muted;           /* the last error was past the limit: its notes are silent too */
  bool is_hint;         /* between diag_hints_begin and _end */
} Context;

/* A fresh context: index width 32, diagnostics on stderr without colour, at most 20 errors. */
Context *context_new(void);
void context_free(Context *ctx);

const Str *str_intern(Context *ctx, const char *text, size_t len);
/* Looks a string up without adding it; NULL if it is not interned. */
const Str *str_find(const Context *ctx, const char *text, size_t len);
const Str *str_of(Context *ctx, const char *text);
const Str *str_printf(Context *ctx, const char *format, ...) PRINTF_LIKE(2, 3);
const Str *str_vprintf(Context *ctx, const char *format, va_list args) PRINTF_LIKE(2, 0);
const char *text_shown(Context *ctx, const char *text); /* as buf_shown; lives with the context */
u32 str_count(const Context *ctx);                      /* ids are below this */

/* Reads a whole file ("-": standard input) into the context. NULL after a diagnostic
 * (COMP_FILE_READ, or COMP_FILE_TOO_LARGE from 2 GiB). Lives as long as the context. */
const Source *source_read(Context *ctx, const char *path);
/* The same from memory; copies `text`. */
const Source *source_from_memory(Context *ctx, const char *name, const char *text, size_t len);
/* The same for MLIR that a front end generated from another source. */
const Source *source_from_translation(Context *ctx, const char *name, const Buf *text);
Place source_place(const Context *ctx, Loc loc);
/* The inverse: LOC_NONE if no source of that name was read, or it has no such line. */
Loc source_at(const Context *ctx, const char *name, u32 line, u32 column);
/* The location of the `n`th byte, counted from 1 as jansson's error positions are; n < 1: the
 * first. */
Loc source_nth(const Source *source, int n);

/* Wall-clock and CPU seconds since an arbitrary moment, for differences. CPU time is that of this
 * thread, so it does not depend on the load of the machine. */
double seconds_now(void);
double seconds_of_core(void);

/* ---- diagnostics (diag.c) ------------------------------------------------------------------ */

/* Every diagnostic has a code with a stable name; codes.def has a row each. */
typedef enum {
#define CODE(name, summary) name,
#include "base/codes.def"
#undef CODE
  CODE_COUNT
} Code;

const char *code_name(Code code);
const char *code_summary(Code code); /* one line for `loom explain --list` */

/* Reports one error: FILE:LINE:COL: error[CODE]: message, the source line, a caret. Counts it.
 * Past ctx->max_errors it is only counted. */
void diag(Context *ctx, Loc loc, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
void diag_args(Context *ctx, Loc loc, Code code, const char *format, va_list args);
/* The same as a warning: does not make a stage fail (an error under --strict). */
void diag_warning(Context *ctx, Loc loc, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
/* Additional information; counted neither as an error nor as a warning. */
void diag_remark(Context *ctx, Loc loc, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
/* Add to the last diagnostic: a note with a location of its own, or a hint on how to fix it. */
void diag_note(Context *ctx, Loc loc, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_hint(Context *ctx, const char *format, ...) PRINTF_LIKE(2, 3);

/* Suppresses diagnostics between the two calls. At the end the counts of errors and warnings are
 * restored to their values at the start. Scopes nest. */
typedef struct {
  FILE *err;
  u32 errors, warnings, last_error;
  bool muted;
} QuietScope;
QuietScope diag_quiet(Context *ctx);
/* True if neither an error nor a warning was reported in between. */
bool diag_quiet_end(Context *ctx, const QuietScope *scope);

/* For checking hints to the mapper: between the two calls an error is reported as a warning with
 * code MAP_HINT (still an error under --strict). `before` is what `begin` returned; `end` returns
 * true if nothing was reported since. */
u32 diag_hints_begin(Context *ctx);
bool diag_hints_end(Context *ctx, u32 before);

/* Reports a diagnostic of foreign code (a plugin), which has codes of its own. A note adds to the
 * last diagnostic and has no code. */
typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } DiagSeverity;
void diag_foreign(Context *ctx, DiagSeverity severity, Loc loc, const char *code,
                  const char *message);

/* The nearest of `n` names to `word` by edit distance, or NULL where none is near enough: for
 * "did you mean". */
const char *nearest_name(const char *word, const char *const *names, size_t n);

/* A fault inside LOOM: prints where, asks for a report, and ends the process with EXIT_FAULT. */
#define loom_bug(...) loom_bug_at(__FILE__, __LINE__, __VA_ARGS__)
NORETURN void loom_bug_at(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);

/* ---- texts in the binary (pages.c) ---------------------------------------------------------- */

/* Unpacks what spec-tests/tools/embed.c packed (`length` bytes once unpacked) into the empty buffer
 * `pages`. The caller frees. */
void pages_unpack(const unsigned char *packed, size_t length, Buf *pages);
/* The text of the page of that name; NULL if there is none. Valid as long as `pages`. */
const char *pages_find(const Buf *pages, const char *name);
/* The page after `page` (NULL: the first one), beginning with the line of its name; NULL at the
 * end. */
const char *pages_next(const Buf *pages, const char *page);

/* ---- temporary files (temporary.c) ----------------------------------------------------------- */

/* Where they go by default: $TMPDIR where that is an absolute path, else /tmp. */
const char *temporary_root(void);
/* Makes an empty folder with a unique name that begins with `name`, in `parent` (NULL: the
 * default). NULL with errno set if it cannot be made. */
const char *temporary_folder(Arena *arena, const char *parent, const char *name);
/* Likewise a file in the default place whose name ends with `suffix`, open for writing. -1 with
 * errno set if it cannot be made. The caller closes it. */
int temporary_file(Arena *arena, const char *name, const char *suffix, const char **path);

/* ---- names of files that come from an input (file_name.c) ------------------------------------ */

/* A file name for something that the input calls `text` (a function, an argument): whatever the
 * text, one path component of printable ASCII of fewer than LOOM_FILE_NAME bytes.
 * plugins/loom_name.h has the rules and the implementation. */
const char *file_name_of(Context *ctx, const char *text);
/* Why a path given by foreign code or by a file is not acceptable as one inside a folder (it is
 * absolute, has "..", ...); NULL: it is. */
const char *file_path_problem(const char *path);
/* How many bytes of a path are its folder, with the slash behind it; 0: it names none. */
size_t file_folder(const char *path);
/* The path of a file that another one names: in the folder of that, unless it is absolute. */
const char *file_beside(Context *ctx, const char *path, const char *name);

/* ---- files (file.c) ------------------------------------------------------------------------- */

/* Called first in `main`. Opens standard input, output and error where they are closed, so that no
 * other file gets their descriptors, and makes exceeding the file size limit an error instead of a
 * signal. */
void files_init(void);

/* Why `path` cannot be read as a file, with errno set; NULL: it can. */
const char *file_read_problem(const char *path);
/* Writes a whole file ("-": standard output) under a temporary name and renames it into place,
 * with signals blocked, so that nobody ever sees half of it. A replaced file passes on its
 * permissions and, if allowed, its owner; a read-only file is not replaced. A link is followed, a
 * device or pipe written to. False after a diagnostic (COMP_FILE_WRITE). */
bool file_write(Context *ctx, const char *path, const void *data, size_t len);
/* The target of a link that the user named; any other path is returned as it is. */
const char *file_behind(Context *ctx, const char *path);
/* Makes a folder and its parents; true if it exists afterwards, else a diagnostic. */
bool file_make_dir(Context *ctx, const char *path);
/* Likewise for a path that is `top` or inside it. `top` is the user's; links below it are refused,
 * not followed. */
bool file_make_dir_in(Context *ctx, const char *top, const char *path);

/* Whether `path` is one of the sources that were read. */
bool file_was_read(const Context *ctx, const char *path);

/* One of several files to be written together. Its contents are those of the open file `fd` (-1:
 * none), then `len` bytes at `data`, then `more` bytes at `tail`. */
typedef struct {
  const char *path;
  int fd;
  const void *data;
  size_t len;
  const void *tail;
  size_t more;
} FileText;

/* Writes all of them under temporary names before it renames the first: if one cannot be written,
 * none appears. Their folders must exist. An existing link is replaced, not followed: somebody
 * else may have put it there. False after a diagnostic (COMP_FILE_WRITE). */
bool files_write(Context *ctx, const FileText *files, size_t n);

/* Opens a nameless file (O_TMPFILE) for such an `fd`, on the file system of the folder `dir`, which
 * need not exist yet. It vanishes when closed, however the process ends. -1 if the system cannot
 * make one. */
int file_nameless(const char *dir);
/* Appends to it; false with errno set. */
bool file_append(int fd, const void *data, size_t len);

#endif
