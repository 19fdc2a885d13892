python -m sglang.launch_server --model-path Qwen/Qwen2.5-32B --tp 4 --context-length 32768 \
  --max-running-requests 32 --mem-fraction-static 0.85 --trust-remote-code
