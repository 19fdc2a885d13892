"""TRL's DPOTrainer with a LoRA adapter, whose reference is the model without it."""
from datasets import Dataset
from peft import LoraConfig
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import DPOConfig, DPOTrainer

words = {f"w{i}": i for i in range(2000)} | {"<pad>": 2000, "<eos>": 2001, "<unk>": 2002}
raw = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")
text = [" ".join(f"w{(i * 7 + j) % 2000}" for j in range(60)) for i in range(64)]
data = Dataset.from_dict({"prompt": text, "chosen": text[::-1], "rejected": text})
model = Qwen2ForCausalLM(Qwen2Config(hidden_size=512, intermediate_size=2048, num_hidden_layers=6, num_attention_heads=8,
                                     num_key_value_heads=2, vocab_size=32000))
arguments = DPOConfig("out-dpo", per_device_train_batch_size=4, max_steps=10, bf16=True, logging_steps=1, report_to="none")
DPOTrainer(model, args=arguments, train_dataset=data, processing_class=tokenizer,
           peft_config=LoraConfig(r=8, target_modules="all-linear")).train()
