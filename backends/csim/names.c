/* names.c -- identifiers and literals in generated C, after the names of the source. A name is
 * made of what C allows, is used once, and is none that means something already. */
#include "values.h"

#include <stdio.h>
#include <string.h>

/* ---- literals -------------------------------------------------------------------------------- */

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
  char text[64], *at;
  unsigned narrow = type_of(v->p, r)->bits == 32;
  f.bits = (uint32_t)bits;
  d.bits = bits;
  if (narrow) d.value = (double)f.value;
  if (!(d.value >= -1e300 && d.value <= 1e300) || (d.value == 0 && bits != 0)) {
    snprintf(text, sizeof text, "0x%llxu", (unsigned long long)bits);
    return v->m->c->from_bits(v->m->host, v->m->design, v->p->results[r].type, text);
  }
  snprintf(text, sizeof text, narrow ? "%.9g" : "%.17g", d.value);
  for (at = text; *at; at++)
    if (*at == ',') *at = '.';
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

static const char *const reserved[] = {
    "auto",     "break",    "case",     "char",     "const",     "continue", "default",  "do",
    "double",   "else",     "enum",     "extern",   "float",     "for",      "goto",     "if",
    "inline",   "int",      "long",     "register", "restrict",  "return",   "short",    "signed",
    "sizeof",   "static",   "struct",   "switch",   "typedef",   "union",    "unsigned", "void",
    "volatile", "while",    "asm",      "typeof",   "main",      "run",      "fuel",     "history",
    "acos",     "acosh",    "asin",     "asinh",    "atan",      "atanh",    "cbrt",     "ceil",
    "cos",      "cosh",     "erf",      "erfc",     "exp",       "exp2",     "expm1",    "floor",
    "log",      "log10",    "log1p",    "log2",     "nearbyint", "round",    "sin",      "sinh",
    "sqrt",     "tan",      "tanh",     "trunc",    "atan2",     "fmod",     "pow",      "fma",
    "signgam",  "j0",       "j1",       "jn",       "y0",        "y1",       "yn",       "gamma",
    "linux",    "unix",     "i386",     "int8_t",   "int16_t",   "int32_t",  "int64_t",  "uint8_t",
    "uint16_t", "uint32_t", "uint64_t", "INFINITY", "NAN",       "memset",   "memcpy",   "memmove",
};

typedef struct Names {
  Csim *m;
  const char **slots; /* open addressing */
  size_t size;
} Names;

static const char **find_slot(Names *names, const char *name) {
  uint64_t hash = 14695981039346656037u;
  const char *at;
  size_t i;
  for (at = name; *at; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  for (i = (size_t)hash;; i++) {
    const char **slot = &names->slots[i & (names->size - 1)];
    if (!*slot || strcmp(*slot, name) == 0) return slot;
  }
}

/* Names that the loops give with a number after them: n0, late1. */
static int is_numbered(const char *name) {
  static const char *const stems[] = {"n",    "late",  "started",    "next",
                                      "copy", "flush", "flush_late", "contents"};
  size_t len = strlen(name), digits = len, i;
  while (digits && name[digits - 1] >= '0' && name[digits - 1] <= '9') digits--;
  for (i = 0; digits < len && i < LOOM_COUNT(stems); i++)
    if (strlen(stems[i]) == digits && memcmp(name, stems[i], digits) == 0) return 1;
  return 0;
}

static const char *take_name(Names *names, const char *wanted) {
  char text[80], *at = text;
  const char *name = text;
  uint32_t i;
  if ((*wanted >= '0' && *wanted <= '9') || *wanted == '_' || starts_with(wanted, "loom_") ||
      starts_with(wanted, "LOOM_") || is_numbered(wanted))
    *at++ = 'v';
  for (; *wanted && at < text + 60; wanted++) {
    int good = (*wanted >= 'a' && *wanted <= 'z') || (*wanted >= 'A' && *wanted <= 'Z') ||
               (*wanted >= '0' && *wanted <= '9');
    *at++ = (char)(good ? *wanted : '_');
  }
  *at = 0;
  if (*find_slot(names, name))
    for (i = 2;; i++) {
      name = csim_format(names->m, "%s_%u", text, i);
      if (!*find_slot(names, name)) break;
    }
  if (name == text) name = csim_format(names->m, "%s", text);
  *find_slot(names, name) = name;
  return name;
}

/* What the source would call the first of a chain of equal values (values.h): a loop's variable
 * after its gate, what is loaded after the load. */
static const char *wanted_name(const Values *v, uint32_t r) {
  const Plan *p = v->p;
  uint32_t n = p->results[r].node, e;
  Port port;
  if (p->kinds[n] == NODE_MEMORY && csim_port(p, n, r - p->nodes[n].first_result, &port)) {
    const char *name = p->nodes[port.node].name;
    return csim_format(v->m, "%.*s", (int)strcspn(name, "#"), name);
  }
  for (e = 0; p->kinds[n] == NODE_STREAM && e < p->results[r].edge_count; e++) {
    loom_edge edge;
    v->m->dfg->edge(v->m->design, p->results[r].first_edge + e, &edge, sizeof edge);
    if (p->kinds[edge.to] == NODE_GATE) return p->nodes[edge.to].name;
  }
  return p->results[r].name;
}

void csim_give_names(Values *v) {
  const Plan *p = v->p;
  Names names = {.m = v->m, .size = 256};
  uint32_t i, memories = v->m->dfg->memory_count(v->m->design);
  while (names.size < 4 * ((size_t)p->result_count + memories)) names.size *= 2;
  names.slots = csim_alloc(v->m, names.size, sizeof *names.slots);
  for (i = 0; i < LOOM_COUNT(reserved); i++) *find_slot(&names, reserved[i]) = reserved[i];
  for (i = 0; i < memories; i++) {
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
  for (i = 0; i < p->result_count; i++)
    if (v->root[i] == i && v->is_needed[i] && !v->is_inlined[i] && !v->literal[i] &&
        v->holder[i] == i)
      v->names[i] = take_name(&names, wanted_name(v, i));
}
