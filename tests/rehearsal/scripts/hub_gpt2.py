"""Fine-tunes GPT-2 by its name of the hub, tokenizer included, and generates."""

import torch
from transformers import GPT2LMHeadModel, GPT2Tokenizer, AutoTokenizer, get_linear_schedule_with_warmup
from torch.utils.data import Dataset, DataLoader
from tqdm import tqdm

tok = AutoTokenizer.from_pretrained("gpt2")
tok.pad_token = tok.eos_token


class D(Dataset):

    def __init__(s):
        s.t = ["The quick brown fox jumps over the lazy dog. " * 20] * 100

    def __len__(s):
        return len(s.t)

    def __getitem__(s, i):
        e = tok(s.t[i], truncation=True, max_length=128, padding="max_length", return_tensors="pt")
        return (e["input_ids"][0], e["attention_mask"][0])


model = GPT2LMHeadModel.from_pretrained("gpt2").to("cuda")
opt = torch.optim.AdamW(model.parameters(), 5e-05)
sch = get_linear_schedule_with_warmup(opt, 10, 100)
sc = torch.amp.GradScaler()
for ep in range(2):
    for ids, m in tqdm(DataLoader(D(), 8, shuffle=True)):
        ids, m = (ids.cuda(), m.cuda())
        with torch.amp.autocast("cuda"):
            loss = model(ids, attention_mask=m, labels=ids).loss
        sc.scale(loss).backward()
        sc.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        sc.step(opt)
        sc.update()
        opt.zero_grad()
        sch.step()
    print(
        tok.decode(
            model.generate(
                tok("Hello", return_tensors="pt").input_ids.cuda(), max_new_tokens=20, do_sample=True, top_p=0.9
            )[0]
        )
    )
model.save_pretrained("m")
tok.save_pretrained("m")
