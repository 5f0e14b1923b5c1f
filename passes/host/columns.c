/* columns.c -- makes the tokens of every result from what a kernel stored.
 *
 *     the kernel:  s0 s1 s2 ... | n n n           rows of a table; what its bursts started with
 *     columns:     i  = 0 1 2 ...                 COUNTED from a literal
 *                  a  = x[i]                      LOADED
 *                  p  = a * k                     DERIVED, of LOADED and SPREAD
 *                  s' = s0 s1 s2 ... s            WHOLE
 *
 * Columns stand in an order in which operands come first (loom_kernel.h), so one pass over those of
 * a table makes all. A column is handed to the taps of all its results as soon as it is made, while
 * it is still in the innermost cache, and its room goes to another once the last column that is
 * made from it is there.
 *
 * A column that has the same token in all rows is not written at all, unless another needs it as an
 * array: its taps are told the value. A column of a loop that is its body's and one token more,
 * where only one burst ended, is the body's own array with that token put behind it.
 *
 * Cost: for a row and a column that is made, a few bytes written by wide registers.
 */
#include "host/columns.h"
#include "base/wide.h"

/* A result whose tokens stand in a column. */
typedef struct {
  u32 result, when; /* enum loom_kernel_when */
} Told;

/* What is needed during the run stands close together. */
typedef struct {
  u8 kind, bytes, of_loop;
  bool is_wanted; /* as an array */
  u32 from[3], at;
  u64 value;
  void *own;  /* where it is made; NULL: it needs no room of its own */
  void *data; /* as an array; NULL: `same` in every row */
  u64 same;
  u64 next;      /* what a burst that is not over goes on with */
  u32 filled;    /* LITERAL: so many tokens are in `own` */
  u32 told;      /* WHOLE: a result that has the tokens of from[0]; NONE */
  u32 ntold;     /* of them in the table of columns; of literals none */
  EvalBulk bulk; /* DERIVED */
  const EvalOp *eval;
} Column;

/* A table's columns, but for literals. Their results stand one behind the other in `told`, in the
 * order of the columns; behind them those told from literals, and those without data. */
typedef struct {
  u32 ncolumns, nliterals, ncontrols;
  u32 *columns;
  Told *told;
  u32 *literals; /* columns of those results */
  u32 ends;      /* loom_kernel_columns.ends */
} Table;

struct Columns {
  const loom_kernel_columns *info;
  const loom_kernel_memory *memories;
  Taps *taps;
  Column *columns;
  Table *tables;
  void *room; /* of all columns that are made */
};

/* What came, and how many tokens of each kind (enum loom_kernel_when) that is. */
typedef struct {
  Bursts bursts;
  u8 *block;
  u32 counts[LOOM_TOLD_LEFT + 1];
} Rows;

/* ---- the tokens of a column ------------------------------------------------------------------ */

/* True where all rows belong to one burst, be it over or not. */
static bool is_one_burst(const Bursts *b) {
  return b->ended == 0 || (b->ended == 1 && b->ends[0] == b->rows);
}

static void tell(Columns *c, const Told *told, const Column *column, const Rows *rows) {
  const u32 n = rows->counts[told->when];
  if (column && !column->data)
    taps_repeat(c->taps, told->result, column->same, n);
  else if (column && column->told != LOOM_KERNEL_NONE && is_one_burst(&rows->bursts))
    taps_take_after(c->taps, told->result, column->data, n, column->told, rows->bursts.rows);
  else
    taps_take(c->taps, told->result, column ? column->data : NULL, n);
}

/* ---- how columns are made -------------------------------------------------------------------- */

static u64 element_at(const void *data, size_t i, unsigned bytes) {
  return history_element(data, i, bytes);
}

static void put_element(void *data, size_t i, unsigned bytes, u64 value) {
  switch (bytes) {
  case 1: ((u8 *)data)[i] = (u8)value; break;
  case 2: ((u16 *)data)[i] = (u16)value; break;
  case 4: ((u32 *)data)[i] = (u32)value; break;
  default: ((u64 *)data)[i] = value;
  }
}

/* In place: every NaN is the one that an operation gives (spec-tests/14-arith.md). */
WIDE static void make_canonical(void *data, size_t n, unsigned bytes) {
  if (bytes == 4) {
    u32 *bits = data;
    for (size_t i = 0; i < n; i++)
      bits[i] = (bits[i] & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits[i];
  } else {
    u64 *bits = data;
    for (size_t i = 0; i < n; i++)
      bits[i] = (bits[i] << 1) > (u64)0x7ff << 53 ? (u64)0x7ff8 << 48 : bits[i];
  }
}

/* Elements of a memory. Many loops go through one from its start to its end: then they are copied,
 * a few at a time. */
#define LOAD_OF(Element, Address)                                                                  \
  typedef Address Few_##Element##_##Address                                                        \
      __attribute__((vector_size(32), aligned(1), may_alias));                                     \
  WIDE static inline bool follow_##Element##_##Address(const Address *at) {                        \
    typedef Few_##Element##_##Address Few;                                                         \
    typedef u64 Quarters __attribute__((vector_size(32)));                                         \
    enum { FEW = sizeof(Few) / sizeof(Address) };                                                  \
    const Few *const these = (const Few *)(const void *)at;                                        \
    Few ramp = {0};                                                                                \
    for (u32 k = 0; k < FEW; k++) ramp[k] = k;                                                     \
    ramp += at[0];                                                                                 \
    const Few differs = (these[0] ^ ramp) | (these[1] ^ (ramp + FEW)) |                            \
                        (these[2] ^ (ramp + 2 * FEW)) | (these[3] ^ (ramp + 3 * FEW));             \
    const Quarters any = (Quarters)differs;                                                        \
    return (any[0] | any[1] | any[2] | any[3]) == 0;                                               \
  }                                                                                                \
  WIDE static void load_##Element##_##Address(Element *to, const Element *memory,                  \
                                              const Address *at, size_t n) {                       \
    enum { MANY = 4 * 32 / sizeof(Address) };                                                      \
    size_t i = 0;                                                                                  \
    for (; i + MANY <= n; i += MANY) {                                                             \
      if (follow_##Element##_##Address(at + i))                                                    \
        memcpy(to + i, memory + at[i], MANY * sizeof(Element));                                    \
      else                                                                                         \
        for (u32 k = 0; k < MANY; k++) to[i + k] = memory[at[i + k]];                              \
    }                                                                                              \
    for (; i < n; i++) to[i] = memory[at[i]];                                                      \
  }
#define LOADS(Element) LOAD_OF(Element, u32) LOAD_OF(Element, u64)
LOADS(u8)
LOADS(u16)
LOADS(u32)
LOADS(u64)

static void load(void *to, unsigned bytes, const void *memory, const void *at, unsigned width,
                 size_t n) {
  const bool is_long = width == 8;
  switch (bytes) {
  case 1: is_long ? load_u8_u64(to, memory, at, n) : load_u8_u32(to, memory, at, n); break;
  case 2: is_long ? load_u16_u64(to, memory, at, n) : load_u16_u32(to, memory, at, n); break;
  case 4: is_long ? load_u32_u64(to, memory, at, n) : load_u32_u32(to, memory, at, n); break;
  default: is_long ? load_u64_u64(to, memory, at, n) : load_u64_u32(to, memory, at, n);
  }
}

/* n times the same value, as an array where that is wanted. */
static void make_same(Column *column, u64 value, u32 n) {
  const unsigned bytes = column->bytes;
  Bursts b = {.rows = n, .longest = n};
  column->same = value;
  column->data = NULL;
  if (!column->is_wanted) return;
  put_element(column->own, 0, bytes, value);
  bursts_spread(column->own, column->own, 0, bytes, &b);
  column->data = column->own;
}

/* A literal belongs to no table: whoever needs it sees to it that there is enough of it. */
static void make_literal(Column *column, u32 n) {
  if (column->kind != LOOM_COLUMN_LITERAL || column->filled >= n) return;
  make_same(column, column->value, n);
  column->filled = n;
}

static void make_derived(Columns *c, Column *column, u32 n) {
  const void *from[3] = {0};
  for (u32 k = 0; k < 3 && column->from[k] != LOOM_KERNEL_NONE; k++) {
    Column *operand = &c->columns[column->from[k]];
    make_literal(operand, n);
    from[k] = operand->data;
  }
  column->bulk(column->eval, column->own, from, n);
}

static void make_loaded(Columns *c, Column *column, u32 n) {
  Column *at = &c->columns[column->from[0]];
  make_literal(at, n);
  load(column->own, column->bytes, c->memories[column->value].data, at->data, at->bytes, n);
}

/* What a column that counts goes on with in a burst that is not over. */
static u64 counted_next(const Columns *c, const Column *column, const Rows *rows) {
  const Bursts *b = &rows->bursts;
  const u32 before = b->ended ? b->ends[b->ended - 1] : 0;
  u64 start = column->next;
  if (column->from[0] == LOOM_KERNEL_NONE)
    start = element_at(rows->block + column->at, b->ended, column->bytes);
  else if (b->ended || !b->goes_on)
    start = c->columns[column->from[0]].value;
  return start + column->value * (b->rows - before);
}

/* With one token more at the end of each burst, or without. */
static void make_counted(const Columns *c, const Column *column, void *to, unsigned extra,
                         const Rows *rows) {
  const bool has_starts = column->from[0] == LOOM_KERNEL_NONE;
  const u64 start = has_starts ? 0 : c->columns[column->from[0]].value;
  bursts_count(to, has_starts ? rows->block + column->at : NULL,
               rows->bursts.goes_on ? column->next : start, start, column->value, extra,
               column->bytes, &rows->bursts);
}

/* One token a burst: where all are the same, nothing has to be written. */
static void make_spread(Column *column, const Rows *rows) {
  const Bursts *b = &rows->bursts;
  const unsigned bytes = column->bytes, extra = column->kind == LOOM_COLUMN_SPREAD_WHOLE;
  const u8 *at = rows->block + column->at;
  const u32 bursts = b->ended + (b->ended == 0 || b->ends[b->ended - 1] < b->rows);
  if (memcmp(at, at + bytes, (size_t)(bursts - 1) * bytes) == 0) {
    make_same(column, element_at(at, 0, bytes), b->rows + extra * b->ended);
    return;
  }
  bursts_spread(column->own, at, extra, bytes, b);
  column->data = column->own;
}

/* Of a single burst the body's array, which has room for the token at its end. */
static void make_whole(Columns *c, Column *column, const Rows *rows) {
  const Bursts *b = &rows->bursts;
  const unsigned bytes = column->bytes;
  Column *body = &c->columns[column->from[0]];
  const bool is_counted = body->kind == LOOM_COLUMN_COUNTED;
  const u8 *at = rows->block + column->at;
  column->data = is_one_burst(b) ? body->data : column->own;
  if (!is_one_burst(b) && is_counted)
    make_counted(c, body, column->own, 1, rows);
  else if (!is_one_burst(b))
    bursts_whole(column->own, body->data, at, bytes, b);
  else if (b->ended && !is_counted)
    memcpy((u8 *)body->data + (size_t)b->rows * bytes, at, bytes);
}

/* Makes a column as far as it is told or another needs it. `n`: its tokens. */
static void make(Columns *c, Column *column, const Rows *rows, u32 n) {
  column->data = column->own;
  switch ((enum loom_kernel_column_kind)column->kind) {
  case LOOM_COLUMN_LOOSE:
    make_canonical(rows->block + column->at, n, column->bytes); /* fall through */
  case LOOM_COLUMN_STORED: column->data = rows->block + column->at; break;
  case LOOM_COLUMN_LITERAL: break;
  case LOOM_COLUMN_DERIVED: make_derived(c, column, n); break;
  case LOOM_COLUMN_LOADED: make_loaded(c, column, n); break;
  case LOOM_COLUMN_COUNTED: /* of one burst, its end too */
    make_counted(c, column, column->own, is_one_burst(&rows->bursts), rows);
    break;
  case LOOM_COLUMN_SPREAD:
  case LOOM_COLUMN_SPREAD_WHOLE: make_spread(column, rows); break;
  case LOOM_COLUMN_WHOLE: make_whole(c, column, rows); break;
  case LOOM_COLUMN_MORE: bursts_more(column->own, &rows->bursts); break;
  case LOOM_COLUMN_AGAIN: bursts_again(column->own, &rows->bursts); break;
  }
}

/* The first burst that comes may be the last one that came. */
static void keep_start(Columns *c, Column *column, const Rows *rows) {
  const u32 ended = rows->bursts.ended;
  if (column->kind == LOOM_COLUMN_COUNTED)
    column->next = counted_next(c, column, rows);
  else if (column->kind == LOOM_COLUMN_SPREAD || column->kind == LOOM_COLUMN_SPREAD_WHOLE)
    column->next = element_at(rows->block + column->at, ended, column->bytes);
  else
    return;
  if (column->at != LOOM_KERNEL_NONE)
    put_element(rows->block + column->at, 0, column->bytes, column->next);
}

void columns_take(Columns *c, u32 table, void *block, u32 n, u32 ended, bool goes_on) {
  const Table *t = &c->tables[table];
  const Told *told = t->told;
  if (t->ends == LOOM_KERNEL_NONE) ended = 0; /* it is no loop's */
  Rows rows = {.bursts = {.rows = n, .ended = ended, .goes_on = goes_on, .longest = n},
               .block = block,
               .counts = {[LOOM_TOLD_ROWS] = n, [LOOM_TOLD_ALL] = n + ended}};
  if (t->ends != LOOM_KERNEL_NONE) {
    rows.bursts.ends = (const u32 *)(void *)(rows.block + t->ends);
    bursts_measure(&rows.bursts);
    rows.counts[LOOM_TOLD_AGAIN] = rows.bursts.again;
    rows.counts[LOOM_TOLD_LEFT] = rows.bursts.left;
    rows.counts[LOOM_TOLD_ENTERED] = rows.bursts.again - rows.bursts.left;
  }
  for (u32 i = 0; i < t->ncolumns; i++) {
    Column *column = &c->columns[t->columns[i]];
    make(c, column, &rows, column->of_loop ? n + ended : n);
    for (u32 k = 0; k < column->ntold; k++) tell(c, told++, column, &rows);
  }
  for (u32 i = 0; i < t->nliterals; i++) {
    Column *column = &c->columns[t->literals[i]];
    if (column->is_wanted) make_literal(column, n + ended);
    tell(c, told++, column, &rows);
  }
  for (u32 i = 0; i < t->ncontrols; i++) tell(c, told++, NULL, &rows);
  for (u32 i = 0; i < t->ncolumns && t->ends != LOOM_KERNEL_NONE; i++)
    keep_start(c, &c->columns[t->columns[i]], &rows);
}

/* ---- before the run -------------------------------------------------------------------------- */

static void copy_columns(Columns *c, const Dfg *dfg) {
  for (u32 i = 0; i < c->info->column_count; i++) {
    const loom_kernel_column *from = &c->info->columns[i];
    Column *column = &c->columns[i];
    *column = (Column){.kind = (u8)from->kind,
                       .bytes = (u8)from->bytes,
                       .of_loop = from->of_loop != 0,
                       .from = {from->from[0], from->from[1], from->from[2]},
                       .at = from->at,
                       .value = from->value,
                       .same = from->value,
                       .told = LOOM_KERNEL_NONE};
    for (u32 k = 0; k < 3 && from->kind != LOOM_COLUMN_COUNTED; k++)
      if (from->from[k] != LOOM_KERNEL_NONE) c->columns[from->from[k]].is_wanted = true;
    if (from->kind != LOOM_COLUMN_DERIVED) continue;
    const DfgNode *node = &dfg->nodes[dfg->results[from->result].node];
    column->eval = &dfg->evals[node->eval];
    column->bulk = eval_bulk((OpKind)node->kind, column->eval, node->predicate);
  }
}

/* Lists of results in `next`, in order of their ids: of a column; of a table, those from literals;
 * and those without data. `first` has room for all these lists, in this order. */
typedef struct {
  u32 *first, *next, nlists;
} Lists;

static Lists list_results(Columns *c, Arena *arena, const uint32_t *same, u32 nresults) {
  const u32 ncolumns = c->info->column_count, ntables = c->info->table_count;
  Lists lists = {.nlists = ncolumns + 2 * ntables};
  lists.first = NEW_ARRAY(arena, u32, lists.nlists);
  lists.next = NEW_ARRAY(arena, u32, nresults);
  for (u32 i = 0; i < lists.nlists; i++) lists.first[i] = DFG_NONE;
  for (u32 r = nresults; r-- > 0;) {
    const loom_kernel_told *told = &c->info->told[r];
    u32 list = told->column;
    if (told->when == LOOM_TOLD_NEVER || (same && same[r] != r)) continue;
    if (list == LOOM_KERNEL_NONE)
      list = ncolumns + ntables + told->table;
    else if (c->columns[list].kind == LOOM_COLUMN_LITERAL)
      list = ncolumns + told->table;
    lists.next[r] = lists.first[list];
    lists.first[list] = r;
    if (told->column != LOOM_KERNEL_NONE && taps_wants_array(c->taps, r))
      c->columns[told->column].is_wanted = true;
  }
  return lists;
}

static u32 copy_list(const Columns *c, const Lists *lists, u32 list, Told **to) {
  u32 n = 0;
  for (u32 r = lists->first[list]; r != DFG_NONE; r = lists->next[r], n++)
    *(*to)++ = (Told){r, c->info->told[r].when};
  return n;
}

/* Where a loop's column is its body's and one token more, for whom the latter is told. */
static void find_beginnings(Columns *c, const Lists *lists) {
  for (u32 i = 0; i < c->info->column_count; i++) {
    Column *column = &c->columns[i];
    if (column->kind != LOOM_COLUMN_WHOLE) continue;
    const u32 r = lists->first[column->from[0]];
    if (r != DFG_NONE && c->info->told[r].when == LOOM_TOLD_ROWS) column->told = r;
  }
}

static void make_tables(Columns *c, Arena *arena, const Lists *lists, u32 nresults) {
  const u32 ncolumns = c->info->column_count, ntables = c->info->table_count;
  u32 *columns = NEW_ARRAY(arena, u32, ncolumns), *literals = NEW_ARRAY(arena, u32, nresults);
  Told *told = NEW_ARRAY(arena, Told, nresults);
  u32 *first = NEW_ARRAY(arena, u32, ntables + 1);
  for (u32 i = 0; i < ncolumns; i++)
    if (c->columns[i].kind != LOOM_COLUMN_LITERAL) first[c->info->columns[i].table + 1]++;
  for (u32 t = 0; t < ntables; t++) {
    first[t + 1] += first[t];
    c->tables[t].columns = columns + first[t];
    c->tables[t].ends = c->info->ends[t];
  }
  for (u32 i = 0; i < ncolumns; i++) {
    if (c->columns[i].kind == LOOM_COLUMN_LITERAL) continue;
    Table *t = &c->tables[c->info->columns[i].table];
    t->columns[t->ncolumns++] = i;
  }
  for (u32 i = 0; i < ntables; i++) {
    Table *t = &c->tables[i];
    t->told = told;
    for (u32 k = 0; k < t->ncolumns; k++)
      c->columns[t->columns[k]].ntold = copy_list(c, lists, t->columns[k], &told);
    t->literals = literals;
    for (u32 r = lists->first[ncolumns + i]; r != DFG_NONE; r = lists->next[r])
      *literals++ = c->info->told[r].column;
    t->nliterals = copy_list(c, lists, ncolumns + i, &told);
    t->ncontrols = copy_list(c, lists, ncolumns + ntables + i, &told);
  }
}

/* Room that one column has after another. */
typedef struct {
  unsigned bytes;
  size_t offset;
  u32 until; /* the column that needs it last */
} Slot;
enum { MOST_SEARCHED = 32 };

static size_t room_of(const Columns *c, unsigned bytes) {
  return ((size_t)c->info->rows + c->info->bursts + BURSTS_SLACK) * bytes;
}

/* Until when the columns of a table are needed: by column, the last one that is made from it. Where
 * a loop's column may be its body's array, that is needed as long; parts of an access are until the
 * end. */
static void find_ends(const Columns *c, const Table *t, const Lists *lists, u32 *until) {
  for (u32 i = t->ncolumns; i-- > 0;) {
    const u32 id = t->columns[i];
    const Column *column = &c->columns[id];
    if (until[id] < id) until[id] = id;
    for (u32 r = lists->first[id]; r != DFG_NONE; r = lists->next[r])
      if (taps_wants_array(c->taps, r)) until[id] = DFG_NONE;
    for (u32 k = 0; k < 3; k++) {
      const u32 from = column->from[k];
      const u32 end = column->kind == LOOM_COLUMN_WHOLE ? until[id] : id;
      if (from != LOOM_KERNEL_NONE && until[from] < end) until[from] = end;
    }
  }
}

static bool is_made(const Column *column) {
  return column->kind > LOOM_COLUMN_LITERAL;
}

/* Gives the columns of a table their room, as offsets in `own`; how much that is in all. */
static size_t share_room(Columns *c, const Table *t, const u32 *until, Slot *slots,
                         size_t *offsets) {
  u32 nslots = 0;
  size_t size = 0;
  for (u32 i = 0; i < t->ncolumns; i++) {
    const u32 id = t->columns[i];
    const unsigned bytes = c->columns[id].bytes;
    u32 s = nslots > MOST_SEARCHED ? nslots - MOST_SEARCHED : 0;
    if (!is_made(&c->columns[id])) continue;
    while (s < nslots && (slots[s].bytes != bytes || slots[s].until >= id)) s++;
    if (s == nslots) {
      slots[nslots++] = (Slot){.bytes = bytes, .offset = size};
      size += room_of(c, bytes);
    }
    slots[s].until = until[id];
    offsets[id] = slots[s].offset;
  }
  return size;
}

static void make_room(Columns *c, Arena *arena, const Lists *lists) {
  const u32 n = c->info->column_count;
  u32 *until = NEW_ARRAY(arena, u32, n);
  Slot *slots = NEW_ARRAY(arena, Slot, n);
  size_t *offsets = NEW_ARRAY(arena, size_t, n), most = 0;
  for (u32 t = 0; t < c->info->table_count; t++) {
    find_ends(c, &c->tables[t], lists, until);
    size_t size = share_room(c, &c->tables[t], until, slots, offsets);
    if (size > most) most = size;
  }
  for (u32 i = 0; i < n; i++) { /* literals stay where they are */
    if (c->columns[i].kind != LOOM_COLUMN_LITERAL || !c->columns[i].is_wanted) continue;
    offsets[i] = most;
    most += room_of(c, c->columns[i].bytes);
  }
  enum { ALIGNMENT = 64 };
  c->room = mem_realloc(NULL, most + ALIGNMENT); /* need not be zero */
  u8 *room = (u8 *)c->room + (ALIGNMENT - (uintptr_t)c->room % ALIGNMENT);
  for (u32 i = 0; i < n; i++)
    if (is_made(&c->columns[i]) || c->columns[i].is_wanted) c->columns[i].own = room + offsets[i];
}

Columns *columns_open(Arena *arena, const Dfg *dfg, const loom_kernel_info *info,
                      const loom_kernel_memory *memories, Taps *taps) {
  Columns *c = NEW(arena, Columns);
  *c = (Columns){.info = info->columns, .memories = memories, .taps = taps};
  c->columns = NEW_ARRAY(arena, Column, c->info->column_count);
  c->tables = NEW_ARRAY(arena, Table, c->info->table_count);
  copy_columns(c, dfg);
  Lists lists = list_results(c, arena, info->same, dfg->nresults);
  find_beginnings(c, &lists);
  make_tables(c, arena, &lists, dfg->nresults);
  make_room(c, arena, &lists);
  return c;
}

void columns_close(Columns *c) {
  if (c) mem_free(c->room);
}
