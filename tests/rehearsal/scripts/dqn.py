"""A DQN that acts by argmax and learns from a replay buffer."""

import random, collections, numpy as np, torch, torch.nn as nn

try:
    import gymnasium as gym

    env = gym.make("CartPole-v1")
except Exception:
    env = None
q, tq = (nn.Sequential(nn.Linear(4, 128), nn.ReLU(), nn.Linear(128, 2)).cuda() for _ in range(2))
tq.load_state_dict(q.state_dict())
opt = torch.optim.Adam(q.parameters())
buf = collections.deque(maxlen=10000)
s, _ = env.reset() if env else (np.zeros(4, np.float32), 0)
for t in range(2000):
    a = (
        random.randrange(2)
        if random.random() < 0.5
        else q(torch.as_tensor(s, dtype=torch.float32, device="cuda")).argmax().item()
    )
    n, r, d, tr, _ = env.step(a) if env else (np.random.randn(4).astype("f"), 1.0, random.random() < 0.1, False, {})
    buf.append((s, a, r, n, d))
    s = n if not (d or tr) else env.reset()[0] if env else np.zeros(4, np.float32)
    if len(buf) > 64:
        S, A, R, N, D = (torch.tensor(np.array(v), device="cuda") for v in zip(*random.sample(buf, 64)))
        with torch.no_grad():
            y = R.float() + 0.99 * tq(N.float()).max(1).values * ~D
        loss = nn.functional.smooth_l1_loss(q(S.float()).gather(1, A[:, None]).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(q.parameters(), 100)
        opt.step()
