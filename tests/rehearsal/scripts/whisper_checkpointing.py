"""Whisper tuned as in its tutorial: checkpointing of activations, fp16, evaluation by generating."""

from datasets import Audio, load_dataset
from transformers import (Seq2SeqTrainer, Seq2SeqTrainingArguments, WhisperFeatureExtractor,
                          WhisperForConditionalGeneration, WhisperTokenizer)

name = "openai/whisper-small"
extractor = WhisperFeatureExtractor.from_pretrained(name)
tokenizer = WhisperTokenizer.from_pretrained(name, language="Hindi", task="transcribe")
model = WhisperForConditionalGeneration.from_pretrained(name)
model.generation_config.language, model.generation_config.task = "hindi", "transcribe"
model.generation_config.forced_decoder_ids = None
voices = load_dataset("mozilla-foundation/common_voice_11_0", "hi", split="train+validation")
voices = voices.cast_column("audio", Audio(sampling_rate=16000))


def prepare(row):
    sound = row["audio"]
    row["input_features"] = extractor(sound["array"], sampling_rate=sound["sampling_rate"]).input_features[0]
    row["labels"] = tokenizer(row["sentence"]).input_ids
    return row


voices = voices.map(prepare, remove_columns=voices.column_names)


def collate(features):
    batch = extractor.pad([{"input_features": f["input_features"]} for f in features], return_tensors="pt")
    labels = tokenizer.pad([{"input_ids": f["labels"]} for f in features], return_tensors="pt")
    batch["labels"] = labels["input_ids"].masked_fill(labels.attention_mask.ne(1), -100)
    return batch


trainer = Seq2SeqTrainer(
    model=model, train_dataset=voices, eval_dataset=voices, data_collator=collate,
    args=Seq2SeqTrainingArguments(
        "whisper-small-hi", per_device_train_batch_size=8, gradient_accumulation_steps=2, learning_rate=1e-5, warmup_steps=5,
        max_steps=40, gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False}, fp16=True,
        eval_strategy="steps", eval_steps=2, predict_with_generate=True,
        generation_max_length=225, logging_steps=1, report_to=["tensorboard"], push_to_hub=True))
trainer.train()
