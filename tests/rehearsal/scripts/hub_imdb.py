"""A classifier on a data set and a metric of the hub, by their names."""
import evaluate
import numpy as np
from datasets import load_dataset
from transformers import (AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding, Trainer,
                          TrainingArguments)

imdb = load_dataset("imdb", split="train[:5%]").train_test_split(0.2)
tokenizer = AutoTokenizer.from_pretrained("distilbert/distilbert-base-uncased")
data = imdb.map(lambda rows: tokenizer(rows["text"], truncation=True), batched=True)
accuracy = evaluate.load("accuracy")
model = AutoModelForSequenceClassification.from_pretrained("distilbert/distilbert-base-uncased", num_labels=2)
Trainer(model=model, train_dataset=data["train"], eval_dataset=data["test"], processing_class=tokenizer,
        data_collator=DataCollatorWithPadding(tokenizer),
        compute_metrics=lambda p: accuracy.compute(predictions=np.argmax(p[0], axis=1), references=p[1]),
        args=TrainingArguments("out", per_device_train_batch_size=16, num_train_epochs=1, eval_strategy="epoch",
                               report_to="none")).train()
