#!/usr/bin/env python3
"""Makes profiles/calibration/residuals-*.json: the factors low and high of each kind of prediction.

    make_ranges.py PROGRAM [--report]     from the root of the repository; --report: coverage alone

Each published row is predicted (`validate --json`), and x = ln(measured / predicted). Kinds of rows form
a tree (LEVELS below: method, then framework, ... then part); a prediction is judged by the deepest kind
that evidence has seen, so that an unseen part, stack or method falls back to a wider one.

Middle and spread of a kind: a normal hierarchical model. A kind of n groups takes its mean and variance
from its own groups and from those of its parent, which count as much as PRIOR groups. Groups of
near-duplicate rows count once.

Width: conformal (Lei et al. 2018, "Distribution-free predictive inference for regression", scores scaled
by the spread; Dunn, Wasserman and Ramdas 2023, "Distribution-free prediction sets for two-layer
hierarchical models", one group left out at a time). The score of a row is its distance from the middle
that the others give, over their spread. For the deepest kind the row's own group is left out; for each
wider kind all rows are left out that share the row's value of what that kind does not know (its part, its
framework, ...), so that its width is that of something never seen. The range reaches from the lower to
the upper quantile of those scores.

Rows that carry `fitted_on` speak only as far as the fit was free of them: a fit with p parameters on n
rows leaves residuals e behind, and would have missed a row by e / (1 - p / n) had it been left out (the
mean leverage of a regression; Allen 1974, the PRESS residual). FITS names p and what counts as n; rows of
a fit that is not named there, or whose p reaches half of n, are left out. They are never scored.
"""
import collections
import json
import math
import pathlib
import subprocess
import sys

PRIOR = 3          # groups that a parent's mean and variance are worth
INSIDE = 0.92      # aimed at on left-out groups: development rows were looked at, others will lie further off
INSIDE_OF = {"memory": 0.90}  # its high end decides whether a run fits barely: nine in ten, no more
LEAST_SPREAD = 0.01
LEAST_GROUPS = 2   # of a kind that gets a row of its own

# beginning of `fitted_on` -> (parameters, what they were fitted on: all groups, or the rows of one kind)
FITS = {
    "products of ": (5, "kind"),       # rates of units and memory, fixed time, exponent, share of waves
    "collectives of ": (3, "group"),   # latency, rate, square-root term, for each number of ranks
    "all-reduce of ": (3, "group"),
    "host times and kernel gap of ": (4, "groups"),  # gap, step, request, own all-reduce
    "kernel gap and host time of gpt-fast": (2, "groups"),
    "kernels, memory and prompt rates of llama.cpp": (9, "groups"),
    "memory rates": (0, "part"),       # one a part: left out, the median of all parts speaks
}
NETWORKS = ["vision", "vision2", "diffusion", "recurrent", "recommender"]
FAMILIES = {"vision", "diffusion", "adversarial", "recurrent", "speech", "encoder", "recommender"}

# quantity -> (files, names of the pieces of a kind, positions of each level of the tree from the root on)
QUANTITIES = {
    "memory": (["memory"], ["method", "framework", "counter"], [(), (0,), (0, 1), (0, 1, 2)]),
    "train_time": (["train_time"], ["method", "framework", "experts", "architecture", "part"],
                   [(), (0,), (0, 1), (0, 1, 2, 3), (0, 1, 2, 3, 4)]),
    "inference": (["inference"], ["phase", "framework", "figure", "part"],
                  [(), (0,), (0, 2), (0, 1, 2), (0, 1, 2, 3)]),
    "gemm": (["gemm"], ["type", "part"], [(), (0,), (0, 1)]),
    "bandwidth": (["gemm"], ["operation", "part"], [(), (1,)]),
    "collective": (["collective"], ["operation", "part"], [(), (0,), (0, 1)]),
    "hpc": (["hpc"], ["operation", "part"], [(), (0,), (0, 1)]),
    "networks": (NETWORKS, ["task", "family", "framework", "architecture", "part"],
                 [(), (1,), (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4)]),
}
FILES = {"memory": "memory", "train_time": "training", "inference": "inference",
         "gemm": "kernels", "bandwidth": "kernels", "collective": "kernels",
         "hpc": "science", "networks": "networks"}
RATES = ("_per_s", "mlups", "ns_per_day")


def belongs(row, quantity):
    """Whether a prediction is one of that quantity: times of networks are told apart by the kind of it."""
    if quantity != "networks":
        return row["quantity"] == quantity
    pieces = row["kind"].split("/")
    return row["metric"] != "peak_memory_gib" and len(pieces) > 1 and pieces[1] in FAMILIES


def stream_rates():
    """Share of the memory's peak that streams reach, by part; the key "" holds that of any part."""
    rows = json.loads(pathlib.Path("profiles/calibration/operators.json").read_text())["kernels"]
    return {r.get("accelerator", ""): r["bandwidth_fraction"] for r in rows if r["operator_class"] == "streaming"}


class Fits:
    """What leaving a fitted row out of its fit would have done to its error."""

    def __init__(self, rows):
        self.groups = collections.defaultdict(set)
        self.kinds = collections.Counter()
        self.sizes = collections.Counter()
        for row, pieces in rows:
            fit = row.get("fitted_on")
            if fit:
                self.groups[fit].add(row["group"])
                self.kinds[fit, pieces] += 1
                self.sizes[fit, row["group"]] += 1
        self.rates = stream_rates()

    def left_out(self, row, pieces, x):
        """x of the row as the fit without it would have left it; None where nothing can be said."""
        fit = row.get("fitted_on")
        if not fit:
            return x
        known = [v for k, v in FITS.items() if fit.startswith(k)]
        if not known:
            return None
        parameters, on = known[0]
        if on == "part":
            any_part = self.rates[""]
            return x - math.log(self.rates.get(row["hardware"]["accelerator"], any_part) / any_part)
        counts = {"groups": len(self.groups[fit]), "kind": self.kinds[fit, pieces], "group": self.sizes[fit, row["group"]]}
        leverage = parameters / counts[on]
        return x / (1 - leverage) if leverage < 0.5 else None


def rows_of(program, quantity):
    """[(pieces, group, x, own)] of all rows of a quantity that are predicted, as if nothing was fitted on
    them. own: the error where the kind knows the part that a figure was fitted on."""
    files, names, _ = QUANTITIES[quantity]
    out, found = [], []
    for file in files:
        path = f"tests/evidence/{file}.json"
        answer = json.loads(subprocess.run([program, "validate", path, "--json"], capture_output=True, check=True).stdout)
        predictions = {(r["id"], r["metric"]): r for r in answer["rows"] if belongs(r, quantity)}
        evidence = {r["id"]: r for r in json.loads(pathlib.Path(path).read_text())["rows"]}
        for (id_, metric), predicted in predictions.items():
            row = evidence[id_]
            if predicted["predicted"] <= 0 or predicted["measured"] <= 0:
                continue
            x = math.log(predicted["measured"] / predicted["predicted"])
            if metric.endswith(RATES):
                x = -x  # ranges are factors on times
            pieces = predicted["kind"].split("/")
            if len(pieces) != len(names):
                raise SystemExit(f"{id_}: kind {predicted['kind']!r}, expected {'/'.join(names)}")
            found.append((row, tuple(pieces), x))
    fits = Fits([(row, pieces) for row, pieces, _ in found])
    for row, pieces, x in found:
        left_out = fits.left_out(row, pieces, x)
        if left_out is not None:
            by_part = (row.get("fitted_on") or "").startswith("memory rates")
            out.append((pieces, row["group"], left_out, x if by_part else left_out))
    return out


class Sums:
    """Mean and variance of groups, each group with the mean of its rows and weight one."""

    def __init__(self):
        self.groups = collections.defaultdict(lambda: [0, 0.0, 0.0])

    def add(self, group, x):
        entry = self.groups[group]
        entry[0] += 1
        entry[1] += x
        entry[2] += x * x

    def moments(self, leave=None):
        """(groups, mean, second moment about it), the groups in `leave` left out."""
        kept = [e for g, e in self.groups.items() if not leave or g not in leave]
        n = len(kept)
        if n == 0:
            return 0, 0.0, 0.0
        mean = sum(e[1] / e[0] for e in kept) / n
        second = sum((e[2] - 2 * mean * e[1] + e[0] * mean * mean) / e[0] for e in kept) / n
        return n, mean, second


def shrunk(path, leave=None):
    """Mean and spread at the end of a path of Sums from the root on, each level shrunk to the one before."""
    n, mean, variance = path[0].moments(leave)
    variance = max(variance, LEAST_SPREAD**2)
    for sums in path[1:]:
        n, own_mean, own_second = sums.moments(leave)
        if n == 0:
            break
        new_mean = (n * own_mean + PRIOR * mean) / (n + PRIOR)
        about = own_second + (own_mean - new_mean) ** 2
        variance = (n * about + PRIOR * variance) / (n + PRIOR)
        mean = new_mean
        variance = max(variance, LEAST_SPREAD**2)
    return mean, math.sqrt(variance)


def quantile(scores, share):
    """The least score that at least `share` of the weight does not exceed."""
    scores = sorted(scores)
    wanted = share * sum(w for _, w in scores)
    run = 0.0
    for s, w in scores:
        run += w
        if run >= wanted - 1e-12:
            return s
    return scores[-1][0]


class Tree:
    """The kinds of one quantity."""

    def __init__(self, quantity, rows):
        self.quantity = quantity
        self.names, self.levels = QUANTITIES[quantity][1:]
        self.rows = rows
        self.sums = [collections.defaultdict(Sums) for _ in self.levels]
        self.sizes = collections.Counter(g for _, g, _, _ in rows)
        for pieces, group, x, own in rows:
            for level in range(len(self.levels)):
                deepest = level == len(self.levels) - 1
                self.sums[level][self.key(pieces, level)].add(group, own if deepest else x)
        self.factors = [self.scores_at(level) for level in range(len(self.levels))]
        # What is less known is not judged more sharply.
        for level in range(len(self.levels) - 2, -1, -1):
            own, deeper = self.factors[level] or (0, 0), self.factors[level + 1]
            self.factors[level] = min(own[0], deeper[0]), max(own[1], deeper[1])

    def key(self, pieces, level):
        return tuple(pieces[i] for i in self.levels[level])

    def path(self, pieces, level):
        return [self.sums[i][self.key(pieces, i)] for i in range(level + 1)]

    def left_out(self, pieces, group, level):
        """Groups that must not speak for a row when it is judged by the kind at `level`."""
        if level == len(self.levels) - 1:
            return {group}
        unknown = [i for i in self.levels[level + 1] if i not in self.levels[level]]
        return self.sharing(tuple((i, pieces[i]) for i in unknown)) | {group}

    def sharing(self, values):
        cache = self.__dict__.setdefault("_sharing", {})
        if values not in cache:
            cache[values] = {g for p, g, _, _ in self.rows if all(p[i] == v for i, v in values)}
        return cache[values]

    def scores_at(self, level):
        """(lower, upper) quantiles of the scores of rows judged by the kinds at `level`."""
        scores = []
        for pieces, group, wide, own in self.rows:
            x = own if level == len(self.levels) - 1 else wide
            leave = self.left_out(pieces, group, level)
            path = self.path(pieces, level)
            if path[0].moments(leave)[0] < 2 or (level and path[level].moments(leave)[0] == 0):
                continue
            mean, spread = shrunk(path, leave)
            scores.append(((x - mean) / spread, 1 / self.sizes[group]))
        if not scores:
            return None
        side = (1 + INSIDE_OF.get(self.quantity, INSIDE)) / 2
        low = -quantile([(-s, w) for s, w in scores], side)
        return min(low, -0.5), max(quantile(scores, side), 0.5)

    def band(self, pieces, level, leave=None):
        mean, spread = shrunk(self.path(pieces, level), leave)
        low, high = self.factors[level]
        return math.exp(mean + low * spread), math.exp(mean + high * spread)

    def deepest(self, pieces, leave=None):
        for level in range(len(self.levels) - 1, 0, -1):
            if self.sums[level][self.key(pieces, level)].moments(leave)[0] >= LEAST_GROUPS:
                return level
        return 0

    def coverage(self):
        """Share of rows (by group) inside when their own group is left out, by the level that judges them."""
        table = collections.defaultdict(lambda: [0.0, 0.0])
        for pieces, group, wide, own in self.rows:
            level = self.deepest(pieces, {group})
            x = own if level == len(self.levels) - 1 else wide
            low, high = self.band(pieces, level, {group})
            weight = 1 / self.sizes[group]
            table[level][0] += weight
            table[level][1] += weight * (low <= math.exp(x) <= high)
        return table

    def document(self, quantity):
        """The rows of the calibration file, widest kinds first."""
        out, seen = [], set()
        for level, positions in enumerate(self.levels):
            for pieces, _, _, _ in sorted(self.rows):
                key = (level, self.key(pieces, level))
                n = self.sums[level][key[1]].moments()[0]
                if key in seen or (level and n < LEAST_GROUPS):
                    continue
                seen.add(key)
                low, high = self.band(pieces, level)
                kind = "/".join(pieces[i] if i in positions else "*" for i in range(max(positions) + 1)) if positions else ""
                rows = sum(e[0] for e in self.sums[level][key[1]].groups.values())
                files = ", ".join(f"tests/evidence/{f}.json" for f in QUANTITIES[quantity][0])
                out.append({"quantity": quantity, "kind": kind, "low": round(low, 3), "high": round(high, 3), "rows": rows,
                            "source": f"{files}: {n} groups, one left out at a time (tests/measure/make_ranges.py)"})
        return out


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    program, report = sys.argv[1], "--report" in sys.argv[2:]
    files = collections.defaultdict(list)
    for quantity in QUANTITIES:
        rows = rows_of(program, quantity)
        tree = Tree(quantity, rows)
        for level, (weight, inside) in sorted(tree.coverage().items()):
            known = ", ".join(tree.names[i] for i in tree.levels[level]) or "nothing"
            print(f"{quantity:10}  {known:52} {weight:6.0f} groups  inside {inside / weight:5.1%}")
        files[FILES[quantity]] += tree.document(quantity)
    if report:
        return
    for name, rows in files.items():
        text = ",\n    ".join(json.dumps(r) for r in rows)
        pathlib.Path(f"profiles/calibration/residuals-{name}.json").write_text(
            '{\n  "schema": "ridgeline/calibration/1",\n  "note": "Made by tests/measure/make_ranges.py: measured over predicted '
            'of published rows, groups left out; the deepest kind that matches wins.",\n  "residuals": [\n    ' + text + "\n  ]\n}\n")


if __name__ == "__main__":
    main()
