/* fail_alloc.c -- every allocation fails once: LOOM says so and leaves, and never leaves half a
 * file.
 *
 *     fail-alloc build/loom golden/dot               N passed, N failed
 *     fail-alloc --every 20 build/loom golden/dot    the first hundred, then one in 20
 *
 * LOOM_FAIL_ALLOC=N makes the Nth request to the system fail. For each of the commands below, N
 * goes 1, 2, 3, ... until a run asks for fewer than N. Every run must either succeed or say
 *
 *     loom: out of memory (a request for 4096 bytes failed)
 *
 * and nothing else (but for what a command that fails says anyhow), exit with 5, and leave nothing
 * in its output folder, not even under a temporary name. There are few allocations to try (arenas
 * double their chunks): a few hundred a command, so all of them are tried. In a build where each
 * object is an allocation of its own (make asan) there are thousands; --every tries a part of them,
 * the same at each run, and says which.
 */
#include "base/base.h"
#include "lib.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WORDS = 12, GIVE_UP = 100000, ALL_OF = 100 };

static char source[500], kernel[512], input[512], folder[64], output[128], layout[128],
    said_path[128];
static const char units[] = "spec-tests/fuzz-corpus/fabric-pes.mlir";

#define FABRIC  "spec-tests/fuzz-corpus/fabric-modules.mlir"
#define FIELDS  "spec-tests/tools/fabric_fields.json"
#define IMAGE   "spec-tests/tools/fabric_image.json"
#define CHECKED "spec-tests/tools/check_fabric.mlir"
#define BITS    "spec-tests/tools/check_image.json"
#define GRAPH   "spec-tests/tools/check_graph.mlir"
/* hardware that deadlocks: another status, and other words before the message */
#define STANDING      "spec-tests/tools/standing_fabric.mlir"
#define STANDING_CASE "spec-tests/tools/standing_case.json"

/* A word of a command line; the names above are filled in before anything runs. */
static const char *const commands[][MAX_WORDS] = {
    {"opt", kernel, "-o", output},
    {"opt", kernel, "--generic", "-o", output},
    {"adg", "show", FABRIC, "--module", "top", "-o", output},
    {"adg", "tiny", "--fu", "int", "-o", output, "--viz", layout},
    {"adg", "tiny", "--pes", units, "--fu", units, "--cell", "0,1=adder", "-o", output},
    {"config", "show", FABRIC, IMAGE, "--module", "top", "-o", output},
    {"config", "encode", FABRIC, "--module", "top", "-o", output},
    {"config", "encode", FABRIC, FIELDS, "--module", "top", "-o", output},
    {"config", "decode", FABRIC, IMAGE, "--module", "top", "-o", output},
    {"config", "decode", FABRIC, IMAGE, "--text", "--module", "top", "-o", output},
    {"config", "decode", CHECKED, BITS, "--graph", "-o", output},
    {"config", "check", CHECKED, BITS, GRAPH},
    {"map", "spec-tests/fuzz-corpus/map-graph.mlir", "--adg",
     "spec-tests/fuzz-corpus/map-fabric.mlir", "-o", folder, "--dot"},
    {"sim", STANDING, "--case", STANDING_CASE},
    {"sim", STANDING, "--case", STANDING_CASE, "--engine", "jit", "--max-cycles", "2", "--json"},
    {"lower", kernel, "-o", output},
    {"lower", kernel, "--order=serial", "-o", output},
    {"run", kernel, "--case", input, "--engine", "ref", "--out", output},
    {"run", kernel, "--case", input, "--engine", "dfg", "--out", output},
    {"run", kernel, "--case", input, "--engine", "dfg", "--out-dir", folder},
    {"golden", "check", "--engine", "dfg", source},
    {"emit", "trace", kernel, "--case", input, "-o", folder, "--", "--format=vcd"},
    {"emit", "dot", kernel, "-o", folder},
    {"emit", "csim", kernel},
};

/* Runs it with the Nth allocation failing; standard error goes to `said_path`. */
static int run(const char *loom, const char *const words[], u64 n) {
  const char *argv[MAX_WORDS + 2] = {loom};
  char number[32];
  for (unsigned i = 0; i < MAX_WORDS && words[i]; i++) argv[i + 1] = words[i];
  snprintf(number, sizeof number, "%llu", (unsigned long long)n);
  setenv("LOOM_FAIL_ALLOC", number, 1);
  return run_program(argv, &(RunLimits){.out = "/dev/null", .err = said_path, .seconds = 60});
}

/* True where the folder is empty; empties it. */
static bool nothing_left(void) {
  bool empty = true;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    char path[512];
    if (entry->d_name[0] == '.' && strspn(entry->d_name, ".") == strlen(entry->d_name)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    unlink(path);
    empty = false;
  }
  if (dir) closedir(dir);
  return empty;
}

/* One line that says there is no memory, and nothing else; or what comes last is that line. */
static bool said_so(const char *said, bool alone) {
  static const char start[] = "loom: out of memory (a request for ", end[] = " bytes failed)\n";
  const char *line = alone ? said : strstr(said, start);
  if (!line || strncmp(line, start, sizeof start - 1)) return false;
  const char *number = line + sizeof start - 1;
  size_t digits = strspn(number, "0123456789");
  return digits && !strcmp(number + digits, end);
}

/* Raises N until the command succeeds, one by one up to ALL_OF and then by `every`. */
static void try_command(const char *loom, const char *const words[], u64 every) {
  enum { ENOUGH = 5 };
  int usual = run(loom, words, GIVE_UP), status = -1; /* what comes of it when there is memory */
  nothing_left();
  for (u64 n = 1; n < GIVE_UP && failed < ENOUGH && status != usual; n += n < ALL_OF ? 1 : every) {
    status = run(loom, words, n);
    char *said = read_file(said_path, NULL);
    bool told = said && said_so(said, usual == EXIT_GOOD), clean = nothing_left();
    const char *wrong = status != usual && status != EXIT_FAULT ? "neither as usual nor 5"
                        : status == EXIT_FAULT && !told         ? "without the one message"
                        : status == EXIT_FAULT && !clean        ? "with a file left behind"
                                                                : NULL;
    Buf line = {0};
    for (unsigned i = 0; i < MAX_WORDS && words[i]; i++) buf_printf(&line, " %s", words[i]);
    check(!wrong, "LOOM_FAIL_ALLOC=%llu %s%s: status %d, %s: %s", (unsigned long long)n, loom,
          line.data, status, wrong ? wrong : "", said ? said : "");
    buf_free(&line);
    free(said);
  }
}

int main(int argc, char **argv) {
  static const char usage[] = "fail-alloc [--every N] LOOM KERNEL-FOLDER";
  u64 every = 1;
  if (tool_options(argc, argv, TOOL_OPTIONS(TOOL_NUMBER("--every", every)), usage) != 3 || !every)
    wrong_usage(usage);
  snprintf(folder, sizeof folder, "%s/out", temp_folder());
  mkdir(folder, 0777);
  snprintf(said_path, sizeof said_path, "%s/said", temp_folder());
  snprintf(source, sizeof source, "%s", argv[2]);
  snprintf(kernel, sizeof kernel, "%s/kernel.mlir", argv[2]);
  snprintf(input, sizeof input, "%s/case.json", argv[2]);
  snprintf(output, sizeof output, "%s/file", folder);
  snprintf(layout, sizeof layout, "%s/layout", folder);
  for (size_t i = 0; i < COUNT_OF(commands); i++) try_command(argv[1], commands[i], every);
  if (every > 1)
    printf("of each command the first %d allocations, then one in %llu\n", ALL_OF,
           (unsigned long long)every);
  return checks_end();
}
