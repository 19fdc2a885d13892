"""Operators that keep other parts for their backward pass on a card than on the host, and copies that do not wait and become
another type on the way: their values are true."""

import torch
from torch import nn

used = [torch.full((size,), 7.0, device="cuda") for size in range(1, 5000)]
del used  # what is allocated from here on finds their bytes

numbers = torch.arange(-3.0, 3.0, device="cuda")
assert torch.allclose(nn.functional.logsigmoid(numbers).cpu(), nn.functional.logsigmoid(torch.arange(-3.0, 3.0)))
bag = nn.EmbeddingBag(10, 4, mode="sum").cuda()
words = torch.tensor([[1, 2], [3, 3]], device="cuda")
assert torch.allclose(bag(words), bag.weight[words].sum(1)) and bag(words).abs().sum() > 0
for copied in (numbers.to("cpu", torch.float64, non_blocking=True), torch.empty(6, dtype=torch.float16).copy_(numbers, non_blocking=True)):
    torch.cuda.synchronize()
    assert copied.tolist() == [-3, -2, -1, 0, 1, 2], copied
half = numbers.bfloat16()
assert torch.dot(half, half).item() == 19
bag(words).mean().backward()
