"""The dispatch mode that shows every operator of the script to the values pass."""

from . import kernels
from .tensors import tensors_of


def take_lengths_as_numbers(torch):
    """CTC with lengths on the host: torch would take its other way only because a mode looks on."""
    loss = torch.ctc_loss

    def ctc_loss(log_probs, targets, *lengths, **named):
        plain = [x.tolist() if isinstance(x, torch.Tensor) and not x.is_cuda else x for x in lengths]
        return loss(log_probs, targets, *plain, **named)

    torch.ctc_loss = ctc_loss


def take_subclasses(torch):
    """Before torch 2.6 a tensor becomes one of a class of its own only where no mode has seen it as an object of Python."""
    from torch.utils import _python_dispatch

    make = torch.Tensor.as_subclass

    def as_subclass(self, kind):
        try:
            return make(self, kind)
        except RuntimeError:
            with _python_dispatch._disable_current_modes():
                return make(self, kind)

    torch.Tensor.as_subclass = as_subclass


def fused_functions(torch):
    """Attention by functions of the user (flex_attention) is one kernel on a card. Where nothing is compiled it would
    make every score; what says its shapes for torch's compiler makes its results here."""
    try:
        from torch._higher_order_ops.utils import registered_hop_fake_fns as known
    except ImportError:
        return {}
    return {func: shapes for func, shapes in known.items() if func.name().startswith("flex_attention")}


def show_functions_of_functions(higher, kind):
    """Torch before 2.9 asks of each operator that takes functions (flex_attention, checkpoints) a rule for each mode by its
    class: they get the mode's own when they first meet it, since more of them come with every import."""
    dispatch = higher.dispatch

    def with_rule(self, dispatch_key, *args, **kwargs):
        self.python_key_table.setdefault(kind, lambda mode, *a, **k: mode.__torch_dispatch__(self, (), a, k))
        return dispatch(self, dispatch_key, *args, **kwargs)

    if hasattr(higher, "dispatch"):
        higher.dispatch = with_rule


def traced(torch, func, args, kwargs):
    """An operator that torch.jit.trace takes down below its own key (a convolution): what the values pass would ask of
    its tensors were taken down too, and what the operator calls is not while a mode looks on."""
    tracer = torch._C._dispatch_key_parse("Tracer")
    shut_out = torch._C._dispatch_tls_is_dispatch_key_excluded(tracer)
    torch._C._dispatch_tls_set_dispatch_key_excluded(tracer, False)
    try:
        return func(*args, **kwargs)
    finally:
        torch._C._dispatch_tls_set_dispatch_key_excluded(tracer, shut_out)


def mode(values):
    """The dispatch mode that shows every operator to `values`."""
    from torch.utils._python_dispatch import TorchDispatchMode

    torch = values.torch
    plain = (torch.Tensor, torch.nn.Parameter)

    known = {}

    def composed(func):
        """Whether an operator is written in others alone, as `to`, `conv2d` and `reshape` are."""
        if id(func) not in known:  # its own hash is a function of Python
            known[id(func)] = func, torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd")
        return known[id(func)][1]

    higher = getattr(torch._ops, "HigherOrderOperator", ())
    shapes_alone = fused_functions(torch)

    class RehearsedValues(TorchDispatchMode):
        supports_higher_order_operators = True

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if torch._C._get_tracing_state() is not None:
                return traced(torch, func, args, kwargs or {})
            if any(t.__name__ in ("FakeTensor", "FunctionalTensor") for t in types):
                return func(*args, **(kwargs or {}))  # shapes alone: nothing of the card
            if isinstance(func, higher) and func in shapes_alone:
                with self:
                    return shapes_alone[func](*args, **(kwargs or {}))
            if isinstance(func, higher):
                return func(*args, **(kwargs or {}))  # a function of functions: what is in it runs unseen
            if any(t not in plain and not issubclass(t, torch.nn.Parameter) for t in types):
                return NotImplemented  # a wrapper comes back with what it holds
            if (function := kernels.function_of(func)) and any(t.is_cuda for t in tensors_of((args, kwargs), torch)):
                with self:
                    return function(*args, **(kwargs or {}))
            if composed(func):
                with self:  # no autograd takes it apart in inference mode, nor later of tensors that were made there
                    return func.decompose(*args, **(kwargs or {}))
            return values.run(func, args, kwargs or {})

    if higher and not hasattr(TorchDispatchMode, "supports_higher_order_operators"):
        show_functions_of_functions(higher, RehearsedValues)
    return RehearsedValues()
