"""Puts the stand-in card under the PyTorch of this Python: which CUDA it is built for, which libraries it
needs, and the environment in which the interpreter starts again with the card before them."""

import contextlib
import importlib.util
import json
import os
import pathlib
import re
import struct
import sys
import tempfile
import zlib

from . import elf, fetching

LOADED = "RIDGELINE_CARD_LOADED"
CUDNN = "RIDGELINE_CARD_CUDNN"
DRIVERS = ("libcuda.so.1", "libcuda.so", "libnvidia-ml.so.1", "libnvidia-ml.so")
CARD_NAMES = re.compile(r"(cu[A-Zdbsrfp]|nccl|nvtx|nvrtc|nvshmem|nvJitLink|__cuda|nvml)")
OF_CUDA = re.compile(r"lib(?:cu|nv|nccl)\w*\.so(?:\.(\d+))?")
COMPILER = "libnvrtc.so.{}"  # torch opens it by its name and asks it for its functions, which it then has of that one alone


left_out = set()  # what this process leaves out, clauses for "not rehearsed: ..."


class Refused(Exception):
    """What the user gave cannot be rehearsed; the text says why and what to do."""


def torch_folder():
    """Where `import torch` would come from, without importing it; None without one."""
    try:
        found = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return None
    places = list(found.submodule_search_locations or []) if found else []
    return pathlib.Path(places[0]) if places else None


def built_for(folder):
    """(version of torch, version of CUDA or "") as torch/version.py states them."""
    text = (folder / "version.py").read_text()
    stated = {key: value for key, value in re.findall(r"^(\w+)[^=\n]*=\s*['\"]([^'\"]*)['\"]", text, re.M)}
    if stated.get("hip"):
        raise Refused(f"torch {stated.get('__version__')} is built for ROCm; the stand-in card is one of CUDA. "
                      "Install a CUDA wheel of torch, for example from PyPI")
    return stated.get("__version__", ""), stated.get("cuda", "")


def cudnn_number(parts):
    """A version of cuDNN as the library states it."""
    return parts[0] * (10000 if parts[0] >= 9 else 1000) + parts[1] * 100 + parts[2]


def know_cudnn(torch):
    """Where the wheel requires no cuDNN (those of conda and of some distributions): torch refuses one that is older than
    what it was compiled against."""
    if not os.environ.get(CUDNN):
        with contextlib.suppress(AttributeError):  # built without it
            os.environ[CUDNN] = str(cudnn_number(torch._C._cudnn.getCompileVersion()))


def library_versions(folder):
    """Versions of cuDNN and NCCL as the libraries state them, from what the wheel requires."""
    found = {}
    for about in folder.parent.glob("torch-*.dist-info/METADATA"):
        for name, version in re.findall(r"^Requires-Dist: nvidia-(cudnn|nccl)-cu\d+ ?\(?==([\d.]+)", about.read_text(), re.M):
            parts = [int(part) for part in version.split(".")[:3]] + [0, 0]
            found[name] = cudnn_number(parts) if name == "cudnn" else parts[0] * 10000 + parts[1] * 100 + parts[2]
    return found


def extensions(folder):
    """Shared objects of the packages beside torch that require it: their own kernels, linked to libraries of CUDA."""
    for about in sorted(folder.parent.glob("*.dist-info/METADATA")):
        record = about.with_name("RECORD")
        if record.exists() and re.search(r"^Requires-Dist: torch\b", about.read_text(errors="replace"), re.M):
            words = (line.split(",")[0] for line in record.read_text(errors="replace").splitlines())
            yield from (folder.parent / word for word in words if word.endswith(".so"))


def of_another_cuda(library, major):
    """Whether an extension is one of several, for another CUDA than that of this torch."""
    found = [OF_CUDA.fullmatch(soname) for soname in library.needed if soname.startswith("libcudart.")]
    return any(match and match.group(1) and match.group(1).split(".")[0] != str(major) for match in found)


def build(folder, cards, major, out):
    """Writes into `out` a stand-in for every missing library and one for every unknown function."""
    card = cards / f"libridgeline-card-{major}.so"
    if not card.exists():
        raise Refused(f"no stand-in card for CUDA {major}: {card} is not there")
    out.mkdir(parents=True, exist_ok=True)
    known = defined(card)
    needed, found, undefined, machine = set(), set(), set(), None
    libraries = [elf.Library(path) for path in sorted((folder / "lib").glob("*.so"))]
    for path in extensions(folder):
        with contextlib.suppress(OSError, ValueError, StopIteration):  # what is no shared object
            library = elf.Library(path)
            if not of_another_cuda(library, major):
                libraries.append(library)
    for library in libraries:
        needed.update(library.needed)
        found |= library.found()  # wheels of another CUDA may lie beside those of this torch
        undefined.update(name for name in library.undefined if CARD_NAMES.match(name))
        machine = machine or library.machine
    own = {path.name for path in (folder / "lib").iterdir()}
    for soname in sorted(needed - own - found | {COMPILER.format(major)}):
        if OF_CUDA.fullmatch(soname) and soname not in DRIVERS:
            elf.write_library(out / soname, soname, machine, needed=[card.name])  # for those that ask it by name
    for soname in DRIVERS:
        elf.write_library(out / soname, soname.replace(".so.1", ".so") + ".1", machine, needed=[card.name])
    elf.write_library(out / "unknown.so", "unknown.so", machine, functions=undefined - known)
    return card


def defined(path):
    """Names that a shared object defines."""
    data = path.read_bytes()
    count = struct.unpack_from("<H", data, 60)[0]
    at = struct.unpack_from("<Q", data, 40)[0]
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i) for i in range(count)]
    symbols = next(row for row in rows if row[1] == 11)
    strings = rows[symbols[6]][4]
    found = set()
    for place in range(symbols[4], symbols[4] + symbols[5], 24):
        name, _, _, section = struct.unpack_from("<IBBH", data, place)
        if section:
            found.add(data[strings + name : data.index(b"\0", strings + name)].decode())
    return found


def write_programs(folder):
    """Programs of these names, for scripts that ask what the card is, and for those that fetch files."""
    folder.mkdir(parents=True, exist_ok=True)
    own = pathlib.Path(__file__).parent
    starts = {"nvidia-smi": f'-IS "{own / "nvidia_smi.py"}"',
              **{name: f'-I "{own / "fetching.py"}" {name}' for name in fetching.PROGRAMS}}
    for name, start in starts.items():
        if not (folder / name).exists():
            made = folder / f"{name}.{os.getpid()}"
            made.write_text(f'#!/bin/sh\nunset LD_PRELOAD\nexec "{sys.executable}" {start} "$@"\n')
            made.chmod(0o755)
            made.rename(folder / name)


def keep_bytecode(folder, place):
    """Where Python may write no bytecode and torch has none, every process would compile thousands of files again:
    the passes of a rehearsal then share what they compile, in a folder that goes with them."""
    if os.environ.get("PYTHONDONTWRITEBYTECODE") and not any(folder.glob("__pycache__/*.pyc")):
        del os.environ["PYTHONDONTWRITEBYTECODE"]
        os.environ["PYTHONPYCACHEPREFIX"] = str(place)


def environment(folder, cards, out):
    """The variables under which torch of `folder` finds the card; raises Refused where it cannot."""
    version, cuda = built_for(folder)
    if not cuda:
        raise Refused(f"torch {version} of {sys.executable} is built for the CPU alone. A rehearsal needs a CUDA wheel "
                      "(pip install torch; the libraries of CUDA and a card are not needed)")
    major, minor = (int(part) for part in (cuda + ".0").split(".")[:2])
    if major not in (12, 13):
        raise Refused(f"torch {version} is built for CUDA {cuda}; the stand-in card knows CUDA 12 and 13")
    libraries = out / f"libraries-{zlib.crc32(str(folder).encode()):08x}-{version}"
    card = cards / f"libridgeline-card-{major}.so"
    if not (libraries / "unknown.so").exists():
        with tempfile.TemporaryDirectory(dir=out) as made:
            build(folder, cards, major, pathlib.Path(made) / "new")
            try:
                os.rename(pathlib.Path(made) / "new", libraries)
            except OSError:  # another process was first
                if not (libraries / "unknown.so").exists():
                    raise
    versions = library_versions(folder)
    before = os.environ.get
    loaded_first = (card, libraries / "unknown.so", libraries / COMPILER.format(major))
    programs = out / "programs"
    write_programs(programs)
    return {
        LOADED: f"{major}",
        "RIDGELINE_PROGRAMS": str(programs),
        "PATH": f"{programs}:{before('PATH', os.defpath)}",
        "LD_PRELOAD": " ".join(filter(None, [*map(str, loaded_first), before("LD_PRELOAD")])),
        "LD_LIBRARY_PATH": ":".join(filter(None, [str(libraries), str(cards), before("LD_LIBRARY_PATH")])),
        "RIDGELINE_CARD_RUNTIME": str(major * 1000 + minor * 10),
        CUDNN: str(versions.get("cudnn", "")),
        "RIDGELINE_CARD_NCCL": str(versions.get("nccl", 22100)),
        "TRITON_LIBCUDA_PATH": str(libraries),
        **{f"TORCHINDUCTOR_MAX_AUTOTUNE_{kind}_BACKENDS": "ATEN" for kind in ("GEMM", "CONV")},  # tuning.py
        # What is chosen without times must not be taken for the best by a card of this machine.
        "TORCHINDUCTOR_CACHE_DIR": before("TORCHINDUCTOR_CACHE_DIR") or f"{tempfile.gettempdir()}/torchinductor_rehearsed_{os.getuid()}",
        "USE_PYTORCH_KERNEL_CACHE": "0",  # kernels that torch has compiled are none here: a card must not find them later
    }


def code_for(flags, capability):
    """The capability of the code that a card of `capability` would run, of those that a wheel holds."""
    held = sorted(int(word[3:].rstrip("af")) for word in flags.split() if word.startswith("sm_"))
    same = [code for code in held if code // 10 == capability // 10 and code <= capability]
    lower = [code for code in held if code <= capability]
    return (same or lower or held[:1] or [capability])[-1]


def know_code(torch):
    """Just before torch first asks for the card: from the moment it is asked which code it holds, torch refuses cards to
    processes that are forked (an engine beside the script, workers that compute)."""
    capability = int(os.environ.get("RIDGELINE_CARD_CAPABILITY", 90))
    os.environ["RIDGELINE_CARD_CODE"] = str(code_for(torch._C._cuda_getArchFlags() or "", capability))


def arguments():
    """The words this interpreter was started with."""
    if hasattr(sys, "orig_argv"):
        return list(sys.orig_argv)
    return [os.fsdecode(word) for word in pathlib.Path("/proc/self/cmdline").read_bytes().split(b"\0")[:-1]]


def problem(folder, kind, text):
    """Tells the command that started the rehearsal what stands in its way."""
    with open(folder / "problems.jsonl", "a") as file:
        file.write(json.dumps({"kind": kind, "text": text}) + "\n")
