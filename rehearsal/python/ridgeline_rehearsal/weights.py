"""Weights by an address (torchvision's, torch.hub's, timm's), which a rehearsal does not download."""

import os

from . import card


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
