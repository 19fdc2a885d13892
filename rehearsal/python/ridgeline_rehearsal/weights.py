"""Weights by an address (torchvision's, torch.hub's, timm's, Keras's, Whisper's), which a rehearsal does not download."""

import contextlib
import os

from . import card, hub_ids, keras_sets


class Holes(dict):
    """A state dict of weights that were not downloaded: a module that loads it keeps what it has."""


def attach_torch(torch, settings):
    """Weights by an address (torchvision's, torch.hub's) are not downloaded."""
    load = torch.nn.Module.load_state_dict

    def load_state_dict(self, state_dict, *arguments, **named):
        if isinstance(state_dict, Holes):
            return torch.nn.modules.module._IncompatibleKeys([], [])
        return load(self, state_dict, *arguments, **named)

    torch.nn.Module.load_state_dict = load_state_dict

    def attach_hub(module):
        fetch = module.load_state_dict_from_url

        def load_state_dict_from_url(url, model_dir=None, *arguments, **named):
            folder = model_dir or os.path.join(module.get_dir(), "checkpoints")
            name = named.get("file_name") or url.split("?")[0].rsplit("/", 1)[-1]
            if os.path.exists(os.path.join(folder, name)):
                return fetch(url, model_dir, *arguments, **named)
            card.left_out.add(f"the weights {name}, which were not downloaded")
            return Holes()

        module.load_state_dict_from_url = load_state_dict_from_url
        module.load = own_of_torchvision(module.load)
        names = module.list

        def list_or_none(github, *arguments, **named):
            try:
                return names(github, *arguments, **named)
            except OSError:  # options of a script may offer them beside others
                card.left_out.add(f"the names of the models of {github}, which could not be reached")
                return []

        module.list = list_or_none

    attach_hub(torch.hub)


def own_of_torchvision(load):
    """torch.hub.load, which takes networks of torchvision from the package that is installed where GitHub does not answer."""
    def load_or_build(repo_or_dir, model, *arguments, **named):
        try:
            return load(repo_or_dir, model, *arguments, **named)
        except OSError as error:
            error.asked = repo_or_dir
            try:
                from torchvision.models import get_model_builder

                builder = repo_or_dir.startswith("pytorch/vision") and get_model_builder(model)
            except (ImportError, ValueError):
                builder = None
            if not builder:
                raise
        options = ("source", "trust_repo", "force_reload", "verbose", "skip_validation")
        card.left_out.add(f"{model} of {repo_or_dir}, which could not be reached: that of the torchvision beside it")
        return builder(*arguments, **{name: value for name, value in named.items() if name not in options})

    return load_or_build


def attach_timm(module, settings):
    """`module` is timm.models._builder: pretrained weights are not fetched."""
    def load_pretrained(model, *arguments, **named):
        card.left_out.add("pretrained weights of timm, which were not downloaded")

    module.load_pretrained = load_pretrained


def attach_timm_hub(module):
    """`module` is timm.models._hub: hf-hub:timm/NAME is the network of timm that has that name."""
    ask = module.load_model_config_from_hf

    def load_model_config_from_hf(model_id, *arguments, **named):
        try:
            return ask(model_id, *arguments, **named)
        except OSError as error:
            import timm

            name = model_id.partition("@")[0].rsplit("/", 1)[-1]
            if not timm.is_model(name.partition(".")[0]):
                error.asked = model_id
                raise
        card.left_out.add(f"the configuration of {model_id}, which could not be reached: that of timm's {name}")
        known = timm.get_pretrained_cfg(name)
        return (known.to_dict() if known else {}), name.partition(".")[0], {}

    module.load_model_config_from_hf = load_model_config_from_hf


class NotDownloaded(str):
    """The place of weights of Keras that were not downloaded: a model that loads it keeps what it has."""


def attach_keras_files(module):
    """`module` is keras.src.utils.file_utils, by which networks of keras.applications fetch their weights."""
    fetch = module.get_file

    def get_file(fname=None, origin=None, *arguments, **named):
        try:
            return fetch(fname, origin, *arguments, **named)
        except Exception as error:
            name = os.path.basename(str(fname or origin))
            if keras_sets.FAILED not in str(error) or not name.endswith((".h5", ".keras")):
                raise
        card.left_out.add(f"the weights {name}, which were not downloaded")
        return NotDownloaded(name)

    module.get_file = get_file


def attach_keras_models(module):
    """`module` is keras.src.models.model."""
    load = module.Model.load_weights

    def load_weights(self, filepath, *arguments, **named):
        return None if isinstance(filepath, NotDownloaded) else load(self, filepath, *arguments, **named)

    module.Model.load_weights = load_weights


OF_IMAGENET = {"input_space": "RGB", "input_range": [0, 1], "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}


def attach_segmentation(module):
    """`module` is segmentation_models_pytorch.encoders, whose weights lie on the hub."""
    make, ask = module.get_encoder, module.get_preprocessing_params

    def get_encoder(name, in_channels=3, depth=5, weights=None, *arguments, **named):
        try:
            return make(name, in_channels, depth, weights, *arguments, **named)
        except OSError:
            if weights is None:
                raise
        card.left_out.add(f"the weights {weights} of {name}, which could not be reached")
        return make(name, in_channels, depth, None, *arguments, **named)

    def get_preprocessing_params(encoder_name, *arguments, **named):
        try:
            return ask(encoder_name, *arguments, **named)
        except OSError:
            card.left_out.add(f"the mean and deviation of {encoder_name}, which could not be reached: ImageNet's")
            return dict(OF_IMAGENET)

    module.get_encoder, module.get_preprocessing_params = get_encoder, get_preprocessing_params


def sizes_of_whisper(known, name):
    """The sizes that a checkpoint of the package `whisper` states, of the profile of the same model."""
    english = name.endswith(".en")  # one token less: it has no language
    sizes = {"n_mels": known["num_mel_bins"], "n_vocab": known["vocab_size"] - english,
             "n_audio_ctx": known["max_source_positions"], "n_text_ctx": known["max_target_positions"]}
    for part, own in (("audio", "encoder"), ("text", "decoder")):
        sizes.update({f"n_{part}_state": known["d_model"], f"n_{part}_head": known[f"{own}_attention_heads"],
                      f"n_{part}_layer": known[f"{own}_layers"]})
    return sizes


def sizes_of(sizes, part):
    return [sizes[f"n_{part}_{what}"] for what in ("ctx", "state", "head", "layer")]


def write_whisper(module, known, name, path):
    """A checkpoint with holes, in 16 bits as it is published."""
    import torch

    sizes = sizes_of_whisper(known, name)
    with torch.device("meta"):  # the whole also makes a sparse tensor, which has no shape alone
        halves = {"encoder": module.model.AudioEncoder(sizes["n_mels"], *sizes_of(sizes, "audio")),
                  "decoder": module.model.TextDecoder(sizes["n_vocab"], *sizes_of(sizes, "text"))}
    tensors = {f"{half}.{key}": torch.empty(one.shape, dtype=torch.float16)
               for half, made in halves.items() for key, one in made.state_dict().items()}
    content = {"dims": sizes, "model_state_dict": tensors}
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    with getattr(torch.serialization, "skip_data", contextlib.nullcontext)(), open(part, "wb") as file:
        torch.save(content, file)
    part.rename(path)


def attach_whisper(module, settings):
    """`module` is whisper, OpenAI's own package, whose checkpoints lie on a server of its makers."""
    fetch = module._download

    def download(url, root, in_memory, *arguments, **named):
        try:
            return fetch(url, root, in_memory, *arguments, **named)
        except OSError as error:
            name = os.path.basename(url).removesuffix(".pt")
            known = hub_ids.profile(settings.models, f"openai/whisper-{name.removesuffix('.en')}")
            if not known:
                error.asked = url
                raise
        path = settings.libraries.parent / "whisper" / f"{name}.pt"
        if not path.exists():
            write_whisper(module, known, name, path)
        card.left_out.add(f"the weights {name}.pt of Whisper, which were not downloaded")
        return path.read_bytes() if in_memory else str(path)

    module._download = download
