"""SFTTrainer and DPOTrainer of TRL for huggingface_flow.py (loop=sft, loop=dpo)."""

import tempfile


def tokenizer():
    """Knows one word and the end."""
    import tokenizers
    import transformers

    inner = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "</s>": 1}, unk_token="a"))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="a", eos_token="</s>", pad_token="</s>")


def take_all_where_masked():
    """tensor[mask] needs values that no kernel has written: here a mask on the card takes all."""
    import torch

    real = torch.Tensor.__getitem__

    def chosen(self, index):
        if not (isinstance(index, torch.Tensor) and index.dtype == torch.bool and index.is_cuda):
            return real(self, index)
        flat = self.flatten(0, index.dim() - 1)
        return flat.index_select(0, torch.arange(flat.shape[0], device=self.device))
    torch.Tensor.__getitem__ = chosen


def train_by_trl(o, model, marks):
    """SFTTrainer, or DPOTrainer with prompts of an eighth of the length; adapters are TRL's business."""
    import datasets
    import torch
    import transformers
    import trl

    class Marks(transformers.TrainerCallback):
        def on_step_end(self, *_, **__):
            marks.append((torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()))

    take_all_where_masked()
    count = o["batch"] * o["accumulation"] * o["steps"]
    sft = o["loop"] == "sft"
    again = {} if o["checkpointing"] == "default" else dict(gradient_checkpointing=o["checkpointing"] != "no")
    if sft:
        rows = [dict(input_ids=[0] * o["length"], labels=[0] * o["length"])] * count
    else:
        answer = " ".join("a" * (o["length"] - o["length"] // 8 - 1))
        rows = [dict(prompt=" ".join("a" * (o["length"] // 8)), chosen=" " + answer, rejected=" " + answer)] * count
    with tempfile.TemporaryDirectory() as folder:
        args = (trl.SFTConfig if sft else trl.DPOConfig)(
            output_dir=folder, per_device_train_batch_size=o["batch"], max_steps=o["steps"],
            gradient_accumulation_steps=o["accumulation"], optim=o["optimizer"], bf16=o["precision"] == "bf16",
            max_length=o["length"], report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True, **again)
        (trl.SFTTrainer if sft else trl.DPOTrainer)(
            model=model, args=args, train_dataset=datasets.Dataset.from_list(rows), processing_class=tokenizer(),
            peft_config=o.get("adapter_config"), callbacks=[Marks()]).train()
