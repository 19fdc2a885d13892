"""Training steps of torchtitan's own code on fake tensors, for one rank of any world.

The repository is imported from the folder in TORCHTITAN (a checkout of the release to trace); what it
imports and this environment lacks becomes an inert stand-in. The process group is torch's `fake`
backend, so that one process is any rank of any number.
"""

import gc
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
from types import SimpleNamespace
from unittest.mock import MagicMock

import torch
import torch.distributed as dist
from stream_trace import StreamTrace
from torch._subclasses.fake_tensor import FakeTensorMode

ABSENT = ("tyro", "torchdata", "datasets", "tiktoken", "wandb", "tensorboard", "torchft", "blobfile",
          "tomli", "torchvision", "PIL", "torchaudio", "tokenizers", "safetensors", "huggingface_hub",
          "requests", "tqdm", "einops", "transformers", "triton", "torchao")


class _StandIn(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        inert = {"__init__": lambda *_, **__: None}
        value = type(name, (), inert) if name[:1].isupper() else MagicMock()
        setattr(self, name, value)
        return value


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self):
        self.absent = {name for name in ABSENT if importlib.util.find_spec(name) is None}

    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in self.absent or name.startswith("torch.utils.tensorboard"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _StandIn(spec.name)

    def exec_module(self, module):
        pass


class _Done:
    """A collective that moves nothing."""

    def wait(self, *_):
        return True

    def is_completed(self):
        return True


def prepare():
    for name in ("all_gather_into_tensor", "reduce_scatter_tensor", "all_reduce", "broadcast",
                 "send_object_list", "barrier"):
        setattr(dist, name, lambda *_, **__: _Done())
    dist.batch_isend_irecv = lambda operators: [_Done() for _ in operators]
    sys.meta_path.insert(0, _Finder())
    sys.path.insert(0, os.environ["TORCHTITAN"])
    os.environ.setdefault("LOCAL_RANK", "0")
    from torch.distributed.pipelining import schedules
    from torch.distributed.tensor.experimental import _attention

    # Imported in 2025, in torch from 2.9 on; no case here uses them.
    for module, name in ((schedules, "ScheduleDualPipeV"), (_attention, "create_cp_block_mask")):
        if not hasattr(module, name):
            setattr(module, name, type(name, (), {}))


class Release:
    """Where a release keeps its parts: December 2024, or 2025 from August on."""

    def __init__(self):
        self.old = os.path.isdir(os.environ["TORCHTITAN"] + "/torchtitan/parallelisms")
        if self.old:
            from torchtitan import utils
            from torchtitan.models.llama.model import ModelArgs, Transformer
            from torchtitan.parallelisms import ParallelDims, parallelize_llama, pipeline_llama
        else:
            from torchtitan.distributed import ParallelDims, utils
            from torchtitan.models.llama3 import Transformer, TransformerModelArgs as ModelArgs
            from torchtitan.models.llama3 import parallelize_llama, pipeline_llama
        if hasattr(parallelize_llama, "parallelize_llama"):  # a module of the same name
            parallelize_llama = parallelize_llama.parallelize_llama
        if hasattr(pipeline_llama, "pipeline_llama"):
            pipeline_llama = pipeline_llama.pipeline_llama
        self.ModelArgs, self.Transformer, self.ParallelDims = ModelArgs, Transformer, ParallelDims
        self.parallelize_llama, self.pipeline_llama, self.utils = (
            parallelize_llama, pipeline_llama, utils)

    def world(self, case, size):
        """(parallel dimensions, mesh)"""
        sizes = dict(dp_replicate=case["replicate"], dp_shard=case["shard"], cp=case["context"],
                     tp=case["tensor"], pp=case["pipeline"], world_size=size)
        if self.old:
            dims = self.ParallelDims(**sizes, enable_loss_parallel=True)
            return dims, dims.build_mesh(device_type="cuda")
        experts = {"ep", "etp"} & set(self.ParallelDims.__dataclass_fields__)
        dims = self.ParallelDims(**sizes, **dict.fromkeys(experts, 1))
        return dims, dims.world_mesh

    def parallelize(self, model, mesh, dims, config):
        if self.old:
            return self.parallelize_llama(model, mesh, dims, config)
        return self.parallelize_llama(model, dims, config)

    def pipeline(self, model, mesh, dims, config, arguments, loss):
        """(schedule, parallelised model parts of this rank)"""
        device = torch.device("cuda:0")
        if self.old:
            schedule, parts = self.pipeline_llama(
                model, mesh["pp"], dims, config, device, arguments, loss)
            for part in parts:
                self.parallelize(part, mesh, dims, config)
            return schedule, parts
        return self.pipeline_llama(model, dims, config, device, arguments, self.parallelize_llama,
                                   loss)[:2]

    def context(self, case):
        return self.utils.get_train_context(case["tensor"] > 1, False)


def configuration(case):
    """A JobConfig with the fields that the traced functions read."""
    parallel = dict(
        data_parallel_replicate_degree=case["replicate"], data_parallel_shard_degree=case["shard"],
        fsdp_reshard_after_forward=case["reshard"], tensor_parallel_degree=case["tensor"],
        disable_loss_parallel=False, enable_async_tensor_parallel=False,
        pipeline_parallel_degree=case["pipeline"], pipeline_parallel_split_points=[],
        pipeline_parallel_layers_per_stage=None, pipeline_parallel_first_stage_less_layers=1,
        pipeline_parallel_last_stage_less_layers=1, module_fqns_per_model_part=None, pipeline_parallel_schedule=case["schedule"],
        pipeline_parallel_schedule_csv="", pipeline_parallel_microbatch_size=case["batch"],
        pipeline_parallel_microbatches=case["micro_batches"],
        context_parallel_degree=case["context"], context_parallel_rotate_method="allgather",
        enable_compiled_autograd=False)
    training = dict(
        local_batch_size=case["batch"] * case["micro_batches"],
        batch_size=case["batch"] * case["micro_batches"], seq_len=case["length"],
        mixed_precision_param="bfloat16", mixed_precision_reduce="float32",
        enable_cpu_offload=False, compile=case["compile"], max_norm=1.0)
    checkpoint = dict(mode=case["recompute"], selective_ac_option=case["option"],
                      per_op_sac_force_recompute_mm_shapes_by_fqns=[], early_stop=False)
    return SimpleNamespace(
        parallelism=SimpleNamespace(**parallel), experimental=SimpleNamespace(**parallel),
        training=SimpleNamespace(**training), activation_checkpoint=SimpleNamespace(**checkpoint),
        model=SimpleNamespace(converters=[], norm_type="rmsnorm"),
        compile=SimpleNamespace(enable=case["compile"], components=["model"]),
        float8=SimpleNamespace(recipe_name=None, enable_float8_linear=False))


def model_arguments(release, entry, layers, length):
    arguments = dict(
        dim=entry["hidden_size"], n_layers=layers, n_heads=entry["num_attention_heads"],
        n_kv_heads=entry["num_key_value_heads"], vocab_size=entry["vocab_size"], max_seq_len=length)
    # The width comes from 8 dim / 3 times the multiplier, rounded up to multiple_of.
    arguments["multiple_of"] = 256
    arguments["ffn_dim_multiplier"] = (entry["intermediate_size"] - 128) / (int(8 * entry["hidden_size"] / 3))
    if release.old:
        arguments["norm_type"] = "rmsnorm"
    return release.ModelArgs(**arguments)


def cross_entropy(logits, labels):
    return torch.nn.functional.cross_entropy(
        logits.flatten(0, 1).float(), labels.flatten(0, 1))


# rank: pipeline stage that is traced; option: "op", or one layer in so many is computed again
BASE = dict(replicate=1, shard=8, tensor=1, context=1, pipeline=1, rank=0, schedule="1F1B", batch=1,
            micro_batches=1, length=8192, recompute="selective", option="op", compile=False,
            reshard="default", holds_logits=False)


def trace(entry, layers, case, steps=2):
    """Runs `steps` steps; returns the trace, with marks after the parts of each step."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    case = dict(BASE, **case)
    world = case["replicate"] * case["shard"] * case["tensor"] * case["context"] * case["pipeline"]
    rank = case["rank"] * (world // case["pipeline"])  # first of the wanted stage
    if not dist.is_initialized():  # one world a process: operators remember its groups
        dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=world)
    release = Release()
    config = configuration(case)
    dims, mesh = release.world(case, world)
    # Meshes find their own place with real tensors, so that they are made outside the fake mode.
    ring = mesh["cp"] if case["context"] > 1 else None
    arguments = model_arguments(release, entry, layers, case["length"])
    with torch.device("meta"):
        make = getattr(release.Transformer, "from_model_args", release.Transformer)
        model = make(arguments)
    schedule = None
    parts = [model]
    if case["pipeline"] > 1:
        schedule, parts = release.pipeline(model, mesh, dims, config, arguments, cross_entropy)
        _announce_inputs(case, entry)
    else:
        release.parallelize(model, mesh, dims, config)
    watch = StreamTrace()
    with FakeTensorMode(allow_non_fake_inputs=True):
        for part in parts:
            part.to_empty(device="cuda")
            part.train()
        del model
        gc.collect()
        gc.disable()
        with watch:
            for part in parts:
                for tensor in (*part.parameters(), *part.buffers()):
                    watch.add(getattr(tensor, "_local_tensor", tensor), "parameter")
            watch.mark("model")
            parameters = [p for part in parts for p in part.parameters()]
            optimizer = torch.optim.AdamW(parameters, lr=1e-4, fused=True)
            context = release.context(case)
            held = []  # the loop's variables of the step before
            for _ in range(steps):
                _step(watch, parts, schedule, optimizer, context, case, ring, release, held)
        gc.enable()
    return watch


def _announce_inputs(case, entry):
    """What the stage before says of the tensors that it will send."""
    length = case["length"] // case["context"] // case["tensor"]

    def receive(objects, *_, **__):
        shape = (case["batch"], length, entry["hidden_size"])
        objects[0] = (torch.empty(shape, dtype=torch.bfloat16, device="meta"),)

    dist.recv_object_list = receive


def _step(watch, parts, schedule, optimizer, context, case, ring, release, held):
    samples = case["batch"] * case["micro_batches"]
    tokens = torch.zeros((samples, case["length"]), dtype=torch.long, device="cuda")
    labels = torch.zeros((samples, case["length"]), dtype=torch.long, device="cuda")
    optimizer.zero_grad()
    watch.mark("start")
    parallel = None
    if case["context"] > 1:
        tables = [part.freqs_cis for part in parts]
        parallel = release.utils.create_context_parallel_ctx(
            cp_mesh=ring, cp_buffers=[tokens, labels, *tables],
            cp_seq_dims=[1, 1, *(0 for _ in tables)], cp_no_restore_buffers={tokens, labels},
            cp_rotate_method="allgather")
    with context(parallel):
        if schedule is None:
            _passes(watch, parts[0], tokens, labels, case, held)
        else:
            watch.in_backward = True
            losses = []
            if case["rank"] == 0:
                schedule.step(tokens)
            elif case["rank"] == case["pipeline"] - 1:
                schedule.step(target=labels, losses=losses)
            else:
                schedule.step()
            watch.in_backward = False
            watch.mark("schedule")
    torch.nn.utils.clip_grad_norm_([p for m in parts for p in m.parameters()], 1.0, foreach=True)
    watch.mark("norm")
    optimizer.step()
    watch.mark("optimizer")


def _passes(watch, model, tokens, labels, case, held):
    logits = model(tokens)
    if case["holds_logits"]:  # until June 2024 the model made them fp32 and the loop held them
        logits = logits.float()
    held.clear()
    watch.mark("forward")
    loss = cross_entropy(logits, labels)
    watch.mark("loss")
    held.append((logits, loss) if case["holds_logits"] else loss)
    del logits
    watch.in_backward = True
    loss.backward()
    watch.in_backward = False
    watch.mark("backward")
