"""Operators of packages that are written in Python for the card (`torch.library`): torch runs what is in them below every
mode, so that a count of what a mask leaves would be read from memory that nobody has written. The values pass takes them
apart instead."""

KEYS = ("CUDA", "CompositeExplicitAutograd")

written = {}  # {name of the operator: {dispatch key: function}}


def attach_torch(torch):
    """Before any package registers its own."""
    register = torch.library.Library.impl
    nothing = getattr(torch.library, "fallthrough_kernel", None)

    def impl(self, op_name, fn, dispatch_key="", *words, **named):
        made = register(self, op_name, fn, dispatch_key, *words, **named)
        key = dispatch_key or self.dispatch_key
        if key in KEYS and fn is not nothing and not any(words[:1]) and not named.get("with_keyset"):
            name = op_name if isinstance(op_name, str) else op_name.name()
            written.setdefault(name if "::" in name else f"{self.ns}::{name}", {})[key] = fn
        return made

    torch.library.Library.impl = impl


def function_of(func):
    """What runs for that operator on the card, where it is a function of Python; else None."""
    known = written.get(func.name().removesuffix(".default")) if written else None
    return known.get(KEYS[0]) or known.get(KEYS[1]) if known else None
