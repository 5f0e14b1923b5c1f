/* floorplan.c -- where the components of a fabric are drawn, and how its channels run between them.
 *
 * Each component has an approximate place: given with the fabric, or computed from its wires
 * (loom.drawing/1). This makes a plan of that in which nothing overlaps and every channel can be
 * followed by eye, by channel routing as for standard cells:
 *
 *        column 0       1        2       cells are in rows and columns; a cell has one component,
 *      .------.      .------. .------.   or several, one above the other
 *      | sw   |==.   | pe   | | sw   |
 *      '------'  |   '------' '------'   between columns there are vertical channels, between
 *         ||     '------.                rows horizontal ones; a wire runs on tracks of these,
 *      .------.      .--'---.            and has each track to itself as far as it goes: wires
 *      | mem  |      | sw   |            cross, but no two run on top of one another
 *
 * 1. Rows and columns: coordinates that are nearly equal are one line. In computed drawings no two
 *    are equal: there coordinates of a line may differ by the usual distance of neighbours. Lines
 *    without PEs and switches, at the rim, have many small components: these are spread along the
 *    line, and a column that still has many in a cell is split into several.
 * 2. Sides: each end of a wire leaves its box towards the other end, on the left or right, or, if
 *    the box is alone in its cell, at the top or bottom.
 * 3. Slots: the places of ends along a side. A wire between boxes that face each other across a gap
 *    gets the same slot on both, and is straight; of the other ends across a gap one side gets even
 *    slots and the other odd ones, so that no two ends meet in the gap.
 * 4. Tracks: a wire that is not straight has one to three pieces, each on a track. In a channel
 *    pieces take tracks in the order of their starts, each the first track that is free from there
 *    on (left-edge algorithm, Hashimoto and Stevens 1971). Ranges are compared by rows and columns,
 *    since coordinates are known only when all tracks are counted.
 *
 * Each wire has its own ends, even if several start at one output. Cost: sorting; for each
 * piece a scan of the tracks of its channel; and, for computed drawings, all pairs of PEs and
 * switches.
 */
#include "floorplan.h"

#include <stdlib.h>
#include <string.h>

enum { PITCH = 8, MARGIN = 24, NO_CELL = -1 };
enum { LEFT, RIGHT, TOP, BOTTOM, SIDES };

typedef struct {
  int x, y;                   /* as drawn */
  int row, column;            /* the cell */
  int wide, high;             /* in slots */
  int at_x, at_y;             /* first slot in its column, its row */
  int next;                   /* the next one down in the same cell; -1: none */
  int alone;                  /* in its cell */
  int ends[SIDES];            /* how many wires */
  int straight[SIDES];        /* how many of them face their other end */
  unsigned char *used[SIDES]; /* slots that are taken */
} Box;

/* One end of a wire. */
typedef struct {
  uint32_t box;
  int side;
  int slot;      /* in the row for LEFT and RIGHT, in the column for the others; -1: none yet */
  int low, high; /* the channels that it can reach, through empty cells */
} End;

/* A piece of wire on a track. */
typedef struct {
  int channel;   /* vertical: which column it is left of; horizontal: which row it is above */
  long from, to; /* slot_key or channel_key */
  int track;
} Piece;

typedef struct {
  uint32_t from, to; /* ports */
  End ends[2];
  int straight;
  int npieces; /* 2: vertical and horizontal; 3: two of one kind, the other one between */
  int vertical[2], horizontal[2]; /* channels; -1: none */
  Piece *pieces[3];
} Wire;

typedef struct {
  const loom_host *host;
  uint32_t n, nwires;
  Box *boxes;
  Wire *wires;
  int rows, columns;
  int *cell;                  /* rows x columns: the first box, or NO_CELL */
  int *row_slots, *col_slots; /* how high, how wide */
  int *row_at, *col_at;       /* points */
  int *v_tracks, *h_tracks;   /* by channel */
  Piece *pieces;
  uint32_t npieces;
} Plan;

/* ---- rows and columns ------------------------------------------------------------------------ */

static int by_number(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}

/* Half the median distance between neighbouring lines of large components. */
static int tolerance(const int *sorted, uint32_t n) {
  int gaps[64], ngaps = 0;
  for (uint32_t i = 1; i < n && ngaps < 64; i++)
    if (sorted[i] - sorted[i - 1] > 3) gaps[ngaps++] = sorted[i] - sorted[i - 1];
  if (!ngaps) return 4;
  qsort(gaps, (size_t)ngaps, sizeof *gaps, by_number);
  return gaps[ngaps / 2] / 2;
}

/* The median distance of a large component from the nearest other one. */
static int spacing(const Plan *p, const unsigned char *large, int *nearest) {
  uint32_t m = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    int best = -1;
    for (uint32_t k = 0; large[i] && k < p->n; k++) {
      int dx = abs(p->boxes[i].x - p->boxes[k].x), dy = abs(p->boxes[i].y - p->boxes[k].y);
      int away = dx > dy ? dx : dy;
      if (k != i && large[k] && (best < 0 || away < best)) best = away;
    }
    if (best >= 0) nearest[m++] = best;
  }
  qsort(nearest, m, sizeof *nearest, by_number);
  return m ? nearest[m / 2] : 0;
}

/* Lines through coordinates: first those of large components, then those of others that are far
 * from all of these lines, or outside of them. `reach`: how far apart coordinates of one line may
 * be; 0: chosen by `tolerance`. Returns how many lines there are; they are sorted. */
static int find_lines(const int *at, const unsigned char *large, uint32_t n, int reach, int *lines,
                      int *sorted) {
  int nlines = 0, first = 0;
  uint32_t i, m = 0;
  for (i = 0; i < n; i++)
    if (large[i]) sorted[m++] = at[i];
  qsort(sorted, m, sizeof *sorted, by_number);
  if (!reach) reach = tolerance(sorted, m);
  for (int pass = 0; pass < 2; pass++) {
    int known = nlines;
    for (i = 0, m = 0; i < n; i++) {
      int near = 0;
      if (large[i] != (pass == 0)) continue;
      for (int k = 0; k < known && !near; k++)
        near = abs(at[i] - lines[k]) <= reach &&
               ((at[i] >= lines[0] && at[i] <= lines[known - 1]) || abs(at[i] - lines[k]) < 4);
      if (!near) sorted[m++] = at[i];
    }
    qsort(sorted, m, sizeof *sorted, by_number);
    for (i = 0; i < m; i++) {
      if (nlines == known || sorted[i] - first > reach) first = sorted[i], nlines++;
      lines[nlines - 1] = (first + sorted[i]) / 2;
    }
    qsort(lines, (size_t)nlines, sizeof *lines, by_number);
  }
  return nlines ? nlines : (lines[0] = 0, 1);
}

static int nearest_line(const int *lines, int n, int at) {
  int best = 0;
  for (int k = 1; k < n; k++)
    if (abs(lines[k] - at) < abs(lines[best] - at)) best = k;
  return best;
}

static void find_cells(Plan *p, const unsigned char *large, int is_given) {
  int *at = backend_alloc(p->host, p->n, sizeof *at),
      *lines = backend_alloc(p->host, p->n, sizeof *lines);
  int *sorted = backend_alloc(p->host, p->n, sizeof *sorted), reach;
  for (uint32_t i = 0; i < p->n; i++) at[i] = p->boxes[i].y;
  reach = is_given ? 0 : spacing(p, large, sorted);
  p->rows = find_lines(at, large, p->n, reach, lines, sorted);
  for (uint32_t i = 0; i < p->n; i++) p->boxes[i].row = nearest_line(lines, p->rows, at[i]);
  for (uint32_t i = 0; i < p->n; i++) at[i] = p->boxes[i].x;
  p->columns = find_lines(at, large, p->n, reach, lines, sorted);
  for (uint32_t i = 0; i < p->n; i++) p->boxes[i].column = nearest_line(lines, p->columns, at[i]);
}

/* ---- the rim --------------------------------------------------------------------------------- */

/* Which rows, or columns, have a large component. */
static unsigned char *lines_with_large(const Plan *p, const unsigned char *large, int columns) {
  unsigned char *has =
      backend_alloc(p->host, (size_t)(columns ? p->columns : p->rows), sizeof *has);
  for (uint32_t i = 0; i < p->n; i++)
    if (large[i]) has[columns ? p->boxes[i].column : p->boxes[i].row] = 1;
  return has;
}

/* The box of a cell that is furthest in a direction. */
static int furthest(const Plan *p, int row, int column, int columns, int direction) {
  int best = -1;
  for (uint32_t i = 0; i < p->n; i++) {
    const Box *b = &p->boxes[i];
    long at = columns ? b->y : b->x, most;
    if (b->row != row || b->column != column) continue;
    most = best < 0 ? 0 : columns ? p->boxes[best].y : p->boxes[best].x;
    if (best < 0 || (direction > 0 ? at > most : at < most)) best = (int)i;
  }
  return best;
}

/* Spreads the boxes of a line along it: a cell gives one to a neighbour that has two fewer. */
static void spread_line(Plan *p, int line, int columns) {
  int n = columns ? p->rows : p->columns, k, moved = 1;
  int *count = backend_alloc(p->host, (size_t)n, sizeof *count);
  for (uint32_t i = 0; i < p->n; i++)
    if ((columns ? p->boxes[i].column : p->boxes[i].row) == line)
      count[columns ? p->boxes[i].row : p->boxes[i].column]++;
  for (int round = 0; moved && round < 4 * n; round++)
    for (k = 0, moved = 0; k < 2 * n; k++) {
      int at = k / 2, to = k & 1 ? at + 1 : at - 1, which;
      if (to < 0 || to >= n || count[at] < count[to] + 2) continue;
      which = columns ? furthest(p, at, line, 1, to - at) : furthest(p, line, at, 0, to - at);
      if (columns)
        p->boxes[which].row = to;
      else
        p->boxes[which].column = to;
      count[at]--, count[to]++, moved = 1;
    }
}

static int by_x(const void *x, const void *y) {
  const Box *a = *(Box *const *)x, *b = *(Box *const *)y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Splits a column into several, so that none of its cells has more than a few boxes. */
static void split_column(Plan *p, int column) {
  enum { MAX_IN_CELL = 3 };
  Box **in = backend_alloc(p->host, p->n, sizeof *in);
  uint32_t n = 0, first = 0;
  int most_in_cell = 0, parts;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->boxes[i].column == column) in[n++] = &p->boxes[i];
  qsort(in, n, sizeof *in, by_x);
  for (uint32_t i = 0; i < n; i++) {
    if (in[i]->row != in[first]->row) first = i;
    if ((int)(i - first) + 1 > most_in_cell) most_in_cell = (int)(i - first) + 1;
  }
  parts = (most_in_cell + MAX_IN_CELL - 1) / MAX_IN_CELL;
  if (parts < 2) return;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->boxes[i].column > column) p->boxes[i].column += parts - 1;
  for (uint32_t i = 0; i < n;) {
    uint32_t end = i;
    while (end < n && in[end]->row == in[i]->row) end++;
    for (uint32_t k = i; k < end; k++)
      in[k]->column = column + (int)((k - i) * (uint32_t)parts /
                                     (end - i > (uint32_t)parts ? end - i : (uint32_t)parts));
    i = end;
  }
  p->columns += parts - 1;
}

static void arrange_rim(Plan *p, const unsigned char *large) {
  unsigned char *has_row = lines_with_large(p, large, 0),
                *has_column = lines_with_large(p, large, 1);
  int any = 0;
  for (int k = 0; k < p->rows; k++) any |= has_row[k];
  if (!any) return;
  for (int k = 0; k < p->rows; k++)
    if (!has_row[k]) spread_line(p, k, 0);
  for (int k = 0; k < p->columns; k++)
    if (!has_column[k]) spread_line(p, k, 1);
  for (int k = p->columns; k-- > 0;)
    if (!has_column[k]) split_column(p, k);
}

/* Lists the boxes of each cell, sorted by their places, from the top. */
static void fill_cells(Plan *p) {
  int cells = p->rows * p->columns;
  p->cell = backend_alloc(p->host, (size_t)cells, sizeof *p->cell);
  for (int k = 0; k < cells; k++) p->cell[k] = NO_CELL;
  for (uint32_t i = 0; i < p->n; i++) {
    Box *b = &p->boxes[i];
    int *link = &p->cell[b->row * p->columns + b->column];
    while (*link >= 0 &&
           (p->boxes[*link].y < b->y || (p->boxes[*link].y == b->y && p->boxes[*link].x <= b->x)))
      link = &p->boxes[*link].next;
    b->next = *link;
    *link = (int)i;
  }
  for (int k = 0; k < cells; k++)
    if (p->cell[k] >= 0 && p->boxes[p->cell[k]].next < 0) p->boxes[p->cell[k]].alone = 1;
}

static int is_empty(const Plan *p, int row, int column) {
  return p->cell[row * p->columns + column] < 0;
}

/* ---- sides ----------------------------------------------------------------------------------- */

static void choose_side(const Plan *p, End *end, const Box *other, int is_output) {
  const Box *b = &p->boxes[end->box];
  int dx = other->column - b->column, dy = other->row - b->row;
  if (b->alone && abs(dy) > abs(dx))
    end->side = dy > 0 ? BOTTOM : TOP;
  else if (dx)
    end->side = dx > 0 ? RIGHT : LEFT;
  else
    end->side = is_output ? RIGHT : LEFT;
}

/* The channels that an end can reach: the next one and, through empty cells, further ones. */
static void find_reach(const Plan *p, End *end) {
  const Box *b = &p->boxes[end->box];
  int at;
  switch (end->side) {
  case LEFT:
    for (at = b->column; at > 0 && is_empty(p, b->row, at - 1); at--) {
    }
    end->low = at, end->high = b->column;
    break;
  case RIGHT:
    for (at = b->column + 1; at < p->columns && is_empty(p, b->row, at); at++) {
    }
    end->low = b->column + 1, end->high = at;
    break;
  case TOP:
    for (at = b->row; at > 0 && is_empty(p, at - 1, b->column); at--) {
    }
    end->low = at, end->high = b->row;
    break;
  default:
    for (at = b->row + 1; at < p->rows && is_empty(p, at, b->column); at++) {
    }
    end->low = b->row + 1, end->high = at;
  }
}

/* Do two ends face each other across the same gap? */
static int is_facing(const Plan *p, const End *a, const End *b) {
  const Box *x = &p->boxes[a->box], *y = &p->boxes[b->box];
  if ((a->side ^ 1) != b->side || a->low != b->low || a->high != b->high) return 0;
  return a->side < TOP ? x->row == y->row : x->column == y->column;
}

static void find_ends(Plan *p) {
  for (uint32_t w = 0; w < p->nwires; w++) {
    Wire *wire = &p->wires[w];
    for (int e = 0; e < 2; e++) {
      End *end = &wire->ends[e];
      choose_side(p, end, &p->boxes[wire->ends[!e].box], e == 0);
      find_reach(p, end);
      end->slot = -1;
      p->boxes[end->box].ends[end->side]++;
    }
    if (!is_facing(p, &wire->ends[0], &wire->ends[1])) continue;
    for (int e = 0; e < 2; e++)
      if (p->boxes[wire->ends[0].box].alone && p->boxes[wire->ends[1].box].alone)
        p->boxes[wire->ends[e].box].straight[wire->ends[e].side]++;
  }
}

/* Does a box across the gap have ends on the facing side that are not straight? */
static int has_opposite(const Plan *p, const Box *b, int side) {
  int row = b->row, column = b->column, k;
  do {
    row += side == BOTTOM ? 1 : side == TOP ? -1 : 0;
    column += side == RIGHT ? 1 : side == LEFT ? -1 : 0;
    if (row < 0 || column < 0 || row >= p->rows || column >= p->columns) return 0;
    k = p->cell[row * p->columns + column];
  } while (k < 0);
  for (; k >= 0; k = p->boxes[k].next)
    if (p->boxes[k].ends[side ^ 1] > p->boxes[k].straight[side ^ 1]) return 1;
  return 0;
}

/* ---- sizes and slots ------------------------------------------------------------------------- */

static int max(int a, int b) {
  return a > b ? a : b;
}

/* Slots that a side needs. */
static int side_needs(const Plan *p, const Box *b, int side) {
  int others = b->ends[side] - b->straight[side];
  return b->straight[side] + (has_opposite(p, b, side) ? 2 * others + (others > 0) : others);
}

/* Boxes grow with their wires; rows and columns with their boxes, which are centred in them. */
static void find_sizes(Plan *p) {
  p->row_slots = backend_alloc(p->host, (size_t)p->rows, sizeof(int));
  p->col_slots = backend_alloc(p->host, (size_t)p->columns, sizeof(int));
  for (uint32_t i = 0; i < p->n; i++) {
    Box *b = &p->boxes[i];
    b->high = max(b->high, max(side_needs(p, b, LEFT), side_needs(p, b, RIGHT)));
    b->wide = max(b->wide, max(side_needs(p, b, TOP), side_needs(p, b, BOTTOM)));
  }
  for (int r = 0; r < p->rows; r++)
    for (int c = 0; c < p->columns; c++) {
      int high = 0, k;
      for (k = p->cell[r * p->columns + c]; k >= 0; k = p->boxes[k].next) {
        high += p->boxes[k].high + 1;
        p->col_slots[c] = max(p->col_slots[c], p->boxes[k].wide);
      }
      p->row_slots[r] = max(p->row_slots[r], high - 1);
    }
  for (int r = 0; r < p->rows; r++)
    for (int c = 0; c < p->columns; c++) {
      int high = -1, k;
      for (k = p->cell[r * p->columns + c]; k >= 0; k = p->boxes[k].next)
        high += p->boxes[k].high + 1;
      high = (p->row_slots[r] - high) / 2;
      for (k = p->cell[r * p->columns + c]; k >= 0; k = p->boxes[k].next) {
        Box *b = &p->boxes[k];
        b->at_y = high;
        b->at_x = (p->col_slots[c] - b->wide) / 2;
        high += b->high + 1;
      }
    }
  for (uint32_t i = 0; i < p->n; i++) {
    Box *b = &p->boxes[i];
    for (int side = 0; side < SIDES; side++)
      b->used[side] = backend_alloc(p->host, (size_t)(side < TOP ? b->high : b->wide) + 1, 1);
  }
}

/* The slots of a side: the first, and how many. */
static void side_slots(const Box *b, int side, int *first, int *count) {
  *first = side < TOP ? b->at_y : b->at_x;
  *count = side < TOP ? b->high : b->wide;
}

/* Gives both ends of a wire the slot nearest to the middle of the boxes' overlap that is free on
 * both. */
static void make_straight(Plan *p, Wire *w) {
  End *a = &w->ends[0], *b = &w->ends[1];
  Box *x = &p->boxes[a->box], *y = &p->boxes[b->box];
  int fx, nx, fy, ny, low, high, best = -1;
  if (!is_facing(p, a, b)) return;
  side_slots(x, a->side, &fx, &nx);
  side_slots(y, b->side, &fy, &ny);
  low = max(fx, fy);
  high = fx + nx < fy + ny ? fx + nx : fy + ny;
  for (int k = low; k < high; k++)
    if (!x->used[a->side][k - fx] && !y->used[b->side][k - fy] &&
        (best < 0 || abs(2 * k - low - high + 1) < abs(2 * best - low - high + 1)))
      best = k;
  if (best < 0) return;
  x->used[a->side][best - fx] = y->used[b->side][best - fy] = 1;
  a->slot = b->slot = best;
  w->straight = 1;
}

/* If there are ends opposite, those at the right and bottom get even slots, those at the left and
 * top odd ones. */
static void take_slot(Plan *p, End *end, int wanted) {
  Box *b = &p->boxes[end->box];
  int first, count, best = -1, parity = end->side == LEFT || end->side == TOP;
  int any = !has_opposite(p, b, end->side);
  if (end->slot >= 0) return;
  side_slots(b, end->side, &first, &count);
  for (int k = 0; k < count; k++)
    if (!b->used[end->side][k] && (any || ((first + k) & 1) == parity) &&
        (best < 0 || abs(first + k - wanted) < abs(first + best - wanted)))
      best = k;
  if (best < 0) best = 0; /* cannot be: see side_needs */
  b->used[end->side][best] = 1;
  end->slot = first + best;
}

/* The best slot for an end: towards the other one. */
static int wanted_slot(const Plan *p, const End *end, const End *other) {
  const Box *b = &p->boxes[end->box], *o = &p->boxes[other->box];
  int first, count, toward;
  side_slots(b, end->side, &first, &count);
  toward = end->side < TOP ? o->row - b->row : o->column - b->column;
  return toward < 0 ? first : toward > 0 ? first + count - 1 : first + count / 2;
}

static void find_slots(Plan *p) {
  for (uint32_t w = 0; w < p->nwires; w++) make_straight(p, &p->wires[w]);
  for (uint32_t w = 0; w < p->nwires; w++)
    for (int e = 0; e < 2; e++)
      take_slot(p, &p->wires[w].ends[e],
                wanted_slot(p, &p->wires[w].ends[e], &p->wires[w].ends[!e]));
}

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Places along a vertical track, in order: slots of rows, and the channels between them, of which
 * each is one place. Along a horizontal one likewise by columns. */
static long slot_key(int line, int slot) {
  return (2L * line + 1) * 4096 + slot;
}
static long channel_key(int channel) {
  return 2L * channel * 4096;
}

static Piece *new_piece(Plan *p, int channel, long a, long b) {
  Piece *piece = &p->pieces[p->npieces++];
  piece->channel = channel;
  piece->from = a < b ? a : b;
  piece->to = a < b ? b : a;
  return piece;
}

static int clamp(int at, int low, int high) {
  return at < low ? low : at > high ? high : at;
}

static int line_of(const Plan *p, const End *end) {
  return end->side < TOP ? p->boxes[end->box].row : p->boxes[end->box].column;
}

/* Both ends on vertical channels (or, with the roles changed, both on horizontal ones). */
static void route_same(Plan *p, Wire *w) {
  End *a = &w->ends[0], *b = &w->ends[1];
  long ka = slot_key(line_of(p, a), a->slot), kb = slot_key(line_of(p, b), b->slot);
  int is_horizontal = a->side >= TOP;
  int *own = is_horizontal ? w->horizontal : w->vertical;
  int *across = is_horizontal ? w->vertical : w->horizontal;
  if (a->low <= b->high && b->low <= a->high) {
    int low = max(a->low, b->low), high = a->high < b->high ? a->high : b->high;
    own[0] = (low + high) / 2;
    w->npieces = 1;
    w->pieces[0] = new_piece(p, own[0] * 2 + is_horizontal, ka, kb);
    return;
  }
  own[0] = clamp(b->low, a->low, a->high);
  own[1] = clamp(own[0], b->low, b->high);
  /* the channel between the two lines, beside the target's */
  across[0] = line_of(p, a) < line_of(p, b) ? line_of(p, b)
              : line_of(p, a) > line_of(p, b)
                  ? line_of(p, b) + 1
                  : line_of(p, a) + ((a->slot + b->slot) / 2 * 2 >=
                                     (is_horizontal ? p->col_slots : p->row_slots)[line_of(p, a)]);
  w->npieces = 3;
  w->pieces[0] = new_piece(p, own[0] * 2 + is_horizontal, ka, channel_key(across[0]));
  w->pieces[1] =
      new_piece(p, across[0] * 2 + !is_horizontal, channel_key(own[0]), channel_key(own[1]));
  w->pieces[2] = new_piece(p, own[1] * 2 + is_horizontal, channel_key(across[0]), kb);
}

/* One end on a vertical channel, the other on a horizontal one. */
static void route_corner(Plan *p, Wire *w) {
  End *v = &w->ends[w->ends[0].side >= TOP], *h = &w->ends[w->ends[0].side < TOP];
  const Box *bv = &p->boxes[v->box], *bh = &p->boxes[h->box];
  w->vertical[0] = clamp(bh->column, v->low, v->high);
  w->horizontal[0] = clamp(bv->row, h->low, h->high);
  w->npieces = 2;
  w->pieces[0] =
      new_piece(p, w->vertical[0] * 2, slot_key(bv->row, v->slot), channel_key(w->horizontal[0]));
  w->pieces[1] = new_piece(p, w->horizontal[0] * 2 + 1, channel_key(w->vertical[0]),
                           slot_key(bh->column, h->slot));
}

static int by_channel(const void *x, const void *y) {
  const Piece *a = *(Piece *const *)x, *b = *(Piece *const *)y;
  if (a->channel != b->channel) return a->channel < b->channel ? -1 : 1;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* The left-edge algorithm, channel by channel. */
static void find_tracks(Plan *p) {
  Piece **sorted = backend_alloc(p->host, p->npieces, sizeof *sorted);
  long *ends = backend_alloc(p->host, p->npieces + 1, sizeof *ends);
  uint32_t k, ntracks = 0;
  p->v_tracks = backend_alloc(p->host, (size_t)p->columns + 1, sizeof(int));
  p->h_tracks = backend_alloc(p->host, (size_t)p->rows + 1, sizeof(int));
  for (uint32_t i = 0; i < p->npieces; i++) sorted[i] = &p->pieces[i];
  qsort(sorted, p->npieces, sizeof *sorted, by_channel);
  for (uint32_t i = 0; i < p->npieces; i++) {
    Piece *piece = sorted[i];
    int *count = (piece->channel & 1 ? p->h_tracks : p->v_tracks) + piece->channel / 2;
    if (i == 0 || sorted[i - 1]->channel != piece->channel) ntracks = 0;
    for (k = 0; k < ntracks && ends[k] >= piece->from; k++) {
    }
    if (k == ntracks) ntracks++;
    ends[k] = piece->to;
    piece->track = (int)k;
    *count = (int)ntracks;
  }
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Channel, line, channel, line, ..., channel; a channel has a free track at each edge. */
static int place_lines(const int *tracks, const int *slots, int n, int *at) {
  int next = MARGIN;
  for (int k = 0; k < n; k++) {
    next += (tracks[k] + 2) * PITCH;
    at[k] = next;
    next += slots[k] * PITCH;
  }
  next += (tracks[n] + 2) * PITCH;
  at[n] = next; /* where a line after the last channel would be */
  return next + MARGIN;
}

static int track_at(const int *at, const int *tracks, const Piece *piece) {
  int channel = piece->channel / 2;
  return at[channel] - (tracks[channel] + 1) * PITCH + piece->track * PITCH + PITCH / 2;
}

static int end_x(const Plan *p, const End *e) {
  const Box *b = &p->boxes[e->box];
  int x = p->col_at[b->column];
  switch (e->side) {
  case LEFT: return x + b->at_x * PITCH;
  case RIGHT: return x + (b->at_x + b->wide) * PITCH;
  default: return x + e->slot * PITCH + PITCH / 2;
  }
}

static int end_y(const Plan *p, const End *e) {
  const Box *b = &p->boxes[e->box];
  int y = p->row_at[b->row];
  switch (e->side) {
  case TOP: return y + b->at_y * PITCH;
  case BOTTOM: return y + (b->at_y + b->high) * PITCH;
  default: return y + e->slot * PITCH + PITCH / 2;
  }
}

static void add_point(PlanChannel *c, int x, int y) {
  int n = c->npoints;
  const int *last = n ? c->points + 2 * (n - 1) : NULL;
  if (last && last[0] == x && last[1] == y) return;
  if (n > 1 && ((last[0] == x && last[-2] == x) || (last[1] == y && last[-1] == y)))
    n--, c->npoints--;
  c->points[2 * n] = x, c->points[2 * n + 1] = y;
  c->npoints++;
}

static int piece_at(const Plan *p, const Piece *piece) {
  return piece->channel & 1 ? track_at(p->row_at, p->h_tracks, piece)
                            : track_at(p->col_at, p->v_tracks, piece);
}

static void draw_wire(const Plan *p, const Wire *w, PlanChannel *out) {
  const End *a = &w->ends[0], *b = &w->ends[1];
  int x = end_x(p, a), y = end_y(p, a);
  /* route_corner makes the vertical piece first, even if the wire begins on the horizontal one */
  int reversed = w->npieces == 2 && a->side >= TOP;
  out->from = w->from, out->to = w->to;
  add_point(out, x, y);
  for (int k = 0; k < w->npieces; k++) {
    const Piece *piece = w->pieces[reversed ? 1 - k : k];
    if (piece->channel & 1)
      y = piece_at(p, piece);
    else
      x = piece_at(p, piece);
    add_point(out, x, y);
  }
  if (w->npieces && (w->pieces[reversed ? 0 : w->npieces - 1]->channel & 1))
    x = end_x(p, b);
  else if (w->npieces)
    y = end_y(p, b);
  add_point(out, x, y);
  add_point(out, end_x(p, b), end_y(p, b));
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The least size of a box, in slots: for its name, and for what is drawn inside. */
static void least_size(const loom_component *c, Box *b) {
  size_t letters = strlen(c->name);
  switch (c->kind) {
  case LOOM_SPATIAL_PE: b->wide = 17, b->high = 10; break;
  case LOOM_TEMPORAL_PE: b->wide = 17, b->high = 12; break;
  case LOOM_SPATIAL_SW:
  case LOOM_TEMPORAL_SW: b->wide = b->high = 7; break;
  case LOOM_MEMORY:
  case LOOM_EXTMEMORY: b->wide = 16, b->high = 9; break;
  case LOOM_FABRIC_INPUT:
  case LOOM_FABRIC_OUTPUT: b->wide = 7, b->high = 3; break;
  default: b->wide = 4, b->high = 2; return;
  }
  if (letters > 22) letters = 22;
  b->wide = max(b->wide, (int)(letters * 6 / PITCH) + 2);
}

static void read_boxes(Plan *p, const loom_design *d, const loom_fabric *fabric,
                       const loom_drawing *drawing, unsigned char *large) {
  for (uint32_t i = 0; i < p->n; i++) {
    loom_component c;
    loom_box at = {0, 0, 0, 0};
    fabric->component(d, i, &c, sizeof c);
    if (drawing) drawing->box(d, i, &at, sizeof at);
    p->boxes[i].x = at.x, p->boxes[i].y = at.y;
    large[i] = c.kind == LOOM_SPATIAL_PE || c.kind == LOOM_TEMPORAL_PE || c.kind == LOOM_SPATIAL_SW;
    least_size(&c, &p->boxes[i]);
  }
}

static void read_wires(Plan *p, const loom_design *d, const loom_fabric *fabric) {
  uint32_t n = 0, ports = fabric->port_count(d);
  loom_port port, peer;
  for (uint32_t i = 0; i < ports; i++)
    if (!fabric->port(d, i, &port, sizeof port) && port.is_output) n += port.peer_count;
  p->wires = backend_alloc(p->host, n, sizeof *p->wires);
  for (uint32_t i = 0; i < ports; i++) {
    fabric->port(d, i, &port, sizeof port);
    for (uint32_t k = 0; port.is_output && k < port.peer_count; k++) {
      Wire *w = &p->wires[p->nwires++];
      fabric->port(d, port.peers[k], &peer, sizeof peer);
      w->from = i, w->to = port.peers[k];
      w->ends[0].box = port.component, w->ends[1].box = peer.component;
    }
  }
}

static void find_routes(Plan *p) {
  p->pieces = backend_alloc(p->host, (size_t)p->nwires * 3, sizeof *p->pieces);
  for (uint32_t i = 0; i < p->nwires; i++) {
    Wire *w = &p->wires[i];
    if (w->straight) continue;
    if ((w->ends[0].side < TOP) == (w->ends[1].side < TOP))
      route_same(p, w);
    else
      route_corner(p, w);
  }
}

static void write_plan(Plan *p, Floorplan *plan) {
  p->row_at = backend_alloc(p->host, (size_t)p->rows + 1, sizeof(int));
  p->col_at = backend_alloc(p->host, (size_t)p->columns + 1, sizeof(int));
  plan->height = place_lines(p->h_tracks, p->row_slots, p->rows, p->row_at);
  plan->width = place_lines(p->v_tracks, p->col_slots, p->columns, p->col_at);
  plan->boxes = backend_alloc(p->host, p->n, sizeof *plan->boxes);
  for (uint32_t i = 0; i < p->n; i++) {
    const Box *b = &p->boxes[i];
    PlanBox *out = &plan->boxes[i];
    out->x = p->col_at[b->column] + b->at_x * PITCH;
    out->y = p->row_at[b->row] + b->at_y * PITCH;
    out->w = b->wide * PITCH, out->h = b->high * PITCH;
  }
  plan->nchannels = p->nwires;
  plan->channels = backend_alloc(p->host, p->nwires, sizeof *plan->channels);
  for (uint32_t i = 0; i < p->nwires; i++) draw_wire(p, &p->wires[i], &plan->channels[i]);
}

void floorplan_make(const loom_host *host, const loom_design *design, const loom_fabric *fabric,
                    const loom_drawing *drawing, Floorplan *plan) {
  Plan p = {0};
  unsigned char *large;
  p.host = host;
  p.n = fabric->component_count(design);
  p.boxes = backend_alloc(host, p.n, sizeof *p.boxes);
  large = backend_alloc(host, p.n, 1);
  read_boxes(&p, design, fabric, drawing, large);
  read_wires(&p, design, fabric);
  find_cells(&p, large, drawing && drawing->is_given(design));
  arrange_rim(&p, large);
  fill_cells(&p);
  find_ends(&p);
  find_sizes(&p);
  find_slots(&p);
  find_routes(&p);
  find_tracks(&p);
  write_plan(&p, plan);
}
