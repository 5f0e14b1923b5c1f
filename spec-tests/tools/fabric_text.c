/* fabric_text.c -- see fabric_text.h. */
#include "fabric_text.h"

/* The first MACHINE_UNITS are those of random machines, whose numbers choose among them. */
const UnitText unit_texts[] = {
    {"remf", "ff", "f", "%r = arith.remf $0, $1 : f32", OF_LATENCY},
    {"add", "ii", "i", "%r = arith.addi $0, $1 : i32", OF_LATENCY},
    {"sub", "ii", "i", "%r = arith.subi $0, $1 : i32", OF_LATENCY},
    {"mul", "ii", "i", "%r = arith.muli $0, $1 : i32", OF_LATENCY},
    {"mac", "iii", "i", "%t = arith.muli $0, $1 : i32\n      %r = arith.addi %t, $2 : i32",
     OF_LATENCY},
    {"cmp", "ii", "b", "%r = arith.cmpi slt, $0, $1 : i32", OF_LATENCY},
    {"sel", "bii", "i", "%r = arith.select $0, $1, $2 : i32", OF_LATENCY},
    {"min", "xx", "x", "%r = arith.minui $0, $1 : index", OF_LATENCY},
    {"cast", "x", "i", "%r = arith.index_cast $0 : index to i32", OF_LATENCY},
    {"const", "n", "i", "%r = handshake.constant $0 {value = 7 : i32} : i32", OF_LATENCY},
    {"constx", "n", "x", "%r = handshake.constant $0 {value = 3 : index} : index", OF_LATENCY},
    {"join", "nn", "n", "%r = handshake.join $0, $1 : none, none", OF_LATENCY},
    {"br", "bi", "ii", "%r, %s = handshake.cond_br $0, $1 : i32", OF_LATENCY},
    {"brn", "bn", "nn", "%r, %s = handshake.cond_br $0, $1 : none", OF_LATENCY},
    {"mux", "bii", "i", "%r = handshake.mux $0 [$1, $2] : i1, i32", OF_LATENCY},
    {"gate", "ib", "ib", "%r, %s = dataflow.gate $0, $1 : i32, i1 -> i32, i1", OWN_REGISTERS},
    {"carry", "bii", "i", "%r = dataflow.carry $0, $1, $2 : i1, i32, i32 -> i32", OWN_REGISTERS},
    {"inv", "bi", "i", "%r = dataflow.invariant $0, $1 : i1, i32 -> i32", OWN_REGISTERS},
    {"ext", "i", "l", "%r = arith.extsi $0 : i32 to i64", OF_LATENCY},
    {"addl", "ll", "l", "%r = arith.addi $0, $1 : i64", OF_LATENCY},
    {"trunc", "l", "i", "%r = arith.trunci $0 : i64 to i32", OF_LATENCY},
    {"mulh", "ih", "h", "%t = arith.trunci $0 : i32 to i16\n      %r = arith.muli %t, $1 : i16",
     OF_LATENCY},
    {"exth", "h", "i", "%r = arith.extui $0 : i16 to i32", OF_LATENCY},
    {"load", "xin", "ix", "%r, %s = handshake.load [$0] $1, $2 : index, i32", OF_LATENCY},
    {"store", "xin", "ix", "%r, %s = handshake.store [$0] $1, $2 : index, i32", OF_LATENCY},
    {"several", "iiiii", "ib",
     "%s = arith.cmpi slt, $0, $1 : i32\n      %t = handshake.mux %s [$2, $3] : i1, i32\n"
     "      %r = arith.subi %t, $4 : i32",
     OF_LATENCY},
    {"squared", "biii", "i",
     "%t = arith.subi $1, $3 : i32\n      %u = arith.muli %t, %t : i32\n"
     "      %r = handshake.mux $0 [%u, $2] : i1, i32",
     OF_LATENCY},
    {"loadsum", "xxinii", "ix",
     "%t = arith.minui $0, $1 : index\n      %l, %s = handshake.load [%t] $2, $3 : index, i32\n"
     "      %m = arith.muli $4, $5 : i32\n      %r = arith.addi %l, %m : i32",
     OF_LATENCY},
    {"storeprod", "xxiin", "ix",
     "%t = arith.minui $0, $1 : index\n      %m = arith.muli $2, $3 : i32\n"
     "      %r, %s = handshake.store [%t] %m, $4 : index, i32",
     OF_LATENCY},
    {"stream", "xxx", "xb",
     "%r, %s = dataflow.stream $0, $1, $2 {step_op = \"+=\", cont_cond = \"<\"} : (index, index, "
     "index) -> (index, i1)",
     OWN_REGISTERS},
    {"multiplied", "xxx", "xb",
     "%r, %s = dataflow.stream $0, $1, $2 {step_op = \"*=\", cont_cond = \"<\"} : (index, index, "
     "index) -> (index, i1)",
     OWN_REGISTERS},
    {"divided", "xxx", "xb",
     "%r, %s = dataflow.stream $0, $1, $2 {step_op = \"/=\", cont_cond = \">\"} : (index, index, "
     "index) -> (index, i1)",
     OWN_REGISTERS},
    {"head", "bii", "ii",
     "%v = dataflow.carry $0, $1, $2 : i1, i32, i32 -> i32\n      %r, %s = handshake.cond_br $0, "
     "%v : i32",
     OWN_WIRES},
    {"tail", "bii", "ii",
     "%v, %s = handshake.cond_br $0, $2 : i32\n      %r = dataflow.carry $0, $1, %v : i1, i32, i32 "
     "-> i32",
     OWN_WIRES},
    {"tailn", "bnn", "nn",
     "%v, %s = handshake.cond_br $0, $2 : none\n      %r = dataflow.carry $0, $1, %v : i1, none, "
     "none -> none",
     OWN_WIRES},
    {"rem", "ii", "i", "%r = arith.remsi $0, $1 : i32", OF_LATENCY},
    {"divl", "ll", "l", "%r = arith.divui $0, $1 : i64", OF_LATENCY},
    {"loadturned", "xin", "xi", "%s, %r = handshake.load [$0] $1, $2 : index, i32", OF_LATENCY},
    {"invn", "bn", "n", "%r = dataflow.invariant $0, $1 : i1, none -> none", OWN_REGISTERS},
};

const UnitText *unit_named(const char *name) {
  for (u32 i = 0; i < COUNT_OF(unit_texts); i++)
    if (strcmp(unit_texts[i].name, name) == 0) return &unit_texts[i];
  loom_bug("there is no unit '%s'", name);
}

TypeText wire_type(u32 bits, u32 tag_bits) {
  TypeText plain, tagged;
  if (bits == NO_VALUE)
    snprintf(plain.text, sizeof plain.text, "none");
  else
    snprintf(plain.text, sizeof plain.text, "!fabric.bits<%u>", bits);
  if (!tag_bits) return plain;
  snprintf(tagged.text, sizeof tagged.text, "!fabric.tagged<%.20s, i%u>", plain.text, tag_bits);
  return tagged;
}

static const char *value_type(char type) {
  switch (type) {
  case 'i': return "i32";
  case 'f': return "f32";
  case 'l': return "i64";
  case 'h': return "i16";
  case 'x': return "index";
  case 'b': return "i1";
  case 'y': return "i8";
  default: return "none";
  }
}

static void put_value_types(const char *types, char type, const char *names, Buf *out) {
  for (u32 i = 0; types[i]; i++) {
    if (i) buf_str(out, ", ");
    if (names) buf_printf(out, "%s%u: ", names, i);
    buf_str(out, value_type(type && types[i] == 'i' ? type : types[i]));
  }
}

/* Not conversions, which have another type besides, nor divisions: the latency of one that ends early is that of its
 * width. */
bool can_be_of(const UnitText *unit, char type) {
  const char *body = unit->body;
  if (strstr(body, "trunc") || strstr(body, "ext") || strstr(body, "cast") || strstr(body, "rem"))
    return false;
  if (type == 'b') return !strstr(body, "value");
  return type != 'f' || strstr(body, "select") || !(strstr(body, "value") || strstr(body, "arith"));
}

void put_body(const UnitText *unit, const char (*operands)[NAME_ROOM], Buf *out) {
  for (const char *at = unit->body; *at; at++)
    if (*at == '$')
      buf_str(out, operands[*++at - '0']);
    else
      buf_char(out, *at);
}

/* The body of a unit, its i32 of another type. */
static void put_typed(const char *body, const char *type, Buf *out) {
  for (const char *next; (next = strstr(body, "i32")); body = next + 3)
    buf_printf(out, "%.*s%s", (int)(next - body), body, type);
  buf_str(out, body);
}

void put_function_unit(const UnitText *unit, char type, const char *name, int latency, int interval,
                       bool early_out, Buf *out) {
  static const char operands[][NAME_ROOM] = {"%a0", "%a1", "%a2", "%a3", "%a4", "%a5"};
  buf_printf(out, "    fabric.function_unit @%s(", name);
  put_value_types(unit->operands, type, "%a", out);
  buf_str(out, ") -> (");
  put_value_types(unit->results, type, NULL, out);
  buf_printf(out, ") [latency = %d, interval = %d%s] {\n      ",
             unit->timing != OF_LATENCY ? -1 : latency, unit->timing != OF_LATENCY ? -1 : interval,
             early_out ? ", early_out = true" : "");
  Buf body = {0};
  put_body(unit, operands, &body);
  put_typed(body.data, type ? value_type(type) : "i32", out);
  buf_free(&body);
  buf_printf(out, "\n      fabric.yield %%r%s : ", unit->results[1] ? ", %s" : "");
  put_value_types(unit->results, type, NULL, out);
  buf_str(out, "\n    }\n");
}
