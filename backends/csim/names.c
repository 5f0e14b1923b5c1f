/* names.c -- literals of generated C, and identifiers after the names of the source.
 *
 *     %sum, %x#1, %7           sum, x_1, v7         characters that C allows
 *     %i, %i_again             i, i_2               one name for each value
 *     %double, %sin, %NAN      double_2, sin_2, NAN_2
 *     %loom_run                vloom_run
 *
 * The rule that keeps identifiers apart: in functions that have names of the source, and at file
 * scope, an identifier of generated C is
 *
 *     LOOM's own         and then begins with loom_ or LOOM_ (one of the source not with loom)
 *     C's                a word, type or macro, or a function of <math.h> (loom_name.h)
 *     of the source      and then is neither: take_name sees to it
 *
 * Functions that have no names of the source in them (loom_run, loom_grow) may call their locals
 * what they like, and so may the program under LOOM_MAIN, which leaves out the function of the
 * source (call.c). */
#include "loom_name.h"
#include "values.h"

#include <stdio.h>
#include <string.h>

/* ---- literals -------------------------------------------------------------------------------- */

/* printf writes a '.': LOOM never leaves the locale "C", and sets it again when a plugin has. */
static const char *float_literal(Values *v, uint32_t r, uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } d;
  union {
    uint32_t bits;
    float value;
  } f;
  const char *point = "";
  char text[64];
  unsigned narrow = type_of(v->p, r)->bits == 32;
  f.bits = (uint32_t)bits;
  d.bits = bits;
  if (narrow) d.value = (double)f.value;
  if (!(d.value >= -1e300 && d.value <= 1e300) || (d.value == 0 && bits != 0)) {
    snprintf(text, sizeof text, "0x%llxu", (unsigned long long)bits);
    return v->m->c->from_bits(v->m->host, v->m->design, v->p->results[r].type, text);
  }
  snprintf(text, sizeof text, narrow ? "%.9g" : "%.17g", d.value);
  if (!strpbrk(text, ".e")) point = ".0";
  return csim_format(v->m, d.value < 0 ? "(%s%s%s)" : "%s%s%s", text, point, narrow ? "f" : "");
}

const char *csim_literal(Values *v, uint32_t r) {
  uint64_t bits = v->p->nodes[v->p->results[r].node].literal;
  const loom_type *t = type_of(v->p, r);
  if (is_float(v->p, r)) return float_literal(v, r, bits);
  return csim_format(v->m, bits < 1 << 16 ? "%llu%s" : "0x%llx%s", (unsigned long long)bits,
                     t->bits > 32 ? "ull" : "u");
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct Name {
  const char *text; /* NULL: a free slot */
  uint32_t next;    /* the number to append next; 0: none was yet */
} Name;

typedef struct Names {
  Csim *m;
  Name *slots; /* open addressing */
  size_t size;
} Names;

static Name *find_slot(Names *names, const char *name) {
  uint64_t hash = 14695981039346656037u;
  const char *at;
  for (at = name; *at; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  for (size_t i = (size_t)hash;; i++) {
    Name *slot = &names->slots[i & (names->size - 1)];
    if (!slot->text || strcmp(slot->text, name) == 0) return slot;
  }
}

static int is_taken(Names *names, const char *name) {
  return loom_is_c_word(name) || loom_is_math_function(name) || find_slot(names, name)->text;
}

/* Names that need a prefix: they begin as identifiers of LOOM or of compilers do, or as numbers; or
 * are empty. */
static int is_reserved(const char *name) {
  return starts_with(name, "loom") || starts_with(name, "LOOM") || *name == '_' || *name == '\0' ||
         (*name >= '0' && *name <= '9');
}

static const char *take_name(Names *names, const char *wanted) {
  char text[80], *at = text;
  const char *base, *name;
  Name *first;
  for (; *wanted && at < text + 60; wanted++) {
    int is_word = (*wanted >= 'a' && *wanted <= 'z') || (*wanted >= 'A' && *wanted <= 'Z') ||
                  (*wanted >= '0' && *wanted <= '9');
    *at++ = (char)(is_word ? *wanted : '_');
  }
  *at = 0;
  base = csim_format(names->m, is_reserved(text) ? "v%s" : "%s", text);
  first = find_slot(names, base);
  if (!first->next) first->next = 2;
  for (name = base; is_taken(names, name);)
    name = csim_format(names->m, "%s_%u", base, first->next++);
  first->text = base;
  find_slot(names, name)->text = name;
  return name;
}

/* The name that the source has for a root (values.h): for a stream's index that of its gate, for
 * loaded data that of the load. */
static const char *wanted_name(const Values *v, uint32_t r) {
  const Plan *p = v->p;
  uint32_t n = p->results[r].node;
  Port port;
  if (p->kinds[n] == NODE_MEMORY && csim_port(p, n, r - p->nodes[n].first_result, &port)) {
    const char *name = p->nodes[port.node].name;
    return csim_format(v->m, "%.*s", (int)strcspn(name, "#"), name);
  }
  for (uint32_t e = 0; p->kinds[n] == NODE_STREAM && e < p->results[r].edge_count; e++) {
    loom_edge edge;
    v->m->dfg->edge(v->m->design, p->results[r].first_edge + e, &edge, sizeof edge);
    if (p->kinds[edge.to] == NODE_GATE) return p->nodes[edge.to].name;
  }
  return p->results[r].name;
}

void csim_give_names(Values *v) {
  const Plan *p = v->p;
  Names names = {.m = v->m, .size = 256};
  uint32_t memories = v->m->dfg->memory_count(v->m->design);
  while (names.size < 4 * ((size_t)p->result_count + memories)) names.size *= 2;
  names.slots = csim_alloc(v->m, names.size, sizeof *names.slots);
  for (uint32_t i = 0; i < memories; i++) {
    const loom_memory *memory = &p->memories[i];
    loom_argument argument;
    const char *name = memory->name;
    if (memory->argument != NONE &&
        v->m->dfg->argument(v->m->design, memory->argument, &argument, sizeof argument) == LOOM_OK)
      name = argument.name;
    v->memory_names[i] = take_name(&names, name);
    /* its size */
    take_name(&names, csim_format(v->m, "%s_size", v->memory_names[i]));
  }
  for (uint32_t i = 0; i < p->result_count; i++)
    if (v->root[i] == i && v->is_needed[i] && !v->is_inlined[i] && !v->literal[i] &&
        v->storage[i] == i)
      v->names[i] = take_name(&names, wanted_name(v, i));
}
