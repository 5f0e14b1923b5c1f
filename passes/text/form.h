/* form.h -- ops whose text is regular: the formats of ops.def, compiled, and their interpreter.
 *
 *     "%, % $overflowFlags {} : T" and "T T -> T"     arith.addi %a, %b overflow<nsw> {x.y} : i32
 *
 * One row of ops.def is all it takes to read and print an op. Its format is compiled into steps
 * when the first op of its kind is met; parse_form and print_form follow the same steps, so that
 * what is printed is what is read. ops.def says what stands in a format, form_attrs.c what
 * attributes look like. An op with functions of its own (asm.h) has a form too: its inherent
 * attributes. */
#ifndef LOOM_TEXT_FORM_H
#define LOOM_TEXT_FORM_H

#include "text/parse.h"
#include "text/print.h"

/* How an attribute is written where a format names it. */
typedef struct {
  const char *name;
  const Attr *(*parse)(Parser *p);              /* NULL, of a flag: it is not there */
  void (*print)(Printer *pr, const Attr *attr); /* a flag: with a space in front; NULL: it is an
                                                 * attribute like any other, in {...} */
  const Attr *(*normalise)(Parser *p, const Op *op,
                           const Attr *attr); /* NULL, or see form_normalise */
  const char *absent; /* what its absence means, or NULL; the generic form shows it */
  bool flag;          /* a word that may be absent */
  bool mixed;         /* numbers and operands, `[0, %n]`, which parse and print are not asked for */
  bool typed;         /* its type is the result's */
  bool completes;     /* normalise is called for one that is absent, too */
} AttrSyntax;

/* The row of that name; it must be there. */
const AttrSyntax *attr_syntax(const char *name, size_t len);

typedef enum {
  STEP_END,
  STEP_NOTHING, /* but the character in front */
  STEP_WORD,    /* arg: its length */
  STEP_ARROW,
  STEP_OPERAND,
  STEP_OPERANDS,
  STEP_TYPE, /* arg: a variable; from: the value that has it */
  STEP_TYPES,
  STEP_TYPE_OR_TYPES, /* arg: one is printed where all are the same */
  STEP_RESULTS,
  STEP_RESULT_LIST, /* arg: in parentheses, even if it is one */
  STEP_FUNCTION,    /* arg: without parentheses */
  STEP_COUNT,
  STEP_ATTR,  /* arg: one of the form's attributes */
  STEP_FLAG,  /* the same */
  STEP_MIXED, /* the same */
  STEP_SUCCESSOR,
  STEP_REGION,
  STEP_ATTRS,    /* arg: behind `attributes` */
  STEP_BRACKETS, /* arg: configuration is printed behind `attributes` */
  STEP_GROUP     /* arg: where to go on if it is absent; from: is there a space in front? */
} StepCode;

/* A literal and what comes behind it. Printed, it has the spaces around it. */
enum { MAX_LITERAL = 16, IS_RESULT = 128 };
typedef struct {
  u8 code, arg, from;
  char mark;  /* a character in front, or 0 */
  u8 absent;  /* STEP_TYPE: the SlotKind that its absence means, or 0 */
  bool shown; /* and it is printed nevertheless */
  u8 len;     /* of the text to print in front */
  char text[MAX_LITERAL];
} FormStep;

/* An inherent attribute. */
typedef struct {
  const Str *name;
  const AttrSyntax *syntax; /* NULL: it stands in {...} */
  bool bare;                /* the generic form shows no default */
  bool false_is_absent;     /* `false` goes without saying */
  bool is_sizes;            /* of the groups of operands: goes without saying */
} FormAttr;

enum { MAX_STEPS = 24, MAX_INHERENT = 8 };
typedef struct {
  const char *text;
  OpShape shape;
  u8 nsteps, nattrs;
  u8 nsingle; /* operands that are not of the list */
  u8 nregions;
  OpKind terminator;         /* of the regions, where there are no results; or OP_UNREGISTERED */
  const Str *sizes;          /* the attribute that says how many operands each group has, or NULL */
  FormStep steps[MAX_STEPS]; /* none: the op has functions of its own */
  FormAttr attrs[MAX_INHERENT];
} Form;

/* The form of a kind; it lives with the context. */
struct TextForms {
  const Form *of[OP_COUNT]; /* NULL: not met yet */
};
const Form *form_compile(Context *ctx, OpKind kind);
static inline const Form *form_of(Context *ctx, OpKind kind) {
  const Form *form = ctx->forms ? ctx->forms->of[kind] : NULL;
  return form ? form : form_compile(ctx, kind);
}

/* The inherent attribute of that name, or NULL. */
const FormAttr *form_attr(const Form *form, const Str *name);

/* Brings inherent attributes that were given as plain ones into the shape their syntax makes: drops
 * those that say what their absence says, and reports those that mean nothing. */
void form_normalise(Parser *p, Op *op, const Form *form);

#endif
