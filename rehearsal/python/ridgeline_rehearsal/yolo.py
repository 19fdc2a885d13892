"""Checkpoints of Ultralytics by their names (`YOLO("yolo11n.pt")`), where they cannot be reached: the network that the
package itself describes by that name, with the weights that it was made with."""

import pathlib
import re
import sys

from . import card

TASKS = {None: "DetectionModel", "seg": "SegmentationModel", "cls": "ClassificationModel", "pose": "PoseModel", "obb": "OBBModel"}
NAMED = re.compile(r"((?:yolo|rtdetr)[\w-]*?)u?(?:-(seg|cls|pose|obb))?\.pt")
ASKED_ASIDE = "check_amp"  # a test on another network, which the package leaves out without a network


def described(module, name):
    """The network of that name; None where the package has none."""
    found = NAMED.fullmatch(name)
    if not found:
        return None
    kind = "RTDETRDetectionModel" if name.startswith("rtdetr") else TASKS[found.group(2)]
    task = f"-{found.group(2)}" if found.group(2) else ""
    try:
        return getattr(module, kind)(f"{found.group(1)}{task}.yaml", verbose=False)
    except (AttributeError, FileNotFoundError):
        return None


def asked_by(name):
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != name:
        frame = frame.f_back
    return frame is not None


def attach(module):
    """`module` is ultralytics.nn.tasks."""
    load = module.torch_safe_load

    def load_or_build(weight, *arguments, **named):
        try:
            return load(weight, *arguments, **named)
        except (ConnectionError, FileNotFoundError):
            name = pathlib.Path(str(weight)).name
            model = None if asked_by(ASKED_ASIDE) else described(module, name)
            if model is None:
                raise
        card.left_out.add(f"the weights {name}, which could not be reached")
        # What a checkpoint says that it was trained for goes before the package's own default, which is boxes.
        return {"model": model, "train_args": {"task": module.guess_model_task(model)}}, str(weight)

    module.torch_safe_load = load_or_build
