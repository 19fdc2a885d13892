# a server
vllm serve meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 2 \
  --dtype bfloat16 --kv-cache-dtype fp8 --max-model-len 16384 \
  --max-num-seqs 64 --gpu-memory-utilization 0.90 --api-key "$(cat key)"
