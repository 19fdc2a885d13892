"""A policy-gradient loop that samples actions on the card and reads them back."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(128, 512), nn.Tanh(), nn.Linear(512, 6)).cuda()
value = nn.Sequential(nn.Linear(128, 512), nn.Tanh(), nn.Linear(512, 1)).cuda()
optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=3e-4)
for update in range(20):
    states, actions, logs, rewards = [], [], [], []
    state = torch.randn(64, 128, device="cuda")
    for t in range(16):
        with torch.no_grad():
            choice = Categorical(logits=policy(state))
            action = choice.sample()
        states.append(state), actions.append(action), logs.append(choice.log_prob(action))
        rewards.append(torch.tensor([float(a == t % 6) for a in action.tolist()], device="cuda"))
        state = torch.randn(64, 128, device="cuda")
    s, a, old, r = torch.cat(states), torch.cat(actions), torch.cat(logs), torch.cat(rewards)
    advantage = r - value(s).squeeze(-1)
    ratio = (Categorical(logits=policy(s)).log_prob(a) - old).exp()
    gain = advantage.detach()
    loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean() + advantage.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(update, loss.item(), r.mean().item())
