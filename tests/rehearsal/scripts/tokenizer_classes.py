"""Tokenizers by their class and models by names that no profile has, without network."""

import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer, BertTokenizerFast, DistilBertTokenizerFast, GPT2TokenizerFast

words = "people have been here for many years"
for kind, name in ((AutoTokenizer, "Qwen/Qwen2.5-0.5B"), (GPT2TokenizerFast, "gpt2"), (BertTokenizerFast, "bert-base-uncased"),
                   (AutoTokenizer, "t5-small"), (AutoTokenizer, "distilbert-base-uncased")):
    tokens = kind.from_pretrained(name)(words)["input_ids"]
    assert len(tokens) >= 7 and len(set(tokens)) > 3, (name, tokens)

assert set(DistilBertTokenizerFast.from_pretrained("distilbert-base-uncased")(words)) == {"input_ids", "attention_mask"}

tokenizer = AutoTokenizer.from_pretrained("dslim/bert-base-NER")
model = AutoModelForTokenClassification.from_pretrained("dslim/bert-base-NER", num_labels=9).cuda()
batch = {key: value.cuda() for key, value in tokenizer([words] * 4, padding=True, return_tensors="pt").items()}
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
for _ in range(3):
    loss = model(**batch, labels=torch.zeros_like(batch["input_ids"])).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
