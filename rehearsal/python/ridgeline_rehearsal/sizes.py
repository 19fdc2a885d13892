"""Sizes that are known by a word: where a class has those of its base by default and an id says another one."""

import re

# Width, layers and heads: BERT (arXiv 1810.04805, section 3), ViT (2010.11929, table 1) and DeiT (2012.12877, table 1).
WIDTHS = {"large": (1024, 24, 16), "huge": (1280, 32, 16), "small": (384, 12, 6), "tiny": (192, 12, 3)}
OF_TEXT = ("large",)  # what is small differs from one to another
BASE = (768, 12)
BLOCKS = {18: [2, 2, 2, 2], 34: [3, 4, 6, 3], 50: [3, 4, 6, 3], 101: [3, 4, 23, 3], 152: [3, 8, 36, 3]}  # 1512.03385, table 1
RESNET = re.compile(r"resnet[-_]?(\d+)|[-_]r(\d+)(?=$|[-_])")


def parts_of(config, *names):
    return [part for part in (config.get(name) for name in names) if isinstance(part, dict)] or [config]


def widen(words, part):
    """Whether a part of a configuration got the width, layers and heads of a word."""
    word = next((one for one in words if one in WIDTHS), None)
    if word is None or (part.get("hidden_size"), part.get("num_hidden_layers")) != BASE or "num_key_value_heads" in part:
        return False
    if "patch_size" not in part and word not in OF_TEXT:
        return False
    width, layers, heads = WIDTHS[word]
    part.update(hidden_size=width, num_hidden_layers=layers, num_attention_heads=heads)
    part.update({name: 4 * width for name in ("intermediate_size", "mlp_dim") if name in part})
    if part.get("global_attn_indexes"):  # SAM: the last of each quarter
        part["global_attn_indexes"] = [layers * quarter // 4 - 1 for quarter in (1, 2, 3, 4)]
    return True


def deepen(name, part):
    """A ResNet that pictures go through first has the depth that the name states."""
    found = RESNET.search(name)
    depth = int(found.group(1) or found.group(2)) if found else None
    if depth not in BLOCKS:
        return False
    if isinstance(part.get("backbone"), str) and part["backbone"].startswith("resnet"):
        part["backbone"] = f"resnet{depth}"
    elif part.get("model_type") == "resnet" and "depths" in part:
        part.update(depths=BLOCKS[depth], layer_type="bottleneck" if depth > 34 else "basic")
        part["hidden_sizes"] = [width * (4 if depth > 34 else 1) for width in (64, 128, 256, 512)]
    else:
        return False
    return True


def by_name(name, config, held):
    """Gives a configuration the sizes that an id states; `held` is the known model whose name the id holds: the language
    model of one that takes pictures. Whether it says anything."""
    last = name.rsplit("/", 1)[-1].lower()
    found = [widen(re.split(r"[-_.]", last), part) for part in parts_of(config, "vision_config")]
    found += [deepen(last, part) for part in parts_of(config, "backbone_config")]
    text = config.get("text_config")
    if isinstance(text, dict) and held and "vision_config" in config and "vision_config" not in held:
        from . import hub

        config["text_config"] = hub.whole_configuration(held)
        found.append(True)
    return any(found)
