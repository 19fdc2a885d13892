#!/usr/bin/env python3
"""Prints the keys that a tool takes, read from its sources without running them.

Usage: tool_keys.py SOURCE... where SOURCE is FILE.py[:Class,Class...]. Fields of the named classes
(all classes where none is named) and the flags of every add_argument call, one a line. The lists
"keys" of profiles/formats were made so; their "sources" name the files and the commits.
"""
import ast
import sys


def keys_of(path, classes):
    tree = ast.parse(open(path, encoding="utf-8").read())
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and (not classes or node.name in classes):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    yield field.target.id
        if isinstance(node, ast.Call) and not classes:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("add_argument", "option", "Option"):
                for word in node.args:
                    if isinstance(word, ast.Constant) and isinstance(word.value, str) and word.value.startswith("-"):
                        yield word.value.lstrip("-")


def main():
    found = set()
    for source in sys.argv[1:]:
        path, _, classes = source.partition(":")
        found.update(keys_of(path, set(filter(None, classes.split(",")))))
    print("\n".join(sorted(k for k in found if not k.startswith("_") and k != "model_config")))


if __name__ == "__main__":
    main()
