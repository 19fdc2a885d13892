"""What the program answers: frozen records whose attributes are the keys of its JSON document."""
import json


class Record:
    """An object of an answer: `memory.peak_gib` is `memory["peak_gib"]`. Never changes."""

    __slots__ = ("_values",)

    def __init__(self, values):
        object.__setattr__(self, "_values", values)

    def _document(self):
        return self._values

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        values = self._document()
        if name in values:
            return wrapped(values[name])
        raise AttributeError(f"no {name!r} here, but " + ", ".join(values))

    def __getitem__(self, name):
        return wrapped(self._document()[name])

    def __setattr__(self, name, value):
        raise AttributeError("an answer does not change")

    __delattr__ = None

    def __contains__(self, name):
        return name in self._document()

    def __iter__(self):
        return iter(self._document())

    def __len__(self):
        return len(self._document())

    def keys(self):
        return self._document().keys()

    def get(self, name, missing=None):
        return wrapped(self._document().get(name, missing))

    def __dir__(self):
        return [*super().__dir__(), *self._document()]

    def to_dict(self):
        """A copy in dicts and lists, as the JSON document has it."""
        return json.loads(json.dumps(self._document()))

    def __eq__(self, other):
        if isinstance(other, Record):
            return self._document() == other._document()
        return NotImplemented

    def __hash__(self):
        return hash(json.dumps(self._document(), sort_keys=True))

    def __reduce__(self):
        return type(self), (self._document(),)

    def __repr__(self):
        return f"{type(self).__name__}({json.dumps(self._document())})"


class Rows(tuple):
    """A list of an answer."""

    __slots__ = ()

    def to_pandas(self):
        """A pandas DataFrame; nested objects become columns `memory.peak_gib`."""
        from pandas import json_normalize

        return json_normalize([row.to_dict() if isinstance(row, Record) else row for row in self])

    def __reduce__(self):
        return type(self), (tuple(self),)


def wrapped(value):
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return Rows(wrapped(each) for each in value)
    return value


def body_of(text):
    """The JSON document inside the answer of the library, as the program prints it."""
    start = text.index('"body":') + 7
    if text.find(',"messages":', start) >= 0:
        end = json.JSONDecoder().raw_decode(text, start)[1]
        return text[start:end]
    return text[start:-1]


class Answer(Record):
    """A whole answer. `text` holds the bytes that the program prints; they are read when asked."""

    __slots__ = ("_text", "_request", "_exit_code")

    def __init__(self, text, request, exit_code=0):
        super().__init__(None)
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "_request", request)
        object.__setattr__(self, "_exit_code", exit_code)

    def _document(self):
        if self._values is None:
            object.__setattr__(self, "_values", json.loads(self._text))
        return self._values

    @property
    def text(self):
        """The JSON document as `--json` prints it."""
        return self._text + "\n"

    @property
    def request(self):
        """The request that led here, as JSON text."""
        return self._request

    @property
    def exit_code(self):
        """0, or 3 where nothing fits, as the program ends."""
        return self._exit_code

    def printed(self):
        """The same answer as the program prints it for people."""
        from . import printed

        return printed(self)

    @property
    def components(self):
        """The parts of the memory, largest first as the program lists them."""
        return self.memory.components

    def raise_if_unfit(self):
        """Raises DoesNotFit when nothing fits, else gives the answer back."""
        if self._exit_code == 3:
            from .errors import DoesNotFit

            memory = self._document().get("memory")
            said = "nothing fits"
            if memory and memory.get("peak_gib") is not None:
                said = (f"{memory['peak_gib']:.1f} GiB are needed, {memory['capacity_gib']:.1f} GiB "
                        "are there")
            raise DoesNotFit("does_not_fit", "memory", said, "", self)
        return self

    def __hash__(self):
        return hash(self._text)

    def __reduce__(self):
        return type(self), (self._text, self._request, self._exit_code)

    def __repr__(self):
        from .picture import sentence

        return f"<ridgeline.{type(self).__name__}: {sentence(self._document())}>"

    def _repr_html_(self):
        from .picture import page

        return page(self._document())


class Estimate(Answer):
    __slots__ = ()


class Advice(Answer):
    __slots__ = ()


class Comparison(Answer):
    __slots__ = ()


KINDS = {"estimate": Estimate, "advise": Advice, "compare": Comparison}
