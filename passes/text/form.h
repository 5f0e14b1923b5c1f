/* form.h -- ops whose text a format in ops.def describes: the compiled formats.
 *
 *     "%, % $overflowFlags {} : T" and "T T -> T"     arith.addi %a, %b overflow<nsw> {x.y} : i32
 *
 * One row of ops.def is all it takes to read and print an op. Its format is compiled into steps
 * when the first op of its kind is met; parse_form and print_form interpret the same steps, so that
 * an op is read as it is printed. ops.def defines formats, form_attrs.c the syntax of
 * attributes. The form of an op with functions of its own (asm.h) only has its inherent
 * attributes. */
#ifndef LOOM_TEXT_FORM_H
#define LOOM_TEXT_FORM_H

#include "text/parse.h"
#include "text/print.h"

typedef struct FlagSet FlagSet;

/* How an attribute is written where a format names it: as flags of a set, one word, one of some
 * names, or by functions of its own. */
typedef struct {
  const char *name;
  const FlagSet *set;
  const char *word;         /* of a unit attribute */
  const char *const *names; /* nnames of them, by the number that the attribute has */
  u32 nnames;
  const Attr *(*parse)(Parser *p);              /* returns NULL for an absent flag */
  void (*print)(Printer *pr, const Attr *attr); /* a flag: with a space in front */
  const Attr *(*normalise)(Parser *p, const Op *op,
                           const Attr *attr); /* NULL, or see form_normalise */
  const char *absent; /* its default, which the generic form shows; or NULL */
  bool flag;          /* a word that may be absent */
  bool only_read;     /* printed in {...} with the other attributes */
  bool mixed;         /* numbers and operands, `[0, %n]`; parse and print are not used */
  bool typed;         /* its type is the result's */
  bool completes;     /* normalise is called for one that is absent, too */
} AttrSyntax;

/* The row of that name; it must be there. */
const AttrSyntax *attr_syntax(const char *name, size_t len);
/* Reads an attribute; NULL for an absent flag. */
const Attr *attr_read(Parser *p, const AttrSyntax *syntax);
void attr_write(Printer *pr, const AttrSyntax *syntax, const Attr *attr);
/* What its syntax makes of an attribute (or of NULL, where it `completes`). */
const Attr *attr_normal(Parser *p, const Op *op, const AttrSyntax *syntax, const Attr *attr);

typedef enum {
  STEP_END,
  STEP_NOTHING, /* only the literal in front */
  STEP_WORD,    /* arg: its length */
  STEP_ARROW,
  STEP_OPERAND,
  STEP_OPERANDS,
  STEP_TYPE, /* arg: a variable; from: the value that has it */
  STEP_TYPES,
  STEP_TYPE_OR_TYPES, /* arg: if all are the same, one is printed */
  STEP_RESULTS,
  STEP_RESULT_LIST, /* arg: in parentheses, even if it is one */
  STEP_FUNCTION,    /* arg: without parentheses */
  STEP_COUNT,
  STEP_ATTR,  /* arg: one of the form's attributes */
  STEP_FLAG,  /* the same */
  STEP_MIXED, /* the same */
  STEP_SUCCESSOR,
  STEP_REGION,
  STEP_ATTRS,    /* arg: after the word `attributes` */
  STEP_BRACKETS, /* arg: configuration is printed after the word `attributes` */
  STEP_GROUP     /* arg: the step after the group; from: print a space in front */
} StepCode;

/* A literal and the item behind it. The literal is printed with the spaces around it. */
enum { MAX_LITERAL = 16, IS_RESULT = 128 };
typedef struct {
  u8 code, arg, from;
  char mark;  /* a character in front, or 0 */
  u8 absent;  /* STEP_TYPE: the default, a SlotKind, or 0 */
  bool shown; /* the default is printed, too */
  u8 len;     /* of the text to print in front */
  char text[MAX_LITERAL];
} FormStep;

/* An inherent attribute. */
typedef struct {
  const Str *name;
  const AttrSyntax *syntax; /* NULL: it stands in {...} */
  bool bare;                /* the generic form shows no default */
  bool false_is_absent;     /* `false` is not printed */
  bool is_sizes;            /* sizes of the operand groups: not written, but counted */
} FormAttr;

enum { MAX_STEPS = 24, MAX_INHERENT = 8 };
typedef struct {
  const char *text;
  OpShape shape;
  u8 nsteps, nattrs;
  u8 nsingle; /* operands outside of the list */
  u8 nregions;
  OpKind terminator; /* implied in the regions of an op without results, or OP_UNREGISTERED */
  const Str *sizes;  /* the attribute that holds the sizes of operand groups, or NULL */
  FormStep steps[MAX_STEPS]; /* none: the op has functions of its own */
  FormAttr attrs[MAX_INHERENT];
} Form;

/* The forms compiled so far, by kind; they live with the context. */
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

/* Normalises inherent attributes, which may have been given in a dictionary, to what their syntax
 * makes: drops those that are the default, and reports invalid ones. */
void form_normalise(Parser *p, Op *op, const Form *form);

#endif
