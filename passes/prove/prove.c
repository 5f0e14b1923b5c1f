/* prove.c -- runs the three proofs over one graph.
 *
 * Each reports all it finds, and is run where its result means something: attachment always (its
 * message often names the cause of an imbalance), liveness only of a balanced graph, order only of
 * a balanced and live one.
 *
 * `proof_domains` runs balance and liveness with diagnostics off and returns the domains they
 * found. Code generators rely on those, so it is stricter than the proofs: it returns NULL where a
 * promise (`nonzero`) was needed, where there was a warning about queues, and for a graph with an
 * instance, whose body is another function. Cost: prove.h. */
#include "prove/parts.h"

static void free_proof(Proof *p) {
  vec_free(&p->ops), vec_free(&p->nodes), vec_free(&p->operand);
  vec_free(&p->def), vec_free(&p->flags), vec_free(&p->memories);
  vec_free(&p->facts), vec_free(&p->pending), vec_free(&p->domains);
  mem_free(p->domain_slots);
  map_free(&p->equal);
  linear_solver_free(&p->solver);
  arena_free(p->arena);
}

bool prove_dataflow(Context *ctx, Op *func, ProofMode mode, ProofReport *report) {
  double start = seconds_now();
  ProofReport r = {.balanced = true, .attached = true, .ordered = true};
  Proof p = {
      .ctx = ctx, .arena = arena_new(), .func = func, .mode = mode, .solver = linear_solver(ctx)};
  if (func->nregions && func->regions[0].first) {
    bool numbered = proof_number(&p);
    if (numbered) {
      domain_init(&p);
      r.balanced = prove_balance(&p);
      r.attached = prove_attachment(&p);
      r.balanced = r.balanced && prove_liveness(&p);
    }
    r.balanced = r.balanced && numbered;
    r.ordered = r.balanced && prove_order(&p);
    r.domains = p.domains.len > 1 ? (u32)p.domains.len - 1 : 0;
    r.groups = p.groups;
    r.promises = p.promises;
  }
  free_proof(&p);
  r.seconds = seconds_now() - start;
  if (report) *report = r;
  return r.balanced && r.attached && r.ordered;
}

/* ---- domains, for code generators ------------------------------------------------------------ */

static bool has_instance(const Proof *p) {
  for (u32 o = 0; o < p->nops; o++)
    if (node_at(p, o)->kind == OP_HANDSHAKE_INSTANCE) return true;
  return false;
}

/* Balance and liveness, silently; a warning counts as a failure. */
static bool is_balanced(Proof *p) {
  QuietScope quiet = diag_quiet(p->ctx);
  bool proved = proof_number(p) && !has_instance(p);
  if (proved) domain_init(p);
  proved = proved && prove_balance(p) && prove_liveness(p);
  return diag_quiet_end(p->ctx, &quiet) && proved && !p->promises;
}

/* Copies the terms without DOMAIN_UNKNOWN, so that ONCE is term 0. */
static ProofDomains *copy_domains(const Proof *p) {
  Arena *arena = arena_new();
  ProofDomains *d = NEW(arena, ProofDomains);
  u32 nterms = (u32)p->domains.len - DOMAIN_ONCE;
  TokensTerm *terms = NEW_ARRAY(arena, TokensTerm, nterms);
  u32 *of_value = NEW_ARRAY(arena, u32, p->nvalues);
  for (u32 t = 1; t < nterms; t++) {
    const Domain *from = domain_at(p, t + DOMAIN_ONCE);
    TokensKind kind = from->kind == KIND_BURST  ? TOKENS_BURST
                      : from->kind == KIND_TRUE ? TOKENS_TRUE
                                                : TOKENS_FALSE;
    terms[t] = (TokensTerm){(u8)kind, from->cond, from->parent - DOMAIN_ONCE};
  }
  for (u32 v = 0; v < p->nvalues; v++)
    of_value[v] = p->flags.at[v] & VALUE_NAME ? UINT32_MAX : p->domain[v] - DOMAIN_ONCE;
  *d = (ProofDomains){nterms, p->nvalues, terms, of_value, arena};
  return d;
}

ProofDomains *proof_domains(Context *ctx, Op *func, ProofMode mode) {
  if (!func->nregions || !func->regions[0].first) return NULL;
  Proof p = {
      .ctx = ctx, .arena = arena_new(), .func = func, .mode = mode, .solver = linear_solver(ctx)};
  ProofDomains *domains = is_balanced(&p) ? copy_domains(&p) : NULL;
  free_proof(&p);
  return domains;
}

void proof_domains_free(ProofDomains *domains) {
  if (domains) arena_free(domains->arena);
}
