/* ---- a program: the run ------------------------------------------------------------------------
 * What came out printed and compared; main. */

/* ---- what came out ---- */

static void main_print_results(FILE *out) {
  uint32_t i, n = 0;
  fputs("{\n  \"results\": [", out);
  for (i = 0; i != MAIN_OUTPUTS; i++) {
    const MainOutput *o = &main_outputs[i];
    const MainType *type = main_output_table[i].type;
    if (type->kind == MAIN_NONE) continue;
    if (n++) fputs(", ", out);
    if (o->tokens == 1)
      main_print(out, type, o->words);
    else
      main_print_list(out, type, o->words, o->n);
  }
  fputs("],\n  \"memrefs\": [", out);
  for (i = 0, n = 0; i < main_entry_count; i++) {
    const MainArgument *argument = &main_argument_table[main_entries[i].argument];
    if (argument->role != MAIN_MEMREF) continue;
    fprintf(out, "%s\n    {\"arg\": %lu, \"data\": ", n++ ? "," : "", (unsigned long)i);
    main_print_list(out, argument->memory->element, main_entries[i].data, main_entries[i].n);
    fputc('}', out);
  }
  fputs(n ? "\n  ]\n}\n" : "]\n}\n", out);
}

/* Are they the same? Any NaN is like any other: JSON cannot tell them apart. */
static int main_same(const MainType *type, const uint64_t *a, const uint64_t *b) {
  double x, y;
  if (!memcmp(a, b, main_words(type) * sizeof *a)) return 1;
  if (!main_is_float(type)) return 0;
  if (type->tag && main_tag(type, a) != main_tag(type, b)) return 0;
  x = main_float_value((int)type->kind, a[0] & main_mask(type));
  y = main_float_value((int)type->kind, b[0] & main_mask(type));
  return x != x && y != y;
}

/* Compares a list with what is expected; 1 where they are the same. */
static int main_compare(const char *what, uint64_t number, const MainJson *json,
                        const MainJson *values, uint64_t expected, const MainType *type,
                        const uint64_t *got, uint64_t all) {
  uint64_t i, n = all / main_words(type), differences = 0;
  if (expected != n) {
    main_place(json->at);
    fprintf(stderr, "%s[%lu] has %llu values, expected %llu\n", what, (unsigned long)number,
            (unsigned long long)n, (unsigned long long)expected);
    return 0;
  }
  for (i = 0; i < n; i++, values = values->next) {
    const uint64_t *is = got + i * main_words(type);
    uint64_t want[2];
    main_token(values, type, want);
    if (main_same(type, is, want) || ++differences > MAIN_DIFFERENCES_SHOWN) continue;
    main_place(values->at);
    fprintf(stderr, "%s[%lu]", what, (unsigned long)number);
    if (n != 1) fprintf(stderr, " at %llu", (unsigned long long)i);
    fputs(" is ", stderr);
    main_print(stderr, type, is);
    fputs(", expected ", stderr);
    main_print(stderr, type, want);
    fputs("\n", stderr);
  }
  return differences == 0;
}

static int main_expected_results(const MainJson *list) {
  const MainJson *want = main_list(list);
  uint32_t i, number = 0, good = 1;
  for (i = 0; i != MAIN_OUTPUTS; i++) {
    const MainOutput *o = &main_outputs[i];
    const MainType *type = main_output_table[i].type;
    int is_list;
    if (type->kind == MAIN_NONE) continue;
    if (!want) break;
    is_list = want->kind == '[';
    good &= (uint32_t)main_compare("results", number++, want, is_list ? want->child : want,
                                   is_list ? want->count : 1, type, o->words, o->n);
    want = want->next;
  }
  if (i == MAIN_OUTPUTS && !want) return (int)good;
  main_place(list->at);
  fprintf(stderr, "the function has a different number of results\n");
  return 0;
}

static int main_expected_memory(const MainJson *json) {
  static const char *const names[] = {"arg", "data", NULL};
  static const MainType index = {"index", MAIN_INTEGER, 32, 0};
  const MainJson *found[2];
  const MainEntry *entry;
  uint64_t number;
  main_members(json, names, found);
  if (!found[0] || !found[1] || found[0]->kind != '0')
    main_fail(json->at, "expected {\"arg\": NUMBER, \"data\": [...]}");
  number = main_integer(found[0], found[0]->text, &index);
  entry = number < main_entry_count ? &main_entries[number] : NULL;
  if (!entry || main_argument_table[entry->argument].role != MAIN_MEMREF)
    main_fail(found[0]->at, "expected the number of a memref in \"args\"");
  return main_compare("args", number, found[1], main_list(found[1]), found[1]->count,
                      main_argument_table[entry->argument].memory->element, entry->data, entry->n);
}

static int main_expected(const MainJson *json) {
  static const char *const names[] = {"results", "memrefs", NULL};
  const MainJson *found[2], *memory;
  int good = 1;
  main_members(json, names, found);
  if (found[0]) good &= main_expected_results(found[0]);
  if (found[1])
    for (memory = main_list(found[1]); memory; memory = memory->next)
      good &= main_expected_memory(memory);
  return good;
}

/* ---- the way in ---- */

int main(int argc, char **argv) {
  static const char *const names[] = {"function", "args", "expected", NULL};
  static const char *const ends[] = {"", ": tokens were left over", ": deadlock",
                                     ": it did not start"};
  const MainJson *found[3];
  MainJson root;
  const char *end;
  int status, good = 1, asks = argc == 2 && strcmp(argv[1], "--help") == 0;
  if (argc != 2 || asks || (argv[1][0] == '-' && argv[1][1])) {
    fprintf(asks ? stdout : stderr,
            "usage: %s CASE.json\n"
            "Runs @%s on a case (- is standard input) and prints its results and memories; with\n"
            "\"expected\" in the case, PASS or FAIL.\n",
            argc > 0 ? argv[0] : MAIN_NAME, MAIN_NAME);
    return asks ? 0 : 2;
  }
  main_read(argv[1]);
  memset(&root, 0, sizeof root);
  end = main_skip(main_value(main_skip(main_case), &root, 0));
  if (end != main_end) main_fail(end, "expected the end of the file");
  main_members(&root, names, found);
  if (found[0] && (found[0]->kind != '"' || strcmp(found[0]->text, MAIN_NAME) != 0))
    main_fail(found[0]->at, "the case is for a different function");
  main_arguments(&root, found[1]);
  status = main_run();
  main_print_results(stdout);
  if (fflush(stdout) != 0) {
    fprintf(stderr, "error: cannot write: %s\n", strerror(errno));
    return 5;
  }
  if (status == MAIN_FINISHED && found[2]) good = main_expected(found[2]);
  if (status != MAIN_FINISHED || !good)
    fprintf(stderr, "FAIL @%s%s\n", MAIN_NAME, ends[status]);
  else if (found[2])
    fprintf(stderr, "PASS @%s\n", MAIN_NAME);
  main_free_all();
  if (status == MAIN_REFUSED) return 1;
  return status != MAIN_FINISHED || !good ? 4 : 0;
}
