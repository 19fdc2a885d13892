"""Transformers' Trainer: a classifier with padding, evaluation with a metric, the best model kept."""
import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


class Texts(Dataset):
    def __len__(self):
        return 400

    def __getitem__(self, i):
        n = 20 + i % 100
        ids = torch.randint(1, 30000, (128,))
        mask = (torch.arange(128) < n).long()
        return {"input_ids": ids * mask, "attention_mask": mask, "labels": i % 2}


def metric(result):
    return {"accuracy": float((np.argmax(result.predictions, -1) == result.label_ids).mean())}


model = BertForSequenceClassification(BertConfig(num_labels=2))
arguments = TrainingArguments("out-bert", per_device_train_batch_size=32, num_train_epochs=3, fp16=True,
                              eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True,
                              logging_steps=5, report_to="none")
Trainer(model, arguments, train_dataset=Texts(), eval_dataset=Texts(), compute_metrics=metric).train()
