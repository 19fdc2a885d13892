"""A callback of the Transformers Trainer: what was predicted beside what a run measures."""
import json
import os
import sys
from datetime import date

from .errors import RidgelineError

try:
    from transformers import TrainerCallback as _Base
except ImportError:  # the module is read by tests that have no transformers
    _Base = object

GIB = 2**30

# Names of TrainingArguments.optim: optimizer, type of its moments, implementation.
_OPTIMIZERS = {"adamw_torch": ("adamw", None, "foreach"),
               "adamw_torch_fused": ("adamw", None, "fused"),
               "adamw_8bit": ("adamw", "int8", None), "adamw_bnb_8bit": ("adamw", "int8", None),
               "paged_adamw_8bit": ("adamw", "int8", "paged"),
               "paged_adamw_32bit": ("adamw", "fp32", "paged"), "adafactor": ("adafactor", None, None),
               "sgd": ("sgd", None, None)}
_TYPES = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}
_ATTENTION = {"eager": "eager", "sdpa": "sdpa", "flash_attention_2": "flash",
              "flash_attention_3": "flash"}


def _setting(arguments, name, missing=None):
    value = getattr(arguments, name, missing)
    return getattr(value, "value", value)


def _adapter(model):
    """The PEFT configuration of the first adapter, or None."""
    adapters = getattr(model, "peft_config", None)
    return next(iter(adapters.values()), None) if isinstance(adapters, dict) else adapters


def _quantised(configuration):
    quantised = getattr(configuration, "quantization_config", None)
    quantised = quantised.to_dict() if hasattr(quantised, "to_dict") else quantised or {}
    return bool(quantised.get("load_in_4bit"))


def _weights(model):
    """The type of most parameters as the program names it; None when it has no such name."""
    counts = {}
    for parameter in model.parameters():
        name = _TYPES.get(str(parameter.dtype).removeprefix("torch."))
        if name:
            counts[name] = counts.get(name, 0) + parameter.numel()
    return max(counts, key=counts.get) if counts else None


def _framework(arguments, weights):
    if type(arguments).__name__ == "SFTConfig":
        return "trl"
    mixed = _setting(arguments, "bf16") or _setting(arguments, "fp16")
    return "hf-trainer-amp" if mixed and weights == "fp32" else "hf-trainer"


def _of_adapter(adapter, options, unknown):
    options["rank"] = getattr(adapter, "r", None)
    targets = getattr(adapter, "target_modules", None)
    if targets:
        options["targets"] = targets if isinstance(targets, str) else ",".join(sorted(targets))
    if getattr(adapter, "use_dora", False):
        options["lora_variant"] = "dora"
    for name in ("modules_to_save", "rank_pattern", "target_parameters", "layers_to_transform"):
        if getattr(adapter, name, None):
            unknown.append(f"{name} of the adapter")


def workload_of(arguments, model, sequence=None):
    """(options of `estimate`, what no option could say) of a Trainer's arguments and model."""
    configuration = model.config
    adapter = _adapter(model)
    weights = _weights(model)
    micro = _setting(arguments, "per_device_train_batch_size")
    ranks = _setting(arguments, "world_size", 1) or 1
    unknown = []
    options = {
        "model": configuration, "task": "train", "framework": _framework(arguments, weights),
        "method": "full" if adapter is None else "qlora" if _quantised(configuration) else "lora",
        "micro_batch": micro,
        "batch": micro * (_setting(arguments, "gradient_accumulation_steps", 1) or 1) * ranks,
        "recompute": "full" if _setting(arguments, "gradient_checkpointing") else "none",
        "attention": _ATTENTION.get(getattr(configuration, "_attn_implementation", None)),
        "sequence": sequence or _setting(arguments, "max_length")
        or _setting(arguments, "max_seq_length"),
    }
    if options["method"] != "qlora":
        options["weights"] = weights
    if options["sequence"] is None:
        unknown.append("the longest sequence; give MemoryCallback(sequence=...)")
    named = _setting(arguments, "optim")
    if named in _OPTIMIZERS:
        for name, word in zip(("optimizer", "optimizer_state", "optimizer_implementation"),
                              _OPTIMIZERS[named]):
            options[name] = word
    elif named:
        unknown.append(f"optimizer {named}")
    if adapter is not None:
        _of_adapter(adapter, options, unknown)
    for name in ("fsdp", "deepspeed"):
        if _setting(arguments, name):
            unknown.append(f"{name}; give MemoryCallback(sharding=...)")
    return {name: value for name, value in options.items() if value is not None}, unknown


def _device_of(torch):
    """The hardware of this job: the name that torch has for the card, and the ranks."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    name = torch.cuda.get_device_name()
    return f"{name}:{count}" if count > 1 else name


def measured(torch):
    """Peaks of this process in GiB by counter; what a library does not say is left out."""
    figures = {"allocated_gib": torch.cuda.max_memory_allocated() / GIB,
               "reserved_gib": torch.cuda.max_memory_reserved() / GIB}
    try:
        free, total = torch.cuda.mem_get_info()
    except (RuntimeError, AttributeError):
        return figures
    # Peak of the process: what the driver counts now, and what the pool has given back since.
    now = torch.cuda.memory_reserved() / GIB
    outside = _process_gib(torch)
    if outside is not None:
        figures["process_gib"] = outside + figures["reserved_gib"] - now
    figures["device_used_gib"] = (total - free) / GIB
    return figures


def _process_gib(torch):
    """What NVML counts for this process; None without pynvml, in a container or under MIG."""
    try:
        import pynvml

        pynvml.nvmlInit()
        device = torch.cuda.current_device()
        handle = pynvml.nvmlDeviceGetHandleByUUID(
            ("GPU-" + str(torch.cuda.get_device_properties(device).uuid)).encode())
        for each in pynvml.nvmlDeviceGetComputeRunningProcesses(handle):
            if each.pid == os.getpid() and each.usedGpuMemory:
                return each.usedGpuMemory / GIB
    except Exception:  # whatever a driver lacks: the counter is left out, the run goes on
        return None
    return None


class MemoryCallback(_Base):
    """Prints the predicted memory beside the measured one, by counter, when training ends.

    on          the card as the catalog names it; by default the one that torch names
    sequence    the longest sequence in tokens; by default what the arguments say
    reset_peak  forget torch's peaks at the first step: what loading took does not count then
    evidence    a file to which one measured row is written, in the form that `validate` reads
    options     further options of `estimate` ("framework", "loss", ...), which win
    """

    def __init__(self, on=None, sequence=None, reset_peak=False, evidence=None, out=None,
                 **options):
        self.on = on
        self.sequence = sequence
        self.reset_peak = reset_peak
        self.evidence = evidence
        self.out = out
        self.options = options
        self.estimate = None
        self.measured = None
        self.asked = None

    def _say(self, text):
        print(text, file=self.out or sys.stderr, flush=True)

    def on_train_begin(self, args, state, control, model=None, **kwargs):
        if model is None or not getattr(state, "is_world_process_zero", True):
            return
        import torch

        from . import estimate

        options, unknown = workload_of(args, model, self.sequence)
        options.update(self.options)
        options["on"] = self.on or (_device_of(torch) if torch.cuda.is_available() else None)
        self.asked = options
        for each in unknown:
            self._say(f"ridgeline: not told: {each}")
        if options["on"] is None:
            self._say("ridgeline: no accelerator here; name one with MemoryCallback(on=...)")
            return
        try:
            self.estimate = estimate(**options)
        except RidgelineError as error:
            self._say(f"ridgeline: no prediction: {error}")
            return
        memory = self.estimate.memory
        self._say(f"ridgeline: {memory.peak_gib:.1f} GiB ({memory.low_gib:.1f} to "
                  f"{memory.high_gib:.1f}) of {memory.capacity_gib:.1f} GiB predicted")

    def on_step_begin(self, args, state, control, **kwargs):
        if self.reset_peak and state.global_step == 0:
            import torch

            if torch.cuda.is_available():
                torch.cuda.reset_peak_memory_stats()

    def on_train_end(self, args, state, control, **kwargs):
        if self.asked is None:
            return
        import torch

        if not torch.cuda.is_available():
            self._say("ridgeline: no CUDA device: nothing was measured")
            return
        self.measured = measured(torch)
        self._say(self.table())
        if self.evidence and self.estimate is not None:
            self.write_evidence(torch)

    def table(self):
        """Predicted and measured GiB by counter, as text."""
        counters = self.estimate.memory.counters.to_dict() if self.estimate is not None else {}
        lines = ["ridgeline     predicted  measured  difference"]
        for key, name in (("allocated_gib", "allocated"), ("reserved_gib", "reserved"),
                          ("process_gib", "process")):
            said, seen = counters.get(key), self.measured.get(key)
            apart = f"{100 * (said / seen - 1):+.1f} %" if said and seen else "-"
            lines.append(f"  {name:<11} {_gib(said):>9} {_gib(seen):>9}  {apart:>10}")
        return "\n".join(lines) + "\n  peaks in GiB; by torch, the process by NVML"

    def row(self, torch):
        """One row of evidence: the workload as it was asked, the card, the reserved peak."""
        document = self.estimate.to_dict()
        hardware = document["hardware"]
        configuration = self.asked["model"]
        configuration = getattr(configuration, "to_dict", lambda: configuration)()
        today = date.today().isoformat()
        return {
            "id": f"own-{hardware['accelerator']}-{today}-{os.getpid()}",
            "quantity": "memory",
            "source": {"repo": "own", "path": os.path.basename(sys.argv[0] or "notebook"),
                       "commit": f"measured {today}", "url": None},
            "quality": "A",
            "group": f"own/{hardware['accelerator']}/{document['workload'].get('method')}",
            "release": today,
            "workload": {"schema": "ridgeline/workload/1", **document["workload"],
                         "model": json.loads(json.dumps(configuration, default=str))},
            "hardware": {"accelerator": hardware["accelerator"], "count": hardware["count"],
                         "per_node": hardware["per_node"], "fabric": None, "note": None},
            "measured": {"peak_memory_gib": round(self.measured["reserved_gib"], 4),
                         "memory_counter": "reserved"},
            "assumptions": [f"torch {torch.__version__}; what nobody said is in the workload as the "
                            "prediction filled it"],
        }

    def write_evidence(self, torch):
        """Adds the row to the file, which is written whole or not at all."""
        try:
            with open(self.evidence, encoding="utf-8") as file:
                document = json.load(file)
        except FileNotFoundError:
            document = {"schema": "ridgeline/evidence/1", "rows": []}
        document["rows"].append(self.row(torch))
        partial = f"{os.fspath(self.evidence)}.part"
        with open(partial, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1, default=str)
            file.write("\n")
        os.replace(partial, self.evidence)


def _gib(value):
    return "-" if value is None else f"{value:.2f}"
