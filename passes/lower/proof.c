/* proof.c -- runs the three proofs over one graph.
 *
 * Each says what it found and goes on as far as it makes sense: attachment is looked at in any
 * case (its message often names the cause of an imbalance), liveness only where every edge has a
 * domain that fits, order only where nothing waits for itself. */
#include "lower/proof_parts.h"

static void free_proof(Proof *p) {
  vec_free(&p->domains);
  map_free(&p->domain_ids);
  map_free(&p->equal);
  arena_free(p->arena);
}

bool prove_dataflow(Context *ctx, Op *func, ProofMode mode, ProofReport *report) {
  ProofReport r = {.balanced = true, .attached = true, .ordered = true};
  Proof p = {.ctx = ctx, .arena = arena_new(), .func = func, .mode = mode};
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
    r.sccs = p.sccs;
    r.groups = p.groups;
    r.promises = p.promises;
  }
  free_proof(&p);
  if (report) *report = r;
  return r.balanced && r.attached && r.ordered;
}
