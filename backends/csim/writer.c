/* writer.c -- appends lines of C, and opens and closes the if blocks around them.
 *
 * Within a loop body a domain (plan.h) is a path of nested ifs. Before code of a domain is written,
 * csim_enter_domain closes the open blocks that are not around it and opens those that are missing.
 * A block that follows its opposite (the same condition, the other value) becomes its else:
 *
 *     if (c) {            in TRUE(c)
 *       x = a + b;
 *     } else {            csim_enter_domain: FALSE(c), then TRUE(d) in that
 *       if (d) {
 *         y = 1;
 */
#include "writer.h"

#include <string.h>

void csim_line(Writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  csim_put_line(w->m, format, args);
  va_end(args);
}

/* ---- branches -------------------------------------------------------------------------------- */

static int is_word(const char *text) {
  for (; *text; text++)
    if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
          (*text >= '0' && *text <= '9') || *text == '_'))
      return 0;
  return 1;
}

const char *csim_negated(Writer *w, const char *condition) {
  return csim_format(w->m, is_word(condition) ? "!%s" : "%s == 0", condition);
}

static void open_branch(Writer *w, uint32_t d, int is_else) {
  const Domain *at = &w->p.domains[d];
  const char *condition = csim_value(&w->v, at->condition);
  if (is_else) {
    csim_line(w, "} else {");
  } else {
    if (at->kind == LOOM_FALSE) condition = csim_negated(w, condition);
    csim_line(w, *condition == '(' && at->kind == LOOM_TRUE ? "if %s {" : "if (%s) {", condition);
  }
  w->is_else[d] = (char)is_else;
}

/* May the block of `d` be the else of the one just closed? Not where that is an else itself. */
static int is_else_of(const Writer *w, uint32_t d, uint32_t closed) {
  return w->p.domains[d].opposite == closed && !w->is_else[closed];
}

/* Opens the blocks from w->open (exclusive) to `d`. `closed`: the block whose } is not yet written,
 * so that an else may follow; NONE: there is none. */
static void open_down_to(Writer *w, uint32_t d, uint32_t closed) {
  const Domain *at = &w->p.domains[d];
  if (d == w->open) return;
  if (at->parent != w->open) open_down_to(w, at->parent, closed), closed = NONE;
  if (closed != NONE && !is_else_of(w, d, closed)) {
    csim_line(w, "}");
    closed = NONE;
  }
  open_branch(w, d, closed != NONE);
  w->open = d;
}

/* `closed` is the last block left, whose } is held back until it is known whether an else follows;
 * `top`, the outermost block to be opened, decides that. */
void csim_enter_domain(Writer *w, uint32_t d) {
  const Plan *p = &w->p;
  uint32_t closed = NONE, top = d;
  while (!is_under(p, d, w->open)) {
    if (closed != NONE) csim_line(w, "}");
    closed = w->open;
    w->open = p->domains[w->open].parent;
  }
  while (top != w->open && p->domains[top].parent != w->open) top = p->domains[top].parent;
  if (closed != NONE && (d == w->open || !is_else_of(w, top, closed))) {
    csim_line(w, "}");
    closed = NONE;
  }
  open_down_to(w, d, closed);
}

const char *csim_bare(Writer *w, const char *text) {
  size_t length = strlen(text);
  int depth = 0;
  if (*text != '(') return text;
  for (size_t i = 0; i < length; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && i + 1 < length) return text;
  }
  return csim_format(w->m, "%.*s", (int)length - 2, text + 1);
}
