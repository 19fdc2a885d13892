"""Loads a model as from_pretrained does and trains it with the real Trainer (or a plain loop) and PEFT on
one stand-in card (stand_in.py): torch's own allocator says what is allocated and reserved.

    huggingface_flow.py key=value...      keys and defaults: OPTIONS

Checkpoints are files with holes instead of weights; the C library of bitsandbytes is replaced by one whose
functions do nothing. Prints a case of tests/evidence/allocator, with the peaks of loading and of each step.
"""

import ctypes
import importlib.metadata
import json
import logging
import mmap
import os
import pathlib
import struct
import sys
import tempfile
import warnings

import trl_trainers

OPTIONS = dict(
    model="llama-3.1-8b",
    layers=0,                # 0: as released
    method="lora",           # full, lora, qlora
    quantization="nf4-dq",   # of qlora: nf4, nf4-dq, int8
    dtype="bfloat16",        # of the weights, and of a quantised product
    precision="bf16",        # the Trainer's: bf16, fp16 or no
    batch=1, length=2048, accumulation=1, eval_batch=0,
    checkpointing="no",      # no, reentrant, yes, default: as Transformers does unasked
    kbit=True,               # prepare_model_for_kbit_training
    targets="all", rank=16, dropout=0.0, adapter="float32",
    attention="sdpa", optimizer="adamw_torch_fused", steps=3, from_file=True, liger=False,
    loop="trainer",          # trainer, loop, sft and dpo (TRL)
    head="causal",           # causal, mlm
    padded=False, history="", ranks=1, sharding="ddp",  # of several ranks: ddp, fsdp1, fsdp2
)
TARGETS = {
    "all": ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
    "qv": ["q_proj", "v_proj"],
    "attention": ["q_proj", "k_proj", "v_proj", "o_proj"],
}
DEPTH = {"llama-3.2-1b": 16, "llama-2-7b": 32, "llama-3.1-8b": 32, "qwen2-1.5b": 28, "qwen2.5-7b": 28,
         "mistral-7b": 32, "mistral-7b-v0.3": 32, "phi-3-mini": 32, "gemma-2-2b": 26, "gemma-2-9b": 42, "gemma-2b": 18,
         "gemma-3-1b": 26, "gemma-3-4b": 34, "qwen3-4b": 36, "qwen3-8b": 36, "mixtral-8x7b": 32,
         "gpt-oss-20b": 24, "llama-3.2-3b": 28, "smollm2-1.7b": 24, "deepseek-coder-1.3b": 24}
# Keys of the catalog's model files that no configuration has.
OF_CATALOG = ("id", "name", "hf_id", "source", "parameters", "parameters_source", "active_parameters",
              "active_parameters_precision", "checkpoint_elements", "checkpoint_note")
OURS = ("gated_mlp", "norm_type", "norms_per_layer", "qk_norm", "position_embedding", "learned_positions",
        "attention_out_bias", "mlp_bias", "sliding_window_pattern", "head_bias", "pooler", "mlm_head", "embedding_norm")


def mmap_of(size, kept=[]):
    """Memory whose pages nobody touches, for as long as the process runs."""
    kept.append((ctypes.c_char * max(size, 1)).from_buffer(mmap.mmap(-1, max(size, 1))))
    return kept[-1]


class Silent:
    """The C library of bitsandbytes: every function succeeds. Paged states are memory of the host."""

    class Function:
        def __call__(self, *_):
            return 0

    class Paged(Function):
        restype = None

        def __call__(self, size):
            size = getattr(size, "value", size)
            return ctypes.cast(mmap_of(size), ctypes.c_void_p)

    def __getattr__(self, name):
        setattr(self, name, Silent.Paged() if name == "cget_managed_ptr" else Silent.Function())
        return getattr(self, name)


def options():
    found = dict(OPTIONS)
    for word in sys.argv[1:]:
        key, value = word.split("=", 1)
        kind = type(OPTIONS[key])
        found[key] = value in ("True", "yes", "1") if kind is bool else kind(value)
    return found


def replace_library():
    real = ctypes.cdll.LoadLibrary
    ctypes.cdll.LoadLibrary = lambda name: Silent() if "bitsandbytes" in str(name) else real(name)


def catalog_entry(name):
    """What the catalog's model file says, which is mostly a config.json."""
    file = pathlib.Path(__file__).resolve().parents[2] / "profiles" / "models" / f"{name}.json"
    entry = {k: v for k, v in json.loads(file.read_text()).items() if k not in OF_CATALOG and v is not None}
    entry.pop("vision_config", None)
    if entry["model_type"] == "gemma3":
        entry["model_type"] = "gemma3_text"
    return entry


def model_config(o):
    import models
    from transformers import AutoConfig

    known = o["model"] in DEPTH
    entry = models.config(o["model"], o["layers"] or DEPTH[o["model"]]) if known else catalog_entry(o["model"])
    more = {k: v for k, v in entry.items() if k not in OURS}
    config = AutoConfig.for_model(more.pop("model_type"), **more)
    config.use_cache = False
    for name in ("attention_dropout", "attn_pdrop", "embd_pdrop", "resid_pdrop"):
        if hasattr(config, name):
            setattr(config, name, 0.0)
    return entry, config


def write_checkpoint(folder, config, dtype, masked=False):
    """A safetensors file of the right shapes whose contents are a hole."""
    import torch
    import transformers

    with torch.device("meta"):
        model = transformers.AutoModelForMaskedLM.from_config(config) if masked else (
            transformers.AutoModelForCausalLM.from_config(config))
    kind = {"bfloat16": "BF16", "float16": "F16", "float32": "F32"}[dtype]
    size = 4 if dtype == "float32" else 2
    header, at = {"__metadata__": {"format": "pt"}}, 0
    tied = set(getattr(model, "_tied_weights_keys", None) or ()) if config.tie_word_embeddings else set()
    for name, parameter in model.named_parameters():
        if name in tied:
            continue
        end = at + parameter.numel() * size
        header[name] = dict(dtype=kind, shape=list(parameter.shape), data_offsets=[at, end])
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    config.architectures = [type(model).__name__]
    config.save_pretrained(folder)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + at)


def loaded(o, config):
    import torch
    import transformers

    dtype = getattr(torch, o["dtype"])
    newer = int(transformers.__version__.split(".")[0]) >= 5
    more = {"dtype" if newer else "torch_dtype": dtype}
    if o["method"] == "qlora":
        from transformers import BitsAndBytesConfig

        four = dict(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=dtype,
                    bnb_4bit_use_double_quant=o["quantization"] == "nf4-dq")
        more["quantization_config"] = BitsAndBytesConfig(
            **(dict(load_in_8bit=True) if o["quantization"] == "int8" else four))
    if not o["from_file"]:
        with torch.device("cuda"):
            return transformers.AutoModelForCausalLM.from_config(
                config, attn_implementation=o["attention"], **{k: v for k, v in more.items() if "dtype" in k})
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_checkpoint(folder, config, o["dtype"], o["head"] == "mlm")
        kind = transformers.AutoModelForMaskedLM if o["head"] == "mlm" else transformers.AutoModelForCausalLM
        return kind.from_pretrained(
            folder, attn_implementation=o["attention"], **({} if o["head"] == "mlm" else dict(use_cache=False)),
            **(dict(device_map={"": 0}) if o["ranks"] == 1 or o["sharding"] == "ddp" else {}), **more)


def adapted(o, model):
    import peft

    if o["method"] == "full":
        return model
    again = None if o["checkpointing"] == "default" else dict(use_reentrant=o["checkpointing"] == "reentrant")
    if o["method"] == "qlora" and o["kbit"] and o["loop"] not in ("sft", "dpo"):
        model = peft.prepare_model_for_kbit_training(
            model, use_gradient_checkpointing=o["checkpointing"] != "no", gradient_checkpointing_kwargs=again)
    names = TARGETS.get(o["targets"], o["targets"].split(","))
    if o["model"].startswith("phi-3"):
        names = {"all": ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"],
                 "attention": ["qkv_proj", "o_proj"], "qv": ["qkv_proj"]}.get(o["targets"], names)
    if o["model"] == "phi-2":
        names = {"attention": ["q_proj", "k_proj", "v_proj", "dense"]}.get(o["targets"], names)
    o["target_names"] = names
    o["adapter_config"] = peft.LoraConfig(
        r=o["rank"], lora_alpha=16, lora_dropout=o["dropout"], target_modules=names, task_type="CAUSAL_LM")
    if o["loop"] in ("sft", "dpo"):
        return model  # TRL makes the adapters
    return peft.get_peft_model(model, o["adapter_config"], autocast_adapter_dtype=o["adapter"] == "float32")


def layers_of(model):
    """The repeated blocks of a model of Transformers."""
    import torch

    return next(module for module in model.modules() if isinstance(module, torch.nn.ModuleList) and len(module) > 1)


def train_by_trainer(o, model, marks):
    import torch
    import transformers

    class Samples(torch.utils.data.Dataset):
        def __init__(self, count):
            self.count = count

        def __len__(self):
            return self.count

        def __getitem__(self, _):
            ids = [0] * o["length"]
            return dict(input_ids=ids, labels=ids)

    class Marks(transformers.TrainerCallback):
        def on_step_end(self, *_, **__):
            marks.append((torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()))

    per_step = o["batch"] * o["accumulation"]
    more = {}
    if o["ranks"] > 1 and o["sharding"].startswith("fsdp"):
        more = dict(fsdp="full_shard auto_wrap", fsdp_config=dict(
            version=int(o["sharding"][-1]), transformer_layer_cls_to_wrap=[type(layers_of(model)[0]).__name__]))
    with tempfile.TemporaryDirectory() as folder:
        args = transformers.TrainingArguments(
            output_dir=folder, per_device_train_batch_size=o["batch"], max_steps=o["steps"],
            gradient_accumulation_steps=o["accumulation"], optim=o["optimizer"],
            bf16=o["precision"] == "bf16", fp16=o["precision"] == "fp16",
            gradient_checkpointing=o["checkpointing"] != "no",
            gradient_checkpointing_kwargs=dict(use_reentrant=o["checkpointing"] == "reentrant")
            if o["checkpointing"] not in ("no", "default") else None,
            per_device_eval_batch_size=o["eval_batch"] or 8, use_liger_kernel=o["liger"],
            eval_strategy="steps" if o["eval_batch"] else "no", eval_steps=2,
            prediction_loss_only=True if o["eval_batch"] else False,
            report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True, remove_unused_columns=False, **more)
        transformers.Trainer(model=model, args=args, train_dataset=Samples(per_step * o["steps"] * o["ranks"]),
                             eval_dataset=Samples(2 * o["eval_batch"] * o["ranks"]) if o["eval_batch"] else None,
                             data_collator=transformers.default_data_collator, callbacks=[Marks()]).train()


def train_by_loop(o, model, marks):
    """As users write it: outputs live until the backward pass is done, the loss until the next one is made."""
    import torch

    if o["checkpointing"] != "no" and not (o["method"] == "qlora" and o["kbit"]):
        model.gradient_checkpointing_enable(
            gradient_checkpointing_kwargs=dict(use_reentrant=o["checkpointing"] == "reentrant"))
        if o["method"] != "full":
            model.enable_input_require_grads()
    model.train()
    if o["ranks"] > 1:
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4,
                                  fused=o["optimizer"].endswith("fused") or None)
    ids = torch.zeros(o["batch"], o["length"], dtype=torch.long, device="cuda")
    for _ in range(o["steps"]):
        outputs = model(input_ids=ids, labels=ids)
        outputs.loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        marks.append((torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()))


def join(ranks):
    """This process is the first of `ranks`; the card's collectives take what it has itself for what others have."""
    import torch
    import torch.distributed as dist

    os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE=str(ranks), LOCAL_WORLD_SIZE=str(ranks),
                      MASTER_ADDR="localhost", MASTER_PORT="29513")
    start = dist.init_process_group
    dist.init_process_group = lambda *_, **__: start("nccl", rank=0, world_size=ranks, store=dist.HashStore())
    dist.barrier = lambda *_, **__: None
    dist.init_process_group()
    dist.init_process_group = lambda *_, **__: None
    # Reads the shapes that other ranks have sent.
    torch.nn.parallel.distributed._verify_param_shape_across_processes = lambda *_, **__: None


def optimizer_of(o, states):
    name = o["optimizer"]
    if "8bit" in name:
        return {"name": "adamw", "state": "int8", "implementation": "paged" if "paged" in name else "fused"}
    if name in ("adafactor", "sgd"):
        return {"name": name}
    if name == "paged_adamw_32bit":
        return {"name": "adamw", "state": "fp32", "implementation": "paged"}
    return {"name": "adamw", "state": states, "implementation": "fused" if name.endswith("fused") else "foreach"}


def workload(o, entry):
    framework = dict(trainer="hf-trainer-amp", loop="hf-trainer").get(o["loop"], "trl")
    if o["loop"] == "trainer" and o["precision"] == "no" and o["dtype"] != "float32":
        framework = "hf-trainer-pure"
    before_5 = int(importlib.metadata.version("transformers").split(".")[0]) < 5
    if before_5 or o["sharding"] == "fsdp1":
        framework += "@2025-07-20" if before_5 else "@2025-07-25"
    shape = {k: v for k, v in entry.items() if v is not None}
    if o["head"] == "mlm":
        shape.update(mlm_head=True, pooler=False)
    unasked = o["checkpointing"] == "default" and o["loop"] in ("sft", "dpo") and before_5  # TRL 0.19 has it off
    recompute = "none" if o["checkpointing"] == "no" or unasked else "full"
    wide = dict(bfloat16="bf16", float16="fp16", float32="fp32")[o["dtype"]]
    compute = wide if o["precision"] == "no" else o["precision"]
    precision = dict(weights=wide, compute=compute)
    if o["method"] == "qlora":
        precision.update(quantization=o["quantization"].removesuffix("-dq"),
                         double_quantization=o["quantization"].endswith("-dq"))
    adapters = o["method"] != "full"
    narrow = o["adapter"] != "float32" or (o["method"] == "qlora" and o["loop"] in ("sft", "dpo") and not before_5)
    shards = o["ranks"] > 1 and o["sharding"].startswith("fsdp")
    if shards and not adapters and o["loop"] == "trainer":
        wide = precision["weights"] = "fp32"  # accelerate keeps the shards of what trains in fp32
    return {
        "schema": "ridgeline/workload/1", "name": o["model"], "model": dict(shape, name=o["model"]),
        "task": "train", "method": o["method"],
        "software": {"framework": framework, "attention": o["attention"], "compile": False,
                     **({} if framework.startswith("trl") else
                        {"loss": "fused_linear" if o["liger"] else "eager"})},
        "precision": precision,
        "optimizer": optimizer_of(o, "fp32" if adapters and not narrow else wide),
        **({"lora": {"rank": o["rank"], "targets": o["target_names"], "dropout": o["dropout"],
                     "weights": wide if narrow else "fp32"}} if adapters else {}),
        "batch": {"micro": o["batch"], "global": o["batch"] * o["accumulation"] * o["ranks"], "sequence_length": o["length"]},
        "parallel": {"data": o["ranks"], "tensor": 1, "pipeline": 1,
                     "sharding": "fsdp" if shards else o["sharding"] if o["ranks"] > 1 else "none"},
        "recompute": recompute,
    }


def whole_samples(module, name):
    """No sample is padded: where a mask says so, its values would be read back from the card."""
    real = getattr(module, name)

    def without(*args, **more):
        if "attention_mask" in more:
            more["attention_mask"] = None
        return real(*args, **more)
    setattr(module, name, without)


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    o = options()
    replace_library()
    import torch
    import transformers

    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    for name in ("normal_", "uniform_", "kaiming_uniform_", "zeros_", "ones_"):
        setattr(torch.nn.init, name, lambda tensor, *_, **__: tensor)
    transformers.modeling_utils.PreTrainedModel._init_weights = lambda *_: None
    torch.backends.cuda.enable_cudnn_sdp(False)
    try:  # reads positions that no kernel has written
        transformers.masking_utils.find_packed_sequence_indices = lambda *_: None
        for name in ("create_causal_mask", "create_sliding_window_causal_mask", "create_bidirectional_mask"):
            whole_samples(transformers.masking_utils, name)
    except AttributeError:
        pass
    entry, config = model_config(o)
    if o["ranks"] > 1:
        join(o["ranks"])
    if o["history"]:
        torch.cuda.memory._record_memory_history(max_entries=2000000, stacks="python")
    model = loaded(o, config)
    marks = [(torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())]
    kept = [torch.cuda.memory_allocated()]
    model = adapted(o, model)
    kept.append(torch.cuda.memory_allocated())
    marks.append((torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()))
    torch.cuda.reset_peak_memory_stats()
    by = dict(trainer=train_by_trainer, loop=train_by_loop, sft=trl_trainers.train_by_trl, dpo=trl_trainers.train_by_trl)
    by[o["loop"]](o, model, marks)
    if o["history"]:
        torch.cuda.memory._dump_snapshot(o["history"])
    print(json.dumps({
        "id": " ".join(f"{k}={o[k]}" for k in OPTIONS if o[k] != OPTIONS[k] or k in ("batch", "length", "method")),
        "workload": workload(o, entry),
        "allocated": torch.cuda.max_memory_allocated(), "reserved": torch.cuda.max_memory_reserved(),
        "capability": int(os.environ.get("RIDGELINE_CARD_CAPABILITY", 90)),
        "marks": marks, "kept": kept,
    }))


main()
