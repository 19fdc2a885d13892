#!/usr/bin/env python3
"""Unmodified scripts of PyTorch on the stand-in card: scripts_test.py RIDGELINE SCRIPTS [NAME ...].

Runs where RIDGELINE_TORCH_PYTHON names a Python with a CUDA wheel of torch (its libraries and a card are
not needed); a script whose packages are missing is named and left out. Exit 77 without such a Python.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

RIDGELINE, SCRIPTS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
NEEDS = {"resnet_amp": "torchvision", "faster_rcnn": "torchvision", "dcgan": "torchvision", "vit_ema": "torchvision",
         "trainer_bert": "transformers", "lora_trainer": "peft", "whisper_seq2seq": "transformers", "trl_sft": "trl",
         "trl_dpo": "trl", "diffusers_lora": "diffusers", "timm_convnext": "timm", "generate": "transformers",
         "accelerate_loop": "accelerate", "swin_detr_points": "scipy", "hub_causal_lm": "transformers", "wgan_gp": "torchvision",
         "deepspeed_zero3": "deepspeed", "pretrained_resnet": "torchvision", "trl_grpo": "trl", "profiled": "torchvision",
         "accelerate_fsdp": "accelerate", "bitsandbytes_adam": "bitsandbytes", "lightning_classifier": "lightning",
         "torchao_adam": "torchao", "dqn": "numpy", "models_without_loader": "numpy", "graph_convolution": "torch_geometric", "scripted_resnet": "torchvision",
         "hub_gpt2": "transformers", "hub_imdb": "evaluate", "downloaded_pictures": "torchvision",
         "tokenizer_classes": "transformers", "qlora_loop": "bitsandbytes", "segformer_labels": "transformers",
         "detr_boxes": "transformers", "clip_paths": "torchvision", "whisper_checkpointing": "transformers",
         "megatron_core": "megatron.core", "tiktoken_loop": "tiktoken", "graphs_by_name": "torch_geometric",
         "speech_commands": "soundfile", "rows_by_number": "datasets", "talk_about_pictures": "transformers",
         "deeplab_voc": "torchvision", "what_servers_hold": "pycocotools",
         "whisper_transcribe": "whisper", "keras_imdb": "keras", "yolo_by_name": "ultralytics", "setfit_by_name": "setfit"}
RANKS = {"data_of_one_rank": 2, "megatron_core": 2, "pipeline_stages": 2, "ddp": 2, "two_models_ddp": 2, "fsdp1": 2, "fsdp2": 2, "deepspeed_zero3": 2,
         "accelerate_fsdp": 2}
CARDS = {"data_parallel": 2, **RANKS}


def has(python, package):
    """Whether it is installed: many import torch, which finds no libraries of CUDA without the card."""
    look = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{package}') is None)"
    return subprocess.run([python, "-c", look], capture_output=True, check=False).returncode == 0


def rehearse(python, name, folder):
    script = [str(SCRIPTS / f"{name}.py")]
    launcher = [python, "-m", "torch.distributed.run", "--nproc-per-node", str(RANKS[name])] if name in RANKS else [python]
    card = f"rtx-4090:{CARDS[name]}" if name in CARDS else "rtx-4090"
    return subprocess.run([RIDGELINE, "rehearse", "--on", card, "--json", "--", *launcher, *script],
                          capture_output=True, text=True, cwd=folder, check=False)


def main():
    python = os.environ.get("RIDGELINE_TORCH_PYTHON", "")
    if not python or not has(python, "triton"):
        print("no Python with a CUDA wheel of torch (RIDGELINE_TORCH_PYTHON)")
        return 77
    failed = 0
    names = sys.argv[3:] or sorted(path.stem for path in SCRIPTS.glob("*.py"))
    for name in names:
        if name in NEEDS and not has(python, NEEDS[name]):
            print(f"{name}: left out, {NEEDS[name]} is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            run = rehearse(python, name, folder)
        if run.returncode not in (0, 3):
            failed += 1
            print(f"{name}: exit {run.returncode}\n{run.stderr[-1500:]}")
            continue
        card = json.loads(run.stdout)["cards"][0]
        most = max(card["devices"], key=lambda device: device["reserved_gib"])
        print(f"{name}: {card['fit']}, {most['allocated_gib']:.3f}/{most['reserved_gib']:.3f} GiB, {card['rehearsal_s']:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
