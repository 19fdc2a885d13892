"""TRL's SFTTrainer on token ids of its own."""
import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import SFTConfig, SFTTrainer

words = {f"w{i}": i for i in range(2000)} | {"<pad>": 2000, "<eos>": 2001, "<unk>": 2002}
raw = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")
data = Dataset.from_dict({"text": [" ".join(f"w{(i * 7 + j) % 2000}" for j in range(100 + i)) for i in range(64)]})
model = Qwen2ForCausalLM(Qwen2Config(hidden_size=896, intermediate_size=4864, num_hidden_layers=8, num_attention_heads=14,
                                     num_key_value_heads=2, vocab_size=151936))
arguments = SFTConfig("out-sft", per_device_train_batch_size=4, max_steps=10, bf16=True, logging_steps=1,
                      max_length=256, report_to="none")
SFTTrainer(model, args=arguments, train_dataset=data, processing_class=tokenizer).train()
