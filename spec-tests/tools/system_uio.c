/* system_uio.c -- an emulated UIO device: loom_uio.c opens, maps, polls and reads a file, and
 * LOOM's simulator answers for the registers.
 *
 * The page of registers is protected, so every access faults. The handler fetches the value of a
 * read from the simulator, single-steps the instruction (the trap flag of x86), and then passes a
 * written value to the simulator. So the driver's own loads and stores are tested, in their order
 * and with their effects. poll, read and write are replaced by the linker's --wrap and behave as
 * UIO does: writing 1 enables interrupts; an interrupt is counted and disables further ones. */
#define _GNU_SOURCE
#include "system_uio.h"

#include "loom_registers.h"
#include "loom_simulated.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { REGISTERS = 0x4000, LOOKS = 5, TRAP_FLAG = 0x100, IS_WRITE = 2 };

static loom_bus behind;
static loom_uio uio;
static loom_bus *program;
static uint32_t offset;
static int is_write, is_enabled, is_started; /* is_started: the looks that remain */
unsigned system_uio_accesses, system_uio_waits, system_uio_came;

static void protect(int how) {
  if (mprotect(uio.registers, REGISTERS, how)) _exit(99);
}

static volatile uint32_t *word_at(uint32_t at) {
  return (volatile uint32_t *)uio.registers + at / 4;
}

/* The simulator is done at once; the board is LOOKS looks at STATUS later, or once the interrupt is waited for. The
 * program and the simulator each have the memory; a run works on the program's. */
static void finish(void) {
  if (!is_started) return;
  is_started = 0;
  memcpy(behind.memory, program->memory, program->bytes);
  behind.write(behind.user, LOOM_CONTROL, LOOM_CONTROL_START);
  memcpy(program->memory, behind.memory, program->bytes);
}

static void written(uint32_t at, uint32_t word) {
  finish();
  if (at == LOOM_CONTROL && word == LOOM_CONTROL_START)
    is_started = LOOKS;
  else
    behind.write(behind.user, at, word);
}

static uint32_t read_of(uint32_t at) {
  uint32_t word = 0;
  if (is_started && --is_started == 0) is_started = 1, finish();
  behind.read(behind.user, at, &word);
  return is_started && at == LOOM_STATUS ? word & ~(uint32_t)(LOOM_STATUS_DONE | LOOM_STATUS_IDLE)
                                         : word;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  ucontext_t *u = (ucontext_t *)context;
  (void)signal;
  offset = (uint32_t)((char *)info->si_addr - (char *)uio.registers);
  if (offset >= REGISTERS || offset % 4) _exit(98);
  is_write = (u->uc_mcontext.gregs[REG_ERR] & IS_WRITE) != 0;
  protect(PROT_READ | PROT_WRITE);
  if (!is_write) *word_at(offset) = read_of(offset);
  u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
  system_uio_accesses++;
}

static void on_step(int signal, siginfo_t *info, void *context) {
  ucontext_t *u = (ucontext_t *)context;
  (void)signal, (void)info;
  u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
  if (is_write) written(offset, *word_at(offset));
  protect(PROT_NONE);
}

/* ---- the file of the device, as the kernel has it --------------------------------------------------------- */

ssize_t __real_write(int file, const void *from, size_t bytes);
ssize_t __wrap_write(int file, const void *from, size_t bytes);
ssize_t __real_read(int file, void *to, size_t bytes);
ssize_t __wrap_read(int file, void *to, size_t bytes);
int __wrap_poll(struct pollfd *files, nfds_t count, int milliseconds);

ssize_t __wrap_write(int file, const void *from, size_t bytes) {
  if (file != uio.file) return __real_write(file, from, bytes);
  if (bytes != 4) return -1;
  memcpy(&is_enabled, from, 4);
  return 4;
}

ssize_t __wrap_read(int file, void *to, size_t bytes) {
  if (file != uio.file) return __real_read(file, to, bytes);
  if (bytes != 4) return -1;
  system_uio_came++;
  is_enabled = 0;
  memcpy(to, &system_uio_came, 4);
  return 4;
}

int __wrap_poll(struct pollfd *files, nfds_t count, int milliseconds) {
  (void)milliseconds;
  system_uio_waits++;
  finish();
  files->revents =
      count == 1 && files->fd == uio.file && is_enabled && loom_simulated_irq(&behind) ? POLLIN : 0;
  return files->revents != 0;
}

/* ---- open --------------------------------------------------------------------------------------------------- */

/* A new file of so many bytes; its name is of PATH_MAX characters. */
static int file_of(char *name, const char *what, size_t bytes) {
  const char *folder = getenv("TMPDIR");
  int file, length = snprintf(name, PATH_MAX, "%s/loom-%s-XXXXXX",
                              folder && *folder ? folder : "/tmp", what);
  if (length < 0 || length >= PATH_MAX) return -1;
  file = mkstemp(name);
  return file < 0 || ftruncate(file, (off_t)bytes) || close(file);
}

int system_uio_open(loom_bus *bus, size_t bytes, const loom_simulated_kernel *const *kernels,
                    uint32_t count) {
  char device[PATH_MAX] = "", memory[PATH_MAX] = "";
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO},
                   step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
  int failed = loom_uio_open(&uio, bus, "/nonexistent/uio0", "/dev/zero", 0, bytes) != -1 ||
               bus->memory || loom_simulated_open(&behind, bytes, kernels, count) ||
               file_of(device, "uio", REGISTERS) || file_of(memory, "memory", bytes) ||
               loom_uio_open(&uio, bus, device, "/nonexistent/memory", 0, bytes) != -1 ||
               bus->memory || loom_uio_open(&uio, bus, device, memory, behind.address, bytes);
  unlink(device);
  unlink(memory);
  program = bus;
  if (failed || sigaction(SIGSEGV, &fault, NULL) || sigaction(SIGTRAP, &step, NULL)) return -1;
  protect(PROT_NONE);
  return 0;
}

void system_uio_reset(void) {
  is_started = is_enabled = 0;
  loom_simulated_reset(&behind);
}

int system_uio_irq(void) {
  finish();
  return loom_simulated_irq(&behind);
}

void system_uio_close(void) {
  loom_uio_close(&uio, program);
  loom_simulated_close(&behind);
}
