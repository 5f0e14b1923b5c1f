/* ---- a program: the machine run -----------------------------------------------------------------
 * What the case gives goes to inputs of the fabric and behind regions of memories. */

static loom_simulator_store main_stores[MAIN_REGIONS + 1];

static void main_fill(uint32_t id) {
  const MainMemory *memory = &main_memory_table[id];
  loom_simulator_store *store = &main_stores[main_regions[id].region];
  const MainEntry *entry;
  MainLayout layout;
  uint64_t i;
  if (main_regions[id].region == MAIN_NOTHING) return;
  if (memory->argument == MAIN_NOTHING) {
    store->elements = main_regions[id].elements;
    store->data = (uint64_t *)main_new(store->elements, sizeof *store->data);
    for (i = 0; i < store->elements && main_regions[id].count; i++)
      store->data[i] = main_regions[id].initial[main_regions[id].count > 1 ? i : 0];
    return;
  }
  entry = main_entry_of[memory->argument];
  if (!main_layout(memory, entry, &layout))
    main_fail(main_case, "a memref's layout does not fit its shape");
  if (layout.elements > main_regions[id].elements)
    main_fail(main_case, "a memref has more elements than its memory on the fabric");
  store->elements = layout.elements;
  store->data = (uint64_t *)main_new(store->elements, sizeof *store->data);
  for (i = 0; i < entry->n; i++) store->data[main_at(memory, entry, &layout, i)] = entry->data[i];
}

static void main_take(uint32_t id) {
  const MainMemory *memory = &main_memory_table[id];
  const MainEntry *entry =
      memory->argument == MAIN_NOTHING ? NULL : main_entry_of[memory->argument];
  MainLayout layout;
  uint64_t i;
  if (!entry || main_regions[id].region == MAIN_NOTHING) return;
  if (!main_layout(memory, entry, &layout)) return;
  for (i = 0; i < entry->n; i++)
    entry->data[i] = main_stores[main_regions[id].region].data[main_at(memory, entry, &layout, i)] &
                     main_mask(memory->element);
}

/* Nothing in a machine looks into a token of two words: there it is only its number. */
static uint64_t *main_wide, main_wide_count;

static const uint64_t *main_numbers(const uint64_t *words, uint64_t count) {
  uint64_t *numbers = (uint64_t *)main_new(count, sizeof *numbers), i;
  main_wide =
      (uint64_t *)main_resize(main_wide, 2 * (main_wide_count + count + 1) * sizeof *main_wide);
  if (!main_wide) main_no_memory();
  for (i = 0; i < 2 * count; i++) main_wide[2 * main_wide_count + i] = words[i];
  for (i = 0; i < count; i++) numbers[i] = main_wide_count++;
  return numbers;
}

static void main_taken(loom_simulator_run *run, uint32_t unit, uint64_t value) {
  uint32_t i;
  (void)run;
  for (i = 0; i != MAIN_OUTPUTS; i++) {
    const MainType *type = main_output_table[i].type;
    uint64_t bits = type->tag ? value : value & main_mask(type);
    if (main_output_units[i] == unit)
      main_push(i, main_words(type) > 1 ? main_wide + 2 * value : &bits, 1);
  }
}

static void main_trap(loom_simulator_run *run, uint32_t code, uint64_t a, uint64_t b) {
  fprintf(stderr, "error: in cycle %llu, in '%s': ", (unsigned long long)run->cycles - 1,
          main_unit_names[run->trap_unit]);
  switch (code) {
  case MAIN_DIVIDE: fputs("a division by zero\n", stderr); break;
  case MAIN_OVERFLOW: fputs("a quotient that does not fit its type\n", stderr); break;
  case MAIN_BOUNDS:
    fprintf(stderr, "element %llu is out of bounds: there are %llu\n", (unsigned long long)a,
            (unsigned long long)b);
    break;
  case MAIN_STEP: fputs("a step of 0\n", stderr); break;
  default:
    fprintf(stderr, "select %llu is out of range: there are %llu inputs\n", (unsigned long long)a,
            (unsigned long long)b);
  }
  fprintf(stderr, "FAIL @%s: stopped by an error\n", MAIN_NAME);
  fflush(stdout);
  main_free_all();
  exit(4);
}

/* What an argument that the case leaves out follows from. */
static const uint64_t *main_given(uint32_t argument, uint64_t *count) {
  static const uint64_t control = 0;
  const MainArgument *a = &main_argument_table[argument];
  const MainEntry *entry = main_entry_of[argument];
  *count = entry ? entry->n : 1;
  if (entry) return entry->data;
  return a->role == MAIN_EXTENT ? &main_entry_of[a->of]->shape[a->dimension] : &control;
}

static int main_run(void) {
  static const uint64_t *given[MAIN_UNITS + 1];
  static uint64_t counts[MAIN_UNITS + 1];
  static loom_simulator_run run;
  uint32_t i, is_stream = 0, is_owed = 0;
  int status;
  for (i = 0; i != MAIN_ARGUMENTS; i++) {
    if (main_entry_of[i] && main_entry_of[i]->is_stream) is_stream = 1;
    if (main_argument_units[i] == MAIN_NOTHING) continue;
    given[main_argument_units[i]] = main_given(i, &counts[main_argument_units[i]]);
    if (main_argument_table[i].role == MAIN_VALUE && main_words(main_argument_table[i].type) > 1)
      given[main_argument_units[i]] =
          main_numbers(given[main_argument_units[i]], counts[main_argument_units[i]]);
  }
  for (i = 0; i != MAIN_MEMORIES; i++) main_fill(i);
  run.abi = LOOM_SIMULATOR_ABI;
  run.given = given;
  run.given_counts = counts;
  run.stores = main_stores;
  run.taken = main_taken;
  run.trap = main_trap;
  status = loom_simulator.run(&run);
  for (i = 0; i != MAIN_MEMORIES; i++) main_take(i);
  fprintf(stderr, "%llu cycle%s\n", (unsigned long long)run.cycles, run.cycles == 1 ? "" : "s");
  for (i = 0; i != MAIN_OUTPUTS && !is_stream; i++)
    if (!main_outputs[i].tokens) is_owed = 1;
  if (is_owed) return MAIN_DEADLOCK;
  return status == LOOM_SIMULATOR_QUIET ? MAIN_FINISHED : MAIN_LEFTOVER;
}
