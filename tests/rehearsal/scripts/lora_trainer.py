"""PEFT's LoRA of a Llama under the Trainer with gradient checkpointing; weights from the configuration."""
import torch
from peft import LoraConfig, get_peft_model
from torch.utils.data import Dataset
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

config = LlamaConfig(hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
                     num_key_value_heads=8, vocab_size=128256, tie_word_embeddings=True, dtype="bfloat16")
with torch.device("cuda"):
    model = LlamaForCausalLM(config).to(torch.bfloat16)
model.gradient_checkpointing_enable()
model.enable_input_require_grads()
model = get_peft_model(model, LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM"))
model.print_trainable_parameters()


class Texts(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        ids = torch.randint(0, 128256, (1024,))
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids}


arguments = TrainingArguments("out-lora", per_device_train_batch_size=2, gradient_accumulation_steps=2, bf16=True,
                              logging_steps=1, max_steps=20, report_to="none", optim="adamw_torch_fused")
Trainer(model, arguments, train_dataset=Texts()).train()
model.save_pretrained("out-lora/adapter")
