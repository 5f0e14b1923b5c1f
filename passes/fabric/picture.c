/* picture.c -- coordinates for drawing the components of any fabric.
 *
 * In a good picture, connected components are close: distances should be the numbers of channels
 * between components. Pivot MDS (U. Brandes and C. Pich, Eigensolver Methods for Progressive
 * Multidimensional Scaling of Large Data, 2006) finds such positions from the distances to a few
 * components alone, the *pivots*:
 *
 *     pivots        each as far as possible from those before; distances by breadth-first search
 *     squares       of the distances, double-centred: a matrix C, n x pivots
 *     two axes      the dominant eigenvectors of C'C, pivots x pivots, by power iteration
 *     turned        so that channels run along the axes as far as possible: a mesh stands upright
 *     on a grid     each component at the nearest free cells, large ones first, in order of ids
 *
 * FIFOs end up between the components that they connect, PEs beside their switches. Up to the
 * search for free cells, the cost is linear in the fabric (MAX_PIVOTS is constant). The square root
 * is the only function of the C math library: the picture is the same on every machine. */
#include "fabric/show.h"

#include <math.h>

enum { MAX_PIVOTS = 32, ROUNDS = 200, CELL_X = 10, CELL_Y = 14, GAP = 6, MAX_LETTERS = 40 };

typedef struct {
  const Adg *adg;
  Arena *arena;
  u32 n, npivots;
  u32 *first, *others; /* neighbours of i: others[first[i]] ... others[first[i + 1] - 1] */
  u32 *distances;      /* npivots rows of n */
  double *x, *y;
  Map taken; /* cells of the grid */
  Map round; /* by the hash of a size and a place: the square at which the last search ended */
} Picture;

/* ---- distances ------------------------------------------------------------------------------- */

static void find_neighbours(Picture *p) {
  const Adg *adg = p->adg;
  p->first = NEW_ARRAY(p->arena, u32, (size_t)p->n + 2);
  p->others = NEW_ARRAY(p->arena, u32, 2 * (size_t)adg->nchannels + 1);
  for (u32 c = 0; c < adg->nchannels; c++) {
    p->first[adg->ports[adg->channels[c].from].component + 2]++;
    p->first[adg->ports[adg->channels[c].to].component + 2]++;
  }
  for (u32 i = 2; i < p->n + 2; i++) p->first[i] += p->first[i - 1];
  for (u32 c = 0; c < adg->nchannels; c++) {
    u32 from = adg->ports[adg->channels[c].from].component;
    u32 to = adg->ports[adg->channels[c].to].component;
    p->others[p->first[from + 1]++] = to;
    p->others[p->first[to + 1]++] = from;
  }
}

/* Distances from a component; unreachable ones get the longest distance + 2. */
static void measure(const Picture *p, u32 from, u32 *queue, u32 *distance) {
  u32 head = 0, tail = 0, longest = 0;
  for (u32 i = 0; i < p->n; i++) distance[i] = UINT32_MAX;
  distance[from] = 0;
  queue[tail++] = from;
  while (head < tail) {
    u32 at = queue[head++];
    longest = distance[at];
    for (u32 k = p->first[at]; k < p->first[at + 1]; k++) {
      if (distance[p->others[k]] != UINT32_MAX) continue;
      distance[p->others[k]] = distance[at] + 1;
      queue[tail++] = p->others[k];
    }
  }
  for (u32 i = 0; i < p->n; i++)
    if (distance[i] == UINT32_MAX) distance[i] = longest + 2;
}

static void measure_all(Picture *p) {
  u32 *queue = NEW_ARRAY(p->arena, u32, p->n), *nearest = NEW_ARRAY(p->arena, u32, p->n), at = 0;
  p->npivots = p->n < MAX_PIVOTS ? p->n : MAX_PIVOTS;
  p->distances = NEW_ARRAY(p->arena, u32, (size_t)p->npivots * p->n);
  for (u32 i = 0; i < p->n; i++) nearest[i] = UINT32_MAX;
  for (u32 k = 0; k < p->npivots; k++) {
    u32 *row = p->distances + (size_t)k * p->n, next = 0;
    measure(p, at, queue, row);
    for (u32 i = 0; i < p->n; i++) {
      if (row[i] < nearest[i]) nearest[i] = row[i];
      if (nearest[i] > nearest[next]) next = i;
    }
    at = next;
  }
}

/* ---- two axes -------------------------------------------------------------------------------- */

/* Double centring: the means of rows and columns are subtracted from the squared distances. */
static double *centred_squares(const Picture *p) {
  u32 n = p->n, k = p->npivots;
  double *squares = NEW_ARRAY(p->arena, double, (size_t)n *k), all = 0;
  double *columns = NEW_ARRAY(p->arena, double, k);
  for (u32 i = 0; i < n; i++)
    for (u32 j = 0; j < k; j++) {
      double d = p->distances[(size_t)j * n + i];
      squares[(size_t)i * k + j] = d * d;
      columns[j] += d * d;
      all += d * d;
    }
  for (u32 i = 0; i < n; i++) {
    double *row = squares + (size_t)i * k, sum = 0;
    for (u32 j = 0; j < k; j++) sum += row[j];
    for (u32 j = 0; j < k; j++) row[j] = (columns[j] / n + sum / k - all / n / k - row[j]) / 2;
  }
  return squares;
}

static double dot(const double *a, const double *b, u32 n) {
  double sum = 0;
  for (u32 i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* The dominant eigenvector of a symmetric matrix, orthogonal to `other` unless NULL. */
static void find_eigenvector(const double *matrix, u32 k, const double *other, double *v,
                             double *next) {
  for (u32 j = 0; j < k; j++) v[j] = 1.0 + (double)(j * 7919 % 31) / 31;
  for (u32 round = 0; round < ROUNDS; round++) {
    double along = other ? dot(v, other, k) : 0;
    for (u32 j = 0; j < k && other; j++) v[j] -= along * other[j];
    for (u32 j = 0; j < k; j++) next[j] = dot(matrix + (size_t)j * k, v, k);
    double length = sqrt(dot(next, next, k));
    if (length < 1e-9) break;
    for (u32 j = 0; j < k; j++) v[j] = next[j] / length;
  }
}

static void scale(Picture *p) {
  u32 n = p->n, k = p->npivots;
  const double *squares = centred_squares(p);
  double *matrix = NEW_ARRAY(p->arena, double, (size_t)k *k);
  double *a = NEW_ARRAY(p->arena, double, k), *b = NEW_ARRAY(p->arena, double, k);
  double *room = NEW_ARRAY(p->arena, double, k);
  for (u32 i = 0; i < n; i++)
    for (u32 j = 0; j < k; j++)
      for (u32 l = 0; l < k; l++)
        matrix[(size_t)j * k + l] += squares[(size_t)i * k + j] * squares[(size_t)i * k + l];
  find_eigenvector(matrix, k, NULL, a, room);
  find_eigenvector(matrix, k, a, b, room);
  p->x = NEW_ARRAY(p->arena, double, n);
  p->y = NEW_ARRAY(p->arena, double, n);
  for (u32 i = 0; i < n; i++) {
    p->x[i] = dot(squares + (size_t)i * k, a, k);
    p->y[i] = dot(squares + (size_t)i * k, b, k);
  }
}

/* From the cosine and sine of an angle to those of half the angle. */
static void halve(double *c, double *s) {
  double half_c = sqrt((1 + *c) / 2 > 0 ? (1 + *c) / 2 : 0);
  double half_s = sqrt((1 - *c) / 2 > 0 ? (1 - *c) / 2 : 0);
  *c = half_c;
  *s = *s < 0 ? -half_s : half_s;
}

/* Rotates the picture. The fourfold angle of a channel is 0 if it runs along an axis, so the mean
 * of the fourfold angles, weighted by squared length, is four times the angle to turn by. */
static void turn(Picture *p) {
  double c = 0, s = 0;
  for (u32 i = 0; i < p->n; i++)
    for (u32 k = p->first[i]; k < p->first[i + 1]; k++) {
      double dx = p->x[p->others[k]] - p->x[i], dy = p->y[p->others[k]] - p->y[i];
      double square = dx * dx + dy * dy;
      if (square < 1e-9) continue;
      double c2 = (dx * dx - dy * dy) / square, s2 = 2 * dx * dy / square;
      c += (c2 * c2 - s2 * s2) * square;
      s += 2 * c2 * s2 * square;
    }
  double length = sqrt(c * c + s * s);
  if (length < 1e-9) return;
  c /= length;
  s /= length;
  halve(&c, &s);
  halve(&c, &s);
  for (u32 i = 0; i < p->n; i++) {
    double x = p->x[i], y = p->y[i];
    p->x[i] = x * c + y * s;
    p->y[i] = y * c - x * s;
  }
  double flip_x = p->x[0] > 0 ? -1 : 1, flip_y = p->y[0] > 0 ? -1 : 1;
  for (u32 i = 0; i < p->n; i++) p->x[i] *= flip_x, p->y[i] *= flip_y;
}

/* ---- on a grid ------------------------------------------------------------------------------- */

/* The size of a component in cells. */
static void cells_of(const Picture *p, u32 i, i64 *wide, i64 *high) {
  bool is_small = p->adg->components[i].ninputs <= 1 && p->adg->components[i].noutputs <= 1;
  i64 letters = (i64)strlen(adg_name(p->adg, i));
  if (letters > MAX_LETTERS) letters = MAX_LETTERS;
  *wide = letters * (is_small ? 4 : 8) / CELL_X + 2;
  *high = is_small ? 1 : 3;
}

static u64 cell(i64 x, i64 y) {
  return (u64)(u32)x << 32 | (u32)y;
}

static bool is_free(const Picture *p, i64 x, i64 y, i64 wide, i64 high) {
  u64 value;
  for (i64 i = 0; i < wide; i++)
    for (i64 j = 0; j < high; j++)
      if (map_get(&p->taken, cell(x + i, y + j), &value)) return false;
  return true;
}

/* Moves a component to the nearest free cells: on squares round its own, from the top left. Where
 * many of a size belong in one place, each search begins with the square where the last one ended,
 * as cells are never freed. */
static void find_room(Picture *p, i64 wide, i64 high, i64 *x, i64 *y) {
  u64 *first = map_slot(&p->round, hash_bytes((i64[]){wide, high, *x, *y}, 4 * sizeof *x, 0));
  for (i64 r = (i64)*first;; r++)
    for (i64 dy = -r; dy <= r; dy++) {
      i64 step = dy == -r || dy == r || r == 0 ? 1 : 2 * r;
      for (i64 dx = -r; dx <= r; dx += step) {
        if (!is_free(p, *x + dx, *y + dy, wide, high)) continue;
        *x += dx;
        *y += dy;
        *first = (u64)r;
        return;
      }
    }
}

/* Points per unit of distance, such that components fill about a third of the picture. */
static double points_per_step(const Picture *p) {
  double left = 0, right = 0, top = 0, bottom = 0, area = 0, wide_all = 0;
  for (u32 i = 0; i < p->n; i++) {
    i64 wide, high;
    cells_of(p, i, &wide, &high);
    area += (double)(wide * CELL_X * high * CELL_Y);
    wide_all += (double)(wide * CELL_X);
    if (p->x[i] < left) left = p->x[i];
    if (p->x[i] > right) right = p->x[i];
    if (p->y[i] < top) top = p->y[i];
    if (p->y[i] > bottom) bottom = p->y[i];
  }
  double room = (right - left) * (bottom - top), long_side = right - left + bottom - top;
  double by_area = room > 1e-6 ? sqrt(3 * area / room) : 0;
  double by_length = long_side > 1e-6 ? 1.5 * wide_all / long_side : 0;
  return by_area > 0 && by_area < by_length ? by_area : by_length;
}

static i64 nearest_cell(double points, i64 size) {
  double at = points / (double)size;
  return (i64)(at < 0 ? at - 0.5 : at + 0.5);
}

/* Large components first: small ones find room between them. */
static void place(Picture *p, AdgBox *boxes) {
  double step = points_per_step(p);
  for (u32 small = 0; small < 2; small++)
    for (u32 i = 0; i < p->n; i++) {
      i64 wide, high;
      cells_of(p, i, &wide, &high);
      if ((high == 1) != small) continue;
      i64 x = nearest_cell(p->x[i] * step, CELL_X) - wide / 2;
      i64 y = nearest_cell(p->y[i] * step, CELL_Y) - high / 2;
      find_room(p, wide, high, &x, &y);
      for (i64 dx = 0; dx < wide; dx++)
        for (i64 dy = 0; dy < high; dy++) map_put(&p->taken, cell(x + dx, y + dy), 1);
      boxes[i] = (AdgBox){(2 * x + wide) * CELL_X / 2, -(2 * y + high) * CELL_Y / 2,
                          wide * CELL_X - GAP, high * CELL_Y - GAP};
    }
}

AdgBox *adg_picture(const Adg *adg) {
  AdgBox *boxes = mem_alloc(mem_size((size_t)adg->ncomponents + 1, sizeof *boxes));
  if (!adg->ncomponents) return boxes;
  Picture p = {.adg = adg, .arena = arena_new(), .n = adg->ncomponents};
  find_neighbours(&p);
  measure_all(&p);
  scale(&p);
  turn(&p);
  place(&p, boxes);
  map_free(&p.taken);
  map_free(&p.round);
  arena_free(p.arena);
  return boxes;
}
