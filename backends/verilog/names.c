/* names.c -- distinct Verilog identifiers from the names of components and bodies.
 *
 *     cluster_1/pe_0     cluster_1_pe_0       all but letters and digits becomes _
 *     a__b               a_u_b                __ separates the name of a component from its wires
 *     module             x_module             keywords, and names that the top module itself uses
 *     a.b and a_b        a_b_n2 and a_b       duplicates are numbered
 *
 * The name of a component gets another x_ in front where a name derived from it (an instance, a
 * port, a wire) would equal one derived from another component's. This is repeated until no name
 * changes. Sorting finds duplicates, and the names whose derived names could be equal are looked
 * up in the sorted names: the cost is that of sorting. */
#include "hardware.h"
#include "top.h"
#include "wires.h"

#include <stdlib.h>
#include <string.h>

/* The keywords of IEEE 1800-2017 (annex B), names in the top module, and prefixes and suffixes of
 * such (cfg_valid, u_control). Each is between blanks. */
static const char keywords[] =
    " "
    "accept_on alias always always_comb always_ff always_latch and assert assign assume "
    "automatic before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez "
    "cell chandle checker class clocking cmos config const constraint context continue cover "
    "covergroup coverpoint cross deassign default defparam design disable dist do edge else end "
    "endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup "
    "endinterface endmodule endpackage endprimitive endprogram endproperty endsequence "
    "endspecify endtable endtask enum event eventually expect export extends extern final "
    "first_match for force foreach forever fork forkjoin function generate genvar global highz0 "
    "highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include "
    "initial inout input inside instance int integer interconnect interface intersect join "
    "join_any join_none large let liblist library local localparam logic longint macromodule "
    "matches medium modport module nand negedge nettype new nexttime nmos nor noshowcancelled "
    "not notif0 notif1 null or output package packed parameter pmos posedge primitive priority "
    "program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect "
    "pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg "
    "reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always "
    "s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal "
    "showcancelled signed small soft solve specify specparam static string strong strong0 "
    "strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this "
    "throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior "
    "trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var "
    "vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with "
    "within wor xnor xor "
    "cfg clk rst start running done cycles error observe moved trap clear patience control "
    "first ";

/* Is it one of `words`, each of which is between blanks? */
static int is_one_of(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(words, word); length && at; at = strstr(at + 1, word))
    if (at[-1] == ' ' && at[length] == ' ') return 1;
  return 0;
}

static int is_reserved(const char *name) {
  return is_one_of(keywords, name) || !strncmp(name, "loom_", 5) || !strncmp(name, "pe_u", 4);
}

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* One name as an identifier, without regard to others. */
const char *names_identifier(Verilog *v, const char *name) {
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
  return is_reserved(made) ? text(v, "x_%s", made) : made;
}

typedef struct {
  const char *name;
  int is_changed; /* it differs from the name that it was made from */
  uint32_t id;
} Named;

static int by_name(const void *x, const void *y) {
  const Named *a = x, *b = y;
  int order = strcmp(a->name, b->name);
  if (!order) order = a->is_changed - b->is_changed;
  return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

/* Identifiers for `count` names, all different. Of equal ones all but the first get a number as a
 * suffix; the first is one that was not changed, if there is one. Repeated until nothing changes,
 * as a numbered name may equal another. */
const char **names_unique(Verilog *v, const char *const *names, uint32_t count) {
  const char **made = verilog_alloc(v, count, sizeof *made);
  Named *sorted = verilog_alloc(v, count, sizeof *sorted);
  int again = 1;
  for (uint32_t i = 0; i < count; i++) made[i] = names_identifier(v, names[i]);
  while (again) {
    again = 0;
    for (uint32_t i = 0; i < count; i++)
      sorted[i] = (Named){made[i], strcmp(made[i], names[i]) != 0, i};
    if (count) qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 1, same = 1; i < count; i++) {
      same = strcmp(sorted[i].name, sorted[i - 1].name) ? 1 : same + 1;
      if (same == 1) continue;
      made[sorted[i].id] = text(v, "%s_n%u", sorted[i].name, same);
      again = 1;
    }
  }
  return made;
}

/* ---- derived names --------------------------------------------------------------------------- */

/* The rest of `name` after the prefix `start`; NULL: it does not begin with `start`. */
static const char *behind(const char *name, const char *start) {
  size_t length = strlen(start);
  return strncmp(name, start, length) ? NULL : name + length;
}

/* What follows the name of its component in the name of a port of the top module, entirely or to
 * begin with. */
static const char *const port_suffixes[] = {"_valid", "_ready", "_count",
                                            "_data",  "_tag",   "_elements"};
static const char *const port_starts[] = {"_host_", "_load_", "_store_"};

/* An input or output of the fabric whose name is that of a memory and such a suffix would have
 * ports named as the memory's are: a_load and valid, a and load_valid. */
static const char *const memory_suffixes[] = {"_load", "_load_data", "_store", "_store_done",
                                              "_host"};

/* The names of all components, sorted, to look others up. */
typedef struct {
  const loom_component *all;
  Named *sorted;
  uint32_t count;
} Index;

/* The first name that begins with `length` bytes of `start`; NULL: none does. */
static const Named *first_with(const Index *index, const char *start, size_t length) {
  uint32_t low = 0, high = index->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (strncmp(index->sorted[middle].name, start, length) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == index->count || strncmp(index->sorted[low].name, start, length)) return NULL;
  return &index->sorted[low];
}

/* The component whose name is the first `length` bytes of `name`; NULL: there is none. */
static const Named *named(const Index *index, const char *name, size_t length) {
  const Named *found = first_with(index, name, length);
  return found && !found->name[length] ? found : NULL;
}

/* Is a component named as a port of `name` in the top module would be? */
static int has_port_name(Verilog *v, const Index *index, const char *name) {
  for (size_t i = 0; i < LOOM_COUNT(port_suffixes); i++) {
    const char *port = text(v, "%s%s", name, port_suffixes[i]);
    if (named(index, port, strlen(port))) return 1;
  }
  for (size_t i = 0; i < LOOM_COUNT(port_starts); i++) {
    const char *port = text(v, "%s%s", name, port_starts[i]);
    if (first_with(index, port, strlen(port))) return 1;
  }
  return 0;
}

/* Would a name derived from component `name` equal one derived from another component?
 *
 *     name        derived             other    derived
 *     a_          port a__data        a        wires a__...
 *     a_units_0   module of a PE      a        module pe_a_units_0 of units
 *     u_a         port u_a_data       a_data   instance u_a_data; so s_ and m_
 *     t_a         wire t_a__moved     a        wire t_a__moved of its tile
 *     f_a         wire f_a__o0_fork   a        instance f_a__o0_fork of loom_fork
 */
static int clashes(Verilog *v, const Index *index, const char *name) {
  size_t length = strlen(name);
  const char *rest = name + 2;
  if (name[length - 1] == '_' && named(index, name, length - 1)) return 1;
  for (const char *at = strstr(name, "_units_"); at; at = strstr(at + 1, "_units_"))
    if (named(index, name, (size_t)(at - name))) return 1;
  if (!strchr("usmtf", name[0]) || name[1] != '_' || !first_with(index, rest, length - 2)) return 0;
  if ((name[0] == 't' || name[0] == 'f') && named(index, rest, length - 2)) return 1;
  return name[0] != 'f' && has_port_name(v, index, rest);
}

/* Would a port of the component, an input or output of the fabric, have the name of a port of a
 * memory? Both m_load and the memory m would have m_load_valid. */
static int clashes_with_memory(const Index *index, const loom_component *c, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; is_end(c) && i < LOOM_COUNT(memory_suffixes); i++) {
    size_t end = strlen(memory_suffixes[i]);
    if (length <= end || strcmp(name + length - end, memory_suffixes[i])) continue;
    const Named *other = named(index, name, length - end);
    if (other && is_memory(&index->all[other->id])) return 1;
  }
  return 0;
}

/* Identifiers of all components, from their `names`: they and the names derived from them are
 * unique. */
const char **names_of_components(const Hardware *h, const char *const *names) {
  Verilog *v = h->v;
  uint32_t count = h->component_count, again = 1;
  Index index = {h->components, verilog_alloc(v, count, sizeof *index.sorted), count};
  const char **made = names_unique(v, names, count);
  while (again) {
    again = 0;
    for (uint32_t i = 0; i < count; i++) index.sorted[i] = (Named){made[i], 0, i};
    if (count) qsort(index.sorted, count, sizeof *index.sorted, by_name);
    for (uint32_t i = 0; i < count; i++)
      if (clashes(v, &index, made[i]) || clashes_with_memory(&index, &h->components[i], made[i]))
        made[i] = text(v, "x_%s", made[i]), again = 1;
    if (again) made = names_unique(v, made, count);
  }
  return made;
}

/* May another module have this name: one of the test bench, of a PE, a tile, a function unit? */
static int is_module(const Hardware *h, const char *name) {
  static const char *const begins[] = {"pe_", "tile_", "unit_", "temporal_", "needs_"};
  if (is_one_of(" tb clock shell ", name)) return 1;
  for (size_t i = 0; i < LOOM_COUNT(begins); i++) {
    const char *of = behind(name, begins[i]);
    for (uint32_t k = 0; of && k < h->component_count; k++)
      if (behind(of, h->component_names[k])) return 1;
    for (uint32_t k = 0; of && k < h->body_count; k++)
      if (behind(of, h->body_names[k])) return 1;
  }
  return 0;
}

/* The identifier of the top module, which differs from those of all other modules. */
const char *names_of_top(const Hardware *h, const char *name) {
  const char *made = names_identifier(h->v, name);
  return is_module(h, made) ? text(h->v, "x_%s", made) : made;
}
