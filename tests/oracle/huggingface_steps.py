"""Training steps of Hugging Face models as the Trainer runs them."""

import quantized_modules
import torch
from trace_memory import step_trace

COMPUTE = {"bf16": torch.bfloat16, "fp16": torch.float16}


def _config(entry, attention):
    from transformers import AutoConfig

    entry = dict(entry)
    kind = entry.pop("model_type")
    for name in ("mlm_head", "pooler"):  # which class, said to the reader of the fixture
        entry.pop(name, None)
    config = AutoConfig.for_model(kind, **entry)
    config.use_cache = False
    config._attn_implementation = attention
    for name in ("attention_dropout", "attn_pdrop", "embd_pdrop", "resid_pdrop", "dropout_rate",
                 "hidden_dropout_prob", "attention_probs_dropout_prob"):
        if hasattr(config, name):
            setattr(config, name, 0.0)
    return config


def _auto_class(kind):
    import transformers

    if kind == "bert":
        return transformers.AutoModelForMaskedLM
    if kind == "t5":
        return transformers.AutoModelForSeq2SeqLM
    if kind == "vit":
        return transformers.AutoModelForImageClassification
    return transformers.AutoModelForCausalLM


def _upcast_adapters(model):
    for name, parameter in model.named_parameters():
        if "lora_" in name and parameter.dtype != torch.float32:
            parameter.data = parameter.data.float()


def trace(entry, case, dump=None):
    """Figures of one case; see cases.py for its keys."""
    dtype = getattr(torch, case["weights"])
    kind = entry["model_type"]

    def build():
        config = _config(entry, case["attention"])
        with torch.device("cuda"):
            cls = _auto_class(kind)
            extra = {"dtype": dtype} if _newer() else {"torch_dtype": dtype}
            model = cls.from_config(config, attn_implementation=case["attention"], **extra)
        model.train()
        if case["quantization"] != "none":
            quantized_modules.quantize(model, case["quantization"], COMPUTE[case["compute"]])
            quantized_modules.prepare(model)
        if case["checkpointing"]:
            model.gradient_checkpointing_enable(
                gradient_checkpointing_kwargs={"use_reentrant": case.get("reentrant", False)}
            )
            if case["method"] != "full":
                model.enable_input_require_grads()
        if case["method"] != "full":
            import peft

            with torch.device("cuda"):
                model = peft.get_peft_model(
                    model,
                    peft.LoraConfig(
                        r=case["rank"],
                        lora_alpha=16,
                        lora_dropout=case["dropout"],
                        target_modules=[t for t in case["targets"] if "." not in t],
                        target_parameters=["mlp." + t for t in case["targets"] if "." in t] or None,
                        use_dora=case["dora"],
                        use_rslora=case["rslora"],
                    ),
                    autocast_adapter_dtype=case["adapter"] == "float32",
                )
            model.train()
        if case["autocast"]:
            from accelerate.utils import convert_outputs_to_fp32

            inner = model.forward
            cast = torch.autocast("cuda", dtype=COMPUTE[case["compute"]])
            model.forward = convert_outputs_to_fp32(cast(inner))
        return model

    def forward(model):
        batch, length = case["batch"], case["length"]
        if kind == "vit":
            side = entry["image_size"]
            pixels = torch.zeros(batch, 3, side, side, device="cuda", dtype=torch.float32)
            if not case["autocast"]:
                pixels = pixels.to(dtype)
            labels = torch.zeros(batch, dtype=torch.long, device="cuda")
            return model(pixel_values=pixels, labels=labels).loss, None
        ids = torch.zeros(batch, length, dtype=torch.long, device="cuda")
        more = {}
        if case["packed"]:
            # Packed samples: positions start anew, so that the library makes a block-diagonal mask.
            more["position_ids"] = torch.zeros(batch, length, dtype=torch.long, device="cuda")
        outputs = model(input_ids=ids, labels=ids, **more)
        return outputs["loss"], outputs if case["holds_outputs"] else None

    return step_trace(build, forward, case["optimizer"], dump=dump, micro_batches=case["micro_batches"])


def _newer():
    import transformers

    return int(transformers.__version__.split(".")[0]) >= 5


def prepare():
    from transformers import PreTrainedModel

    # Values do not matter, and some initialisers ask the host for one.
    PreTrainedModel.init_weights = lambda self: self.tie_weights()
    try:
        from transformers import masking_utils

        # Fake tensors look like a trace, where the library keeps the mask; a real run drops it.
        masking_utils.is_tracing = lambda *_: False
    except ImportError:
        pass
    try:
        from transformers.integrations import sdpa_attention

        sdpa_attention.is_torchdynamo_compiling = lambda *_: False
    except ImportError:
        pass


BASE = dict(method="full", weights="bfloat16", autocast=False, attention="sdpa", batch=1, length=1024,
            checkpointing=False, optimizer="foreach", rank=16, targets=None, dropout=0.0,
            adapter="float32", quantization="none", compute="bf16", dora=False, rslora=False,
            packed=False, micro_batches=1, holds_outputs=False)
