/* accesses.c -- emits assignments, and memory accesses with their bounds checks.
 *
 * A check is omitted where the address cannot be outside (ranges.c, or its type is too narrow),
 * where it was checked before the loop (counting.c, scan.c), or where the same address was checked
 * before in this domain or an enclosing one. */
#include "counting.h"
#include "writer.h"

#include <string.h>

/* Gives the root's variable, if it has one, the value of the C expression `text`. */
static void assign(Writer *w, uint32_t root, const char *text) {
  Values *v = &w->v;
  const char *name = v->names[v->storage[root]];
  if (!name || strcmp(name, text) == 0) return;
  if (v->is_local[root])
    csim_line(w, "const %s %s = %s;", csim_type(v, root), name, csim_bare(w, text));
  else
    csim_line(w, "%s = %s;", name, csim_bare(w, text));
}

/* True if an earlier check implies this one. Otherwise records it as made: the caller must emit
 * it. */
static int was_checked(Writer *w, uint32_t address, uint32_t domain, uint32_t id) {
  const Plan *p = &w->p;
  const loom_memory *memory = &p->memories[id];
  uint32_t dynamic = memory->is_dynamic ? id : NONE;
  Checked *c;
  for (c = w->checked[address]; c; c = c->next)
    if (c->memory == dynamic && (memory->is_dynamic || c->elements <= memory->elements) &&
        is_under(p, domain, c->domain))
      return 1;
  c = csim_alloc(w->m, 1, sizeof *c);
  *c = (Checked){w->checked[address], w->last_checked, address, domain, dynamic, memory->elements};
  w->checked[address] = w->last_checked = c;
  return 0;
}

/* Drops all records of checks made after `last`. */
void csim_forget_checks(Writer *w, const Checked *last) {
  for (; w->last_checked != last; w->last_checked = w->last_checked->before)
    w->checked[w->last_checked->address] = w->last_checked->next;
}

/* The bounds check of an access; a memory that can grow grows instead of trapping. */
static void write_check(Writer *w, uint32_t r, const Port *port) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t id = p->nodes[p->results[r].node].memory, address = v->root[port->address];
  uint32_t bits = type_of(p, address)->bits;
  const loom_memory *memory = &p->memories[id];
  const char *name = v->memory_names[id], *at = csim_value(v, address);
  if (w->is_safe[r] || csim_is_inside(w->v.ranges, port->address, memory)) return;
  if (!memory->is_dynamic) {
    const char *size =
        csim_format(w->m, "%llu%s", (unsigned long long)memory->elements, bits > 32 ? "ull" : "u");
    if (bits < 64 && memory->elements >= (uint64_t)1 << bits) return;
    if (was_checked(w, address, p->domain_of[r], id)) return;
    csim_line(w, "if (%s >= %s) loom_trap(LOOM_TRAP_BOUNDS, %uu, %s, %s);", at, size, port->node,
              at, size);
    return;
  }
  if (was_checked(w, address, p->domain_of[r], id)) return;
  w->is_sized[id] = 1;
  if (memory->argument != NONE) {
    /* A bare pointer (call.c) has the size ~0 / 16, which means no limit. An address of 60
     * bits or more may exceed even that: a negative index, which is legal there. */
    const char *has_end =
        w->m->call && bits >= 60 ? csim_format(w->m, " && %s_size < ~(uint64_t)0 / 16", name) : "";
    csim_line(w, "if (%s >= %s_size%s) loom_trap(LOOM_TRAP_BOUNDS, %uu, %s, %s_size);", at, name,
              has_end, port->node, at, name);
    return;
  }
  w->grows = 1;
  v->is_touched[id] = 1;
  csim_line(w, "if (%s >= %s_size) {", at, name);
  csim_line(w, "if (!loom_grow(loom_this, %uu, sizeof *%s, %s, %uu)) return LOOM_KERNEL_REFUSED;",
            id, name, at, port->node);
  csim_line(w, "%s = loom_this->memories[%u].data;", name, id);
  csim_line(w, "%s_size = loom_this->memories[%u].elements;", name, id);
  csim_line(w, "}");
}

static void write_port(Writer *w, uint32_t r, const Port *port) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t id = p->nodes[p->results[r].node].memory;
  csim_enter_domain(w, p->domain_of[r]);
  write_check(w, r, port);
  if (port->data != NONE) {
    v->is_touched[id] = w->is_stored[id] = 1;
    csim_line(w, "%s[%s] = %s;", v->memory_names[id], csim_index(v, port->address, id),
              csim_bare(w, csim_canonical(v, port->data)));
  } else if (v->is_needed[r] && v->root[r] == r && !v->is_inlined[r]) {
    assign(w, r, csim_expression(v, r));
  }
}

void csim_write_result(Writer *w, uint32_t r) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t n = p->results[r].node;
  Port port;
  if (p->kinds[n] == NODE_MEMORY && csim_port(p, n, r - p->nodes[n].first_result, &port)) {
    write_port(w, r, &port);
    return;
  }
  if (!has_data(p, r) || v->root[r] != r || !v->is_needed[r] || v->is_inlined[r]) return;
  switch (p->kinds[n]) {
  case NODE_MUX:
    if (p->is_split[n]) return;
    break;
  case NODE_STREAM:
    if (r == p->nodes[n].first_result) return;
    break;
  case NODE_PURE: break;
  default: return;
  }
  csim_enter_domain(w, p->domain_of[r]);
  assign(w, r, csim_expression(v, r));
}

void csim_write_arm(Writer *w, uint32_t item) {
  Values *v = &w->v;
  const Plan *p = &w->p;
  uint32_t number = item - p->result_count - 2 * p->domain_count, side = number % 2, r, from;
  uint32_t n = p->muxes[number / 2];
  r = p->nodes[n].first_result;
  if (!v->is_needed[r]) return;
  from = v->root[p->inputs[n][1 + side]];
  if (!v->literal[from] && v->storage[from] == v->storage[r]) return;
  csim_enter_domain(w, p->item_domain[item]);
  csim_line(w, "%s = %s;", v->names[v->storage[r]],
            v->nans[r] == NAN_EXACT ? csim_canonical(v, from) : csim_value(v, from));
}

enum { MAX_COPIED = 400 }; /* items of a loop that is emitted twice; bounds the size of the text */

/* Records each hoisted check as made, so that the condition has it only once; then drops these
 * records, since the checks hold in only one of the two copies of the loop. */
const char *csim_hoist_checks(Writer *w, uint32_t level) {
  Plan *p = &w->p;
  Values *v = &w->v;
  CountedLoop counted;
  const char *holds;
  uint32_t n;
  Port port;
  Checked *last = w->last_checked;
  if (w->m->histories || p->end[level] - p->first[level] > MAX_COPIED ||
      !csim_counted_loop(v, level, &counted))
    return NULL;
  holds = NULL;
  for (uint32_t i = p->first[level]; i < p->end[level]; i++) {
    uint32_t r = p->order[i], id;
    const char *first, *end, *size, *both;
    if (r >= p->result_count) continue;
    n = p->results[r].node;
    if (p->kinds[n] != NODE_MEMORY || !csim_port(p, n, r - p->nodes[n].first_result, &port))
      continue;
    id = p->nodes[n].memory;
    if (port.data == NONE && !v->is_needed[r])
      continue; /* unused load: only its check would need the address */
    if (csim_is_inside(v->ranges, port.address, &p->memories[id])) continue;
    if (p->memories[id].is_dynamic && p->memories[id].argument == NONE) continue;
    first = csim_linear(v, &counted, port.address, counted.first);
    end = csim_linear(v, &counted, port.address, counted.last);
    if (!first || !end) continue;
    w->is_safe[r] = 1;
    if (was_checked(w, v->root[port.address], level, id)) continue;
    size = csim_format(w->m, "%llu", (unsigned long long)p->memories[id].elements);
    if (p->memories[id].is_dynamic) {
      w->is_sized[id] = 1;
      size = csim_format(w->m, "%s_size", v->memory_names[id]);
    }
    both = csim_format(w->m, "(uint64_t)(%s) < %s && (uint64_t)(%s) < %s", first, size, end, size);
    holds = holds ? csim_format(w->m, "%s &&\n%*s%s", holds, 2 * (int)w->m->indent + 4, "", both)
                  : both;
  }
  csim_forget_checks(w, last);
  if (holds && counted.holds) holds = csim_format(w->m, "%s && %s", counted.holds, holds);
  return holds;
}
