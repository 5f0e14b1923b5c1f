/* headers.c -- the public headers of plugins, embedded in the binary. See host.h. */
#include "host/host.h"

#include "plugin_headers.inc"

void plugin_headers(Buf *pages) {
  pages_unpack(plugin_headers_packed, plugin_headers_packed_length, pages);
}
