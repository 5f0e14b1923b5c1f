/* prove.h -- proves a dataflow graph right for all inputs. Three proofs: balance.c with live.c,
 * attach.c, order.c.
 *
 *     balance     both ends of every edge are in one domain (which says when tokens come: once a
 *                 call, once an iteration, ...), and no cycle waits for itself: whatever the data,
 *                 no token is lost or left over, and no op waits for one that never comes
 *     attachment  loop control drives what it must: raw continue bits at the boundary of
 *                 a loop, gated ones inside
 *     order       accesses that may touch the same element happen in one order, that of the
 *                 program, and the function is not done before all of them are
 *
 * They run on every lowered graph and, on request, on hand-written ones. They share no code with
 * the lowering. spec-tests/40-proof.md states what they prove, why that is enough, and what they
 * do not cover.
 */
#ifndef LOOM_PROVE_PROVE_H
#define LOOM_PROVE_PROVE_H

#include "ir/ir.h"

/* In a hand-written graph a failed attachment is a warning: such a graph may be right all the same
 * (balance and order say whether it is). In a lowered one it is an error. And `nonzero` on a stream
 * is trusted in a hand-written graph only. */
typedef enum { PROOF_LOWERED, PROOF_HANDWRITTEN } ProofMode;

typedef struct {
  bool balanced, attached, ordered;
  u32 domains;    /* distinct domain terms that were built */
  u32 groups;     /* of memories that may alias: each is ordered by itself */
  u32 promises;   /* hand-written: loops whose `nonzero = "reason"` was needed and trusted */
  double seconds; /* wall time of the proofs */
} ProofReport;

/* Proves a verified handshake.func; a function without a body needs no proof. False after an
 * error (COMP_PROOF_...; warnings do not count). `report`, where not NULL, is filled in either
 * case. Uses Op.index of the function's ops as scratch, changes nothing else. Time and memory are
 * linear in the graph times the depth of its loops. See chapter 40 of the manual. */
bool prove_dataflow(Context *ctx, Op *handshake_func, ProofMode mode, ProofReport *report);

/* When the tokens of each value come, for code generators (a backend, an engine): the domains of
 * the balance proof, as terms. ONCE: one a call. BURST: for each token of the parent one for each
 * that `cond` has, up to its first false. TRUE, FALSE: those tokens of the parent for which `cond`
 * is true, or false. Term 0 is ONCE; parents stand before their children. */
typedef enum { TOKENS_ONCE, TOKENS_BURST, TOKENS_TRUE, TOKENS_FALSE } TokensKind;

typedef struct {
  u8 kind;    /* TokensKind */
  u32 cond;   /* value: the loop's or the split's condition, seen through forks and buffers */
  u32 parent; /* term */
} TokensTerm;

typedef struct {
  u32 nterms, nvalues;
  const TokensTerm *terms;
  const u32 *of_value; /* by value: the arguments of the function, then the results op by op in
                          the order of its body; UINT32_MAX: no tokens (a memref) */
  Arena *arena;
} ProofDomains;

/* The domains of a verified handshake.func, or NULL where balance or liveness cannot be proved (or
 * loops could not each run in one go: COMP_PROOF_QUEUE), where that took a promise (`nonzero`), and
 * where the function has instances. Reports nothing. Linear as prove_dataflow is. The caller frees
 * the result. */
ProofDomains *proof_domains(Context *ctx, Op *handshake_func, ProofMode mode);
void proof_domains_free(ProofDomains *domains); /* NULL is allowed */

#endif
