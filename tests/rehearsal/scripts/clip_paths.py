"""CLIP tuned on captions of pictures that the data set names by their paths."""

import torch
from datasets import load_dataset
from torchvision.io import ImageReadMode, read_image
from torchvision.transforms.functional import center_crop, resize
from transformers import AutoTokenizer, CLIPModel, Trainer, TrainingArguments

name = "openai/clip-vit-base-patch32"
tokenizer, model = AutoTokenizer.from_pretrained(name), CLIPModel.from_pretrained(name)
rows = load_dataset("ydshieh/coco_dataset_script", "2017", split="train").select(range(64))


def picture(path):
    return center_crop(resize(read_image(path, mode=ImageReadMode.RGB), [224]), [224, 224]).float() / 255


def prepare(batch):
    words = tokenizer(list(batch["caption"]), padding="max_length", max_length=64, truncation=True)
    return {**words, "pixel_values": [picture(path) for path in batch["image_path"]]}


def collate(examples):
    made = {key: torch.tensor([e[key] for e in examples]) for key in ("input_ids", "attention_mask")}
    return {**made, "pixel_values": torch.stack([e["pixel_values"] for e in examples]), "return_loss": True}


Trainer(model, TrainingArguments("clip", per_device_train_batch_size=16, learning_rate=5e-5, warmup_steps=0, report_to="none",
                                 remove_unused_columns=False, num_train_epochs=1),
        train_dataset=rows.with_transform(prepare), data_collator=collate).train()
