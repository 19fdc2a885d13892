"""Models by a name of the hub, without their weights: a rehearsal needs shapes, not values.

What the user's own cache holds is taken as it is, and configurations and tokenizers are asked of the hub as
always. Where it does not answer, the configuration is the one that the profiles know, the tokenizer one of
words, and weights are never downloaded: a file of holes with the right names and shapes stands for them."""

import contextlib
import functools
import json
import math
import os
import pathlib
import re
import sys

from . import card, data_sets, hub_ids, own_words, pipelines, places, static_embeddings, words
from .saves import TYPE_NAMES, write_with_holes

OURS = ("assumed", "id", "name", "hf_id", "parameters", "source", "parameters_source", "gated_mlp", "norm_type",
        "norms_per_layer", "position_embedding", "qk_norm", "license", "aliases", "published", "notes")
WEIGHTS = re.compile(r"\.(safetensors|bin|pt|pth|msgpack|h5|ckpt)(\.index\.json)?$")
CONFIGURATION = "config.json"


def tell(sentence):
    sys.stderr.write(f"ridgeline rehearse: {sentence}\n")


@contextlib.contextmanager
def named_in_errors(repository):
    """Errors that rise here know of which repository they are: the words of the hub's library do not say it."""
    try:
        yield
    except OSError as error:
        error.repository = repository
        raise


class Shelf:
    """Folders that stand for repositories of the hub, made when they are asked for."""

    weights_are_holes = False  # of those that were asked for last

    def __init__(self, settings):
        self.settings = settings
        self.folder = settings.libraries.parent / "hub"
        self.made = {}

    def told_weights(self, place, files):
        """Which folder weights are asked of, so that it is known whether those that are read next are holes."""
        if any(WEIGHTS.search(file) for file in files):
            Shelf.weights_are_holes = f"{place}{os.sep}".startswith(f"{self.folder}{os.sep}")

    def profile(self, name):
        """The configuration that the profiles have of a hub id, or None."""
        return hub_ids.profile(self.settings.models, name)

    def standing_for(self, name, configuration=None):
        """The folder of a repository, with configuration and tokenizer; None where nothing is known of it."""
        if name in self.made:
            return self.made[name]
        folder = self.folder / name.replace("/", "--")
        if configuration is None:
            known, instead = self.profile(name), ""
            if known and known.get("assumed"):
                instead = "assumed, as it is remembered without a source"
            if known is None or "model_type" not in known:
                known, instead = hub_ids.like(self.settings.models, name)
            if known is None:
                self.made[name] = None
                return None
            if not has_configuration(name, known["model_type"]):
                self.made[name] = None
                return None
            if instead:
                card.left_out.add(f"the configuration of {name}, which could not be reached: {instead}")
            configuration = whole_configuration(known)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / CONFIGURATION).exists():
            write_once(folder / CONFIGURATION, json.dumps(configuration))
        self.made[name] = folder
        return folder

    def standing_for_folder(self, path):
        """The same for a folder that is not on this machine, as where a script was written elsewhere: by its name, where
        that is known exactly."""
        name = os.path.basename(os.path.normpath(path))
        known = self.profile(name)
        if not known or "model_type" not in known:
            return None
        card.left_out.add(f"the folder {path}, which is not on this machine: the model of that name, {name}")
        return self.standing_for(name)

    def link_into(self, place, folder):
        """A folder of the script's own choice gets the files as well: links, as holes are of no use to it later."""
        os.makedirs(place, exist_ok=True)
        for file in folder.iterdir():
            path = os.path.join(os.path.abspath(place), file.name)
            if not os.path.lexists(path):
                card.problem(self.settings.folder, "made", path)
                os.symlink(file, path)
        return os.fspath(place)


def has_configuration(name, kind):
    """Whether a model of a profile's kind has a config.json of Transformers. Pipelines have none: their parts do."""
    import transformers

    if kind in pipelines.KINDS or kind == static_embeddings.KIND:
        return False
    if kind not in transformers.CONFIG_MAPPING:
        tell(f"no stand-in for {name} is known here: its kind, {kind}, is none of Transformers {transformers.__version__}")
        return False
    return True


def write_once(path, text):
    part = path.with_name(f"{path.name}.{id(text):x}")
    part.write_text(text)
    part.rename(path)


# What answers of encoders with decoders begin with, where a profile does not say it: as their config.json has it.
STARTS = {"t5": 0, "mt5": 0, "umt5": 0, "longt5": 0, "pegasus": 0, "bart": 2, "mbart": 2, "m2m_100": 2, "led": 2}


def computed(kind, name):
    """Whether a class works a field out of others and takes no value for it."""
    found = getattr(kind, name, None)
    return isinstance(found, property) and found.fset is None


def whole_configuration(known):
    """A configuration as the hub would have it, of one of the profiles."""
    import transformers
    import transformers.models.auto.modeling_auto as auto

    kind = known["model_type"]
    made_by = transformers.CONFIG_MAPPING[kind] if kind in transformers.CONFIG_MAPPING else object
    kept = {key: value for key, value in known.items()
            if key not in OURS and value is not None and not computed(made_by, key)}
    if made_by is not object:
        kept = own_words.of_class(made_by, kept)
    if kind in getattr(auto, "MODEL_FOR_CTC_MAPPING_NAMES", {}) and kind in getattr(auto, "MODEL_FOR_PRETRAINING_MAPPING_NAMES", {}):
        kept.setdefault("architectures", [auto.MODEL_FOR_PRETRAINING_MAPPING_NAMES[kind]])  # letters are the script's own
    # Encoders with decoders first: their decoders alone are listed as language models too.
    for table in ("MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES", "MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING_NAMES",
                  "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES", "MODEL_FOR_MASKED_LM_MAPPING_NAMES",
                  "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES", "MODEL_FOR_ZERO_SHOT_IMAGE_CLASSIFICATION_MAPPING_NAMES",
                  "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES", "MODEL_FOR_OBJECT_DETECTION_MAPPING_NAMES",
                  "MODEL_FOR_SEMANTIC_SEGMENTATION_MAPPING_NAMES",
                  "MODEL_FOR_AUDIO_CLASSIFICATION_MAPPING_NAMES", "MODEL_FOR_VIDEO_CLASSIFICATION_MAPPING_NAMES",
                  "MODEL_MAPPING_NAMES"):
        names = getattr(auto, table, {})
        masked = table == "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES" and kind in getattr(auto, "MODEL_FOR_MASKED_LM_MAPPING_NAMES", {})
        if kind in names and not masked:
            found = names[kind]
            kept.setdefault("architectures", [found if isinstance(found, str) else found[0]])
            break
    if kind in STARTS:
        kept.setdefault("decoder_start_token_id", STARTS[kind])
    if kind == "gpt_neo":  # every other layer looks at a window
        kept.setdefault("attention_types", [[["global", "local"], (kept.get("num_hidden_layers") or kept["num_layers"]) // 2]])
    if "rope_theta" in kept or known.get("position_embedding") == "rope":
        kept.setdefault("dtype", "bfloat16")  # as decoders with rotary positions are published
    return kept


def weights_asked(files):
    """The file of weights among those asked for, that of a variant too (model.fp16.safetensors); None without one."""
    return next((found.group() for file in files if (found := re.search(r"(?<![^/])model(\.(?!safetensors)\w+)?\.safetensors$", file))), None)


def type_of_variant(torch, file):
    """The type of the weights of a variant; None of another file."""
    return {"fp16": torch.float16, "bf16": torch.bfloat16}.get(file.split(".")[1])


def write_weights(folder, file="model.safetensors"):
    """That file with holes, of the model that the configuration in this folder describes."""
    import torch
    import transformers

    path = folder / file
    if path.exists():
        return
    config = transformers.AutoConfig.from_pretrained(str(folder))
    name = (getattr(config, "architectures", None) or [None])[0]
    kind = getattr(transformers, name, None) if name else None
    dtype = getattr(config, "dtype", None) or torch.float32
    dtype = type_of_variant(torch, file) or (getattr(torch, dtype) if isinstance(dtype, str) else dtype)
    with torch.device("meta"):
        model = kind(config) if kind else transformers.AutoModel.from_config(config)
    tensors = {key: tensor.to(dtype) if tensor.is_floating_point() else tensor
               for key, tensor in model.state_dict().items() if not key.startswith(own_words.HEADS)}
    head = own_words.own_head(model, json.loads((folder / CONFIGURATION).read_text()))
    for key in own_words.tied_names(model):
        if key != head:
            tensors.pop(key, None)
    part = path.with_name(f"{path.name}.{id(tensors):x}")
    write_with_holes(tensors, part, {"format": "pt"}, TYPE_NAMES)
    part.rename(path)


def attach_transformers(module, settings):
    """`module` is transformers.utils.hub, by which every file of a repository is found: one by one before 4.49."""
    ask, shelf = getattr(module, "cached_files", None) or one_by_one(module.cached_file), Shelf(settings)

    def local(name, files, arguments, named):
        quiet = {**named, "local_files_only": True}
        for flag in ("_raise_exceptions_for_gated_repo", "_raise_exceptions_for_missing_entries",
                     "_raise_exceptions_for_connection_errors"):
            quiet[flag] = False
        try:
            return ask(name, files, *arguments, **quiet)
        except Exception:
            return None

    def from_folder(folder, files, arguments, named):
        if file := weights_asked(files):
            write_weights(folder, file)
            shelf.told_weights(folder, files)
        if words.GENERATION in files:
            words.write_generation(folder, write_once)
        if words.PROCESSOR in files and not (folder / words.PROCESSOR).exists():
            words.write_processor(folder, write_once)
        if words.WHOLE_PROCESSOR in files or words.WRITTEN_TEMPLATE in files:
            words.write_whole_processor(folder, write_once)
        if any(f in words.TOKENIZER for f in files) and not (folder / words.TOKENIZER[1]).exists():
            words.write_tokenizer(folder, write_once)
            card.left_out.add(f"the tokenizer of {folder.name.replace('--', '/')}: pieces of "
                         "five letters stand for its tokens")
        named = {key: value for key, value in named.items() if key not in ("revision", "force_download")}
        return ask(str(folder), files, *arguments, **named)

    def cached_files(path_or_repo_id, filenames, *arguments, **named):
        name = str(path_or_repo_id)
        if os.path.exists(name) or name.count("/") > 1:
            folder = None if os.path.exists(name) or named.get("subfolder") else shelf.standing_for_folder(name)
            if folder:
                return from_folder(folder, filenames, arguments, named)
            shelf.told_weights(name, filenames)
            return ask(path_or_repo_id, filenames, *arguments, **named)
        part = named.get("subfolder")
        if shelf.made.get(name) and not part:
            return from_folder(shelf.made[name], filenames, arguments, named)
        found = local(name, filenames, arguments, named)
        if found:
            shelf.told_weights("", filenames)
            return found
        folder = pipelines.folder_of(shelf, name) if part else None
        if folder:
            shelf.told_weights(folder, filenames)
            return pipelines.part_of(folder, part, ask, filenames, arguments, named)
        weights = any(WEIGHTS.search(file) for file in filenames)
        problem = None
        if not weights and shelf.made.get(name, True):
            try:
                found = ask(path_or_repo_id, filenames, *arguments, **named)
            except Exception as error:  # no network, or none of the user's
                problem = error
            if found:
                return found
        config = local(name, [CONFIGURATION], arguments, named) if weights else None
        folder = shelf.standing_for(name, json.loads(open(config[0]).read()) if config else None)
        if folder is None:
            if problem:
                tell(f"{name} is not in the cache, the hub did not answer and no "
                             "profile knows its configuration")
                problem.asked = name
                raise problem
            with named_in_errors(name):
                return ask(path_or_repo_id, filenames, *arguments, **named)
        return from_folder(folder, filenames, arguments, named)

    def cached_file(path_or_repo_id, filename, *arguments, **named):
        found = cached_files(path_or_repo_id, [filename], *arguments, **named)
        return found[0] if found else None

    templates = getattr(module, "list_repo_templates", None)

    def list_repo_templates(name, *arguments, **named):
        """Templates beside a tokenizer: those of a folder that stands for one lie in its files."""
        elsewhere = not os.path.exists(name) and name.count("/") > 1
        return [] if elsewhere and shelf.standing_for_folder(name) else templates(name, *arguments, **named)

    if templates:
        module.list_repo_templates = list_repo_templates
    if hasattr(module, "cached_files"):
        module.cached_files = cached_files
    else:
        module.cached_file = cached_file


def one_by_one(ask):
    """What finds several files by what finds one."""
    def ask_all(name, files, *arguments, **named):
        found = [ask(name, file, *arguments, **named) for file in files]
        return [path for path in found if path] or None

    return ask_all


def asked_by_a_package(path):
    """Whether a package asks that goes on without the file. What classes of a script or of SetFit have from the hub's own
    `ModelHubMixin` they cannot do without."""
    return places.is_library(path) and not path.endswith("huggingface_hub/hub_mixin.py")


def attach_download(module, settings):
    """`module` is huggingface_hub.file_download: a file that the script itself asks for, such as model_index.json."""
    ask, shelf = module.hf_hub_download, Shelf(settings)

    @functools.wraps(ask)
    def hf_hub_download(repo_id, filename, *arguments, **named):
        try:
            with named_in_errors(repo_id):
                return ask(repo_id, filename, *arguments, **named)
        except OSError:
            table = static_embeddings.folder_of(shelf, repo_id, write_once)
            path = table and table / (named.get("subfolder") or "") / filename
            if path and path.is_file():
                return str(path)
            if table or asked_by_a_package(sys._getframe(1).f_code.co_filename):
                raise
            if WEIGHTS.search(filename):
                folder = shelf.standing_for(repo_id) if filename == "model.safetensors" else None
                if folder is None:
                    raise
                write_weights(folder)
                return str(folder / filename)
            labels = data_sets.labels_beside(repo_id, filename) if named.get("repo_type") == "dataset" else None
            if labels:
                path = shelf.folder / repo_id.replace("/", "--") / filename
                path.parent.mkdir(parents=True, exist_ok=True)
                write_once(path, labels)
                return str(path)
            folder = pipelines.folder_of(shelf, repo_id) or shelf.standing_for(repo_id)
            path = folder and folder / (named.get("subfolder") or "") / filename
            if path is None or not path.is_file():
                raise
            return str(path)

    module.hf_hub_download = hf_hub_download


def attach_snapshot(module, settings):
    """`module` is huggingface_hub._snapshot_download: a whole repository of a model, with weights that are holes."""
    ask, shelf = module.snapshot_download, Shelf(settings)

    @functools.wraps(ask)
    def snapshot_download(repo_id, *arguments, **named):
        try:
            with named_in_errors(repo_id):
                return ask(repo_id, *arguments, **named)
        except OSError:
            folder = shelf.standing_for(repo_id) if named.get("repo_type") in (None, "model") else None
            if folder is None:
                raise
            write_weights(folder)
            words.write_generation(folder, write_once)
            if not (folder / words.TOKENIZER[1]).exists():
                words.write_tokenizer(folder, write_once, with_class=True)
            return shelf.link_into(named["local_dir"], folder) if named.get("local_dir") else str(folder)

    module.snapshot_download = snapshot_download


def attach_loading(module, settings):
    """`module` is transformers.core_model_loading: zeros are not read from holes and made another type, page by page."""
    import torch

    make, small = module._materialize_copy, 1 << 16
    types = {written: getattr(torch, name.removeprefix("torch.")) for name, written in TYPE_NAMES.items()
             if hasattr(torch, name.removeprefix("torch."))}

    def _materialize_copy(tensor, device=None, dtype=None):
        is_slice = hasattr(tensor, "get_shape")
        shape = tensor.get_shape() if is_slice else tensor.shape
        if dtype is None:
            dtype = types.get(tensor.get_dtype()) if is_slice else tensor.dtype
        if not Shelf.weights_are_holes or dtype is None or math.prod(shape) <= small:
            return make(tensor, device, dtype)
        return torch.empty(shape, dtype=dtype, device=device)

    module._materialize_copy = _materialize_copy
