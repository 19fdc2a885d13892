"""Wasserstein GAN with gradient penalty, five critic steps a generator step, pictures saved."""

import torch, torch.nn as nn, torchvision.utils as vutils

G = nn.Sequential(
    nn.ConvTranspose2d(100, 256, 4),
    nn.BatchNorm2d(256),
    nn.ReLU(),
    nn.ConvTranspose2d(256, 64, 4, 2, 1),
    nn.ReLU(),
    nn.ConvTranspose2d(64, 3, 4, 2, 1),
    nn.Tanh(),
).cuda()
D = nn.Sequential(
    nn.utils.spectral_norm(nn.Conv2d(3, 64, 4, 2, 1)),
    nn.LeakyReLU(0.2),
    nn.Conv2d(64, 256, 4, 2, 1),
    nn.InstanceNorm2d(256, affine=True),
    nn.LeakyReLU(0.2),
    nn.Conv2d(256, 1, 4),
).cuda()
og, od = (torch.optim.RMSprop(G.parameters(), 5e-05), torch.optim.RMSprop(D.parameters(), 5e-05))
for it in range(50):
    for _ in range(5):
        real = torch.randn(64, 3, 16, 16, device="cuda")
        fake = G(torch.randn(64, 100, 1, 1, device="cuda")).detach()
        a = torch.rand(64, 1, 1, 1, device="cuda")
        x = (a * real + (1 - a) * fake).requires_grad_()
        g = torch.autograd.grad(D(x).sum(), x, create_graph=True)[0]
        gp = ((g.flatten(1).norm(2, 1) - 1) ** 2).mean()
        l = D(fake).mean() - D(real).mean() + 10 * gp
        od.zero_grad()
        l.backward()
        od.step()
    og.zero_grad()
    lg = -D(G(torch.randn(64, 100, 1, 1, device="cuda"))).mean()
    lg.backward()
    og.step()
    print(it, l.item(), lg.item())
    vutils.save_image(G(torch.randn(16, 100, 1, 1, device="cuda")).detach(), "s.png", normalize=True)
