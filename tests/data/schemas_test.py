#!/usr/bin/env python3
"""Checks shipped JSON files against the shipped schemas; argument: the root of the repository.

Exit 0: all valid (or the jsonschema package is missing, which is said); 1: the first errors.
"""
import json
import pathlib
import sys

# (schema, files, how to get the documents out of a file)
PAIRS = [
    ("profiles/schema/model.schema.json", "profiles/models/*.json", lambda d: [d]),
    ("profiles/schema/workload.schema.json", "examples/**/workload*.json", lambda d: [d]),
    (
        "profiles/schema/workload.schema.json",
        "tests/evidence/*.json",
        lambda d: [row["workload"] for row in d["rows"]],
    ),
]


def main() -> int:
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is not installed: schemas not checked")
        return 0
    root = pathlib.Path(sys.argv[1])
    errors = []
    for schema_name, pattern, documents in PAIRS:
        schema = json.loads((root / schema_name).read_text())
        validator = jsonschema.Draft202012Validator(schema)
        validator.check_schema(schema)
        for file in sorted(root.glob(pattern)):
            for document in documents(json.loads(file.read_text())):
                for error in validator.iter_errors(document):
                    path = "/".join(str(part) for part in error.path)
                    errors.append(f"{file.relative_to(root)}: /{path}: {error.message[:160]}")
    for line in errors[:20]:
        print(line)
    print(f"{len(errors)} schema errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
