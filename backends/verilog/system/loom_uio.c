/* loom_uio.c -- see loom_uio.h. Needs POSIX; the driver itself does not. */
#define _GNU_SOURCE
#include "loom_uio.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REGISTER_BYTES = 0x4000, PATIENCE_MS = 10 };

/* UIO hands over the interrupts that came as a count, and masks the line until 1 is written. One
 * that was missed costs PATIENCE_MS. A device without an interrupt refuses the write: STATUS is
 * polled. */
static int idle(void *user, int interrupt_is_on) {
  loom_uio *uio = (loom_uio *)user;
  struct pollfd waits = {uio->file, POLLIN, 0};
  uint32_t count, on = 1;
  if (!interrupt_is_on || write(uio->file, &on, sizeof on) != (ssize_t)sizeof on) return 0;
  if (poll(&waits, 1, PATIENCE_MS) > 0 && read(uio->file, &count, sizeof count) < 0) return 1;
  return 0;
}

static void *map(int file, size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? NULL : at;
}

int loom_uio_open(loom_uio *uio, loom_bus *bus, const char *device, const char *memory,
                  uint64_t address, size_t bytes) {
  static const loom_bus none;
  *bus = none;
  uio->memory_file = -1;
  uio->registers = NULL;
  uio->file = open(device, O_RDWR | O_CLOEXEC);
  if (uio->file >= 0) uio->memory_file = open(memory, O_RDWR | O_SYNC | O_CLOEXEC);
  if (uio->memory_file >= 0) uio->registers = map(uio->file, REGISTER_BYTES);
  if (uio->registers) bus->memory = map(uio->memory_file, bytes);
  bus->bytes = bytes;
  if (!bus->memory) {
    loom_uio_close(uio, bus);
    return -1;
  }
  uio->mapped.registers = (volatile uint32_t *)uio->registers;
  bus->user = uio;
  bus->read = loom_mapped_read;
  bus->write = loom_mapped_write;
  bus->idle = idle;
  bus->address = address;
  return 0;
}

void loom_uio_close(loom_uio *uio, loom_bus *bus) {
  if (bus->memory) munmap(bus->memory, bus->bytes);
  if (uio->registers) munmap(uio->registers, REGISTER_BYTES);
  if (uio->memory_file >= 0) close(uio->memory_file);
  if (uio->file >= 0) close(uio->file);
  bus->memory = NULL;
}
