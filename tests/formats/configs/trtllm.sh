trtllm-serve meta-llama/Llama-3.1-8B --backend pytorch --tp_size 2 --max_batch_size 128 --max_num_tokens 8192 --max_seq_len 16384
