"""c_mutants.py -- the front end for C and the lifting of branches, broken in one place at a time: do the tests see it?

    c_mutants.py tables|code|lift BUILD SCRATCH [SEED [COUNT]]        N passed, N failed

    tables   a row of a table (operations, casts, functions, predicates) of the files that write MLIR gets what the next one has
    code     a comparison, a sign, a bound or an `and` of those, pointers.c or tables.c becomes another one
    lift     the same in passes/lower/lift.c

The functions of c_features.c go through what was broken; those that come out otherwise are run, and what they return
is held to what the system's compiler makes of them. A mutant
that nobody tells from what it was is printed with its line. Of `tables` each must be found; of the others some
are the same program.
"""

import os
import random
import re
import subprocess
import sys

kind, build, scratch = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
seed, count = int(sys.argv[4]) if len(sys.argv) > 4 else 1, int(sys.argv[5]) if len(sys.argv) > 5 else 10
SUBJECT = "spec-tests/tools/c_features.c"
ARGUMENTS = ["7, 3", "-5, 2", "100, 9"]
os.makedirs(scratch, exist_ok=True)


def run(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, "", "")


def sites(path, only_tables):
    """(start, end, instead) of what can be changed in a file, comments left alone."""
    text = open(path).read()
    plain = re.sub(r"/\*.*?\*/|^#.*?$", lambda m: " " * len(m.group()), text, flags=re.S | re.M)
    found = []
    rows = [m for m in re.finditer(r'(?<=[{ ])"(?:arith|math)\.\w+"(?=})', plain)]
    words = [m for m in re.finditer(r'(?<=[{ ])"[us]?[olgu]?(?:eq|ne|gt|ge|lt|le)"(?=[,}])', plain)]
    for table in (rows, words):
        for one, other in zip(table, table[1:]):
            if one.group() != other.group():
                found.append((one.start(), one.end(), other.group()))
    if only_tables:  # clang makes unordered comparisons, but for `uno`, in passes that do not run
        lines = text.splitlines()
        return text, [site for site in found if '"uno"' not in lines[text.count("\n", 0, site[0])]]
    swaps = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "+": "-", "-": "+"}
    found = [
        (m.start(1), m.end(1), swaps[m.group(1)])
        for m in re.finditer(r"(?<=[\w)\]] )(==|!=|<=|>=|<|>|&&|\|\||\+|-)(?= [\w(!*])", plain)
    ]
    return text, found


def functions(mlir):
    """By name the text of each; of the file the globals with every one that names them."""
    return dict(re.findall(r"func\.func @(\w+)(.*?)\n}", mlir, re.S))


def expected():
    names = re.findall(r"^FEATURE\((\w+)\)", open(SUBJECT).read(), re.M)
    calls = "".join('CALL(%s, (%s))\n' % (name, args) for name in names for args in ARGUMENTS)
    with open(scratch + "/main.c", "w") as out:
        out.write(
            '#include "%s"\n#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n' % os.path.abspath(SUBJECT)
            + '#define CALL(f, args) if (!fork()) return printf("%s%s == %d\\n", #f, #args, f##_f args), 0; wait(0);\n'
            + "int main(void) {\n" + calls + "return 0;\n}\n"
        )
    words = ["cc", "-w", "-O1", "-fno-strict-aliasing", "-ffp-contract=off", "-o", scratch + "/main", scratch + "/main.c", "-lm"]
    subprocess.run(words, check=True)
    return dict(line.rsplit(" == ", 1) for line in run(scratch + "/main").stdout.splitlines())


WANTED = expected()


def results_differ(loom, mlir, names):
    for name in names[:12]:
        for args in ARGUMENTS:
            said = run(loom, "run", mlir, "--func", name, "--args", args, "--engine", "dfg", "--max-seconds", "5").stdout
            value = re.search(r"^@\w+ == (.*)$", said, re.M)
            if not value or value.group(1) != WANTED["%s(%s)" % (name[:-2], args)]:
                return True
    return False


def front_end(sources):
    """A front end of these sources; its MLIR of the subject; None: the compiler refuses them."""
    flags = run("llvm-config-19", "--includedir", "--ldflags", "--libs").stdout.split()
    made = scratch + "/loom-c"
    words = ["cc", "-w", "-std=c11", "-D_GNU_SOURCE", '-DLIBRARY="%s/c/library.bc"' % build, "-Iplugins/c", "-isystem", flags[0]]
    if run(*words, "-o", made, *sources, *flags[1:]).returncode:
        return None
    said = run(made, SUBJECT)
    return said.stdout.split("\n== native.c")[0].replace("== kernel.mlir\n", "") if said.returncode == 0 else ""


EMIT = ["plugins/c/%s.c" % name for name in ("addresses", "branches", "calls", "convert", "emit", "globals", "memory")]
FILES = {"tables": EMIT, "code": EMIT + ["plugins/c/pointers.c", "plugins/c/tables.c"], "lift": ["passes/lower/lift.c"]}
REST = EMIT + ["plugins/c/%s.c" % name for name in ("child", "declared", "pointers", "tables")]


def found_in_front_end(path, mutant):
    mlir = front_end([mutant if name == path else name for name in REST])
    if mlir is None:
        return None
    if not mlir:
        return True
    with open(scratch + "/mutant.mlir", "w") as out:
        out.write(mlir)
    made = functions(mlir)
    return results_differ(build + "/loom", scratch + "/mutant.mlir", [name for name in RIGHT if made.get(name) != RIGHT[name]])


def found_in_lift(path, mutant):
    words = ["cc", "-w", "-O1", "-std=c11", "-D_GNU_SOURCE", "-Ipasses", "-I" + build, "-c", "-o", scratch + "/lift.o", mutant]
    if run(*words).returncode:
        return None
    loom = scratch + "/loom"
    rule = run("make", "-n", "-W", build + "/loom.o", "BUILD=" + build, build + "/loom").stdout
    link = [line for line in rule.splitlines() if " -o %s/loom " % build in line][-1]
    link = link.replace(build + "/loom.o", "%s/loom.o %s/lift.o" % (build, scratch))  # before the library's own
    link = link.replace("-o %s/loom " % build, "-o %s " % loom)
    if run("sh", "-c", link).returncode:
        sys.exit("cannot link: " + link)
    names = list(functions(open(scratch + "/right.mlir").read()))
    random.Random(seed).shuffle(names)
    lowered = run(loom, "lower", scratch + "/right.mlir")
    return lowered.returncode != 0 or (lowered.stdout != LOWERED and results_differ(loom, scratch + "/right.mlir", names))


right = front_end(REST)
RIGHT = functions(right)
with open(scratch + "/right.mlir", "w") as out:
    out.write(right)
LOWERED = run(build + "/loom", "lower", scratch + "/right.mlir").stdout
every = [(path, site) for path in FILES[kind] for site in sites(path, kind == "tables")[1]]
random.Random(seed).shuffle(every)
found = missed = 0
for path, (start, end, instead) in every[:count]:
    text = open(path).read()
    mutant = scratch + "/mutant.c"
    with open(mutant, "w") as out:
        out.write(text[:start] + instead + text[end:])
    is_found = (found_in_lift if kind == "lift" else found_in_front_end)(path, mutant)
    if is_found is None:
        continue
    found += is_found
    missed += not is_found
    if not is_found:
        line = text.count("\n", 0, start)
        print("%s %s:%d: %s becomes %s:%s" % ("FAIL" if kind == "tables" else "not found", path, line + 1, text[start:end], instead, text.splitlines()[line]))
print("seed %d" % seed)
print("%d passed, %d failed" % (found, missed))
sys.exit(kind == "tables" and missed > 0)
