#include "advise/reading/words/lexicon.h"

// Phrases about the work: methods, tasks, frameworks, types of weights.

namespace ridgeline::reading {

// clang-format off
std::span<const Meaning> work_phrases() {
    static constexpr Meaning meanings[] = {
        {Means::train, "full",
         "all weights|all the weights|every weight|full fine tune|full fine tunes|full fine tuning|full parameter|full param|full params|full parameter fine tuning|full finetuned|"
         "full ft|fft|full tune|full tuning|full weights|full training|full sft|fully fine tune|fully tune|fully train|fine tune fully|"
         "all parameters|dreambooth|pretrain|pretrains|pretrained from scratch|be pretrained|get pretrained|pretraining|pre training run|"
         "from scratch|from zero|from the ground up|randomly initialized|random init|continued pretraining|continual pretraining|"
         "continue pretraining|cpt|chinchilla|chinchilla optimal|reward model|distill|distillation|train from scratch|"
         "training from scratch|trained from scratch|continued training|mid training|learn from scratch|full parameters|all weights|"
         "every parameter|did it cost to train|did they spend to train|did it take to train|did training cost|it cost to train|it took to train|was used to train|were used to train|originally trained|originally train"},
        {Means::train, "lora",
         "lora|loras|low rank adaptation|low rank|peft|adapter|adapters|rslora|textual inversion"},
        {Means::train, "dora",
         "dora"},
        {Means::train, "qlora",
         "qlora|qloras|4bit lora|quantized lora|quantised lora|nf4 lora|fsdp qlora"},
        {Means::train, "dpo",
         "dpo|direct preference optimization|simpo"},
        {Means::train, "orpo",
         "orpo"},
        {Means::train, "kto",
         "kto"},
        {Means::train, "ppo",
         "ppo|rlhf"},
        {Means::train, "grpo",
         "grpo|rloo|rl|reinforcement learning"},
        {Means::train, "",
         "addestramento|addestrare|treinar|treinamento|entrenamiento|entrainement|обучение|дообучение|обучить|дообучить|训练|微调|全量微调|全参微调|"
         "全参数微调|全量训练|train|trains|trainable|trainiert|entreno|training|trained|trainen|trainieren|training run|entrenar|entrainer|retrain|"
         "training runs|trainer|gradient|gradients|optimizer|optimizer states|backprop|gradient accumulation|gradient checkpointing|"
         "activation checkpointing|adam|adamw|sgd|epoch|epochs|mfu|zero3|zero2|fsdp|fsdp2|ddp|llm training|reward model|reward modeling|"
         "model training|distributed training|train run|training job"},
        {Means::filler, "",
         "pretrained|quantized|quantised"},
        {Means::ask, "chinchilla",
         "chinchilla optimal|chinchilla|compute optimal"},
        {Means::ask, "throughput",
         "llama bench"},
        {Means::ask, "mixed_precision",
         "mixed precision|mixed precision training|automatic mixed precision|amp|torch amp|autocast|bf16 mixed|bfloat16 mixed|fp16 mixed|"
         "16 mixed|16bit mixed|mixed bf16|mixed fp16"},
        {Means::ask, "per_sample",
         "$ per image|$ per picture|$ per clip|$ per video|cost per image|cost per picture|cost per clip|cost per video|"
         "price per image|price per picture|price per clip|price per video|dollars per image|dollars per picture|cents per image|"
         "cost of one image|cost of an image|cost of a picture|does one image cost|does an image cost|does one picture cost|does a picture cost"},
        {Means::ask, "per_million",
         "$ per token|cost per token|price per token|dollars per token|cents per token|"
         "tokens per dollar|tokens per $|tok per dollar|tokens per euro|tokens/$"},
        {Means::tune, "",
         "sft|instruction tune|instruction tuning|supervised fine tuning|fine tune|fine tunes|fine tuned|fine tuning|finetunning|"
         "finetunen|fine tuner|teach an ai|teach a model|teach an llm|teach ai|teach a llm|teach my ai|teach my own ai|finetuna|tune|tuning|tuned|ft|affiner|finetunear|swift sft|llm fine tuning|instruct tune|domain adapt|"
         "adapt|personalize|post train|post training|continue training|finetuning run"},
        {Means::optimizer, "adamw-8bit",
         "8bit adam|8bit adamw|adam 8bit|adamw 8bit|8bit optimizer|8 bit optimiser|paged adamw 8bit|paged adamw|bnb adam"},
        {Means::optimizer, "adafactor",
         "adafactor"},
        {Means::optimizer, "lion",
         "lion optimizer|lion"},
        {Means::optimizer, "adamw",
         "adam|adamw|normal adam|plain adam|plain adamw|regular adam|standard adam|normal adamw|adam optimizer|adamw optimizer|32bit adam|32bit adamw"},
        {Means::optimizer, "sgd",
         "sgd|plain sgd|sgd momentum"},
        {Means::optimizer, "adamw-fp32",
         "master weights|fp32 master weights"},
        {Means::optimizer, "muon",
         "muon optimizer|muon"},
        {Means::infer, "",
         "serve|serves|serving|served|deploy|deploying|deployment|inference|inferencing|infer|inferenz|inferencia|servir|chat|chatting|"
         "chatbot|bot|assistant|host|hosts|hosting|self host|self hosting|generate|generating|generation|transcribe|transcription|"
         "transcribing|transcriptions|decode|decoding|decodes|prefill|prefilling|pp|tg|token generation|encode|encodes|encoding|endpoint|api|batch inference|bulk inference|batch processing|batch job|"
         "batch jobs|batched inference|offline inference|rag|kv cache|cold start|roleplay|coding assistant|llm inference|llm serving|"
         "self hosted|self hosted llm|self hosting llms|summarize|summarise|summarization|summarizing|classify documents|classify|"
         "classifying|categorize|categorise|annotate|annotating|extract|extracting|rerank|reranking|moderate|vectorize|embedding of|"
         "summarising|translating|sample from|sampling from|captioning|label|labelling|labeling|embed|embeddings generation|translate|"
         "translation service|predict|predictions|answer questions|completions|code completion|code assistant|copilot|agentic coding|"
         "tool calling|function calling|chat completion|image generation|video generation|generate images|generating images|"
         "text to speech|speech to text|stt|live captioning|tts|ocr|upscale|upscales|upscaling|super resolution|process documents|run inference|inference server|model serving|per million tokens|$ per token|"
         "cost per token|price per token|dollars per token|cents per token|$/m tokens|$/mtok|per mtok|multi lora|lora adapters on one|"
         "adapters on one|$/million tokens|tokens per dollar|tokens per $|tok per dollar|tokens per euro|tokens/$|lowest $/m tokens|lowest $/mtok|cheapest $/m tokens|per m tokens|open webui"},
        {Means::infer, "run",
         "laufen|lauft|laeuft|laufen lassen|laufen zu lassen|zum laufen bringen|draait|draaien|tourner|tourne|rodar|ejecutar|executar|eseguire|run|runs|running|run locally|runnable|handle|handles|correr|running locally|can i use|i can use|can we use"},
        {Means::infer, "weak",
         "local llm|locally|query|caption|captioning|lowest latency|low latency|realtime|single stream|best quant|which quant|what quant|"
         "highest quant|largest quant|lowest quant|smallest quant|narrowest quant|lowest quantization|smallest quantization|best quantization|which quantization|batch one|single user|streaming|process|processing|load|"
         "embedding|embeddings|local llms|good for llms|good for llm|good for ai|good enough for llms|good enough for ai|worth it for llms|worth it for ai|decent for llms|decent for ai|ok for llms|ok for ai|fine for llms|good for language models|good for running llms"},
        {Means::serves_many, "",
         "serve|serving|serves|deploy|deploying|deployment|production"},
        {Means::bulk, "",
         "batch inference|offline inference|bulk inference|batch processing|batch job|batch jobs|batched inference|high batch|"
         "high batches|high batch size|high batch sizes|large batches|big batches|at large batch|at large batch sizes|"
         "at high concurrency|high concurrency|heavily batched"},
        {Means::quantization, "4bit",
         "4bit|4bits|four bit|int4|4bpw|4.0bpw|4.5bpw|4 bit quant|4 bit quantized|4bit quantization|quantized to 4 bit|hqq|quantized 4bit"},
        {Means::quantization, "awq-int4",
         "w4a16|awq|awq int4|awq 4bit|4bit awq|autoawq|w4a8"},
        {Means::quantization, "nvfp4",
         "fp4|nvfp4"},
        {Means::quantization, "int8",
         "8bit|8bits|int8|w8a8|eight bit|quantized to 8 bit|8bit quantized|w8a16|quantized 8bit"},
        {Means::quantization, "q6_k",
         "6bit|q6|gguf q6|q6 gguf|q6k"},
        {Means::quantization, "q5_k_m",
         "5bit|q5|q5 k|gguf q5|q5 gguf|q5km"},
        {Means::quantization, "q3_k_m",
         "3bit|q3|q3 k|q3 gguf|q3km"},
        {Means::quantization, "q2_k",
         "2bit|q2|q2k"},
        {Means::quantization, "nf4",
         "nf4|bnb 4bit|bitsandbytes|bnb"},
        {Means::quantization, "gptq-int4",
         "gptq|gptq int4|gptq 4bit|4bit gptq|marlin"},
        {Means::quantization, "exl2",
         "exl2|exl3|4bpw exl2"},
        {Means::quantization, "mxfp4",
         "mxfp4"},
        {Means::quantization, "fp8",
         "fp8|float8|fp8 weights|e4m3"},
        {Means::quantization, "gguf",
         "gguf|ggml"},
        {Means::quantization, "q4_k_m",
         "q4 gguf|q4|q4km|q4 k|gguf q4|q4_k|unsloth dynamic|ud q4"},
        {Means::quantization, "q8_0",
         "q8|gguf q8|q8 gguf|q80"},
        {Means::quantization, "none",
         "without quantization|without quantisation|without any quantization|without any quantisation|without quantizing|without quantising|"
         "no quantization|no quantisation|not quantized|not quantised|unquantized|unquantised|no quant|no quants|without quant|without quants|"
         "full precision|unquantised weights"},
        {Means::quantization, "q4_k_s",
         "q4ks"},
        {Means::quantization, "q5_k_s",
         "q5ks"},
        {Means::quantization, "q3_k_s",
         "q3ks"},
        {Means::quantization, "iq4_xs",
         "iq4xs"},
        {Means::quantization, "q4_0",
         "q40"},
        {Means::compute, "bf16",
         "16bit|bf16|bfloat16|bf16 mixed|bfloat16 mixed|mixed bf16|16 bits"},
        {Means::compute, "fp16",
         "half precision|fp16|f16|float16|fp16 mixed|mixed fp16"},
        {Means::compute, "fp32",
         "fp32|float32"},
        {Means::compute, "tf32",
         "tf32"},
        {Means::profile, "scientific-computing",
         "scientific computing|hpc|scientific simulations|simulation|simulations|molecular dynamics|cfd|double precision|numerical|qcd|"
         "lattice qcd|astrophysics|seismic|fp64|float64|comsol|ansys|abaqus|quantum espresso|wrf|dft|dft calculations|finite element|gromacs|"
         "weather model|computational chemistry|physics|quantum chemistry|fluid dynamics|openfoam|lammps|namd|amber|fp64 heavy|"
         "climate model|vasp|monte carlo"},
        {Means::profile, "real-time-vision",
         "real time vision|real time vision inference|computer vision|real time video|video analytics|real time object detection|"
         "object detection|real time inference|image classification|self driving|robotics|security cameras|camera streams|video streams|"
         "image segmentation"},
        {Means::profile, "inference-at-scale",
         "inference at scale|llm inference|llm serving"},
        {Means::profile, "llm-training",
         "llm training|deep learning|machine learning"},
        {Means::profile, "fine-tuning",
         "llm fine tuning"},
        {Means::offload, "",
         "zero infinity|offload the optimizer|offload optimizer|offload optimizer states|offload optimizer to cpu|zero offload|"
         "cpu offload|cpu offloading|offload to cpu|optimizer offload|with offload|with offloading|offloading|offload|offloaded"},
        {Means::home, "",
         "own computer|own pc|my own machine|locally|local models|local model|local inference|local use|local ai|local setup|local rig|local machine|local chat|home lab|home pc|home box|home rig|home llm|home llama|home ai|home server|home computer|local llm|local llms|at home|under my desk|under the desk|under a desk|under our desk|on my desk|on the desk|at my desk|beside my desk|next to my desk|deskside|desk side|run locally|running locally|zu hause|daheim|lokal|a casa|in casa|en casa|em casa|chez moi|a la maison|en local|em local|in locale"},
    };
    return meanings;
}
// clang-format on

}  // namespace ridgeline::reading
