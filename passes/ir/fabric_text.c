/* fabric_text.c -- parses route tables and instructions (fabric_text.h has their grammar), and
 * prints instructions.
 *
 * A recursive-descent parser over one string, of words, numbers, and the punctuation : , ( ) [ ] ->
 * with one token of lookahead. It stops at the first error, whose message names what was expected.
 * Linear in the length of the string. */
#include "ir/fabric_text.h"

typedef struct {
  const char *at;
  const char *error;
} Scan;

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

static bool wrong(Scan *s, const char *error) {
  if (!s->error) s->error = error;
  s->at = "";
  return false;
}

static void skip(Scan *s) {
  while (is_space(*s->at)) s->at++;
}

static bool punctuation(Scan *s, const char *text) {
  size_t len = strlen(text);
  skip(s);
  if (strncmp(s->at, text, len) != 0) return false;
  s->at += len;
  return true;
}

static bool need(Scan *s, const char *text, const char *error) {
  return punctuation(s, text) || wrong(s, error);
}

static bool word(Scan *s, const char *text) {
  size_t len = strlen(text);
  skip(s);
  if (strncmp(s->at, text, len) != 0 || is_letter(s->at[len]) || is_digit(s->at[len])) return false;
  s->at += len;
  return true;
}

static u32 number(Scan *s) {
  u32 n = 0;
  skip(s);
  if (!is_digit(*s->at)) wrong(s, "expected a number");
  for (; is_digit(*s->at); s->at++) {
    if (n > FABRIC_MAX_NUMBER / 10) wrong(s, "the number is too large");
    n = n * 10 + (u32)(*s->at - '0');
    if (s->error) return 0;
  }
  return n;
}

/* Reads `invalid` or a hexadecimal number, which stand for a whole slot; false if it is neither. */
static bool bare_slot(Scan *s, FabricSlotKind *kind) {
  skip(s);
  if (word(s, "invalid")) {
    *kind = FABRIC_SLOT_INVALID;
  } else if (s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X')) {
    *kind = FABRIC_SLOT_HEX;
    s->at += 2;
    if (!s->at[strspn(s->at, "0123456789abcdefABCDEF")] && *s->at)
      s->at += strlen(s->at);
    else
      wrong(s, "expected only hexadecimal digits after 0x");
  } else {
    *kind = FABRIC_SLOT_TEXT;
    return false;
  }
  return true;
}

static void slot_tag(Scan *s, bool *has_tag, u32 *tag) {
  *has_tag = word(s, "tag");
  if (!*has_tag) return;
  *tag = number(s);
  need(s, ":", "expected ':' after the tag");
}

static void need_end(Scan *s) {
  skip(s);
  if (*s->at) wrong(s, "unexpected text at the end");
}

/* The number and lane in `in 3` or `in 3[1]`. */
static void route_end(Scan *s, u16 *port, u16 *lane) {
  u32 port_number = number(s), lane_number = FABRIC_NO_LANE;
  if (punctuation(s, "[")) {
    lane_number = number(s);
    need(s, "]", "expected ']' after a lane");
    if (lane_number >= FABRIC_NO_LANE) wrong(s, "the lane number is too large");
  }
  if (port_number > UINT16_MAX) wrong(s, "the port number is too large");
  *port = (u16)port_number;
  *lane = (u16)lane_number;
}

/* Reads a row such as "0010" of output `slot` into `routes`; false if the text is none. */
static bool row_of_output(Arena *arena, const char *text, u32 slot, FabricRoutes *routes) {
  size_t n = strspn(text, "01");
  if (n == 0 || text[n] || n > UINT16_MAX || slot > UINT16_MAX) return false;
  *routes = (FabricRoutes){
      .kind = FABRIC_SLOT_ROW, .routes = NEW_ARRAY(arena, FabricRoute, n), .row_length = (u32)n};
  for (size_t i = 0; i < n; i++)
    if (text[i] == '1')
      routes->routes[routes->nroutes++] =
          (FabricRoute){(u16)i, (u16)slot, FABRIC_NO_LANE, FABRIC_NO_LANE};
  return true;
}

void fabric_row_of_lane(FabricRoutes *row, const FabricLanes *lanes) {
  for (u32 i = 0; i < row->nroutes; i++) {
    FabricRoute *r = &row->routes[i];
    u32 in = fabric_lane_port(lanes->in_at, lanes->ninputs, r->in),
        out = fabric_lane_port(lanes->out_at, lanes->noutputs, r->out);
    *r = (FabricRoute){(u16)in, (u16)out, (u16)(r->in - lanes->in_at[in]),
                       (u16)(r->out - lanes->out_at[out])};
  }
}

const char *fabric_parse_routes(Arena *arena, const char *text, u32 slot, FabricRoutes *routes) {
  Scan s = {.at = text};
  u32 most = 1;
  if (row_of_output(arena, text, slot, routes)) return NULL;
  for (const char *c = text; *c; c++) most += *c == ',';
  *routes = (FabricRoutes){.routes = NEW_ARRAY(arena, FabricRoute, most)};
  if (!bare_slot(&s, &routes->kind)) {
    slot_tag(&s, &routes->has_tag, &routes->tag);
    skip(&s);
    if (*s.at) do {
        FabricRoute *route = &routes->routes[routes->nroutes++];
        if (!word(&s, "in")) wrong(&s, "expected a route: in I -> out O");
        route_end(&s, &route->in, &route->in_lane);
        need(&s, "->", "expected '->' in a route");
        if (!word(&s, "out")) wrong(&s, "expected 'out' in a route: in I -> out O");
        route_end(&s, &route->out, &route->out_lane);
      } while (punctuation(&s, ","));
  }
  need_end(&s);
  return s.error;
}

const char *fabric_parse_input(const char *text, u16 *port, u16 *lane) {
  Scan s = {.at = text};
  if (!word(&s, "in")) wrong(&s, "expected an input: in I");
  route_end(&s, port, lane);
  need_end(&s);
  return s.error;
}

/* `(in 0, reg 1)` or `(out 0 tag 3, none)` */
static u32 ends(Scan *s, FabricEnd *list, const char *port) {
  u32 n = 0;
  need(s, "(", "expected '('");
  if (punctuation(s, ")")) return 0;
  do {
    if (n == FABRIC_MAX_SLOTS) {
      wrong(s, "the list is too long");
      return 0;
    }
    FabricEnd *end = &list[n++];
    *end = (FabricEnd){0};
    const char *start = s->at;
    if (word(s, "none")) continue;
    for (;;) {
      bool result = *port == 'o'; /* may name both a port and a register, or be discarded */
      if (!end->has_port && !(result ? end->discard : end->has_reg) && word(s, port)) {
        end->has_port = true;
        end->port = number(s);
      } else if (!end->has_reg && (result || !end->has_port) && word(s, "reg")) {
        end->has_reg = true;
        end->reg = number(s);
      } else if (!end->has_tag && result && end->has_port && word(s, "tag")) {
        end->has_tag = true;
        end->tag = number(s);
      } else if (!end->discard && end->has_port != result && word(s, "discard")) {
        end->discard = true;
      } else {
        break;
      }
    }
    if (s->at == start || (!end->has_port && !end->has_reg && !end->discard))
      wrong(s, *port == 'i' ? "expected a source: in I, reg R or none"
                            : "expected a result: out O, out O tag T, reg R, discard or none");
  } while (punctuation(s, ","));
  need(s, ")", "expected ',' or ')' in a list");
  return n;
}

const char *fabric_parse_instruction(const char *text, FabricInstruction *i) {
  Scan s = {.at = text};
  i->kind = FABRIC_SLOT_TEXT;
  i->has_tag = false;
  i->unit = NULL;
  i->nsources = i->nresults = i->opcode = i->unit_len = i->tag = 0;
  if (!bare_slot(&s, &i->kind)) {
    slot_tag(&s, &i->has_tag, &i->tag);
    skip(&s);
    if (word(&s, "opcode")) {
      i->opcode = number(&s);
    } else {
      i->unit = s.at;
      while (is_letter(*s.at) || (s.at > i->unit && is_digit(*s.at))) s.at++;
      i->unit_len = (u32)(s.at - i->unit);
      if (!i->unit_len) wrong(&s, "expected the name of a function unit");
    }
    i->nsources = ends(&s, i->sources, "in");
    need(&s, "->", "expected '->' before the results");
    i->nresults = ends(&s, i->results, "out");
  }
  need_end(&s);
  return s.error;
}

bool fabric_is_unit_name(const char *name) {
  static const char *const keywords[] = {"opcode", "invalid", "tag"};
  for (u32 i = 0; i < COUNT_OF(keywords); i++)
    if (strcmp(name, keywords[i]) == 0) return false;
  if (!is_letter(*name)) return false;
  while (is_letter(*name) || is_digit(*name)) name++;
  return !*name;
}

/* `(in 0 discard, reg 1)` or `(reg 2 out 0 tag 3, none)` */
static void print_ends(const FabricEnd *list, u32 n, const char *port, Buf *out) {
  buf_char(out, '(');
  for (u32 i = 0; i < n; i++) {
    const FabricEnd *end = &list[i];
    if (i) buf_str(out, ", ");
    if (end->has_reg) buf_printf(out, "reg %u", end->reg);
    if (end->has_reg && (end->has_port || end->discard)) buf_char(out, ' ');
    if (end->has_port) buf_printf(out, "%s %u", port, end->port);
    if (end->has_tag) buf_printf(out, " tag %u", end->tag);
    if (end->discard) buf_str(out, end->has_port ? " discard" : "discard");
    if (!end->has_reg && !end->has_port && !end->discard) buf_str(out, "none");
  }
  buf_char(out, ')');
}

void fabric_print_instruction(const FabricInstruction *i, Buf *out) {
  if (i->kind == FABRIC_SLOT_INVALID) {
    buf_str(out, "invalid");
    return;
  }
  if (i->has_tag) buf_printf(out, "tag %u: ", i->tag);
  if (i->unit)
    buf_put(out, i->unit, i->unit_len);
  else
    buf_printf(out, "opcode %u", i->opcode);
  print_ends(i->sources, i->nsources, "in", out);
  buf_str(out, " -> ");
  print_ends(i->results, i->nresults, "out", out);
}
