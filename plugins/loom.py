"""loom -- kernels on arrays of NumPy, over LOOM's command line.

    import loom, numpy as np

    fir = loom.kernel("fir.c", "fir")
    run = fir.run(x, h, np.zeros(3, np.int32), 3)              on the graph
    run.arrays["y"], run.results
    run = fir.map("medium").run(x, h, np.zeros(3, np.int32), 3)   on hardware, cycle by cycle
    run.stats["cycles"]

An argument is an array, a number, or what NumPy makes an array of; it is handed over as the type that the
kernel has for it. Nothing is changed in place: what memories hold afterwards is in `arrays`, by the name of
the argument. What LOOM has to say about a kernel or a run becomes an exception, Error, with LOOM's own text.

The program is that of the environment's LOOM, or the `loom` beside or above this file, or in PATH. One file,
the standard library and NumPy.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import NamedTuple

import numpy as np


class Error(Exception):
    """LOOM did not do it: `status` is its exit status, `diagnostics` what it said."""

    def __init__(self, status, diagnostics):
        super().__init__(diagnostics.strip() or "loom ended with status %d" % status)
        self.status = status
        self.diagnostics = diagnostics


class Run(NamedTuple):
    arrays: dict  # by the name of the argument
    results: list
    stats: dict  # of hardware, what `loom sim --stats --json` says; else {}


def _program():
    here = pathlib.Path(__file__).resolve()
    places = [os.environ.get("LOOM", "")]
    places += [str(folder / name) for folder in list(here.parents)[:5] for name in ("loom", "bin/loom")]
    for place in places:
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    return shutil.which("loom") or "loom"


def _call(*words):
    made = subprocess.run([_program(), *map(str, words)], capture_output=True, text=True)
    if made.returncode:
        raise Error(made.returncode, made.stderr or made.stdout)
    return made.stdout


_FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def _dtype(name):
    """The type of NumPy that holds values of one of LOOM."""
    if name in _FLOATS:
        return _FLOATS[name]
    bits = 64 if name == "index" else int(name[1:]) if re.fullmatch(r"i\d+", name) else 0
    if name == "i1":
        return np.bool_
    for size in (8, 16, 32, 64):
        if 0 < bits <= size:
            return np.dtype("int%d" % size)
    raise TypeError("NumPy has no type for %s" % name)


_MEMREF = re.compile(r"memref<((?:(?:\d+|\?)x)*)(\w+)")


def _dimensions(memref):
    return _MEMREF.match(memref).group(1).split("x")[:-1]


def _element(memref):
    return _MEMREF.match(memref).group(2)


class Kernel:
    """One function of a file; see `kernel`."""

    def __init__(self, path, function=None, options=()):
        self._file = [str(path), *(["--func", function] if function else []), *options]
        text = _call("lower", *self._file, "--stop-after", "lift")
        heads = re.findall(r"func\.func @(\S+?)\((.*?)\)(?: -> (.*?))? (?:attributes .*?)?\{\n", text)
        heads = [head for head in heads if function in (None, head[0])]
        if len(heads) != 1:
            raise Error(2, "%s has %d functions: name one" % (path, len(heads)))
        self.name, arguments, results = heads[0]
        self.arguments = re.findall(r"%([^:\s]+): (memref<[^>]*>|\w+)", arguments)
        self._results = re.findall(r"\w+", results)

    def _inputs(self, given, folder):
        """The words that hand arguments over, and the shapes that they have."""
        if len(given) != len(self.arguments):
            raise TypeError("@%s takes %d arguments, not %d" % (self.name, len(self.arguments), len(given)))
        words, shapes = [], {}
        for i, (value, (name, kind)) in enumerate(zip(given, self.arguments)):
            is_memory = kind.startswith("memref")
            element = _element(kind) if is_memory else kind
            array = np.asarray(value).astype(_dtype(element))
            shapes[i] = array.shape
            if is_memory and array.ndim > 1 and len(_dimensions(kind)) == 1:
                array = array.reshape(-1)  # C's pointer to the first element
            file = os.path.join(folder, "%d.npy" % i)
            np.save(file, np.ascontiguousarray(array) if array.ndim else array)
            words += ["--in", "%d=%s" % (i, file)]
        return words, shapes

    def _outputs(self, file, shapes, stats):
        with open(file) as stream:
            said = json.load(stream)
        arrays = {}
        for memory in said.get("memrefs", []):
            name, kind = self.arguments[memory["arg"]]
            dtype = _dtype(_element(kind))
            values = [float(v) if isinstance(v, str) else v for v in memory["data"]]
            arrays[name] = np.array(values).astype(dtype).reshape(shapes[memory["arg"]])
        results = [
            _dtype(kind)(v) if not isinstance(_dtype(kind), np.dtype) else _dtype(kind).type(v)
            for v, kind in zip(said.get("results", []), self._results)
        ]
        return Run(arrays, results, stats)

    def run(self, *arguments, engine="dfg"):
        """On its graph, or another engine: ref, dfg, jit, cc, all."""
        with tempfile.TemporaryDirectory() as folder:
            words, shapes = self._inputs(arguments, folder)
            out = os.path.join(folder, "out.json")
            _call("run", *self._file, *words, "--engine", engine, "--out", out)
            return self._outputs(out, shapes, {})

    def map(self, fabric, seed=0, folder=None):
        """On a fabric: a preset's name, or a file. The files of the mapping go with the object, or stay in
        `folder`."""
        return Mapping(self, fabric, seed, folder)


class Mapping:
    """A kernel on a fabric."""

    def __init__(self, kernel, fabric, seed, folder):
        self._kernel = kernel
        self._own = None if folder else tempfile.TemporaryDirectory()
        self.folder = folder or self._own.name
        self.summary = _call("map", *kernel._file, "--adg", fabric, "--seed", seed, "-o", self.folder)
        with open(next(pathlib.Path(self.folder).glob("*.map.json"))) as stream:
            self.report = json.load(stream)

    def run(self, *arguments, engine="jit"):
        """Cycle by cycle, and compared with the graph: step (the reference), jit, cc."""
        with tempfile.TemporaryDirectory() as folder:
            words, shapes = self._kernel._inputs(arguments, folder)
            out = os.path.join(folder, "out.json")
            said = _call("sim", self.folder, *words, "--engine", engine, "--out", out, "--json")
            return self._kernel._outputs(out, shapes, json.loads(said))


def kernel(path, function=None, options=()):
    """The function of a file of MLIR, C, or what a front end reads; without a name, the only one. `options`
    are words more of the command line, such as ["--read", "flags=-DN=64"]."""
    return Kernel(path, function, list(options))
