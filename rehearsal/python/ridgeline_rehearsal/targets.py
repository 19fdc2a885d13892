"""What belongs to a made-up picture where it is more than the number of a class: masks, boxes, attributes."""

import inspect

MASK, BOXES = "mask", "boxes"
# name of a data set of torchvision: numbers of the classes of its masks
SEGMENTED = {"VOCSegmentation": range(21), "SBDataset": range(21), "Cityscapes": range(34), "OxfordIIITPet": range(1, 4)}
ATTRIBUTES = {"attr": ((40,), "int64"), "identity": ((), "int64"), "bbox": ((4,), "int64"), "landmarks": ((10,), "int64")}  # of CelebA


def handed(make, arguments, named):
    """What a data set was asked for, by the names of its constructor and with its defaults; what it hands on as it is
    (`**kwargs` of ImageNet) by the names that it was given."""
    given = inspect.signature(make)
    try:
        bound = given.bind(None, *arguments, **named)
    except TypeError:
        return dict(named)
    bound.apply_defaults()
    asked = dict(bound.arguments)
    for name, parameter in given.parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            asked.update(asked.pop(name))
    return asked


def wanted(name, asked):
    """The kinds of target that a data set was asked for; [] for the number of a class."""
    words = asked.get("target_types", asked.get("target_type", []))
    words = [words] if isinstance(words, str) else list(words)
    if name == "CelebA":
        return words
    if name == "VOCDetection":
        return [BOXES]
    if name in ("VOCSegmentation", "SBDataset"):
        return [MASK]
    return [MASK if word in ("segmentation", "semantic", "instance", "color") else "" for word in words] if any(
        word not in ("category", "polygon") for word in words) else []


def mask(size, classes):
    """Bands of all classes."""
    from PIL import Image

    made = Image.new("L", size)
    for i, one in enumerate(classes):
        made.paste(one, (0, i * size[1] // len(classes), size[0], (i + 1) * size[1] // len(classes)))
    return made


def boxes(size):
    """An annotation in Pascal VOC's form, as its parser hands it over: words all through."""
    def of(name, at):
        return {"name": name, "pose": "Frontal", "truncated": "0", "difficult": "0", "occluded": "0",
                "bndbox": {"xmin": str(at), "ymin": str(at), "xmax": str(at + 80), "ymax": str(at + 120)}}

    return {"annotation": {"folder": "VOC", "filename": "000001.jpg", "segmented": "0",
                           "size": {"width": str(size[0]), "height": str(size[1]), "depth": "3"},
                           "object": [of("person", 40), of("dog", 120)]}}


def target(name, kinds, index, size, classes):
    """The target of one picture, as the data set's own class gives it."""
    import torch

    def one(kind):
        if kind == MASK:
            return mask(size, SEGMENTED[name])
        if kind == BOXES:
            return boxes(size)
        if kind in ATTRIBUTES:
            shape, dtype = ATTRIBUTES[kind]
            return torch.full(shape, index % 2, dtype=getattr(torch, dtype))
        return index % classes

    made = [one(kind) for kind in kinds] or [index % classes]
    return made[0] if len(made) == 1 else tuple(made)
