"""Diffusion models of the hub without network: the folder of a pipeline with the configurations that the
profiles know (U-Net, VAE, text encoders, scheduler) and weights that are holes."""

import functools
import json
import os

from . import card
from .saves import TYPE_NAMES, write_with_holes

MODULES = ("diffusers.models.modeling_utils", "diffusers.schedulers.scheduling_utils", "diffusers.pipelines.pipeline_utils")
WEIGHTS = "diffusion_pytorch_model.safetensors"


def unet(known):
    attends = known["down_attention"]
    linear = known["cross_attention_dim"] > 768  # from Stable Diffusion 2 on
    found = {
        "_class_name": "UNet2DConditionModel", "in_channels": known["in_channels"], "out_channels": known["out_channels"],
        "block_out_channels": known["block_out_channels"], "layers_per_block": known["layers_per_block"],
        "cross_attention_dim": known["cross_attention_dim"], "attention_head_dim": known["attention_heads"],
        "transformer_layers_per_block": known["transformer_layers_per_block"], "sample_size": known["sample_size"],
        "down_block_types": ["CrossAttnDownBlock2D" if a else "DownBlock2D" for a in attends],
        "up_block_types": ["CrossAttnUpBlock2D" if a else "UpBlock2D" for a in reversed(attends)],
        "use_linear_projection": linear,
    }
    if "projection_class_embeddings_input_dim" in known:
        found |= {"addition_embed_type": "text_time", "addition_time_embed_dim": known["addition_time_embed_dim"],
                  "projection_class_embeddings_input_dim": known["projection_class_embeddings_input_dim"]}
    return found


def vae(known):
    channels = known["vae_channels"]
    return {"_class_name": "AutoencoderKL", "in_channels": 3, "out_channels": 3, "block_out_channels": channels,
            "down_block_types": ["DownEncoderBlock2D"] * len(channels), "up_block_types": ["UpDecoderBlock2D"] * len(channels),
            "latent_channels": known["latent_channels"], "layers_per_block": 2, "sample_size": known["image_size"],
            "scaling_factor": 0.13025 if known["image_size"] > 768 else 0.18215}


def text_encoder(sizes, projected):
    hidden, layers, heads, middle, vocabulary, tokens, _ = sizes
    return {"architectures": ["CLIPTextModelWithProjection" if projected else "CLIPTextModel"], "model_type": "clip_text_model",
            "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": middle,
            "vocab_size": vocabulary, "max_position_embeddings": tokens, "projection_dim": hidden,
            "hidden_act": "gelu" if projected or layers > 12 else "quick_gelu", "bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 1,
            "dtype": "float32"}


SCHEDULER = {"_class_name": "PNDMScheduler", "beta_start": 0.00085, "beta_end": 0.012, "beta_schedule": "scaled_linear",
             "num_train_timesteps": 1000, "clip_sample": False, "set_alpha_to_one": False, "skip_prk_steps": True, "steps_offset": 1}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(content if isinstance(content, str) else json.dumps(content))
    part.rename(path)


def write_tokenizer(folder, sizes):
    """The files of a CLIP tokenizer whose words are its letters, then numbers."""
    letters = [chr(i) for i in range(33, 127)]
    words = [*letters, *(letter + "</w>" for letter in letters)]
    words += [f"w{i}" for i in range(sizes[4] - len(words) - 2)] + ["<|startoftext|>", "<|endoftext|>"]
    write(folder / "vocab.json", {word: i for i, word in enumerate(words)})
    write(folder / "merges.txt", "#version: 0.2\n")
    write(folder / "tokenizer_config.json", {
        "tokenizer_class": "CLIPTokenizer", "model_max_length": sizes[5], "bos_token": "<|startoftext|>",
        "eos_token": "<|endoftext|>", "pad_token": "<|endoftext|>", "unk_token": "<|endoftext|>"})


def folder_of(shelf, name):
    """The folder that stands for a pipeline, made when it is first asked for; None where no profile knows it."""
    known = shelf.profile(name)
    if known is None and "stable-diffusion" in name.lower():
        known = shelf.profile("stable-diffusion-xl-base-1.0" if "xl" in name else "stable-diffusion-1.5")
    if known is None or known.get("model_type") != "unet2d":
        return None
    folder = shelf.folder / name.replace("/", "--")
    if (folder / "model_index.json").exists():
        return folder
    encoders = [sizes for sizes in known["text_encoders"] if not sizes[-1]]
    parts = {"unet": ["diffusers", "UNet2DConditionModel"], "vae": ["diffusers", "AutoencoderKL"],
             "scheduler": ["diffusers", "PNDMScheduler"]}
    write(folder / "unet" / "config.json", unet(known))
    write(folder / "vae" / "config.json", vae(known))
    write(folder / "scheduler" / "scheduler_config.json", SCHEDULER)
    for turn, sizes in enumerate(encoders):
        ending = f"_{turn + 1}" if turn else ""
        config = text_encoder(sizes, turn > 0)
        write(folder / f"text_encoder{ending}" / "config.json", config)
        write_tokenizer(folder / f"tokenizer{ending}", sizes)
        parts[f"text_encoder{ending}"] = ["transformers", config["architectures"][0]]
        parts[f"tokenizer{ending}"] = ["transformers", "CLIPTokenizer"]
    kind = "StableDiffusionXLPipeline" if len(encoders) > 1 else "StableDiffusionPipeline"
    if kind == "StableDiffusionPipeline":
        parts |= {"safety_checker": [None, None], "feature_extractor": [None, None]}
    write(folder / "model_index.json", {"_class_name": kind, **parts})
    card.left_out.add(f"the tokenizer of {name}: letters stand for its tokens")
    return folder


def part_of(folder, part, ask, files, arguments, named):
    """What transformers asks for of one part of a pipeline."""
    from . import hub

    if part.startswith("text_encoder") and any(file.endswith("model.safetensors") for file in files):
        hub.write_weights(folder / part)
    kept = {key: value for key, value in named.items() if key not in ("revision", "force_download")}
    return ask(str(folder), files, *arguments, **kept)


def write_model(folder, kind):
    """Weights of a U-Net or VAE as holes."""
    import diffusers
    import torch

    path = folder / WEIGHTS
    if path.exists():
        return
    config = json.loads((folder / "config.json").read_text())
    kind = kind or getattr(diffusers, config["_class_name"])
    with torch.device("meta"):
        tensors = kind.from_config(config).state_dict()
    part = path.with_name(f"{path.name}.{os.getpid()}")
    write_with_holes(tensors, part, {"format": "pt"}, TYPE_NAMES)
    part.rename(path)


def attach_diffusers(module, shelf):
    """`module` is one of MODULES; each has a class whose from_pretrained takes a name of the hub."""
    from . import hub

    def wrap(owner):
        load = owner.__dict__["from_pretrained"].__func__

        @functools.wraps(load)
        def from_pretrained(cls, name=None, *arguments, **named):
            name = named.pop("pretrained_model_name_or_path", name)
            if isinstance(name, str) and not os.path.isdir(name):
                try:
                    return load(cls, name, *arguments, **named)
                except (OSError, ValueError):
                    folder = folder_of(shelf, name)
                    if folder is None:
                        raise
                if owner.__name__ == "ModelMixin":
                    write_model(folder / (named.get("subfolder") or ""), cls)
                elif owner.__name__ == "DiffusionPipeline":
                    for part in ("unet", "vae"):
                        write_model(folder / part, None)
                    for part in folder.glob("text_encoder*"):
                        hub.write_weights(part)
                name = str(folder)
                named = {key: value for key, value in named.items() if key not in ("revision", "variant")}
            return load(cls, name, *arguments, **named)

        owner.from_pretrained = classmethod(from_pretrained)

    for owner in ("ModelMixin", "SchedulerMixin", "DiffusionPipeline"):
        if "from_pretrained" in getattr(getattr(module, owner, None), "__dict__", ()):
            wrap(getattr(module, owner))
