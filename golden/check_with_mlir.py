#!/usr/bin/env python3
"""Run golden kernels through the real MLIR and compare with their case.json.

    check_with_mlir.py [--index 32|64] [--keep DIR] KERNEL_DIR...

An optional check of the golden folder, independent of LOOM: it needs the
package mlir-22-tools (or 19: then without bounds checks) and nothing else. For
each KERNEL_DIR it

  1. lets mlir-opt read kernel.mlir (all installed versions are asked, the
     newest must accept it) and takes the entry's signature from what it prints;
  2. appends a driver in MLIR: the inputs of case.json as constant globals, a
     call of the kernel, and a print of every result and of every memref as
     integers that hold the bits;
  3. lowers that to the LLVM dialect, with bounds checks on every access, and
     runs it under mlir-runner's JIT, malloc'ed memory filled with rubbish;
  4. compares bit for bit with "expected" (any NaN equals any NaN).

Prints one line a kernel, `OK` or `FAIL` with the first differences; exits 1 if
any failed. --index 32 runs with LOOM's index width instead of MLIR's 64.
--keep leaves the driver module of each kernel in DIR.
"""

import argparse
import glob
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

INT_WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOAT_WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


class Failure(Exception):
    pass


def tool(names):
    """The first of these programs that is installed, or None."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    return None


def tools(version):
    runner = tool([f"mlir-runner-{version}", f"mlir-cpu-runner-{version}",
                   f"/usr/lib/llvm-{version}/bin/mlir-runner"])
    return tool([f"mlir-opt-{version}"]), runner


def shared_libraries():
    """printI64 and the half-precision helpers; any version's will do."""
    found = []
    for stem in ("libmlir_c_runner_utils", "libmlir_float16_utils"):
        paths = [p for p in glob.glob(f"/usr/lib/llvm-*/lib/{stem}.so*") if os.path.isfile(p)]
        if paths:
            found.append(sorted(paths)[-1])
    return found


# Values as bits -------------------------------------------------------------

def bits(type_name, v):
    """The bit pattern of a JSON value as an unsigned number."""
    if type_name == "index":
        return int(v) & (2**64 - 1)
    if type_name in INT_WIDTH:
        return int(v) & (2 ** INT_WIDTH[type_name] - 1)
    v = float(v)  # also reads "nan", "inf" and "-inf"
    if type_name == "f64":
        return struct.unpack("<Q", struct.pack("<d", v))[0]
    if type_name == "f32":
        return struct.unpack("<I", struct.pack("<f", v))[0]
    if type_name == "f16":
        return struct.unpack("<H", struct.pack("<e", v))[0]
    single = struct.unpack("<I", struct.pack("<f", v))[0]
    if single & 0xFFFF and not math.isnan(v):
        raise Failure(f"{v!r} is not a bf16 value")
    return single >> 16


def is_nan(type_name, pattern):
    layout = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}.get(type_name)
    if not layout:
        return False
    exponent, fraction = layout
    return (pattern >> fraction) & (2**exponent - 1) == 2**exponent - 1 and pattern & (2**fraction - 1) != 0


def literal(type_name, v):
    """A JSON value as MLIR text, exactly."""
    if type_name == "i1":
        return "true" if v else "false"
    if type_name in FLOAT_WIDTH:
        return f"0x{bits(type_name, v):0{FLOAT_WIDTH[type_name] // 4}X}"
    return str(int(v))


# The driver -----------------------------------------------------------------

def split_types(text):
    """Split at the commas that are outside all brackets."""
    parts, depth, start = [], 0, 0
    for i, ch in enumerate(text):
        if ch in "<([{":
            depth += 1
        elif ch in ">)]}":
            depth -= 1
        elif ch == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    if text[start:].strip():
        parts.append(text[start:].strip())
    return parts


def signature(module, name):
    """Argument and result types of func.func @name as mlir-opt prints it."""
    m = re.search(rf"func\.func @{re.escape(name)}\((.*?)\)(?: -> (.*?))?(?: attributes .*?)? \{{\n", module)
    if not m:
        raise Failure(f"no func.func @{name} in kernel.mlir")
    args = [re.sub(r"^%[\w$.-]+: ", "", a) for a in split_types(m.group(1))]
    results = (m.group(2) or "").strip()
    if results.startswith("("):
        results = results[1:-1]
    return args, split_types(results)


def print_value(out, value, type_name, tag):
    """Emit the ops that print one value's bits as an i64."""
    if type_name in FLOAT_WIDTH:
        width = FLOAT_WIDTH[type_name]
        out.append(f"  %b{tag} = arith.bitcast {value} : {type_name} to i{width}")
        value, type_name = f"%b{tag}", f"i{width}"
    if type_name == "index":
        out.append(f"  %w{tag} = arith.index_cast {value} : index to i64")
        value = f"%w{tag}"
    elif type_name != "i64":
        out.append(f"  %w{tag} = arith.extui {value} : {type_name} to i64")
        value = f"%w{tag}"
    out.append(f"  func.call @printI64({value}) : (i64) -> ()")
    out.append("  func.call @printNewline() : () -> ()")


def driver(case, arg_types, result_types):
    globals_, out, call_args, memrefs = [], [], [], []
    if len(case["args"]) != len(arg_types):
        raise Failure(f"case has {len(case['args'])} arguments, the function {len(arg_types)}")
    for i, (arg, want) in enumerate(zip(case["args"], arg_types)):
        if "scalar" in arg:
            t, v = arg["scalar"]["type"], arg["scalar"]["value"]
            if t != want:
                raise Failure(f"argument {i} is {t} in the case and {want} in the kernel")
            text = literal(t, v)
            out.append(f"  %arg{i} = arith.constant {text}" + ("" if t == "i1" else f" : {t}"))
            call_args.append(f"%arg{i}")
            continue
        m = arg["memref"]
        t, shape, data = m["type"], m["shape"], m["data"]
        count = math.prod(shape)
        if count != len(data):
            raise Failure(f"argument {i}: shape {shape} with {len(data)} elements")
        flat = f"memref<{count}x{t}>"
        shaped = "memref<" + "".join(f"{d}x" for d in shape) + f"{t}>"
        elements = ", ".join(literal(t, v) for v in data)
        globals_.append(f'memref.global "private" constant @case_arg{i} : {flat} = dense<[{elements}]>')
        strides = [math.prod(shape[d + 1:]) for d in range(len(shape))]
        out += [f"  %src{i} = memref.get_global @case_arg{i} : {flat}",
                f"  %flat{i} = memref.alloc() : {flat}",
                f"  %count{i} = arith.constant {count} : index",
                f"  scf.for %k = %c0 to %count{i} step %c1 {{",
                f"    %v = memref.load %src{i}[%k] : {flat}",
                f"    memref.store %v, %flat{i}[%k] : {flat}",
                "  }",
                f"  %shaped{i} = memref.reinterpret_cast %flat{i} to offset: [0], sizes: {shape}, "
                f"strides: {strides} : {flat} to {shaped}"]
        if shaped == want:
            call_args.append(f"%shaped{i}")
        else:
            out.append(f"  %arg{i} = memref.cast %shaped{i} : {shaped} to {want}")
            call_args.append(f"%arg{i}")
        memrefs.append((i, t, count, flat))
    results = [f"%res{r}" for r in range(len(result_types))]
    left = f"{', '.join(results)} = " if results else ""
    types = result_types[0] if len(result_types) == 1 else f"({', '.join(result_types)})"
    out.append(f"  {left}func.call @{case['function']}({', '.join(call_args)}) : "
               f"({', '.join(arg_types)}) -> {types}")
    for r, t in enumerate(result_types):
        print_value(out, f"%res{r}", t, f"r{r}")
    for i, t, count, flat in memrefs:
        out.append(f"  scf.for %k = %c0 to %count{i} step %c1 {{")
        out.append(f"    %v = memref.load %flat{i}[%k] : {flat}")
        print_value(out, "%v", t, f"m{i}")
        out.append("  }")
    return "\n".join(globals_ + [
        "func.func private @printI64(i64)", "func.func private @printNewline()",
        "func.func @case_main() {",
        "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index",
        *out, "  return", "}"])


# Running --------------------------------------------------------------------

def run(command, text, **kw):
    p = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, **kw)
    if p.returncode != 0:
        raise Failure(f"{os.path.basename(command[0])}: " + (p.stderr or p.stdout).strip()[:1500])
    return p.stdout


def pipeline(version, index, program):
    width = f"{{index-bitwidth={index}}}"
    passes = ["generate-runtime-verification"] if version >= 22 else []
    passes += ["convert-scf-to-cf", "memref-expand", "expand-strided-metadata", "lower-affine"]
    # Only where it is needed: its arith.maximumf(0, -0) is -0, which is wrong.
    if re.search(r"bf16|ceildiv|floordiv", program):
        passes.append("func.func(arith-expand{include-bf16=true})")
    passes += ["convert-math-to-llvm", "finalize-memref-to-llvm" + width, "convert-arith-to-llvm" + width,
               "convert-cf-to-llvm" + width, "convert-func-to-llvm" + width, "reconcile-unrealized-casts"]
    return "--pass-pipeline=builtin.module(" + ",".join(passes) + ")"


def check(folder, options):
    case = json.loads((folder / "case.json").read_text())
    name = case["function"]
    if name != folder.name:
        raise Failure(f"the case is for @{name}")

    accepted = []
    for version in (16, 19, 22):
        opt, _ = tools(version)
        if opt and subprocess.run([opt, str(folder / "kernel.mlir")], capture_output=True).returncode == 0:
            accepted.append(str(version))

    version = max((v for v in (19, 22) if all(tools(v))), default=None)
    if version is None:
        raise Failure("no mlir-opt and mlir-runner of version 22 or 19")
    opt, runner = tools(version)
    module = run([opt, str(folder / "kernel.mlir")], "")
    arg_types, result_types = signature(module, name)
    body = module.rstrip()
    if not body.endswith("}"):
        raise Failure("mlir-opt printed no module")
    program = body[:-1] + driver(case, arg_types, result_types) + "\n}\n"
    if options.keep:
        Path(options.keep, f"{name}.mlir").write_text(program)
    lowered = run([opt, pipeline(version, options.index, program)], program)
    libs = shared_libraries()
    text = run([runner, "-O1", "-e", "case_main", "-entry-point-result=void"]
               + [f"--shared-libs={lib}" for lib in libs], lowered,
               env=dict(os.environ, MALLOC_PERTURB_="165"))
    got = [int(line) & (2**64 - 1) for line in text.split()]

    want = []  # (where, type, value)
    expected = case["expected"]
    if len(expected["results"]) != len(result_types):
        raise Failure(f"case has {len(expected['results'])} results, the function {len(result_types)}")
    for r, (t, v) in enumerate(zip(result_types, expected["results"])):
        want.append((f"result {r}", t, v))
    listed = [m["arg"] for m in expected["memrefs"]]
    if listed != [i for i, a in enumerate(case["args"]) if "memref" in a]:
        raise Failure("expected.memrefs does not list all memref arguments in order")
    for m in expected["memrefs"]:
        given = case["args"][m["arg"]]["memref"]
        if len(m["data"]) != len(given["data"]):
            raise Failure(f"expected memref {m['arg']} has {len(m['data'])} elements")
        for k, v in enumerate(m["data"]):
            want.append((f"argument {m['arg']}[{k}]", given["type"], v))
    if len(got) != len(want):
        raise Failure(f"{len(got)} values printed, {len(want)} expected")
    wrong = []
    for g, (where, t, v) in zip(got, want):
        w = bits(t, v)
        if g != w and not (is_nan(t, g) and is_nan(t, w)):
            wrong.append(f"{where}: expected {v} (0x{w:x}), MLIR computes 0x{g:x}")
    if wrong:
        raise Failure(f"{len(wrong)} differences\n    " + "\n    ".join(wrong[:5]))
    return len(want), accepted


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--index", choices=["32", "64"], default="64")
    parser.add_argument("--keep")
    parser.add_argument("kernels", nargs="+", type=Path)
    options = parser.parse_args()
    failed = 0
    for folder in options.kernels:
        folder = folder.resolve()
        if not (folder / "kernel.mlir").exists():
            continue
        try:
            values, accepted = check(folder, options)
            print(f"OK    {folder.name}: {values} values agree; read by mlir-opt {', '.join(accepted)}", flush=True)
        except (Failure, KeyError, ValueError, OSError, subprocess.TimeoutExpired) as e:
            failed += 1
            print(f"FAIL  {folder.name}: {e}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
