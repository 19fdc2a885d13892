#!/usr/bin/env python3
"""Packs the built package as one wheel for every Python 3: no compiler of Python headers is needed.

The program, the library, the catalog and the profiles lie inside, as `cmake --install` lays them out.
The same build gives the same bytes: names are sorted, and the time is SOURCE_DATE_EPOCH or 1980.
"""
import argparse
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

# What a Linux system brings (PEP 600); other libraries go into the wheel.
OF_THE_SYSTEM = re.compile(r"^(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux.*)\.so")
LEFT_OUT = ("include/", "share/man/", "share/doc/", "share/bash-completion/", "share/zsh/",
            "share/fish/", "share/dbus", "lib/systemd/", "lib/python3/")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("cmake", "build", "version", "licence", "readme", "output"):
        parser.add_argument(f"--{name}", required=True)
    return parser.parse_args()


def is_elf(path):
    return path.is_file() and path.read_bytes()[:4] == b"\x7fELF"


def needed(path):
    """(libraries that a binary needs, the newest glibc that it needs)."""
    words = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"NEEDED\s+(\S+)", words)
    versions = [tuple(map(int, each)) for each in re.findall(r"GLIBC_(\d+)\.(\d+)", words)]
    return libraries, max(versions, default=(2, 17))


def place_of(library):
    """Where the linker of this machine finds a library."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        name, _, place = line.partition(" => ")
        if name.split() and name.split()[0] == library:
            return pathlib.Path(place.strip())
    sys.exit(f"write_wheel: {library} was not found")


def install(options, folder):
    subprocess.run([options.cmake, "--install", options.build, "--prefix", folder, "--strip"],
                   check=True, stdout=subprocess.DEVNULL)
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and (name.startswith(LEFT_OUT) or name == "bin/ridgeline-fabric"
                               or path.suffix == ".pyc"):
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def take_built(options, inside):
    """The program and the library of the build tree: they look for libraries beside themselves."""
    build = pathlib.Path(options.build)
    for path in [*inside.glob("lib/libridgeline.so*"), *inside.glob("lib/*/libridgeline.so*")]:
        path.unlink()
    for name, place in (("ridgeline", "bin/ridgeline"), ("libridgeline.so", "lib/libridgeline.so")):
        (inside / place).parent.mkdir(parents=True, exist_ok=True)
        (inside / place).write_bytes((build / name).read_bytes())
        subprocess.run(["strip", "--strip-unneeded", inside / place], check=True)


def bundle_libraries(inside):
    """Copies what the system may lack beside the library; gives the newest glibc that is needed."""
    glibc = (2, 17)
    for path in sorted(inside.rglob("*")):
        if path.is_symlink() or not is_elf(path):
            continue
        libraries, newest = needed(path)
        glibc = max(glibc, newest)
        for library in libraries:
            if not OF_THE_SYSTEM.match(library) and not (inside / "lib" / library).exists():
                source = place_of(library)
                (inside / "lib" / library).write_bytes(source.read_bytes())
                (inside / "lib" / library).chmod(0o755)
                glibc = max(glibc, needed(source)[1])
    return glibc


def files_of(options, staged):
    """Path inside the wheel to (bytes, mode)."""
    package = pathlib.Path(options.build) / "python/ridgeline"
    found = {}
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi", ".typed"):
            found[f"ridgeline/{path.name}"] = (path.read_bytes(), 0o644)
    for path in sorted(staged.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        name = path.relative_to(staged).as_posix()
        executable = name.startswith("bin/") or is_elf(path)
        found[f"ridgeline/inside/{name}"] = (path.read_bytes(), 0o755 if executable else 0o644)
    return found


def metadata(options, tag):
    readme = pathlib.Path(options.readme)
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    info = f"ridgeline-{options.version}.dist-info"
    head = ("Metadata-Version: 2.1\nName: ridgeline\n"
            f"Version: {options.version}\nSummary: What accelerator a workload needs, and why\n"
            "License-File: LICENSE\nRequires-Python: >=3.9\n"
            "Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
            "Description-Content-Type: text/markdown\n\n")
    return {
        f"{info}/METADATA": ((head + text).encode(), 0o644),
        f"{info}/WHEEL": (f"Wheel-Version: 1.0\nGenerator: write_wheel\nRoot-Is-Purelib: false\n"
                          f"Tag: {tag}\n".encode(), 0o644),
        f"{info}/entry_points.txt": (b"[console_scripts]\nridgeline = ridgeline.__main__:main\n",
                                     0o644),
        f"{info}/LICENSE": (pathlib.Path(options.licence).read_bytes(), 0o644),
    }, info


def write(path, files, info):
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]
    record = ""
    for name, (content, _) in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files = {**files, f"{info}/RECORD": ((record + f"{info}/RECORD,,\n").encode(), 0o644)}
    ordered = sorted(files.items(), key=lambda each: (".dist-info/" in each[0], each[0]))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, (content, mode) in ordered:
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)


def main():
    options = arguments()
    machine = os.uname().machine
    with tempfile.TemporaryDirectory() as folder:
        staged = pathlib.Path(folder) / "inside"
        install(options, staged)
        take_built(options, staged)
        major, minor = bundle_libraries(staged)
        tag = f"py3-none-manylinux_{major}_{minor}_{machine}"
        files = files_of(options, staged)
    extra, info = metadata(options, tag)
    path = pathlib.Path(options.output) / f"ridgeline-{options.version}-{tag}.whl"
    write(path, {**files, **extra}, info)
    print(path)


if __name__ == "__main__":
    main()
