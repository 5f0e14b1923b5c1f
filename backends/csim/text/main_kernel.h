/* ---- a program: the kernel called --------------------------------------------------------------
 */

/* ---- memories of a kernel: elements of as many bytes as they need ---- */

static void main_put(void *data, uint32_t bytes, uint64_t at, uint64_t bits) {
  uint8_t of1 = (uint8_t)bits;
  uint16_t of2 = (uint16_t)bits;
  uint32_t of4 = (uint32_t)bits;
  memcpy((char *)data + at * bytes,
         bytes == 1   ? (const void *)&of1
         : bytes == 2 ? (const void *)&of2
         : bytes == 4 ? (const void *)&of4
                      : (const void *)&bits,
         bytes);
}

static uint64_t main_get(const void *data, uint32_t bytes, uint64_t at) {
  const char *from = (const char *)data + at * bytes;
  uint8_t of1;
  uint16_t of2;
  uint32_t of4;
  uint64_t of8;
  switch (bytes) {
  case 1: memcpy(&of1, from, 1); return of1;
  case 2: memcpy(&of2, from, 2); return of2;
  case 4: memcpy(&of4, from, 4); return of4;
  default: memcpy(&of8, from, 8); return of8;
  }
}

static uint32_t main_bytes(const MainType *type) {
  return type->bits <= 8 ? 1 : type->bits <= 16 ? 2 : type->bits <= 32 ? 4 : 8;
}

static void main_fill(const MainMemory *memory, loom_kernel_memory *into) {
  uint32_t bytes = main_bytes(memory->element);
  const MainEntry *entry;
  MainLayout layout;
  uint64_t i;
  if (memory->argument == MAIN_NOTHING) {
    into->elements = memory->elements; /* one of no fixed size starts with none and grows */
    into->data = into->elements ? main_new(into->elements, bytes) : NULL;
    return;
  }
  entry = main_entry_of[memory->argument];
  if (!main_layout(memory, entry, &layout))
    main_fail(main_case, "a memref's layout does not fit its shape");
  into->elements = layout.elements;
  into->data = main_new(into->elements, bytes);
  for (i = 0; i < entry->n; i++)
    main_put(into->data, bytes, main_at(memory, entry, &layout, i), entry->data[i]);
}

/* The other way round, into the entry. */
static void main_take(const MainMemory *memory, const loom_kernel_memory *from) {
  const MainEntry *entry =
      memory->argument == MAIN_NOTHING ? NULL : main_entry_of[memory->argument];
  MainLayout layout;
  uint64_t i;
  if (!entry || !main_layout(memory, entry, &layout)) return;
  for (i = 0; i < entry->n; i++)
    entry->data[i] =
        main_get(from->data, main_bytes(memory->element), main_at(memory, entry, &layout, i));
}

/* ---- what it calls ---- */

static void main_trap(loom_kernel_run *run, uint32_t code, uint32_t node, uint64_t a, uint64_t b) {
  const MainNode *n = &main_nodes[node];
  (void)run;
  fprintf(stderr, "%s: error: ", n->where);
  if (code == LOOM_TRAP_DIVIDE)
    fprintf(stderr, "%%%s = %s divides by zero\n", n->name, n->op);
  else if (code == LOOM_TRAP_OVERFLOW)
    fprintf(stderr, "%%%s = %s: the quotient does not fit its type\n", n->name, n->op);
  else if (code == LOOM_TRAP_STEP)
    fprintf(stderr, "%%%s = %s: the step is 0\n", n->name, n->op);
  else
    fprintf(stderr, "%%%s[%lld] is out of bounds: it has %llu elements\n", n->memory,
            a >> (MAIN_INDEX_BITS - 1) & 1
                ? (long long)(a | ~(~(uint64_t)0 >> (64 - MAIN_INDEX_BITS)))
                : (long long)a,
            (unsigned long long)b);
  fprintf(stderr, "FAIL @%s: stopped by an error\n", MAIN_NAME);
  fflush(stdout);
  main_free_all();
  exit(4);
}

static void main_history(loom_kernel_run *run, uint32_t result, const void *data, uint32_t n) {
  (void)run, (void)result, (void)data, (void)n;
}

static uint64_t main_refuel(loom_kernel_run *run) {
  (void)run;
  return ~(uint64_t)0 >> 1; /* no limit */
}

static void *main_grow(loom_kernel_run *run, void *old, uint64_t bytes) {
  (void)run;
  return main_resize(old, bytes);
}

static int main_run(void) {
  static loom_kernel_run run;
  static uint64_t args[MAIN_ARGUMENTS + 1];
  static loom_kernel_memory memories[MAIN_MEMORIES + 1];
  static uint64_t results[MAIN_OUTPUTS + 1], result_counts[MAIN_OUTPUTS + 1];
  uint32_t i;
  int status;
  for (i = 0; i != MAIN_ARGUMENTS; i++) {
    const MainArgument *argument = &main_argument_table[i];
    const MainEntry *entry = main_entry_of[i];
    if (argument->role == MAIN_MEMREF) continue;
    if (entry && entry->is_stream) main_fail(main_case, "this program takes no streams");
    if (entry) args[i] = entry->data[0];
    if (!entry && argument->role == MAIN_EXTENT)
      args[i] = main_entry_of[argument->of]->shape[argument->dimension];
  }
  for (i = 0; i != MAIN_MEMORIES; i++) main_fill(&main_memory_table[i], &memories[i]);
  run.abi = LOOM_KERNEL_ABI;
  run.args = args;
  run.memories = memories;
  run.results = results;
  run.result_counts = result_counts;
  run.trap = main_trap;
  run.tokens = main_history;
  run.fuel = ~(uint64_t)0 >> 1;
  run.refuel = main_refuel;
  run.grow = main_grow;
  status = loom_kernel.run(&run);
  for (i = 0; i != MAIN_MEMORIES; i++) main_take(&main_memory_table[i], &memories[i]);
  for (i = 0; i != MAIN_OUTPUTS; i++) main_push(i, &results[i], (uint32_t)result_counts[i]);
  return status == LOOM_KERNEL_FINISHED ? MAIN_FINISHED : MAIN_REFUSED;
}
