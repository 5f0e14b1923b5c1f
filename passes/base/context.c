/* context.c -- one compilation's context and its interned strings.
 *
 * The string table uses open addressing with linear probing over Str pointers, at most half full. A
 * Str keeps its hash, so growing compares no text. Ids number strings in order of first appearance
 * in the input, independently of the hash. */
#include "base/base.h"

#include <time.h>

struct StrTable {
  Str **slots;
  u32 cap, len;
};

Context *context_new(void) {
  Context *ctx = mem_alloc(sizeof *ctx);
  ctx->arena = arena_new();
  ctx->strings = mem_alloc(sizeof *ctx->strings);
  ctx->next_loc = 1;
  ctx->index_width = 32;
  ctx->err = stderr;
  ctx->max_errors = 20;
  return ctx;
}

void context_free(Context *ctx) {
  if (!ctx) return;
  mem_free(ctx->strings->slots);
  mem_free(ctx->strings);
  vec_free(&ctx->sources);
  arena_free(ctx->arena); /* the IR's tables live there too */
  mem_free(ctx);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double seconds_now(void) {
  return seconds_of(CLOCK_MONOTONIC);
}

/* LOOM has one thread, so its clock is the process's. CLOCK_PROCESS_CPUTIME_ID advances only once a
 * tick where the process has a CPU timer, as manual/runner.c sets one. */
double seconds_of_core(void) {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static void grow(StrTable *table) {
  u32 cap = table->cap ? table->cap * 2 : 1024;
  Str **slots = mem_alloc(mem_size(cap, sizeof *slots));
  for (u32 i = 0; i < table->cap; i++) {
    Str *str = table->slots[i];
    if (!str) continue;
    u32 at = (u32)str->hash & (cap - 1);
    while (slots[at]) at = (at + 1) & (cap - 1);
    slots[at] = str;
  }
  mem_free(table->slots);
  table->slots = slots;
  table->cap = cap;
}

/* The slot that holds the string, or the empty slot for it. */
static Str **slot_of(const StrTable *table, u64 hash, const char *text, size_t len) {
  u32 at = (u32)hash & (table->cap - 1);
  for (; table->slots[at]; at = (at + 1) & (table->cap - 1)) {
    const Str *str = table->slots[at];
    if (str->hash == hash && str->len == len && (len == 0 || memcmp(str->text, text, len) == 0))
      break;
  }
  return &table->slots[at];
}

const Str *str_find(const Context *ctx, const char *text, size_t len) {
  const StrTable *table = ctx->strings;
  return table->cap ? *slot_of(table, hash_bytes(text, len, 0), text, len) : NULL;
}

const Str *str_intern(Context *ctx, const char *text, size_t len) {
  StrTable *table = ctx->strings;
  if (len > UINT32_MAX / 2) loom_bug("a string of %zu bytes", len);
  if (table->len >= table->cap / 2) grow(table);
  u64 hash = hash_bytes(text, len, 0);
  Str **slot = slot_of(table, hash, text, len);
  if (*slot) return *slot;
  Str *str = arena_alloc(ctx->arena, sizeof(Str) + len + 1);
  str->len = (u32)len;
  str->id = table->len++;
  str->hash = hash;
  if (len) memcpy(str->text, text, len);
  *slot = str;
  return str;
}

const Str *str_of(Context *ctx, const char *text) {
  return str_intern(ctx, text, strlen(text));
}

const Str *str_vprintf(Context *ctx, const char *format, va_list args) {
  char small[256];
  va_list again;
  va_copy(again, args);
  int len = vsnprintf(small, sizeof small, format, args);
  if (len < 0) loom_bug("cannot format \"%s\"", format);
  const Str *str;
  if ((size_t)len < sizeof small) {
    str = str_intern(ctx, small, (size_t)len);
  } else {
    char *large = mem_alloc((size_t)len + 1);
    vsnprintf(large, (size_t)len + 1, format, again);
    str = str_intern(ctx, large, (size_t)len);
    mem_free(large);
  }
  va_end(again);
  return str;
}

const Str *str_printf(Context *ctx, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const Str *str = str_vprintf(ctx, format, args);
  va_end(args);
  return str;
}

u32 str_count(const Context *ctx) {
  return ctx->strings->len;
}
