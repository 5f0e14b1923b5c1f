/* scan.c -- vectorises search loops: tests 64 elements at once.
 *
 *     while (text[i] != 0) i++;                   a string's end, the first match, a mismatch
 *
 * Such a loop changes nothing but its counter, so testing more elements than necessary has no
 * visible effect as long as they are within the memory. Before the scalar loop this is emitted:
 *
 *     while (i + 64 <= text_size) {               these 64 are inside
 *       stops = 0;
 *       for (k = 0; k < 64; k++) stops |= -(text[i + k] == 0);
 *       if (stops) break;
 *       i += 64;
 *     }
 *
 * The inner loop has neither branch nor check, so a compiler vectorises it. If one of the 64 ends
 * the loop, or not all of them are inside, the scalar loop continues from i and finds the element,
 * or traps there. tcc does not vectorise: #if hides this from it. The block never runs for a memory
 * that was passed to the C function as a bare pointer: its size is unknown (call.c).
 *
 * Requirements: the loop has one carry, incremented by a literal 1 (the counter). Its test
 * computes, without operations that may trap, from loads at exactly the counter, literals and
 * values from outside. It stores nothing and contains neither loops nor branches. The test is
 * emitted twice; in the vectorised copy the counter is shadowed by a variable of the same name. */
#include "writer.h"

#include <string.h>

enum { AT_ONCE = 64 }; /* elements, whatever their width */

static int is_one(const Values *v, uint32_t r) {
  const Plan *p = v->p;
  uint32_t root = v->root[r];
  return v->literal[root] && p->nodes[p->results[root].node].literal == 1;
}

static int has_body(const Plan *p, uint32_t level) {
  return p->domains[level].kind == LOOM_BURST && p->domains[level].body != NONE;
}

/* The counter: the only state of a level, if that is a carry incremented by 1; else NONE. */
static uint32_t counter_of(const Writer *w, uint32_t level) {
  const Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t counter = NONE, next, bits;
  const uint32_t *in;
  for (uint32_t r = w->first_state[level]; r != NONE; r = w->next_state[r]) {
    if (!v->is_needed[r]) continue;
    if (counter != NONE) return NONE;
    counter = r;
  }
  if (counter == NONE || kind_of(p, counter) != NODE_CARRY) return NONE;
  bits = type_of(p, counter)->bits;
  next = v->root[p->inputs[p->results[counter].node][2]];
  if ((bits != 32 && bits != 64) || kind_of(p, next) != NODE_PURE) return NONE;
  if (strcmp(p->nodes[p->results[next].node].op_name, "arith.addi") != 0 &&
      strcmp(p->nodes[p->results[next].node].op_name, "index.add") != 0)
    return NONE;
  in = p->inputs[p->results[next].node];
  if (v->root[in[0]] == counter && is_one(v, in[1])) return counter;
  return v->root[in[1]] == counter && is_one(v, in[0]) ? counter : NONE;
}

/* A load at the counter, of a memory that does not grow. */
static int can_scan_load(const Writer *w, uint32_t r, uint32_t counter) {
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  const loom_memory *memory = &p->memories[p->nodes[n].memory];
  Port port;
  if (!csim_port(p, n, r - p->nodes[n].first_result, &port)) return 1; /* a done */
  return port.data == NONE && w->v.root[port.address] == counter &&
         !(memory->is_dynamic && memory->argument == NONE);
}

/* A pure operation of the test that neither traps nor takes the counter itself. */
static int can_scan_pure(const Writer *w, uint32_t r, uint32_t counter) {
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  if (w->v.may_trap[r]) return 0;
  for (uint32_t k = 0; k < p->nodes[n].operand_count; k++)
    if (w->v.root[p->inputs[n][k]] == counter) return 0;
  return 1;
}

static int can_scan_item(const Writer *w, uint32_t item, uint32_t level, uint32_t counter) {
  const Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t d;
  if (item >= p->result_count) return 0;
  d = p->domain_of[item];
  if (d != level && d != p->domains[level].body) return 0;
  switch (p->kinds[p->results[item].node]) {
  case NODE_MEMORY: return d == level && can_scan_load(w, item, counter);
  case NODE_PURE:
    if (v->root[item] != item || !v->is_needed[item]) return 1;
    return d == level ? can_scan_pure(w, item, counter) : !v->may_trap[item];
  case NODE_MUX: return !p->is_split[p->results[item].node];
  case NODE_STREAM: return 0;
  default: return 1;
  }
}

/* A C condition: "i + 64 <= size" of each memory that the test loads from; NULL: it loads from
 * none. A bare pointer has a size beyond 32 bits (call.c), which makes the condition false. */
static const char *bounds(Writer *w, uint32_t level, const char *name) {
  const Plan *p = &w->p;
  const char *text = NULL;
  uint32_t n;
  for (uint32_t i = p->first[level]; i < p->middle[level]; i++) {
    const loom_memory *memory;
    const char *size;
    Port port;
    n = p->results[p->order[i]].node;
    if (p->kinds[n] != NODE_MEMORY ||
        !csim_port(p, n, p->order[i] - p->nodes[n].first_result, &port))
      continue;
    memory = &p->memories[p->nodes[n].memory];
    size = csim_format(w->m, "%llu", (unsigned long long)memory->elements);
    if (memory->is_dynamic) {
      w->is_sized[p->nodes[n].memory] = 1;
      size = csim_format(w->m, "%s_size", w->v.memory_names[p->nodes[n].memory]);
    }
    text = csim_format(w->m, "%s%s(uint64_t)%s + %u <= %s", text ? text : "", text ? " && " : "",
                       name, AT_ONCE, size);
    if (memory->is_dynamic && w->m->call)
      text = csim_format(w->m, "%s && %s <= 0xffffffffu", text, size);
  }
  return text;
}

/* The vectorised copy of the test, its loads without a check; collects into loom_stops. */
static void write_test(Writer *w, uint32_t level, uint32_t counter) {
  const Plan *p = &w->p;
  const char *name = w->v.names[counter];
  csim_put(w->m, "#ifndef __clang__\n#pragma GCC unroll 8\n#endif\n"); /* clang unrolls anyway */
  csim_line(w, "for (loom_k = 0; loom_k < %u; loom_k++) {", AT_ONCE);
  csim_line(w, "const uint64_t %s = loom_from + loom_k;", name);
  w->open = level;
  for (uint32_t i = p->first[level]; i < p->middle[level]; i++) w->is_safe[p->order[i]] = 1;
  csim_write_items(w, p->first[level], p->middle[level]);
  csim_enter_domain(w, level);
  for (uint32_t i = p->first[level]; i < p->middle[level]; i++) w->is_safe[p->order[i]] = 0;
  csim_line(w, "loom_stops |= (uint8_t)-(%s);", /* all ones, as vector compares give */
            csim_negated(w, csim_value(&w->v, p->domains[level].condition)));
  csim_line(w, "}");
}

void csim_write_scan(Writer *w, uint32_t level) {
  const Plan *p = &w->p;
  uint32_t counter;
  const char *name, *inside;
  if (w->m->histories || w->m->fuel || !has_body(p, level) || p->is_early[level]) return;
  counter = counter_of(w, level);
  if (counter == NONE) return;
  for (uint32_t i = p->first[level]; i < p->end[level]; i++)
    if (!can_scan_item(w, p->order[i], level, counter)) return;
  name = w->v.names[counter];
  inside = bounds(w, level, name);
  if (!inside) return;
  csim_put(w->m, "#if defined(__GNUC__) && !defined(__TINYC__)\n");
  csim_line(w, "while (%s && %s + %uu > %s) { /* many tests at once */", inside, name, AT_ONCE,
            name);
  csim_line(w, "const uint64_t loom_from = %s;", name);
  csim_line(w, "uint32_t loom_k;");
  csim_line(w, "uint8_t loom_stops = 0;");
  write_test(w, level, counter);
  csim_line(w, "if (loom_stops) break;");
  csim_line(w, "%s = %s + %uu;", name, name, AT_ONCE);
  csim_line(w, "}");
  csim_put(w->m, "#endif\n");
  w->open = p->domains[level].parent;
}
