/* function.c -- emits the functions of a graph around its loops: memories, arguments and results.
 *
 *     static int loom_loops(loom_kernel_run *loom_this, float *restrict x)    the kernel
 *     static int loom_run(loom_kernel_run *run)     checks and fills memories, calls loom_loops
 *
 * csim_write_loops is the pipeline of the loop code: plan.c, values.c, then the text of the body,
 * before that of the head, which declares only what the body uses.
 */
#include "writer.h"

static void write_grow(Writer *w) {
  static const char *const text[] = {
      "/* Makes room for an element of a memory of no fixed size. */",
      "static int loom_grow(loom_kernel_run *run, uint32_t id, uint64_t bytes, uint64_t address,",
      "                     uint32_t node) {",
      "  loom_kernel_memory *memory = &run->memories[id];",
      "  uint64_t elements = memory->elements ? memory->elements : 64, at;",
      "  uint8_t *data;",
      "  if (address >= (uint64_t)1 << 28) run->trap(run, LOOM_TRAP_BOUNDS, node, address, "
      "(uint64_t)1 << 28);",
      "  while (elements <= address) elements *= 2;",
      "  data = run->grow(run, memory->data, elements * bytes);",
      "  if (!data) return 0;",
      "  for (at = memory->elements * bytes; at < elements * bytes; at++) data[at] = 0;",
      "  memory->data = data;",
      "  memory->elements = elements;",
      "  return 1;",
      "}",
      "",
      NULL};
  if (w->grows) csim_text(w->m, text);
}

/* Bits of the C type that an element is stored in. */
static int bits_of_elements(const Plan *p, const loom_memory *memory) {
  uint32_t bits = p->types[memory->element].bits;
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

/* The initial contents of the graph's own memories, as bits; where one value fills a memory,
 * write_memory has it as a literal. */
static void write_contents(Writer *w) {
  const Plan *p = &w->p;
  uint32_t count = w->m->dfg->memory_count(w->m->design);
  for (uint32_t id = 0; id < count; id++) {
    const loom_memory *memory = &p->memories[id];
    if (memory->argument != NONE || memory->initial_count < 2) continue;
    csim_put(w->m, "static const uint%d_t loom_contents%u[%llu] = {", bits_of_elements(p, memory),
             id, (unsigned long long)memory->initial_count);
    for (uint64_t i = 0; i < memory->initial_count; i++)
      csim_put(w->m, i % 8 ? " 0x%llxu," : "\n    0x%llxu,",
               (unsigned long long)memory->initial[i]);
    csim_put(w->m, "\n};\n\n");
  }
}

/* Checks the size of a memory of the caller, and fills one of the graph's own. */
static void write_memory(Writer *w, uint32_t id) {
  Csim *m = w->m;
  const loom_memory *memory = &w->p.memories[id];
  const char *type = m->c->type_name(m->design, memory->element);
  unsigned long long elements = memory->elements;
  unsigned long long initial = memory->initial_count ? memory->initial[0] : 0;
  int own = memory->argument == NONE;
  if (own && memory->is_dynamic) {
    csim_line(w, "run->memories[%u].elements = 0;", id);
    csim_line(w, "run->memories[%u].data = 0;", id);
  } else {
    if (!memory->is_dynamic)
      csim_line(w, "if (run->memories[%u].elements != %lluull) return LOOM_KERNEL_REFUSED;", id,
                elements);
    csim_line(
        w, "if (run->memories[%u].elements && !run->memories[%u].data) return LOOM_KERNEL_REFUSED;",
        id, id);
  }
  if (own && !memory->is_dynamic) {
    const char *bits = memory->initial_count > 1 ? csim_format(m, "loom_contents%u[at]", id)
                       : memory->initial_count   ? csim_format(m, "0x%llxu", initial)
                                                 : "0u";
    csim_line(w, "for (at = 0; at < %lluu; at++) ((%s *)run->memories[%u].data)[at] = %s;",
              elements, type, id, m->c->from_bits(m->host, m->design, memory->element, bits));
  }
}

/* C11 promises 127 parameters of a function (5.2.4.1); a few are not memories. */
enum { MAX_MEMORY_PARAMETERS = 100 };

/* Memories are passed as parameters, since some compilers use `restrict` only on parameters. Those
 * that grow change their address, and are local variables. */
static int is_parameter(const Writer *w, uint32_t id) {
  const loom_memory *memory = &w->p.memories[id];
  return w->v.is_touched[id] && (memory->argument != NONE || !memory->is_dynamic) &&
         id < MAX_MEMORY_PARAMETERS;
}

static const char *pointer_type(Writer *w, uint32_t id) {
  const char *type = w->m->c->type_name(w->m->design, w->p.memories[id].element);
  int alone = w->p.memories[id].alias_group == NONE;
  return csim_format(w->m, "%s%s *%s", w->is_stored[id] ? "" : "const ", type,
                     alone ? "restrict" : "");
}

static void write_pointer(Writer *w, uint32_t id) {
  const loom_memory *memory = &w->p.memories[id];
  const char *name = w->v.memory_names[id];
  const char *fixed = memory->argument == NONE && memory->is_dynamic ? "" : "const ";
  if (w->v.is_touched[id] && !is_parameter(w, id))
    csim_line(w, "%s %s%s = loom_this->memories[%u].data;", pointer_type(w, id), fixed, name, id);
  if (w->is_sized[id])
    csim_line(w, "%suint64_t %s_size = loom_this->memories[%u].elements;", fixed, name, id);
}

/* The body of loom_run. */
static void write_memories(Writer *w) {
  const Plan *p = &w->p;
  uint32_t memories = w->m->dfg->memory_count(w->m->design), fills = 0;
  for (uint32_t id = 0; id < memories; id++)
    fills |= p->memories[id].argument == NONE && !p->memories[id].is_dynamic;
  if (fills) csim_line(w, "uint64_t at;");
  if (w->m->histories) csim_line(w, "struct loom_history *history;");
  for (uint32_t id = 0; id < memories; id++) write_memory(w, id);
  if (w->m->histories) {
    csim_line(w, "history = run->grow(run, 0, sizeof *history);");
    csim_line(w, "if (!history) return LOOM_KERNEL_REFUSED;");
  }
  csim_put(w->m, "  return loom_loops(run");
  for (uint32_t id = 0; id < memories; id++)
    if (is_parameter(w, id)) csim_put(w->m, ", run->memories[%u].data", id);
  csim_put(w->m, w->m->histories ? ", history);\n" : ");\n");
}

/* The start of loom_loops: its parameters and variables. Comes after the body, which decides which
 * of them it needs. */
static void write_head(Writer *w) {
  Csim *m = w->m;
  const Plan *p = &w->p;
  Values *v = &w->v;
  uint32_t memories = m->dfg->memory_count(m->design);
  int any = 0;
  csim_put(m, "static int loom_loops(loom_kernel_run *loom_this");
  for (uint32_t id = 0; id < memories; id++)
    if (is_parameter(w, id)) csim_put(m, ", %s %s", pointer_type(w, id), v->memory_names[id]);
  if (m->histories) csim_put(m, ", struct loom_history *restrict loom_history");
  csim_put(m, ") {\n");
  if (m->fuel) csim_line(w, "uint64_t loom_fuel = loom_this->fuel;");
  if (m->histories) {
    for (uint32_t id = 0; id < p->domain_count; id++) {
      any |= w->first_token[id] != NONE || w->first_late[id] != NONE;
      if (w->first_token[id] != NONE) csim_line(w, "uint32_t loom_n%u = 0;", id);
      if (w->first_late[id] != NONE) csim_line(w, "uint32_t loom_late%u = 0;", id);
    }
    if (w->first_constant != NONE) csim_line(w, "loom_fill_constants(loom_history);");
    if (!any) csim_line(w, "(void)loom_history;");
  }
  for (uint32_t id = 0; id < memories; id++) write_pointer(w, id);
  for (uint32_t r = 0; r < p->result_count; r++) {
    uint32_t n = p->results[r].node;
    if (!v->names[r]) continue;
    if (p->kinds[n] == NODE_ARGUMENT)
      csim_line(w, "const %s %s = %s;", csim_type(v, r), v->names[r],
                m->c->from_bits(m->host, m->design, p->results[r].type,
                                csim_format(m, "loom_this->args[%u]", p->nodes[n].argument)));
    else if (!v->is_local[r])
      csim_line(w, "%s %s = 0;", csim_type(v, r), v->names[r]);
  }
}

/* The end of loom_loops: flushes histories, and stores the results. */
static void write_end(Writer *w) {
  Csim *m = w->m;
  const Plan *p = &w->p;
  uint32_t ret = m->dfg->return_node(m->design);
  for (uint32_t d = 0; m->histories && d < p->domain_count; d++) {
    if (w->first_token[d] != NONE)
      csim_line(w, "if (loom_n%u) loom_flush%u(loom_this, loom_history, loom_n%u);", d, d, d);
    if (w->first_late[d] != NONE)
      csim_line(w, "if (loom_late%u) loom_flush_late%u(loom_this, loom_history, loom_late%u);", d,
                d, d);
  }
  for (uint32_t i = 0; i < p->nodes[ret].operand_count; i++) {
    uint32_t r = p->inputs[ret][i];
    if (has_data(p, r))
      csim_line(w, "loom_this->results[%u] = %s;", i,
                m->c->to_bits(m->host, m->design, p->results[r].type, csim_canonical(&w->v, r)));
    else
      csim_line(w, "loom_this->results[%u] = 0;", i);
    csim_line(w, "loom_this->result_counts[%u] = 1;", i);
  }
  csim_line(w, "return LOOM_KERNEL_FINISHED;");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Allocates the writer's tables. Lists, in order of ids: each domain's observed results (token),
 * each BURST's late conditions (late), and each domain's carries and stream indices (state). */
static void make_lists(Writer *w) {
  Csim *m = w->m;
  Plan *p = &w->p;
  uint32_t d, n = p->result_count, memories = m->dfg->memory_count(m->design);
  w->first_state = csim_alloc(m, p->domain_count, sizeof *w->first_state);
  w->first_token = csim_alloc(m, p->domain_count, sizeof *w->first_token);
  w->first_late = csim_alloc(m, p->domain_count, sizeof *w->first_late);
  w->next_state = csim_alloc(m, n, sizeof *w->next_state);
  w->next_token = csim_alloc(m, n, sizeof *w->next_token);
  w->next_late = csim_alloc(m, n, sizeof *w->next_late);
  w->checked = csim_alloc(m, n, sizeof *w->checked);
  w->first_constant = NONE;
  w->last_constant = csim_alloc(m, n, sizeof *w->last_constant);
  w->same = csim_alloc(m, n, sizeof *w->same);
  w->next_constant = csim_alloc(m, n, sizeof *w->next_constant);
  w->next_alike = csim_alloc(m, n, sizeof *w->next_alike);
  w->constants = csim_alloc(m, CONSTANT_LISTS, sizeof *w->constants);
  for (uint32_t r = 0; r < CONSTANT_LISTS; r++) w->constants[r] = NONE;
  w->kept = csim_alloc(m, n, sizeof *w->kept);
  w->last_kept = csim_alloc(m, n, sizeof *w->last_kept);
  w->is_safe = csim_alloc(m, n, 1);
  w->is_else = csim_alloc(m, w->p.domain_count, 1);
  w->is_sized = csim_alloc(m, memories, 1);
  w->is_stored = csim_alloc(m, memories, 1);
  for (d = 0; d < p->domain_count; d++)
    w->first_state[d] = w->first_token[d] = w->first_late[d] = NONE;
  for (uint32_t r = n; r-- > 0;) {
    uint32_t node = p->results[r].node, kind = p->kinds[node];
    w->kept[r] = w->last_kept[r] = w->last_constant[r] = NONE;
    w->same[r] = r;
    d = p->domain_of[r];
    if (d == NONE) continue;
    if (p->is_late[r] != LATE_CONDITION && p->is_observed[r])
      w->next_token[r] = w->first_token[d], w->first_token[d] = r;
    if (p->is_late[r] == LATE_CONDITION && p->is_observed[r]) {
      d = level_of(p, d);
      w->next_late[r] = w->first_late[d], w->first_late[d] = r;
    }
    if (p->is_late[r] || !has_data(p, r)) continue;
    if (kind == NODE_CARRY || (kind == NODE_STREAM && r == p->nodes[node].first_result))
      w->next_state[r] = w->first_state[d], w->first_state[d] = r;
  }
}

int csim_write_loops(Csim *m) {
  Writer *w = csim_alloc(m, 1, sizeof *w);
  Text head = {0}, body = {0}, start = {0};
  w->m = m;
  if (!m->domains) {
    m->why = "the proofs do not cover it";
    return LOOM_UNSUPPORTED;
  }
  if (!csim_plan_make(&w->p, m)) {
    m->why = w->p.why;
    return m->status == LOOM_OK ? LOOM_UNSUPPORTED : m->status;
  }
  csim_values_make(&w->v, &w->p);
  make_lists(w);
  m->held = &body;
  m->indent = 1;
  w->open = 0;
  csim_write_items(w, w->p.first[0], w->p.end[0]);
  csim_enter_domain(w, 0);
  write_end(w);
  m->held = &head;
  write_head(w);
  m->held = &start;
  write_memories(w);
  m->held = NULL;
  m->indent = 0;
  write_grow(w);
  write_contents(w);
  if (m->histories) csim_write_buffers(w);
  csim_put(m, "%s%s}\n\nstatic int loom_run(loom_kernel_run *run) {\n%s}\n", head.data, body.data,
           start.data);
  return m->status;
}
