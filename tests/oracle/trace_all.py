"""Writes tests/evidence/oracle/<stack>.json: what real modules keep, case by case.

usage: trace_all.py OUTPUT_FOLDER [stack [model-prefix]]
Run it with the stand-in runtime preloaded (README.md).
"""

import json
import logging
import pathlib
import sys
import traceback
import warnings

import cases
import huggingface_steps
import models
from trace_memory import prepare_torch

LOW, HIGH = 2, 4
# Fixtures by what they trace; the software profile that stands for each.
FRAMEWORKS = {"hf-quantized": "hf-trainer"}


def versions(*names):
    import importlib.metadata

    return {name: importlib.metadata.version(name) for name in names}


def figures(low, high):
    per_layer = (high["kept"] - low["kept"]) / (HIGH - LOW)
    return dict(
        layers=HIGH,
        kept_bytes_per_layer=round(per_layer),
        kept_ends=round(low["kept"] - LOW * per_layer),
        resident=high["resident"],
        peak_forward=high["peak_forward"],
        peak_backward=high["peak_backward"],
        peak_optimizer=high["peak_optimizer"],
        peak_total=high["peak_total"],
    )


def workload(stack, entry, case):
    lora = None
    if case["method"] != "full":
        targets = [t for t in case["targets"]]
        variant = "dora" if case["dora"] else "rslora" if case["rslora"] else "lora"
        lora = dict(rank=case["rank"], variant=variant, targets=targets, dropout=case["dropout"],
                    weights="fp32" if case["adapter"] == "float32" else "bf16")
    weights = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}[case["weights"]]
    quantization = case["quantization"]
    return dict(
        schema="ridgeline/workload/1",
        model=entry,
        task="train",
        method=case["method"],
        software=dict(framework=stack,
                      attention="eager" if case["attention"] == "eager" else "sdpa",
                      compile=False, **({"loss": case["loss"]} if "loss" in case else {})),
        precision=dict(weights=weights, compute=case["compute"],
                       quantization=quantization.removesuffix("-dq"),
                       double_quantization=quantization.endswith("-dq")),
        optimizer=dict(name="adamw", implementation=case["optimizer"]),
        lora=lora,
        batch={"micro": case["batch"], "global": case["batch"] * case["micro_batches"],
               "sequence_length": case["length"]},
        parallel=dict(data=1, sharding="none"),
        recompute="full" if case["checkpointing"] else "none",
    )


def run(folder, stack, list_of_cases, trace, entry_of, extra, found, wanted, base=None,
        document=None, has_peaks=lambda case: True):
    rows = []
    target = folder / f"{stack}.json"
    if target.exists() and wanted:
        rows = [r for r in json.loads(target.read_text())["cases"]
                if not r["id"].startswith(f"{stack}/{wanted}")]
    for model, name, what in list_of_cases:
        if wanted and not model.startswith(wanted):
            continue
        case = dict(base or huggingface_steps.BASE, **what)
        if stack == "litgpt":
            case["adapter"] = "bfloat16"
        try:
            low = trace(model, LOW, case)
            high = trace(model, HIGH, case)
        except Exception:
            print("FAILED", model, name, traceback.format_exc().splitlines()[-1], flush=True)
            continue
        entry = entry_of(model, HIGH)
        row = dict(id=f"{stack}/{model}/{name}",
                   workload=document(entry, case) if document
                   else workload(FRAMEWORKS.get(stack, stack), entry, case),
                   software=extra(case), **figures(low, high))
        row.update(cases.explained(row["id"]))
        if not has_peaks(case):
            row = {key: value for key, value in row.items() if not key.startswith("peak")}
        rows.append(row)
        print(row["id"], row["kept_bytes_per_layer"], row.get("peak_total"), flush=True)
        lines = ",\n".join(json.dumps(r) for r in sorted(rows, key=lambda r: r["id"]))
        head = json.dumps(found)
        target.write_text(
            f'{{"schema": "ridgeline/oracle/1", "versions": {head}, "cases": [\n{lines}\n]}}\n'
        )


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    stack = sys.argv[2] if len(sys.argv) > 2 else ""
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    prepare_torch()
    for name, listed in (("hf-trainer", cases.huggingface_cases),
                         ("hf-quantized", cases.quantized_cases)):
        if stack in ("", name):
            huggingface_steps.prepare()
            run(folder, name, listed(),
                lambda m, n, c: huggingface_steps.trace(models.config(m, n), c),
                models.config,
                lambda c: dict(repeats_kv=c["attention"] == "eager", autocast=c["autocast"],
                               holds_logits=c["holds_outputs"]),
                versions("torch", "transformers", "peft", "bitsandbytes"), wanted)
    if stack in ("", "torchtune"):
        import torchtune_steps

        run(folder, "torchtune", cases.torchtune_cases(),
            lambda m, n, c: torchtune_steps.trace(models.config(m, n), n, c), models.config,
            lambda c: {}, versions("torch", "torchtune"), wanted)
    if stack in ("", "litgpt"):
        import litgpt_steps

        run(folder, "litgpt", cases.litgpt_cases(), litgpt_steps.trace, models.config,
            lambda c: {}, versions("torch", "litgpt"), wanted)
    if stack in ("", "megatron"):
        import megatron_steps

        megatron_steps.prepare()
        run(folder, "megatron", cases.megatron_cases(), megatron_steps.trace_named, models.config,
            lambda c: {}, dict(versions("torch", "megatron-core"), **{
                "transformer-engine (stand-in)": megatron_steps.transformer_engine_stand_in.VERSION}),
            wanted, megatron_steps.BASE, megatron_steps.workload)
    if stack in ("", "torchtitan-moe"):
        import titan_moe_steps

        titan_moe_steps.prepare()
        run(folder, "torchtitan-moe", cases.titan_moe_cases(), titan_moe_steps.trace_named,
            models.config, lambda c: dict(fused_norm=True),
            dict(versions("torch"), torchtitan="f738a03bf (2025-08-22)"), wanted,
            titan_moe_steps.BASE, titan_moe_steps.workload,
            lambda c: c["expert"] == 1)  # more ranks share by FSDP, which is not traced here
    if stack in ("", "torchtitan-moe-recent"):
        import titan_moe_recent_steps

        titan_moe_recent_steps.prepare()
        run(folder, "torchtitan-moe-recent", cases.titan_moe_recent_cases(),
            titan_moe_recent_steps.trace_named, models.config, lambda c: {},
            versions("torch", "torchtitan"), wanted, titan_moe_recent_steps.BASE,
            titan_moe_recent_steps.workload)


main()
