"""Data sets of torchvision that are neither on this machine nor to be downloaded: pictures of one colour with
the size, the classes and about the count that the data set has."""

import contextlib
import functools
import os

from . import card

# name: (mode of PIL, width and height, classes, pictures to train with, others)
SETS = {
    "MNIST": ("L", (28, 28), 10, 60000, 10000), "FashionMNIST": ("L", (28, 28), 10, 60000, 10000),
    "KMNIST": ("L", (28, 28), 10, 60000, 10000), "EMNIST": ("L", (28, 28), 47, 112800, 18800),
    "USPS": ("L", (16, 16), 10, 7291, 2007),
    "CIFAR10": ("RGB", (32, 32), 10, 50000, 10000), "CIFAR100": ("RGB", (32, 32), 100, 50000, 10000),
    "SVHN": ("RGB", (32, 32), 10, 73257, 26032), "STL10": ("RGB", (96, 96), 10, 5000, 8000),
    "EuroSAT": ("RGB", (64, 64), 10, 27000, 27000), "GTSRB": ("RGB", (32, 32), 43, 26640, 12630),
    "Food101": ("RGB", (512, 512), 101, 75750, 25250), "Flowers102": ("RGB", (667, 500), 102, 1020, 6149),
    "OxfordIIITPet": ("RGB", (500, 375), 37, 3680, 3669), "StanfordCars": ("RGB", (700, 480), 196, 8144, 8041),
    "FGVCAircraft": ("RGB", (1024, 700), 100, 3334, 3333), "DTD": ("RGB", (500, 450), 47, 1880, 1880),
    "Caltech101": ("RGB", (300, 200), 101, 8677, 8677), "Caltech256": ("RGB", (350, 300), 257, 30607, 30607),
    "Places365": ("RGB", (256, 256), 365, 100000, 36500), "ImageNet": ("RGB", (500, 375), 1000, 100000, 50000),
    "ImageFolder": ("RGB", (500, 375), 1000, 100000, 50000),
}
TRAINING = ("train", "trainval", "trainvaltest", "train-standard", "train+unlabeled")


def is_training(root, arguments, named):
    if "train" in named:
        return bool(named["train"])
    split = named.get("split") or next((a for a in arguments if isinstance(a, (bool, str))), None)
    if isinstance(split, bool):
        return split
    return split in TRAINING if split else "val" not in os.path.basename(os.path.normpath(os.fspath(root)))


def picture(name):
    from PIL import Image

    mode, size, *_ = SETS[name]
    return Image.new(mode, size, 127 if mode == "L" else (120, 130, 140))


def load(name, _path):
    return picture(name)


def fill(self, name, count, transforms):
    """Gives a data set that found no files what its own class reads."""
    import numpy
    import torch

    mode, size, classes, *_ = SETS[name]
    self.made_up = (name, count, transforms.get("transforms"))
    self.transform, self.target_transform = transforms.get("transform"), transforms.get("target_transform")
    self.classes = [str(i) for i in range(classes)]
    with contextlib.suppress(AttributeError):  # MNIST derives it from the classes
        self.class_to_idx = {word: i for i, word in enumerate(self.classes)}
    self.targets = [i % classes for i in range(count)]
    if mode == "L":
        self.data = torch.zeros(count, size[1], size[0], dtype=torch.uint8)
        self.targets = torch.tensor(self.targets)
    elif count * size[0] * size[1] <= 1 << 28:
        self.data = numpy.zeros((count, size[1], size[0], 3), dtype=numpy.uint8)
    self.labels = self.targets
    self.samples = self.imgs = [("", i % classes) for i in range(count)]
    self.loader = functools.partial(load, name)


def item(self, index):
    """One made-up picture with its label, through the transforms of its data set."""
    name, count, both = self.made_up
    if not -count <= index < count:
        raise IndexError(index)
    sample, label = picture(name), int(index) % SETS[name][2]
    if both:
        return both(sample, label)
    # As they are now: loaders set them on a data set that they did not make.
    return (self.transform(sample) if self.transform else sample,
            self.target_transform(label) if self.target_transform else label)


def attach_torchvision(module):
    """`module` is torchvision.datasets."""
    from torchvision.datasets import VisionDataset

    def wrap(kind):
        make = kind.__init__

        def made(self, root=None, *arguments, **named):
            try:
                make(self, root, *arguments, **named)
                return
            except (OSError, RuntimeError) as error:
                if os.path.isdir(str(root)) and isinstance(self, module.ImageFolder):
                    raise  # what is there is read as it is
                reason = error
            name = next(base.__name__ for base in type(self).__mro__ if base.__name__ in SETS)
            handed = {key: value for key, value in named.items() if key in ("transform", "target_transform", "transforms")}
            for value in arguments:
                if callable(value):
                    handed.setdefault("target_transform" if "transform" in handed else "transform", value)
            VisionDataset.__init__(self, root, **handed)
            _, size, classes, training, others = SETS[name]
            fill(self, name, training if is_training(root or "", arguments, named) else others, handed)
            what = f"the pictures of {root}" if name == "ImageFolder" else f"the data set {name}"
            card.left_out.add(f"{what}, which is not there ({type(reason).__name__}): pictures of {size[0]} x {size[1]} "
                              f"in {classes} classes")

        get, length = kind.__getitem__, kind.__len__
        kind.__init__ = made
        kind.__getitem__ = lambda self, index: item(self, index) if "made_up" in self.__dict__ else get(self, index)
        kind.__len__ = lambda self: self.made_up[1] if "made_up" in self.__dict__ else length(self)

    for name in SETS:
        kind = getattr(module, name, None)
        if kind is not None and "__init__" in kind.__dict__:  # others have that of their base
            wrap(kind)
