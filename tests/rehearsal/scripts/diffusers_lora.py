"""A LoRA of a Stable-Diffusion UNet with diffusers."""
import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler, UNet2DConditionModel
from peft import LoraConfig

unet = UNet2DConditionModel(sample_size=64, block_out_channels=(320, 640, 1280, 1280), cross_attention_dim=768,
                            attention_head_dim=8)
unet.requires_grad_(False)
unet.to("cuda", dtype=torch.float16)
unet.add_adapter(LoraConfig(r=4, target_modules=["to_k", "to_q", "to_v", "to_out.0"]))
trained = [p for p in unet.parameters() if p.requires_grad]
for p in trained:
    p.data = p.to(torch.float32)
unet.enable_gradient_checkpointing()
scheduler = DDPMScheduler(num_train_timesteps=1000)
optimizer = torch.optim.AdamW(trained, lr=1e-4)
scaler = torch.amp.GradScaler("cuda")
for step in range(10):
    latents = torch.randn(4, 4, 64, 64, device="cuda", dtype=torch.float16)
    words = torch.randn(4, 77, 768, device="cuda", dtype=torch.float16)
    noise = torch.randn_like(latents)
    times = torch.randint(0, 1000, (4,), device="cuda").long()
    with torch.autocast("cuda", dtype=torch.float16):
        guess = unet(scheduler.add_noise(latents, noise, times), times, words).sample
        loss = F.mse_loss(guess.float(), noise.float())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    print(step, loss.item())
