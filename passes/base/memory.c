/* memory.c -- allocation that cannot fail halfway, arenas, and growing arrays.
 *
 * A compiler that runs out of memory has nothing sensible left to do: the allocators here say so
 * once and leave with EXIT_FAULT, so no caller has a failure path to get wrong. That is only safe
 * because output files are rendered in memory first and written by file_write, which allocates
 * nothing: leaving here never leaves half a file.
 *
 * An arena is a list of chunks, each twice the one before up to 1 MiB; allocation bumps a pointer.
 * Built with -DARENA_MALLOC (make asan), each object is its own malloc, so that the sanitizer sees
 * an overrun of one object into the next, and a mark is the newest object at the time.
 *
 * LOOM_FAIL_ALLOC=N makes the Nth request to the system fail. The counter is the one piece of
 * process-wide state in LOOM: it stands for the machine, not for a compilation.
 */
#include "base/base.h"

#include <stdlib.h>

static u64 fail_countdown;

void mem_init(void) {
  const char *text = getenv("LOOM_FAIL_ALLOC");
  if (text) fail_countdown = strtoull(text, NULL, 10);
}

NORETURN static void out_of_memory(size_t size) {
  fprintf(stderr, "loom: out of memory (a request for %zu bytes failed)\n", size);
  exit(EXIT_FAULT);
}

static bool fails_on_purpose(void) {
  return fail_countdown && --fail_countdown == 0;
}

void *mem_alloc(size_t size) {
  void *p = fails_on_purpose() ? NULL : calloc(1, size ? size : 1);
  if (!p) out_of_memory(size);
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

size_t mem_size(size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) out_of_memory(SIZE_MAX);
  return count * size;
}

void *vec_grown(void *old, size_t *cap, size_t want, size_t elem_size) {
  size_t grown = *cap < 8 ? 8 : *cap + *cap / 2;
  if (grown < want) grown = want;
  void *p = mem_realloc(old, mem_size(grown, elem_size));
  *cap = grown;
  return p;
}

/* ---- arenas ---------------------------------------------------------------------------------- */

enum { ALIGNMENT = 8, FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

typedef struct Chunk {
  struct Chunk *older;
  size_t size; /* bytes that follow this header */
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
  Chunk *older = arena->newest->older;
  mem_free(arena->newest);
  arena->newest = older;
}

void arena_free(Arena *arena) {
  if (!arena) return;
  while (arena->newest) free_newest(arena);
  mem_free(arena);
}

static Chunk *add_chunk(Arena *arena, size_t size) {
  if (size > SIZE_MAX - sizeof(Chunk)) out_of_memory(size);
  Chunk *chunk = mem_alloc(sizeof(Chunk) + size);
  chunk->older = arena->newest;
  chunk->size = size;
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
    chunk = add_chunk(arena, size > arena->next_chunk ? size : arena->next_chunk);
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

ArenaMark arena_mark(Arena *arena) {
  return (ArenaMark){arena->newest, arena->used};
}

void arena_release(Arena *arena, ArenaMark mark) {
  while (arena->newest != mark.chunk) free_newest(arena);
#ifndef ARENA_MALLOC
  /* what is handed out again must be zero again */
  if (arena->newest)
    memset((char *)(arena->newest + 1) + mark.used, 0, arena->newest->size - mark.used);
#endif
  arena->used = mark.used;
}
