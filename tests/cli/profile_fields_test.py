"""Every field of a software profile moves some answer: a field that moves none is refused.

    profile_fields_test.py <ridgeline> <source folder>

Each field of the schema gets other values than it has, in all profiles and releases at once. Some
prediction for a fixed list of workloads (one row of each group of tests/evidence) must change, or,
where the list does not reach the field, the answer to one of the questions below.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
schema = json.loads((root / "profiles/schema/software-profile.schema.json").read_text())
environment = dict(os.environ, XDG_CONFIG_HOME="/nonexistent")

PARTS = 18  # few rows show most fields
QUESTIONS = [
    ["estimate", "--model", "llama-3.1-8b", "--method", "full", "--framework", "torchtune", "--on",
     "4xrtx-4090", "--plan", "auto"],
    ["estimate", "--model", "llama-3.1-70b", "--method", "full", "--framework", "torchtitan", "--on",
     "16xh100-sxm5-80gb", "--plan", "auto"],
    ["estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "2xrtx-4090"],
    ["estimate", "--model", "llama-3.2-1b", "--method", "full", "--framework", "hf-trainer", "--optimizer", "sgd", "--on", "rtx-4090"],
    ["estimate", "--model", "llama-3.1-8b", "--method", "qlora", "--framework", "unsloth", "--on", "rtx-4090"],
    ["estimate", "--model", "llama-3.1-8b", "--task", "inference", "--quantization", "q4_k_m", "--on",
     "rtx-4090"],
    ["estimate", "--model", "llama-3.1-8b", "--task", "inference", "--framework", "vllm", "--on",
     "rtx-4090", "--input-tokens", "2000", "--output-tokens", "500", "--concurrency", "16"],
    ["estimate", "--model", "resnet-50", "--task", "inference", "--framework", "pytorch", "--on",
     "l4", "--micro-batch", "32"],
    ["estimate", "--model", "resnet-50", "--framework", "pytorch", "--compute", "fp32", "--on",
     "a100-sxm4-80gb", "--micro-batch", "32"],
]


def leaves(node, path=()):
    """(path, schema) of each field; lists and the parts of releases are fields as a whole."""
    if "$ref" in node:
        node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    if node.get("type") == "object" and "properties" in node:
        for name, child in node["properties"].items():
            yield from leaves(child, path + (name,))
    else:
        yield path, node


def other_values(node):
    if "enum" in node:
        return node["enum"]
    if node["type"] == "boolean":
        return [True, False]
    if node["type"] == "string":
        return ["0.1", "1000.0"]
    if node["type"] == "array":
        return [node["items"]["enum"], []] if "enum" in node["items"] else [[]]
    least, most = node.get("minimum", 0), node.get("maximum", 1e6)
    return [least, min(most, 3 if node["type"] == "integer" else max(2 * least, 0.37 * most, 0.5)),
            min(most, 512)]


def write_profiles(folder, path=(), value=None):
    """The profiles with one field set to `value` in each state of each."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "software").mkdir(parents=True)
    for entry in (root / "profiles").iterdir():
        if entry.name != "software":
            (folder / entry.name).symlink_to(entry)
    for file in (root / "profiles/software").glob("*.json"):
        document = json.loads(file.read_text())
        if path:
            for state in [document] + document.get("releases", []):
                for part in path[:-1]:
                    state = state.setdefault(part, {})
                state[path[-1]] = value
        (folder / "software" / file.name).write_text(json.dumps(document))


def run(arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)
    return done.stdout if done.returncode in (0, 3) else done.stderr


def checks_of(scratch):
    """Argument lists whose answers are compared: predictions of some rows each, then the questions."""
    rows, groups = [], set()
    for quantity in ("memory", "train_time", "inference"):
        for row in json.loads((root / f"tests/evidence/{quantity}.json").read_text())["rows"]:
            if (quantity, row["group"]) not in groups:
                groups.add((quantity, row["group"]))
                rows.append(row)
    checks = []
    for i in range(PARTS):
        file = scratch / f"workloads-{i}.json"
        file.write_text(json.dumps({"schema": "ridgeline/evidence/1", "rows": rows[i::PARTS]}))
        checks.append(["validate", str(file)])
    return checks + QUESTIONS


def answer(check, folder):
    return run([*check, "--profiles", str(folder), "--json"])


def main():
    scratch = pathlib.Path(tempfile.mkdtemp())
    plain = scratch / "plain"
    write_profiles(plain)
    checks = [(check, answer(check, plain)) for check in checks_of(scratch)]

    parts = {"defaults", "kernels", "runtime", "allocator", "engine", "support"}
    fields = [(path, node) for path, node in leaves(schema) if path[0] in parts]
    idle = []
    for path, node in fields:
        changed = [scratch / f"changed-{i}" for i, _ in enumerate(other_values(node))]
        for folder, value in zip(changed, other_values(node)):
            write_profiles(folder, path, value)
        # All values by one check before the next one: a value that is the usual one moves nothing anywhere.
        moving = next((i for i, (check, before) in enumerate(checks)
                       if any(answer(check, folder) != before for folder in changed)), None)
        if moving is None:
            idle.append(".".join(path))
        else:
            checks.insert(0, checks.pop(moving))  # neighbours of a field move the same rows
    shutil.rmtree(scratch)
    for name in idle:
        print(f"{name}: no answer changes with it")
    print(f"{len(fields)} fields, {len(idle)} move nothing")
    if len(fields) >= 60:
        print("expected under 60 fields")
    return 1 if idle or len(fields) >= 60 else 0


sys.exit(main())
