#!/usr/bin/env python3
"""What --from reads of recipes: scripts that start tools by way of others, and trainers with tables of their own.

Usage: recipes_test.py LIBRARY SOURCE_FOLDER. The texts are in our own words; the expected values are theirs.
"""
import ctypes
import json
import pathlib
import sys

library = ctypes.CDLL(sys.argv[1])
root = pathlib.Path(sys.argv[2])
library.ridgeline_open.restype = ctypes.c_void_p
library.ridgeline_ask.restype = ctypes.c_void_p
library.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
library.ridgeline_ask.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
library.ridgeline_free.argtypes = [ctypes.c_void_p]
world = library.ridgeline_open(str(root).encode(), None, 0)
failures = []


def ask(command, **options):
    answer = library.ridgeline_ask(world, json.dumps({"command": command, "options": {**options, "json": True}}).encode())
    reply = json.loads(ctypes.string_at(answer))
    library.ridgeline_free(answer)
    return reply


def read(text, on):
    return ask("estimate", **{"from": [text], **({"on": on} if on else {})})


def option(body, name):
    """What the files say of an option, as the answer lists it."""
    for file in body.get("imports", []):
        for note in file["read"]:
            words = note["meaning"].split()
            if "--" + name in words:
                return words[words.index("--" + name) + 1]
    return None


def value(body, path):
    if path.split(".")[0] not in ("workload", "hardware", "body"):
        return option(body, path)
    for key in path.split("."):
        body = body.get(key) if isinstance(body, dict) else None
    return body


LLAMA = "meta-llama/Llama-3.1-8B"
TRL_ROUND = ("accelerate launch train_grpo.py --model_name_or_path Qwen/Qwen2.5-7B-Instruct --per_device_train_batch_size 4 "
             "--num_generations 8 --max_completion_length 512 --bf16 true")
SWIFT = "swift {} --model Qwen/Qwen2.5-7B-Instruct --tuner_type lora --max_length 1024 --per_device_train_batch_size 2"
VERL = ("python3 -m verl.trainer.main_ppo data.train_batch_size=256 data.max_prompt_length=512 data.max_response_length=1024 "
        "actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct ")
TORCHRUN = "torchrun --nnodes=$SLURM_NNODES --nproc-per-node=4 train.py --model_name_or_path " + LLAMA
# what it is, text, hardware, what the answer says
CASES = [
    ("ms-swift: adapters are the default", f"model: {LLAMA}\ntuner_type: lora\nlora_rank: 24\nmax_length: 1024\n"
     "per_device_train_batch_size: 2\ndeepspeed: zero3\n", "l40s:2",
     {"workload.method": "lora", "workload.lora.rank": 24, "workload.batch.micro": 2,
      "workload.parallel.sharding": "zero3", "workload.software.framework": "ms-swift"}),
    ("variables before a command", f"CUDA_VISIBLE_DEVICES=0,1 \\\nNPROC_PER_NODE=2 \\\nmegatron sft \\\n --model {LLAMA} \\\n"
     " --tuner_type full \\\n --tensor_model_parallel_size 2 \\\n --micro_batch_size 1 \\\n --global_batch_size 8 \\\n"
     " --recompute_granularity full \\\n --max_length 4096\n", "h100-sxm5-80gb:4",
     {"workload.method": "full", "workload.parallel.tensor": 2, "workload.batch.global": 8,
      "workload.recompute": "full", "workload.batch.sequence_length": 4096}),
    ("a command in a here-document", f"set -x\nread -r -d '' words <<EOF\nopenrlhf.cli.train_dpo \\\n"
     f"  --model.model_name_or_path {LLAMA} \\\n  --train.micro_batch_size 2 \\\n  --train.batch_size 64 \\\n"
     "  --ds.zero_stage 3 \\\n  --ds.lora.rank 48 \\\n  --data.max_len 1024\nEOF\ndeepspeed --module $words\n",
     "h100-sxm5-80gb:4",
     {"workload.method": "lora", "workload.lora.rank": 48, "algorithm": "dpo", "workload.batch.micro": 2,
      "workload.parallel.sharding": "zero3"}),
    ("overrides of Hydra", "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=256 "
     "data.max_prompt_length=256 data.max_response_length=768 actor_rollout_ref.model.path=Qwen/Qwen2.5-3B-Instruct "
     "actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 "
     "actor_rollout_ref.rollout.n=6 +trainer.nnodes=1 trainer.n_gpus_per_node=4 $@\n", "h100-sxm5-80gb",
     {"hardware.count": 4, "workload.method": "lora", "workload.lora.rank": 32, "algorithm": "grpo",
      "group-size": "6", "workload.batch.micro": 8}),
    ("LitGPT says each projection", f"checkpoint_dir: checkpoints/{LLAMA}\nprecision: bf16-true\nquantize: bnb.nf4-dq\n"
     "devices: 1\nlora_r: 12\nlora_value: false\nlora_key: true\ntrain:\n  micro_batch_size: 2\n  global_batch_size: 6\n"
     "  max_seq_length: 768\n", "rtx-4090",
     {"workload.method": "qlora", "workload.lora.rank": 12, "workload.lora.targets": ["k_proj", "q_proj"],
      "workload.batch.global": 6, "workload.recompute": "none"}),
    ("GPT-NeoX: a YAML map in braces", '{\n  # own\n  "pipe_parallel_size": 1, "model_parallel_size": 2,\n'
     '  "num_layers": 12, "hidden_size": 1024, "num_attention_heads": 16, "seq_length": 1024,\n'
     '  "no_weight_tying": True, "zero_optimization": {"stage": 1},\n'
     '  "train_micro_batch_size_per_gpu": 3, "checkpoint_activations": true,\n}\n', "l40s:4",
     {"workload.parallel.tensor": 2, "workload.batch.micro": 3, "workload.recompute": "full",
      "workload.parallel.sharding": "zero1", "workload.batch.sequence_length": 1024}),
    ("NeMo AutoModel", f"recipe: Own\nstep_scheduler: {{local_batch_size: 2, global_batch_size: 16}}\n"
     f"model: {{_target_: own, pretrained_model_name_or_path: {LLAMA}}}\n"
     "peft: {_target_: nemo_automodel.components._peft.lora.PeftConfig, dim: 20, target_modules: '*_proj'}\n"
     "distributed: {strategy: fsdp2, tp_size: 2, activation_checkpointing: true}\ndataset: {seq_len: 2048}\n",
     "h100-sxm5-80gb:4",
     {"workload.method": "lora", "workload.lora.rank": 20, "workload.parallel.tensor": 2,
      "workload.batch.global": 16, "workload.recompute": "full"}),
    ("PEFT's own words", TORCHRUN.replace("$SLURM_NNODES", "1") + " --use_peft_lora True --use_4bit_quantization True "
     "--lora_r 40 --per_device_train_batch_size 2 --max_length 1024\n", "l40s",
     {"workload.method": "qlora", "workload.lora.rank": 40, "hardware.count": 4}),
    ("python alone starts a trainer", f"python -u own/train.py --model_name_or_path {LLAMA} --use_peft True --lora_r 10 "
     "--per_device_train_batch_size 1 --max_length 512 --bf16\n", "l40s",
     {"workload.method": "lora", "workload.lora.rank": 10, "workload.batch.sequence_length": 512}),
    ("what Slurm sets", "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gres=gpu:4\nsrun bash -c \"" + TORCHRUN +
     " --per_device_train_batch_size 1 --max_length 512 --bf16 --node \\$SLURM_PROCID\" &\n", "h100-sxm5-80gb",
     {"hardware.count": 8, "hardware.nodes": 2, "workload.batch.micro": 1}),
    ("words kept in variables", "#!/bin/bash\n#SBATCH --nodes=1\nexport START=\"python -u -m torch.distributed.run "
     "--nproc_per_node 8 --rdzv_endpoint $HOST:29500 --tee 3 \"\nSIZES=\" --num-layers 8 --hidden-size 512 "
     "--num-attention-heads 8 --seq-length 512 --micro-batch-size 4 --tensor-model-parallel-size 2 --save $WHERE \"\n"
     "export CMD=\" pretrain_gpt.py $SIZES --bf16 \"\nsrun --jobid $JOB bash -c '$START --node_rank $RANK $CMD' 2>&1\n",
     "h100-sxm5-80gb",
     {"hardware.count": 8, "workload.parallel.tensor": 2, "workload.batch.micro": 4,
      "workload.batch.sequence_length": 512}),
    ("braces in braces", "ROOT=${ROOT:-\"${HOME}/own\"}\nSIZE=${SIZE:-\"2\"}\nvllm serve Qwen/Qwen2.5-7B-Instruct "
     "--tensor-parallel-size ${SIZE} --max-model-len 4096\n", "l40s:2", {"workload.parallel.tensor": 2}),
    ("words of Megatron-DeepSpeed", "#!/bin/bash\ndeepspeed pretrain_gpt.py --num-layers 8 --hidden-size 512 --seq-length 512 "
     "--num-attention-heads 8 --micro-batch-size 2 --zero-stage 1 --checkpoint-activations --glu-activation swiglu --bf16\n",
     "l40s:2", {"workload.parallel.sharding": "zero1", "workload.recompute": "full"}),
    ("SkyPilot's variables", "envs:\n  NAME: Qwen/Qwen2.5-7B-Instruct\nresources:\n  accelerators: L40S:2\nrun: |\n"
     "  if true; then\n    vllm serve $NAME --tensor-parallel-size $SKYPILOT_NUM_GPUS_PER_NODE --max-model-len 4096\n  fi\n",
     "", {"workload.model": "qwen2.5-7b", "workload.parallel.tensor": 2, "hardware.count": 2}),
    ("dstack, and a flag cut short", "type: service\nname: own\nenv:\n  - MODEL=Qwen/Qwen2.5-7B-Instruct\ncommands:\n"
     "  - pip install own\n  - vllm serve $MODEL --tensor-parallel $DSTACK_GPUS_NUM --max-num-seq 24\n"
     "    --max-model-len 4096\nresources:\n  gpu: L40S:2\n", "",
     {"workload.model": "qwen2.5-7b", "workload.parallel.tensor": 2, "workload.serving.concurrency": 24}),
    ("axolotl: FSDP in its section alone", f"base_model: {LLAMA}\nsequence_len: 1024\nmicro_batch_size: 1\nadapter: lora\n"
     "lora_r: 8\nfsdp_config:\n  fsdp_version: 2\n  activation_checkpointing: true\n", "l40s:2",
     {"workload.parallel.sharding": "fsdp", "workload.recompute": "full"}),
    ("axolotl: words of FSDP in any order", f"base_model: {LLAMA}\nsequence_len: 1024\nmicro_batch_size: 1\n"
     "fsdp: [auto_wrap, full_shard]\n", "h100-sxm5-80gb:4", {"workload.parallel.sharding": "fsdp"}),
    ("LLaMA-Factory over Megatron", "model_name_or_path: Qwen/Qwen3-30B-A3B\nstage: sft\nfinetuning_type: full\n"
     "cutoff_len: 2048\nper_device_train_batch_size: 1\npipeline_model_parallel_size: 2\nexpert_model_parallel_size: 4\n",
     "h100-sxm5-80gb:8", {"workload.parallel.pipeline": 2, "workload.parallel.expert": 4}),
    # DeepSpeed keeps fp32 weights and moments, whatever drives it; SHARD_GRAD_OP is FSDP's.
    ("ZeRO is DeepSpeed's", f"model_name_or_path: {LLAMA}\nstage: sft\nfinetuning_type: full\nbf16: true\n"
     "cutoff_len: 2048\nper_device_train_batch_size: 1\ndeepspeed: examples/deepspeed/ds_z3_config.json\n",
     "h100-sxm5-80gb:8", {"workload.parallel.sharding": "zero3", "workload.precision.master_weights": "fp32",
                          "workload.optimizer.state": "fp32", "workload.precision.weights": "bf16"}),
    ("gradients sharded by FSDP", f"base_model: {LLAMA}\nsequence_len: 1024\nmicro_batch_size: 1\nbf16: true\n"
     "fsdp: [shard_grad_op, auto_wrap]\n", "h100-sxm5-80gb:4",
     {"workload.parallel.sharding": "fsdp", "workload.precision.master_weights": "none"}),
    ("Megatron without sequence parallelism", "#!/bin/bash\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 "
     "--hidden-size 512 --num-attention-heads 8 --seq-length 512 --micro-batch-size 4 --tensor-model-parallel-size 8\n",
     "h100-sxm5-80gb", {"workload.parallel.sequence_parallel": False}),
    ("NeMo 1 trains whole models", "trainer: {devices: 8, precision: bf16}\nmodel: {micro_batch_size: 1, fp8: true, "
     "tensor_model_parallel_size: 2, encoder_seq_length: 1024, num_layers: 8, hidden_size: 512, num_attention_heads: 8}\n",
     "h100-sxm5-80gb", {"workload.method": "full", "workload.precision.compute": "fp8"}),
    ("a script of the Trainer is not TRL's", f"torchrun --nproc_per_node 2 run_clm.py --model_name_or_path {LLAMA} --bf16 "
     "--dataset_name own --per_device_train_batch_size 1 --block_size 1024 --fsdp 'full_shard auto_wrap'\n", "h100-sxm5-80gb",
     {"workload.software.framework": "hf-trainer-amp", "workload.software.loss": "eager", "workload.recompute": "none"}),
    ("one with TRL's flags is", f"python own.py --model_name_or_path {LLAMA} --per_device_train_batch_size 1 --packing "
     "--bf16\n", "h100-sxm5-80gb", {"workload.software.framework": "trl"}),
    ("Ollama's library is in four bits", "FROM llama3.1:70b\n", "h100-sxm5-80gb",
     {"workload.model": "llama-3.1-70b", "workload.precision.quantization": "q4_k_m"}),
    ("a repository without a type", "llama-server -hf unsloth/Qwen3-30B-A3B-GGUF -c 4096\n", "rtx-3090",
     {"workload.precision.quantization": "q4_k_m"}),
    ("Unsloth's types", "llama-server -hf unsloth/Qwen3-30B-A3B-GGUF:UD-Q2_K_XL -c 4096\n", "rtx-3090",
     {"workload.model": "qwen3-30b-a3b", "workload.precision.quantization": "q2_k"}),
    ("one of several files", "llama-server -m own/Qwen2.5-7B-Instruct-Q8_0-00001-of-00003.gguf -c 4096\n", "rtx-3090",
     {"workload.model": "qwen2.5-7b", "workload.precision.quantization": "q8_0"}),
    ("a type behind a dot", "llama-server -m own/Qwen2.5-7B-Instruct.Q5_K_M.gguf -c 4096\n", "rtx-3090",
     {"workload.model": "qwen2.5-7b", "workload.precision.quantization": "q5_k_m"}),
    ("a file of 16 bits", "llama-server -m own/Qwen2.5-7B-Instruct-F16.gguf -c 4096\n", "rtx-3090",
     {"workload.model": "qwen2.5-7b", "workload.precision.quantization": "f16"}),
    ("published in four bits", "ollama run gpt-oss:20b\n", "rtx-3090", {"workload.precision.quantization": "mxfp4_moe"}),
    ("no accumulation is one", "torchrun --nproc_per_node=4 sft.py --model_name_or_path meta-llama/Llama-3.1-8B --per_device_train_batch_size 1 "
     "--use_peft --bf16 true\n", "h100-sxm5-80gb:4", {"workload.batch.global": 4}),
    ("each of its requests has the context", "OLLAMA_CONTEXT_LENGTH=16384 OLLAMA_NUM_PARALLEL=4 ollama run llama3.1:8b\n", "rtx-4090",
     {"workload.serving.concurrency": 4, "workload.serving.input_tokens": 16384 - 512}),
    ("attention apart within the group", "python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 "
     "--dp 4 --enable-dp-attention --context-length 4096\n", "h200-sxm-141gb:8",
     {"workload.parallel.data": 4, "workload.parallel.tensor": 2, "workload.parallel.expert": 8}),
    ("an image is its server", "docker run --gpus all -v ~/vllm:/root/vllm -p 8000:8000 vllm/vllm-openai:v0.10.0 "
     "--model Qwen/Qwen2.5-7B-Instruct --tensor-parallel-size 2 --max-model-len 4096\n", "l40s:2",
     {"workload.model": "qwen2.5-7b", "workload.parallel.tensor": 2, "workload.software.framework": "vllm"}),
    ("TGI's image", "services:\n  own:\n    image: ghcr.io/huggingface/text-generation-inference:3.3\n"
     "    environment: [MODEL_ID=Qwen/Qwen2.5-7B-Instruct, QUANTIZE=eetq]\n    command: --max-total-tokens 4096\n", "l40s",
     {"workload.model": "qwen2.5-7b", "workload.precision.quantization": "int8", "workload.software.framework": "tgi"}),
    # grpo_config.py of TRL 1.16: use_vllm False, vllm_mode colocate, a share of 0.3, beta 0.0 (no reference is kept).
    ("GRPO in TRL's own words", TRL_ROUND, "h100-sxm5-80gb:8",
     {"workload.rl.reference": False, "workload.rl.engine": False, "workload.software.framework": "trl"}),
    ("an engine beside the trainer", TRL_ROUND + " --use_vllm --vllm_enable_sleep_mode true --vllm_tensor_parallel_size 2 --beta 0.04\n",
     "h100-sxm5-80gb:8", {"workload.rl.engine": True, "workload.rl.engine_sleeps": True, "workload.rl.placement": "colocated",
                          "workload.rl.generation.tensor": 2, "workload.rl.reference": None}),
    ("an engine on cards of its own", TRL_ROUND + " --use_vllm --vllm_mode server\n", "h100-sxm5-80gb:8",
     {"workload.rl.placement": "separate"}),
    ("RLOO keeps its reference", TRL_ROUND.replace("train_grpo", "rloo") + "\n", "h100-sxm5-80gb:8", {"workload.rl.reference": None}),
    # ms-swift accumulates up to 16 samples a step (trainers/arguments.py), GRPO none.
    ("ms-swift looks for 16 samples", SWIFT.format("sft") + "\n", "l40s:4", {"workload.batch.global": 16}),
    ("and for no more than one of each rank", SWIFT.format("sft") + "\n", "l40s:16", {"workload.batch.global": 32}),
    ("one in GRPO", SWIFT.format("rlhf --rlhf_type grpo --num_generations 4") + "\n", "l40s:4", {"workload.batch.global": 8}),
    # verl 0.9: ppo_micro_batch_size is of all ranks, penalties are off (need_reference_policy), rewards are a program's.
    ("verl's micro-batch of all ranks", VERL + "actor_rollout_ref.actor.ppo_micro_batch_size=32\n", "h100-sxm5-80gb:8",
     {"workload.batch.micro": 4, "workload.rl.reference": False, "workload.rl.reward_model": "none"}),
    ("verl's micro-batch of a rank", VERL + "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 "
     "actor_rollout_ref.actor.use_kl_loss=True\n", "h100-sxm5-80gb:8", {"workload.batch.micro": 8, "workload.rl.reference": None}),
    ("verl's micro-batch by tokens", VERL + "actor_rollout_ref.actor.use_dynamic_bsz=True "
     "actor_rollout_ref.actor.ppo_max_token_len_per_gpu=12288\n", "h100-sxm5-80gb:8", {"workload.batch.micro": 8}),
    ("OpenRLHF's older flags", "python3 -m openrlhf.cli.train_ppo_ray --pretrain Qwen/Qwen2.5-7B --rollout_batch_size 256 "
     "--n_samples_per_prompt 8 --prompt_max_len 1024 --generate_max_len 3072 --advantage_estimator group_norm --init_kl_coef 0 "
     "--colocate_all_models --vllm_enable_sleep --micro_train_batch_size 2 --zero_stage 3 --bf16\n", "h100-sxm5-80gb:8",
     {"workload.rl.algorithm": "grpo", "workload.rl.prompts_per_step": 256, "workload.rl.reference": False,
      "workload.rl.max_sequence_length": 4096, "workload.rl.engine_sleeps": True}),
    # Tools that start a rank on each card that they see.
    ("visible cards", "CUDA_VISIBLE_DEVICES=0,1,2,3 llamafactory-cli train --stage sft --finetuning_type lora --model_name_or_path "
     + LLAMA + " --per_device_train_batch_size 1\n", "l40s", {"hardware.count": 4}),
    ("cards that DeepSpeed is given", "deepspeed --include localhost:0,1,2 run_sft.py --model_name_or_path " + LLAMA
     + " --per_device_train_batch_size 1 --use_peft\n", "l40s", {"hardware.count": 3}),
    ("switches before a script", "accelerate launch --use_fsdp --fsdp_activation_checkpointing true --use_parallelism_config "
     "--parallelism_config_cp_size 2 --num_processes 4 sft.py --model_name_or_path " + LLAMA + " --per_device_train_batch_size 1\n",
     "l40s:4", {"workload.parallel.context": 2, "workload.recompute": "full", "workload.parallel.sharding": "fsdp"}),
    ("a card by its number", "CUDA_VISIBLE_DEVICES=3 llama-server -hf unsloth/Qwen3-30B-A3B-GGUF -c 4096\n", "rtx-3090",
     {"hardware.count": 1}),
    ("ranks that a launcher states", "CUDA_VISIBLE_DEVICES=0,1,2,3 torchrun --nproc_per_node=2 sft.py --model_name_or_path " + LLAMA
     + " --per_device_train_batch_size 1 --use_peft\n", "l40s", {"hardware.count": 2}),
    # A draft: its size stands in its name; a look-up of n-grams has none.
    ("a draft model", "vllm serve meta-llama/Llama-3.3-70B-Instruct -tp 4 --max-model-len 8192 --speculative-config "
     "'{\"model\": \"meta-llama/Llama-3.2-1B-Instruct\", \"num_speculative_tokens\": 5}'\n", "h100-sxm5-80gb:4",
     {"workload.serving.draft_tokens": 5, "workload.serving.draft_parameters": 1e9}),
    ("drafts of n-grams", "vllm serve Qwen/Qwen3-8B --max-model-len 8192 --speculative-config.method ngram "
     "--speculative-config.num_speculative_tokens 4\n", "l40s", {"workload.serving.draft_tokens": 4, "workload.serving.draft_parameters": 0}),
    ("settings behind a launcher", "tune run --nproc_per_node 4 lora_finetune_distributed --config llama3_1/8B_lora batch_size=4 "
     "model._component_=torchtune.models.llama3_1.lora_llama3_1_8b tokenizer.max_seq_len=4096\n", "l40s:4",
     {"workload.batch.micro": 4, "workload.batch.sequence_length": 4096}),
    ("GKE's name of a card", "apiVersion: v1\nkind: Pod\nspec:\n  nodeSelector: {cloud.google.com/gke-accelerator: "
     "nvidia-tesla-a100}\n  containers:\n  - image: vllm/vllm-openai\n    args: [--model, Qwen/Qwen2.5-7B-Instruct]\n"
     "    resources: {limits: {nvidia.com/gpu: 1}}\n", "", {"hardware.accelerator": "a100-sxm4-40gb"}),
]
for what, text, on, wanted in CASES:
    reply = read(text, on)
    body = reply.get("body")
    if reply["exit_code"] not in (0, 3):
        failures.append(f"{what}: {body}")
        continue
    for path, expected in wanted.items():
        if value(body, path) != expected:
            failures.append(f"{what}: {path} is {value(body, path)!r}, expected {expected!r}")

# A script that starts nothing known is no broken TOML.
message = value(read("A=1 \\\nown_trainer --steps 3 \\\n  --more\n", "l40s"), "body.error.message") or ""
if "starts nothing" not in message:
    failures.append("a script was called: " + message)
# Variables that hold themselves or double are followed so far and no further.
for text in ('A=" $A x"\nvllm serve $A\n', "".join(f'A{i}=" $A{i + 1} $A{i + 1} "\n' for i in range(60)) + "vllm serve $A0\n"):
    if read(text, "l40s")["exit_code"] not in (0, 2, 3, 4):
        failures.append("a loop of variables: " + text[:20])
# What is not known is told with the nearest that is.
AXOLOTL = f"base_model: {LLAMA}\nadapter: lora\nlora_r: 16\nlora_target_linear: true\nmicro_batch_size: 1\n"
for text, key, near in [(AXOLOTL + "optimizer: adamw_tourch\n", "uncounted", "adamw_torch"),
                        (AXOLOTL + "per_device_train_batch_size: 4\n", "unknown", "micro_batch_size"),
                        (AXOLOTL + "sequence_length: 4096\n", "unknown", "sequence_len")]:
    notes = [note for file in read(text, "l40s")["body"].get("imports", []) for note in file[key]]
    if not any(f'"{near}"' in note["meaning"] for note in notes):
        failures.append(f"{text.splitlines()[-1]}: {notes}")
# An expression over modules reaches what the model has there; a reentrant checkpoint keeps no input of an 8-bit product.
EXPRESSION = ("base_model: LiquidAI/LFM2-8B-A1B\nadapter: lora\nload_in_8bit: true\nlora_r: 8\nmicro_batch_size: 1\n"
              "sequence_len: 1024\ngradient_checkpointing: true\nlora_target_modules: '{}'\n")
ALL = r"model.layers.[\d]+.(mlp|cross_attn|self_attn).(up|down|gate|q|k|v|o)_proj"
for base, pattern, targets in [("LiquidAI/LFM2-8B-A1B", ALL, ["q_proj", "k_proj", "v_proj"]),
                               ("LiquidAI/LFM2-8B-A1B", r".*\.self_attn\.out_proj", ["o_proj"]),
                               ("deepseek-ai/DeepSeek-V2-Lite", r".*\.(mlp)\.(up|q)_proj", ["mlp.up_proj"]),
                               (LLAMA, ALL, ["up_proj", "down_proj", "gate_proj", "q_proj", "k_proj", "v_proj", "o_proj"])]:
    body = read(EXPRESSION.format(pattern).replace("LiquidAI/LFM2-8B-A1B", base), "l40s")["body"]
    if value(body, "workload.lora.targets") != targets:
        failures.append(f"{base}, {pattern}: {value(body, 'workload.lora.targets')}")
    layers = {part["name"]: part["gib"] for part in body["memory"]["components"]}.get("activations.layers", 0) if "memory" in body else 0
    if not 0 < layers < 0.3:
        failures.append(f"{base}: the layers keep {layers} GiB")
# A command that names its configuration asks for it; two files of two models are two runs.
missing = value(read("axolotl train own.yaml --micro-batch-size 2\n", "l40s"), "body.error.hint") or ""
if "own.yaml" not in missing:
    failures.append("the file that is named: " + missing)
two = ask("estimate", **{"from": [AXOLOTL, AXOLOTL.replace(LLAMA, "Qwen/Qwen3-8B")], "on": "l40s"})
if "another model" not in (value(two, "body.error.message") or ""):
    failures.append(f"two models: {two}")
# Two servers on one card take what their shares are together: 0.92 where none is stated.
SERVE = "CUDA_VISIBLE_DEVICES={} vllm serve Qwen/Qwen2.5-{}B-Instruct --max-model-len 4096 {} &\n"
for second, share, code in [("0", "--gpu-memory-utilization 0.5", 3), ("1", "--gpu-memory-utilization 0.5", 0),
                            ("0", "--gpu-memory-utilization 0.3", 0), ("0", "", 3)]:
    script = SERVE.format("0", 7, "--gpu-memory-utilization 0.6") + SERVE.format(second, 3, share)
    found = ask("check", **{"from": [script], "on": "h100-sxm5-80gb"})["exit_code"]
    if found != code:
        failures.append(f"servers on one card ({second}, {share}): exit code {found}")
# A pod on a slice of a card is not judged on the whole card.
pod = ("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai\n    args: [--model, Qwen/Qwen2.5-3B-Instruct]\n"
       "    resources: {limits: {nvidia.com/mig-2g.20gb: 1}}\n")
if ask("check", **{"from": [pod], "on": "h100-sxm5-80gb"})["body"].get("verdict") != "not judged":
    failures.append("a pod on a slice was judged")
# A flag that could be two is not guessed.
reply = read("vllm serve Qwen/Qwen2.5-7B-Instruct --max-num 24\n", "l40s")
if "--max-num" not in [note["key"] for file in reply["body"].get("imports", []) for note in file["unknown"]]:
    failures.append("--max-num was guessed")

print("\n".join(failures) or f"{len(CASES)} recipes read")
sys.exit(bool(failures))
