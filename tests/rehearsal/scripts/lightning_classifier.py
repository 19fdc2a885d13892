"""A classifier under Lightning with metrics, mixed precision and validation."""

import lightning as L, torch, torch.nn as nn, torchvision, torchmetrics
from torch.utils.data import DataLoader, TensorDataset


class Lit(L.LightningModule):

    def __init__(s):
        super().__init__()
        s.net = torchvision.models.mobilenet_v3_small(num_classes=10)
        s.acc = torchmetrics.Accuracy("multiclass", num_classes=10)

    def training_step(s, b, i):
        loss = nn.functional.cross_entropy(s.net(b[0]), b[1])
        s.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(s, b, i):
        s.acc(s.net(b[0]), b[1])
        s.log("acc", s.acc)

    def configure_optimizers(s):
        o = torch.optim.AdamW(s.parameters(), 0.001)
        return ([o], [torch.optim.lr_scheduler.OneCycleLR(o, 0.01, total_steps=100)])


ds = TensorDataset(torch.randn(256, 3, 64, 64), torch.randint(0, 10, (256,)))
tr = L.Trainer(max_epochs=2, accelerator="gpu", devices=1, precision="16-mixed", gradient_clip_val=1.0)
tr.fit(Lit(), DataLoader(ds, 32, num_workers=2), DataLoader(ds, 32))
