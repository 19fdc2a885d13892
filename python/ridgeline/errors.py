"""What a request got wrong, as the program says it."""
import re

_FOUND = re.compile(r'(?:found|^no option|^no command)(?: the path)? "([^"]*)"|found ([^,]+)|'
                    r'^"([^"]*)"')
_EXPECTED = re.compile(r"expected (.+)")
_UNKNOWN_OPTION = re.compile(r'^no option "([^"]*)"')


class RidgelineError(Exception):
    """A request that cannot be answered.

    code     "usage", "bad_input", "device_absent" or "internal"
    where    the option, field or file: "--sequence", "/model"
    message  what was found and what was expected
    hint     what to do, often the nearest valid word; may be empty
    """

    def __init__(self, code, where, message, hint=""):
        super().__init__(code, where, message, hint)
        self.code = code
        self.where = where
        self.message = message
        self.hint = hint

    @property
    def field(self):
        """The name of the option or field, as a Python call spells it."""
        unknown = _UNKNOWN_OPTION.search(self.message)
        name = unknown[1] if unknown else self.where.removeprefix("--")
        return name.replace("-", "_")

    @property
    def found(self):
        """What stood there, where the message says it; else None."""
        match = _FOUND.search(self.message)
        return match and next((word for word in match.groups() if word is not None), None)

    @property
    def expected(self):
        """What may stand there, where the message says it; else None."""
        match = _EXPECTED.search(self.message)
        return match and match[1]

    def __str__(self):
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}. {self.hint}" if self.hint else text


class DoesNotFit(RidgelineError):
    """What `raise_if_unfit` raises: an answer, whose figures `answer` holds."""

    def __init__(self, code, where, message, hint="", answer=None):
        super().__init__(code, where, message, hint)
        self.answer = answer

    def __reduce__(self):
        return type(self), (self.code, self.where, self.message, self.hint, self.answer)
