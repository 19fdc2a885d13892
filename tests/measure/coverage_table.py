"""How many left-out groups the ranges of make_ranges.py hold, by class of prediction."""
import collections
import math
import statistics


def shares(judged):
    """(groups, share inside, middle width) of rows, each group weighing one."""
    weight = sum(w for _, w, _, _ in judged)
    middle = statistics.median(width for _, _, _, width in judged)
    return weight, sum(w * inside for _, w, inside, _ in judged) / weight, math.exp(middle)


CLASSES = {"memory": lambda p: "peak memory", "train_time": lambda p: f"training step, {p[0]}",
           "inference": lambda p: {"tpot": "time per token", "ttft": "first token"}.get(p[2], "decode, batch 1" if p[0] == "decode" else "throughput"),
           "gemm": lambda p: "matrix products", "bandwidth": lambda p: "memory streams", "collective": lambda p: "collectives"}


def coverage_table(tables):
    """Of docs/accuracy.md: classes of predictions with their own group, and their part, left out."""
    out = ["| quantity | groups | inside, own group left out | high / low | inside, its part left out | high / low |",
           "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for quantity, name_of in CLASSES.items():
        classes = collections.defaultdict(lambda: ([], []))
        for level, judged in tables[quantity].items():
            for row in judged if level != "stack unseen" else []:
                classes[name_of(row[0])][level == "part unseen"].append(row)
        for name, (known, unseen) in classes.items():
            cells = [name]
            for judged, first in ((known, True), (unseen, False)):
                weight, inside, width = shares(judged) if judged else (0, None, None)
                cells += [f"{weight:.0f}"] * first + ["" if inside is None else f"{inside:.0%}".replace("%", " %"),
                                                      "" if width is None else f"{width:.2f}"]
            out.append("| " + " | ".join(cells) + " |")
    return out + [""]
