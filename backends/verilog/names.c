/* names.c -- identifiers out of names: "cluster_1/pe_0" becomes cluster_1_pe_0. */
#include "hardware.h"

#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {
    "alias",      "always",    "and",       "assert",   "assign",   "assume",   "automatic",
    "before",     "begin",     "bind",      "bins",     "bit",      "break",    "buf",
    "byte",       "case",      "casex",     "casez",    "cell",     "chandle",  "checker",
    "class",      "clocking",  "cmos",      "config",   "const",    "context",  "continue",
    "cover",      "cross",     "deassign",  "default",  "defparam", "design",   "disable",
    "dist",       "do",        "edge",      "else",     "end",      "enum",     "event",
    "expect",     "export",    "extends",   "extern",   "final",    "for",      "force",
    "foreach",    "forever",   "fork",      "function", "generate", "genvar",   "global",
    "highz0",     "highz1",    "if",        "iff",      "ifnone",   "implies",  "import",
    "include",    "initial",   "inout",     "input",    "inside",   "instance", "int",
    "integer",    "interface", "intersect", "join",     "large",    "let",      "liblist",
    "library",    "local",     "logic",     "longint",  "matches",  "medium",   "modport",
    "module",     "nand",      "negedge",   "nettype",  "new",      "nmos",     "nor",
    "not",        "null",      "or",        "output",   "package",  "packed",   "parameter",
    "pmos",       "posedge",   "primitive", "priority", "program",  "property", "protected",
    "pull0",      "pull1",     "pulldown",  "pullup",   "pure",     "rand",     "randc",
    "randcase",   "rcmos",     "real",      "realtime", "ref",      "reg",      "release",
    "repeat",     "restrict",  "return",    "rnmos",    "rpmos",    "rtran",    "scalared",
    "sequence",   "shortint",  "shortreal", "signed",   "small",    "soft",     "solve",
    "specify",    "static",    "string",    "strong",   "strong0",  "strong1",  "struct",
    "super",      "supply0",   "supply1",   "table",    "tagged",   "task",     "this",
    "throughout", "time",      "tran",      "tri",      "tri0",     "tri1",     "triand",
    "trior",      "trireg",    "type",      "typedef",  "union",    "unique",   "unique0",
    "unsigned",   "until",     "untyped",   "use",      "uwire",    "var",      "vectored",
    "virtual",    "void",      "wait",      "wand",     "weak",     "weak0",    "weak1",
    "while",      "wildcard",  "wire",      "with",     "within",   "wor",      "xnor",
    "xor",        "cfg",       "clk",       "rst",      "start",    "running",  "done",
    "cycles",     "error",     "observe",   "moved",    "trap",     "clear",    "patience"};

static int is_taken(const char *name) {
  for (size_t i = 0; i < LOOM_COUNT(keywords); i++)
    if (!strcmp(keywords[i], name)) return 1;
  return !strncmp(name, "loom_", 5) || !strncmp(name, "endm", 4) || !strncmp(name, "pe_u", 4);
}

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

static const char *identifier(Verilog *v, const char *name) {
  size_t length = strlen(name), at = 0;
  char *made = verilog_alloc(v, 2 * length + 4, 1);
  if (!length || is_digit(*name)) {
    made[at++] = 'x';
    made[at++] = '_';
  }
  for (; *name; name++) {
    char c = *name;
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c))) c = '_';
    if (c == '_' && at && made[at - 1] == '_') made[at++] = 'u';
    made[at++] = c;
  }
  return is_taken(made) ? text(v, "x_%s", made) : made;
}

const char *top_name(Verilog *v, const char *name) {
  return identifier(v, name);
}

typedef struct {
  const char *name;
  int is_other; /* than what it was made of */
  uint32_t id;
} Named;

static int by_name(const void *x, const void *y) {
  const Named *a = x, *b = y;
  int order = strcmp(a->name, b->name);
  if (!order) order = a->is_other - b->is_other;
  return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

/* Of those that are the same all but the first get a number behind them, and then it starts anew:
 * what was made could be another's. The first is the one that was called so from the beginning. */
const char **names_unique(Verilog *v, const char *const *names, uint32_t count) {
  const char **made = verilog_alloc(v, count, sizeof *made);
  Named *sorted = verilog_alloc(v, count, sizeof *sorted);
  int again = 1;
  for (uint32_t i = 0; i < count; i++) made[i] = identifier(v, names[i]);
  while (again) {
    again = 0;
    for (uint32_t i = 0; i < count; i++)
      sorted[i] = (Named){made[i], strcmp(made[i], names[i]) != 0, i};
    if (count) qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 1, same = 1; i < count; i++) {
      same = strcmp(sorted[i].name, sorted[i - 1].name) ? 1 : same + 1;
      if (same == 1) continue;
      made[sorted[i].id] = text(v, "%s_n%u", sorted[i].name, (unsigned)same);
      again = 1;
    }
  }
  return made;
}
