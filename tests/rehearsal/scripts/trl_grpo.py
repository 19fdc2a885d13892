"""TRL's GRPO with generation by the model itself and a reward in Python."""

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

words = {f"w{i}": i for i in range(2000)} | {"<pad>": 2000, "<eos>": 2001, "<unk>": 2002}
raw = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tok = PreTrainedTokenizerFast(
    tokenizer_object=raw, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left",
    model_input_names=["input_ids", "attention_mask"],
)
data = Dataset.from_dict({"prompt": [" ".join((f"w{(i * 7 + j) % 2000}" for j in range(20))) for i in range(64)]})
model = Qwen2ForCausalLM(
    Qwen2Config(
        hidden_size=512,
        intermediate_size=1024,
        num_hidden_layers=4,
        num_attention_heads=8,
        num_key_value_heads=2,
        vocab_size=2003,
        eos_token_id=2001,
        pad_token_id=2000,
    )
)


def reward(completions, **kw):
    return [float(len(set(c.split()))) for c in completions]


GRPOTrainer(
    model=model,
    reward_funcs=reward,
    args=GRPOConfig(
        "out",
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=32,
        max_steps=4,
        logging_steps=1,
        report_to="none",
        bf16=True,
    ),
    train_dataset=data,
    processing_class=tok,
).train()
