"""Configurations by an id of the hub: those of the profiles, the defaults of the class of Transformers whose
documentation names the id, those of the known model whose name the id holds, or the defaults of the kind that it begins with."""

import json
import pathlib
import re

from . import sizes

ENDINGS = ("-hf", "-instruct", "-it", "-chat", "-base", "-chat-hf", "-v0.1", "-bf16", "-in21k", "-uncased", "-cased",
           "-deduped", "-pt", "-bnb-4bit", "-unsloth", "-unsloth-bnb-4bit", "-224", "-384")
LISTED = {"listing": []}  # networks that are written out operator by operator have no configuration of the hub
# An id that states a size is not of the one that a class has by default.
SIZE = re.compile(r"(^|[-_.])(\d+(\.\d+)?[bmk]|nano|tiny|mini|small|medium|large|huge|giant|xx?l)(?=$|[-_.])")
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
    exact = own(models, last) if last in json.loads(OWN.read_text()) and not (models / f"{last}.json").is_file() else None
    if exact:
        return exact
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
    return own(models, last)


def own(models, last):
    """What the list beside this file has of a name: `like` names a model of the same sizes but for what else is said."""
    known = json.loads(OWN.read_text()).get(last)
    if known and "like" in known:
        return {**(profile(models, known["like"]) or {}), **{key: value for key, value in known.items() if key != "like"}}
    return known


def like(models, name):
    """A configuration that stands for one that nobody here has, and the words that tell of it; (None, "")."""
    known = small_one(name)
    if known:
        return known, "two small layers of its class"
    held, told = holding(models, name)
    known = documented(name)
    if known:
        sizes.by_name(name, known, held)
        return sized_by_name(name, known), "the defaults of its class in Transformers, which are documented as similar"
    kind = kind_of(name)
    if held and (kind is None or compact(held["model_type"]).startswith(compact(kind))):
        return held, told
    known = defaults(kind) if kind else None
    if known and (sizes.by_name(name, known, held) or not SIZE.search(name.rsplit("/", 1)[-1].lower())):
        return sized_by_name(name, known), "the defaults of its class in Transformers, whose name it begins with"
    if kind is None and re.search(r"bert(?=[-_]|$)", name.lower()) and not SIZE.search(name.lower()):
        return defaults("bert"), "that of BERT, with which one of its words ends"
    return None, ""


PICTURES = re.compile(r"patch(\d+)(?:-(\d{3,4}))?(?![\d\w])")


def sized_by_name(name, config):
    """The configuration with the sides of patches and pictures that the name states (base-patch16-512)."""
    found, part = PICTURES.search(name.lower()), config.get("vision_config")
    part = part if isinstance(part, dict) else config
    for key, side in zip(("patch_size", "image_size"), found.groups() if found else ()):
        if side and isinstance(part.get(key), int):
            part[key] = int(side)
    return config


# What the small models of tests have, which are named by the class that they stand for (tiny-random-LlamaForCausalLM).
SMALL_ONE = re.compile(r"^tiny-(?:random-)?([A-Z]\w*?(?:For[A-Z]\w+|Model))(?=$|[-_.])")
SMALL_SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 32,
               "head_dim": 4}


def small_one(name):
    """The configuration of a small model that is named by its class; None for others."""
    import transformers

    asked = SMALL_ONE.search(name.rsplit("/", 1)[-1])
    kind = getattr(getattr(transformers, asked.group(1), None) if asked else None, "config_class", None)
    if kind is None or not kind.model_type:
        return None
    made = kind()
    for key, size in SMALL_SIZES.items():
        if hasattr(made, key):
            setattr(made, key, size)
    return {**made.to_dict(), "model_type": kind.model_type, "architectures": [asked.group(1)]}


def compact(words):
    return re.sub(r"[-_.]", "", words.lower())


def kind_of(name):
    """The longest model type of Transformers whose words an id begins with ("qwen2_5_vl" of Qwen2.5-VL-3B); None for others:
    what it holds behind those words alone (vit-base in sam-vit-base) is a part of it at most."""
    from transformers import CONFIG_MAPPING

    parts = [part for part in re.split(r"[-_.]", name.rsplit("/", 1)[-1].lower()) if part]
    begins = {"".join(parts[:count]) for count in range(1, len(parts) + 1)}
    return max((kind for kind in CONFIG_MAPPING if compact(kind) in begins), key=len, default=None)


def defaults(kind):
    """The configuration of a model type when nobody says otherwise."""
    from transformers import CONFIG_MAPPING

    return {**CONFIG_MAPPING[kind]().to_dict(), "model_type": kind}


def documented(name):
    """The defaults of the configuration class whose documentation names this id, or one that it begins: rather of the class
    with whose name the id begins than of one that takes it as a part."""
    import transformers
    from transformers import CONFIG_MAPPING

    found, last = None, compact(name.rsplit("/", 1)[-1])
    names = re.compile(r'(?:checkpoint="|\[)' + re.escape(name) + r'(?:-[\w.-]+)?["\]]', re.I)
    for path in sorted(pathlib.Path(transformers.__file__).parent.glob("models/*/configuration_*.py")):
        text = path.read_text()
        if names.search(text):
            kinds = [kind for kind in re.findall(r'^    model_type = "([\w.-]+)"', text, re.M) if kind in CONFIG_MAPPING]
            if kinds and last.startswith(compact(kinds[-1])):
                return defaults(kinds[-1])
            found = found or (kinds and kinds[-1])
    return defaults(found) if found else None


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
