#!/usr/bin/env python3
"""Writes the small graphs of this folder as PyTorch exports them.

Needs the packages torch, onnx and onnxscript; the tests read what is kept and need none of them.
    python3 tests/data/graphs/make_graphs.py [FOLDER]
Each network is written by the exporter that traces (`*_traced`) and by the one of torch.export
(`*_exported`), which state shapes in different words.
"""
import pathlib
import sys

import onnx
import torch
from torch import nn


class Attention(nn.Module):
    """A table of 20 words, one encoder layer of width 8 with two heads, a head of 20 words."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.head = nn.Linear(8, 20)

    def forward(self, words):
        return self.head(self.layer(self.table(words)))


class Recurrent(nn.Module):
    """A bidirectional LSTM of 4 inputs and 6 units, then 5 classes."""

    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(4, 6, batch_first=True, bidirectional=True)
        self.head = nn.Linear(12, 5)

    def forward(self, steps):
        return self.head(self.layer(steps)[0])


def convolutional():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1, groups=8), nn.SiLU(), nn.MaxPool2d(2),
        nn.ConvTranspose2d(8, 4, 2, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 10))


def strip(file):
    """Leaves out where in the exporter's sources each operator came from."""
    model = onnx.load(file)
    for part in [*model.graph.node, *model.graph.value_info, model.graph]:
        del part.metadata_props[:]
        part.doc_string = ""
    onnx.save(model, file)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    cases = {
        "convolutional": (convolutional(), torch.zeros(2, 3, 32, 32), {0: "batch"}),
        "attention": (Attention(), torch.zeros(2, 7, dtype=torch.long),
                      {0: "batch", 1: "positions"}),
        "recurrent": (Recurrent(), torch.zeros(2, 7, 4), {0: "batch", 1: "steps"}),
    }
    for name, (network, example, axes) in cases.items():
        torch.onnx.export(network.eval(), (example,), folder / f"{name}_traced.onnx",
                          input_names=["x"], dynamic_axes={"x": axes}, dynamo=False)
        exported = folder / f"{name}_exported.onnx"
        torch.onnx.export(network.eval(), (example,), exported, input_names=["x"], dynamo=True,
                          external_data=False)
        strip(exported)


if __name__ == "__main__":
    main()
