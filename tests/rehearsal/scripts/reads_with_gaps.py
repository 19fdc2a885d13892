"""Reads columns, slices and other types of what lies on the card, and asks that they are right."""

import torch

used = [torch.ones(4096, dtype=torch.bool, device="cuda") | True for _ in range(200)]
del used  # what is allocated from here on finds their bytes

table = torch.arange(64, device="cuda").reshape(8, 8) * 1
assert table[:, 2:].cpu()[1].tolist() == [10, 11, 12, 13, 14, 15]
assert table.t().cpu()[1, :3].tolist() == [1, 9, 17]
assert table[:, 1].tolist() == [1, 9, 17, 25, 33, 41, 49, 57]
assert table[::2, 3].float().cpu().tolist() == [3.0, 19.0, 35.0, 51.0]
assert table[1, 2:5].double().cpu().numpy().tolist() == [10.0, 11.0, 12.0]

host = torch.empty(8, 2)
host.copy_(table[:, 3:5])
assert host[0].tolist() == [3.0, 4.0]

large = torch.randn(1000, 1000, device="cuda") @ torch.randn(1000, 1000, device="cuda")
assert torch.isfinite(large[:3, :2].cpu()).all() and torch.isfinite(large.mean()).item()

pinned = torch.zeros(4).pin_memory()
assert pinned.is_pinned() and not torch.zeros(4).is_pinned()
