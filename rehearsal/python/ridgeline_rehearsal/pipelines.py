"""Diffusion models of the hub without network: the folder of a pipeline with the configurations that the
profiles know (U-Net, VAE, text encoders, scheduler) and weights that are holes."""

import functools
import json
import os
import re
import sys

from . import card, columns
from .saves import TYPE_NAMES, write_with_holes

MODULES = ("diffusers.models.modeling_utils", "diffusers.schedulers.scheduling_utils", "diffusers.pipelines.pipeline_utils")
FLUX = ("patch_size", "in_channels", "num_layers", "num_single_layers", "attention_head_dim", "num_attention_heads",
        "joint_attention_dim", "pooled_projection_dim", "guidance_embeds", "axes_dims_rope")
SD3 = ("sample_size", "patch_size", "in_channels", "out_channels", "num_layers", "attention_head_dim", "num_attention_heads",
       "joint_attention_dim", "pooled_projection_dim", "pos_embed_max_size", "qk_norm", "dual_attention_layers")
TRANSFORMERS = {"flux": ("FluxTransformer2DModel", FLUX), "sd3": ("SD3Transformer2DModel", SD3)}
KINDS = ("unet2d", *TRANSFORMERS)
AUTOENCODER = {"_class_name": "AutoencoderKL", "in_channels": 3, "out_channels": 3, "layers_per_block": 2}
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


def transformer(known):
    """The transformer of FLUX.1 and Stable Diffusion 3: its profile has the fields of the configuration."""
    name, fields = TRANSFORMERS[known["model_type"]]
    found = {"_class_name": name, **{field: known[field] for field in fields if field in known}}
    if name == "SD3Transformer2DModel":  # what texts say is as wide as the picture's tokens
        found["caption_projection_dim"] = known["num_attention_heads"] * known["attention_head_dim"]
    return found


def vae(known):
    channels = known["vae_channels"]
    if known["latent_channels"] == 16:  # scale and shift move no kernel; without the convolutions that quantise
        more = {"scaling_factor": 0.3611, "shift_factor": 0.1159, "use_quant_conv": False, "use_post_quant_conv": False}
        return AUTOENCODER | more | blocks(channels, known)
    return AUTOENCODER | {"scaling_factor": 0.13025 if known["image_size"] > 768 else 0.18215} | blocks(channels, known)


def blocks(channels, known):
    return {"block_out_channels": channels, "down_block_types": ["DownEncoderBlock2D"] * len(channels),
            "up_block_types": ["UpDecoderBlock2D"] * len(channels), "latent_channels": known["latent_channels"],
            "sample_size": known["image_size"]}


def text_encoder(sizes, projected, dtype="float32"):
    """One of a profile's text encoders: CLIP's, or that of T5 where the last number says so."""
    hidden, layers, heads, middle, vocabulary, tokens, is_t5 = sizes
    if is_t5:
        return {"architectures": ["T5EncoderModel"], "model_type": "t5", "d_model": hidden, "num_layers": layers, "num_heads": heads,
                "d_ff": middle, "d_kv": 64, "vocab_size": vocabulary, "feed_forward_proj": "gated-gelu", "n_positions": tokens,
                "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "tie_word_embeddings": False, "dtype": dtype}
    return {"architectures": ["CLIPTextModelWithProjection" if projected else "CLIPTextModel"], "model_type": "clip_text_model",
            "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": middle,
            "vocab_size": vocabulary, "max_position_embeddings": tokens, "projection_dim": hidden,
            "hidden_act": "gelu" if layers > 12 else "quick_gelu", "bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 1,
            "dtype": dtype}


SCHEDULER = {"_class_name": "PNDMScheduler", "beta_start": 0.00085, "beta_end": 0.012, "beta_schedule": "scaled_linear",
             "num_train_timesteps": 1000, "clip_sample": False, "set_alpha_to_one": False, "skip_prk_steps": True, "steps_offset": 1}
FLOW = {"_class_name": "FlowMatchEulerDiscreteScheduler", "num_train_timesteps": 1000, "shift": 3.0}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(content if isinstance(content, str) else json.dumps(content))
    part.rename(path)


def pieces_of(words):
    """(pieces, merges) by which each of some words becomes one token: letter by letter from its beginning."""
    merges = {}
    for word in words:
        letters = [*word[:-1], word[-1] + "</w>"]
        for i in range(1, len(letters)):
            merges["".join(letters[:i]), letters[i]] = None
    return list(dict.fromkeys("".join(pair) for pair in merges)), [f"{a} {b}" for a, b in merges]


def words_asked():
    """Words of the command and of what it leaves to the script's own options: a script may ask for a word of one token."""
    told = [*sys.argv[1:], *columns.defaults_of_flags(getattr(sys.modules.get("__main__"), "__file__", None))]
    return dict.fromkeys(re.findall(r"(?<![a-z])[a-z]{2,12}(?![a-z])", " ".join(told).lower()))


def write_tokenizer(folder, sizes):
    """The files of a CLIP tokenizer whose words are those that are asked for, its letters, then numbers."""
    letters = [chr(i) for i in range(33, 127)]
    pieces, merges = pieces_of(words_asked())
    words = [*letters, *(letter + "</w>" for letter in letters), *pieces]
    words += [f"w{i}" for i in range(sizes[4] - len(words) - 2)] + ["<|startoftext|>", "<|endoftext|>"]
    write(folder / "vocab.json", {word: i for i, word in enumerate(words)})
    write(folder / "merges.txt", "".join(f"{line}\n" for line in ("#version: 0.2", *merges)))
    write(folder / "tokenizer_config.json", {
        "tokenizer_class": "CLIPTokenizer", "model_max_length": sizes[5], "bos_token": "<|startoftext|>",
        "eos_token": "<|endoftext|>", "pad_token": "<|endoftext|>", "unk_token": "<|endoftext|>"})


PUBLISHED_AS = {"flux": "bfloat16", "sd3": "float16"}  # the type of the weights on the hub; float32 for the older ones
PIPELINES = {"flux": "FluxPipeline", "sd3": "StableDiffusion3Pipeline"}


def write_text_encoders(folder, known):
    """The text encoders and tokenizers of a pipeline, and what its index says of them."""
    from . import words

    parts = {}
    older = known["model_type"] == "unet2d"
    for turn, sizes in enumerate(sizes for sizes in known["text_encoders"] if not (older and sizes[-1])):
        ending = f"_{turn + 1}" if turn else ""
        config = text_encoder(sizes, known["model_type"] == "sd3" or turn > 0, PUBLISHED_AS.get(known["model_type"], "float32"))
        write(folder / f"text_encoder{ending}" / "config.json", config)
        if sizes[-1]:
            write(folder / f"tokenizer{ending}" / "config.json", config)
            words.write_tokenizer(folder / f"tokenizer{ending}", write)
        else:
            write_tokenizer(folder / f"tokenizer{ending}", sizes)
        parts[f"text_encoder{ending}"] = ["transformers", config["architectures"][0]]
        parts[f"tokenizer{ending}"] = ["transformers", "T5TokenizerFast" if sizes[-1] else "CLIPTokenizer"]
    return parts


def known_pipeline(shelf, name):
    """What the profiles have of a pipeline, or of the one that its name holds; None where it is another."""
    word = name.lower()
    known = shelf.profile(name)
    if known is None and "stable-diffusion" in word and not re.search("diffusion-3|refiner", word):
        known = shelf.profile("stabilityai/stable-diffusion-xl-base-1.0" if "xl" in word else "stable-diffusion-1.5")
        if known is not None:
            card.left_out.add(f"the configuration of {name}, which could not be reached: that of {known['name']}, whose name it holds")
    return known if known is not None and known.get("model_type") in KINDS else None


def folder_of(shelf, name):
    """The folder that stands for a pipeline, made when it is first asked for; None where no profile knows it."""
    known = known_pipeline(shelf, name)
    if known is None:
        return None
    folder = shelf.folder / name.replace("/", "--")
    if (folder / "model_index.json").exists():
        return folder
    kind = known["model_type"]
    body, config = ("unet", unet(known)) if kind == "unet2d" else ("transformer", transformer(known))
    scheduler = SCHEDULER if kind == "unet2d" else FLOW
    parts = {body: ["diffusers", config["_class_name"]], "vae": ["diffusers", "AutoencoderKL"],
             "scheduler": ["diffusers", scheduler["_class_name"]]}
    write(folder / body / "config.json", config)
    write(folder / "vae" / "config.json", vae(known))
    write(folder / "scheduler" / "scheduler_config.json", scheduler)
    parts |= write_text_encoders(folder, known)
    pipeline = PIPELINES.get(kind, "StableDiffusionXLPipeline" if "text_encoder_2" in parts else "StableDiffusionPipeline")
    if pipeline == "StableDiffusionPipeline":
        parts |= {"safety_checker": [None, None], "feature_extractor": [None, None]}
    elif kind != "unet2d":
        parts |= {"image_encoder": [None, None], "feature_extractor": [None, None]}
    write(folder / "model_index.json", {"_class_name": pipeline, **parts})
    card.left_out.add(f"the tokenizer of {name}: letters stand for its tokens")
    return folder


def folder_of_autoencoder(shelf, name):
    """The folder of an autoencoder that is published by itself; None where its name tells of no Stable Diffusion."""
    word = name.lower()
    if not re.search(r"(^|[-_/])(sd|sdxl)[-_]vae|vae.*(sdxl|sd)", word):
        return None
    whole = folder_of(shelf, "stabilityai/stable-diffusion-xl-base-1.0" if "xl" in word else "stable-diffusion-1.5")
    if whole is not None:
        card.left_out.add(f"the configuration of {name}, which could not be reached: that of Stable Diffusion's autoencoder")
    return whole and whole / "vae"


def part_of(folder, part, ask, files, arguments, named):
    """What transformers asks for of one part of a pipeline."""
    from . import hub

    file = hub.weights_asked(files)
    if part.startswith("text_encoder") and file:
        hub.write_weights(folder / part, file)
    kept = {key: value for key, value in named.items() if key not in ("revision", "force_download")}
    return ask(str(folder), files, *arguments, **kept)


def published_as(folder):
    import torch

    index = folder / "model_index.json"
    made = json.loads(index.read_text())["_class_name"] if index.exists() else ""
    kind = next((kind for kind, pipeline in PIPELINES.items() if pipeline == made), "")
    return getattr(torch, PUBLISHED_AS.get(kind, "float32"))


def write_model(folder, kind):
    """Weights of a U-Net, transformer or VAE as holes."""
    import diffusers
    import torch

    path = folder / WEIGHTS
    if path.exists():
        return
    config = json.loads((folder / "config.json").read_text())
    kind = kind or getattr(diffusers, config["_class_name"])
    with torch.device("meta"):
        tensors = kind.from_config(config).to(published_as(folder.parent)).state_dict()
    part = path.with_name(f"{path.name}.{os.getpid()}")
    write_with_holes(tensors, part, {"format": "pt"}, TYPE_NAMES)
    part.rename(path)


class FromHoles(dict):
    """Weights of a file of holes."""


def attach_loading(module, shelf):
    """`module` is diffusers.models.model_loading_utils: zeros are not read from holes and made another type, page by page."""
    import torch

    load, put, own, small = module.load_state_dict, module.load_model_dict_into_meta, str(shelf.folder) + os.sep, 1 << 16

    def load_state_dict(checkpoint_file, *arguments, **named):
        found = load(checkpoint_file, *arguments, **named)
        if not isinstance(checkpoint_file, (str, os.PathLike)) or not os.fspath(checkpoint_file).startswith(own):
            return found
        return FromHoles(found)

    def load_model_dict_into_meta(model, state_dict, dtype=None, *arguments, **named):
        if isinstance(state_dict, FromHoles):
            kept = model.state_dict()
            state_dict = {name: torch.empty_like(tensor, dtype=dtype or kept[name].dtype)
                          if name in kept and tensor.is_floating_point() and tensor.numel() > small else tensor
                          for name, tensor in state_dict.items()}
        return put(model, state_dict, dtype, *arguments, **named)

    module.load_state_dict, module.load_model_dict_into_meta = load_state_dict, load_model_dict_into_meta


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
                    folder = folder_of(shelf, name) or folder_of_autoencoder(shelf, name)
                    if folder is None:
                        raise
                if owner.__name__ == "ModelMixin":
                    write_model(folder / (named.get("subfolder") or ""), cls)
                elif owner.__name__ == "DiffusionPipeline":
                    for part in ("unet", "transformer", "vae"):
                        if (folder / part).is_dir():
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
