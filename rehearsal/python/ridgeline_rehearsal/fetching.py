"""What `wget` and `curl` do for a script on the stand-in card: they are asked first, and where they fail, what a script that
fetches the address by itself would get (texts.py) stands in the place that it names."""

import os
import pathlib
import re
import subprocess
import sys

ADDRESS = re.compile(r"https?://\S+")
TOLD = "left-out-by-programs.txt"  # clauses for "not rehearsed: ...", which the script's own process reads
PROGRAMS = ("wget", "curl")
# {program: (options for the file, options for its folder, options that name it as the address does, letters that take a word)}
OPTIONS = {"wget": (("-O", "--output-document"), ("-P", "--directory-prefix"), (), "aBDegiIlloOPQRtTUwX"),
           "curl": (("-o", "--output"), ("--output-dir",), ("-O", "--remote-name"), "AbcCdDeEFhHKmMoPQrtTuUwxXyYz")}


def words_of(program, arguments):
    """(option, its word or None) of a command line, and ("", word) of what is none; one letter's word may follow at once."""
    known, words = OPTIONS[program], iter(arguments)
    takes = {*known[0], *known[1]}
    for word in words:
        if word.startswith("--"):
            name, sign, value = word.partition("=")
            yield name, value if sign else next(words, None) if name in takes else None
        elif word.startswith("-") and len(word) > 1:
            for at, letter in enumerate(word[1:], 2):
                if letter in known[3]:
                    yield f"-{letter}", word[at:] or next(words, None)
                    break
                yield f"-{letter}", None
        else:
            yield "", word


def places(program, arguments):
    """[(address, file or None where it is printed)] of a command line."""
    files, folders, by_name, _ = OPTIONS[program]
    found = list(words_of(program, arguments))
    addresses = [word for option, word in found if not option and ADDRESS.fullmatch(word)]
    named = next((word for option, word in found if option in files), None)
    folder = next((word for option, word in found if option in folders and word), "")
    if named == "-" or named is None and program == "curl" and not any(option in by_name for option, _ in found):
        return [(address, None) for address in addresses]
    return [(address, os.path.join(folder, named or os.path.basename(address.split("?")[0]) or "index.html")) for address in addresses]


def real(program, variables):
    """The program of that name behind this one on the path; None without one."""
    own = variables.get("RIDGELINE_PROGRAMS", "")
    for folder in variables.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, program)
        if folder != own and os.access(path, os.X_OK):
            return path
    return None


def stand_in(wanted, folder):
    """Writes what stands for each of these addresses into its place; whether all have something. `folder` is told of it."""
    from ridgeline_rehearsal import card, texts

    bodies = [texts.made_up(address) for address, _ in wanted]
    if not bodies or None in bodies:
        for address, _ in wanted:
            card.problem(folder, "network", address)
        return False
    for (_, path), body in zip(wanted, bodies):
        if path is None:
            sys.stdout.buffer.write(body)
            continue
        made = os.path.abspath(path)
        while not os.path.lexists(os.path.dirname(made)):
            made = os.path.dirname(made)
        if not os.path.lexists(made):
            card.problem(folder, "made", made)  # put away afterwards
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        pathlib.Path(path).write_bytes(body)
    with open(folder / TOLD, "a") as file:
        file.writelines(f"{one}\n" for one in sorted(card.left_out))
    return True


def told(folder):
    """What programs of this pass have left out."""
    try:
        return set((folder / TOLD).read_text().splitlines())
    except OSError:
        return set()


def main(program, arguments, variables):
    wanted = places(program, arguments)
    before = {path for _, path in wanted if path and os.path.lexists(path)}
    path = real(program, variables)
    code = subprocess.run([path, *arguments], check=False).returncode if path else 127
    if code == 0 or not wanted:
        return code
    for _, name in wanted:
        if name and name not in before and os.path.exists(name) and not os.path.getsize(name):
            os.unlink(name)  # begun in vain
    from ridgeline_rehearsal import session

    return 0 if stand_in(wanted, session.from_variables(variables).folder) else code


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
    sys.exit(main(sys.argv[1], sys.argv[2:], os.environ))
