/* network.c -- the part of a graph that the done tokens of memories may go through.
 *
 *     %d0 = memory ...          track 0      used by station 1
 *     %d1 = memory ...          track 1      used by station 1
 *     load [%i] %m#0, %ctrl     station 0    (an access; %ctrl is a track if a station gives it)
 *     %j = join %d0, %d1        station 1
 *                               track 2
 *
 * The order proof follows tokens of type none from op to op, group by group. They are a small part
 * of the graph, so it is numbered again by itself: *stations* are the ops that such tokens go
 * through, and the loads and stores that they start; *tracks* are the values of type none that a
 * memory or a station gives. A group then follows lists of stations, and skips all other ops.
 *
 * Cost: one walk over the ops, and two over the operands of stations. */
#include "prove/cover.h"

typedef enum { NO_STATION, ACCESS, PASSES_ALL, PASSES_DATA } Role;

static Role role_of(u16 kind) {
  switch ((OpKind)kind) {
  case OP_HANDSHAKE_LOAD:
  case OP_HANDSHAKE_STORE: return ACCESS;
  case OP_HANDSHAKE_JOIN:
  case OP_HANDSHAKE_SYNC:
  case OP_HANDSHAKE_FORK:
  case OP_HANDSHAKE_LAZY_FORK:
  case OP_HANDSHAKE_BUFFER:
  case OP_HANDSHAKE_BR: return PASSES_ALL;
  case OP_HANDSHAKE_COND_BR:
  case OP_HANDSHAKE_MUX:
  case OP_DATAFLOW_CARRY:
  case OP_DATAFLOW_INVARIANT: return PASSES_DATA;
  default: return NO_STATION;
  }
}

/* The operands [first, end) with the tokens that go through an op or start it. */
static void network_operands(const Proof *p, u32 op, Role role, u32 *first, u32 *end) {
  *end = operand_count(p, op);
  *first = role == PASSES_ALL ? 0 : role == PASSES_DATA ? 1 : *end - 1;
}

static void number(Proof *p, Network *net) {
  net->station_of_op = NEW_ARRAY(p->arena, u32, p->nops);
  net->track_of_value = NEW_ARRAY(p->arena, u32, p->nvalues);
  for (u32 op = 0; op < p->nops; op++) {
    const Node *n = node_at(p, op);
    Role role = role_of(n->kind);
    if (role == NO_STATION && !is_memory(n->kind)) continue;
    bool any = role == ACCESS;
    for (u32 v = n->value; v < n[1].value; v++) {
      if (!(p->flags.at[v] & VALUE_NONE)) continue;
      net->track_of_value[v] = ++net->ntracks;
      any = true;
    }
    if (role == NO_STATION || !any) continue;
    vec_push(&net->stations, ((Station){.op = op,
                                        .access_group = role == ACCESS ? NO_GROUP : 0,
                                        .joins = role == PASSES_ALL}));
    net->station_of_op[op] = (u32)net->stations.len;
  }
}

/* Counts the users of each track, or fills them in: first_user[t + 2] counts those of track t; once
 * the counts are summed up, first_user[t + 1] is where its next one goes, and in the end where they
 * end. (`track` is t + 1.) */
static void list_users(const Proof *p, Network *net, bool fill) {
  for (u32 s = 0; s < net->stations.len; s++) {
    u32 op = net->stations.at[s].op, i, end;
    u16 kind = node_at(p, op)->kind;
    network_operands(p, op, role_of(kind), &i, &end);
    for (; i < end; i++) {
      u32 track = net->track_of_value[operand_at(p, op, i)];
      if (!track) continue;
      if (fill)
        net->user[net->first_user[track]++] = 2 * s + is_back_operand(kind, i);
      else
        net->first_user[track + 1]++;
    }
  }
}

void network_build(Proof *p, Network *net) {
  *net = (Network){0};
  number(p, net);
  u32 n = net->ntracks;
  net->first_user = NEW_ARRAY(p->arena, u32, n + 2);
  list_users(p, net, false);
  for (u32 t = 1; t <= n + 1; t++) net->first_user[t] += net->first_user[t - 1];
  net->user = NEW_ARRAY(p->arena, u32, net->first_user[n + 1]);
  list_users(p, net, true);
  net->cover = NEW_ARRAY(p->arena, Cover, n);
}
