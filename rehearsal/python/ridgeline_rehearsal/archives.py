"""Archives of pictures with which tutorials begin, by their names, where their addresses cannot be reached: pictures of one
colour, as many and as large as they say, with their labels, in the folders that their scripts then go through."""

import io
import os
import re
import tarfile
import urllib.parse
import zipfile

from . import card

PICTURE, MASK = (120, 130, 140), (0, 1, 2)  # a colour; the numbers of things in stripes
BOX = "0.5 0.5 0.4 0.4"
# What a line of YOLO's labels says of one thing: its class, then a box, an outline or a box with joints.
THINGS = {"": BOX, "-seg": "0.3 0.3 0.7 0.3 0.7 0.7 0.3 0.7", "-pose": " ".join([BOX, *["0.5 0.5 2"] * 17])}


def labelled(name, parts, pictures, things):
    """Pictures of COCO with labels as YOLO has them: `pictures` in each part, `things` in each picture."""
    lines = "".join(f"{0 if name.endswith('pose') else 7 * turn} {THINGS[re.sub('coco[0-9]+', '', name)]}\n" for turn in range(things))
    return {f"{name}.zip": ((640, 480), {
        f"{name}/{kind}/{part}/{part}{{:06}}.{end}": (pictures, what)
        for part in parts for kind, end, what in (("images", "jpg", PICTURE), ("labels", "txt", lines))})}


FORMATS = {".jpg": "JPEG", ".png": "PNG"}
# {name: (width and height, {files: (how many, of what)})}
ARCHIVES = {
    # https://pytorch.org/tutorials/beginner/transfer_learning_tutorial.html: 244 to train with, 153 others
    "hymenoptera_data.zip": ((500, 375), {
        "hymenoptera_data/train/ants/{}.jpg": (123, PICTURE), "hymenoptera_data/train/bees/{}.jpg": (121, PICTURE),
        "hymenoptera_data/val/ants/{}.jpg": (70, PICTURE), "hymenoptera_data/val/bees/{}.jpg": (83, PICTURE)}),
    # https://pytorch.org/tutorials/intermediate/torchvision_tutorial.html: 170 pictures, the size of the first
    "PennFudanPed.zip": ((559, 536), {
        "PennFudanPed/PNGImages/FudanPed{:05}.png": (170, PICTURE),
        "PennFudanPed/PedMasks/FudanPed{:05}_mask.png": (170, MASK)}),
    # https://www2.eecs.berkeley.edu/Research/Projects/CS/vision/bsds: 200 to train with, 100 to test
    "BSDS300-images.tgz": ((481, 321), {
        "BSDS300/images/train/{}.jpg": (200, PICTURE), "BSDS300/images/test/{}.jpg": (100, PICTURE)}),
    # https://www.learnpytorch.io/04_pytorch_custom_datasets: 225 to train with, 75 to test
    "pizza_steak_sushi.zip": ((512, 512), {
        f"{part}/{kind}/{{}}.jpg": (count, PICTURE)
        for part, counts in (("train", (78, 75, 72)), ("test", (25, 19, 31)))
        for kind, count in zip(("pizza", "steak", "sushi"), counts)}),
    # https://docs.ultralytics.com/datasets/detect/coco8 and coco128: 4 pictures to train with and 4 others with 17 things;
    # 128 with 929
    **{name: made for task in THINGS for name, made in labelled(f"coco8{task}", ("train", "val"), 4, 4).items()},
    **labelled("coco128", ("train2017",), 128, 7), **labelled("coco128-seg", ("train2017",), 128, 7),
}


def cora():
    """Publications with their words and topics, and which of them names which (https://linqs.org/datasets/#cora)."""
    papers, words, citations = 2708, 1433, 5429
    topics = ("Case_Based", "Genetic_Algorithms", "Neural_Networks", "Probabilistic_Methods", "Reinforcement_Learning",
              "Rule_Learning", "Theory")
    rows = (f"{1 + row}\t" + "\t".join("1" if (row * 31 + word) % 79 == 0 else "0" for word in range(words))
            + f"\t{topics[row % len(topics)]}\n" for row in range(papers))
    yield "cora/cora.content", "".join(rows).encode()
    yield "cora/cora.cites", "".join(f"{1 + row % papers}\t{1 + (row * 7 + 1 + row // papers) % papers}\n"
                                     for row in range(citations)).encode()


TEXTS = {"cora.tgz": (cora, "2708 made-up publications")}  # {name: (its files, what they are)}


def picture(size, what, end):
    from PIL import Image

    if what is PICTURE:
        made = Image.new("RGB", size, what)
    else:
        made = Image.new("L", size)
        for number in what[1:]:
            made.paste(number, (size[0] * number // len(what), 0, size[0] * number // len(what) + size[0] // 8, size[1]))
    file = io.BytesIO()
    made.save(file, FORMATS[end])
    return file.getvalue()


def files(name):
    """(path, contents) of each file in it."""
    if name in TEXTS:
        yield from TEXTS[name][0]()
        return
    size, layout = ARCHIVES[name]
    for pattern, (count, what) in layout.items():
        body = what.encode() if isinstance(what, str) else picture(size, what, os.path.splitext(pattern)[1])
        for number in range(1, count + 1):
            yield pattern.format(number), body


def made_up(address):
    """The archive that stands at an address; None for names that are not known."""
    name = os.path.basename(urllib.parse.urlparse(address).path)
    if name not in ARCHIVES and name not in TEXTS:
        return None
    archive = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(archive, "w") as to:
            for path, body in files(name):
                to.writestr(path, body)
    else:
        with tarfile.open(fileobj=archive, mode="w:gz") as to:
            for path, body in files(name):
                about = tarfile.TarInfo(path)
                about.size = len(body)
                to.addfile(about, io.BytesIO(body))
    if name in TEXTS:
        card.left_out.add(f"the archive {address}, which could not be reached: {TEXTS[name][1]}")
    else:
        card.left_out.add(f"the pictures {address}, which could not be reached: as many of {{}} x {{}}".format(*ARCHIVES[name][0]))
    return archive.getvalue()
