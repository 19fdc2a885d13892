"""Configurations by an id of the hub: those of the profiles, the defaults of the class of Transformers whose
documentation names the id, or those of the known model whose name the id holds."""

import json
import pathlib
import re

ENDINGS = ("-hf", "-instruct", "-it", "-chat", "-base", "-chat-hf", "-v0.1", "-bf16", "-in21k", "-uncased", "-cased",
           "-deduped", "-pt", "-bnb-4bit", "-unsloth", "-unsloth-bnb-4bit", "-224", "-384")
LISTED = {"listing": []}  # networks that are written out operator by operator have no configuration of the hub
OWN = pathlib.Path(__file__).with_name("hub_models.json")


def aliases_of(models):
    try:
        return json.loads((models.parent / "model_aliases.json").read_text())
    except (OSError, ValueError):
        return {}


def profile(models, name):
    """What the profiles (and the list beside this file) have of an id, or None."""
    word = name.lower()
    aliases = aliases_of(models)
    last = word.rsplit("/", 1)[-1]
    tries = [aliases.get(word), aliases.get(last), last]
    for ending in ENDINGS:
        if last.endswith(ending):
            short = last[: -len(ending)]
            tries += [aliases.get(word[: -len(ending)]), aliases.get(short), short]
    for one in tries:
        path = models / f"{(one or '').removeprefix('meta-')}.json"
        known = json.loads(path.read_text()) if one and path.is_file() else LISTED
        if known.keys().isdisjoint(LISTED):
            return known
    for path in models.glob("*.json"):
        known = json.loads(path.read_text())
        if str(known.get("hf_id", "")).lower() == word and known.keys().isdisjoint(LISTED):
            return known
    return json.loads(OWN.read_text()).get(last)


def like(models, name):
    """A configuration that stands for one that nobody here has, and the words that tell of it; (None, "")."""
    known = documented(name)
    if known:
        return known, "the defaults of its class in Transformers, which are documented as similar"
    return holding(models, name)


def documented(name):
    """The defaults of the configuration class whose documentation names this id, or one that it begins."""
    import transformers
    from transformers import CONFIG_MAPPING

    names = re.compile(r'(?:checkpoint="|\[)' + re.escape(name) + r'(?:-[\w.-]+)?["\]]', re.I)
    for path in sorted(pathlib.Path(transformers.__file__).parent.glob("models/*/configuration_*.py")):
        text = path.read_text()
        if names.search(text):
            kinds = [kind for kind in re.findall(r'^    model_type = "([\w.-]+)"', text, re.M) if kind in CONFIG_MAPPING]
            if kinds:
                return {**CONFIG_MAPPING[kinds[-1]]().to_dict(), "model_type": kinds[-1]}
    return None


def holding(models, name):
    """The longest known name whose words the id holds in their order: a model that was tuned further keeps its
    sizes and most often the name of what it came from."""
    last = words_of(name.rsplit("/", 1)[-1])
    best, length = None, 0
    found = {**{path.stem: path.stem for path in models.glob("*.json")}, **aliases_of(models)}
    found.update({word: word for word in json.loads(OWN.read_text())})
    for alias, stem in found.items():
        parts = words_of(alias.rsplit("/", 1)[-1])
        if len(parts) > 1 and len(parts) > length and in_order(parts, last):
            known = profile(models, stem)
            if known and "model_type" in known:
                best, length = (known, stem), len(parts)
    if best is None:
        return None, ""
    return best[0], f"that of {best[1]}, whose name it holds"


def words_of(name):
    return [part for part in re.split(r"[-_/]", name.lower()) if part]


def in_order(parts, words):
    """Whether all of `parts` are among `words`, in their order."""
    rest = iter(words)
    return all(part in rest for part in parts)
