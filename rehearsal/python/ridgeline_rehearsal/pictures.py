"""Data sets of torchvision that are neither on this machine nor to be downloaded: pictures of one colour with
the size, the classes and about the count that the data set has."""

import contextlib
import functools
import io
import os

from . import card, coco, targets

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
    "VOCSegmentation": ("RGB", (500, 375), 21, 1464, 1449), "VOCDetection": ("RGB", (500, 375), 20, 5717, 5823),
    "SBDataset": ("RGB", (500, 375), 21, 8498, 2857), "Cityscapes": ("RGB", (2048, 1024), 34, 2975, 500),
    "Imagenette": ("RGB", (500, 375), 10, 9469, 3925), "PCAM": ("RGB", (96, 96), 2, 262144, 32768),
    "FER2013": ("L", (48, 48), 7, 28709, 7178), "Country211": ("RGB", (500, 375), 211, 31650, 10550),
    "SUN397": ("RGB", (500, 375), 397, 108754, 108754), "Omniglot": ("L", (105, 105), 964, 19280, 19280),
    "CelebA": ("RGB", (178, 218), 10177, 162770, 19867),
}
TRAINING = ("train", "trainval", "trainvaltest", "train-standard", "train+unlabeled")


def is_training(root, asked):
    """Whether the part is asked for that one trains with, by what the constructor was given."""
    if "train" in asked:
        return bool(asked["train"])
    split = asked.get("image_set") or asked.get("split")
    if split is None:
        return "val" not in os.path.basename(os.path.normpath(os.fspath(root)))
    return split if isinstance(split, bool) else split in TRAINING


def picture(name):
    from PIL import Image

    mode, size, *_ = SETS[name]
    return Image.new(mode, size, 127 if mode == "L" else (120, 130, 140))


def load(name, _path):
    return picture(name)


def fill(self, name, count, transforms, kinds):
    """Gives a data set that found no files what its own class reads; `kinds` are those of its targets."""
    import numpy
    import torch

    mode, size, classes, *_ = SETS[name]
    self.made_up = (name, count, kinds)
    self.transforms = transforms.get("transforms")
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
    name, count, kinds = self.made_up
    if not -count <= index < count:
        raise IndexError(index)
    _, size, classes, *_ = SETS[name]
    sample, label = picture(name), targets.target(name, kinds, int(index), size, classes)
    if self.transforms:
        return self.transforms(sample, label)
    # As they are now: loaders set them on a data set that they did not make.
    return (self.transform(sample) if self.transform else sample,
            self.target_transform(label) if self.target_transform else label)


def has_one_of_these(kind):
    """Whether a data set is made as another of these is (KMNIST as MNIST)."""
    maker = next(base for base in kind.__mro__ if "__init__" in base.__dict__)
    return maker is not kind and maker.__name__ in SETS


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
                asked = targets.handed(make, (root, *arguments), named)
                if os.path.isdir(str(root)) and isinstance(self, module.ImageFolder) and not asked.get("download"):
                    raise  # what is there is read as it is; what was to be fetched has made its folder before
                reason = error
            name = next(base.__name__ for base in type(self).__mro__ if base.__name__ in SETS)
            given = {key: asked[key] for key in ("transform", "target_transform", "transforms") if asked.get(key)}
            VisionDataset.__init__(self, root, **given)
            _, size, classes, training, others = SETS[name]
            fill(self, name, training if is_training(root or "", asked) else others, given, targets.wanted(name, asked))
            what = f"the pictures of {root}" if name == "ImageFolder" else f"the data set {name}"
            card.left_out.add(f"{what}, which is not there ({type(reason).__name__}): pictures of {size[0]} x {size[1]} "
                              f"in {classes} classes")

        get, length = kind.__getitem__, kind.__len__
        kind.__init__ = made
        kind.__getitem__ = lambda self, index: item(self, index) if "made_up" in self.__dict__ else get(self, index)
        kind.__len__ = lambda self: self.made_up[1] if "made_up" in self.__dict__ else length(self)

    coco.attach_coco(module.CocoDetection, VisionDataset)
    for name in SETS:
        kind = getattr(module, name, None)
        if kind is not None and not has_one_of_these(kind):
            wrap(kind)


def attach_timm(module):
    """`module` is timm.data.readers.reader_factory."""
    from timm.data.readers.reader import Reader

    create = module.create_reader

    class MadeUp(Reader):
        """Pictures of a folder that is not there."""

        def __init__(self):
            super().__init__()
            _, size, self.classes, self.count, _ = SETS["ImageFolder"]
            self.content = io.BytesIO()
            picture("ImageFolder").save(self.content, "PNG")
            self.class_to_idx = {str(i): i for i in range(self.classes)}

        def __getitem__(self, index):
            return io.BytesIO(self.content.getvalue()), index % self.classes

        def __len__(self):
            return self.count

        def _filename(self, index, basename=False, absolute=False):
            return f"{index}.png"

    def create_reader(name, root=None, *arguments, **named):
        if name or not root or os.path.exists(root):
            return create(name, root, *arguments, **named)
        _, size, classes, *_ = SETS["ImageFolder"]
        card.left_out.add(f"the pictures of {root}, which is not there: pictures of {size[0]} x {size[1]} in {classes} classes")
        return MadeUp()

    module.create_reader = create_reader
