/* hand_check.c -- do the hand-written kernels compute what the cases say?
 *
 *     hand-check DIR...
 *
 * Each DIR/hand.c is compiled in memory by libtcc and run twice on its case: all results and the
 * contents of all memrefs must be those of case.json, bit for bit. So the kernels that measure
 * LOOM's speed do the same work, and the expectations have another witness. The last line is
 * "N passed, M failed".
 */
#include "hand_kernel.h"

/* The second run shows that nothing is left over of the first. */
static bool is_right(const char *dir) {
  HandKernel k;
  TCCState *tcc = NULL;
  HandFunction hand = NULL;
  bool good = hand_kernel_read(dir, &k) && (hand = hand_by_tcc(dir, &tcc));
  for (int run = 0; good && run < 2; run++) {
    hand_kernel_restore(&k);
    for (u32 i = 0; i < k.nresults; i++) k.result[i] = ~(u64)0;
    hand(&k.call);
    good = hand_kernel_check(&k, k.result);
  }
  if (tcc) tcc_delete(tcc);
  hand_kernel_free(&k);
  return good;
}

int main(int argc, char **argv) {
  mem_init();
  for (int i = 1; i < argc; i++) check(is_right(argv[i]), "%s/hand.c", argv[i]);
  return checks_end();
}
