/* array.c -- arrays of elements: reference counts, copy on write, and files read on demand.
 *
 * An array of a file has no data itself. The first array_share reads the file into a second array;
 * as long as that lives, the array of the file points to it, and each further array_share returns
 * it. array_own by its only holder detaches it from the file and returns it uncopied: a kernel that
 * reads and writes one large array has one copy of it.
 *
 * Cost: linear in the elements, where something is read, copied or laid out. */
#include "run/array.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

struct Array {
  void *data; /* NULL: the elements are in the file */
  size_t n;
  unsigned bytes;
  u32 holders;
  int fd;             /* of a file; -1 */
  char *path;         /* of a file */
  u64 offset;         /* of a file */
  struct stat before; /* of a file: when it was opened */
  Array *shared;      /* of a file: the array it was read into, not held; NULL: there is none */
  Array *file;        /* of an array read from a file, still shared: the array of the file, held */
};

enum { LARGE = HUGE_PAGE };

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t size_of(const Array *a) {
  return mem_size(a->n ? a->n : 1, a->bytes);
}

/* Large blocks are pages of their own: they go back to the system when they are freed. */
static void *new_data(size_t size) {
  return size >= LARGE ? pages_alloc(pages_rounded(size)) : mem_alloc(size);
}

static void free_data(Array *a) {
  if (a->data && size_of(a) >= LARGE)
    pages_free(a->data, pages_rounded(size_of(a)));
  else
    mem_free(a->data);
}

Array *array_new(size_t n, unsigned bytes) {
  Array *a = mem_alloc(sizeof *a);
  *a = (Array){.n = n, .bytes = bytes, .holders = 1, .fd = -1};
  a->data = new_data(size_of(a));
  return a;
}

Array *array_of_words(const u64 *at, size_t n, unsigned bytes) {
  Array *a = array_new(n, bytes);
  for (size_t i = 0; i < n; i++) element_put(a->data, bytes, i, at[i]);
  return a;
}

Array *array_of_file(int fd, const char *path, u64 offset, size_t n, unsigned bytes) {
  Array *a = mem_alloc(sizeof *a);
  *a = (Array){.n = n, .bytes = bytes, .holders = 1, .fd = fd, .offset = offset};
  a->path = mem_alloc(strlen(path) + 1);
  memcpy(a->path, path, strlen(path) + 1);
  fstat(fd, &a->before);
  return a;
}

Array *array_retain(Array *a) {
  a->holders++;
  return a;
}

void array_release(Array *a) {
  if (!a || --a->holders) return;
  if (a->file) {
    a->file->shared = NULL;
    array_release(a->file);
  }
  if (a->fd >= 0) close(a->fd);
  mem_free(a->path);
  free_data(a);
  mem_free(a);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Ends LOOM: callers have no error to return, and may have used the old elements already. */
NORETURN static void file_failed(const Array *a, const char *why) {
  fprintf(stderr, "loom: cannot read %s: %s\n", a->path, why);
  fflush(NULL);
  _exit(EXIT_FAULT);
}

static void read_bytes(const Array *a, void *to, u64 from, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t got = pread(a->fd, (char *)to + done, size - done, (off_t)(a->offset + from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) file_failed(a, strerror(errno));
    if (got == 0) file_failed(a, "the file became shorter during the run");
    done += (size_t)got;
  }
}

static void check_unchanged(const Array *a) {
  struct stat now;
  if (fstat(a->fd, &now) == 0 && now.st_size == a->before.st_size &&
      now.st_mtim.tv_sec == a->before.st_mtim.tv_sec &&
      now.st_mtim.tv_nsec == a->before.st_mtim.tv_nsec)
    return;
  file_failed(a, "the file was changed during the run");
}

Array *array_share(Array *a) {
  if (a->data) return array_retain(a);
  if (a->shared) return array_retain(a->shared);
  Array *copy = array_new(a->n, a->bytes);
  read_bytes(a, copy->data, 0, mem_size(a->n, a->bytes));
  check_unchanged(a);
  a->shared = copy;
  copy->file = array_retain(a);
  return copy;
}

Array *array_own(Array *a) {
  if (a->holders > 1) {
    Array *copy = array_new(a->n, a->bytes);
    memcpy(copy->data, a->data, mem_size(a->n, a->bytes));
    array_release(a);
    return copy;
  }
  if (a->file) {
    a->file->shared = NULL;
    array_release(a->file);
    a->file = NULL;
  }
  return a;
}

/* ---- elements -------------------------------------------------------------------------------- */

Elements array_elements(const Array *a) {
  assert(a->data);
  return (Elements){a->data, a->n, a->bytes};
}

void *array_data(Array *a) {
  return a->data;
}

size_t array_length(const Array *a) {
  return a->n;
}

u64 *array_words(Arena *arena, Array *a) {
  Array *from = array_share(a);
  u64 *words = NEW_ARRAY(arena, u64, a->n);
  for (size_t i = 0; i < a->n; i++) words[i] = element_get(from->data, from->bytes, i);
  array_release(from);
  return words;
}

bool elements_equal(Elements a, Elements b) {
  if (a.n != b.n) return false;
  if (a.bytes == b.bytes) return a.n == 0 || memcmp(a.at, b.at, mem_size(a.n, a.bytes)) == 0;
  for (size_t i = 0; i < a.n; i++)
    if (element_of(a, i) != element_of(b, i)) return false;
  return true;
}

/* Compares a file with an array block by block, so that the file takes no memory. */
static bool file_has(const Array *file, const Array *other) {
  char block[1 << 12];
  size_t size = mem_size(file->n, file->bytes);
  if (file->n != other->n || file->bytes != other->bytes) return false;
  for (size_t at = 0; at < size; at += sizeof block) {
    size_t n = size - at < sizeof block ? size - at : sizeof block;
    read_bytes(file, block, at, n);
    if (memcmp(block, (const char *)other->data + at, n) != 0) return false;
  }
  return true;
}

bool array_same(const Array *a, const Array *b) {
  if (a == b || a->file == b || b->file == a) return true;
  if (!a->data && !b->data) return false;
  if (!a->data) return file_has(a, b);
  if (!b->data) return file_has(b, a);
  return elements_equal(array_elements(a), array_elements(b));
}

/* ---- layouts --------------------------------------------------------------------------------- */

static bool is_row_major(const ElementLayout *layout, size_t n) {
  i64 stride = 1;
  if (layout->offset || (u64)layout->elements != n) return false;
  for (u32 d = layout->rank; d-- > 0;) {
    if (layout->sizes[d] > 1 && layout->strides[d] != stride) return false;
    stride *= layout->sizes[d];
  }
  return true;
}

Array *array_laid_out(Array *rows, const ElementLayout *layout) {
  if (is_row_major(layout, rows->n)) return array_share(rows);
  Array *memory = array_new((size_t)layout->elements, rows->bytes);
  if (layout_is_empty(layout)) return memory;
  Array *from = array_share(rows);
  i64 at[LAYOUT_MAX_RANK] = {0};
  size_t i = 0;
  do
    element_put(memory->data, memory->bytes, (size_t)layout_at(layout, at),
                element_get(from->data, from->bytes, i++));
  while (layout_next(layout, at));
  array_release(from);
  return memory;
}

static size_t elements_in_rows(const ElementLayout *layout) {
  size_t n = 1;
  for (u32 d = 0; d < layout->rank; d++) n *= (size_t)layout->sizes[d];
  return n;
}

Array *array_in_rows(Array *memory, const ElementLayout *layout) {
  size_t n = elements_in_rows(layout), i = 0;
  if (is_row_major(layout, n) && memory->n == n) return array_retain(memory);
  Array *rows = array_new(n, memory->bytes);
  if (n == 0) return rows;
  i64 at[LAYOUT_MAX_RANK] = {0};
  do
    element_put(rows->data, rows->bytes, i++,
                element_get(memory->data, memory->bytes, (size_t)layout_at(layout, at)));
  while (layout_next(layout, at));
  return rows;
}
