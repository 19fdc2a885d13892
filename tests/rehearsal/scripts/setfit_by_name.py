"""SetFit by the names of a model and of a data set that are not there."""

from datasets import load_dataset
from setfit import SetFitModel, Trainer, TrainingArguments, sample_dataset

data = load_dataset("sst2")
model = SetFitModel.from_pretrained("sentence-transformers/paraphrase-mpnet-base-v2", labels=["negative", "positive"])
trainer = Trainer(model=model, args=TrainingArguments(batch_size=16, num_epochs=1),
                  train_dataset=sample_dataset(data["train"], label_column="label", num_samples=8),
                  eval_dataset=data["validation"].select(range(20)), column_mapping={"sentence": "text", "label": "label"})
trainer.train()
print(trainer.evaluate())
