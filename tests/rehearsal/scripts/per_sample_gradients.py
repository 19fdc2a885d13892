"""Gradients of each sample by vmap, ensembles and a gradient penalty with torch.func."""

import torch, torch.nn as nn, copy
from torch.func import stack_module_state, functional_call, vmap, grad, jacrev, hessian

models = [nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)).cuda() for _ in range(5)]
params, buffers = stack_module_state(models)
base = copy.deepcopy(models[0]).to("meta")


def f(p, b, x):
    return functional_call(base, (p, b), (x,))


print(vmap(f, in_dims=(0, 0, None))(params, buffers, torch.randn(64, 784, device="cuda")).shape)
m = models[0]
p = {k: v.detach() for k, v in m.named_parameters()}


def loss(p, x, y):
    return nn.functional.cross_entropy(functional_call(m, p, (x[None],)), y[None])


g = vmap(grad(loss), in_dims=(None, 0, 0))(
    p, torch.randn(64, 784, device="cuda"), torch.randint(0, 10, (64,), device="cuda")
)
norms = sum((v.flatten(1).pow(2).sum(1) for v in g.values())).sqrt()
print(norms.max().item())
print(jacrev(lambda x: m(x).sum())(torch.randn(4, 784, device="cuda")).shape)
opt = torch.optim.SGD(m.parameters(), 0.1)
for i in range(3):
    x = torch.randn(8, 784, device="cuda", requires_grad=True)
    out = m(x).sum()
    gp = torch.autograd.grad(out, x, create_graph=True)[0]
    ((gp.norm(2, dim=1) - 1) ** 2).mean().backward()
    opt.step()
    opt.zero_grad()
