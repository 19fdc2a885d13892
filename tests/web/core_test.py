#!/usr/bin/env python3
"""The core as WebAssembly answers with the program's bytes.

Usage: core_test.py RIDGELINE CORE.wasm [NODE]. Core and data are taken out of a page that the program
writes. Exit codes: 0 all right, 1 something differs, 77 no core or no node here.
"""
import base64
import json
import lzma
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

RIDGELINE, CORE = sys.argv[1:3]
NODE = sys.argv[3] if len(sys.argv) > 3 else shutil.which("node")
HERE = pathlib.Path(__file__).resolve().parent
EPOCH = "1795219200"
ENVIRONMENT = dict(os.environ, SOURCE_DATE_EPOCH=EPOCH, XDG_CONFIG_HOME="/nonexistent", XDG_DATA_HOME="/nonexistent")
COMMANDS = """
estimate --model llama-3.1-8b --method qlora --on rtx-4090 --sequence 2048
estimate --model llama-3.1-70b --method full --on h100-sxm5-80gb:8x4
estimate --model llama-3.1-8b --method lora --on l40s --sequence 32768 --recompute full
estimate --model qwen3-30b-a3b --task inference --on rtx-3090 --quantization q4_k_m
estimate --model llama-3.1-70b --task inference --on h100-sxm5-80gb:4 --concurrency 64
estimate --model gpt2-xl --method full --on t4
estimate --model resnet-50 --on l4
estimate --model llama-3.1-8b --on no-such-card
estimate --model no-such-model --on l4
estimate --model llama-3.1-8b --on l4 --sequence=-1
advise can my 3090 run qwen3-30b-a3b
advise what GPU for a 70B fine-tune
advise cheapest way to serve llama-3.1-70b to 50 users
advise pretrain 7B on 1T tokens in 30 days
advise which quantization of qwen3-32b fits 24 GB
remedies --model llama-3.1-70b --method lora --on a100-sxm4-80gb
roofline --model llama-3.1-8b --method lora --on l40s
catalog list accelerators
profiles show qwen3-30b-a3b
"""
EMITTED = ("axolotl", "vllm", "accelerate", "slurm")


def answer_of(words, quiet=True):
    return subprocess.run([RIDGELINE, *words], capture_output=True, env=ENVIRONMENT)


def bytes_of(text):
    """Runs of bytes, each behind a key that was added to them and its length in fours."""
    out = bytearray()
    at = 0
    while at < len(text):
        key, end = text[at], at + 2 + 4 * text[at + 1]
        out += bytes((each - key) & 255 for each in text[at + 2:end])
        at = end
    return bytes(out)


def pieces_of(page):
    text = page.read_bytes()
    for name in ("core", "bundle"):
        found = re.search(rf'<script type="text/plain" id="{name}" data-bytes="(\d+)">([^<]*)</script>'.encode(), text)
        packed, piece = bytes_of(found.group(2)), b""
        while packed:
            size, length = struct.unpack_from("<II", packed, 1)
            filters = [{"id": lzma.FILTER_LZMA1, "lc": packed[0] & 7, "lp": packed[0] >> 3, "pb": packed[0] >> 3, "dict_size": 1 << 23}]
            part = lzma.decompress(packed[9:9 + length], lzma.FORMAT_RAW, filters=filters)
            assert len(part) == size
            piece += part
            packed = packed[9 + length:]
        assert len(piece) == int(found.group(1))
        yield piece


def number(value):
    """As LEB128."""
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + number(value >> 7)


def sized(inner):
    return number(len(inner)) + inner


def of_all_instructions():
    """A module that is never run, with each instruction that the streams know, often and with many operands."""
    code = b""
    for value in [*range(0, 300, 7), 8191, 8192, 65535, 65536, 1048575, 1048576, 16777215]:
        signed = number(value) if value.bit_length() % 7 else number(value | 1 << (value.bit_length() // 7 * 7 + 1))
        code += b"".join(bytes([each]) + number(value % 40000) for each in (0x20, 0x21, 0x22, 0x10, 0x23, 0x24))
        code += b"".join(bytes([each, value % 4]) + number(value) for each in range(0x28, 0x3f))
        code += b"\x41" + signed + b"\x41\x7f\x42" + signed + b"\x43abcd\x44\xff\0\x80efghi\x11" + number(value) + b"\0\x3f\0\x40\0"
        code += b"\x02\x40\x03\x7f\x04\x40\x0c\x01\x05\x0d\0\x0e\x02\0" + number(value) + b"\x01\x0b\x0b\x0b"
        code += b"\xfc\x0a\0\0\xfc\x0b\0" + b"".join(b"\xfc" + bytes([each]) for each in range(8))
        code += bytes([0, 1, 0x0f, 0x1a, 0x1b, *range(0x45, 0xc5)])
    bodies = [sized(bytes(1) + b"\x0b"), sized(b"\x02" + number(300) + b"\x7f\x01\x7c" + code + b"\x0b")]
    return b"\0asm\1\0\0\0\x01\x04\x01\x60\0\0\x0a" + sized(b"\x02" + b"".join(bodies))


def joined_again(folder):
    """Modules made by hand are the same after they were a page's streams; one of them with an instruction of tomorrow."""
    known = of_all_instructions()
    wrong = 0
    for name, module in (("known", known), ("unknown", known.replace(b"\xfc\x0a\0\0", b"\xfd\x0a\0\0")), ("none", known[:8])):
        (folder / name).write_bytes(module)
        subprocess.run([RIDGELINE, "page", "--output", str(folder / "page.html"), "--core", str(folder / name)], check=True,
                       env=ENVIRONMENT, capture_output=True)
        streams = next(pieces_of(folder / "page.html"))
        (folder / "streams").write_bytes(streams)
        node = subprocess.run([NODE, str(HERE / "core_in_node.mjs"), str(folder / "streams"), str(folder / name)], capture_output=True)
        if node.returncode or (streams == module) != (name != "known"):
            wrong += 1
            print(f"the module {name}: {len(module)} bytes, as streams {len(streams)}: {node.stderr.decode()}")
    return wrong


def request_of(words):
    """{"command", "options"} of a command line: positional words by the name that the table gives them."""
    command, *rest = words
    options, plain = {"json": True}, []
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            plain.append(word)
        elif "=" in word:
            name, options[name] = word[2:].split("=", 1)[0], word.split("=", 1)[1]
        else:
            options[word[2:]] = rest.pop(0)
    if command == "advise":
        options["question"] = " ".join(plain)
    elif plain:
        options.update(zip(("verb", "subject"), plain))
    return {"command": command, "options": options}


def as_bundled(text):
    """Without what the page's data leave out of a part, as `catalog show` alone tells it (web/data_bundle.cpp)."""
    return re.sub(rb'"(assumptions|disagreements)": \[(?:\n\s+"(?:[^"\\]|\\.)*",?)*\s*\]', rb'"\1": []', text)


def one_pow(text):
    """Numbers to 14 digits: `pow` of glibc (with fused products where the processor has them) and that of musl may
    differ in the last of 17."""
    return re.sub(rb"\d+\.\d{8,}(e[-+]?\d+)?", lambda number: b"%.14g" % float(number.group()), text)


def main():
    if not os.path.exists(CORE) or not NODE:
        print("skipped: it needs node and the core of the preset wasm")
        return 77
    lines = [line.split() for line in COMMANDS.strip().splitlines()]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wrong += joined_again(folder)
        page = folder / "page.html"
        subprocess.run([RIDGELINE, "page", "--output", str(page), "--core", CORE], check=True, env=ENVIRONMENT,
                       capture_output=True)
        for name, data in zip(("core", "bundle"), pieces_of(page)):
            (folder / name).write_bytes(data)
        cases = []
        for words in lines:
            question = [words[0], " ".join(words[1:])] if words[0] == "advise" else words
            cases.append((words, request_of(words), answer_of(question + ["--json", "--quiet"])))
        model = ["--model", "llama-3.1-8b", "--method", "lora", "--on", "l40s:2"]
        for to in EMITTED:
            words = ["emit", "--to", to, *(model if to != "vllm" else ["--model", "llama-3.1-8b", "--task",
                                                                       "inference", "--on", "l40s"])]
            cases.append((words, request_of(words), answer_of(words + ["--quiet"])))
            del cases[-1][1]["options"]["json"]
        for file in sorted((HERE.parent / "formats/configs").iterdir()):
            if file.suffix == ".toml":
                continue  # not read in a page
            options = {"from": [file.read_text()], "on": "l40s:2", "json": True}
            printed = answer_of(["estimate", "--from", str(file), "--on", "l40s:2", "--json", "--quiet"])
            for stream in ("stdout", "stderr"):
                setattr(printed, stream, getattr(printed, stream).replace(str(file).encode(), b"from"))
            cases.append((["estimate", "--from", file.name], {"command": "estimate", "options": options}, printed))
        asked = "\n".join(json.dumps(request) for _, request, _ in cases)
        node = subprocess.run([NODE, str(HERE / "core_in_node.mjs"), str(folder / "core"), CORE, str(folder / "bundle"), EPOCH],
                              input=asked.encode(), capture_output=True)
        sys.stderr.write(node.stderr.decode())
        answers = [base64.b64decode(line) for line in node.stdout.split()]
        if node.returncode or len(answers) != len(cases):
            print(f"node ended with {node.returncode} after {len(answers)} of {len(cases)} answers")
            return 1
        for (words, _, printed), answer in zip(cases, answers):
            body = (printed.stdout or printed.stderr).rstrip(b"\n")
            if words[:2] == ["catalog", "list"]:
                body, answer = as_bundled(body), as_bundled(answer)
            told = json.loads(answer)
            head = f'{{"exit_code":{printed.returncode},"media_type":{json.dumps(told["media_type"])},"body":'.encode()
            if told["media_type"] == "application/json":
                digits = one_pow(answer), one_pow(head + body)
                same = digits[0].startswith(digits[1]) and digits[0][len(digits[1]):][:1] in b"},"
            else:
                same = told["exit_code"] == printed.returncode and told["body"].encode().rstrip(b"\n") == body
            if not same:
                wrong += 1
                own = answer[len(head):]
                at = next((i for i, (a, b) in enumerate(zip(own, body)) if a != b), 0)
                print(f"{' '.join(words)}: differs at {at}: {own[max(0, at - 80):at + 60]!r}\n  expected {body[max(0, at - 80):at + 60]!r}")
    print(f"{len(cases)} answers, {wrong} differ")
    return 1 if wrong else 0


sys.exit(main())
