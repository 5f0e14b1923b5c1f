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

/* The first character of a text of `length` bytes, at least 1, as it is written in a string of
 * JSON; how many bytes of the text it is. A byte that is not UTF-8 becomes U+FFFD. `<` is escaped,
 * too, so that no text can end a script that the JSON stands in. */
enum { BACKEND_JSON_ROOM = 8 };
size_t backend_json(const char *text, size_t length, char out[BACKEND_JSON_ROOM]);

/* `destroy` of all backends here: what they have is the host's. */
void backend_destroy(void *state);

/* Of a configuration image, as the hardware works it out. */
uint32_t backend_checksum(const uint32_t *words, uint32_t count);

/* A text that `embed --pack` made, unpacked in memory of the host. */
const char *backend_unpack(const loom_host *host, const unsigned char *packed, size_t *length);

#endif
