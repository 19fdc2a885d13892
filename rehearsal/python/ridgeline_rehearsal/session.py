"""One process of a rehearsed script: puts the card under it, and hangs onto torch what its pass needs.

The command `ridgeline rehearse` says in the file that RIDGELINE_REHEARSAL names which pass this is:
`values` computes small tensors and records what the script reads back, `measure` answers those reads and
takes the figures.
"""

import importlib.abc
import importlib.machinery
import json
import os
import pathlib
import random
import re
import sys

from . import card, failures

OTHER_FRAMEWORKS = ("jax", "tensorflow", "cupy")
BAD_INPUT = 4


def profiles():
    """The folder of profiles: beside this one in a checkout and where the program is installed."""
    named = os.environ.get("RIDGELINE_PROFILES")
    return pathlib.Path(named) if named else pathlib.Path(__file__).resolve().parents[3] / "profiles"


class Settings:
    """What the command asked for: `folder` is that of this pass."""

    def __init__(self, values):
        self.kind = values["pass"]
        self.folder = pathlib.Path(values["folder"])
        self.recorded = pathlib.Path(values.get("recorded", values["folder"]))
        self.cards = pathlib.Path(values["cards"])
        self.libraries = pathlib.Path(values["libraries"])
        self.steps = int(values.get("steps", 2))
        self.scratch = pathlib.Path(values["scratch"])
        self.skew = float(values.get("skew", 0))
        self.snapshot = values.get("snapshot", "")
        self.trace = values.get("trace", "")
        self.models = profiles() / "models"


class Hook(importlib.abc.MetaPathFinder):
    """Calls a function when a module of that name has been imported."""

    def __init__(self, actions):
        self.actions = actions
        self.busy = False

    def find_spec(self, name, path, target=None):
        if self.busy or name not in self.actions:
            return None
        self.busy = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.busy = False
        if spec and spec.loader:
            # Looked for is not imported: packages ask whether torch is there. Only a loading ends it.
            spec.loader = After(spec.loader, name, self.actions)
        return spec


class After(importlib.abc.Loader):
    """A loader that runs the action of a name once its module is there."""

    def __init__(self, loader, name, actions):
        self.loader, self.name, self.actions = loader, name, actions

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = self.loader
        module.__loader__ = self.loader
        self.loader.exec_module(module)
        action = self.actions.pop(self.name, None)
        if action:
            action(module)


def refuse_on_import(settings, text):
    def refuse(_):
        card.problem(settings.folder, "input", text)
        sys.stderr.flush()
        os._exit(BAD_INPUT)  # the command says why

    return refuse


def note_framework(settings, name):
    return lambda _: card.problem(settings.folder, "framework", name)


SOMETHING = "something that its own words above may name"


def asked_of(error):
    """What an error of the network was about: an address, or SOMETHING where no error tells it; None for another error."""
    seen, found, repository = set(), None, None
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if hasattr(error, "asked"):
            return error.asked
        repository = repository or getattr(error, "repository", None)
        names = {kind.__name__ for kind in type(error).__mro__}
        if names & {"URLError", "gaierror", "ConnectError", "OfflineModeIsEnabled", "LocalEntryNotFoundError"} or (
                "ConnectionError" in names and type(error).__module__.startswith(("requests", "datasets", "builtins"))):
            address = re.search(r"https?://[^\s'\"),]+|host='[^']+'|'[\w.-]+/[\w.-]+'", str(error))
            if address and found in (None, SOMETHING):
                found = address.group().removeprefix("host=").strip("'")
            found = found or SOMETHING
        error = error.__cause__ or error.__context__
    return found and (repository or found)


def watch_errors(settings):
    """A script that ends by an error: its own words, then what it asked the network for in vain and what was made up for it."""
    before = sys.excepthook

    def told(kind, error, trace):
        before(kind, error, failures.without_own(trace))
        asked = asked_of(error)
        failures.tell(settings, kind, error, trace, asked or "")
        for one in sorted(card.left_out):
            card.problem(settings.folder, "stood in", one)
        if asked and not failures.is_place(asked):
            card.problem(settings.folder, "network", asked)

    sys.excepthook = told


def from_variables(variables):
    """What the command asked for, of a process that it started."""
    with open(variables["RIDGELINE_REHEARSAL"]) as file:
        return Settings(json.load(file))


def enter():
    settings = from_variables(os.environ)
    actions = {name: note_framework(settings, name) for name in OTHER_FRAMEWORKS}
    actions["argparse"] = lambda module: failures.attach_argparse(module, settings)
    if card.LOADED not in os.environ:
        folder = card.torch_folder()
        try:
            if folder:
                card.keep_bytecode(folder, settings.libraries.parent / "bytecode")
                os.environ.update(card.environment(folder, settings.cards, settings.libraries))
                os.execve(sys.executable, card.arguments(), os.environ)
        except card.Refused as refused:
            actions["torch"] = refuse_on_import(settings, str(refused))
    else:
        from . import (
            limit, asked, built, byte_pairs, data_sets, graphs, holes, hub, hub_service, keras_sets, intervals, made, objects, pictures, pipelines, process, recipes, recordings, rows, saves,
            sounds, steps, tables, terminal, texts, tuning, weights, words, yolo)

        limit.watch(settings)
        heard = made.watch(settings)
        terminal.attach()
        asked.attach(settings)
        actions["torch"] = lambda torch: process.attach(torch, settings, heard)
        actions["huggingface_hub.constants"] = hub_service.attach_constants
        actions["huggingface_hub.file_download"] = lambda module: hub.attach_download(module, settings)
        actions["huggingface_hub._snapshot_download"] = lambda module: hub.attach_snapshot(module, settings)
        actions["huggingface_hub.hf_api"] = lambda module: hub_service.attach(module, hub.Shelf(settings))
        actions["transformers.utils.hub"] = lambda module: hub.attach_transformers(module, settings)
        actions["transformers.modeling_utils"] = lambda module: holes.attach(module, settings)
        actions["transformers.core_model_loading"] = lambda module: hub.attach_loading(module, settings)
        actions["transformers.tokenization_utils_base"] = lambda module: words.attach_tokenizers(module, settings)
        for name in pipelines.MODULES:
            actions[name] = lambda module: pipelines.attach_diffusers(module, hub.Shelf(settings))
        actions["diffusers.models.model_loading_utils"] = lambda module: pipelines.attach_loading(module, hub.Shelf(settings))
        actions["segmentation_models_pytorch.encoders"] = weights.attach_segmentation
        actions["timm.models._builder"] = lambda module: weights.attach_timm(module, settings)
        actions["timm.models._hub"] = weights.attach_timm_hub
        actions["ultralytics.nn.tasks"] = yolo.attach
        actions["keras.src.utils.file_utils"] = weights.attach_keras_files
        actions["keras.src.models.model"] = weights.attach_keras_models
        actions["whisper"] = lambda module: weights.attach_whisper(module, settings)
        for name in ("lightning.pytorch", "pytorch_lightning"):
            actions[f"{name}.loops.training_epoch_loop"] = intervals.attach_lightning
        actions["transformers.trainer_callback"] = intervals.attach_trainer
        actions["PIL.Image"] = lambda module: steps.attach_pictures(module.Image, "save")
        actions["matplotlib.figure"] = lambda module: steps.attach_pictures(module.Figure, "savefig")
        actions["datasets.load"] = data_sets.attach_datasets
        actions["datasets.arrow_dataset"] = rows.attach_rows
        actions["datasets.iterable_dataset"] = rows.attach_streams
        actions["datasets.features.audio"] = sounds.attach_datasets
        actions["evaluate.loading"] = data_sets.attach_evaluate
        actions["sklearn.datasets"] = tables.attach_sklearn
        for name in keras_sets.MODULES:
            actions[f"keras.src.datasets.{name}"] = keras_sets.attach
        actions["timm.data.readers.reader_factory"] = pictures.attach_timm
        actions["torchvision.datasets"] = pictures.attach_torchvision
        actions["torchaudio.datasets"] = recordings.attach_torchaudio
        actions["torch.distributed.distributed_c10d"] = lambda module: objects.attach_distributed(module, settings)
        # A script that sets no seed takes the same way in both passes all the same.
        random.seed(0)
        actions["numpy.random"] = lambda module: module.seed(0)
        actions["torch_geometric.data.dataset"] = graphs.attach_dataset
        actions["urllib.request"] = texts.attach_urllib
        actions["fsspec.core"] = texts.attach_fsspec
        actions["requests.sessions"] = texts.attach_requests
        for name in ("httpx", "httpx2"):
            actions[name] = texts.attach_httpx
        actions["triton.runtime.autotuner"] = tuning.attach_triton
        actions["torch._inductor.runtime.triton_heuristics"] = tuning.attach_inductor
        actions["torchtune.training.checkpointing._checkpointer"] = lambda module: recipes.attach_checkpointer(module, settings)
        actions["torchtune.modules.transforms.tokenizers._sentencepiece"] = lambda module: recipes.attach_pieces(module, settings)
        actions["tiktoken.load"] = byte_pairs.attach_tiktoken
        actions["nltk.data"] = texts.attach_nltk_data
        actions["nltk.tokenize"] = texts.attach_nltk_tokenize
        actions["deepspeed.ops.op_builder.fused_adam"] = built.attach_deepspeed
        for name in built.OF_THE_HOST:
            actions[f"deepspeed.ops.{name}"] = built.attach_deepspeed_host
        actions["torch.distributed.checkpoint.filesystem"] = lambda module: saves.attach_checkpoint(module, settings)
        actions["safetensors.torch"] = lambda module: saves.attach_safetensors(module, settings)
    watch_errors(settings)
    for name in [name for name in actions if name in sys.modules]:  # before this one
        actions.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, Hook(actions))
