"""Keyword arguments of a call to the request that the program reads."""
import json
import os

from .errors import RidgelineError


def _document(path):
    """A JSON file of the user's, read here: the library opens no path that a request names."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as problem:
        raise RidgelineError("bad_input", os.fspath(path), problem.strerror or str(problem),
                             "") from None
    except ValueError as problem:
        raise RidgelineError("bad_input", os.fspath(path), f"is no JSON: {problem}", "") from None


def _is_path(value):
    if isinstance(value, os.PathLike):
        return True
    return isinstance(value, str) and (value.endswith(".json") or os.path.isdir(value))


def _model(value):
    """(id, None) of a name; (None, configuration) of a path, a dict or a transformers config."""
    if _is_path(value):
        path = os.path.join(value, "config.json") if os.path.isdir(value) else value
        return None, _document(path)
    if isinstance(value, str):
        return value, None
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    if isinstance(value, dict):
        return None, json.loads(json.dumps(value, default=str))
    raise RidgelineError("usage", "--model", f'found a {type(value).__name__}, expected an id, a '
                         "path, a dict or a configuration with to_dict()")


def _workload(value):
    """A workload document as a dict, from one, a file, or an answer that has one."""
    if _is_path(value):
        return _document(value)
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    if isinstance(value, dict) and "schema" in value and isinstance(value.get("workload"), dict):
        value = value["workload"]
    if isinstance(value, dict):
        return dict(value)
    raise RidgelineError("usage", "workload", f'found a {type(value).__name__}, expected a dict, a '
                         "path or an answer")


def options_of(workload, keywords):
    """The options of a request: None is left out, `sequence_length` becomes `sequence-length`."""
    options = {name.replace("_", "-"): value for name, value in keywords.items()
               if value is not None}
    if workload is not None:
        options["workload"] = _workload(workload)
    if "model" in options:
        name, configuration = _model(options.pop("model"))
        if name is not None:
            options["model"] = name
        else:
            options.setdefault("workload", {})["model"] = configuration
    return options


def request_text(command, options):
    return _ENCODER.encode({"command": command, "options": {**options, "json": True}})


def _as_text(value):
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item"):  # a number of numpy
        return value.item()
    raise TypeError(f"{type(value).__name__} is no text, number, switch or list of such")


_ENCODER = json.JSONEncoder(separators=(",", ":"), default=_as_text)
