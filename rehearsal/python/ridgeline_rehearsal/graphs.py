"""Graphs of torch_geometric that are neither on this machine nor to be downloaded: random edges between as many nodes,
with as many features and classes, as the documentation of their class states."""

import ast
import inspect
import os
import pathlib
import re
import sys

from . import card

# Named by the documentation of their class without sizes, which are assumed.
WITHOUT_SIZES = {"wikics": {"#nodes": 11701, "#edges": 431726, "#features": 300, "#classes": 10},
                 "nci1": {"#graphs": 4110, "#nodes": 30, "#edges": 65, "#features": 37, "#classes": 2}}
# Graphs whose nodes and edges are one of so many kinds, of which the documentation has no word: as the benchmark that
# they come from (arXiv 2003.00982) and scripts with an embedding for each kind count them.
KINDS = {"zinc": (21, 4)}
# Relations of edges, which are counted in both directions (arXiv 1703.06103, table 1).
RELATIONS = {"aifb": 45, "mutag": 23, "bgs": 103, "am": 133}
# Nodes to train with of each class, to validate and to test with, as of the public split.
TRAINED, VALIDATED, TESTED = 20, 500, 1000
MOST_EDGES = 60_000_000  # of one graph: more fill the memory of a laptop, as the data would
MOST_GRAPHS = 12_000


def table(text):
    """Rows of the first table under STATS in a docstring, each a dictionary by the words of its first row."""
    rows, stats = [], re.search(r"\*\*STATS:\*\*(.*)", text or "", re.S)
    for line in (stats.group(1) if stats else "").splitlines():
        cell = re.match(r"\s*(\* )?- ?(.*)", line)
        if not cell:
            continue
        if cell.group(1):
            rows.append([])
        if rows:
            rows[-1].append(cell.group(2).strip())
    return [dict(zip(rows[0], row)) for row in rows[1:]] if rows else []


def number(cell):
    """A count such as "13,752" or "~17.9"; None for what is no number."""
    found = re.fullmatch(r"~?([\d,]+(?:\.\d+)?)", cell or "")
    return round(float(found.group(1).replace(",", ""))) if found else None


def name_of(data_set):
    return str(getattr(data_set, "name", None) or type(data_set).__name__).lower()


def rows_about(data_set, rows):
    """Rows of the table that are about that data set: by its name, or by its name and what a script chooses of it ("ZINC
    Subset" of one whose `subset` is true, "ZINC Full" of others)."""
    own = name_of(data_set)
    exact = [row for row in rows if row.get("Name", own).lower() == own]
    if exact:
        return exact
    chosen, others = [], []
    for row in rows:
        first, *words = row.get("Name", own).lower().split() or [""]
        options = [getattr(data_set, word) for word in words if isinstance(getattr(data_set, word, None), bool)]
        if first == own:
            (chosen if any(options) else [] if options else others).append(row)
    return chosen or others


def sizes_of(data_set):
    """What is documented of a data set: one row with the counts, or a row for each kind of nodes and edges; [] for unknown."""
    rows = table(type(data_set).__doc__)
    if rows and "Node/Edge Type" in rows[0]:
        return rows
    named = rows_about(data_set, rows) or (rows if len(rows) == 1 else [])
    known = {key: number(cell) for key, cell in named[0].items()} if named else WITHOUT_SIZES.get(name_of(data_set), {})
    return [known] if known.get("#nodes") and known.get("#edges") is not None and known["#edges"] <= MOST_EDGES else []


def edges(torch, sources, targets, count, generator):
    return torch.stack([torch.randint(nodes, (max(1, count),), generator=generator) for nodes in (sources, targets)])


def both_ways(torch, nodes, count, generator):
    """Pairs of nodes, each in both directions."""
    one_way = edges(torch, nodes, nodes, count // 2, generator)
    return torch.cat([one_way, one_way.flip(0)], 1)


def masks(torch, nodes, classes, splits):
    """Which nodes are to train, to validate and to test with; of several splits a column each."""
    trained = min(TRAINED * classes, nodes // 2)
    validated = min(trained + VALIDATED, trained + (nodes - trained) // 2)
    made = {}
    for key, first, last in (("train_mask", 0, trained), ("val_mask", trained, validated),
                             ("test_mask", max(validated, nodes - TESTED), nodes)):
        mask = torch.zeros(nodes, dtype=torch.bool)
        mask[first:last] = True
        made[key] = mask[:, None].repeat(1, splits) if splits > 1 else mask
    return made


def written(source):
    """What a class gives its graphs, a dictionary by name for each `Data(edge_index=..., train_idx=...)`."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Data"]
    return [{keyword.arg: keyword.value for keyword in call.keywords} for call in calls]


def fields_written(source):
    return {name for fields in written(source) for name in fields}


def labels_nodes(source):
    """Whether a class of many graphs has a label for each node: it takes `x=x[mask], y=y[mask]` of all at the same places."""
    return any(isinstance(fields.get("x"), ast.Subscript) and isinstance(fields.get("y"), ast.Subscript) and
               ast.dump(fields["x"].slice) == ast.dump(fields["y"].slice) for fields in written(source))


def by_number(torch, split, fields):
    """Nodes of each part by their number and with their label, where a class keeps no masks (train_idx, train_y)."""
    made = {}
    for part in ("train", "val", "test"):
        numbers = split[f"{part}_mask"].nonzero().flatten()
        made.update({f"{part}_idx": numbers, f"{part}_y": split["y"][numbers]})
    return {name: value for name, value in made.items() if name in fields}


def one_graph(torch, known, generator, splits, fields=frozenset(), relations=0):
    """`fields`: what the class of the data set gives its graph. `relations`: kinds of its edges, in each direction."""
    from torch_geometric.data import Data

    nodes, classes = known["#nodes"], known.get("#classes") or 2
    kept = {"x": torch.rand(nodes, known["#features"], generator=generator)} if known.get("#features") else {"num_nodes": nodes}
    kept["edge_index"] = both_ways(torch, nodes, known["#edges"], generator)
    labelled = {"y": torch.arange(nodes) % classes, **masks(torch, nodes, classes, splits)}
    if relations and "edge_type" in fields:
        kept["edge_type"] = torch.arange(kept["edge_index"].shape[1]) % (2 * relations)
    return Data(**kept, **(by_number(torch, labelled, fields) or labelled))


def in_time(torch, known, generator):
    """Edges one after another, from one half of the nodes to the other, each with a message."""
    from torch_geometric.data import TemporalData

    nodes, count = known["#nodes"], known["#edges"]
    source = torch.randint(nodes // 2, (count,), generator=generator)
    target = torch.randint(nodes // 2, nodes, (count,), generator=generator)
    label = torch.arange(count) % (known.get("#classes") or 2)
    return TemporalData(src=source, dst=target, t=torch.arange(count),
                        msg=torch.rand(count, known.get("#features") or 1, generator=generator), y=label)


def of_a_kind(torch, own, pairs, kinds):
    """Nodes and edges that are numbers of a kind, and the property of a molecule that is learnt."""
    return {"x": (torch.arange(own) % kinds[0])[:, None], "edge_index": pairs, "edge_attr": torch.arange(pairs.shape[1]) % kinds[1],
            "y": torch.zeros(1)}


def label_of(torch, known, generator, at, count):
    """Labels of `count` nodes, or of one graph that is the `at`-th."""
    if known.get("#tasks"):
        return torch.randint(2, (count, known["#tasks"]), generator=generator).float()  # right or not, which a value may be too
    return (torch.arange(count) + at) % (known.get("#classes") or 2)


def many_graphs(torch, known, generator, placed, kinds=None, by_node=False):
    """`placed`: nodes are points in space. `kinds`: see KINDS. `by_node`: each node has a label."""
    from torch_geometric.data import Data

    made, features = [], known.get("#features")
    for at in range(min(known["#graphs"], MOST_GRAPHS)):
        own = max(2, int(known["#nodes"] * (0.5 + torch.rand((), generator=generator).item())))
        if kinds:
            pairs = both_ways(torch, own, known["#edges"] * own // known["#nodes"], generator)
            made.append(Data(**of_a_kind(torch, own, pairs, kinds)))
            continue
        kept = {"x": torch.nn.functional.one_hot(torch.arange(own) % features, features).float()} if features else {"num_nodes": own}
        if placed:
            kept["pos"] = torch.rand(own, 3, generator=generator)
        label = label_of(torch, known, generator, at, own if by_node else 1)
        made.append(Data(y=label, edge_index=both_ways(torch, own, known["#edges"] * own // known["#nodes"], generator), **kept))
    return made


def of_kinds(torch, rows, generator, source):
    """A graph of several kinds of nodes; what an edge between two is called stands in the source of its class."""
    from torch_geometric.data import HeteroData

    data, nodes = HeteroData(), {}
    for row in rows:
        kind, count = row["Node/Edge Type"].lower(), number(row["#nodes/#edges"])
        if "-" not in kind:
            nodes[kind] = count
            if number(row.get("#features")):
                data[kind].x = torch.rand(count, number(row["#features"]), generator=generator)
            else:
                data[kind].num_nodes = count
            if number(row.get("#classes")):
                data[kind].y = torch.arange(count) % number(row["#classes"])
                for key, mask in masks(torch, count, number(row["#classes"]), 1).items():
                    data[kind][key] = mask
            continue
        first, second = kind.split("-")
        named = re.search(rf"\['{first}', '(\w+)', '{second}'\]", source)
        back = re.search(rf"\['{second}', '(\w+)', '{first}'\]", source)
        pairs = edges(torch, nodes[first], nodes[second], count, generator)
        data[first, named.group(1) if named else "to", second].edge_index = pairs
        data[second, back.group(1) if back else "to", first].edge_index = pairs.flip(0)
    return data


def made_for(data_set, torch):
    """The graphs of a data set, made up."""
    generator, rows = torch.Generator().manual_seed(0), sizes_of(data_set)
    source = inspect.getsource(sys.modules[type(data_set).__module__])
    if "Node/Edge Type" in rows[0]:
        return [of_kinds(torch, rows, generator, source)]
    if rows[0].get("#graphs"):
        return many_graphs(torch, rows[0], generator, re.search(r"\bpos=", source), KINDS.get(name_of(data_set)), labels_nodes(source))
    if "TemporalData(" in source:
        return [in_time(torch, rows[0], generator)]
    files = data_set.raw_file_names
    splits = sum("split" in file for file in ([files] if isinstance(files, str) else files))
    return [one_graph(torch, rows[0], generator, splits, fields_written(source), RELATIONS.get(name_of(data_set), 0))]


def beside(path):
    """Where a file lies that goes with the rehearsal, whatever its size: what is made up must not be taken for the data later."""
    own = pathlib.Path(os.environ["RIDGELINE_REHEARSAL"]).parent.parent / "graphs" / os.path.abspath(path).lstrip("/")
    own.parent.mkdir(parents=True, exist_ok=True)
    return own


def save(data_set):
    """Writes the files that the class of a data set reads after it has processed what was downloaded: links in its folder."""
    import torch
    from torch_geometric.io import fs

    made = made_for(data_set, torch)
    made = [one for one in made if data_set.pre_filter is None or data_set.pre_filter(one)]
    made = [data_set.pre_transform(one) if data_set.pre_transform else one for one in made]
    data, slices = data_set.collate(made)
    kept = (data.to_dict(), slices, data.__class__)
    if type(data_set).__name__ == "TUDataset":  # keeps the widths of its features beside them
        widths = {"num_node_labels": sizes_of(data_set)[0].get("#features") or 0}
        none = dict.fromkeys(("num_node_attributes", "num_edge_labels", "num_edge_attributes"), 0)
        kept = (*kept[:2], {**widths, **none}, kept[2])
    for path in data_set.processed_paths:  # one, or one for each split
        own = beside(path)
        fs.torch_save(kept, f"{own}")
        if os.path.lexists(path):  # of a rehearsal that was ended before it could put that away
            os.unlink(path)
        os.symlink(own, path)


def attach_dataset(module):
    """`module` is torch_geometric.data.dataset."""
    download, process = module.Dataset._download, module.Dataset._process

    def _download(self):
        try:
            download(self)
        except OSError:
            if not hasattr(self, "collate") or not sizes_of(self):
                raise
            self.made_up = True

    def _process(self):
        if not self.__dict__.pop("made_up", False):
            return process(self)
        if not all(os.path.exists(path) for path in self.processed_paths):
            os.makedirs(self.processed_dir, exist_ok=True)
            save(self)
        card.left_out.add(f"the graphs {name_of(self)}, which could not be reached: random edges between as many nodes")
        return None

    module.Dataset._download, module.Dataset._process = _download, _process
