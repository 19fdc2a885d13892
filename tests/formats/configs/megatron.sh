#!/bin/bash
GPUS_PER_NODE=8
NUM_NODES=4
MODEL_ARGS=(
    --num-layers 32
    --hidden-size 4096   # as Llama 2 7B
    --ffn-hidden-size 11008
    --num-attention-heads 32
    --seq-length 4096
    --max-position-embeddings 4096
    --swiglu --untie-embeddings-and-output-weights
    --vocab-size 32000
)
PARALLEL="--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --sequence-parallel"
torchrun --nproc_per_node $GPUS_PER_NODE --nnodes ${NUM_NODES} --master_addr $MASTER_ADDR pretrain_gpt.py \
    "${MODEL_ARGS[@]}" $PARALLEL \
    --micro-batch-size 1 --global-batch-size ${BATCH:-128} \
    --bf16 --use-distributed-optimizer --recompute-activations
