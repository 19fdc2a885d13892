"""What the program would predict of rows whose part nobody had measured: for each part its calibration is
taken away, and what was carried over from it to its chip and its architecture (make_ranges.py)."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile


class Catalog:
    """Which chip and architecture a part is of."""

    def __init__(self):
        parts = [json.loads(p.read_text()) for p in pathlib.Path("catalog/accelerators").glob("*.json")]
        self.of = {p["id"]: (p.get("chip"), p.get("architecture")) for p in parts}


CLASS = ("operator_class", "compute", "training")
FIGURES = ("compute_fraction", "bandwidth_fraction", "overhead_us", "matrix_rate")


def without(rows, part, catalog):
    """Rows of a calibration without those of a part. Those of its chip and its architecture that were
    carried over from it are another part's of the same, where there is one."""
    def figures(r):
        return tuple(r.get(f) for f in CLASS + FIGURES)

    own = {figures(r) for r in rows if r.get("accelerator") == part}
    out = []
    for r in rows:
        near = [(i, scope) for i, scope in enumerate(("chip", "architecture")) if r.get(scope)]
        if r.get("accelerator") == part:
            continue
        if near and figures(r) in own:
            i, scope = near[0]
            heirs = [h for h in rows if h.get("accelerator", part) != part and [h.get(f) for f in CLASS] == [r.get(f) for f in CLASS]
                     and catalog.of.get(h["accelerator"], (None, None))[i] == r[scope]]
            if not heirs:
                continue
            r = {k: v for k, v in heirs[0].items() if k != "accelerator"} | {scope: r[scope]}
        out.append(r)
    return out


def strip(folder, part, catalog):
    """Takes the calibration of a part out of a copy of profiles/."""
    for path in (folder / "calibration").glob("*.json"):
        document = json.loads(path.read_text())
        for key, rows in document.items():
            if isinstance(rows, list) and key != "residuals":
                document[key] = without(rows, part, catalog)
        path.write_text(json.dumps(document))


def validated(program, path, profiles=None):
    """{(id, metric): what validate says of a row}"""
    environment = dict(os.environ, XDG_CONFIG_HOME="/nonexistent")
    if profiles:
        environment["RIDGELINE_PROFILES"] = str(profiles)
    answer = subprocess.run([program, "validate", path, "--json"], capture_output=True, check=True, env=environment)
    return {(r["id"], r["metric"]): r for r in json.loads(answer.stdout)["rows"]}


def part_of(row):
    return row["hardware"]["accelerator"]


def carried_over(program, files):
    """{(id, metric): the prediction without the calibration of the row's part}"""
    out, catalog = {}, Catalog()
    with tempfile.TemporaryDirectory() as place:
        evidence = {file: json.loads(pathlib.Path(f"tests/evidence/{file}.json").read_text()) for file in files}
        of_part = pathlib.Path(place) / "rows.json"
        for part in sorted({part_of(row) for document in evidence.values() for row in document["rows"]}):
            folder = pathlib.Path(place) / part
            shutil.copytree("profiles", folder)
            strip(folder, part, catalog)
            for document in evidence.values():
                rows = [row for row in document["rows"] if part_of(row) == part]
                if rows:
                    of_part.write_text(json.dumps(document | {"rows": rows}))
                    out |= {key: r["predicted"] for key, r in validated(program, of_part, folder).items()}
    return out
