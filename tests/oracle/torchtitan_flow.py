"""Steps of torchtitan's own code on the stand-in card, for rank 0 of any world.

    TORCHTITAN=<checkout> torchtitan_flow.py key=value...

Keys are those of torchtitan_steps.BASE, beside `model`, `layers`, `steps`, `compiled_loss` and `fp8`
(a recipe of torchao). Parallelism, recomputation, compilation (Inductor's graphs, Triton's kernels),
the process group (NCCL) and the caching allocator are the real ones. Prints what the allocator
counted, in bytes.
"""

import gc
import json
import os
import sys

import torch
import torch.distributed as dist

# Before torchtitan_steps puts stand-ins for them.
COLLECTIVES = {name: getattr(dist, name) for name in (
    "all_gather_into_tensor", "reduce_scatter_tensor", "all_reduce", "broadcast", "barrier")}

import torchtitan_steps as titan  # noqa: E402

MODELS = {
    "llama-3-8b": dict(hidden_size=4096, num_attention_heads=32, num_key_value_heads=8,
                       vocab_size=128256, intermediate_size=14336),
}


def options(words):
    case, run = dict(titan.BASE), dict(model="llama-3-8b", layers=32, steps=2, compiled_loss=0, fp8="")
    for word in words:
        key, value = word.split("=", 1)
        known = case if key in case else run
        known[key] = value if isinstance(known[key], str) else type(known[key])(int(value))
    return case, run


def world(release, case, size):
    """(parallel dimensions, mesh); releases of spring 2025 lie between those of torchtitan_steps"""
    if not release.old and "enable_loss_parallel" in release.ParallelDims.__dataclass_fields__:
        dims = release.ParallelDims(
            dp_replicate=case["replicate"], dp_shard=case["shard"], cp=case["context"],
            tp=case["tensor"], pp=case["pipeline"], world_size=size, enable_loss_parallel=True)
        return dims, dims.build_mesh(device_type="cuda")
    return release.world(case, size)


def converted(model, recipe):
    if recipe:
        from torchao.float8 import Float8LinearConfig, convert_to_float8_training

        config = Float8LinearConfig(enable_fsdp_float8_all_gather=True) \
            if recipe == "tensorwise" else Float8LinearConfig.from_recipe_name(recipe)
        convert_to_float8_training(
            model, config=config, module_filter_fn=lambda _, name: "output" not in name)
    return model


def step(model, optimizer, release, mesh, case, loss_of):
    tokens = torch.zeros((case["batch"], case["length"]), dtype=torch.long, device="cuda")
    labels = torch.zeros_like(tokens)
    optimizer.zero_grad()
    parallel = None
    if case["context"] > 1:
        parallel = release.utils.create_context_parallel_ctx(
            cp_mesh=mesh["cp"], cp_buffers=[tokens, labels, model.freqs_cis],
            cp_seq_dims=[1, 1, 0], cp_no_restore_buffers={tokens, labels},
            cp_rotate_method="allgather")
    with release.context(case)(parallel):
        logits = model(tokens)
        loss = loss_of(logits, labels)
        del logits
        loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), 1.0, foreach=True)
    optimizer.step()


def main():
    case, run = options(sys.argv[1:])
    titan.prepare()
    for name, function in COLLECTIVES.items():
        setattr(dist, name, function)
    size = case["replicate"] * case["shard"] * case["tensor"] * case["context"]
    os.environ["WORLD_SIZE"] = str(size)
    torch.cuda.set_device(0)
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=size)
    release, entry = titan.Release(), MODELS[run["model"]]
    config = titan.configuration(case)
    config.job = config.model
    dims, mesh = world(release, case, size)
    with torch.device("meta"):
        make = getattr(release.Transformer, "from_model_args", release.Transformer)
        model = make(titan.model_arguments(release, entry, run["layers"], case["length"]))
    converted(model, run["fp8"])
    try:
        release.parallelize_llama(model, dims, config)
    except TypeError:
        release.parallelize_llama(model, mesh, dims, config)
    model.to_empty(device="cuda")
    model.train()
    loss_of = torch.compile(titan.cross_entropy) if run["compiled_loss"] else titan.cross_entropy
    gc.collect()
    gc.disable()  # as torchtitan does between steps
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    for _ in range(run["steps"]):
        step(model, optimizer, release, mesh, case, loss_of)
    print(json.dumps(dict(torch=torch.__version__, allocated=torch.cuda.max_memory_allocated(),
                          reserved=torch.cuda.max_memory_reserved())))


if __name__ == "__main__":
    main()
