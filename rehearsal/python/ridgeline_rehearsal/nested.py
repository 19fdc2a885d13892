"""Columns of which each row has parts by name, as a script takes them apart: `row["passages"]["text"]`, or through a
variable, `for query, found in zip(rows["query"], rows["passages"]): found["text"][0]`."""

import ast
import re

PASSAGES, WORDS_OF_ONE = 10, 50  # of a part that is a list (assumed: what a search engine finds on its first page)
TURNS = 2  # of a column that is a list of such (assumed)
BATCHES = re.compile(r"batch|examples|samples|rows|data|split")  # variables that hold more than one row


def word_in(node):
    """The word between the brackets of `it["word"]`; None for another node."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.ctx, ast.Load)):
        return None
    return node.slice.value if isinstance(node.slice.value, str) else None


def taken_from(node):
    """Pairs of a variable and what it goes through, in a loop or a comprehension, or what it is, in an assignment."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return [(node.targets[0], node.value)]
    if not isinstance(node, (ast.For, ast.comprehension)):
        return []
    target, source = node.target, node.iter
    called = getattr(getattr(source, "func", None), "id", "")
    if called == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2 and source.args:
        target, source = target.elts[1], source.args[0]
        called = getattr(getattr(source, "func", None), "id", "")
    if called == "zip" and isinstance(target, ast.Tuple):
        return list(zip(target.elts, source.args))
    return [(target, source)]


def lists_in(trees):
    """Nodes that a script goes through or takes one of by its number."""
    found = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        found.update(id(source) for _, source in taken_from(node) if not isinstance(node, ast.Assign))
        if isinstance(node, ast.Subscript) and not word_in(node):
            found.add(id(node.value))
    return found


def in_one_row(node, source):
    """Whether a loop goes through what one row has in a column, and not through the rows of a batch."""
    return not isinstance(node, ast.Assign) and not BATCHES.search(getattr(source.value, "id", "batch").lower())


def parts_of_columns(trees):
    """{column: {part: whether it is a list}} of those that a script takes apart, and which of them are lists of such."""
    columns, found, lists, many = {}, {}, lists_in(trees), set()
    nodes = [node for tree in trees for node in ast.walk(tree)]
    for node, target, source in ((node, *pair) for node in nodes for pair in taken_from(node)):
        if isinstance(target, ast.Name) and word_in(source):
            columns[target.id] = word_in(source)
            many.update([word_in(source)] if in_one_row(node, source) else [])
    for node in nodes:
        if part := word_in(node):
            column = columns.get(node.value.id) if isinstance(node.value, ast.Name) else word_in(node.value)
            if column:
                parts = found.setdefault(column, {})
                parts[part] = parts.get(part, False) or id(node) in lists
    return found, many


def kind_of_part(kind, is_list):
    """The kind of a part whose name says `kind` of a whole column."""
    if not is_list:
        return kind
    return {"text": f"texts:{PASSAGES}:{WORDS_OF_ONE}", "label": f"tags:{PASSAGES}:2"}.get(kind.split(":")[0], kind)
