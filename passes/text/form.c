/* form.c -- compiles a format of ops.def into the steps that form_parse.c and form_print.c follow.
 *
 *     "%, % {} : T"   ->   " " OPERAND   ", " OPERAND   ATTRS   " : " TYPE T
 *
 * A step is an item to read and, in front of it, a character to expect, which is printed with the
 * spaces around it. An item that may be absent (attributes, flags, groups) prints the space in
 * front of it itself. Formats are part of the program: a wrong one is a bug in it, found by the
 * first op that has it. */
#include "text/form.h"

static FormStep *new_step(Form *f, StepCode code, u32 arg) {
  if (f->nsteps + 1 == MAX_STEPS) loom_bug("the format \"%s\" has too many steps", f->text);
  FormStep *step = &f->steps[f->nsteps++];
  step->code = (u8)code;
  step->arg = (u8)arg;
  return step;
}

/* Adds a step with a text in front. */
static FormStep *add_text(Form *f, StepCode code, u32 arg, const char *text, size_t len) {
  FormStep *step = new_step(f, code, arg);
  if (len > MAX_LITERAL) loom_bug("a word of \"%s\" is too long", f->text);
  memcpy(step->text, text, len);
  step->len = (u8)len;
  return step;
}

/* Adds a step, behind the text of the last one if that has nothing else. */
static void add_step(Form *f, StepCode code, u32 arg) {
  FormStep *last = f->nsteps ? &f->steps[f->nsteps - 1] : NULL;
  if (!last || last->code != STEP_NOTHING) last = new_step(f, code, arg);
  last->code = (u8)code;
  last->arg = (u8)arg;
}

static FormAttr *add_attr(Context *ctx, Form *f, const char *name, size_t len) {
  if (f->nattrs == MAX_INHERENT) loom_bug("too many attributes in \"%s\"", f->text);
  FormAttr *attr = &f->attrs[f->nattrs++];
  attr->name = str_intern(ctx, name, len);
  return attr;
}

/* `a b=false c=#` up to the end or `}`: inherent attributes in the dictionary. */
static const char *add_names(Context *ctx, Form *f, const char *s) {
  for (; *s && *s != '}'; s += strspn(s, " ")) {
    size_t len = strcspn(s, " =}");
    FormAttr *attr = add_attr(ctx, f, s, len);
    attr->is_sizes = s[len] == '=' && s[len + 1] == '#';
    attr->false_is_absent = s[len] == '=' && !attr->is_sizes;
    if (attr->is_sizes) f->sizes = attr->name;
    s += len + strcspn(s + len, " }");
  }
  return s;
}

/* `name:syntax?`, behind the $. */
static const char *add_named(Context *ctx, Form *f, const char *s, bool spaced) {
  const char *end = run_end(s, IS_LETTER), *syntax = s;
  FormAttr *attr = add_attr(ctx, f, s, (size_t)(end - s));
  if (*end == ':' && char_is(end[1], IS_LETTER)) {
    syntax = end + 1;
    end = run_end(syntax, IS_LETTER | IS_DIGIT);
  }
  attr->syntax = attr_syntax(syntax, (size_t)(end - syntax));
  attr->bare = *end == '?';
  if (spaced && !attr->syntax->flag) add_text(f, STEP_NOTHING, 0, " ", 1);
  if (attr->syntax->flag)
    new_step(f, STEP_FLAG, f->nattrs - 1u);
  else
    add_step(f, attr->syntax->mixed ? STEP_MIXED : STEP_ATTR, f->nattrs - 1u);
  return end + attr->bare;
}

/* The first result (| IS_RESULT) or operand whose type is that of a variable. */
static u8 value_of_var(const OpShape *shape, u32 var) {
  const OpSlot *operands = shape->slots, *results = operands + shape->noperands;
  for (u8 i = 0; i < shape->nresults; i++)
    if (results[i].kind == SLOT_TYPE && results[i].var == var) return i | IS_RESULT;
  u8 i = 0;
  while (operands[i].kind != SLOT_TYPE || operands[i].var != var) i++;
  return i;
}

/* `=none!` behind a type. */
static const char *add_absent(FormStep *step, const char *s) {
  static const struct {
    const char *name;
    SlotKind kind;
  } types[] = {{"=i1", SLOT_I1}, {"=index", SLOT_INDEX}, {"=none", SLOT_NONE}};
  for (u32 i = 0; i < COUNT_OF(types); i++) {
    size_t len = strlen(types[i].name);
    if (strncmp(s, types[i].name, len) != 0) continue;
    step->absent = (u8)types[i].kind;
    step->shown = s[len] == '!';
    return s + len + step->shown;
  }
  return s;
}

static const char *add_types(Form *f, const char *s) {
  static const struct {
    const char *name;
    StepCode code;
    u32 arg;
  } lists[] = {{"TYPES->RESULTS", STEP_FUNCTION, 1}, {"TYPES", STEP_TYPES, 0},
               {"TYPE(S)", STEP_TYPE_OR_TYPES, 0},   {"TYPE/S", STEP_TYPE_OR_TYPES, 1},
               {"RESULTS", STEP_RESULTS, 0},         {"FUNCTION", STEP_FUNCTION, 0},
               {"RESULT(S)", STEP_RESULT_LIST, 0},   {"(RESULTS)", STEP_RESULT_LIST, 1}};
  for (u32 i = 0; i < COUNT_OF(lists); i++) {
    size_t len = strlen(lists[i].name);
    if (strncmp(s, lists[i].name, len) != 0) continue;
    add_step(f, lists[i].code, lists[i].arg);
    return s + len;
  }
  add_step(f, STEP_TYPE, (u32)(*s - 'A'));
  FormStep *step = &f->steps[f->nsteps - 1];
  step->from = value_of_var(&f->shape, (u32)(*s - 'A'));
  return add_absent(step, s + 1);
}

static OpKind op_kind(const Form *f, const char *name, size_t len) {
  for (u32 kind = 1; kind < OP_COUNT; kind++)
    if (span_is((Span){name, (u32)len}, op_info((OpKind)kind)->name)) return (OpKind)kind;
  loom_bug("there is no op as \"%s\" names one", f->text);
}

/* `REGION`, `REGION<scf.yield>` */
static const char *add_region(Form *f, const char *s) {
  s += strlen("REGION");
  add_step(f, STEP_REGION, 0);
  f->nregions++;
  if (*s != '<') return s;
  size_t len = strcspn(++s, ">");
  f->terminator = op_kind(f, s, len);
  return s + len + 1;
}

/* A word or a character, with the spaces in front, since `from`, and behind. */
static const char *add_literal(Form *f, const char *from, const char *s) {
  bool word = char_is(*s, IS_LETTER), arrow = s[0] == '-' && s[1] == '>';
  const char *end = word ? run_end(s, IS_LETTER) : s + 1 + arrow;
  u32 len = (u32)(end - s);
  if (end[strspn(end, " ")] != '{' && end[strspn(end, " ")] != '?') end += strspn(end, " ");
  StepCode code = word ? STEP_WORD : arrow ? STEP_ARROW : STEP_NOTHING;
  FormStep *step = add_text(f, code, len, from, (size_t)(end - from));
  if (code == STEP_NOTHING) step->mark = *s;
  return end;
}

static void compile(Context *ctx, Form *f) {
  const char *s = f->text;
  u32 group = MAX_STEPS; /* the open group; MAX_STEPS: none */
  bool is_wide = s[0] == ' ' && s[1] == ' ';
  if (is_wide || !strchr("([{? ", *s)) add_text(f, STEP_NOTHING, 0, " ", 1);
  s += is_wide;
  while (*s) {
    const char *from = s;
    s += strspn(s, " ");
    bool spaced = s != from;
    if (spaced && strchr("%^#ABCDEFGHIJKLMNOPQRSTUVWXYZ", *s)) add_text(f, STEP_NOTHING, 0, " ", 1);
    if (*s == '?') {
      group = f->nsteps;
      new_step(f, STEP_GROUP, 0)->from = spaced || from == f->text;
      s += 2;
    } else if (*s == ')' && group != MAX_STEPS) {
      f->steps[group].arg = f->nsteps;
      group = MAX_STEPS;
      s++;
    } else if (s[0] == '[' && s[1] == ']') {
      const char *end = strchr(s, '}') + 1;
      new_step(f, STEP_BRACKETS, strncmp(s, "[]{}", 4) != 0); /* `[] attributes {}` */
      s = end;
    } else if (*s == '{' || strncmp(s, "attributes {", 12) == 0) {
      new_step(f, STEP_ATTRS, *s != '{');
      s = add_names(ctx, f, strchr(s, '{') + 1) + 1;
    } else if (strncmp(s, "REGION", 6) == 0) {
      s = add_region(f, s);
    } else if (*s == '$') {
      s = add_named(ctx, f, s + 1, spaced);
    } else if (*s == '%') {
      bool list = s[1] == '*';
      add_step(f, list ? STEP_OPERANDS : STEP_OPERAND, 0);
      f->nsingle += !list;
      s += 1 + list;
    } else if (*s == '^') {
      add_step(f, STEP_SUCCESSOR, 0);
      s++;
    } else if (*s == '#') {
      add_step(f, STEP_COUNT, 0);
      s++;
    } else if ((*s >= 'A' && *s <= 'Z') || strncmp(s, "(RESULTS)", 9) == 0) {
      s = add_types(f, s);
    } else {
      s = add_literal(f, from, s);
    }
  }
}

const Form *form_compile(Context *ctx, OpKind kind) {
  const OpInfo *info = op_info(kind);
  Form *f = NEW(ctx->arena, Form);
  f->text = info->text;
  f->shape = op_shape(kind);
  if (info->own)
    add_names(ctx, f, f->text);
  else
    compile(ctx, f);
  if (!ctx->forms) ctx->forms = NEW(ctx->arena, TextForms);
  return ctx->forms->of[kind] = f;
}

const FormAttr *form_attr(const Form *f, const Str *name) {
  for (u32 i = 0; i < f->nattrs; i++)
    if (f->attrs[i].name == name && !(f->attrs[i].syntax && f->attrs[i].syntax->only_read))
      return &f->attrs[i];
  return NULL;
}

void form_normalise(Parser *p, Op *op, const Form *f) {
  for (u32 i = 0; i < f->nattrs && op->nattrs; i++) {
    const AttrSyntax *syntax = f->attrs[i].syntax;
    if (!syntax) continue;
    const Attr *attr = op_attr_str(op, f->attrs[i].name);
    if (!attr && !syntax->completes) continue;
    const Attr *normal = attr_normal(p, op, syntax, attr);
    if (normal != attr) op_set_attr_str(p->m, op, f->attrs[i].name, normal, false);
  }
}
