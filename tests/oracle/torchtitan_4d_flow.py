"""Steps of torchtitan's train.py (December 2024) on the stand-in card, for one rank of any world.

usage: torchtitan_4d_flow.py key=value ... (README.md tells what must be preloaded)

Parallelism, compilation, Float8, AdamW and process groups are torchtitan's and torch's own; NCCL moves
nothing, and what other ranks would write to the store has already been written. Prints one JSON line:
the highest allocated and reserved memory of the last step.
"""

import gc
import json
import logging
import os
import sys
import traceback
import warnings

import torch
import torch.distributed as dist

COLLECTIVES = {name: getattr(dist, name) for name in
               ("all_gather_into_tensor", "reduce_scatter_tensor", "all_reduce", "broadcast",
                "barrier", "batch_isend_irecv")}

import torchtitan_steps  # noqa: E402  (replaces collectives, which are put back below)

MODELS = {"llama-3-8b": (4096, 32, 14336), "llama-3-70b": (8192, 64, 28672),
          "llama-3-405b": (16384, 128, 53248)}
OPTIONS = dict(torchtitan_steps.BASE, model="llama-3-8b", layers=32, steps=3, float8=0, async_tensor=0,
               compile=0, recompute="full")


class Store(dist.Store):
    """A store that the other ranks have already written to."""

    def __init__(self):
        super().__init__()
        self.values = {}

    def set(self, key, value):
        self.values[key] = value if isinstance(value, bytes) else str(value).encode()

    def get(self, key):
        return self.values.get(key, b"\x01" * 128)  # the size of a communicator's id

    def add(self, key, count):
        self.values[key] = str(int(self.values.get(key, b"0")) + count).encode()
        return int(self.values[key])

    def wait(self, *_):
        pass

    def check(self, _):
        return True

    def compare_set(self, key, _, value):
        self.set(key, value)
        return self.values[key]

    def delete_key(self, key):
        return self.values.pop(key, None) is not None

    def num_keys(self):
        return len(self.values)

    def set_timeout(self, _):
        pass


def options(words):
    chosen = dict(OPTIONS)
    for word in words:
        key, value = word.split("=", 1)
        if key not in chosen:
            raise SystemExit(f"no option {key}")
        chosen[key] = int(value) if isinstance(chosen[key], int) else value
    return chosen


def job(case):
    config = torchtitan_steps.configuration(case)
    config.experimental.enable_async_tensor_parallel = bool(case["async_tensor"])
    scaling = dict.fromkeys(("scaling_type_input", "scaling_type_weight", "scaling_type_grad_output"),
                            "dynamic")
    config.float8 = type(config.float8)(
        enable_float8_linear=bool(case["float8"]), enable_fsdp_float8_all_gather=True,
        precompute_float8_dynamic_scale_for_fsdp=True, **scaling)
    return config


def cross_entropy(pred, labels):
    return torch.nn.functional.cross_entropy(pred.flatten(0, 1).float(), labels.flatten(0, 1))


class Run:
    """What train.py makes before its loop."""

    def __init__(self, case):
        self.case = case
        world = (case["replicate"] * case["shard"] * case["tensor"] * case["context"] *
                 case["pipeline"])
        rank = case["rank"] * (world // case["pipeline"])  # the first of its stage
        os.environ.update(WORLD_SIZE=str(world), RANK=str(rank),
                          TORCH_NCCL_AVOID_RECORD_STREAMS="1")  # as utils.init_distributed
        torch.cuda.set_device(0)
        self.store = Store()  # torch keeps the C++ half alone
        dist.init_process_group("nccl", store=self.store, rank=rank, world_size=world)
        self.release = release = torchtitan_steps.Release()
        config = job(case)
        dims, self.mesh = release.world(case, world)
        if case["async_tensor"]:
            import symmetric_memory_stand_in  # noqa: F401
        hidden, heads, wide = MODELS[case["model"]]
        entry = dict(hidden_size=hidden, num_attention_heads=heads, num_key_value_heads=8,
                     vocab_size=128256, intermediate_size=wide)
        arguments = torchtitan_steps.model_arguments(release, entry, case["layers"], case["length"])
        from torchtitan.float8 import Float8Handler

        with torch.device("meta"):
            self.model = release.Transformer.from_model_args(arguments)
        self.float8 = Float8Handler(config, dims)
        self.float8.convert_to_float8_training(self.model)
        self.schedule, self.parts = None, [self.model]
        if case["pipeline"] > 1:
            torchtitan_steps._announce_inputs(case, entry)
            self.schedule, self.parts = release.pipeline_llama(
                self.model, self.mesh["pp"], dims, config, torch.device("cuda:0"), arguments,
                cross_entropy)
        for part in self.parts:
            release.parallelize_llama(part, self.mesh, dims, config)
            part.to_empty(device="cuda")
            with torch.no_grad():
                part.init_weights(buffer_device=None)
            part.train()
        self.optimizers = [torch.optim.AdamW(p.parameters(), lr=1e-4, foreach=True)
                           for p in self.parts]
        self.context = release.context(case)

    def batch(self):
        shape = (self.case["batch"] * self.case["micro_batches"], self.case["length"])
        return torch.zeros(shape, dtype=torch.long).to("cuda")

    def ring(self, tokens, labels):
        if self.case["context"] == 1:
            return None
        return self.release.utils.create_context_parallel_ctx(
            cp_mesh=self.mesh["cp"], cp_buffers=[tokens, labels, self.model.freqs_cis],
            cp_seq_dims=[1, 1, 0], cp_no_restore_buffers={tokens, labels},
            cp_rotate_method="allgather")

    def passes(self, tokens, labels):
        if self.schedule is None:
            pred = self.model(tokens)
            loss = cross_entropy(pred, labels)
            del pred
            loss.backward()
            return loss
        losses = []
        if self.case["rank"] == 0:
            self.schedule.step(tokens)
        elif self.case["rank"] == self.case["pipeline"] - 1:
            self.schedule.step(target=labels, losses=losses)
        else:
            self.schedule.step()
        return torch.mean(torch.stack(losses)) if losses else None

    def step(self):
        tokens, labels = self.batch(), self.batch()
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        with self.context(self.ring(tokens, labels)):
            loss = self.passes(tokens, labels)
        self.release.utils.clip_grad_norm_(
            [p for part in self.parts for p in part.parameters()], 1.0, foreach=True,
            pp_mesh=self.mesh["pp"] if self.schedule else None)
        for optimizer in self.optimizers:
            optimizer.step()
        self.float8.precompute_float8_dynamic_scale_for_fsdp(self.parts)
        return loss


def main():
    case = options(sys.argv[1:])
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    torchtitan_steps.prepare()
    for name, function in COLLECTIVES.items():
        setattr(dist, name, function)
    dist.send_object_list = lambda *_, **__: None
    # In place; the stand-in has no runtime compiler for the inverse error function.
    torch.nn.init.trunc_normal_ = torch.nn.init.normal_ = lambda tensor, *_, **__: tensor
    run = Run(case)
    gc.collect()
    gc.disable()
    losses = []
    for _ in range(case["steps"]):
        torch.cuda.reset_peak_memory_stats()
        losses.append(run.step())
    print(json.dumps({"torch": torch.__version__,
                      "allocated": torch.cuda.max_memory_allocated(),
                      "reserved": torch.cuda.max_memory_reserved()}), flush=True)


try:
    main()
    status = 0
except Exception:  # the threads of NCCL's watchdog would wait for ever at exit
    traceback.print_exc()
    status = 1
sys.stderr.flush()
os._exit(status)
