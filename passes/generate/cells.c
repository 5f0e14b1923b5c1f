/* cells.c -- assigns PEs to the cells of the grid, and writes the definitions of PEs and units.
 *
 *     fabric.function_unit @addi_i32 ...        the library, or a user's units
 *     fabric.spatial_pe @pe(...) -> (...) {     a PE with all of them
 *       fabric.instance @addi_i32() : () -> ()
 *       ...
 *     }
 *     fabric.spatial_pe @mine ...               a user's PEs, for single cells
 *
 * The default PEs have four inputs, four outputs, and every unit. If a grid has both kinds, the
 * temporal one is called @tpe. A user's files have been verified; the copied definitions are
 * printed again, so they must not refer to anything else in their files. Linear in the cells and in
 * the text, except that single cells of the plan are found by linear search. */
#include "generate/grid.h"
#include "ir/fabric.h"
#include "text/text.h"

#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

const char *grid_tagged(const Grid *g, const char *value, u32 tag) {
  if (!tag) return value;
  return str_printf(g->ctx, "!fabric.tagged<%s, i%u>", value, tag)->text;
}

static const char *type_as_text(Grid *g, const Type *type) {
  Buf text = {0};
  text_type(type, &text);
  const char *kept = str_intern(g->ctx, text.data, text.len)->text;
  buf_free(&text);
  return kept;
}

/* Bits of a tag that distinguishes n values, at least 1. */
static u32 tag_bits(u32 n) {
  return n > 1 ? log2_up(n) : 1;
}

/* ---- the PEs of the grid -------------------------------------------------------------------- */

static u32 entries_for(i64 instructions) {
  return instructions < MAX_TAG_TABLE ? (u32)instructions : MAX_TAG_TABLE;
}

/* A PE without instructions is spatial. */
static GridPe own_pe(Grid *g, const char *name, u32 instructions, u32 nin, u32 nout) {
  u32 n = nin + nout;
  const char **types = NEW_ARRAY(g->arena, const char *, 2 * n);
  u32 tag = !instructions ? 0 : g->net_tag ? g->net_tag : tag_bits(instructions);
  for (u32 i = 0; i < n; i++) {
    types[i] = grid_tagged(g, g->bits, tag);
    types[n + i] = g->bits;
  }
  return (GridPe){.name = name,
                  .fifo = g->plan->pe_input,
                  .instructions = instructions,
                  .is_tagged = instructions > 0,
                  .tag = tag,
                  .entries = entries_for(instructions),
                  .nin = nin,
                  .nout = nout,
                  .types = types,
                  .values = types + n};
}

static bool class_feeds(const FabricClass *from, const FabricClass *to) {
  return from && to &&
         ((from->feeds && strchr(from->feeds, to->letter)) ||
          (to->fed_by && strchr(to->fed_by, from->letter)));
}

bool grid_feeds(const GridPe *from, const GridPe *to) {
  return class_feeds(from->class, to->class);
}

bool grid_has_fifo(const GridPe *pe, u32 port) {
  u32 n = pe->nin - pe->nfrom, ports = pe->fifo.ports;
  return pe->fifo.depth && port < n && (!ports || port + ports >= n);
}

static GridPe class_pe(Grid *g, const FabricClass *c, u32 nfrom, u32 nto) {
  GridPe pe = own_pe(g, c->name, c->instructions, c->inputs + nfrom, c->outputs + nto);
  pe.class = c;
  pe.nfrom = nfrom;
  pe.nto = nto;
  pe.out_fifo = c->out_fifo;
  if (c->fifo.depth != OPTION_UNSET) pe.fifo = c->fifo;
  return pe;
}

static void put_own_pe(Grid *g, const GridPe *pe, const FabricUnitNames *units) {
  const FabricPlan *plan = g->plan;
  Buf *out = &g->definitions;
  buf_printf(out, "fabric.%s @%s(", pe->is_tagged ? "temporal_pe" : "spatial_pe", pe->name);
  for (u32 i = 0; i < pe->nin; i++)
    buf_printf(out, "%s%%in_%u: %s", i ? ", " : "", i, pe->types[i]);
  buf_str(out, ") -> (");
  for (u32 i = 0; i < pe->nout; i++) buf_printf(out, "%s%s", i ? ", " : "", pe->types[pe->nin + i]);
  buf_char(out, ')');
  if (pe->is_tagged)
    buf_printf(out,
               "\n    [num_register = %u : i64, num_instruction = %u : i64, "
               "reg_fifo_depth = %u : i64,\n"
               "     unit_config = \"per_instruction\", unit_state = \"per_instruction\"",
               plan->registers, pe->instructions, plan->registers ? 2 : 0);
  if (pe->is_tagged && plan->operand_buffer)
    buf_printf(out, ",\n     enable_share_operand_buffer = true, operand_buffer_size = %u",
               plan->operand_buffer);
  buf_str(out, pe->is_tagged ? "] {\n" : " {\n");
  for (size_t i = 0; i < units->len; i++)
    if (pe->class ? fabric_class_has(pe->class, units->at[i])
                  : g->plan->unit_file || !fabric_unit_wants_class(units->at[i]))
      buf_printf(out, "  fabric.instance @%s() : () -> ()\n", units->at[i]);
  buf_str(out, "  fabric.yield\n}\n");
}

/* ---- a user's files -------------------------------------------------------------------------- */

/* A carry with a branch: the verifier allows no other operation beside a carry. */
static bool is_loop_end(const Op *unit) {
  const Op *first = unit->regions[0].first->first;
  bool has_carry = first->kind == OP_DATAFLOW_CARRY || first->next->kind == OP_DATAFLOW_CARRY;
  return has_carry && first->next->kind != OP_FABRIC_YIELD;
}

/* True where a switch of the module has a definition of this name (generate.c), which would shadow
 * that of a PE. */
static bool is_switch_definition(const Grid *g, const char *name) {
  return g->net_tag && (strncmp(name, "def_sw_", 7) == 0 || strcmp(name, "def_hub") == 0);
}

/* Copies a file's definitions. `names`, unless NULL, receives its function units. */
static bool copy_file(Grid *g, const Module *module, Map *taken, FabricUnitNames *names) {
  bool is_ok = true;
  for_each_op (op, module->top->regions[0].first) {
    const Str *name = fabric_name(op);
    u64 before;
    bool is_unit = op->kind == OP_FABRIC_FUNCTION_UNIT;
    if (!name || (!is_unit && !fabric_is_pe((OpKind)op->kind))) {
      diag(g->ctx, op->loc, COMP_ADG_FILE, "a file of units or PEs cannot contain %s",
           op_info((OpKind)op->kind)->name);
      is_ok = false;
      continue;
    }
    before = LOC_NONE;
    if (map_get(taken, PTR_KEY(name), &before) ||
        (!is_unit && is_switch_definition(g, name->text))) {
      diag(g->ctx, op->loc, COMP_ADG_NAME, "@%s is already defined in the generated fabric",
           name->text);
      if (before) diag_note(g->ctx, (Loc)before, "the other definition is here");
      diag_hint(g->ctx, "rename it");
      is_ok = false;
      continue;
    }
    if (is_unit && names && fabric_plan_is_temporal(g->plan) && is_loop_end(op)) {
      diag(g->ctx, op->loc, COMP_ADG_FILE,
           "a carry with a branch requires spatial PEs, but these are temporal");
      is_ok = false;
      continue;
    }
    map_put(taken, PTR_KEY(name), op->loc);
    text_print_op(module, op, (PrintOptions){0}, &g->definitions);
    buf_char(&g->definitions, '\n');
    if (is_unit && names) vec_push(names, name->text);
  }
  return is_ok;
}

/* Reserves the names that the generated text has besides the units. */
static void reserve_names(Grid *g, Map *taken) {
  static const char *const own[] = {"pe", "tpe", "fabric"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    map_put(taken, PTR_KEY(str_of(g->ctx, own[i])), LOC_NONE);
  for (size_t i = 0; i < g->plan->classes.len; i++)
    map_put(taken, PTR_KEY(str_of(g->ctx, g->plan->classes.at[i].name)), LOC_NONE);
}

/* Writes the definitions of the units, and of the user's PEs. */
static bool define_units(Grid *g, FabricUnitNames *units) {
  const FabricPlan *plan = g->plan;
  Map taken = {0};
  bool is_ok = true;
  reserve_names(g, &taken);
  if (plan->unit_file) {
    is_ok = copy_file(g, plan->unit_file, &taken, units);
    if (is_ok && !units->len) {
      diag(g->ctx, plan->unit_file->top->loc, COMP_ADG_FILE, "this file has no function unit");
      is_ok = false;
    }
  } else {
    fabric_unit_library(g->ctx, plan, &g->definitions, units);
    for (size_t i = 0; i < units->len; i++)
      map_put(&taken, PTR_KEY(str_of(g->ctx, units->at[i])), LOC_NONE);
  }
  if (plan->pe_file && plan->pe_file != plan->unit_file)
    is_ok &= copy_file(g, plan->pe_file, &taken, NULL);
  map_free(&taken);
  return is_ok;
}

/* ---- single cells ---------------------------------------------------------------------------- */

/* A user's PE by its name, or NULL. */
static const Op *pe_named(const FabricPlan *plan, const char *name) {
  if (!plan->pe_file) return NULL;
  for_each_op (op, plan->pe_file->top->regions[0].first)
    if (fabric_is_pe((OpKind)op->kind) && fabric_name(op) &&
        strcmp(fabric_name(op)->text, name) == 0)
      return op;
  return NULL;
}

static const GridPe *users_pe(Grid *g, const Op *op) {
  const Type *ports = op_function_type(op);
  GridPe *pe = NEW_ARRAY(g->arena, GridPe, 1);
  const char **types = NEW_ARRAY(g->arena, const char *, 2 * ports->nelems);
  *pe = (GridPe){.name = fabric_name(op)->text,
                 .fifo = g->plan->pe_input,
                 .is_tagged = op->kind == OP_FABRIC_TEMPORAL_PE,
                 .entries = entries_for(op_attr_int(op, "num_instruction", 1)),
                 .nin = ports->ninputs,
                 .nout = ports->nelems - ports->ninputs,
                 .types = types,
                 .values = types + ports->nelems};
  for (u32 i = 0; i < ports->nelems; i++) {
    const Type *type = ports->elems[i];
    types[i] = type_as_text(g, type);
    types[ports->nelems + i] = pe->is_tagged ? type_as_text(g, type->elem) : types[i];
    if (pe->is_tagged) pe->tag = type->width;
  }
  return pe;
}

static bool set_cell(Grid *g, const FabricCell *cell) {
  const FabricPlan *plan = g->plan;
  bool is_cube = plan->topology == TOPOLOGY_CUBE;
  const char *place =
      is_cube ? str_printf(g->ctx, "%u,%u,%u", cell->layer, cell->row, cell->column)->text
              : str_printf(g->ctx, "%u,%u", cell->row, cell->column)->text;
  if (cell->layer >= (is_cube ? plan->depth : 1) || cell->row >= plan->rows ||
      cell->column >= plan->columns) {
    diag(g->ctx, LOC_NONE, COMP_ADG_CELL, "cell %s does not exist; the last one is %s%u,%u", place,
         is_cube ? str_printf(g->ctx, "%u,", plan->depth - 1)->text : "", plan->rows - 1,
         plan->columns - 1);
    return false;
  }
  const Op *op = pe_named(plan, cell->pe);
  if (!op) {
    diag(g->ctx, LOC_NONE, COMP_ADG_CELL, "unknown PE @%s for cell %s", cell->pe, place);
    diag_hint(g->ctx, "define it in the file that --pes names");
    return false;
  }
  const Type *ports = op_function_type(op);
  u32 nout = ports->nelems - ports->ninputs;
  if (!nout || nout > MAX_PE_PORTS || ports->ninputs > MAX_PE_PORTS) {
    diag(g->ctx, op->loc, COMP_ADG_CELL,
         "a PE of a cell has 1 to %d outputs and at most %d inputs, but this one has %u and %u",
         (int)MAX_PE_PORTS, (int)MAX_PE_PORTS, nout, ports->ninputs);
    return false;
  }
  for (u32 c = 0; c < g->ncells; c++) {
    Cell *at = &g->cells[c];
    if (at->layer != cell->layer || at->row != cell->row || at->column != cell->column || at->slot)
      continue;
    if (at->pe->nfrom || at->pe->nto) {
      diag(g->ctx, LOC_NONE, COMP_ADG_CELL, "the PE of cell %s has wires to other PEs of its cell",
           place);
      return false;
    }
    at->pe = users_pe(g, op);
  }
  return true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The PE that a letter of a pattern stands for. */
static const GridPe *pe_of(const Grid *g, char letter) {
  for (size_t i = 0; i < g->plan->classes.len; i++)
    if (g->classes[i].class->letter == letter) return &g->classes[i];
  return letter == 'T' ? &g->temporal : &g->spatial;
}

/* The letters of each cell. */
static void lay_pattern(Grid *g) {
  const FabricPlan *plan = g->plan;
  const char own[] = {plan->classes.len    ? plan->classes.at[0].letter
                      : plan->instructions ? 'T'
                                           : 'S',
                      0};
  const char *pattern = plan->pattern ? plan->pattern : str_of(g->ctx, own)->text;
  g->pattern = NEW_ARRAY(g->arena, FabricPatternCell, plan->rows * plan->columns);
  fabric_pattern_lay(pattern, plan->rows, plan->columns, g->pattern);
}

/* Makes a PE for each letter of each cell, or only counts them; returns their number. */
static u32 fill_cells(Grid *g, bool store, u32 *ntemporal) {
  const FabricPlan *plan = g->plan;
  u32 in_layer = plan->rows * plan->columns,
      layers = plan->topology == TOPOLOGY_CUBE ? plan->depth : 1;
  u32 count = 0;
  *ntemporal = 0;
  for (u32 at = 0; at < layers * in_layer; at++) {
    u32 row = at % in_layer / plan->columns, column = at % plan->columns;
    FabricPatternCell cell = g->pattern[at % in_layer];
    for (u32 i = 0; i < cell.n; i++, count++) {
      const GridPe *pe = pe_of(g, cell.letters[i]);
      *ntemporal += pe->is_tagged;
      if (pe->instructions > g->instructions) g->instructions = pe->instructions;
      if (store)
        g->cells[count] =
            (Cell){.pe = pe, .layer = at / in_layer, .row = row, .column = column, .slot = i};
    }
  }
  return count;
}

/* The number of wires of a PE of the class from others of its cell, or to them. */
static u32 count_neighbours(const Grid *g, const FabricClass *c, FabricPatternCell cell,
                            bool from) {
  u32 count = 0;
  for (u32 i = 0; i < cell.n; i++) {
    const FabricClass *other = pe_of(g, cell.letters[i])->class;
    count += from ? class_feeds(other, c) : class_feeds(c, other);
  }
  return count;
}

/* The wires of a class within its cells: the same number in all, as a class is one definition. */
static bool find_neighbours(Grid *g, const FabricClass *c, u32 *nfrom, u32 *nto) {
  bool is_found = false;
  *nfrom = *nto = 0;
  for (u32 at = 0; at < g->plan->rows * g->plan->columns; at++) {
    FabricPatternCell cell = g->pattern[at];
    if (!memchr(cell.letters, c->letter, cell.n)) continue;
    u32 from = count_neighbours(g, c, cell, true), to = count_neighbours(g, c, cell, false);
    if (is_found && (from != *nfrom || to != *nto)) {
      diag(g->ctx, c->loc, COMP_ADG_PLAN,
           "a PE of class %s has wires from %u and to %u other PEs of its cell, but from %u and to "
           "%u in another cell",
           c->name, *nfrom, *nto, from, to);
      return false;
    }
    is_found = true;
    *nfrom = from;
    *nto = to;
  }
  if ((*nfrom || *nto) && (g->net_tag || c->instructions)) {
    diag(g->ctx, c->loc, COMP_ADG_PLAN,
         "class %s has wires within its cell, which cannot carry tags", c->name);
    return false;
  }
  return true;
}

/* The definitions of PEs, with the types of their ports. */
static bool make_kinds(Grid *g, bool is_mixed) {
  bool is_ok = true;
  const FabricPlan *plan = g->plan;
  g->net = grid_tagged(g, g->bits, g->net_tag);
  g->spatial = own_pe(g, "pe", 0, PE_PORTS, PE_PORTS);
  g->temporal = own_pe(g, is_mixed ? "tpe" : "pe", plan->instructions, PE_PORTS, PE_PORTS);
  for (size_t i = 0; i < plan->classes.len; i++)
    g->classes[i] = class_pe(g, &plan->classes.at[i], 0, 0);
  for (size_t i = 0; is_ok && i < plan->classes.len; i++) {
    u32 nfrom, nto;
    is_ok = find_neighbours(g, &plan->classes.at[i], &nfrom, &nto);
    g->classes[i] = class_pe(g, &plan->classes.at[i], nfrom, nto);
  }
  return is_ok;
}

static bool is_used(const Grid *g, const GridPe *pe) {
  for (u32 c = 0; c < g->ncells; c++)
    if (g->cells[c].pe == pe) return true;
  return false;
}

static bool class_has_units(Grid *g, const FabricClass *c, const FabricUnitNames *units) {
  for (size_t i = 0; i < units->len; i++)
    if (fabric_class_has(c, units->at[i])) return true;
  diag(g->ctx, c->loc, COMP_ADG_PLAN, "class %s has no unit of this library", c->name);
  return false;
}

/* The ports of a class are those of its description and of wires within its cell. */
static bool class_has_ports(const Grid *g, const GridPe *pe, Loc loc) {
  if (pe->nin <= MAX_PE_PORTS && pe->nout <= MAX_PE_PORTS) return true;
  diag(g->ctx, loc, COMP_ADG_PLAN,
       "a PE of class %s has %u input%s and %u output%s, with those within its cell; the limit is "
       "%d",
       pe->name, pe->nin, plural(pe->nin), pe->nout, plural(pe->nout), (int)MAX_PE_PORTS);
  return false;
}

/* No other definition has the name of class `c`. */
static bool class_has_name(const Grid *g, size_t c, const FabricUnitNames *units) {
  const char *name = g->classes[c].name;
  const GridPe *const own[] = {&g->spatial, &g->temporal};
  bool is_taken = strcmp(name, "fabric") == 0 || is_switch_definition(g, name);
  for (size_t i = 0; i < COUNT_OF(own); i++)
    is_taken |= is_used(g, own[i]) && strcmp(name, own[i]->name) == 0;
  for (size_t i = 0; i < c; i++)
    is_taken |= is_used(g, &g->classes[i]) && strcmp(name, g->classes[i].name) == 0;
  for (size_t i = 0; i < units->len; i++) is_taken |= strcmp(name, units->at[i]) == 0;
  if (!is_taken) return true;
  diag(g->ctx, g->plan->classes.at[c].loc, COMP_ADG_NAME,
       "class @%s has the name of another definition of the generated fabric", name);
  diag_hint(g->ctx, "rename the class");
  return false;
}

bool grid_cells(Grid *g) {
  const FabricPlan *plan = g->plan;
  FabricUnitNames units = {0};
  u32 ntemporal;
  g->classes = NEW_ARRAY(g->arena, GridPe, plan->classes.len);
  g->bits = str_printf(g->ctx, "!fabric.bits<%u>", plan->width)->text;
  lay_pattern(g);
  g->instructions = plan->instructions;
  if (!make_kinds(g, false)) return false;
  g->ncells = fill_cells(g, false, &ntemporal);
  if (plan->net == NET_TEMPORAL || (plan->net == NET_BY_PES && ntemporal == g->ncells))
    g->net_tag = tag_bits(plan->routes > g->instructions ? plan->routes : g->instructions);
  if (!make_kinds(g, ntemporal && ntemporal < g->ncells)) return false;
  g->cells = NEW_ARRAY(g->arena, Cell, g->ncells);
  fill_cells(g, true, &ntemporal);
  bool is_ok = define_units(g, &units);
  if (is_used(g, &g->spatial)) put_own_pe(g, &g->spatial, &units);
  if (is_used(g, &g->temporal)) put_own_pe(g, &g->temporal, &units);
  for (size_t i = 0; i < plan->classes.len; i++)
    if (is_used(g, &g->classes[i])) {
      is_ok &= class_has_units(g, &plan->classes.at[i], &units);
      is_ok &= class_has_ports(g, &g->classes[i], plan->classes.at[i].loc) &&
               class_has_name(g, i, &units);
      put_own_pe(g, &g->classes[i], &units);
    }
  vec_free(&units);
  for (u32 i = 0; is_ok && i < plan->ncells; i++) is_ok = set_cell(g, &plan->cells[i]);
  return is_ok;
}
