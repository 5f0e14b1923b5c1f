/* match.c -- matches the nodes of the graph with those of the configured hardware.
 *
 *     graph    a ─► 0 ┐             hardware    in_0 ─► 0 ┐
 *                     sum ─► out0                         add in pe_3 ─► out_1
 *              b ─► 1 ┘                         in_2 ─► 1 ┘
 *
 * Ports are paired first: the binding identifies them, and their labels encode it. From there the
 * pairing grows. Backwards there is no choice: the driver of input i of a node must be paired with
 * the driver of input i of its partner. There is a choice only among commutative inputs
 * (`arith.addi`, joins) and, going forwards, among several consumers of a token with equal labels.
 * Then the most similar pair is taken, by colour refinement (Weisfeiler and Leman, 1968): every
 * node has a row of hashes, of its label, of itself and its neighbours, of those and theirs, ...
 * Two nodes are similar to the depth to which their rows are equal. An ambiguous choice waits until
 * all unambiguous ones are made; then one is made and the others are tried again.
 *
 * A difference between the two sides changes hashes only within a growing distance from it, so
 * choices far away are not misled, and near it a wrong pair is found at once: the report names the
 * operand, not the whole graph. Every input of every pair is compared, so a wrong choice may cause
 * a false error, but no difference is ever accepted.
 *
 * Cost: MAX_DEPTH hashes per node and edge; then linear without choices. Each forward choice scans
 * the nodes from the start, so many of them make it quadratic.
 */
#include "check/net.h"

enum { MAX_DEPTH = 24 };

typedef struct {
  Context *ctx;
  const Net *a, *b; /* graph, hardware */
  u32 *pair_a, *pair_b;
  u64 *rows_a, *rows_b; /* MAX_DEPTH + 1 hashes per node */
  u32 depth;
  Vec(u32) queue;   /* paired nodes of a whose inputs are still to be compared */
  Vec(u32) waiting; /* likewise; their inputs commute and the choice was ambiguous */
  bool failed;
} Pairing;

/* ---- similarity of nodes --------------------------------------------------------------------- */

static u64 mix2(u64 a, u64 b) {
  u64 words[2] = {a, b};
  return hash_bytes(words, sizeof words, 0);
}

/* The hash of a node and its neighbours at depth d + 1. Neighbours without an order are summed. */
static u64 neighbours(const Net *net, const u64 *rows, u32 d, u32 n) {
  const NetNode *node = &net->nodes[n];
  size_t stride = MAX_DEPTH + 1;
  u64 hash = rows[n * stride + d], sum = 0;
  for (u32 i = 0; i < node->ninputs; i++) {
    const NetInput *in = &net->inputs[node->first_input + i];
    u64 from = in->node == MAP_NONE ? 0 : mix2(rows[in->node * stride + d], in->result + (u64)1);
    if (node->commutes)
      sum += mix2(from, 3);
    else
      hash = mix2(hash, from);
  }
  for (u32 u = node->first_use; u < node->first_use + node->nuses; u++) {
    const NetUse *use = &net->uses[u];
    const NetNode *user = &net->nodes[use->node];
    u32 result = net->inputs[user->first_input + use->input].result;
    u64 place = (u64)result << 32 | (user->commutes ? 0 : use->input + 1);
    sum += mix2(rows[use->node * stride + d], mix2(place, 5));
  }
  return mix2(hash, sum);
}

static u64 *new_rows(const Net *net, u32 depth) {
  size_t stride = MAX_DEPTH + 1;
  u64 *rows = mem_alloc(mem_size(net->nnodes + (size_t)1, stride * sizeof *rows));
  for (u32 n = 0; n < net->nnodes; n++) rows[n * stride] = net->nodes[n].label;
  for (u32 d = 0; d < depth; d++)
    for (u32 n = 0; n < net->nnodes; n++) rows[n * stride + d + 1] = neighbours(net, rows, d, n);
  return rows;
}

/* 0: labels differ; else one more than the depth to which the hashes are equal. */
static u32 similarity(const Pairing *m, u32 x, u32 y) {
  const u64 *p = m->rows_a + x * (size_t)(MAX_DEPTH + 1),
            *q = m->rows_b + y * (size_t)(MAX_DEPTH + 1);
  u32 d = 0;
  while (d <= m->depth && p[d] == q[d]) d++;
  return d;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void source_text(const Net *net, const NetInput *in, Buf *out) {
  if (in->node == MAP_NONE) {
    buf_str(out, "nothing");
    return;
  }
  if (net->nodes[in->node].nresults > 1) buf_printf(out, "result %u of ", in->result);
  net_node_text(net, in->node, out);
}

/* Adds a note with the place of the hardware and the route of the tokens. */
static void note_match(Pairing *m, u32 hardware, const NetInput *got) {
  Buf route = {0};
  if (got->carrier != MAP_NONE) conf_route_text(m->b->conf, got->carrier, &route);
  diag_note(m->ctx, net_loc(m->b, hardware), "the hardware is here%s%s",
            route.len ? "; the route is " : "", route.len ? route.data : "");
  buf_free(&route);
}

/* Input i of x should be `want` and is `got`. */
static void wrong_edge(Pairing *m, u32 x, u32 i, const NetInput *want, const NetInput *got) {
  Buf node = {0}, hw = {0}, wanted = {0}, found = {0};
  u32 y = m->pair_a[x];
  net_node_text(m->a, x, &node);
  net_node_text(m->b, y, &hw);
  source_text(m->a, want, &wanted);
  source_text(m->b, got, &found);
  u32 partner = want->node == MAP_NONE ? MAP_NONE : m->pair_a[want->node];
  if (partner != MAP_NONE) {
    buf_str(&wanted, ", which is ");
    net_node_text(m->b, partner, &wanted);
  }
  diag(m->ctx, net_loc(m->a, x), CHECK_EDGE, "input %u of %s (%s) comes from %s instead of %s", i,
       node.data, hw.data, found.data, wanted.data);
  note_match(m, y, got);
  m->failed = true;
  buf_free(&node);
  buf_free(&hw);
  buf_free(&wanted);
  buf_free(&found);
}

/* The driver of input i of x is another operation than it should be. */
static void wrong_node(Pairing *m, u32 x, u32 i, const NetInput *want, const NetInput *got) {
  Buf node = {0}, hw = {0}, wanted = {0}, found = {0}, taker = {0};
  net_node_text(m->a, want->node, &node);
  net_node_text(m->b, got->node, &hw);
  net_what_text(m->a, want->node, &wanted);
  net_what_text(m->b, got->node, &found);
  net_node_text(m->a, x, &taker);
  diag(m->ctx, net_loc(m->a, want->node), CHECK_NODE,
       "%s, input %u of %s, should be %s, but %s is %s", node.data, i, taker.data, wanted.data,
       hw.data, found.data);
  note_match(m, got->node, got);
  m->failed = true;
  buf_free(&node);
  buf_free(&hw);
  buf_free(&wanted);
  buf_free(&found);
  buf_free(&taker);
}

static void unpaired(Pairing *m, const Net *net, u32 n, Code code, const char *problem) {
  Buf text = {0};
  net_node_text(net, n, &text);
  if (net->nodes[n].kind == NET_OP && !net->nodes[n].is_cast) {
    buf_str(&text, ", ");
    net_what_text(net, n, &text);
    buf_char(&text, ',');
  }
  diag(m->ctx, net_loc(net, n), code, "%s %s", text.data, problem);
  buf_free(&text);
  m->failed = true;
}

/* ---- pairing --------------------------------------------------------------------------------- */

static void put_pair(Pairing *m, u32 x, u32 y) {
  m->pair_a[x] = y;
  m->pair_b[y] = x;
  vec_push(&m->queue, x);
}

/* Compares the driver of input i of x with that of its partner, and pairs them if both are new. */
static void compare(Pairing *m, u32 x, u32 i, const NetInput *want, const NetInput *got) {
  if (want->node == MAP_NONE && got->node == MAP_NONE) return; /* both reported elsewhere */
  bool one_side = want->node == MAP_NONE || got->node == MAP_NONE;
  if (one_side || want->result != got->result) {
    bool same_pair = !one_side && m->pair_a[want->node] == got->node;
    if (!one_side && !same_pair && m->pair_a[want->node] == MAP_NONE &&
        m->pair_b[got->node] == MAP_NONE &&
        m->a->nodes[want->node].label != m->b->nodes[got->node].label)
      wrong_node(m, x, i, want, got);
    else
      wrong_edge(m, x, i, want, got);
  } else if (m->pair_a[want->node] != MAP_NONE || m->pair_b[got->node] != MAP_NONE) {
    if (m->pair_a[want->node] != got->node) wrong_edge(m, x, i, want, got);
  } else if (m->a->nodes[want->node].label != m->b->nodes[got->node].label) {
    wrong_node(m, x, i, want, got);
  } else {
    put_pair(m, want->node, got->node);
  }
}

static const NetInput *inputs_of(const Net *net, u32 n) {
  return net->inputs + net->nodes[n].first_input;
}

/* The similarity of two inputs: of their drivers, UINT32_MAX if those are paired with each other, 0
 * if they cannot be. */
static u32 input_similarity(const Pairing *m, const NetInput *p, const NetInput *q) {
  if (p->node == MAP_NONE || q->node == MAP_NONE || p->result != q->result) return 0;
  if (m->pair_a[p->node] == q->node) return UINT32_MAX;
  if (m->pair_a[p->node] != MAP_NONE || m->pair_b[q->node] != MAP_NONE) return 0;
  return similarity(m, p->node, q->node);
}

static bool is_same_input(const NetInput *p, const NetInput *q) {
  return p->node == q->node && p->result == q->result;
}

/* Assigns an input of y to each input of x, greedily by similarity. False if a choice was ambiguous
 * and may not be made yet. O(n^3) in the inputs of the node, which are few. */
static bool arrange(const Pairing *m, u32 x, u32 y, bool may_guess, u32 *place) {
  const NetInput *p = inputs_of(m->a, x), *q = inputs_of(m->b, y);
  u32 n = m->a->nodes[x].ninputs;
  bool *taken = mem_alloc(n + (size_t)1), is_clear = true;
  for (u32 i = 0; i < n; i++) place[i] = MAP_NONE;
  for (u32 round = 0; round < n; round++) {
    u32 best = 0, best_i = MAP_NONE, best_j = MAP_NONE;
    for (u32 i = 0; i < n; i++)
      for (u32 j = 0; j < n && place[i] == MAP_NONE; j++) {
        u32 like = taken[j] ? 0 : input_similarity(m, &p[i], &q[j]);
        if (taken[j] || (best_i != MAP_NONE && like <= best)) continue;
        best = like;
        best_i = i;
        best_j = j;
      }
    for (u32 k = 0; k < n && best != UINT32_MAX; k++) {
      if (place[k] == MAP_NONE && k != best_i && !is_same_input(&p[k], &p[best_i]))
        is_clear &= input_similarity(m, &p[k], &q[best_j]) != best;
      if (!taken[k] && k != best_j && !is_same_input(&q[k], &q[best_j]))
        is_clear &= input_similarity(m, &p[best_i], &q[k]) != best;
    }
    place[best_i] = best_j;
    taken[best_j] = true;
  }
  mem_free(taken);
  return is_clear || may_guess;
}

/* Compares the inputs of a pair; false if an ambiguous choice has to wait. */
static bool compare_inputs(Pairing *m, u32 x, bool may_guess) {
  u32 y = m->pair_a[x], n = m->a->nodes[x].ninputs;
  const NetInput *p = inputs_of(m->a, x), *q = inputs_of(m->b, y);
  if (!m->a->nodes[x].commutes) {
    for (u32 i = 0; i < n; i++) compare(m, x, i, &p[i], &q[i]);
    return true;
  }
  u32 *place = mem_alloc(mem_size(n + (size_t)1, sizeof *place));
  bool done = arrange(m, x, y, may_guess, place);
  for (u32 i = 0; done && i < n; i++) compare(m, x, i, &p[i], &q[place[i]]);
  mem_free(place);
  return done;
}

static void drain_queue(Pairing *m) {
  while (m->queue.len) {
    u32 x = vec_pop(&m->queue);
    if (!compare_inputs(m, x, false)) vec_push(&m->waiting, x);
  }
}

/* Retries the waiting nodes; with `may_guess` the first one is decided even if it is ambiguous.
 * True if any was decided. */
static bool retry_waiting(Pairing *m, bool may_guess) {
  bool any = false;
  size_t kept = 0;
  for (size_t i = 0; i < m->waiting.len; i++) {
    u32 x = m->waiting.at[i];
    if (compare_inputs(m, x, may_guess && !any)) {
      any = true;
      drain_queue(m); /* may append to `waiting`, which this loop then visits */
    } else {
      m->waiting.at[kept++] = x;
    }
  }
  m->waiting.len = kept;
  return any;
}

static bool is_candidate(const Pairing *m, const NetUse *want, u32 result, const NetUse *use) {
  const NetNode *t = &m->b->nodes[use->node];
  return m->pair_b[use->node] == MAP_NONE && t->label == m->a->nodes[want->node].label &&
         m->b->inputs[t->first_input + use->input].result == result &&
         (t->commutes || use->input == want->input);
}

/* Forwards: pairs an unpaired consumer of a paired node, if the choice is unambiguous or may be
 * guessed. True after the first pair. */
static bool go_forward(Pairing *m, bool may_guess) {
  for (u32 x = 0; x < m->a->nnodes; x++) {
    const NetNode *p = &m->a->nodes[x];
    if (m->pair_a[x] == MAP_NONE) continue;
    const NetNode *q = &m->b->nodes[m->pair_a[x]];
    for (u32 u = p->first_use; u < p->first_use + p->nuses; u++) {
      const NetUse *want = &m->a->uses[u];
      if (m->pair_a[want->node] != MAP_NONE) continue;
      u32 result = inputs_of(m->a, want->node)[want->input].result;
      u32 best = 0, found = MAP_NONE;
      bool is_clear = true;
      for (u32 v = q->first_use; v < q->first_use + q->nuses; v++) {
        const NetUse *use = &m->b->uses[v];
        if (!is_candidate(m, want, result, use)) continue;
        u32 like = similarity(m, want->node, use->node);
        if (like == best && use->node != found) is_clear = false;
        if (like <= best) continue;
        best = like;
        found = use->node;
        is_clear = true;
      }
      if (found == MAP_NONE || (!is_clear && !may_guess)) continue;
      put_pair(m, want->node, found);
      drain_queue(m);
      return true;
    }
  }
  return false;
}

static void pair_ports(Pairing *m) {
  Map of_label = {0};
  u64 found;
  for (u32 y = 0; y < m->b->nnodes; y++)
    if (m->b->nodes[y].kind != NET_OP) map_put(&of_label, m->b->nodes[y].label, y);
  for (u32 x = 0; x < m->a->nnodes; x++) {
    const NetNode *node = &m->a->nodes[x];
    if (node->kind == NET_OP || !map_get(&of_label, node->label, &found)) continue;
    if (m->pair_b[found] == MAP_NONE && m->b->nodes[found].kind == node->kind)
      put_pair(m, x, (u32)found);
  }
  map_free(&of_label);
}

static void report_unpaired(Pairing *m) {
  for (u32 x = 0; x < m->a->nnodes; x++)
    if (m->pair_a[x] == MAP_NONE)
      unpaired(m, m->a, x, CHECK_MISSING, "has no counterpart in the hardware");
  for (u32 y = 0; y < m->b->nnodes; y++)
    if (m->pair_b[y] == MAP_NONE)
      unpaired(m, m->b, y, CHECK_EXTRA, "is active, but has no counterpart in the graph");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static Pairing match_new(Context *ctx, const Net *graph, const Net *hardware, u32 *pairs) {
  u32 larger = graph->nnodes > hardware->nnodes ? graph->nnodes : hardware->nnodes;
  Pairing m = {.ctx = ctx, .a = graph, .b = hardware, .pair_a = pairs};
  m.depth = larger < MAX_DEPTH ? larger : MAX_DEPTH;
  m.pair_b = mem_alloc(mem_size(hardware->nnodes + (size_t)1, sizeof *m.pair_b));
  memset(m.pair_a, 0xff, mem_size(graph->nnodes, sizeof(u32)));
  memset(m.pair_b, 0xff, mem_size(hardware->nnodes, sizeof(u32)));
  m.rows_a = new_rows(graph, m.depth);
  m.rows_b = new_rows(hardware, m.depth);
  return m;
}

static void match_free(Pairing *m) {
  vec_free(&m->queue);
  vec_free(&m->waiting);
  mem_free(m->pair_b);
  mem_free(m->rows_a);
  mem_free(m->rows_b);
}

bool nets_match(Context *ctx, const Net *graph, const Net *hardware, u32 *pairs) {
  Pairing m = match_new(ctx, graph, hardware, pairs);
  pair_ports(&m);
  drain_queue(&m);
  while (retry_waiting(&m, false) || go_forward(&m, false) || retry_waiting(&m, true) ||
         go_forward(&m, true)) {
  }
  if (!m.failed) report_unpaired(&m);
  match_free(&m);
  return !m.failed;
}

/* ---- guessing -------------------------------------------------------------------------------- */

/* Pairs the drivers of paired nodes, input by input, as far as they are similar; commutative inputs
 * in the most similar order. */
static void follow_inputs(Pairing *m) {
  while (m->queue.len) {
    u32 x = vec_pop(&m->queue), y = m->pair_a[x], n = m->a->nodes[x].ninputs;
    const NetInput *p = inputs_of(m->a, x), *q = inputs_of(m->b, y);
    u32 *place = mem_alloc(mem_size(n + (size_t)1, sizeof *place));
    for (u32 i = 0; i < n; i++) place[i] = i;
    if (m->a->nodes[x].commutes) arrange(m, x, y, true, place);
    for (u32 i = 0; i < n && n == m->b->nodes[y].ninputs; i++) {
      u32 like = input_similarity(m, &p[i], &q[place[i]]);
      if (like && like != UINT32_MAX) put_pair(m, p[i].node, q[place[i]].node);
    }
    mem_free(place);
  }
}

/* Pairs nodes that are similar to a depth, the first with the first. */
static void pair_at(Pairing *m, u32 depth) {
  size_t stride = MAX_DEPTH + 1;
  Map first = {0}; /* by hash: 1 + the first node of b with that hash; `next`: 1 + the next one */
  u32 *next = mem_alloc(mem_size(m->b->nnodes + (size_t)1, sizeof *next));
  for (u32 y = m->b->nnodes; y-- > 0;) {
    u64 *slot = map_slot(&first, m->rows_b[y * stride + depth]);
    next[y] = (u32)*slot;
    *slot = y + (u64)1;
  }
  for (u32 x = 0; x < m->a->nnodes; x++) {
    u64 found;
    if (m->pair_a[x] != MAP_NONE || !map_get(&first, m->rows_a[x * stride + depth], &found))
      continue;
    u32 y = (u32)found;
    while (y && (m->pair_b[y - 1] != MAP_NONE || m->b->nodes[y - 1].label != m->a->nodes[x].label))
      y = next[y - 1];
    if (!y) continue;
    put_pair(m, x, y - 1);
    follow_inputs(m);
  }
  mem_free(next);
  map_free(&first);
}

void nets_guess(const Net *graph, const Net *hardware, u32 *pairs) {
  Pairing m = match_new(NULL, graph, hardware, pairs);
  for (u32 depth = m.depth + 1; depth-- > 0;) pair_at(&m, depth);
  match_free(&m);
}
