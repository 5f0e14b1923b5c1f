/* memory.c -- allocation that cannot fail halfway, arenas, and growing arrays.
 *
 * A compiler that runs out of memory has nothing sensible left to do: the allocators here report it
 * once and exit with EXIT_FAULT, so no caller has a failure path to get wrong. That is safe because
 * output files are rendered in memory first and file.c allocates nothing while it writes them: an
 * exit here never leaves half a file.
 *
 * An arena is a list of chunks, each twice the one before up to 4 MiB; allocation bumps a pointer.
 * Built with -DARENA_MALLOC (make asan), each object is its own malloc, so that the sanitizer sees
 * an overrun of one object into the next, and a mark is the newest object at the time.
 *
 * LOOM_FAIL_ALLOC=N makes the Nth request to the system fail. The counter is the one piece of
 * process-wide state in LOOM, besides the address set by mem_tell and the signal state of
 * interrupt.c: these belong to the process, not to a compilation.
 */
#include "base/base.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static u64 fail_countdown;

void mem_init(void) {
  const char *text = getenv("LOOM_FAIL_ALLOC");
  if (text) fail_countdown = strtoull(text, NULL, 10);
#if defined(__GLIBC__)
  /* Keep freed memory for later requests: pages returned to the system would be cleared again. */
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 26);
#endif
}

static volatile size_t *failed_size; /* where a failed request is noted; or NULL */

void mem_tell(volatile size_t *wanted) {
  failed_size = wanted;
}

void mem_say_ended(size_t size) {
  fprintf(stderr, "loom: out of memory (a request for %zu bytes failed)\n", size);
}

NORETURN static void out_of_memory(size_t size) {
  mem_say_ended(size);
  fflush(NULL);
  if (failed_size) *failed_size = size;
  _exit(EXIT_FAULT); /* skip atexit handlers: they may allocate */
}

static bool fails_on_purpose(void) {
  return fail_countdown && --fail_countdown == 0;
}

/* The first touch of a page costs more than most later work on it, so large blocks ask for huge
 * pages. If the system refuses, small pages do. */
static void ask_for_huge_pages(void *p, size_t size) {
#ifndef ARENA_MALLOC
  uintptr_t mask = HUGE_PAGE - 1, start = ((uintptr_t)p + mask) & ~mask;
  uintptr_t end = ((uintptr_t)p + size) & ~mask;
  if (start < end) madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
  (void)p, (void)size;
#endif
}

void *mem_alloc(size_t size) {
  void *p = fails_on_purpose() ? NULL : calloc(1, size ? size : 1);
  if (!p) out_of_memory(size);
  if (size >= 2 * (size_t)HUGE_PAGE) ask_for_huge_pages(p, size);
  return p;
}

void *mem_realloc(void *old, size_t size) {
  void *p = fails_on_purpose() ? NULL : realloc(old, size ? size : 1);
  if (!p) out_of_memory(size);
  return p;
}

void mem_free(void *p) {
  free(p);
}

void mem_too_large(void) {
  out_of_memory(SIZE_MAX);
}

void *pages_alloc(size_t size) {
#ifdef ARENA_MALLOC
  return mem_alloc(size);
#else
  void *p = MAP_FAILED;
  if (!fails_on_purpose())
    p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) out_of_memory(size);
  ask_for_huge_pages(p, size);
  return p;
#endif
}

void *pages_grow(void *p, size_t size, size_t grown) {
#ifdef ARENA_MALLOC
  (void)size;
  return mem_realloc(p, grown);
#else
  void *moved = fails_on_purpose() ? MAP_FAILED : mremap(p, size, grown, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) out_of_memory(grown);
  ask_for_huge_pages(moved, grown);
  return moved;
#endif
}

void pages_free(void *p, size_t size) {
#ifdef ARENA_MALLOC
  (void)size;
  mem_free(p);
#else
  if (p) munmap(p, size);
#endif
}

size_t pages_rounded(size_t size) {
  if (size > SIZE_MAX - HUGE_PAGE) out_of_memory(size);
  return (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
}

/* A large array is kept in mmapped pages, four times what was asked for: untouched pages cost
 * nothing, and growing remaps them without a copy. */
static void *grown_by_pages(void *old, size_t had, size_t *size) {
  *size = pages_rounded(*size > SIZE_MAX / 4 ? *size : *size * 4);
  if (had >= HUGE_PAGE) return pages_grow(old, pages_rounded(had), *size);
  void *p = pages_alloc(*size);
  if (had) memcpy(p, old, had);
  mem_free(old);
  return p;
}

/* A small array grows in larger steps: it costs little to be too big. */
void *vec_grown(void *old, size_t *cap, size_t want, size_t elem_size) {
  enum { SMALL = 1 << 12 };
  size_t had = *cap * elem_size;
  size_t grown = *cap < 8 ? 8 : had < SMALL ? *cap * 4 : *cap + *cap / 2;
  if (grown < want) grown = want;
  size_t size = mem_size(grown, elem_size);
  bool large = size >= HUGE_PAGE;
  void *p = large ? grown_by_pages(old, had, &size) : mem_realloc(old, size);
  *cap = size / elem_size;
  return p;
}

void vec_release(void *at, size_t cap, size_t elem_size) {
  if (cap * elem_size >= HUGE_PAGE)
    pages_free(at, pages_rounded(cap * elem_size));
  else
    mem_free(at);
}

/* ---- arenas ---------------------------------------------------------------------------------- */

enum { ALIGNMENT = 8, FIRST_CHUNK = 1 << 12, LARGEST_CHUNK = 2 * HUGE_PAGE };

typedef struct Chunk {
  struct Chunk *older;
  size_t size; /* bytes that follow this header */
  size_t used; /* of them, once there is a newer chunk */
} Chunk;

struct Arena {
  Chunk *newest;
  size_t used;       /* of the newest chunk */
  size_t next_chunk; /* size of the next one */
};

Arena *arena_new(void) {
  Arena *arena = mem_alloc(sizeof *arena);
  arena->next_chunk = FIRST_CHUNK;
  return arena;
}

static void free_newest(Arena *arena) {
  Chunk *chunk = arena->newest;
  arena->newest = chunk->older;
  size_t size = sizeof(Chunk) + chunk->size;
  if (size >= HUGE_PAGE)
    pages_free(chunk, size);
  else
    mem_free(chunk);
}

void arena_free(Arena *arena) {
  if (!arena) return;
  while (arena->newest) free_newest(arena);
  mem_free(arena);
}

static Chunk *add_chunk(Arena *arena, size_t size) {
  if (size > SIZE_MAX - sizeof(Chunk)) out_of_memory(size);
  size += sizeof(Chunk);
  if (size >= HUGE_PAGE) size = pages_rounded(size);
  Chunk *chunk = size >= HUGE_PAGE ? pages_alloc(size) : mem_alloc(size);
  chunk->older = arena->newest;
  chunk->size = size - sizeof(Chunk);
  if (chunk->older) chunk->older->used = arena->used;
  arena->newest = chunk;
  arena->used = 0;
  return chunk;
}

void *arena_alloc(Arena *arena, size_t size) {
#ifdef ARENA_MALLOC
  Chunk *chunk = add_chunk(arena, size);
  return chunk + 1;
#else
  if (size > SIZE_MAX - ALIGNMENT) out_of_memory(size);
  size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  Chunk *chunk = arena->newest;
  if (!chunk || size > chunk->size - arena->used) {
    size_t usual = arena->next_chunk - sizeof(Chunk);
    chunk = add_chunk(arena, size > usual ? size : usual);
    if (arena->next_chunk < LARGEST_CHUNK) arena->next_chunk *= 2;
  }
  void *p = (char *)(chunk + 1) + arena->used;
  arena->used += size;
  return p;
#endif
}

void *arena_copy(Arena *arena, const void *data, size_t size) {
  void *p = arena_alloc(arena, size);
  if (size) memcpy(p, data, size);
  return p;
}

char *arena_vprintf(Arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  char *text = arena_alloc(arena, (size_t)(len < 0 ? 0 : len) + 1);
  if (len > 0) vsnprintf(text, (size_t)len + 1, format, again);
  va_end(again);
  return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = arena_vprintf(arena, format, args);
  va_end(args);
  return text;
}

ArenaMark arena_mark(Arena *arena) {
  return (ArenaMark){arena->newest, arena->used};
}

void arena_release(Arena *arena, ArenaMark mark) {
  while (arena->newest && arena->newest != mark.chunk) {
    free_newest(arena);
    if (arena->newest) arena->used = arena->newest->used;
  }
#ifndef ARENA_MALLOC
  /* Arena memory is zero when it is reused, too. */
  if (arena->newest) memset((char *)(arena->newest + 1) + mark.used, 0, arena->used - mark.used);
#endif
  arena->used = mark.used;
}
