export LLAMA_ARG_N_PARALLEL=4
./build/bin/llama-server -m models/Qwen3-30B-A3B-Q4_K_M.gguf -c 32768 -ngl 99 -fa on -ctk q8_0 -ctv q8_0
