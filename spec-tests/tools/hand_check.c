/* hand_check.c -- do the hand-written kernels compute what the cases say?
 *
 *     hand-check [--cc COMPILER] DIR...                    N passed, N failed
 *
 * Each DIR/hand.c is compiled, in memory by libtcc or else by the compiler named, and run twice on its
 * case: all results and the contents of all memrefs must be those of case.json, bit for bit. So the
 * kernels that measure LOOM's speed do the same work, and the expectations, which reference.c wrote,
 * have another witness. c_golden.sh has hand.c call what LOOM made of its kernel.
 */
#include "hand_kernel.h"
#include <dlfcn.h>

static const char *compiler;

/* The second run shows that nothing is left over of the first. */
static bool is_right(const char *dir) {
  HandKernel k;
  TCCState *tcc = NULL;
  void *library = NULL;
  bool good = hand_kernel_read(dir, &k);
  HandFunction hand = !good      ? NULL
                      : compiler ? hand_by_cc(compiler, dir, &library)
                                 : hand_by_tcc(dir, &tcc);
  good = hand != NULL;
  for (int run = 0; good && run < 2; run++) {
    hand_kernel_restore(&k);
    for (u32 i = 0; i < k.nresults; i++) k.result[i] = ~(u64)0;
    hand(&k.call);
    good = hand_kernel_check(&k, k.result);
  }
  if (tcc) tcc_delete(tcc);
  if (library) dlclose(library);
  hand_kernel_free(&k);
  return good;
}

int main(int argc, char **argv) {
  mem_init();
  int n = tool_options(argc, argv, TOOL_OPTIONS(TOOL_TEXT("--cc", compiler)),
                       "hand-check [--cc COMPILER] DIR...");
  for (int i = 1; i < n; i++) check(is_right(argv[i]), "%s/hand.c", argv[i]);
  return checks_end();
}
