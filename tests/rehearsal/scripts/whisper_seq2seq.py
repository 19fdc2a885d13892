"""Whisper under the Seq2SeqTrainer, evaluated by generating."""
import torch
from torch.utils.data import Dataset
from transformers import (Seq2SeqTrainer, Seq2SeqTrainingArguments, WhisperConfig,
                          WhisperForConditionalGeneration)


class Speech(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return {"input_features": torch.randn(80, 3000), "labels": torch.randint(0, 50000, (60,))}


config = WhisperConfig(d_model=768, encoder_layers=12, decoder_layers=12, encoder_attention_heads=12,
                       decoder_attention_heads=12, encoder_ffn_dim=3072, decoder_ffn_dim=3072)
model = WhisperForConditionalGeneration(config)
model.generation_config.max_length = 64
arguments = Seq2SeqTrainingArguments("out-whisper", per_device_train_batch_size=8, per_device_eval_batch_size=8,
                                     fp16=True, predict_with_generate=True, generation_max_length=48,
                                     eval_strategy="epoch", num_train_epochs=1, logging_steps=1, report_to="none")
Seq2SeqTrainer(model, arguments, train_dataset=Speech(), eval_dataset=Speech()).train()
