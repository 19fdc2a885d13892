#!/usr/bin/env python3
"""Checks every file of catalog/ and profiles/ against its JSON Schema.

Usage: schema_test.py SOURCE_FOLDER. Exit codes: 0 all right, 1 something is wrong, 77 skipped.
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed (apt-get install python3-jsonschema)")
    sys.exit(77)

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
wrong = []


def schema(path):
    """The validator of one schema file, itself checked."""
    document = json.loads((root / path).read_text())
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def check(validator, files):
    """Validates files; a group without any is an error."""
    files = sorted(files)
    if not files:
        wrong.append(f"no file for {validator.schema['$id']}")
    for file in files:
        for error in validator.iter_errors(json.loads(file.read_text())):
            place = "/".join(str(step) for step in error.absolute_path)
            wrong.append(f"{file.relative_to(root)}: /{place}: {error.message[:200]}")
    return len(files)


catalog = root / "catalog"
profiles = root / "profiles"
checked = 0
for name in ("catalog", "links", "storage", "sources"):
    checked += check(schema(f"catalog/schema/{name}.schema.json"), [catalog / f"{name}.json"])
for name, file in (("ownership", "ownership"), ("price-claims", "price_claims")):
    checked += check(schema(f"catalog/schema/{name}.schema.json"), [catalog / f"{file}.json"])
for name, folder in (("accelerator", "accelerators"), ("machine", "machines"), ("offers", "offers")):
    checked += check(schema(f"catalog/schema/{name}.schema.json"), (catalog / folder).glob("*.json"))
for name, folder in (("software-profile", "software"), ("workload-profile", "workloads"),
                     ("calibration", "calibration"), ("model", "models"), ("format", "formats")):
    checked += check(schema(f"profiles/schema/{name}.schema.json"),
                     (profiles / folder).glob("*.json"))

# Every measured row holds a workload document.
workload = schema("profiles/schema/workload.schema.json")
for file in sorted((root / "tests/evidence").glob("*.json")):
    for row in json.loads(file.read_text())["rows"]:
        for error in workload.iter_errors(row["workload"]):
            place = "/".join(str(step) for step in error.absolute_path)
            wrong.append(f"{file.name}: {row['id']}: /{place}: {error.message[:200]}")
    checked += 1


def keys_of(document):
    """Every property name of a schema, at any depth."""
    names = set()
    if isinstance(document, dict):
        for name, value in document.items():
            if name == "properties":
                names |= set(value)
            names |= keys_of(value)
    elif isinstance(document, list):
        for value in document:
            names |= keys_of(value)
    return names


# A reader and its schema know the same keys.
for name, sources in (("software-profile", ["load_software", "software_parts"]),
                      ("calibration", ["load_calibration", "load_measurement"])):
    path = f"profiles/schema/{name}.schema.json"
    listed = keys_of(json.loads((root / path).read_text()))
    reader = "".join((root / f"src/data/{source}.cpp").read_text() for source in sources)
    known = set(re.findall(r'(?:members|document|object|root|row|entry|head|time|fits)(?:\.|->)'
                           r'\w+(?:<\w+>)?\(\s*"(\w+)"', reader))
    known |= set(re.findall(r'read_(?:part|words|version)\(\s*\w+,\s*"(\w+)"', reader))
    known |= set(re.findall(r'named<\w+>\(row, "(\w+)"', reader))
    known |= set(re.findall(r'read_all\("(\w+)"', reader))
    known |= set(re.findall(r'read_interval\(row, "(\w+)"', reader))
    known.add("schema")
    for key in sorted(known - listed):
        wrong.append(f"{path}: lacks {key}, which the reader takes")
    for key in sorted(listed - known):
        wrong.append(f"{path}: lists {key}, which the reader refuses")

# A schema that accepts anything checks nothing: a wrong entry must be refused.
entry = json.loads((catalog / "accelerators/l4.json").read_text())
validator = schema("catalog/schema/accelerator.schema.json")
for change in ({"memory": {"marketed_gb": "24 GB", "bandwidth_gb_per_s": 300}}, {"kind": "gpus"},
               {"bandwidth_tb_s": 0.3}, {"year": -1}):
    if validator.is_valid({**entry, **change}):
        wrong.append(f"accelerator.schema.json accepts {change}")

for line in wrong:
    print(line)
print(f"{checked} files checked, {len(wrong)} wrong")
sys.exit(1 if wrong else 0)
