#!/usr/bin/env python3
"""Prints the tables of docs/accuracy.md and README.md from the program's own predictions of the evidence.

    accuracy_tables.py PROGRAM [--write]     from the root of the repository; --write: into the documents

Groups of near-duplicate rows count once. Groups that a figure was fitted on stand apart: their errors say
how well the figure fits, not how well the program predicts. Groups whose mean error is above a quarter
are named with the cause that we suspect (CAUSES).
"""
import collections
import json
import math
import pathlib
import subprocess
import sys

FILES = ["memory", "train_time", "first_look", "inference", "transformers", "serving", "gemm", "unseen_kernels", "unseen_kernels3",
         "unseen_kernels4", "collective"]
NAMES = {"memory": "peak memory", "train_time": "training step", "gemm": "matrix products",
         "bandwidth": "memory streams", "collective": "collectives", "decode": "decode, batch 1",
         "tpot_s": "time per token under load", "ttft_s": "first token", "tokens_per_s": "throughput",
         "burst": "hundreds of requests at once"}
NETWORKS = ["vision", "vision2", "diffusion", "recurrent", "speech", "recommender", "unseen_networks", "unseen_networks3",
            "unseen_networks4", "hpc"]
FAMILIES = ["vision", "diffusion", "adversarial", "recurrent", "speech", "encoder", "recommender"]
NAMES |= {family: family for family in FAMILIES} | {"hpc": "scientific kernels"}
ORDER = list(NAMES)
FAR = 0.25
MARK = "accuracy"
NETWORK_MARK = "networks"
# beginning of a group's name, words that must be in it, what we suspect
CAUSES = json.loads((pathlib.Path(__file__).parent / "causes.json").read_text())


def rows_of(program, files=FILES):
    """[(quantity, framework, part, group, fitted, x, inside)], x = ln(predicted / measured), rates as they are."""
    out = []
    for file in files:
        path = f"tests/evidence/{file}.json"
        answer = json.loads(subprocess.run([program, "validate", path, "--json"], capture_output=True, check=True).stdout)
        evidence = {r["id"]: r for r in json.loads(pathlib.Path(path).read_text())["rows"]}
        seen = {row["group"] for row in evidence.values() if row.get("fitted_on")}
        for r in answer["rows"]:
            if r["predicted"] <= 0 or r["measured"] <= 0:
                continue
            row = evidence[r["id"]]
            x = math.log(r["predicted"] / r["measured"])
            quantity = r["quantity"]
            if quantity == "inference":
                serving = row["workload"].get("serving") or {}
                single = serving.get("phase") == "decode" and (serving.get("concurrency") or 1) == 1
                quantity = "decode" if single else "burst" if serving.get("burst") else r["metric"]
            elif file in NETWORKS and file != "hpc":
                if r["metric"] == "peak_memory_gib":
                    continue
                quantity = r["kind"].split("/")[1]  # the family
            framework = (row["workload"].get("software") or {}).get("framework") or "not named"
            out.append((quantity, framework.split("@")[0], row["hardware"]["accelerator"], row["group"],
                        row["group"] in seen, x, r["low"] <= r["measured"] <= r["high"]))
    return out


def figures(rows):
    """(groups, median, p90, bias, share inside); each group weighs one."""
    sizes = collections.Counter((r[0], r[3]) for r in rows)
    errors = sorted((abs(math.expm1(r[5])), 1 / sizes[r[0], r[3]], r) for r in rows)
    total = sum(w for _, w, _ in errors)

    def quantile(share):
        run = 0.0
        for error, weight, _ in errors:
            run += weight
            if run >= share * total - 1e-12:
                return error
        return errors[-1][0]

    bias = math.expm1(sum(w * r[5] for _, w, r in errors) / total)
    inside = sum(w for _, w, r in errors if r[6]) / total
    return len(sizes), quantile(0.5), quantile(0.9), bias, inside


def line(cells, rows):
    groups, median, p90, bias, inside = figures(rows)
    return "| " + " | ".join(cells + [f"{len(rows):,}", str(groups), f"{median:.1%}".replace("%", " %"),
                                      f"{p90:.1%}".replace("%", " %"), f"{bias:+.1%}".replace("%", " %"),
                                      f"{inside:.0%}".replace("%", " %")]) + " |"


def table(title, names, rows, key):
    found = collections.defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    out = [title, "", "| " + " | ".join(names + ["rows", "groups", "median error", "9 in 10 within", "bias", "inside the range"]) + " |",
           "| " + " | ".join(["---"] * len(names) + ["---:"] * 6) + " |"]
    for cells in sorted(found, key=lambda c: (ORDER.index(c[0]), c[1:])):
        out.append(line([NAMES[cells[0]], *cells[1:]], found[cells]))
    return out + [""]


def cause_of(quantity, group):
    for entry in CAUSES:
        if entry["quantity"] in ("", quantity) and all(word in group for word in entry["words"]):
            return entry["cause"]
    return "not known"


def far_groups(rows):
    """Scored groups whose mean error is above FAR, those of one cause in one line."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row[0], row[3]].append(row[5])
    causes = collections.defaultdict(list)
    for (quantity, group), xs in groups.items():
        mean = sum(xs) / len(xs)
        if abs(math.expm1(mean)) > FAR:
            causes[quantity, cause_of(quantity, group)].append((mean, group))
    out = ["Groups that nothing was fitted on and whose mean error is above a quarter (of a rate or of a time), with the cause that we suspect:", "",
           "| quantity | groups | error | suspected cause |", "| --- | --- | ---: | --- |"]
    for (quantity, cause), found in sorted(causes.items(), key=lambda item: ORDER.index(item[0][0])):
        low, high = (f"{math.expm1(f([m for m, _ in found])):+.0%}".replace("%", " %") for f in (min, max))
        names = sorted({g.replace("|", "/") for _, g in found})
        shown = ", ".join(f"`{n}`" for n in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        out.append(f"| {NAMES[quantity]} | {shown} | {low if low == high else low + ' to ' + high} | {cause} |")
    return out + [""]


def short_table(rows):
    """The table of README.md: scored groups by quantity, all figures of serving together."""
    names = {"memory": "peak memory", "train_time": "training step time", "inference": "serving",
             "gemm": "matrix products", "collective": "collectives"}
    found = collections.defaultdict(list)
    for row in rows:
        served = row[0] in ("decode", "tpot_s", "ttft_s", "tokens_per_s")
        found["inference" if served else row[0]].append(("inference", *row[1:]) if served else row)
    out = ["| quantity | scored rows | median error | 9 in 10 within | inside the range |", "| --- | ---: | ---: | ---: | ---: |"]
    for quantity, name in names.items():
        if quantity in found:
            _, median, p90, _, inside = figures(found[quantity])
            cells = [name, f"{len(found[quantity]):,}"] + [f"{v:.1%}".replace("%", " %") for v in (median, p90)]
            out.append("| " + " | ".join(cells + [f"{inside:.0%}".replace("%", " %")]) + " |")
    return out + [""]


def network_tables(program):
    """Times of other networks and of scientific kernels."""
    rows = [r for r in rows_of(program, NETWORKS) if not r[4]]
    out = table("Groups that nothing was fitted on:", ["family"], rows, lambda r: (r[0],))
    stacks = [r for r in rows if r[0] != "hpc"]
    return out + table("By framework:", ["family", "framework"], stacks, lambda r: (r[0], r[1]))


def put(path, lines, mark=MARK):
    """Between the marks of a document."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    head, rest = pathlib.Path(path).read_text().split(begin)
    pathlib.Path(path).write_text(head + begin + "\n" + "\n".join(lines) + end + rest.split(end)[1])


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    rows = rows_of(sys.argv[1])
    scored = [r for r in rows if not r[4]]
    fitted = [r for r in rows if r[4]]
    out = table("Groups that nothing was fitted on:", ["quantity"], scored, lambda r: (r[0],))
    out += table("Groups that a figure of the calibration was fitted on:", ["quantity"], fitted, lambda r: (r[0],))
    runs = [r for r in scored if r[0] not in ("gemm", "bandwidth", "collective")]
    out += table("The first of these by framework:", ["quantity", "framework"], runs, lambda r: (r[0], r[1]))
    out += table("And by part:", ["quantity", "part"], scored, lambda r: (r[0], r[2]))
    out += far_groups(scored)
    networks = network_tables(sys.argv[1])
    if "--write" not in sys.argv[2:]:
        print("\n".join(out + networks))
        return
    put("docs/accuracy.md", networks, NETWORK_MARK)
    put("docs/accuracy.md", out)
    put("README.md", short_table(scored))


if __name__ == "__main__":
    main()
