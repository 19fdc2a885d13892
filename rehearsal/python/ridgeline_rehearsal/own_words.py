"""Profiles say sizes in words that are the same for all models; classes of Transformers have their own for some of them,
and for their weights."""

# The width between the two products of a layer: OPT, Falcon, GPT-2 and GPT-J, DistilBERT.
MIDDLE = ("ffn_dim", "ffn_hidden_size", "n_inner", "hidden_dim")


def knows(configuration, name):
    return hasattr(configuration, name) or name in getattr(configuration, "attribute_map", {})


def of_networks(kind, known):
    """What networks that convolve are called: blocks in stages, or sides of a first network that grow."""
    if kind == "resnet" and "layers" in known:
        return {"depths": known["layers"], "layer_type": "basic" if known.get("expansion") == 1 else "bottleneck",
                "hidden_sizes": [width * known.get("expansion", 1) for width in known.get("widths", (64, 128, 256, 512))]}
    if kind == "efficientnet" and "width_mult" in known:
        wide = known["width_mult"]
        return {"width_coefficient": wide, "depth_coefficient": known["depth_mult"], "hidden_dim": round(1280 * wide / 8) * 8}
    return {}


def of_class(made_by, known):
    """A configuration of a profile in the words of its class; sizes of a language model that is one part of several go
    into that part."""
    whole = made_by()
    out = {**known, **of_networks(made_by.model_type, known)}
    if "intermediate_size" in known and not knows(whole, "intermediate_size"):
        out.update({name: known["intermediate_size"] for name in MIDDLE if knows(whole, name)})
    part = getattr(made_by, "sub_configs", {}).get("text_config")
    if "text_config" in known or getattr(part, "model_type", "") in ("", None):
        return out
    inner = part()
    text = {name: value for name, value in out.items()
            if name == "tie_word_embeddings" or not knows(whole, name) and knows(inner, name)}
    if not text:
        return out
    return {**{name: value for name, value in out.items() if name not in text or name == "tie_word_embeddings"}, "text_config": text}


# Heads of a task: a script that asks for so many labels makes its own, as where a checkpoint has none.
HEADS = ("classifier.", "score.", "classification_head.", "qa_outputs.", "distillation_classifier.", "cls_classifier.")


def tied_names(model):
    """Names of weights that are another's: classes list those that may be, the configuration says whether they are."""
    named = dict(model.named_parameters(remove_duplicate=False))
    own = {id(parameter): name for name, parameter in reversed(named.items())}
    listed = set(getattr(model, "_tied_weights_keys", None) or ())
    shared = {id(parameter) for name, parameter in named.items() if own[id(parameter)] != name}
    return [name for name, parameter in named.items() if id(parameter) in shared and (
        name in listed or not listed and own[id(parameter)] != name)]


def own_head(model, written):
    """The name of a head that a checkpoint keeps beside the table of its words, where the class ties both unless it finds
    two unlike ones (T5 1.1 and mT5); "" for others."""
    head = model.get_output_embeddings() if written.get("tie_word_embeddings") is False else None
    names = [name for name, parameter in model.named_parameters(remove_duplicate=False)
             if head is not None and parameter is getattr(head, "weight", None)]
    return names[-1] if len(names) > 1 else ""
