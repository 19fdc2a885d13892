#!/usr/bin/env python3
"""Runs commands with --json and checks each document against its shipped JSON Schema.

Usage: answers_test.py RIDGELINE SOURCE_FOLDER. Exit codes: 0 all right, 1 wrong, 77 skipped.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed (apt-get install python3-jsonschema)")
    sys.exit(77)

RIDGELINE = sys.argv[1]
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"  # calibrations of the user change answers
ROOT = pathlib.Path(sys.argv[2])

COMMANDS = [
    "estimate --model llama-3.1-8b --method qlora --on rtx-4090",
    "estimate --model llama-3.1-70b --method full --on h100-sxm5-80gb:8x4 --framework megatron --tensor 8",
    "estimate --model mixtral-8x7b --task inference --on h100-sxm5-80gb:4 --tensor 4",
    "estimate --model llama-3.1-8b --method lora --on a100-sxm4-80gb --max batch",
    "estimate --model llama-3.1-70b --method full --on rtx-4090",
    "estimate --task inference --quantization q4_k_m --on rtx-4090 --max model",
    "estimate --model llama-3.1-8b --framework vllm --on l40s:2 --max context",
    "estimate --model llama-3.1-70b --framework vllm --tensor 2 --data 4 --concurrency 64 --on h200-sxm-141gb:8",
    "estimate --model llama-3.1-70b --framework llama.cpp --quantization q4_k_m --gpu-layers 40 --on rtx-4090",
    "estimate --model llama-3.2-1b --framework vllm --on h100-sxm5-80gb/1g.10gb:7 --concurrency 28",
    "estimate --model llama-3.1-8b --framework vllm --on l40s --request-rate 2 --ttft 500ms --tpot 50ms",
    "estimate --model llama-3.1-70b --framework trtllm --on h100-sxm5-80gb:8 --concurrency 64 --cached-share 0.5",
    f"estimate {ROOT}/examples/serve-8b.json {ROOT}/examples/serve-8b.json --on h100-sxm5-80gb",
    f"estimate {ROOT}/examples/serve-8b.json {ROOT}/examples/qlora-8b.json --on l40s",
    "estimate --model resnet-50 --on l40s",
    "report train resnet-50 on imagenet",
    "calibrate show",
    f"check {ROOT}/examples/axolotl-qlora.yaml --on l40s:2",
    f"estimate --from {ROOT}/examples/axolotl-qlora.yaml --on l40s:2",
    "advise serve llama-3.2-3b for 64 users with mig",
    "advise please compare a100-sxm4-80gb and h100-sxm5-80gb",
    "advise estimate the memory to check llama-3.1-8b",
    "advise serve llama-3.1-405b for $1 per hour",
    "advise can my 24 GB card run llama-3.1-70b",
    "advise what GPU for a 70B fine-tune",
    "advise qlora llama-3.1-8b on one 24GB card",
    "advise serve llama-3.1-8b for 64 users",
    "advise full fine-tune of 405b on one rtx 4090",
    "profiles show llama-3.1-8b",
    "profiles show deepseek-v3",
    "profiles show trl",
    "profiles show fine-tuning",
    "profiles list",
    "profiles list software",
    "profiles check",
    "catalog list",
    "catalog list machines",
    "catalog list links",
    "catalog list storage",
    "catalog list offers",
    "catalog list claims",
    "catalog list errata",
    "catalog show h100",
    "catalog show h100-sxm5-80gb",
    "catalog show dgx-h100",
    "catalog show nvlink4",
    "catalog show nvme-gen4-consumer",
    "catalog show tp-coreweave-a100-40gb-pcie-classic",
    "catalog check",
    f"catalog check {ROOT}/catalog/accelerators/h100-sxm5-80gb.json",
    "prices list",
    "prices sources",
    "emit --to vllm --model llama-3.1-8b --on l40s",
    f"check {ROOT}/examples/axolotl-qlora.yaml {ROOT}/examples/axolotl-qlora.yaml {ROOT}/examples/nothing.yaml --on l40s:2",
    f"validate {ROOT}/tests/evidence/memory.json",
    f"validate {ROOT}/tests/evidence/collective.json",
    "compare rtx-4090 a100-sxm4-80gb h100-sxm5-80gb --profile fine-tuning",
    "own h100-sxm5-80gb:8 --power-cap 500 --grid 400",
    "own gb200-nvl72",
    "own rtx-4090:2 --years 3 --staff 1000",
    "advise budget $2000",
    "advise what can I buy for $1M",
    "advise thousands of gpus",
    "report 8B lora on 100M tokens",
    "report full fine-tune of 405b on one rtx 4090",
    "report serve llama-3.1-8b for 64 users",
    "remedies --model llama-3.1-70b --method full --on h100-sxm5-80gb:8",
    "roofline --model llama-3.1-8b --method full --on h100-sxm5-80gb:8,a100-sxm4-80gb:8",
    "estimate --model llama-3.1-8b --method full --on h100-sxm5-80gb:8 --sweep accelerators=8..512",
    "estimate --model llama-3.1-8b --method qlora --on rtx-4090 --sweep sequence=512..32768",
    "estimate --model llama-3.1-8b --method full --on h100-sxm5-80gb:8 --plan auto --explain",
    "roofline --model mixtral-8x7b --task inference --tensor 4 --on h100-sxm5-80gb:4,rtx-4090",
    "detect",
    "estimate --kernel fft3d --size 512 --dtype fp64 --on mi300x",
    "estimate --kernel gemm --size 4096 --dtype fp32 --copies true --on a100-sxm4-80gb,cpu-2x-xeon-8480c",
    "advise fft 512^3 fp64 on mi300x or h100",
    "advise fastest gpu for spmv",
    f"calibrate fit {ROOT}/tests/evidence/gemm.json --accelerator h200-sxm-141gb --only aic",
    f"calibrate fit {ROOT}/tests/evidence/collective.json --accelerator h100-sxm5-80gb",
]


def answer(command):
    """The document that a command prints; a question is one argument."""
    words = command.split()
    if words[0] in ("advise", "report"):
        words = [words[0], " ".join(words[1:])]
    done = subprocess.run([RIDGELINE, *words, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3) and not done.stdout:
        raise ValueError(f"exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def largest_is_largest():
    """What --max names fits, and the next larger value does not."""
    for field, flag, step in (
        ("batch", "--micro-batch", 1),
        ("sequence", "--sequence", 128),
        ("rank", "--rank", 1),
    ):
        asked = "estimate --model llama-3.1-8b --method lora --on h100-sxm5-80gb"
        most = int(answer(f"{asked} --max {field}")["largest"][field])
        for value, fits in ((most, True), (most + step, False)):
            if answer(f"{asked} {flag} {value}")["memory"]["fits"] != fits:
                yield f"--max {field} says {most}, but {value} fits: {not fits}"


def one_model_one_type():
    """Every command serves a model in the type in which it was published."""
    asked = "--model gpt-oss-120b --task inference --on h100-sxm5-80gb"
    estimated = answer(f"estimate {asked}")["memory"]["peak_gib"]
    before = answer(f"remedies {asked}")["memory"]["peak_gib"]
    if before != estimated:
        yield f"remedies sees {before} GiB where estimate sees {estimated}"


def every_schema_is_published():
    """A document of a name that no schema has would be held against nothing by who reads it."""
    folder = ROOT / "profiles" / "schema" / "answers"
    stated = set()
    for source in sorted((ROOT / "src").rglob("*.cpp")):
        stated |= set(re.findall(r'document\(\s*"ridgeline/([a-z-]+)/1"', source.read_text()))
    for name in sorted(stated):
        if not (folder / f"{name}.schema.json").exists():
            yield f"ridgeline/{name}/1 is printed and has no schema"
    told = (ROOT / "docs" / "json.md").read_text()
    for path in sorted(folder.iterdir()):
        name = path.name.removesuffix(".schema.json")
        if f"ridgeline/{name}/1`" not in told:
            yield f"docs/json.md does not tell of {name}"


def networks_on_two_cards():
    """Each card answers a batch of its own, or both share one image and answer it in less time."""
    asked = "estimate --model flux.1-dev-transformer --task inference --steps 4 --on h100-sxm5-80gb"
    one, two = answer(asked)["time"], answer(asked + ":2")["time"]
    if abs(two["samples_per_s"] / one["samples_per_s"] - 2) > 1e-6:
        yield f"two cards make {two['samples_per_s']} images a second, one {one['samples_per_s']}"
    both = answer(asked + ":2 --context 2")["time"]
    if not one["step_s"] / 2 < both["step_s"] < one["step_s"]:
        yield f"two cards take {both['step_s']} s for an image, one {one['step_s']}"


def main():
    wrong = [*largest_is_largest(), *one_model_one_type(), *networks_on_two_cards(),
             *every_schema_is_published()]
    commands = COMMANDS[::int(os.environ.get("RIDGELINE_CHECK_EVERY", "1"))]
    for command in commands:
        try:
            document = answer(command)
            name = document["schema"].split("/")[1]
            path = ROOT / "profiles" / "schema" / "answers" / f"{name}.schema.json"
            validator = jsonschema.Draft202012Validator(json.loads(path.read_text()))
            for error in list(validator.iter_errors(document))[:3]:
                place = "/".join(str(step) for step in error.absolute_path)
                wrong.append(f"{command}: /{place}: {error.message[:200]}")
            json.loads(json.dumps(document), parse_constant=refuse)
            if json.dumps(document) != json.dumps(answer(command)):
                wrong.append(f"{command}: the second run printed another document")
        except (ValueError, KeyError, OSError) as problem:
            wrong.append(f"{command}: {problem}")
    print("\n".join(wrong))
    print(f"{len(commands)} commands, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
