#!/usr/bin/env python3
"""Arrays from NumPy into LOOM and back, where NumPy is installed.

    npy_numpy.py LOOM SCRATCH

For each element type that NumPy has, an array is saved in C's and Fortran's order, in both byte
orders and in versions 1.0 and 2.0 of the format; a kernel copies it from one memref to another;
NumPy loads what came back, and it must be the same array, in the very bytes that numpy.save writes.
Prints "N passed, N failed".
"""
import os
import subprocess
import sys

import numpy as np

TYPES = {"i1": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "index": "i4",
         "f16": "f2", "f32": "f4", "f64": "f8"}
KERNEL = """func.func @copy(%A: memref<2x3xT>, %B: memref<2x3xT>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %3 step %1 {
      %x = memref.load %A[%i, %j] : memref<2x3xT>
      memref.store %x, %B[%i, %j] : memref<2x3xT>
    }
  }
  return
}
"""


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def main(loom, scratch):
    os.makedirs(scratch, exist_ok=True)
    loom = os.path.abspath(loom)
    os.chdir(scratch)
    random = np.random.default_rng(1)
    passed = failed = 0
    for name, dtype in TYPES.items():
        with open("copy.mlir", "w") as file:
            file.write(KERNEL.replace("T", name))
        array = (random.standard_normal((2, 3)) * 50).astype(dtype)
        np.save("B.npy", np.zeros((2, 3), dtype))
        np.save("expected.npy", array)
        for how in (array, np.asfortranarray(array), array.astype(array.dtype.newbyteorder(">"))):
            for version in ((1, 0), (2, 0)):
                with open("A.npy", "wb") as file:
                    np.lib.format.write_array(file, how, version=version)
                words = [loom, "run", "copy.mlir", "--in", "A=A.npy", "--in", "B=B.npy"]
                run = subprocess.run(words + ["--out-dir", "out"], capture_output=True, check=False)
                good = run.returncode == 0 and bytes_of("out/B.npy") == bytes_of("expected.npy")
                good = good and np.array_equal(np.load("out/B.npy"), array)
                passed += good
                failed += not good
                if not good:
                    print("FAIL", name, how.flags.c_contiguous, how.dtype, version, run.stderr)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
