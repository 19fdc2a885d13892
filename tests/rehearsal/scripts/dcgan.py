"""DCGAN: two networks, two optimizers, samples written as an image grid."""
import torch
import torch.nn as nn
import torchvision.utils as vutils

nz, size = 100, 64


def layer(i, o, up, first=False):
    conv = nn.ConvTranspose2d if up else nn.Conv2d
    step = (4, 1, 0) if first else (4, 2, 1)
    return [conv(i, o, *step, bias=False), nn.BatchNorm2d(o), nn.ReLU(True) if up else nn.LeakyReLU(0.2, True)]


G = nn.Sequential(*layer(nz, size * 8, True, True), *layer(size * 8, size * 4, True), *layer(size * 4, size * 2, True),
                  *layer(size * 2, size, True), nn.ConvTranspose2d(size, 3, 4, 2, 1, bias=False), nn.Tanh()).cuda()
D = nn.Sequential(nn.Conv2d(3, size, 4, 2, 1), nn.LeakyReLU(0.2, True), *layer(size, size * 2, False),
                  *layer(size * 2, size * 4, False), *layer(size * 4, size * 8, False),
                  nn.Conv2d(size * 8, 1, 4, 1, 0), nn.Sigmoid()).cuda()
criterion = nn.BCELoss()
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
fixed = torch.randn(64, nz, 1, 1, device="cuda")
for i in range(100):
    real = torch.randn(128, 3, 64, 64, device="cuda")
    D.zero_grad()
    out = D(real).view(-1)
    err_real = criterion(out, torch.full_like(out, 0.9))
    err_real.backward()
    fake = G(torch.randn(128, nz, 1, 1, device="cuda"))
    err_fake = criterion(D(fake.detach()).view(-1), torch.zeros(128, device="cuda"))
    err_fake.backward()
    opt_d.step()
    G.zero_grad()
    err_g = criterion(D(fake).view(-1), torch.ones(128, device="cuda"))
    err_g.backward()
    opt_g.step()
    print(f"[{i}] D {err_real.item() + err_fake.item():.3f} G {err_g.item():.3f}")
    if i % 50 == 0:
        with torch.no_grad():
            grid = vutils.make_grid(G(fixed).detach().cpu(), normalize=True)
            print(grid.shape)
