"""Shared objects: what one needs, and the writing of small ones.

A wheel of torch is linked to libraries that a machine without a card does not have. Each gets a stand-in
of its name; functions that the stand-in card does not know become a library whose every function ends the
process with its own name.
"""

import mmap
import os
import struct

MACHINES = {62: "x86_64", 183: "aarch64"}
LOAD, DYNAMIC = 1, 2
NEEDED, STRTAB, SYMTAB, STRSZ, SYMENT, SONAME = 1, 5, 6, 10, 11, 14
RUN_PATHS, GNU_HASH = (15, 29), 0x6FFFFEF5
HASH, RELA, RELASZ, RELAENT = 4, 7, 8, 9
PAGE = 0x10000


class Library:
    """The dynamic part of a shared object: `machine`, `needed`, the folders where it looks for that, and the names it
    leaves `undefined`."""

    def __init__(self, path):
        self.origin = os.path.dirname(os.path.abspath(path))
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data[:5] != b"\x7fELF\x02":
                raise ValueError(f"{path} is not a 64-bit shared object")
            self.machine = struct.unpack_from("<H", data, 18)[0]
            self._read(data)

    def _read(self, data):
        at, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
        segments = [struct.unpack_from("<IIQQQQQQ", data, at + i * size) for i in range(count)]
        loads = [(s[3], s[2], s[5]) for s in segments if s[0] == LOAD]

        def place(address):
            for virtual, offset, length in loads:
                if virtual <= address < virtual + length:
                    return address - virtual + offset
            raise ValueError("an address outside of the file")

        dynamic = next(s for s in segments if s[0] == DYNAMIC)
        entries = [struct.unpack_from("<QQ", data, dynamic[2] + i) for i in range(0, dynamic[5], 16)]
        tags = dict(reversed(entries))
        strings, symbols = place(tags[STRTAB]), place(tags[SYMTAB])

        def text(offset):
            return data[strings + offset : data.find(b"\0", strings + offset)].decode()

        self.needed = [text(value) for tag, value in entries if tag == NEEDED]
        words = [word for tag, value in entries if tag in RUN_PATHS for word in text(value).split(":")]
        self.folders = [word.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", self.origin) for word in words if word]
        self.undefined = set()
        # The table of names follows the table of symbols in every linker's output. Where the names are hashed in GNU's
        # way, those that are undefined come before all that are hashed.
        end = strings if strings > symbols else symbols
        if GNU_HASH in tags:
            end = min(end, symbols + 24 * struct.unpack_from("<I", data, place(tags[GNU_HASH]) + 4)[0])
        count = (end - symbols) // 24
        for name, info, _, section, _, _ in struct.iter_unpack("<IBBHQQ", data[symbols : symbols + 24 * count]):
            if section == 0 and name and info >> 4 == 1:
                self.undefined.add(text(name))

    def found(self):
        """Those of `needed` that lie in its own folders."""
        return {soname for soname in self.needed if any(os.path.exists(os.path.join(one, soname)) for one in self.folders)}


def _hash(name):
    value = 0
    for letter in name.encode():
        value = (value << 4) + letter
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high & 0xFFFFFFFF
    return value


def _stub(machine, at, name_at, pointer_at):
    """Code at `at`: the address of a name as first argument, then a jump through a pointer."""
    if MACHINES[machine] == "x86_64":
        lea = b"\x48\x8d\x3d" + struct.pack("<i", name_at - (at + 7))
        return (lea + b"\xff\x25" + struct.pack("<i", pointer_at - (at + 13))).ljust(16, b"\xcc")
    distance = name_at - at
    adr = 0x10000000 | (distance & 3) << 29 | (distance >> 2 & 0x7FFFF) << 5
    load = 0x58000010 | ((pointer_at - (at + 4)) >> 2 & 0x7FFFF) << 5
    return struct.pack("<IIII", adr, load, 0xD61F0200, 0xD503201F)


def write_library(path, soname, machine, needed=(), functions=(), handler="card_unknown"):
    """Writes a shared object; each of `functions` calls `handler` with its own name."""
    strings = bytearray(b"\0")

    def string(text):
        strings.extend(text.encode() + b"\0")
        return len(strings) - len(text.encode()) - 1

    names = sorted(functions)
    needed_at, soname_at = [string(n) for n in needed], string(soname)
    handler_at, name_at = string(handler), [string(n) for n in names]
    headers = 64 + 3 * 56
    hash_at = headers
    buckets = max(1, len(names))
    symbols_at = hash_at + (2 + buckets + len(names) + 2) * 4
    symbols_at += -symbols_at % 8
    relocation_at = symbols_at + (len(names) + 2) * 24
    strings_at = relocation_at + 24
    code_at = strings_at + len(strings)
    code_at += -code_at % 16
    first_end = code_at + 16 * len(names)
    data_at = first_end + -first_end % PAGE
    tags = [(NEEDED, n) for n in needed_at] + [
        (SONAME, soname_at), (HASH, hash_at), (STRTAB, strings_at), (SYMTAB, symbols_at),
        (STRSZ, len(strings)), (SYMENT, 24)]
    if names:
        tags += [(RELA, relocation_at), (RELASZ, 24), (RELAENT, 24)]
    tags.append((0, 0))
    pointer_at = data_at + 16 * len(tags)
    sections_at = pointer_at + 8

    chains, bucket = [0] * (len(names) + 2), [0] * buckets
    for i, name in enumerate(names):
        where = _hash(name) % buckets
        chains[i + 2], bucket[where] = bucket[where], i + 2
    out = bytearray(sections_at)

    def put(at, content):
        out[at : at + len(content)] = content

    put(hash_at, struct.pack(f"<{2 + buckets + len(chains)}I", buckets, len(chains), *bucket, *chains))
    put(symbols_at + 24, struct.pack("<IBBHQQ", handler_at, 0x12, 0, 0, 0, 0))
    for i, at in enumerate(name_at):
        put(symbols_at + 24 * (i + 2), struct.pack("<IBBHQQ", at, 0x12, 0, 1, code_at + 16 * i, 16))
        put(code_at + 16 * i, _stub(machine, code_at + 16 * i, strings_at + at, pointer_at))
    kind = 6 if MACHINES[machine] == "x86_64" else 1025  # GLOB_DAT
    put(relocation_at, struct.pack("<QQq", pointer_at, 1 << 32 | kind, 0))
    put(strings_at, strings)
    put(data_at, b"".join(struct.pack("<QQ", *tag) for tag in tags))
    put(64, struct.pack("<IIQQQQQQ", LOAD, 5, 0, 0, 0, first_end, first_end, PAGE)
        + struct.pack("<IIQQQQQQ", LOAD, 6, data_at, data_at, data_at, *[sections_at - data_at] * 2, PAGE)
        + struct.pack("<IIQQQQQQ", DYNAMIC, 6, data_at, data_at, data_at, *[16 * len(tags)] * 2, 8))
    # Sections are for linkers alone, which read the names there.
    titles = b"\0.dynsym\0.dynstr\0.dynamic\0.titles\0"
    section = struct.Struct("<IIQQQQIIQQ")
    symbol_bytes = (len(names) + 2) * 24
    rows = [section.pack(*[0] * 10),
            section.pack(1, 11, 2, symbols_at, symbols_at, symbol_bytes, 2, 1, 8, 24),
            section.pack(9, 3, 2, strings_at, strings_at, len(strings), 0, 0, 1, 0),
            section.pack(17, 6, 3, data_at, data_at, 16 * len(tags), 2, 0, 8, 16),
            section.pack(26, 3, 0, 0, sections_at + 5 * section.size, len(titles), 0, 0, 1, 0)]
    put(0, b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
        + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, sections_at, 0, 64, 56, 3, 64, 5, 4))
    with open(path, "wb") as file:
        file.write(bytes(out) + b"".join(rows) + titles)
