"""A model of words and pictures by its name of the hub, without network: its processor, template and sizes."""

import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor

name = "llava-hf/llava-1.5-7b-hf"
processor = AutoProcessor.from_pretrained(name)
model = AutoModelForImageTextToText.from_pretrained(name, torch_dtype=torch.bfloat16).cuda()
for key, parameter in model.named_parameters():
    parameter.requires_grad_("multi_modal_projector" in key)
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
talk = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "what is on this picture"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "people in a city"}]}]
text = processor.apply_chat_template(talk)
for _ in range(3):
    inputs = processor(text=[text], images=[Image.new("RGB", (640, 480))], return_tensors="pt").to("cuda", torch.bfloat16)
    assert inputs["input_ids"].shape[1] > 576, inputs["input_ids"].shape  # a patch of 14 points each
    model(**inputs, labels=inputs["input_ids"]).loss.backward()
    optimizer.step()
    optimizer.zero_grad()
