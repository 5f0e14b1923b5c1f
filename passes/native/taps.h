/* taps.h -- private to native/: histories of the tokens that a kernel reports.
 *
 * Each result of the graph has a *tap*: its tokens go into its own history, and, where they are the
 * addresses or values of a memory access, into the history of that access.
 */
#ifndef LOOM_NATIVE_TAPS_H
#define LOOM_NATIVE_TAPS_H

#include "native/code.h"
#include "run/entries.h"

/* The size of a token in an array of its C type, and in a history. */
typedef struct {
  u8 stride; /* bytes of the C type: 0, 1, 2, 4, 8 */
  u8 bytes;  /* of them in a history */
} TokenShape;

static inline TokenShape token_shape(u32 bits) {
  unsigned bytes = history_bytes(bits), stride = 1;
  while (stride < bytes) stride *= 2;
  return (TokenShape){.stride = (u8)(bits ? stride : 0), .bytes = (u8)bytes};
}

typedef struct Taps Taps;

/* Makes taps on all results, for a kernel of `info` with histories. `result` gets the histories of
 * accesses, if it is observable; `trace` (may be NULL) those of results, if trace->results is not
 * NULL. All are borrowed; the memory is the arena's. */
Taps *taps_open(Arena *arena, Context *ctx, const Dfg *dfg, const loom_kernel_info *info, bool keep,
                RunResult *result, TokenTrace *trace);
/* The next n tokens of a result, as an array of its C type. */
void taps_take(Taps *taps, u32 result, const void *data, u32 n);
/* At the end of the run: copies the histories of results that always equal another, and, where
 * every result was reported, counts how often each node fired. */
void taps_finish(Taps *taps, TokenTrace *trace);

#endif
