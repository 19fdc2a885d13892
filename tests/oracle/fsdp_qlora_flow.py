"""Runs train.py of AnswerDotAI/fsdp_qlora, unchanged, as rank 0 of several on the stand-in card.

    fsdp_qlora_flow.py FOLDER_OF_TRAIN_PY key=value...

Keys are those of train.py's main, beside `model` (a key of MODELS) and `steps`. What reads the disk
or the network is replaced: tokenizer, data, checkpoint files (tensors of the right shapes without
contents) and the C library of bitsandbytes. Prints what the caching allocator counted, in bytes.
"""

import ctypes
import json
import os
import sys
import types

MODELS = {
    "llama-2-7b": dict(hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
                       num_attention_heads=32, num_key_value_heads=32, vocab_size=32000),
    "llama-2-13b": dict(hidden_size=5120, intermediate_size=13824, num_hidden_layers=40,
                        num_attention_heads=40, num_key_value_heads=40, vocab_size=32000),
    "yi-34b": dict(hidden_size=7168, intermediate_size=20480, num_hidden_layers=60,
                   num_attention_heads=56, num_key_value_heads=8, vocab_size=64000),
    "mistral-7b": dict(hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
                       num_attention_heads=32, num_key_value_heads=8, vocab_size=32000),
    "llama-3.1-8b": dict(hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
                         num_attention_heads=32, num_key_value_heads=8, vocab_size=128256,
                         max_position_embeddings=131072),
    "llama-3.1-70b": dict(hidden_size=8192, intermediate_size=28672, num_hidden_layers=80,
                          num_attention_heads=64, num_key_value_heads=8, vocab_size=128256,
                          max_position_embeddings=131072),
    "llama-2-70b": dict(hidden_size=8192, intermediate_size=28672, num_hidden_layers=80,
                        num_attention_heads=64, num_key_value_heads=8, vocab_size=32000),
}


class Silent:
    """The C library of bitsandbytes: every function succeeds."""

    def __getattr__(self, name):
        def function(*_):
            return 1

        setattr(self, name, function)
        return function


def replace_library():
    real = ctypes.cdll.LoadLibrary
    ctypes.cdll.LoadLibrary = lambda name: Silent() if "bitsandbytes" in str(name) else real(name)


def shapes_of(model):
    return {name: tuple(p.shape) for name, p in model.named_parameters()}


def main():
    folder, options = sys.argv[1], dict(word.split("=", 1) for word in sys.argv[2:])
    replace_library()
    import torch
    import torch.distributed as dist

    sys.path.insert(0, folder)
    import train
    import transformers
    import inspect

    defaults = {k: p.default for k, p in inspect.signature(train.main).parameters.items()}
    steps = int(options.pop("steps", 3))
    pool_report = options.pop("pools", "") == "yes"
    model = options.pop("model", "llama-2-7b")
    layers = options.pop("layers", None)
    world = int(options.pop("world_size", 2))
    args = dict(defaults, model_name=model, world_size=world,
                lora_target_modules=["k_proj", "q_proj", "v_proj", "up_proj", "down_proj", "gate_proj"],
                log_to="tqdm", loading_workers=int(options.pop("loading_workers", 0)))
    for key, value in options.items():
        kind = type(defaults[key])
        args[key] = value == "True" if value in ("True", "False") else kind(value)
    shape = {"max_position_embeddings": 4096, **MODELS[model]}
    if layers:
        shape["num_hidden_layers"] = int(layers)
    config = transformers.LlamaConfig(**shape) if not model.startswith("mistral") else \
        transformers.MistralConfig(**shape, sliding_window=None)

    # No tensor of a model on the host is ever written: only its pages would cost.
    for name in ("normal_", "uniform_", "kaiming_uniform_", "zeros_", "ones_"):
        setattr(torch.nn.init, name, lambda tensor, *_, **__: tensor)
    transformers.modeling_utils.PreTrainedModel._init_weights = lambda *_: None
    transformers.models.llama.modeling_llama.LlamaPreTrainedModel._init_weights = lambda *_: None
    transformers.models.mistral.modeling_mistral.MistralPreTrainedModel._init_weights = lambda *_: None

    class Names:
        eos_token_id = pad_token_id = 2

    train.AutoTokenizer.from_pretrained = lambda *_, **__: Names()
    train.AutoConfig.from_pretrained = lambda *_, **__: config
    batch = lambda: {k: torch.zeros(int(args["batch_size"]), int(args["context_length"]), dtype=torch.long)
                     for k in ("input_ids", "labels")}
    train.get_dataloader = lambda *_: [batch() for _ in range(steps)]

    def built(*_, torch_dtype=None, **__):
        config.use_cache, config._attn_implementation = False, "sdpa"
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch_dtype or before)
        try:
            return transformers.AutoModelForCausalLM.from_config(config)
        finally:
            torch.set_default_dtype(before)

    train.AutoModelForCausalLM.from_pretrained = built
    train.hub.cached_file = lambda *_: "index"
    train.hub.get_checkpoint_shard_files = lambda *_: (["weights"], None)
    with train.init_empty_weights():
        config._attn_implementation = "sdpa"
        shapes = shapes_of(transformers.AutoModelForCausalLM.from_config(config))
    train.safetensors = types.SimpleNamespace(torch=types.SimpleNamespace(
        load_file=lambda _: {k: torch.empty(s, dtype=torch.bfloat16) for k, s in shapes.items()}))

    start = dist.init_process_group
    dist.init_process_group = lambda backend, rank, world_size: start(
        backend, rank=rank, world_size=world_size, store=dist.HashStore())
    train.dist.barrier = lambda *_: None
    stats = []

    streams = []

    def pools(name):
        """Segments of each stream: (bytes, bytes in use, sizes of the segments)."""
        found = {}
        for segment in torch.cuda.memory_snapshot():
            key = (segment["stream"], segment["segment_type"])
            row = found.setdefault(key, [0, 0, {}])
            row[0] += segment["total_size"]
            row[1] += segment["active_size"]
            row[2][segment["total_size"]] = row[2].get(segment["total_size"], 0) + 1
        for stream, _ in found:
            if stream not in streams:
                streams.append(stream)
        for (stream, kind), (total, live, sizes) in found.items():
            print(f"  {name}: stream {streams.index(stream)} {kind}: {total / 2**20:.0f} MiB, in use {live / 2**20:.1f}: " +
                  ", ".join(f"{n} x {s / 2**20:.0f}" for s, n in sorted(sizes.items())), file=sys.stderr)

    def note(name):
        stats.append((name, torch.cuda.memory_allocated(), torch.cuda.memory_reserved()))
        if pool_report:
            pools(name)

    class Log:
        def __init__(self, *_, **__):
            pass

        def log(self, *_, **__):
            pass

        finish = log

    train.Logger = Log
    wrap = train.FSDP
    real_init = wrap.__init__

    depth = [0]

    def init(self, *a, **k):
        depth[0] += 1
        if depth[0] == 1:
            note("created")
        real_init(self, *a, **k)
        depth[0] -= 1
        if depth[0] == 0:
            note("wrapped")

    wrap.__init__ = init
    reset = torch.cuda.reset_peak_memory_stats

    def after(*a):
        reset(*a)
        note("start")

    torch.cuda.reset_peak_memory_stats = after
    zero = torch.optim.Optimizer.zero_grad
    step_count = [0]

    def step_done(self, *a, **k):
        zero(self, *a, **k)
        step_count[0] += 1
        stats.append((f"step {step_count[0]}", torch.cuda.memory_allocated(),
                      torch.cuda.memory_reserved(), torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()))
        if pool_report:
            pools(f"step {step_count[0]}")

    torch.optim.Optimizer.zero_grad = step_done
    if options.get("snapshot"):
        torch.cuda.memory._record_memory_history()
    end = {}
    train.dist.destroy_process_group = lambda: end.update(
        allocated=torch.cuda.max_memory_allocated(), reserved=torch.cuda.max_memory_reserved())
    train.fsdp_main(0, world, args)
    for row in stats:
        print(row[0], " ".join(f"{x / 2**30:.3f}" for x in row[1:]), file=sys.stderr)
    print(json.dumps({"options": sys.argv[2:], "stats": stats, **end,
                      "torch": torch.__version__, "transformers": transformers.__version__}))


if __name__ == "__main__":
    main()
