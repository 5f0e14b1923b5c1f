/* taps.h -- private to native/: what becomes of the tokens that a kernel hands over.
 *
 * Each result of the graph has a *tap* that says what its tokens are for: its own history, and the
 * part it plays in the history of a memory access, whose entries are an address and a value in
 * turn.
 */
#ifndef LOOM_NATIVE_TAPS_H
#define LOOM_NATIVE_TAPS_H

#include "native/code.h"
#include "run/entries.h"

/* How a token lies in an array of its C type. */
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

/* Taps on all results, as a kernel of `info` with histories will call them. `result` gets the
 * histories of accesses, if it is observable; `trace` (may be NULL) those of results, if its table
 * of results is there. All are borrowed; the memory is the arena's. */
Taps *taps_open(Arena *arena, Context *ctx, const Dfg *dfg, const loom_kernel_info *info, bool keep,
                RunResult *result, TokenTrace *trace);
/* The next n tokens of a result, as an array of its C type. */
void taps_take(Taps *taps, u32 result, const void *data, u32 n);
/* At the end of the run: what results have in common with others, and, where every result was
 * handed over, how often each node fired. */
void taps_finish(Taps *taps, TokenTrace *trace);

#endif
