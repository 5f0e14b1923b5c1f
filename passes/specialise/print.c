/* print.c -- prints the part of a fabric that is in use. See specialise.h.
 *
 *     use      sw: in0 -> out1     pe_0: add     a FIFO between them that never holds tokens
 *     text     %sw = "fabric.spatial_sw"(%a) <{connectivity_table = ["1"], ...}>
 *              %pe_0 = "fabric.instance"(%sw) <{module = @alu, sym_name = "pe_0"}>
 *
 * The components that stay (use_decide) are printed in the order of the ADG, all in one module. PEs
 * with the same units and ports have one definition. A FIFO that can be bypassed and always is
 * becomes a wire: its consumers are connected to its driver.
 *
 * Cost: that of the text; the memref arguments and the memories are compared pairwise. */
#include "specialise/specialise.h"

#include "ir/fabric.h"
#include "text/text.h"

#include <string.h>

typedef struct {
  Context *ctx;
  const FabricUse *use;
  const Adg *adg;
  Buf *out;
  const char **names;  /* of values: by component, followed by Adg.args */
  const char **bodies; /* by Adg.bodies: the symbol of its definition; NULL: not needed */
  const char **pes;    /* by Adg.pes */
  Map taken;           /* names */
  Map definitions;     /* of PEs, by their text: index in pe_names */
  Vec(const char *) pe_names;
} Part;

/* ---- names ----------------------------------------------------------------------------------- */

/* A unique name, fit for values and symbols. */
static const char *own_name(Part *p, const char *wanted) {
  Buf name = {0};
  u64 dummy;
  for (const char *c = wanted; *c; c++) {
    bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
                    (name.len && *c >= '0' && *c <= '9');
    buf_char(&name, is_plain ? *c : '_');
  }
  size_t stem = name.len;
  const Str *got = str_intern(p->ctx, name.data ? name.data : "_", name.len ? name.len : 1);
  for (u32 k = 1; map_get(&p->taken, PTR_KEY(got), &dummy); k++) {
    name.len = stem;
    buf_printf(&name, "_%u", k);
    got = str_intern(p->ctx, name.data, name.len);
  }
  map_put(&p->taken, PTR_KEY(got), 0);
  buf_free(&name);
  return got->text;
}

/* A name as a string literal of the text, whose escapes are not those of JSON. */
static void put_symbol(const Part *p, const char *name, Buf *out) {
  text_attr(attr_string(p->ctx, str_of(p->ctx, name)), out);
}

/* ---- types and lists ------------------------------------------------------------------------- */

static void put_type(const AdgPort *port, Buf *out) {
  if (port->is_tagged) buf_str(out, "!fabric.tagged<");
  if (port->width)
    buf_printf(out, "!fabric.bits<%u>", port->width);
  else
    buf_str(out, "none");
  if (port->is_tagged) buf_printf(out, ", i%u>", port->tag_width);
}

static void put_comma(Buf *out) {
  char last = out->len ? out->data[out->len - 1] : '(';
  if (last != '(' && last != '[' && last != '{') buf_str(out, ", ");
}

/* Types of a component's ports that stay: "(a, b) -> (c)". `before`, `behind`: of memrefs, which
 * are no ports; or NULL. */
static void put_signature(const Part *p, u32 component, const Type *before, const Type *behind,
                          Buf *out) {
  const AdgComponent *c = &p->adg->components[component];
  buf_char(out, '(');
  if (before) text_type(before, out);
  for (u32 i = 0; i < c->ninputs + c->noutputs; i++) {
    if (i == c->ninputs) buf_str(out, ") -> (");
    if (!p->use->keeps[c->first_port + i]) continue;
    put_comma(out);
    put_type(&p->adg->ports[c->first_port + i], out);
  }
  if (!c->noutputs) buf_str(out, ") -> (");
  if (behind) {
    put_comma(out);
    text_type(behind, out);
  }
  buf_char(out, ')');
}

/* The value of an output port that stays. */
static void put_value(const Part *p, u32 port, Buf *out) {
  const AdgPort *from = &p->adg->ports[port];
  u32 n = 0, at = 0;
  for (u32 o = 0; o < p->adg->components[from->component].noutputs; o++) {
    if (o == from->index) at = n;
    n += p->use->keeps[adg_output(p->adg, from->component, o)];
  }
  const AdgComponent *c = &p->adg->components[from->component];
  bool has_memref = c->kind == ADG_MEMORY && !p->adg->memories[c->detail].is_private;
  buf_printf(out, "%%%s", p->names[from->component]);
  if (n + has_memref > 1) buf_printf(out, "#%u", at);
}

/* "%sw:3 = " */
static void put_results(const Part *p, u32 component, bool has_memref) {
  const AdgComponent *c = &p->adg->components[component];
  u32 n = has_memref;
  for (u32 o = 0; o < c->noutputs; o++) n += p->use->keeps[adg_output(p->adg, component, o)];
  if (!n) return;
  buf_printf(p->out, "%%%s", p->names[component]);
  if (n > 1) buf_printf(p->out, ":%u", n);
  buf_str(p->out, " = ");
}

/* "(%a, %sw#1)" */
static void put_operands(const Part *p, u32 component, const char *before) {
  const AdgComponent *c = &p->adg->components[component];
  buf_char(p->out, '(');
  if (before) buf_printf(p->out, "%%%s", before);
  for (u32 i = 0; i < c->ninputs; i++) {
    if (!p->use->keeps[c->first_port + i]) continue;
    put_comma(p->out);
    put_value(p, use_driver(p->use, c->first_port + i), p->out);
  }
  buf_char(p->out, ')');
}

/* Types of the operands' drivers, which may differ from those of the ports, and of the results. */
static void put_connected(const Part *p, u32 component, const Type *before, const Type *behind) {
  const AdgComponent *c = &p->adg->components[component];
  buf_char(p->out, '(');
  if (before) text_type(before, p->out);
  for (u32 i = 0; i < c->ninputs; i++) {
    if (!p->use->keeps[c->first_port + i]) continue;
    put_comma(p->out);
    put_type(&p->adg->ports[use_driver(p->use, c->first_port + i)], p->out);
  }
  buf_str(p->out, ") -> (");
  for (u32 o = 0; o < c->noutputs; o++) {
    if (!p->use->keeps[adg_output(p->adg, component, o)]) continue;
    put_comma(p->out);
    put_type(&p->adg->ports[adg_output(p->adg, component, o)], p->out);
  }
  if (behind) {
    put_comma(p->out);
    text_type(behind, p->out);
  }
  buf_str(p->out, ")\n");
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* The value of a parameter: reduced to the number in use, if that is recorded. */
static u32 needed(const Part *p, u32 component, FabricParamId id, u32 value) {
  u32 detail = p->adg->components[component].detail;
  switch (id) {
  case PARAM_MEMORY_ldCount:
  case PARAM_EXTMEMORY_ldCount: return p->use->loads[detail];
  case PARAM_MEMORY_stCount:
  case PARAM_EXTMEMORY_stCount: return p->use->stores[detail];
  case PARAM_MEMORY_numRegion:
  case PARAM_EXTMEMORY_numRegion: return p->use->regions[detail];
  case PARAM_TEMPORAL_PE_num_instruction: return p->use->instructions[detail];
  default: return value;
  }
}

static void put_params(const Part *p, u32 component, Buf *out) {
  for_each_param(param, adg_op_kind((AdgKind)p->adg->components[component].kind)) {
    u32 value;
    if (!adg_param(p->adg, component, param->name, &value)) continue;
    value = needed(p, component, (FabricParamId)(param - fabric_param_rows), value);
    if (!param->is_required && value == (u32)param->default_value) continue;
    put_comma(out);
    if (param->form == PARAM_FLAG)
      buf_printf(out, "%s = %s", param->name, value ? "true" : "false");
    else if (param->form == PARAM_CHOICE)
      buf_printf(out, "%s = \"%s\"", param->name, param->words[value]);
    else
      buf_printf(out, "%s = %u : i64", param->name, value);
  }
}

/* ---- units and PEs --------------------------------------------------------------------------- */

static void put_body_value(u32 value, Buf *out) {
  buf_printf(out, "%%v%u", value);
}

static void put_node(const Part *p, const AdgBody *body, const AdgNode *node) {
  const Adg *adg = p->adg;
  const AdgType *types = adg->values + body->first_value;
  buf_str(p->out, "    ");
  for (u32 r = 0; r < node->nresults; r++) {
    if (r) buf_str(p->out, ", ");
    put_body_value(node->first_result + r, p->out);
  }
  buf_printf(p->out, "%s\"%s\"(", node->nresults ? " = " : "", op_info((OpKind)node->kind)->name);
  for (u32 i = 0; i < node->noperands; i++) {
    put_comma(p->out);
    put_body_value(adg->operands[node->first_operand + i], p->out);
  }
  buf_char(p->out, ')');
  if (node->attrs) {
    buf_str(p->out, " <");
    text_attr(node->attrs, p->out);
    buf_char(p->out, '>');
  }
  buf_str(p->out, " : (");
  for (u32 i = 0; i < node->noperands; i++) {
    put_comma(p->out);
    text_type(types[adg->operands[node->first_operand + i]].ir, p->out);
  }
  buf_str(p->out, ") -> (");
  for (u32 r = 0; r < node->nresults; r++) {
    put_comma(p->out);
    text_type(types[node->first_result + r].ir, p->out);
  }
  buf_str(p->out, ")\n");
}

static void put_yield(const Part *p, const AdgBody *body) {
  const AdgType *types = p->adg->values + body->first_value;
  buf_str(p->out, "    \"fabric.yield\"(");
  for (u32 r = 0; r < body->nresults; r++) {
    put_comma(p->out);
    put_body_value(p->adg->operands[body->first_yield + r], p->out);
  }
  buf_str(p->out, ") : (");
  for (u32 r = 0; r < body->nresults; r++) {
    put_comma(p->out);
    text_type(types[p->adg->operands[body->first_yield + r]].ir, p->out);
  }
  buf_str(p->out, ") -> ()\n");
}

static void put_unit(Part *p, const AdgBody *body, const char *name) {
  const AdgType *types = p->adg->values + body->first_value;
  buf_str(p->out, "\"fabric.function_unit\"() <{sym_name = ");
  put_symbol(p, name, p->out);
  buf_printf(p->out, ", latency = %lld : i64, interval = %lld : i64, %sfunction_type = (",
             (long long)body->latency, body->latency < 0 ? -1 : (long long)body->interval,
             body->early_out ? "early_out = true, " : "");
  for (u32 i = 0; i < body->nargs; i++) {
    put_comma(p->out);
    text_type(types[i].ir, p->out);
  }
  buf_str(p->out, ") -> (");
  for (u32 r = 0; r < body->nresults; r++) {
    put_comma(p->out);
    text_type(types[p->adg->operands[body->first_yield + r]].ir, p->out);
  }
  buf_str(p->out, ")}> ({\n  ^bb0(");
  for (u32 i = 0; i < body->nargs; i++) {
    put_comma(p->out);
    put_body_value(i, p->out);
    buf_str(p->out, ": ");
    text_type(types[i].ir, p->out);
  }
  buf_str(p->out, "):\n");
  for (u32 n = 0; n < body->nnodes; n++) put_node(p, body, &p->adg->nodes[body->first_node + n]);
  put_yield(p, body);
  buf_str(p->out, "}) : () -> ()\n");
}

static void put_units(Part *p) {
  for (u32 f = 0; f < p->adg->nfus; f++) {
    u32 b = p->adg->fus[f].body;
    if (!p->use->units[f] || p->bodies[b]) continue;
    const AdgBody *body = &p->adg->bodies[b];
    p->bodies[b] = own_name(p, adg_text(p->adg, body->name));
    put_unit(p, body, p->bodies[b]);
  }
}

/* The definition of a PE, after its name. */
static void put_pe_inside(const Part *p, u32 component, Buf *out) {
  const AdgComponent *c = &p->adg->components[component];
  const AdgPe *pe = &p->adg->pes[c->detail];
  buf_str(out, ", function_type = ");
  put_signature(p, component, NULL, NULL, out);
  put_params(p, component, out);
  if (pe->operand_buffer) buf_str(out, ", enable_share_operand_buffer = true");
  buf_str(out, "}> ({\n  ^bb0(");
  for (u32 i = 0, n = 0; i < c->ninputs; i++) {
    if (!p->use->keeps[c->first_port + i]) continue;
    put_comma(out);
    buf_printf(out, "%%in_%u: ", n++);
    put_type(&p->adg->ports[c->first_port + i], out);
  }
  buf_str(out, "):\n");
  for (u32 f = 0; f < pe->nfus; f++) {
    const AdgFu *fu = &p->adg->fus[pe->first_fu + f];
    const AdgBody *body = &p->adg->bodies[fu->body];
    if (!p->use->units[pe->first_fu + f]) continue;
    buf_str(out, "    \"fabric.instance\"() <{module = @");
    buf_str(out, p->bodies[fu->body]);
    if (strcmp(adg_text(p->adg, fu->name), adg_text(p->adg, body->name)) != 0) {
      buf_str(out, ", sym_name = ");
      put_symbol(p, adg_text(p->adg, fu->name), out);
    }
    buf_str(out, "}> : () -> ()\n");
  }
  buf_str(out, "    \"fabric.yield\"() : () -> ()\n}) : () -> ()\n");
}

static void put_pe_definition(Part *p, u32 component) {
  const AdgComponent *c = &p->adg->components[component];
  Buf inside = {0};
  buf_str(&inside, adg_kind_text((AdgKind)c->kind));
  size_t kind = inside.len;
  put_pe_inside(p, component, &inside);
  const Str *key = str_intern(p->ctx, inside.data, inside.len);
  u64 known;
  if (map_get(&p->definitions, PTR_KEY(key), &known)) {
    p->pes[c->detail] = p->pe_names.at[known];
  } else {
    const char *wanted = adg_text(p->adg, c->definition);
    p->pes[c->detail] = own_name(p, *wanted ? wanted : "pe");
    map_put(&p->definitions, PTR_KEY(key), p->pe_names.len);
    vec_push(&p->pe_names, p->pes[c->detail]);
    buf_printf(p->out, "\"fabric.%s\"() <{sym_name = \"%s\"", adg_kind_text((AdgKind)c->kind),
               p->pes[c->detail]);
    buf_str(p->out, key->text + kind);
  }
  buf_free(&inside);
}

/* ---- components ------------------------------------------------------------------------------ */

/* Appends the row of lane `ol` of an output, a character for each lane of each input that stays; or
 * that of the whole port, a character for each input. True where some pair is connected. */
static bool put_row(const Part *p, const AdgSwitch *sw, u32 o, u32 ol, bool has_lanes, Buf *out) {
  const Adg *adg = p->adg;
  bool any = false;
  for (u32 i = 0; i < adg->components[sw->component].ninputs; i++) {
    u32 port = adg_input(adg, sw->component, i), n = has_lanes ? adg_lanes(adg, sw, port) : 1;
    bool is_used = p->use->rows[sw->first_row + o] >> i & 1;
    for (u32 il = 0; p->use->keeps[port] && il < n; il++) {
      bool connects = is_used && (!has_lanes || adg_lane_connects(adg, sw, i, il, o, ol));
      any |= connects;
      buf_char(out, connects ? '1' : '0');
    }
  }
  return any;
}

/* False where a row has no connected pair. */
static bool put_rows(const Part *p, const AdgSwitch *sw, bool has_lanes, Buf *out) {
  const Adg *adg = p->adg;
  bool good = true;
  for (u32 o = 0; o < adg->components[sw->component].noutputs; o++) {
    u32 port = adg_output(adg, sw->component, o), n = has_lanes ? adg_lanes(adg, sw, port) : 1;
    for (u32 ol = 0; p->use->keeps[port] && ol < n; ol++) {
      put_comma(out);
      buf_char(out, '"');
      good &= put_row(p, sw, o, ol, has_lanes, out);
      buf_char(out, '"');
    }
  }
  return good;
}

/* The connectivity, by lanes if the switch has such a table; by ports if an output lane would be
 * left without an input, which the verifier does not allow. */
static void put_table(const Part *p, u32 component) {
  const AdgSwitch *sw = &p->adg->switches[p->adg->components[component].detail];
  buf_str(p->out, ", connectivity_table = [");
  size_t start = p->out->len;
  if (sw->first_lane_row == ADG_NONE || !put_rows(p, sw, true, p->out)) {
    p->out->len = start;
    put_rows(p, sw, false, p->out);
  }
  buf_char(p->out, ']');
  if (sw->decomposable_bits)
    buf_printf(p->out, ", decomposable_bits = %u : i64", sw->decomposable_bits);
}

static void put_pe(Part *p, u32 component) {
  put_results(p, component, false);
  buf_str(p->out, "\"fabric.instance\"");
  put_operands(p, component, NULL);
  buf_printf(p->out, " <{module = @%s, sym_name = \"%s\"}> : ",
             p->pes[p->adg->components[component].detail], p->names[component]);
  put_connected(p, component, NULL, NULL);
}

static void put_part(Part *p, u32 component) {
  const AdgComponent *c = &p->adg->components[component];
  const AdgMemory *memory = adg_is_memory(c) ? &p->adg->memories[c->detail] : NULL;
  const Type *before = memory && memory->is_external ? memory->memref : NULL;
  const Type *behind =
      memory && !memory->is_external && !memory->is_private ? memory->memref : NULL;
  put_results(p, component, behind);
  buf_printf(p->out, "\"fabric.%s\"", adg_kind_text((AdgKind)c->kind));
  put_operands(p, component, before ? p->names[p->adg->ncomponents + memory->arg] : NULL);
  buf_printf(p->out, " <{sym_name = \"%s\"", p->names[component]);
  if (adg_class(c->kind) != CLASS_TAG) {
    buf_str(p->out, ", inline_instantiation, function_type = ");
    put_signature(p, component, before, behind, p->out);
  }
  if (c->kind == ADG_ADD_TAG) buf_str(p->out, ", tag = 0 : i64");
  put_params(p, component, p->out);
  if (adg_is_switch(c)) put_table(p, component);
  if (memory) {
    buf_str(p->out, ", memrefType = ");
    text_type(memory->memref, p->out);
  }
  buf_str(p->out, "}> : ");
  put_connected(p, component, before, behind);
}

static void put_component(Part *p, u32 component) {
  if (!p->use->stays[component]) return;
  switch (adg_class(p->adg->components[component].kind)) {
  case CLASS_PORT: return;
  case CLASS_PE: put_pe(p, component); return;
  default: put_part(p, component);
  }
}

/* ---- the module ------------------------------------------------------------------------------ */

/* True where argument i of the module stays. */
static bool arg_stays(const Part *p, u32 i) {
  const AdgModulePort *arg = &p->adg->args[i];
  if (!arg->is_memref) return p->use->stays[arg->component];
  for (u32 m = 0; m < p->adg->nmemories; m++)
    if (p->adg->memories[m].arg == i && p->use->stays[p->adg->memories[m].component]) return true;
  return false;
}

/* True where result i of the module stays; a memref argument that is returned does not. */
static bool result_stays(const Part *p, u32 i) {
  u32 component = p->adg->outputs[i].component;
  return component != ADG_NONE && p->use->stays[component];
}

static void put_arg_type(const Part *p, u32 i, Buf *out) {
  const AdgModulePort *arg = &p->adg->args[i];
  if (arg->is_memref)
    text_type(arg->memref, out);
  else
    put_type(&p->adg->ports[adg_output(p->adg, arg->component, 0)], out);
}

static void put_result_type(const Part *p, u32 i, Buf *out) {
  const AdgModulePort *result = &p->adg->outputs[i];
  if (result->is_memref)
    text_type(result->memref, out);
  else
    put_type(&p->adg->ports[adg_input(p->adg, result->component, 0)], out);
}

static void put_results_of_module(const Part *p, bool types, Buf *out) {
  for (u32 i = 0; i < p->adg->noutputs; i++) {
    const AdgModulePort *result = &p->adg->outputs[i];
    if (!result_stays(p, i)) continue;
    put_comma(out);
    if (types && !result->is_memref)
      put_type(&p->adg->ports[use_driver(p->use, adg_input(p->adg, result->component, 0))], out);
    else if (types)
      text_type(result->memref, out);
    else if (!result->is_memref)
      put_value(p, use_driver(p->use, adg_input(p->adg, result->component, 0)), out);
    else {
      const AdgComponent *c = &p->adg->components[result->component];
      u32 n = 0;
      for (u32 o = 0; o < c->noutputs; o++)
        n += p->use->keeps[adg_output(p->adg, result->component, o)];
      buf_printf(out, n ? "%%%s#%u" : "%%%s", p->names[result->component], n);
    }
  }
}

static void put_head(Part *p) {
  const Adg *adg = p->adg;
  buf_str(p->out, "\"fabric.module\"() <{sym_name = ");
  put_symbol(p, adg_text(adg, adg->name), p->out);
  buf_str(p->out, ", function_type = (");
  for (u32 i = 0; i < adg->nargs; i++) {
    if (!arg_stays(p, i)) continue;
    put_comma(p->out);
    put_arg_type(p, i, p->out);
  }
  buf_str(p->out, ") -> (");
  for (u32 i = 0; i < adg->noutputs; i++) {
    if (!result_stays(p, i)) continue;
    put_comma(p->out);
    put_result_type(p, i, p->out);
  }
  buf_str(p->out, ")}> ({\n^bb0(");
  for (u32 i = 0; i < adg->nargs; i++) {
    if (!arg_stays(p, i)) continue;
    const AdgModulePort *arg = &adg->args[i];
    put_comma(p->out);
    buf_printf(p->out, "%%%s: ", p->names[arg->is_memref ? adg->ncomponents + i : arg->component]);
    put_arg_type(p, i, p->out);
  }
  buf_str(p->out, "):\n");
}

static void put_module(Part *p) {
  for (u32 c = 0; c < p->adg->ncomponents; c++)
    if (p->use->stays[c] && adg_is_pe(&p->adg->components[c])) put_pe_definition(p, c);
  put_head(p);
  for (u32 c = 0; c < p->adg->ncomponents; c++) put_component(p, c);
  buf_str(p->out, "\"fabric.yield\"(");
  put_results_of_module(p, false, p->out);
  buf_str(p->out, ") : (");
  put_results_of_module(p, true, p->out);
  buf_str(p->out, ") -> ()\n}) : () -> ()\n");
}

void use_print(Context *ctx, const FabricUse *use, Buf *out) {
  const Adg *adg = use->adg;
  size_t nnames = (size_t)adg->ncomponents + adg->nargs + 1;
  Part p = {.ctx = ctx, .use = use, .adg = adg, .out = out};
  p.names = mem_alloc(mem_size(nnames, sizeof *p.names));
  p.bodies = mem_alloc(mem_size((size_t)adg->nbodies + 1, sizeof *p.bodies));
  p.pes = mem_alloc(mem_size((size_t)adg->npes + 1, sizeof *p.pes));
  for (u32 c = 0; c < adg->ncomponents; c++) p.names[c] = own_name(&p, adg_name(adg, c));
  for (u32 i = 0; i < adg->nargs; i++)
    if (adg->args[i].is_memref)
      p.names[adg->ncomponents + i] = own_name(&p, adg_text(adg, adg->args[i].name));
  map_put(&p.taken, PTR_KEY(str_of(ctx, adg_text(adg, adg->name))), 0); /* beside definitions */
  put_units(&p);
  put_module(&p);
  mem_free(p.names);
  mem_free(p.bodies);
  mem_free(p.pes);
  map_free(&p.taken);
  map_free(&p.definitions);
  vec_free(&p.pe_names);
}
