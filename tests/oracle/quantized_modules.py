"""Quantised layers of bitsandbytes on fake tensors, in the layouts that its quantisers make."""

import torch


def _bare(kind, rows, columns):
    """A layer of that class whose constructor, which would make real tensors, has not run."""
    layer = kind.__new__(kind)
    torch.nn.Module.__init__(layer)
    layer.in_features, layer.out_features = columns, rows
    return layer


def _four_bit(linear, nested, compute):
    import bitsandbytes as bnb
    from bitsandbytes.functional import QuantState

    rows, columns = linear.weight.shape
    device = linear.weight.device
    blocks = (rows * columns + 63) // 64
    byte = dict(dtype=torch.uint8, device=device)
    single = dict(dtype=torch.float32, device=device)
    second = None
    if nested:
        second = QuantState(absmax=torch.empty((blocks + 255) // 256, **single), blocksize=256,
                            code=torch.empty(256, **single), dtype=torch.float32)
    state = QuantState(absmax=torch.empty(blocks, **(byte if nested else single)),
                       shape=torch.Size((rows, columns)), code=torch.empty(16, **single),
                       blocksize=64, quant_type="nf4", dtype=compute,
                       offset=torch.empty((), **single) if nested else None, state2=second)
    # Parameter subclasses cannot wrap fake tensors: a plain parameter carries the same fields.
    layer = _bare(bnb.nn.Linear4bit, rows, columns)
    packed = torch.empty(((rows * columns + 1) // 2, 1), **byte)
    layer.weight = torch.nn.Parameter(packed, requires_grad=False)
    layer.weight.quant_state = state
    layer.weight.compress_statistics = nested
    layer.weight.quant_type = "nf4"
    layer.quant_state = state
    layer.compute_dtype = compute
    layer.compute_type_is_set = True
    layer.support_avx512bf16_for_cpu = False
    layer.bias = linear.bias
    return layer


def _eight_bit(linear):
    import bitsandbytes as bnb

    rows, columns = linear.weight.shape
    device = linear.weight.device
    layer = _bare(bnb.nn.Linear8bitLt, rows, columns)
    layer.weight = torch.nn.Parameter(
        torch.empty((rows, columns), dtype=torch.int8, device=device), requires_grad=False)
    layer.weight.CB = None  # moved to the state at the first pass
    layer.state = bnb.MatmulLtState()
    layer.state.threshold = 0.0  # no outlier columns: how many there are depends on the data
    layer.state.has_fp16_weights = False
    layer.state.CB = layer.weight
    layer.state.SCB = torch.empty(rows, dtype=torch.float32, device=device)
    layer.index = None
    layer.bias = linear.bias
    return layer


def quantize(model, kind, compute):
    """Replaces every linear of the layers as from_pretrained does; the head stays."""
    head = model.get_output_embeddings()
    for name, module in list(model.named_modules()):
        for key, child in list(module._modules.items()):
            if type(child) is torch.nn.Linear and child is not head:
                new = _eight_bit(child) if kind == "int8" else _four_bit(child, kind == "nf4-dq", compute)
                module._modules[key] = new
    _expand_for_dora()
    model.is_loaded_in_4bit = kind != "int8"
    model.is_loaded_in_8bit = kind == "int8"


def _expand_for_dora():
    """DoRA asks for the whole weight, which the library makes from a parameter class of its own."""
    import peft.tuners.lora.dora as dora

    def expanded(layer):
        state = getattr(layer.weight, "quant_state", None)
        if state is None:
            return layer.weight
        return torch.empty(state.shape, dtype=state.dtype, device=layer.weight.device)

    dora.dequantize_module_weight = expanded


def states(model):
    """Tensors beside the parameters that quantised layers hold."""
    for module in model.modules():
        weight = module._parameters.get("weight")
        state = getattr(weight, "quant_state", None)
        if state is not None:
            second = state.state2
            more = (second.absmax, second.code, state.offset) if second is not None else ()
            yield from (state.absmax, state.code, *more)
        for holder in (weight, getattr(module, "state", None)):
            for name in ("CB", "SCB"):
                if isinstance(getattr(holder, name, None), torch.Tensor):
                    yield getattr(holder, name)


def prepare(model):
    """peft.prepare_model_for_kbit_training without its checkpointing, which a case chooses."""
    for parameter in model.parameters():
        parameter.requires_grad = False
    tied = {}

    def upcast(parameter):
        # A fake parameter cannot be given other data: replaced, and tied ones by one tensor.
        if id(parameter) not in tied:
            tied[id(parameter)] = torch.nn.Parameter(parameter.detach().float(), requires_grad=False)
        return tied[id(parameter)]

    for module in model.modules():
        for key, parameter in module._parameters.items():
            if parameter is not None and parameter.dtype in (torch.float16, torch.bfloat16):
                module._parameters[key] = upcast(parameter)

