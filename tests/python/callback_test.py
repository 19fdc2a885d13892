#!/usr/bin/env python3
"""MemoryCallback on a made-up Trainer and torch: what it asks, prints and writes.

Usage: callback_test.py RIDGELINE, with the package on PYTHONPATH
"""
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

PROGRAM = sys.argv[1]
GIB = 2**30
CONFIGURATION = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
                 "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
                 "vocab_size": 128256, "tie_word_embeddings": False}


class Configuration:
    _attn_implementation = "flash_attention_2"

    def to_dict(self):
        return CONFIGURATION


class Parameter:
    def __init__(self, dtype, count):
        self.dtype = f"torch.{dtype}"
        self.count = count

    def numel(self):
        return self.count


class Model:
    config = Configuration()

    def __init__(self, dtype="bfloat16", adapter=None):
        self.dtype = dtype
        if adapter:
            self.peft_config = {"default": types.SimpleNamespace(**adapter)}

    def parameters(self):
        return [Parameter(self.dtype, 8000), Parameter("float32", 10)]


class Card:
    """torch.cuda of one card: peaks that the test sets."""

    was_reset = 0

    @staticmethod
    def is_available():
        return True

    @staticmethod
    def get_device_name():
        return "NVIDIA H100 80GB HBM3"

    @staticmethod
    def max_memory_allocated():
        return 30 * GIB

    @staticmethod
    def max_memory_reserved():
        return 32 * GIB

    memory_reserved = max_memory_reserved

    @staticmethod
    def mem_get_info():
        return 40 * GIB, 80 * GIB

    @classmethod
    def reset_peak_memory_stats(cls):
        cls.was_reset += 1


torch = types.ModuleType("torch")
torch.__version__ = "2.8.0"
torch.cuda = Card
sys.modules["torch"] = torch

from ridgeline import MemoryCallback  # noqa: E402
from ridgeline.callback import workload_of  # noqa: E402

STATE = types.SimpleNamespace(is_world_process_zero=True, global_step=0)


def arguments(**given):
    usual = {"per_device_train_batch_size": 2, "gradient_accumulation_steps": 4, "world_size": 1,
             "gradient_checkpointing": True, "bf16": True, "fp16": False, "fsdp": [],
             "optim": types.SimpleNamespace(value="adamw_torch_fused"), "deepspeed": None}
    return types.SimpleNamespace(**{**usual, **given})


def trained(callback, model, **given):
    asked = arguments(**given)
    callback.on_train_begin(asked, STATE, None, model=model)
    callback.on_step_begin(asked, STATE, None)
    callback.on_train_end(asked, STATE, None)
    return callback


class Reading(unittest.TestCase):
    def test_arguments(self):
        options, unknown = workload_of(arguments(), Model(), 2048)
        self.assertEqual(unknown, [])
        wanted = {"framework": "hf-trainer", "method": "full", "micro_batch": 2, "batch": 8,
                  "recompute": "full", "attention": "flash", "sequence": 2048, "weights": "bf16",
                  "optimizer": "adamw", "optimizer_implementation": "fused", "task": "train"}
        self.assertEqual({name: options[name] for name in wanted}, wanted)

    def test_fp32_weights_under_bf16_are_mixed_precision(self):
        options, _ = workload_of(arguments(), Model("float32"), 2048)
        self.assertEqual((options["framework"], options["weights"]), ("hf-trainer-amp", "fp32"))

    def test_adapter(self):
        model = Model(adapter={"r": 64, "target_modules": {"v_proj", "q_proj"}, "use_dora": True,
                               "modules_to_save": ["lm_head"]})
        options, unknown = workload_of(arguments(), model, 2048)
        self.assertEqual((options["method"], options["rank"], options["targets"],
                          options["lora_variant"]), ("lora", 64, "q_proj,v_proj", "dora"))
        self.assertEqual(unknown, ["modules_to_save of the adapter"])

    def test_what_is_not_understood_is_said(self):
        given = arguments(optim="galore_adamw", fsdp="full_shard", max_length=None)
        _, unknown = workload_of(given, Model(), None)
        self.assertEqual(len(unknown), 3)
        self.assertIn("galore_adamw", " ".join(unknown))


class Printing(unittest.TestCase):
    def test_predicted_beside_measured_by_counter(self):
        out, before = io.StringIO(), Card.was_reset
        callback = trained(MemoryCallback(sequence=2048, out=out), Model())
        text = out.getvalue()
        self.assertEqual(callback.estimate.hardware.accelerator, "h100-sxm5-80gb")
        counters = callback.estimate.memory.counters
        self.assertIn(f"{counters.reserved_gib:.2f}", text)
        self.assertRegex(text, r"allocated +[\d.]+ +30\.00 +[+-][\d.]+ %")
        self.assertRegex(text, r"reserved +[\d.]+ +32\.00")
        self.assertEqual(Card.was_reset, before)

    def test_peaks_are_reset_only_when_asked(self):
        before = Card.was_reset
        trained(MemoryCallback(sequence=2048, out=io.StringIO(), reset_peak=True), Model())
        self.assertEqual(Card.was_reset, before + 1)

    def test_an_error_does_not_end_the_run(self):
        out = io.StringIO()
        callback = trained(MemoryCallback(sequence=2048, out=out, on="no-such-card"), Model())
        self.assertIsNone(callback.estimate)
        self.assertIn("no prediction", out.getvalue())
        self.assertIn("30.00", out.getvalue())

    def test_other_ranks_keep_quiet(self):
        out = io.StringIO()
        callback = MemoryCallback(sequence=2048, out=out)
        rank = types.SimpleNamespace(is_world_process_zero=False, global_step=0)
        callback.on_train_begin(arguments(), rank, None, model=Model())
        callback.on_train_end(arguments(), rank, None)
        self.assertEqual(out.getvalue(), "")


class Evidence(unittest.TestCase):
    def test_validate_reads_the_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.json"
            for _ in range(2):
                trained(MemoryCallback(sequence=2048, out=io.StringIO(), evidence=path), Model())
            self.assertEqual(len(json.loads(path.read_text())["rows"]), 2)
            done = subprocess.run([PROGRAM, "validate", path, "--json"], capture_output=True,
                                  text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertNotIn("skipped", json.dumps(answer.get("rows", "")))
        self.assertIn("memory", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
