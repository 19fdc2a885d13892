"""SegFormer whose classes are in a file beside the data set, with a Trainer that pushes to the hub."""

import json

import numpy as np
import torch
from datasets import load_dataset
from huggingface_hub import hf_hub_download
from transformers import SegformerForSemanticSegmentation, Trainer, TrainingArguments

rows = load_dataset("segments/sidewalk-semantic", split="train[:32]")
with open(hf_hub_download("segments/sidewalk-semantic", "id2label.json", repo_type="dataset")) as file:
    id2label = {int(k): v for k, v in json.load(file).items()}
model = SegformerForSemanticSegmentation.from_pretrained(
    "nvidia/mit-b0", id2label=id2label, label2id={v: k for k, v in id2label.items()}, ignore_mismatched_sizes=True)


def prepare(batch):
    pictures = [np.asarray(p.convert("RGB").resize((512, 512))) for p in batch["pixel_values"]]
    labels = [np.asarray(l.resize((512, 512), 0)) % len(id2label) for l in batch["label"]]
    return {"pixel_values": [torch.tensor(p).permute(2, 0, 1) / 255 for p in pictures],
            "labels": [torch.tensor(l).long() for l in labels]}


trainer = Trainer(
    model, TrainingArguments("segformer-sidewalk", per_device_train_batch_size=8, num_train_epochs=1, learning_rate=6e-5,
                             logging_steps=1, remove_unused_columns=False, push_to_hub=True, report_to="none"),
    train_dataset=rows.with_transform(prepare))
trainer.train()
trainer.push_to_hub()
