"""system_cores.py FOLDER: the descriptions of a system for FuseSoC and for LiteX, against its RTL.

The core file is read as YAML: its files are those of rtl.f, its parameters those of loom_system.sv. The LiteX module is
built with stand-ins for migen and litex, whose interfaces have the names that LiteX's have and no others: each port
of loom_system.sv is connected once, in its direction, and every file is added."""

import importlib.util
import os
import re
import sys
import types

folder = sys.argv[1]
wrong = 0


def expect(good, what):
    global wrong
    if not good:
        wrong += 1
        print("wrong:", what)


with open(os.path.join(folder, "rtl.f")) as f:
    sources = [name for name in f.read().split() if name.endswith(".sv")]
with open(os.path.join(folder, "rtl/loom_system.sv")) as f:
    head = re.search(r"module loom_system #\((.*?)\) \((.*?)\n\);", f.read(), re.S)
parameters = re.findall(r"parameter \w+ (\w+)", head[1])
ports = {name: way[0] for way, name in re.findall(r"^ *(input|output) +logic +(?:\[[^]]*\] +)?(\w+)", head[2], re.M)}

# ---- FuseSoC
try:
    import yaml
except ImportError:
    print("SKIP no YAML")
else:
    with open(os.path.join(folder, "loom_system.core")) as f:
        expect(f.readline() == "CAPI=2:\n", "the first line of the core")
        core = yaml.safe_load(f)
    # What CAPI2 knows of these sections, and no other key.
    expect(set(core) == {"name", "description", "filesets", "parameters", "targets"}, "sections of the core")
    expect(re.fullmatch(r"[^:]*:[^:]*:\w+:[\w.]+", core["name"]), "the core's vendor:library:name:version")
    expect(set(core["filesets"]["rtl"]) == {"files", "file_type"} and core["filesets"]["rtl"]["file_type"] == "systemVerilogSource",
           "the type of its files")
    for name, parameter in core["parameters"].items():
        expect(set(parameter) == {"datatype", "paramtype", "description"} and parameter["datatype"] == "int" and
               parameter["paramtype"] == "vlogparam", "parameter " + name)
    expect("default" in core["targets"], "a default target")
    for name, target in core["targets"].items():
        expect(set(target) <= {"filesets", "toplevel", "parameters", "default_tool", "tools"}, "keys of target " + name)
    expect(core["filesets"]["rtl"]["files"] == sources, "files of the core")
    expect(list(core["parameters"]) == parameters, "parameters of the core")
    for name, target in core["targets"].items():
        expect(target["toplevel"] == "loom_system" and target["filesets"] == ["rtl"], "target " + name)
        expect(target["parameters"] == parameters, "parameters of target " + name)
for name in sources:
    expect(os.path.exists(os.path.join(folder, name)), name)


# ---- LiteX
def group(names):
    return types.SimpleNamespace(**{name: object() for name in names.split()})


class Interface:
    def __init__(self, channels, **_):
        for name, signals in channels.items():
            setattr(self, name, group(signals) if " " in signals else object())


ADDRESS = "valid ready addr burst len size lock prot cache qos region id dest user first last"
AXI = {"aw": ADDRESS, "ar": ADDRESS, "w": "valid ready data strb id last", "r": "valid ready data resp last id",
       "b": "valid ready resp id"}
LITE = {"aw": "valid ready addr prot", "ar": "valid ready addr prot", "w": "valid ready data strb",
        "r": "valid ready data resp", "b": "valid ready resp"}
WISHBONE = {name: "" for name in "adr dat_w dat_r sel cyc stb ack we cti bte err".split()}


class Module:
    def __init__(self):
        self.specials = []

    submodules = property(lambda self: self)


class EventManager(Module):
    def finalize(self):
        expect(hasattr(self, "run"), "an event before the manager is finalized")


def instance(module, **connections):
    return module, connections


def stand_in(name, **contents):
    module = sys.modules[name] = types.ModuleType(name)
    vars(module).update(contents)
    return module


axi = stand_in("litex.soc.interconnect.axi", AXIInterface=lambda **_: Interface(AXI), AXILiteInterface=lambda **_: Interface(LITE))
wishbone = stand_in("litex.soc.interconnect.wishbone", Interface=lambda **_: Interface(WISHBONE))
stand_in("migen", ClockSignal=object, ResetSignal=object, Module=Module, Instance=instance)
for package in ("litex", "litex.soc"):
    stand_in(package)
stand_in("litex.soc.interconnect", axi=axi, wishbone=wishbone)
stand_in("litex.soc.interconnect.csr", AutoCSR=object)
stand_in("litex.soc.interconnect.csr_eventmanager", EventManager=EventManager, EventSourceLevel=lambda: group("trigger pending"))

spec = importlib.util.spec_from_file_location("loom_system", os.path.join(folder, "loom_system.py"))
sys.dont_write_bytecode = True
described = importlib.util.module_from_spec(spec)
spec.loader.exec_module(described)


class Platform:
    def __init__(self):
        self.added = []

    def add_source(self, name):
        self.added.append(name)


class System(described.LoomSystem):
    specials = None

    def __init__(self, *arguments):
        self.specials = []
        super().__init__(*arguments)


platform = Platform()
system = System(platform, folder)
top, connections = system.specials
expect(top == "loom_system", "the module's name")
expect(platform.added == [os.path.join(folder, name) for name in sources], "files of the module")
expect({"p_" + name for name in parameters} >= {c for c in connections if c.startswith("p_")}, "parameters of the module")
expect({way + "_" + name for name, way in ports.items()} == {c for c in connections if not c.startswith("p_")}, "ports: %s" % sorted(
    {way + "_" + name for name, way in ports.items()} ^ {c for c in connections if not c.startswith("p_")}))
signals = [c for c in connections.values() if type(c) is object]
expect(len(set(map(id, signals))) == len(signals), "one signal for two ports")
sys.exit(wrong != 0)
