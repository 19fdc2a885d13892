"""A small GPT of Megatron-Core with tensor parallelism on two cards: its schedule, its data parallelism, torch's Adam."""

import os

import torch
from megatron.core import parallel_state
from megatron.core.distributed import DistributedDataParallel, DistributedDataParallelConfig
from megatron.core.distributed.finalize_model_grads import finalize_model_grads
from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
from megatron.core.models.gpt.gpt_model import GPTModel
from megatron.core.pipeline_parallel.schedules import get_forward_backward_func
from megatron.core.tensor_parallel.random import model_parallel_cuda_manual_seed
from megatron.core.transformer.transformer_config import TransformerConfig

LENGTH, BATCH, WORDS = 512, 8, 32000

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.distributed.init_process_group("nccl")
parallel_state.initialize_model_parallel(tensor_model_parallel_size=2, pipeline_model_parallel_size=1)
model_parallel_cuda_manual_seed(123)

config = TransformerConfig(num_layers=4, hidden_size=1024, num_attention_heads=16, pipeline_dtype=torch.float32)
model = GPTModel(config, get_gpt_layer_local_spec(), vocab_size=WORDS, max_sequence_length=LENGTH).cuda()
model = DistributedDataParallel(config, DistributedDataParallelConfig(), model)
optimizer = torch.optim.Adam(model.parameters())


def batches():
    while True:
        tokens = torch.randint(0, WORDS, (BATCH, LENGTH + 1)).cuda()
        mask = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1).cuda()[None, None].expand(BATCH, 1, LENGTH, LENGTH)
        yield tokens[:, :-1], tokens[:, 1:], mask, torch.arange(LENGTH).cuda().expand(BATCH, LENGTH)


def forward(rows, model):
    tokens, labels, mask, places = next(rows)
    losses = model(tokens, places, mask, labels=labels)
    return losses, lambda out: (out.float().mean(), {"loss": out.float().mean().detach()})


rows, run = batches(), get_forward_backward_func()
for step in range(5):
    model.zero_grad_buffer()
    losses = run(forward_step_func=forward, data_iterator=rows, model=model, num_microbatches=2, seq_length=LENGTH,
                 micro_batch_size=BATCH, forward_only=False)
    finalize_model_grads([model])
    optimizer.step()
    print(step, [one["loss"].item() for one in losses])
