"""loom_py.py -- loom.py, as its users call it; and NumPy's own .npy files.

    python3 spec-tests/tools/loom_py.py LOOM [c]          N passed, N failed

Results, arrays and errors of loom.py are compared with what NumPy computes. What a kernel that copies an array writes must be
the bytes that numpy.save writes, in each type that NumPy has; npy_check.c knows such files from their specification alone, and
has the other orders of bytes and of dimensions. With `c` a kernel of C is called, too.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["LOOM"] = os.path.abspath(sys.argv[1])
root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "plugins"))
import loom
import numpy as np

passed = failed = 0


def check(what, good):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("FAIL", what)


work = pathlib.Path(tempfile.mkdtemp())
(work / "k.mlir").write_text(
    """func.func @scale(%m: memref<2x3xf32>, %k: f32, %n: index) -> (f32, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %x = memref.load %m[%c1, %j] : memref<2x3xf32>
    %y = arith.mulf %x, %k : f32
    memref.store %y, %m[%c1, %j] : memref<2x3xf32>
  }
  %last = memref.load %m[%c1, %c0] : memref<2x3xf32>
  %more = arith.cmpf ogt, %last, %k : f32
  return %last, %more : f32, i1
}
func.func @nth(%m: memref<4xindex>, %k: index) -> index {
  %x = memref.load %m[%k] : memref<4xindex>
  return %x : index
}
func.func @broken(%a: i32) -> i32 {
  %z = arith.constant 0 : i32
  %q = arith.divsi %a, %z : i32
  return %q : i32
}
"""
)
scale = loom.kernel(work / "k.mlir", "scale")
m = np.arange(6, dtype=np.float32).reshape(2, 3)
want = np.array([[0, 1, 2], [1.5, 2, 5]], np.float32)
for name, run in (("dfg", scale.run(m, 0.5, 2)), ("sim", scale.map("medium").run(m, 0.5, 2))):
    check(name + " arrays", run.arrays["m"].dtype == np.float32 and (run.arrays["m"] == want).all())
    check(name + " results", run.results == [1.5, True])
check("nothing is changed in place", m[1, 0] == 3)
check("cycles", run.stats["cycles"] > 10 and run.stats["end"] == "done")
nth = loom.kernel(work / "k.mlir", "nth").run([1, 2, 3, 4], 2)
check("elements of index", nth.results == [3] and list(nth.arrays["m"]) == [1, 2, 3, 4])
nan = scale.run(m * np.nan, 1, 1)
check("nan", np.isnan(nan.results[0]))
for what, call, status, says in (
    ("a trap", lambda: loom.kernel(work / "k.mlir", "broken").run(1), 4, "divides by zero"),
    ("no file", lambda: loom.kernel(work / "none.mlir"), 1, "COMP_FILE_READ"),
    ("several functions", lambda: loom.kernel(work / "k.mlir"), 2, "name one"),
    ("no such fabric", lambda: scale.map("enormous"), 1, "enormous"),
):
    try:
        call()
        check(what, False)
    except loom.Error as error:
        check(what, error.status == status and says in str(error))
try:
    scale.run(m)
    check("too few arguments", False)
except TypeError as error:
    check("too few arguments", "takes 3 arguments, not 1" in str(error))
COPY = """func.func @copy(%A: memref<6xT>, %B: memref<6xT>) {
  memref.copy %A, %B : memref<6xT> to memref<6xT>
  return
}
"""
for name, dtype in zip("i1 i8 i16 i32 i64 index f16 f32 f64".split(), "? i1 i2 i4 i8 i4 f2 f4 f8".split()):
    (work / "copy.mlir").write_text(COPY.replace("T", name))
    np.save(work / "A.npy", (np.random.default_rng(1).standard_normal(6) * 50).astype(dtype))
    np.save(work / "B.npy", np.zeros(6, dtype))
    words = "run copy.mlir --in A=A.npy --in B=B.npy --out-dir out".split()
    run = subprocess.run([os.environ["LOOM"], *words], cwd=work, capture_output=True, check=False)
    copied = run.returncode == 0 and (work / "out/B.npy").read_bytes() == (work / "A.npy").read_bytes()
    check("numpy.save of " + name, copied)

if len(sys.argv) > 2:  # the front end for C is there
    (work / "fir.c").write_text(
        "void fir(const int *x, const int h[4], int *restrict y, int n) {\n"
        "  for (int i = 0; i < n; i++) {\n    int s = 0;\n"
        "    for (int k = 0; k < 4; k++) s += h[k] * x[i + k];\n    y[i] = s >> 4;\n  }\n}\n"
    )
    fir = loom.kernel(work / "fir.c", "fir")
    x, h = np.array([1600, 2, 3, -4000, 5, 6]), [1, 2, -1, 1]
    check("C", list(fir.run(x, h, np.zeros(3), 3).arrays["y"]) == [-150, 250, -500])
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
