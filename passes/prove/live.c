/* live.c -- proof of liveness: no cycle of a balanced graph waits for itself.
 *
 *     %s = carry %more, %zero, %t         %t needs %x, %x needs %s, %s needs %t: a cycle. But the
 *     %x, %exit = cond_br %more, %s       k-th token of %s needs only the (k-1)-th of %t, and the
 *     %t = addi %x, %i                    first none: the carry has a token to begin with.
 *
 *     %y = muli %exit, %exit              This is a cycle too, balanced, and it deadlocks: the
 *     %kk = invariant %again, %y          first token of %kk is a value that only the exit of the
 *     %t = addi %x, %kk                   same loop gives.
 *
 * Requires: balance. Together they ensure: in any run whose loops end, every node gets all tokens
 * it waits for, and no token is left when the last node has fired.
 *
 * How: take the strongly connected components of the graph "part -> parts that take its tokens".
 * In each, look at the loops (BURST terms) whose parts are in it. A loop is *entered from inside*
 * when a token that opens it comes from the same component: the `a` of one of its carries or
 * invariants, an operand of its stream. In every other loop, cut the back operands (d, b) of its
 * carries and invariants. Repeat on the components of the graph that remains, until there are none,
 * or one in which every loop is entered from inside: that one is refused.
 *
 * Why it is enough: suppose tokens wait for each other in a cycle. Follow the cycle backwards, from
 * token to the token it needs, through the bursts of a loop that is not entered from inside. The
 * iteration number never rises along ordinary parts and falls at each back operand. The cycle can
 * enter the loop only by an exit, which is at the last iteration, and can leave it only through
 * the else side of a mux on the loop's own condition, which is taken at the last iteration too. So
 * once the number has fallen the cycle can neither leave nor close: a cycle crosses no back operand
 * of such a loop, and cutting them keeps every cycle. The graph left at the end has none.
 *
 * Two things raise the iteration number, so a loop that has them in the component is not cut: a
 * gate's after_cond (its k-th token needs the (k+1)-th condition); and a mux on a gated condition,
 * whose else side comes one test before the exit does, and counts as an entry.
 *
 * (The simpler rule "cut at any carry whose `a` comes from outside the component" accepts the
 * second example above.)
 *
 * *Fast path.* Nearly every graph needs no components. Where every gate takes both index and
 * condition of one stream, no mux chooses by a gated condition, and no condition is reused
 * (cover.c), the topological sort of *Queues* below is a proof of liveness too: it gives each loop
 * a position, after all its openers and before its exits, and orders tokens by
 *
 *     (position of the outermost loop, iteration, position of the next loop in it, iteration, ...,
 *      position of the part)
 *
 * A token needs only tokens before it: a back operand needs those of the previous iteration; ops
 * that open a loop are before the loop's position, its exits behind; and a gate, which needs the
 * next condition already, gets it from its stream, which needs only the loop's openers. So there
 * is no cycle. Components are computed only where the sort leaves parts over, or a gate, a mux or a
 * condition is of the other kind.
 *
 * *Queues.* That proof assumes unbounded queues. So that short ones suffice, one more property is
 * required: each loop can run in one go, between its openers and its exits. Two loops one after the
 * other on *one* stream cannot: while the first takes its N tokens, N tokens queue up for the
 * second; in hardware the queue fills up and both stop. So, with all back operands cut, each exit
 * of a loop is taken to wait for all ops that open the loop, and there must still be no cycle. One
 * is an error in a lowered graph, a warning in a hand-written one.
 *
 * Cost: one topological sort. Else, per level of loops, a pass of Tarjan's algorithm for strongly
 * connected components, without recursion; and a sort (Kahn's) for the queues. */
#include "prove/parts.h"

#include "base/digraph.h"

enum { EDGE_BACK = 1, EDGE_ENTRY = 2 };

typedef struct {
  u32 to : 30; /* enough: a part takes more than two bytes of text, and base/file.c reads < 2 GiB */
  u32 flags : 2;
} Edge;

typedef struct {
  u32 first, end; /* in Live.members */
  u32 id;
} Component;

typedef struct {
  Proof *p;
  u32 *op_of_part;
  u32 *first_edge; /* by part; nparts + 1 */
  Edge *edges;
  u32 *component;  /* by part: the component it is now in; 0: in no cycle any more */
  bool *cut;       /* by part: back edges into it are cut */
  u32 *entered;    /* by BURST: the last component in which this loop was entered from inside */
  u32 *seen, *low; /* Tarjan's index and lowlink, by part; seen 0: not visited */
  u32 *at_edge;    /* by part: its next edge to follow */
  u32 clock, next_id;
  Vec(u32) members;     /* the parts of components, one component after another */
  Vec(u32) stack, path; /* Tarjan's stack; the parts being visited, instead of recursion */
  Vec(Component) work;  /* components still to be cut */
} Live;

/* The innermost loop, as a BURST, around the op's results; around a gate's condition. */
static DomainId loop_of_op(const Proof *p, u32 op) {
  const Node *n = node_at(p, op);
  if (n->kind == OP_DATAFLOW_GATE) return domain_at(p, p->domain[operand_at(p, op, 1)])->burst;
  if (result_count(p, op)) return domain_at(p, p->domain[n->value])->burst;
  /* a return */
  return operand_count(p, op) ? domain_at(p, p->domain[operand_at(p, op, 0)])->burst : 0;
}
static DomainId loop_of_part(const Live *l, u32 part) {
  return loop_of_op(l->p, l->op_of_part[part]);
}

static u32 edge_flags(const Proof *p, u32 op, u32 i) {
  u16 kind = node_at(p, op)->kind;
  if (is_back_operand(kind, i)) return EDGE_BACK;
  bool enters = kind == OP_DATAFLOW_CARRY || kind == OP_DATAFLOW_INVARIANT ||
                kind == OP_DATAFLOW_STREAM ||
                (kind == OP_HANDSHAKE_MUX && i == 1 && gate_of(p, operand_same(p, op, 0)) != NO_OP);
  return enters ? EDGE_ENTRY : 0;
}

static bool opens_loop(const Proof *p, u32 op, u32 flags) {
  return (flags & EDGE_ENTRY) && node_at(p, op)->kind != OP_HANDSHAKE_MUX;
}

/* Edges as a compressed adjacency list (CSR): counted, then filled in. */
static void build_edges(Live *l) {
  Proof *p = l->p;
  u32 *next = NEW_ARRAY(p->arena, u32, p->nparts + 1);
  for (int fill = 0; fill < 2; fill++) {
    for (u32 op = 0; op < p->nops; op++)
      for (u32 i = 0; i < operand_count(p, op); i++) {
        u32 v = operand_at(p, op, i), def = p->def.at[v], flags = edge_flags(p, op, i);
        if (def == NO_OP) continue;
        u32 from = part_of_result(p, def, v - node_at(p, def)->value);
        PartSpan parts = parts_of_operand(p, op, i);
        for (u32 to = parts.first; to < parts.end; to++) {
          if (fill) l->edges[next[from]] = (Edge){to, flags};
          next[from]++;
        }
      }
    if (fill) break;
    for (u32 part = 0; part < p->nparts; part++) {
      l->first_edge[part + 1] = l->first_edge[part] + next[part];
      next[part] = l->first_edge[part];
    }
    l->edges = NEW_ARRAY(p->arena, Edge, l->first_edge[p->nparts]);
  }
}

static bool is_live_edge(const Live *l, Edge e, u32 id) {
  return l->component[e.to] == id && !((e.flags & EDGE_BACK) && l->cut[e.to]);
}

/* The parts from `root` up on Tarjan's stack are one component. */
static void close_component(Live *l, u32 root, u32 id) {
  Component c = {.first = (u32)l->members.len, .id = l->next_id};
  bool cyclic = l->stack.at[l->stack.len - 1] != root;
  for (u32 e = l->first_edge[root]; e < l->first_edge[root + 1] && !cyclic; e++)
    if (l->edges[e].to == root && is_live_edge(l, l->edges[e], id)) cyclic = true;
  u32 part;
  do {
    part = vec_pop(&l->stack);
    l->component[part] = cyclic ? c.id : 0;
    if (cyclic) vec_push(&l->members, part);
  } while (part != root);
  c.end = (u32)l->members.len;
  if (!cyclic) return;
  l->next_id++;
  vec_push(&l->work, c);
}

/* Tarjan's algorithm from `start`, within the component `id`. */
static void split_from(Live *l, u32 start, u32 id) {
  vec_push(&l->path, start);
  l->at_edge[start] = l->first_edge[start];
  l->seen[start] = l->low[start] = ++l->clock;
  vec_push(&l->stack, start);
  while (l->path.len) {
    u32 part = vec_last(&l->path);
    if (l->at_edge[part] < l->first_edge[part + 1]) {
      Edge e = l->edges[l->at_edge[part]++];
      if (!is_live_edge(l, e, id)) continue;
      if (l->seen[e.to] == 0) {
        l->at_edge[e.to] = l->first_edge[e.to];
        l->seen[e.to] = l->low[e.to] = ++l->clock;
        vec_push(&l->stack, e.to);
        vec_push(&l->path, e.to);
      } else if (l->seen[e.to] < l->low[part]) {
        l->low[part] = l->seen[e.to];
      }
      continue;
    }
    (void)vec_pop(&l->path);
    if (l->path.len && l->low[part] < l->low[vec_last(&l->path)])
      l->low[vec_last(&l->path)] = l->low[part];
    if (l->low[part] == l->seen[part]) close_component(l, part, id);
  }
}

static bool is_gated_cond(const Live *l, u32 part) {
  const Proof *p = l->p;
  u32 op = l->op_of_part[part];
  return node_at(p, op)->kind == OP_DATAFLOW_GATE && part != node_at(p, op)->part;
}

/* Cuts the back operands of every loop that is not entered from inside; false: none was cut. */
static bool cut_loops(Live *l, Component c) {
  Proof *p = l->p;
  bool any = false;
  for (u32 m = c.first; m < c.end; m++) {
    u32 part = l->members.at[m];
    if (is_gated_cond(l, part)) l->entered[loop_of_part(l, part)] = c.id;
    for (u32 e = l->first_edge[part]; e < l->first_edge[part + 1]; e++)
      if ((l->edges[e].flags & EDGE_ENTRY) && is_live_edge(l, l->edges[e], c.id))
        l->entered[loop_of_part(l, l->edges[e].to)] = c.id;
  }
  for (u32 m = c.first; m < c.end; m++) {
    u32 part = l->members.at[m];
    const Op *op = p->ops.at[l->op_of_part[part]];
    if (op->kind != OP_DATAFLOW_CARRY && op->kind != OP_DATAFLOW_INVARIANT) continue;
    if (l->entered[loop_of_part(l, part)] == c.id) continue;
    l->cut[part] = any = true;
  }
  return any;
}

static void describe_members(const Live *l, Component c, Buf *out) {
  const Proof *p = l->p;
  u32 shown = 0;
  for (u32 m = c.end; m-- > c.first && shown < 8;) {
    const Op *op = p->ops.at[l->op_of_part[l->members.at[m]]];
    if (op->nresults == 0) continue;
    buf_str(out, shown++ ? ", " : "");
    value_describe(p, op_result(op, 0), out);
  }
  if (c.end - c.first > shown) buf_str(out, ", ...");
}

/* An op of the component that a value of the component opens a loop at; false: there is none. */
static bool find_entry(const Live *l, Component c, const Op **opened, const Value **by) {
  const Proof *p = l->p;
  for (u32 m = c.end; m-- > c.first;) {
    const Op *op = p->ops.at[l->op_of_part[l->members.at[m]]];
    if (is_memory(op->kind)) continue;
    for (u32 i = 0; i < op->noperands; i++) {
      const Value *v = op_operand(op, i);
      if (v->is_arg || !opens_loop(p, op->index, edge_flags(p, op->index, i))) continue;
      if (l->component[part_of_result(p, value_op(v)->index, v->index)] != c.id) continue;
      *opened = op;
      *by = v;
      return true;
    }
  }
  return false;
}

static void report(const Live *l, Component c) {
  Proof *p = l->p;
  const Op *at = p->ops.at[l->op_of_part[l->members.at[c.first]]], *gate = NULL, *opened;
  const Value *by;
  Buf name = {0}, other = {0}, members = {0};
  for (u32 m = c.first; m < c.end; m++) {
    const Op *op = p->ops.at[l->op_of_part[l->members.at[m]]];
    if (op->index < at->index) at = op;
    if (is_gated_cond(l, l->members.at[m])) gate = op;
  }
  if (find_entry(l, c, &opened, &by)) {
    value_describe(p, op_result(opened, 0), &name);
    value_describe(p, by, &other);
    diag(p->ctx, opened->loc, COMP_PROOF_CYCLE,
         "this cycle waits for itself: %s starts with %s, a result of the same loop", name.data,
         other.data);
  } else if (gate) {
    value_describe(p, op_result(gate, 1), &name);
    diag(p->ctx, gate->loc, COMP_PROOF_CYCLE,
         "this cycle waits for itself: %s decides whether there is a next iteration, but is "
         "computed from values that wait for it",
         name.data);
  } else {
    diag(p->ctx, at->loc, COMP_PROOF_CYCLE,
         "this cycle waits for itself: no dataflow.carry or invariant provides its first token");
  }
  describe_members(l, c, &members);
  diag_note(p->ctx, at->loc, "in the cycle: %s", members.data);
  buf_free(&name), buf_free(&other), buf_free(&members);
}

/* ---- queues --------------------------------------------------------------------------------- */

/* The loop that a cond_br on its condition is an exit of; else 0. */
static DomainId loop_left_by(const Proof *p, u32 op) {
  if (node_at(p, op)->kind != OP_HANDSHAKE_COND_BR) return 0;
  DomainId x = p->domain[operand_at(p, op, 1)];
  const Domain *no = domain_at(p, p->domain[node_at(p, op)->value + 1]);
  return no->kind == KIND_FALSE && no->parent == x ? 0 : domain_at(p, x)->burst;
}

/* Reports an op that opens a loop with a value of a part that the sort left over. */
static void report_queue(const Live *l, const bool *is_passed) {
  Proof *p = l->p;
  for (u32 o = 0; o < p->nops; o++) {
    const Op *op = p->ops.at[o];
    for (u32 i = 0; i < op->noperands; i++) {
      const Value *v = op_operand(op, i);
      if (v->is_arg || !opens_loop(p, op->index, edge_flags(p, op->index, i))) continue;
      DomainId loop = loop_of_op(p, o);
      if (is_passed[part_of_result(p, value_op(v)->index, v->index)] || is_passed[p->nparts + loop])
        continue;
      Buf name = {0}, by = {0};
      value_describe(p, op_result(op, 0), &name);
      value_describe(p, v, &by);
      void (*say)(Context *, Loc, Code, const char *, ...) =
          p->mode == PROOF_LOWERED ? diag : diag_warning;
      say(p->ctx, op->loc, COMP_PROOF_QUEUE,
          "%s starts with %s, which arrives only after other parts of the same loop are done: "
          "until then all tokens of the loop's control must be queued",
          name.data, by.data);
      diag_hint(
          p->ctx,
          "use a separate dataflow.stream for each of the loops that run one after the other");
      buf_free(&name), buf_free(&by);
      return;
    }
  }
}

/* Sorts parts and loops topologically, without back operands: a loop waits for all ops that open
 * it, its exits for the loop. False after an error. */
static bool check_queues(Live *l) {
  Proof *p = l->p;
  u32 n = p->nparts + (u32)p->domains.len;
  DigraphEdges edges = {0};
  for (u32 part = 0; part < p->nparts; part++) {
    DomainId left = loop_left_by(p, l->op_of_part[part]);
    if (left) digraph_edge(&edges, p->nparts + left, part);
    for (u32 e = l->first_edge[part]; e < l->first_edge[part + 1]; e++) {
      Edge edge = l->edges[e];
      if (edge.flags & EDGE_BACK) continue;
      digraph_edge(&edges, part, edge.to);
      if (opens_loop(p, l->op_of_part[edge.to], edge.flags))
        digraph_edge(&edges, part, p->nparts + loop_of_part(l, edge.to));
    }
  }
  Digraph graph = digraph_new(p->arena, n, &edges);
  u32 *order = NEW_ARRAY(p->arena, u32, n), passed = digraph_order(&graph, p->arena, order);
  vec_free(&edges);
  if (passed == n) return true;
  bool *is_passed = NEW_ARRAY(p->arena, bool, n);
  for (u32 k = 0; k < passed; k++) is_passed[order[k]] = true;
  u32 errors = p->ctx->errors;
  report_queue(l, is_passed);
  return p->ctx->errors == errors;
}

static bool check_components(Proof *p) {
  u32 n = p->nparts;
  Live l = {.p = p,
            .op_of_part = NEW_ARRAY(p->arena, u32, n),
            .first_edge = NEW_ARRAY(p->arena, u32, n + 1),
            .component = NEW_ARRAY(p->arena, u32, n),
            .cut = NEW_ARRAY(p->arena, bool, n),
            .entered = NEW_ARRAY(p->arena, u32, p->domains.len),
            .seen = NEW_ARRAY(p->arena, u32, n),
            .low = NEW_ARRAY(p->arena, u32, n),
            .at_edge = NEW_ARRAY(p->arena, u32, n),
            .next_id = 2};
  bool good = true;
  for (u32 op = 0; op < p->nops; op++)
    for (u32 part = node_at(p, op)->part; part < node_at(p, op)[1].part; part++)
      l.op_of_part[part] = op;
  build_edges(&l);
  vec_reserve(&l.members, n);
  for (u32 part = 0; part < n; part++) {
    l.component[part] = 1;
    vec_push(&l.members, part);
  }
  Component c = {0, n, 1};
  for (;;) {
    for (u32 m = c.first; m < c.end; m++) l.seen[l.members.at[m]] = 0;
    for (u32 m = c.first; m < c.end; m++) {
      u32 part = l.members.at[m];
      if (l.component[part] == c.id) split_from(&l, part, c.id);
    }
    do {
      if (!l.work.len) goto done;
      c = vec_pop(&l.work);
      bool cut = cut_loops(&l, c);
      if (!cut) report(&l, c);
      good = good && cut;
      if (cut) break;
    } while (true);
  }
done:
  good = good && check_queues(&l);
  vec_free(&l.members), vec_free(&l.stack), vec_free(&l.path);
  vec_free(&l.work);
  return good;
}

/* ---- the fast path -------------------------------------------------------------------------- */

typedef struct {
  Proof *p;
  u32 *unopened;   /* by loop (domain): how many ops that open it are not sorted yet */
  u32 *first_exit; /* by loop (domain): list of its exits, which wait for those ops */
  Waiters waiters, ready;
  u32 sorted;
} Sort;

static bool opens(u8 fire) {
  return fire == FIRE_CARRY || fire == FIRE_INVARIANT || fire == FIRE_STREAM;
}

/* True where the sort is a proof of liveness: see the top, *Fast path*. */
static bool is_simple(const Proof *p) {
  u32 raw;
  if (p->any_reused) return false;
  for (u32 op = 0; op < p->nops; op++) {
    u8 fire = node_at(p, op)->fire;
    if (fire == FIRE_GATE && gated_stream(p, op) == NO_OP) return false;
    if (fire == FIRE_MUX && gated_by(p, operand_same(p, op, 0), &raw)) return false;
  }
  return true;
}

/* Sorts the part if its operands from i on are sorted and, for an exit, all ops that open its loop;
 * else makes it wait for the first that is not. */
static void try_part(Sort *s, u32 op, u32 part, u32 i) {
  Proof *p = s->p;
  const Node *node = node_at(p, op);
  u32 n = operand_count(p, op);
  for (i = next_operand(p, op, part, i); i < n; i = next_operand(p, op, part, i + 1)) {
    u32 v = operand_at(p, op, i);
    if (p->flags.at[v] & VALUE_VISITED || is_back_operand(node->kind, i)) continue;
    wait_for(&s->waiters, &p->first_waiter[v], op, part, i);
    return;
  }
  DomainId left = loop_left_by(p, op);
  if (left && s->unopened[left]) {
    wait_for(&s->waiters, &s->first_exit[left], op, part, n);
    return;
  }
  s->sorted++;
  u32 first = node->value, nresults = result_count(p, op);
  for (u32 r = next_result(p, op, part, 0); r < nresults; r = next_result(p, op, part, r + 1)) {
    p->flags.at[first + r] |= VALUE_VISITED;
    if (p->first_waiter[first + r]) wake(&s->waiters, &p->first_waiter[first + r], &s->ready);
  }
  if (!opens(node->fire)) return;
  DomainId loop = loop_of_op(p, op);
  if (--s->unopened[loop] == 0) wake(&s->waiters, &s->first_exit[loop], &s->ready);
}

static bool sort_parts(Proof *p) {
  u32 ndomains = (u32)p->domains.len;
  Sort s = {.p = p,
            .unopened = NEW_ARRAY(p->arena, u32, ndomains),
            .first_exit = NEW_ARRAY(p->arena, u32, ndomains)};
  for (u32 op = 0; op < p->nops; op++)
    if (opens(node_at(p, op)->fire)) s.unopened[loop_of_op(p, op)]++;
  for (u32 v = node_at(p, 0)->value; v < p->nvalues; v++) p->flags.at[v] &= (u8)~VALUE_VISITED;
  for (u32 op = 0; op < p->nops; op++)
    for (u32 part = node_at(p, op)->part; part < node_at(p, op)[1].part; part++) {
      try_part(&s, op, part, 0);
      while (s.ready.len) {
        Waiter w = vec_pop(&s.ready);
        try_part(&s, w.op, w.part, w.operand);
      }
    }
  vec_free(&s.waiters), vec_free(&s.ready);
  return s.sorted == p->nparts;
}

bool prove_liveness(Proof *p) {
  return (is_simple(p) && sort_parts(p)) || check_components(p);
}
