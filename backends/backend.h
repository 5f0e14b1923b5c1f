/* backend.h -- what every backend here does with memory and text, made for each from the same
 * source. It uses plugins/loom_plugin.h and nothing else of LOOM.
 */
#ifndef LOOM_BACKEND_H
#define LOOM_BACKEND_H

#include "loom_plugin.h"

#include <stdarg.h>

#if defined(__GNUC__)
#define BACKEND_PRINTF(first, rest) __attribute__((format(printf, first, rest)))
#else
#define BACKEND_PRINTF(first, rest)
#endif

/* `count` elements of `size` bytes, zeroed, until the emit is done. Never NULL: an impossible size
 * is refused by the host like one that is too large. */
void *backend_alloc(const loom_host *host, size_t count, size_t size);

/* What printf would write: in `room`, of `size` bytes, where it fits; else, and where there is no
 * room, in memory of the host. Never NULL. `length`, where it is not NULL, becomes strlen of it. */
const char *backend_text(const loom_host *host, char *room, size_t size, size_t *length,
                         const char *format, va_list args) BACKEND_PRINTF(5, 0);

/* A text that grows; all zero at first. Appends bytes, and a 0 behind them. */
typedef struct BackendText {
  char *data;
  size_t length, size;
} BackendText;
void backend_append(const loom_host *host, BackendText *t, const char *bytes, size_t length);

/* `destroy` of all backends here: what they have is the host's. */
void backend_destroy(void *state);

/* Of a configuration image, as the hardware works it out. */
uint32_t backend_checksum(const uint32_t *words, uint32_t count);

/* A text that `embed --pack` made, unpacked in memory of the host. */
const char *backend_unpack(const loom_host *host, const unsigned char *packed, size_t *length);

#endif
