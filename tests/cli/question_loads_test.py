#!/usr/bin/env python3
"""Questions about memory, what an engine holds, loads and runs: parts, contexts, adapters, batches, lengths and streams.

Usage: question_loads_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
import re
from math import isclose

from asked import ask, document_of, hold, run, text, value, sure_rents


def parts_are_left_out():
    # 16 bytes a parameter: fp32 weights, gradients and both moments.
    for question, parameters in (("total memory for training gpt-3 175b without activations", 175e9), ("memory of 70b full training excluding activations", 70e9),
                                 ("13b full training, activations not counted: how many GB", 13e9), ("qwen2.5-14b full finetune memory with activations left out", 14.8e9)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "memory" and 0.9 < value(answer, "memory") * 2**30 / (16 * parameters) < 1.1, answer)
    question = "vram of a 3b full training apart from the optimizer states"
    _, answer, _ = ask(question)
    hold(question, "without the states of the optimizer" in answer["headline"], answer)


def recordings_are_heard_by_all_cards():
    # Each has windows of its own: eight hear about eight times as fast as one, and a rent within the sum is told.
    rate = {}
    for count in (1, 8):
        _, answer, _ = ask(f"whisper large v3, {count} H100 SXM, 50000 hours")
        rate[count] = 1 / value(answer, "time")
    hold("eight of them", 6 < rate[8] / rate[1] < 9, rate)
    for question in ("transcribe 50,000 hours of call center audio with whisper large v3, fastest under $2000",
                     "transcribe 50,000 hours of audio with whisper large v3 within a $2000 rental budget, as fast as possible"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "Rent " in answer["headline"] and value(answer, "cost") < 2000 and value(answer, "time") < 60, answer["headline"])
    _, answer, _ = ask("fastest way to transcribe 50000 hours on rented gpus with whisper large v3")
    hold("rented", "Rent " in answer["headline"] and "Buy " not in answer["headline"], answer["headline"])
    _, answer, _ = ask("best gpu under $2000 to transcribe 100 hours of audio with whisper")
    hold("a card", "Buy " in answer["headline"], answer["headline"])


def a_rate_is_kept_by_what_is_gathered():
    # 30M tokens a day are 347 a second, which one card makes of many at once.
    for question in ("our 16 L4s sit at 15% utilisation. should we give them back and use an API? we do 30M tokens per day with llama 3.1 8b",
                     "can 16 L4 serve 30M tokens a day with llama 3.1 8b"):
        _, answer, _ = ask(question)
        hold(question, answer["verdict"] == "yes" and "barely" not in answer["headline"] and re.search(r"[12] of the 16 keeps? it with room", answer["headline"]), answer["headline"])


def what_embeds_beside_others_writes_nothing_for_them():
    question = "need 3 models always on in one cluster: llama 3.3 70b fp8, qwen2.5-coder-32b awq and bge-m3 embeddings, 40 concurrent users each. what to buy?"
    reading, answer, _ = ask(question)
    hold("output", reading.get("output_tokens") != 0 and reading["not_understood"] == [], reading)
    hold("what is sized", answer["headline"].startswith("Sized by the memory of all 3 and the load of llama-3.3-70b alone"), answer["headline"])


def four_bits_beside_qlora_are_its_own():
    # QLoRA stores weights in 4 bits by itself: 70.6e9 x 0.52 B are 34 GiB, a copy in 16 bits would be 131 more.
    for plain, said in (("how much vram for qlora of llama 3.1 70b", "how much vram for qlora 4-bit of llama 3.1 70b"),
                        ("how much vram for qlora of llama 3.1 8b", "how much vram for 4bit qlora of llama 3.1 8b")):
        _, answer, _ = ask(plain)
        _, other, _ = ask(said)
        hold(said, value(answer, "memory") == value(other, "memory"), other)
    reading, answer, code = ask("does 4-bit qlora of llama 3.1 70b fit 1x a100 80gb")
    hold("4-bit on 80 GB", code == 0 and answer["verdict"] in ("yes", "barely"), answer)


def a_cache_per_thousand_tokens():
    # 80 layers, 8 heads of 128, keys and values of 2 bytes: 320 KiB a token, of 1,024 of them 0.3125 GiB; 32 layers: 0.125.
    for question, gib in (("what's the kv cache size per 1k tokens of qwen2.5 72b", 0.3125), ("kv cache per 1k tokens of llama 3.1 8b", 0.125)):
        _, answer, _ = ask(question)
        hold(question, abs(value(answer, "kv_cache") / gib - 1) < 0.02, answer)


def a_run_is_told_by_the_time_it_took_elsewhere():
    # Four cards of data parallelism take a fourth of the time and some more; of a card the user's own time is not corrected.
    question = "my lora finetune of llama 3.1 8b took 12 hours on one a100 80gb, how long on 4 of them"
    reading, answer, code = ask(question)
    hold(question, code == 0 and 3 <= value(answer, "time") <= 5 and answer["choice"]["count"] == 4, answer)
    question = "if my lora run of 8b takes 9h on 1x 4090, how long on 8x h100?"
    reading, answer, code = ask(question)
    # Dense bf16 peaks of 165 and 989 TFLOP/s, 8 of the latter: 48 times at most, 11 min; half of that is 22.
    hold(question, code == 0 and 9 / 60 < value(answer, "time") < 0.5 and answer["choice"]["count"] == 8 and "h100" in answer["choice"]["accelerator"], answer)


def a_run_of_some_hours_a_day_takes_so_many_days():
    base = ask("lora of llama 3.1 8b on 1B tokens on 4 a6000, how many hours")[1]
    hours = value(base, "time") * (24 if base["value"][0]["unit"] == "days" else 1)
    for question, a_day in (("lora of llama 3.1 8b on 1B tokens on 4 a6000, 8 hours a day, how many days", 8),
                            ("lora of llama 3.1 8b on 1B tokens on 4 a6000, 12 h a day, when is it done", 12)):
        _, answer, _ = ask(question)
        hold(question, isclose(value(answer, "time"), hours / a_day, rel_tol=0.02) and isclose(value(answer, "work_time"), hours, rel_tol=0.02), answer)
        hold(question, f"days of {a_day} hours" in answer["headline"], answer["headline"])



def a_share_of_the_day_is_no_hours_of_a_run():
    within = "fine-tune llama 8b on 200M tokens on an A100 within 24 hours"
    hold("share", "within the 24 h asked" in ask(within + ", GPU utilization 60%")[1]["headline"])
    hold("hours", "longer than the 24 h asked" in ask(within + ", 8 hours a day")[1]["headline"])
    # What is done within the hours of one day is told in what was asked.
    words = ask("how many minutes does lora of llama 8b on 1M tokens take on a 4090 that I use 3 hours a day")[1]["headline"]
    hold("minutes", "minutes (" in words and "days of" not in words, words)

def recurrent_networks_read_the_tokens_that_were_told():
    # 100M tokens of 3 layers of 1024 (8 x 1024 x 1024 weights each) and 10,000 words: 6 x 35M x 100M FLOP are 2.1e16, at 11.3 TFLOP/s 31 min at least.
    question = "3 layer lstm hidden 1024, 100M tokens per epoch on a 1080 ti, time per epoch"
    _, answer, _ = ask(question)
    hold(question, 20 / 60 < value(answer, "time") < 3, answer)
    one = value(ask("gru 2 layers 512 hidden, 50M tokens, 1 epoch on a 3090, how long")[1], "time")
    three = value(ask("gru 2 layers 512 hidden, 50M tokens, 3 epochs on a 3090, how long")[1], "time")
    hold("epochs", isclose(three, 3 * one, rel_tol=0.02), (one, three))


def a_paid_rent_bounds_nothing():
    question = "How much did it cost to train llama 3.1 405b on 15.6T tokens if i rent h100s at 2$/hr"
    _, answer, code = ask(question)
    hours = value(answer, "accelerator_hours")
    # 30.84M hours were published; the sum is two dollars of each.
    hold(question, code == 0 and 15e6 < hours < 40e6 and abs(value(answer, "cost") / (2 * hours) - 1) < 0.01, answer)
    question = "cost to train a 7b on 1T tokens with h100 at $2/h"
    _, answer, code = ask(question)
    hold(question, code == 0 and abs(value(answer, "cost") / (2 * value(answer, "accelerator_hours")) - 1) < 0.01, answer)


def a_bound_of_an_hour_is_no_price():
    # Twenty dollars are the most that all of it may cost, not what each accelerator is paid with.
    question = "cost to pretrain 1b on 200B tokens, max $20 an hour"
    _, answer, code = ask(question)
    hold(question, code == 0 and value(answer, "cost") < 20 * value(answer, "accelerator_hours") / 4, answer)


def memory_of_the_host_is_the_processors():
    question = "does deepseek v3 q4 run on an epyc 9654 with 768gb ram and a 3090"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["verdict"] == "yes", answer)


def a_sum_for_a_run_from_scratch_is_told_in_tokens():
    question = "grant of 20k usd of compute: how many tokens can i pretrain a 1b model on"
    reading, answer, code = ask(question)
    hold(question, code == 0 and "tokens" in answer["headline"].split(":")[0] and "Buy" not in answer["headline"], answer)


def states_have_their_type():
    for question, parameters in (("optimizer states in 8bit for 70b", 70e9), ("optimizer state 8bit paged adam 70b", 70e9), ("adam states at 8 bit for llama-2-13b, how much", 13e9),
                                 ("how big are int8 optimizer states for a 30b", 30e9)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "memory" and 0.9 < value(answer, "optimizer") * 2**30 / (2 * parameters) < 1.15, answer)
    question = "8bit lora of mistral-7b with adam memory"
    reading, _, _ = ask(question)
    hold(question, reading.get("optimizer") != "adamw-8bit", reading)


def mixed_precision_keeps_wide_states():
    # 16 bytes a parameter at least: weights and gradients in 16 bits, a copy and both moments in 32.
    for question, parameters in (("vram for full fine tuning of qwen2.5 14b with adamw bf16 mixed", 14.77e9), ("mixed precision full training memory of a 3b model", 3e9),
                                 ("how much memory to pretrain a 1.3B with bf16 mixed precision on 1 gpu", 1.3e9), ("how much vram for full sft of llama 3.1 8b with amp", 8.03e9),
                                 ("llama-2-13b full training under torch autocast, gpu memory", 13.0e9)):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "memory" and value(answer, "memory") * 2**30 > 16 * parameters and reading["not_understood"] == [], answer)
    _, answer, _ = ask("full finetune llama 8b mixed precision on one H100 80GB, fits?")
    hold("one H100", answer["verdict"] == "no", answer)
    # An adapter's few states do not count, and networks of pictures are not stepped by AdamW unless it is said.
    for question in ("lora of llama-3.1-8b in mixed precision, vram", "resnet50 training batch 256 amp, memory"):
        hold(question, "--optimizer" not in ask(question)[0]["flags"], ask(question)[0])


def contexts_add_their_cache():
    # Llama 3.1 8B: 128 KiB a token in bf16; Qwen3-14B: 160 KiB.
    for question, gib in (("how much does the 128k context add for llama 3.1 8b", 16.0), ("extra vram for 64k context, qwen3-14b", 10.0),
                          ("how much extra memory for 128k context of llama-3.1-8b", 16.0)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "memory" and 0.95 < value(answer, "kv_cache") / gib < 1.1, answer)
    question = "how much does going from 8k to 64k cost in vram with llama 3.1 8b"
    _, answer, _ = ask(question)
    hold(question, 6.5 < value(answer, "difference") < 9, answer)  # 56 x 1024 x 128 KiB = 7.0 GiB


def adapters_are_served():
    # 83.9M parameters of rank 32 on the seven products of Llama 3.1 8B, 2 bytes each.
    for question, gib in (("how much memory do 30 loras of rank 32 add to a vllm server of llama-3.1-8b", 30 * 83.9e6 * 2 / 2**30),
                          ("50 lora adapters rank 16 for vllm llama 3.1 8b memory", 50 * 41.9e6 * 2 / 2**30),
                          ("hosting 200 loras rank 16 over llama 3.1 8b, gpu memory", 200 * 41.9e6 * 2 / 2**30)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("task") == "inference" and 0.9 < value(answer, "adapters") / gib < 1.1, answer)
    question = "serve llama-3.1-8b with 20 lora adapters on a 24gb card"
    reading, _, _ = ask(question)
    hold(question, reading.get("task") == "inference" and reading.get("served_adapters") == 20, reading)


def named_batches_are_of_one_step():
    for question, least in (("bert-base pretraining batch 256 seq 128 memory", 8), ("bert-large squad batch 32 seq 384 memory", 11)):
        _, answer, _ = ask(question)
        hold(question, value(answer, "memory") > least, answer)
    question = "sdxl lora batch 4 1024px on a 12gb card fits?"
    _, answer, _ = ask(question)
    hold(question, "batches of 4" in answer["headline"], answer)
    # DeepSpeed keeps fp32 weights and moments: 16 bytes of 8e9 over four, and the reference of DPO in bf16.
    question = "dpo of llama 3.1 8b full on 4x a100 40gb zero3"
    reading, answer, code = ask(question)
    hold(question, code == 3 and answer["verdict"] == "no", answer)


def thousands_before_users_are_contexts():
    for question, sequence, users in (("how many concurrent 8k chats of llama-3.1-8b on an a100 40gb", 8192, None), ("how many parallel 32k sessions of qwen3-14b fit on an l40s", 32768, None),
                                      ("40 concurrent 4k users of qwen3-8b on a 4090", 4096, 40), ("8 32k sessions of qwen3-14b on an l40s", 32768, 8),
                                      ("25 simultaneous 8k agents qwen3-32b fp8 on 2 h100", 8192, 25)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("sequence") == sequence and reading.get("concurrency") == users, reading)
    # 8 GiB of 40 lie free of weights twice as large: 1 GiB for each context of 8k.
    _, answer, _ = ask("how many concurrent 8k chats of llama-3.1-8b on an a100 40gb")
    hold("8k chats", 14 < value(answer, "concurrency") < 24, answer)


def short_answers_are_read():
    for question, read, written in (("5 million texts (100 tokens in, 3 out) in 10 hours with llama-3.1-8b, cheapest gpu", 100, 3), ("label 500k posts (400 in, 8 out) with llama-3.1-8b on an a10g, time", 400, 8),
                                    ("1m requests (800 in, 5 out) llama-3.1-8b on l40s how long", 800, 5)):
        reading, _, _ = ask(question)
        hold(question, reading.get("task") == "inference" and reading.get("input_tokens") == read and reading.get("output_tokens") == written, reading)


def piles_have_a_time_and_a_cost():
    for question in ("embedding 50 million documents of 512 tokens with e5-large, cheapest rent", "translate 2 billion tokens with gemma-2-9b, what instance is cheapest in total",
                     "generate 500M tokens with qwen3-14b, which gpu is cheapest overall"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("task") == "inference" and value(answer, "cost") > 0 and value(answer, "time") > 0, answer)


def runs_and_requests():
    question = "chinchilla optimal tokens for a 3b model"
    reading, answer, _ = ask(question)
    hold(question, 5.5e10 < value(answer, "tokens") < 6.8e10, answer)
    reading, _, _ = ask("gpus to train a chinchilla optimal 3b in a week")
    hold("gpus for chinchilla", reading.get("intent") == "hardware", reading)
    question = "end to end latency of a request of 1000 tokens in and 300 out, llama-3.1-8b on an l4"
    _, answer, _ = ask(question)
    hold(question, abs(value(answer, "request") - value(answer, "ttft") - 299 * value(answer, "tpot")) < 0.5, answer)
    question = "how many steps per second does a 1.3b gpt training on 8 a100 make"
    _, answer, _ = ask(question)
    hold(question, "steps/s" in answer["headline"] and abs(value(answer, "steps") * value(answer, "step") - 1) < 0.05, answer)
    question = "openmm 100k atoms rtx 4090 ns/day, and how long for 1 microsecond"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("1,000 ns take"), answer)


def one_card_is_answered_as_it_runs():
    for question in ("will gemma 3 27b run on a single 4070 ti super and at what speed", "single 4090, llama 3.3 70b: does it run and tokens per second", "how fast is mixtral 8x7b on one 4070"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "16-bit weights (if" not in answer["headline"], answer)
    # A card of a data centre has no host to share with.
    _, _, code = ask("llama-3.3-70b on one a100 40gb in bf16, tokens per second")
    hold("bf16 is kept", code == 3, code)


def engines_run_where_they_have_a_build():
    question = "vllm on a mac m3 max for qwen3-14b"
    _, answer, code = ask(question)
    hold(question, code == 3 and "no build" in answer["headline"], answer)
    _, answer, code = ask("vllm on gaudi 3 for llama-3.1-8b, tokens per second")
    hold("vllm on gaudi", code == 0, answer)


def live_streams_of_speech():
    for question in ("how many whisper large-v3 streams at once on an l4", "whisper large-v3 streams in real time on an l4"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "largest" and "in real time" in answer["headline"] and 5 < value(answer, "concurrency") < 400, answer)
    question = "live speech to text for a 60 seat call center, whisper turbo"
    reading, _, _ = ask(question)
    hold(question, reading.get("task") == "inference" and reading.get("concurrency") == 60, reading)


def drafts_propose_tokens():
    for question in ("llama 3.3 70b with llama 3.2 1b draft model, 4 x a100, tok/s", "how much faster with a speculative draft model of 1b for llama 3.3 70b on 2 h100"):
        reading, answer, _ = ask(question)
        hold(question, 0.9e9 < reading.get("draft_parameters", 0) < 1.4e9 and value(answer, "speedup") > 1.2, answer)


def savings_are_differences():
    question = "how much does gradient checkpointing save on llama-3.1-8b full finetuning at 8k"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") in ("memory", "compare") and "with gradient checkpointing" in answer["headline"], answer)


def kinds_of_models():
    for question, words in (("biggest image model that runs on 16 gb", ("flux", "sd", "qwen-image", "hidream", "sana", "pixart", "unet", "transformer")), ("largest video model for 24gb", ("wan", "hunyuan", "cogvideo", "ltx", "mochi"))):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "largest" and any(word in answer["headline"] for word in words), answer)


def runs_side_by_side():
    question = "how many 7b qlora jobs side by side on one H100 80"
    reading, answer, _ = ask(question)
    hold(question, reading.get("task") == "training" and 3 <= value(answer, "copies") <= 12, answer)


def whole_training_in_other_languages():
    for question in ("kann eine A100 40GB gpt-j 6b voll finetunen?", "entrenar completo un 7b en una 4090", "fine-tuning completo de llama 3.2 3b en una 3090", "полное обучение 7b на 4090, хватит?",
                     "全量微调 7b 4090 够吗"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("method") == "full" and answer.get("verdict") != "yes", answer)


def pictures_are_made_with_adapters():
    for question in ("best gpu under $1000 for flux dev with loras", "vram for flux dev with 3 loras loaded in comfyui", "can i run flux with loras on a 4060 ti 16gb",
                     "generate images with sdxl and loras on a 3060 12gb, ok?", "flux dev + lora image generation speed on a 3090", "how fast is sdxl with loras on a 4070"):
        reading, _, _ = ask(question)
        hold(question, reading.get("task") == "inference" and not reading.get("method"), reading)
    for question in ("which card to make sdxl loras", "train flux loras on a 4090, how long", "sdxl lora on 3060 12gb", "flux lora on a 4090 how long"):
        reading, _, _ = ask(question)
        hold(question, reading.get("method") == "lora", reading)


def each_load_that_is_listed_has_its_rate():
    for question, loads in (("tokens per second of llama-3.1-8b on an h100 at concurrency 1, 8 and 32", ["1", "8", "32"]),
                            ("llama 3.1 8b vllm throughput on a 4090 at 1, 4 and 16 users", ["1", "4", "16"]),
                            ("qwen3-32b tok/s on an h100 single stream vs 64 streams", ["1", "64"]),
                            ("llama-3.1-8b tokens/s on an a100, batch 1 and batch 32", ["1", "32"])):
        reading, answer, _ = ask(question)
        speeds = [each["mid"] for each in answer["value"] if each["quantity"] == "speed"]
        hold(question, reading["alternatives"] == loads and speeds == sorted(speeds) and len(speeds) == len(loads), answer)
    for question in ("llama-3.1-8b tokens/s on an a100 with 512 input and 128 output", "llama 8b throughput on 4090 at batch 1 and 2048 context"):
        hold(question, "alternatives" not in ask(question)[0], question)


def what_requests_take_beyond_the_weights():
    # Mistral Nemo: 40 layers x 8 heads x 128 x 2 x 2 bytes a token; 32 x 8192 tokens.
    for question in ("how much vram do 32 users at 8k each take on top of weights for mistral nemo 12b?",
                     "extra vram beyond the weights for mistral nemo 12b, 32 users of 8k context", "mistral-nemo-12b 32 users 8k context: memory besides the weights"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "memory" and 0.98 < value(answer, "kv_cache") / 40.0 < 1.02, answer)


def the_least_that_is_asked_for_goes_first():
    for question in ("minimum vram glm-4.5-air", "lowest vram to run llama 70b", "what is the least gpu memory for qwen3 32b"):
        _, answer, _ = ask(question)
        least = min(each["mid"] for each in answer["value"])
        hold(question, answer["headline"].startswith("At least ") and value(answer, "memory") == least == answer["needs_gib"]["mid"], answer)
    question = "what does adam 8bit save on a 7b full finetune? total memory please"
    _, answer, _ = ask(question)
    whole = [each["mid"] for each in answer["value"] if each["quantity"] == "memory"]
    # 8 bytes of moments a parameter against 2: 40 GiB of 7.2 billion apart, and what the step of AdamW copies.
    states = [each["mid"] for each in answer["value"] if each["quantity"] == "optimizer"]
    hold(question, len(whole) == 2 and 38 < states[0] - states[1] < 42 and states[0] - states[1] - 1 < whole[0] - whole[1] < 70 and "In all" in answer["headline"], answer)


def cameras_film_where_no_rate_is_said():
    question = "T4 or L4 for real-time yolo inference on 16 cameras?"
    reading, answer, _ = ask(question)
    hold(question, reading["requests_per_s"] == 480 and reading["concurrency"] == 16 and reading["not_understood"] == [], reading)
    for question in ("how many rtsp streams of 25 fps can an L4 handle with yolov8m", "how many ip cameras at 25 fps can one l4 take, yolov8m"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "largest" and "25 a second" in answer["headline"], answer)


def what_is_trained_and_not_tuned_trains_all_weights():
    for question in ("how many tok/s training throughput for a 1.3b gpt on 8 a100 80gb", "training a 3b model on 4x a100, tokens per second", "8x h100 training throughput of llama-3.1-8b"):
        hold(question, ask(question)[0].get("method") == "full", ask(question)[0])
    for question in ("finetuning throughput of llama-3.1-8b on 8 a100", "training throughput of llama 70b on a 4090"):
        hold(question, ask(question)[0].get("method") != "full", ask(question)[0])
    for question in ("gpu memory for whisper-medium fine tuning", "how much vram to train whisper small"):
        hold(question, ask(question)[0].get("method") == "full", ask(question)[0])


def lengths_of_answers_and_nights():
    for question, tokens in (("GPU for GRPO of qwen2.5-7b full finetune, 8k completions", 8192), ("grpo on qwen2.5 3b with 4k completions, which gpu", 4096), ("grpo 7b with 8k long responses, how many h100", 8192)):
        reading, _, _ = ask(question)
        hold(question, f"--response-tokens {tokens}" in reading["flags"] and "samples" not in reading, reading)
    # A size behind "context" is that of a model.
    for question in ("best gpu for long context 8b inference", "H100 vs H200 for long context 70b serving"):
        reading, _, code = ask(question)
        hold(question, code == 0 and reading.get("model") in ("8b", "70b") and "sequence" not in reading, reading)
    reading, _, _ = ask("lora of llama 8b on 1M tokens overnight (10h), which gpu")
    hold("overnight (10h)", reading.get("deadline_s") == 36000 and not any(each["field"] == "deadline_s" for each in reading["assumed"]), reading)


def files_have_four_bits_whatever_is_asked_of_them():
    # 14.8B parameters at 4.9 bits a weight are 8.4 GiB.
    for question in ("best card for ollama + qwen3 14b", "which gpu should i buy for lm studio with qwen3-14b", "hardware for llama.cpp and qwen3 14b"):
        reading, _, _ = ask(question)
        hold(question, reading.get("quantization") == "q4_k_m" and any(each["field"] == "quantization" for each in reading["assumed"]), reading)
    hold("bf16", ask("best card for llama.cpp with qwen3 14b in bf16")[0].get("quantization") != "q4_k_m", "")


def decoders_that_make_vectors_read_in_batches():
    # Two FLOP a parameter and token: 128 tokens of 4B are 1.03e12, of which an L40S has 362e12 a second.
    question = "qwen3-embedding-4b on one L40S, texts per second at 128 tokens"
    reading, answer, _ = ask(question)
    rate = answer["value"][0]
    hold(question, reading["output_tokens"] == 0 and 60 < rate["mid"] < 352 and rate["unit"] == "samples/s", answer)
    question = "e5-mistral-7b 200 requests per second of 256 tokens, which gpu"
    reading, answer, _ = ask(question)
    hold(question, reading["output_tokens"] == 0, reading)


def labels_are_short_and_translations_as_long_as_their_text():
    reading, _, _ = ask("classify 2M tickets of 300 tokens with an 8b on 4 a100, how long")
    hold("labels", reading.get("output_tokens", 99) <= 16 and reading["task"] == "inference", reading)
    reading, _, _ = ask("score 5M documents of 1k tokens with a 7b reward model on 4 A100 80GB, how long")
    hold("scores", reading.get("output_tokens", 99) <= 16 and reading["task"] == "inference", reading)
    reading, _, _ = ask("translate 10M sentences with nllb-200-3.3b on a T4, how long")
    hold("sentences", reading.get("output_tokens") == reading.get("input_tokens") and reading["input_tokens"] < 100, reading)
    reading, _, _ = ask("train a reward model 7b on 100k pairs, which gpu")
    hold("reward", reading["task"] == "training", reading)


def encoders_from_scratch_see_what_their_authors_took():
    # 1M steps of 256 x 512 tokens; 500K of 8K x 512; 500K updates of 2M.
    for question, tokens in (("train bert-large from scratch, which gpu, 4 days", 131e9), ("cost to pretrain roberta-large from scratch on 8 A100", 2.1e12),
                             ("pretrain esm2-650m from scratch on 64 a100, days", 1e12)):
        reading, _, _ = ask(question)
        said = [each for each in reading["assumed"] if each["field"] == "tokens"]
        hold(question, said and "authors" in said[0]["why"], reading)
        hold(question, f"--tokens {tokens:.0f}" in reading["flags"], reading)
    said = [each for each in ask("pretrain distilbert-base from scratch on 8 v100, how long")[0]["assumed"] if each["field"] == "tokens"]
    hold("distilbert", said and "decoders" in said[0]["why"], said)


def long_runs_hold_what_was_published():
    # GPU-hours of the model cards of Llama 2 (2 T tokens on A100 80GB) and of BLOOM-176B (366 B).
    for question, hours in (("how many gpu hours would llama-2-7b pretraining (2T tokens) take on 512 A100 80GB", 184320),
                            ("how many gpu hours would llama-2-13b pretraining (2T tokens) take on 512 A100 80GB", 368640),
                            ("how many gpu hours would llama-2-70b pretraining (2T tokens) take on 2048 A100 80GB", 1720320),
                            ("gpu hours to pretrain bloom-176b on 366B tokens with 384 A100 80GB", 1082990)):
        _, answer, _ = ask(question)
        said = [each for each in answer["value"] if each["quantity"] == "accelerator_hours"]
        hold(question, said[0]["low"] <= hours <= said[0]["high"], answer)


def loras_of_pictures_may_encode_first():
    for question in ("rtx 5070 12gb, stable diffusion 3.5 medium lora, ok?", "sd3.5 medium lora 16gb"):
        _, answer, _ = ask(question)
        hold(question, answer["verdict"] != "no" and "computed first" in answer["headline"], answer)
    _, answer, _ = ask("flux dev l4 vs a10")
    hold("flux", "Neither" not in answer["headline"], answer)
def short_words_are_read():
    # Of 104B in 4 bits two cards of 48 GB hold 58 GB, and the sign is part of the name: "r+" is no "r".
    for question, model in (("command r+ q4 on 2x a6000 fits?", "command-r-plus-104b"), ("yolov8 large training on a 5090, coco, 10 epochs", "yolov8l"),
                            ("minimax m2 q4 on 4x 3090", "minimax-m2"), ("serve a 7b w 20 users on an a100, fits?", "7b")):
        reading, answer, code = ask(question)
        hold(question, reading.get("model") == model and reading["not_understood"] == [] and code in (0, 3), answer)
    # Both are held beside each other: their needs add up.
    reading, answer, _ = ask("whisper-small and a 3b llm on an L4, fits?")
    hold("a second model", answer.get("verdict") == "yes" and "both together" in answer["headline"], answer)


def recordings_and_sequences_are_learnt_from():
    reading, answer, _ = ask("what gpu to fine tune xls-r 300m on 50 hours, 30 epochs")
    hold("hours", reading.get("audio_s") == 180000 and reading.get("epochs") == 30 and "deadline_s" not in reading, reading)
    # 6 x 650M x 5M x 512 operations are 1e19: some 50 hours at 55 TFLOP/s.
    reading, answer, _ = ask("continue training ESM2 650M on 5M sequences of length 512")
    hold("sequences", reading.get("samples") == 5e6 and reading.get("sequence") == 512 and reading["not_understood"] == [], reading)


def a_sum_beside_a_duration_is_that_of_its_rent():
    for question, word in (("lora 8b on 100M tokens with 1 A100, how long and is it under $200", "Within the $200: "), ("lora 8b on 100M tokens with 1 A100, how long and is it under $2", "Above the $2.00: ")):
        reading, answer, _ = ask(question)
        hold(question, answer["headline"].startswith(word) and "--buy" not in reading["flags"], (reading, answer))


def two_models_on_one_card_add_up():
    for question in ("can an a10 run whisper large v3 and llama 3.2 3b side by side", "can a 3090 hold sdxl and a 7b q4 at the same time"):
        _, answer, _ = ask(question)
        hold(question, "both together need" in answer["headline"], answer)


def what_the_middle_alone_keeps_is_barely():
    for question in ("gemma 3 12b at 30 req/s with first token under 500ms", "bge-m3, 300 requests a second"):
        document, _ = document_of(question)
        best, choice = document["options"][0]["time"], document["answer"]["choice"]
        wanted = document["reading"]["requests_per_s"]
        kept = best["requests_per_s"] * best["step_s"] / best["high_s"] >= wanted
        hold(question, (choice["verdict"] == "barely") == (not kept) == ("It barely keeps" in document["answer"]["headline"]), (choice, best))
    # What surely keeps a rate goes before what its middle alone keeps, which is named where it costs less.
    for question in ("what gpu for llama 3.1 8b at 10 requests per second", "gpu for 5 req/s of llama 70b with 1000 in 300 out", "how many l40s for llama 8b at 20 requests per second"):
        document, _ = document_of(question)
        wanted = document["reading"]["requests_per_s"]
        sure = [each["time"]["requests_per_s"] * each["time"]["step_s"] / each["time"]["high_s"] >= wanted for each in document["options"]]
        rents = [each["cost"]["usd_per_hour"] for each in document["options"]]
        hold(question, sure[0] and not sure[-1] or all(sure), sure)
        cheaper = any(not kept and rent < 0.8 * rents[0] for kept, rent in zip(sure, rents))
        told = "barely enough, for less, is" in document["answer"]["headline"].lower() or "in the middle " in document["answer"]["headline"]
        hold(question, not cheaper or told, document["answer"]["headline"])
    document, _ = document_of("cheapest gpu to serve llama 70b for 50 users at 20 tok/s each")
    best = document["options"][0]["time"]
    hold("20 tok/s", 1 / (best["tpot_s"] * best["high_s"] / best["step_s"]) >= 20, best)
    # What a rate is of stands among what is assumed.
    for question, tokens in (("bge-m3, 300 requests a second", "1024"), ("llama 3.1 8b for 64 users", "1024"), ("can my 4090 run llama 3.1 8b", "1024")):
        reading, _, _ = ask(question)
        hold(question, any(each["field"] == "input_tokens" and each["value"] == tokens for each in reading["assumed"]), reading["assumed"])
    for question in ("bge-m3, 300 requests a second of 128 tokens", "llama 3.1 8b for 64 users with 8k context", "sdxl on a 4090, images per second", "whisper large v3 on an l4, 20 streams"):
        reading, _, _ = ask(question)
        hold(question, not any(each["field"] == "input_tokens" for each in reading["assumed"]), reading["assumed"])


def lengths_of_samples_are_told():
    # Half of what adapters of an 8B take goes with the length of a sample.
    for question, length in (("can a 3090 qlora llama 3.1 8b", "2048"), ("vram to finetune llama 3.1 8b", "2048"), ("biggest model i can lora on an l40s", "2048"),
                             ("what gpu for a lora of qwen3 14b", "2048"), ("how much memory does full fine-tuning of qwen2.5 7b take", "4096"), ("vram for finetuning bert-base", "512"),
                             ("memory for dpo of mistral 7b with lora", "2048")):
        reading, _, _ = ask(question)
        hold(question, ("sequence", length) in [(each["field"], each["value"]) for each in reading["assumed"][:3]], reading["assumed"])
    for question in ("can a 3090 qlora llama 3.1 8b with sequence 512", "is a 4090 enough for llama 3.1 8b at 4k context, vllm", "vram to train resnet-50"):
        reading, _, _ = ask(question)
        hold(question, not any(each["field"] == "sequence" for each in reading["assumed"]), reading["assumed"])
    # Where both tasks are answered a request has a length too.
    reading, _, _ = ask("how much vram for llama 3.1 8b")
    hold("both", {"sequence", "input_tokens"} <= {each["field"] for each in reading["assumed"][:3]}, reading["assumed"])
    # What an example is assumed to be long is trained as long.
    reading, _, _ = ask("how long to fine-tune llama 3.1 8b on 50k examples on an a100")
    hold("examples", "--sequence 1024 " in reading["flags"], reading["flags"])
    # The first line tells the least, the rows their own batch.
    hold("rows", "micro-batch" in text("can a 3090 qlora llama 3.1 8b with sequence 512").split(" under hf-trainer")[1])


def a_sum_of_each_month_serves_many():
    for question, sum_ in (("what can we get for $4000 a month to serve an 8b chatbot", "$4,000 a month"), ("3 dollars an hour, what can i serve qwen3 14b with", "$3.00 an hour")):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer["headline"].startswith(sum_ + " serves up to") and reading.get("concurrency", 1) > 50, answer)
    _, answer, _ = ask("what can we get for $4000 a month to serve an 8b chatbot for 4 users")
    hold("users", "serves up to" not in answer["headline"], answer)


def the_largest_and_its_neighbours_are_of_one_stack():
    _, answer, _ = ask("biggest llm i can qlora on one 5090")
    headline = answer["headline"]
    # QLoRA of 32B takes 20 GiB under Unsloth and all of 31 without it.
    hold("5090", "with Unsloth" in headline and " takes " in headline and "barely" not in headline and ") (" not in headline, headline)


def machines_are_compared_at_work():
    for question in ("8x mi300x vs 8x h200 for deepseek v3 serving", "4x a100 80gb or 4x h100 for serving llama 3.3 70b"):
        reading, answer, _ = ask(question)
        rates = [each["mid"] for each in answer["value"] if each["quantity"] == "speed"]
        hold(question, reading.get("concurrency") == 64 and min(rates) > 500 and "One request alone" in answer["headline"], answer)
    for question in ("2x 3090 vs 1x 4090 for llama 70b q4", "2x h100 vs 2x a100 for llama 3.3 70b, one user", "h100 vs a100 for llama 8b inference"):
        _, answer, _ = ask(question)
        hold(question, "One request alone" not in answer["headline"], answer)


def a_no_keeps_its_method_where_it_can():
    _, answer, _ = ask("can 4x a6000 48gb do a full fine-tune of qwen3 14b with deepspeed")
    hold("states", answer["verdict"] == "no" and "fits with --offload-optimizer cpu" in answer["headline"] and "GiB there" in answer["headline"] and
         answer["change"][0]["flag"] == "--offload-optimizer cpu", answer)
    # Frozen weights are rather narrowed than moved.
    _, answer, _ = ask("can a 4090 lora qwen2.5 14b")
    hold("adapters", answer["verdict"] != "no" or "qlora" in answer["change"][0]["flag"] or "loss" in answer["change"][0]["flag"] or "unsloth" in answer["change"][0]["flag"], answer)


def encoders_are_trained_in_fp32():
    # 4 bytes of weights, of gradients and of two moments for each of 435M parameters are 6.5 GiB before any activation.
    for question, least, most in (("memory for full finetune of deberta-v3-large, batch 16, seq 256", 8.5, 16), ("vram to finetune bert-large", 5.0, 8)):
        _, answer, _ = ask(question)
        hold(question, least < answer["needs_gib"]["mid"] < most and "fp32 under autocast" in answer["headline"], answer)
    # A decoder is loaded in 16 bits.
    _, answer, _ = ask("vram for full fine-tuning of llama 3.2 1b")
    hold("decoder", answer["needs_gib"]["mid"] < 24 and "of 16 bits" in answer["headline"], answer)


def what_is_asked_is_said():
    for question, word in (("is a 3090 faster than a 4090 for llama 3.1 8b", "No: "), ("is a 5090 faster than a 4090 for llama 3.1 8b", "Yes: "), ("is a 3090 slower than a 4090 for sdxl lora", "Yes: ")):
        _, answer, _ = ask(question)
        hold(question, answer["headline"].startswith(word), answer)
    _, answer, _ = ask("how many days does it take to lora llama 3.1 8b on 300M tokens with one a100")
    hold("days", " days (" in answer["headline"] and " h (" not in answer["headline"], answer)
    _, answer, _ = ask("is a 4090 faster than a 3090 for sdxl lora")
    hold("images", "images/s" in answer["headline"] and "samples" not in answer["headline"], answer)
    # What is promised stands in the answer.
    reading, _, _ = ask("cost of fine-tuning sdxl on 5000 images for 20 epochs")
    hold("methods", not any("are compared" in each["why"] for each in reading["assumed"]), reading["assumed"])


def detectors_train_as_published():
    # torchvision's release notes, 8 V100, 16 images a step: 0.2288 s of Faster R-CNN and 0.2728 s of Mask R-CNN; facebookresearch/detr:
    # 28 to 30 minutes an epoch. 118,287 images are 7,393 steps.
    for model, epochs, seconds in (("faster r-cnn r50", 12, 12 * 7393 * 0.2288), ("mask r-cnn r50", 26, 26 * 7393 * 0.2728), ("detr", 150, 150 * 29 * 60)):
        question = f"train {model} on coco, {epochs} epochs on 8 v100, how many hours"
        reading, answer, _ = ask(question)
        took = next(v for v in answer["value"] if v["quantity"] == "time")
        scale = {"h": 3600, "hours": 3600, "s": 1, "days": 86400}[took["unit"]]
        told = any(a["field"] == "compute" and a["value"] == "fp32" for a in reading["assumed"])
        hold(question, told and took["low"] * scale < seconds < took["high"] * scale, (seconds, took, reading["assumed"]))
    # Who asks for mixed precision has it.
    for words in ("in fp16", "with amp"):
        reading, _, _ = ask(f"train mask r-cnn on coco {words}, 12 epochs on 8 v100, how many hours")
        hold(words, not any(a["field"] == "compute" for a in reading["assumed"]), reading)


def rates_that_are_asked_have_a_verdict():
    # Eager PyTorch waits for the host of a small module at one image a time, TensorRT does not.
    question = "is a jetson orin nano 8gb enough for yolov8n at 60 fps"
    _, answer, _ = ask(question)
    hold(question, answer.get("verdict") == "yes" and "TensorRT" in answer["headline"], answer)
    question = "is an orin nano 8gb enough for yolov8n at 25 fps"
    _, answer, _ = ask(question)
    made = answer["value"][0]
    faster = answer["headline"].startswith("Yes, under TensorRT")
    hold(question, answer.get("verdict") == ("yes" if made["low"] >= 25 or faster else "barely" if made["mid"] >= 25 else "no"), answer)
    question = "is a t4 enough for yolov8x at 3000 fps"
    _, answer, _ = ask(question)
    hold(question, answer.get("verdict") == "no" and answer["headline"].startswith("No"), answer)


def what_was_told_is_served_for_the_least_rent():
    # So many users or requests are a bill by the hour: what a machine could make beside them is worth nothing.
    _, answer, _ = ask("we're 10 ppl chatting with mistral small 24b all day, under 100 ms per token. what should we rent")
    hold("10 people", answer["choice"]["usd_per_hour"] < 1.3, answer["choice"])
    document = document_of("embedding service with bge-large, 2000 requests/s, cheapest gpus")[0]
    rents = sure_rents(document)
    hold("2000 requests", rents and document["answer"]["choice"]["usd_per_hour"] <= 1.06 * min(rents), rents)


def counts_of_a_part_that_do_as_well():
    # One user's text is written no faster by two cards whose layers lie one behind the other.
    _, answer, _ = ask("fastest thing for a 70b exl2 4.0bpw, single user, nvidia only, max two cards")
    hold("one", answer["choice"]["count"] == 1, answer["choice"])


def a_load_that_nobody_said_is_no_lack():
    _, answer, _ = ask("sdxl batch inference: 1x a100 40gb or 3x a10g, which gives more images")
    hold("both hold it", "Neither" not in answer["headline"] and "no room" in answer["headline"] and answer["choice"]["accelerator"], answer)
    _, answer, code = ask("tokens/s of deepseek r1 671b q4 on a 12 channel ddr5 epyc, no gpu")
    hold("memory of the host", code == 0 and value(answer, "decode") > 5, answer)


def the_lowest_rent_is_the_lowest():
    document = document_of("whats the least i can spend per hour to host qwen2.5 14b for about 30 ppl, 4k ctx")[0]
    rents = [each["cost"]["usd_per_hour"] for each in document["options"] if each.get("cost", {}).get("usd_per_hour")]
    hold("least", rents and document["answer"]["choice"]["usd_per_hour"] == min(rents), rents)


def one_box_is_one_instance():
    # Nobody lists eight GB300 in one machine: four of them are an instance, of which a rack joins several.
    document = document_of("fastest single box to pretrain a 3b from scratch on 60B tokens, not google not amd")[0]
    hold("box", "gb300" not in document["answer"]["choice"]["accelerator"], document["answer"]["choice"])


def an_answer_in_time_is_a_whole_one():
    # 512 tokens in 30 s: what writes 17 a second with its first token in good time keeps it, and nothing slower does.
    document = document_of("70b for 5 users, each answer within 30 seconds")[0]
    whole = [each["time"]["ttft_s"] + 511 * each["time"]["tpot_s"] for each in document["options"]]
    hold("options", whole and max(whole) <= 30, whole)
    _, answer, _ = ask("will 4 a6000 serve 70b in fp16 to 8 users with answers of 300 tokens in 10 seconds")
    hold("fit", "An answer of 300 tokens comes after" in answer["headline"] and "10 s asked" in answer["headline"], answer)
    # No card writes 512 tokens in a second: its first is waited for.
    reading, _, _ = ask("llama 8b replies in under a second")
    hold("a second", reading["ttft_s"] == 1 and "answer_s" not in reading, reading)


def users_at_once_are_answered_at_once():
    # Two copies hold twice the users of one; one copy over both cards keeps its weights once and holds more of them. None waits.
    _, one, _ = ask("how many users at once can qwen 2.5 7b serve on a rtx 4090")
    question = "how many users at once can two copies of qwen 2.5 7b serve on 2 x rtx 4090"
    _, two, _ = ask(question)
    hold(question, 1.9 < value(two, "concurrency") / value(one, "concurrency") < 2.1, (one, two))
    for each in (question, "how many users at once can qwen 2.5 7b serve on 2 x rtx 4090"):
        hold(each, "the others wait" not in text(each))
    reading, answer, _ = ask("llama 3.1 8b on 2 l4, two copies, how many users at once at 8k context")
    hold("copies", "--tensor 1" in reading["flags"] and value(answer, "concurrency") < 12, answer)


def requests_of_a_length_are_no_thousands():
    _, answer, _ = ask("max number of 2k-prompt requests per sec, 8b fp8, single h100")
    hold("2k-prompt", "2048 tokens in" in answer["headline"] and "requests/s" in answer["headline"], answer)


def prompts_are_compared_by_their_rate():
    # Prompts wait for arithmetic, of which GB10 has three times as much as an M4 Max; its memory is half as fast.
    for question in ("m4 max 128gb vs dgx spark for gpt-oss-120b prompt heavy work", "prefill speed gpt-oss-120b dgx spark vs m4 max"):
        _, answer, _ = ask(question)
        hold(question, answer["choice"]["accelerator"] == "gb10" and "prompt tokens/s" in answer["headline"], answer)


def models_are_weighed_by_memory():
    # Six billion parameters more are 11.2 GiB of two bytes.
    for question in ("from 7b to 13b how much more vram", "how much more vram does a 13b need than a 7b", "7b vs 13b vram"):
        _, answer, _ = ask(question)
        both = {v["of"]: v["mid"] for v in answer["value"]}
        more = both["serving in bf16"] - both["serving in bf16, 7b"]
        hold(question, 11 < more < 12.5 and "13b needs" in answer["headline"], answer)


def an_engine_trains_nothing():
    # vLLM beside a trainer adds memory: without it at least as little is needed.
    _, with_engine, _ = ask("grpo on llama 3.2 3b memory footprint? vllm colocated")
    _, without, _ = ask("grpo on llama 3.2 3b memory footprint")
    hold("grpo", with_engine["needs_gib"]["mid"] >= 0.99 * without["needs_gib"]["mid"], (with_engine, without))
def a_load_of_a_month_has_its_month():
    hold("month", "a month" in text("5 million requests a month, 700 tokens in 150 out, llama 3.1 8b. cheapest?"))


def people_send_their_requests_over_the_day():
    # 15,000 requests a day, three times the mean: half of one a second is what few cards bear.
    for question in ("1,500 users in our company, each sends ~10 prompts per day to a mistral small 3. size the hardware",
                     "2000 users, each asks 20 questions a day, llama 3.1 8b"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["count"] <= 2, answer)


def small_models_stand_whole_on_each_card():
    # 0.67 GB beside 24: no layer is parted over two cards.
    for question in ("8 l4 bge-large throughput", "16 x l4 bge-large throughput", "throughput of 8 a10g with bge-large, 512 tokens"):
        document, _ = document_of(question)
        hold(question, document["workload"]["parallel"]["tensor"] == 1, document.get("workload"))


def users_are_parted_over_copies():
    # Eight cards give each of 500 users half of the 25 tokens/s that 40 ms a token are; copies need no link between them.
    question = "500 concurrent users llama 3.1 8b bf16, 2k in 300 out, ttft under 500ms, tpot under 40ms, how many L40S"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["choice"]["accelerator"] == "l40s" and answer["choice"]["count"] > 8, answer)


def a_narrower_cache_is_told_beside_the_wide_one():
    # 80 layers x 2 x 8 heads x 128 x 2 bytes are 320 KiB a token in 16 bits: twice as many tokens in 8.
    _, answer, _ = ask("max context llama 3.1 70b awq on a 48gb card with fp8 kv cache")
    narrow, wide = value(answer, "context"), float(re.search(r"in 16 bits it is (\d+) tokens", answer["headline"])[1])
    hold("cache", 1.8 < narrow / wide < 2.2, answer["headline"])
    hold("more", ask("fp8 kv cache: how much more context on h100 for llama 3.1 70b awq")[0]["intent"] == "largest")


def tokens_of_a_day_are_read_and_written():
    # 2e9 and 1e9 tokens over 86,400 s.
    reading, _, _ = ask("2bn tokens a day thru mixtral 8x7b, how many h100s")
    hold("2bn", isclose(reading["requests_per_s"] * (1024 + 512), 23148, rel_tol=0.01), reading)
    reading, _, _ = ask("1B tokens per day (80% input) llama 70b how many h100")
    hold("80%", isclose(reading["requests_per_s"] * 512, 2315, rel_tol=0.01) and isclose(reading["requests_per_s"] * reading["input_tokens"], 9259, rel_tol=0.01), reading)


def a_query_waits_for_all_its_texts():
    reading, answer, _ = ask("bge-reranker-v2-m3 100 docs/query p95 <200ms 20 qps gpu?")
    hold("rerank", reading["requests_per_s"] == 2000 and reading.get("concurrency") == 100 and reading.get("input_tokens") == 512, reading)


def who_shares_takes_what_one_run_takes():
    headline = ask("budget 250k\u20ac, 20 researchers finetuning 7b-13b, what cluster")[1]["headline"]
    hold("20 researchers", "20 who train at once take " in headline and int(headline.split("at once take ")[1].split(" ")[0]) <= 20, headline)


def cameras_of_a_task_without_a_network():
    reading, answer, _ = ask("gpu for real-time object detection on 8 cameras")
    hold("8 cameras", reading["task"] == "inference" and reading["requests_per_s"] == 240 and reading["model"] == "yolo11m" and answer["choice"], (reading, answer))


def a_link_is_weighed_without_a_card():
    for question, count in (("is nvlink needed for 2 gpu inference of 70b", 2), ("is nvlink necessary for finetuning 8b", 2)):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "compare" and reading["accelerators"] == ["rtx-3090"] and reading["count"] == count and answer["headline"].startswith("NVLink makes"), (reading, answer))


def the_run_of_its_makers_is_a_pretraining():
    for question, model, tokens in (("how many gpus did it take to train llama 3.1 405b and for how long", "llama-3.1-405b", 15.6e12), ("what hardware was used to train gpt-3", "gpt-3-175b", 3e11)):
        reading, _, _ = ask(question)
        hold(question, reading["model"] == model and reading["method"] == "full" and any(f["field"] == "tokens" for f in reading["assumed"]) and
             any("makers" in f["why"] for f in reading["assumed"]), reading)


def short_words_of_making_pictures():
    for question in ("best card for image gen", "my 2070 super 8gb is dying, replacement for local image gen under $400?", "gpu for img gen at home"):
        reading, _, _ = ask(question)
        hold(question, reading["model"] == "sdxl-unet" and reading["task"] == "inference", reading)


def what_one_picture_costs():
    # At 1.14 to 2 dollars an hour for a card that makes one in two to six seconds.
    for question, least, most in (("cost per image flux schnell on l40s", 1e-4, 3e-3), ("price per picture sdxl on an a10g", 1e-3, 2e-2), ("cost per video wan 2.1 14b on h100", 0.1, 2)):
        _, answer, code = ask(question)
        hold(question, code == 0 and least < value(answer, "cost") < most and answer["headline"].startswith("$"), answer)


def what_lies_there_is_read():
    for question in ("batch inference of 10M product descriptions ~200 tokens each with mistral 7b cheapest", "classify 10M reviews, 200 tokens each, llama 8b"):
        reading, _, _ = ask(question)
        hold(question, reading["input_tokens"] == 200 and "sequence" not in reading, reading)


def a_pro_is_an_rtx_pro():
    for question in ("2x5090 or 1x pro 6000 for qwen3 32b", "5090 or pro 6000 for qwen3 32b"):
        reading, _, _ = ask(question)
        hold(question, reading["intent"] == "compare" and any(part.startswith("rtx-pro-6000") for part in reading["accelerators"]) and not reading["not_understood"], reading)


def a_type_is_demanded_behind_a_memory():
    reading, answer, code = ask("cheapest gpu with 16gb that can do fp8")
    hold("fp8", reading["require"] == ["fp8"] and code == 0 and "l4 " in answer["headline"] + " ", (reading, answer["headline"]))


def what_may_be_spent_is_no_price():
    for question in ("can i rent an h100 for $20 to finetune llama 8b", "can i rent 8 h100 for $2000 and finetune llama 70b lora", "can i finetune llama 8b on a h100 for $500"):
        _, answer, _ = ask(question)
        hold(question, "Cheaper than usual" not in answer["headline"], answer["headline"])
    hold("a friend's", "1080 Ti" in ask("will a used 1080 ti still do for llama 8b? a friend is selling one for $150")[1]["headline"])


def words_of_rates_are_no_schedule_and_gigabytes_no_batch():
    for question in ("fine-tune llama 8b lora on a 4090 with 2x lr, 10k samples, how long", "resnet50 1x lr schedule on a 4090 imagenet how long"):
        reading, _, _ = ask(question)
        hold(question, not any("Detectron" in each["why"] for each in reading["assumed"]), reading)
    reading, _, _ = ask("how many gbs 70b q4 needs")
    hold("gbs", "batch" not in reading, reading)


def the_faster_card_is_worth_several():
    headline = ask("how many 5090 match one 3060 for llama 8b")[1]["headline"]
    hold("5090", headline.startswith("One NVIDIA GeForce RTX 5090 is as fast as 4"), headline)


def a_switch_of_attention_is_a_flag_or_not_understood():
    reading, _, _ = ask("vram for llama 3.1 8b lora flash attention off seq 4096")
    hold("off", "--attention eager" in reading["flags"], reading)
    reading, _, _ = ask("llama 8b tokens per second on 3090 without flash attention")
    hold("served", "flash attention" in reading["not_understood"], reading)


def memory_beside_a_card_is_that_of_the_host():
    # 671 billion weights at 4.85 bits are 379 GiB; the card holds up to 24 of them.
    for question in ("how much ram to offload deepseek with a 4090", "how much ram do i need to run deepseek v3 with a 4090 offloading experts", "how much ram for deepseek v3 q4 with a 3090"):
        _, answer, code = ask(question)
        hold(question, code == 0 and 340 < value(answer, "ram") < 380 and "of RAM beside" in answer["headline"], answer)


def a_host_beside_a_card_shares_the_model():
    # 768 GB hold a file of 379 GiB, whatever stands between the names.
    for question in ("deepseek-r1 q4 on epyc 9654 768gb ram and 3090", "deepseek-r1 q4, epyc 9654, 3090, 768gb ram", "ktransformers deepseek r1 q4 epyc 9654 1tb ram 4090"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["verdict"] == "yes" and "together" in answer["headline"], answer)
    for question in ("biggest MoE with 64 GB RAM and a 3090", "biggest moe i can run with 64gb ram and 12gb vram"):
        _, answer, code = ask(question)
        hold(question, answer["headline"].startswith("Shared with 64 GB of the host: "), answer["headline"])


def tables_of_terabytes_lie_over_several_machines():
    # 2,000 GB over 16 cards are 116 GiB each without room: 16 of 80 GB hold 1,280 GB, so that the rows are kept in 16 bits.
    for question in ("gpu for serving a 2 TB DLRM", "dlrm of 2 TB serving how many gpus", "serve a dlrm with 2 TB embedding tables"):
        document, code = document_of(question)
        best = document["options"][0] if document.get("options") else {}
        hold(question, code == 0 and "table_gb=2000" in document["reading"]["flags"] and best["count"] >= 8, document["answer"])


def zero_3_moves_weights_and_states():
    for question, parameters in (("deepspeed zero-3 offload 30b on 4x3090", True), ("zero3 with cpu offload, full finetune of a 13b on 2x 4090, fits?", True), ("deepspeed zero-3 optimizer offload 30b on 4x3090", False), ("llama 70b zero3 offload parameters and optimizer states on 4 a100 sxm 80gb", True), ("13b zero 3 offload with 8bit adam on 2 a100", True)):
        flags = ask(question)[0]["flags"]
        hold(question, "--offload-optimizer cpu" in flags and ("--offload-parameters cpu" in flags) == parameters, flags)


def memory_of_a_card_that_holds_the_model_is_not_that_of_offloaded_states():
    # 8e9 weights at 4.85 bits are 4.5 GiB; Adam's two moments of them would be 60.
    for question in ("how much ram for llama 8b on a 4090", "how much vram and how much ram for llama 8b on a 4090"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "host" not in answer["headline"] and "q4_k_m" in answer["headline"], answer)


def a_share_of_time_is_no_cap_of_power():
    for question, capped in (("h100 at 40% utilization power cost per year", False), ("tdp of 4090 at 70 % usage", False), ("4090 capped at 70% power llama 8b tokens/s", True), ("llama 8b on 4090 with 80% tdp tokens per second", True)):
        _, answer, _ = ask(question)
        hold(question, ("it keeps" in answer["headline"]) == capped, answer["headline"])


def more_than_a_memory_lists_none_of_it():
    for question in ("which gpus have more than 80gb", "more than 80 gb gpus with nvlink"):
        headline = ask(question)[1]["headline"]
        hold(question, "-80gb" not in headline and "h200" in headline, headline)


def steps_that_are_said_are_those_of_the_duration():
    # 5000 x 2 s on the slower card are 10,000 s, on the faster one between half and three quarters of them.
    _, answer, _ = ask("my 3090 does 2 s/step lora 7b, how long will 5000 steps take on a 4090")
    hold("5000 steps", "So long are 5000" in answer["headline"] and "takes 1.5" in answer["headline"], answer["headline"])


def a_host_that_lacks_memory_is_said_to():
    # 70e9 x 15 bytes are 978 GiB: more than the 576 of the largest host that is listed.
    for question in ("llama 70b zero3 cpu offload on 4 a100, does it fit", "13b zero 3 offload full on 2 a100 fits?"):
        _, answer, code = ask(question)
        no = question.startswith("llama")
        hold(question, code == (3 if no else 0) and "-" not in answer["headline"].split("more are needed")[0][-12:] and "host" in answer["headline"], answer)


def unequal_cards_are_joined_by_every_stack_that_parts_layers():
    for question in ("exllamav2 mistral large 123b 3.0bpw on 2x3090 + 1x 4090?? tok/s", "llama 3.3 70b exl2 on 1x 3090 + 1x 4090, speed in exllamav2", "tokens/s of mistral large 123b q3_k_m on 2x3090 + 1x 4090"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "NVIDIA GeForce RTX 3090 and 1 x NVIDIA GeForce RTX 4090 together" in answer["headline"], answer["headline"])


def tokens_for_a_dollar_are_made_by_many_at_once():
    for question in ("highest tokens per dollar for qwen3 235b a22b inference, spot is fine", "best tokens per dollar for llama 3.1 8b", "tok per dollar for a 32b model, which gpu"):
        document, code = document_of(question)
        hold(question, code == 0 and "--concurrency 64" in document["reading"]["flags"], document["reading"])


def rate_and_first_token_are_told_for_each_and_for_all():
    for question in ("llama-3.1-8b fp8 on h100 sxm, 1000 in 300 out, 64 users: tok/s and ttft", "ttft and tokens/s of llama 3.1 8b on an l40s with 32 users"):
        _, answer, _ = ask(question)
        first = answer["headline"].split(". ")[0]
        hold(question, "first token comes after" in first and "for each request" in first and "at once" in first, answer["headline"])


def streams_and_their_row_agree():
    document, _ = document_of("how many 1080p 30 fps camera streams with yolov8s can one l4 take")
    told = float(re.search(r"([\d,]+) images/s in all", document["answer"]["headline"])[1].replace(",", ""))
    row = document["options"][0]["time"]["samples_per_s"]
    hold("streams", abs(row - told) < 0.02 * told, (told, row))


def clips_of_sound_are_recordings_of_a_length():
    # Each is padded to the window of 30 s: 1,000 of 15 s take as long as 1,000 of 30 s.
    short, long = (value(ask(f"1000 clips of {seconds} s with whisper on a 3060")[1], "time") for seconds in (15, 30))
    hold("padded", abs(short / long - 1) < 0.01, (short, long))
    # One window is heard alone, not beside fifteen others.
    reading, answer, _ = ask("audio of 15 s with whisper on a 3060")
    hold("one", "--concurrency 1 " in reading["flags"] and "15 s of audio" in answer["headline"], (reading["flags"], answer["headline"]))
    # What makes clips makes them, and is no recording.
    hold("wan", "500 clips" in ask("500 clips of 5 s with wan on a 4090")[1]["headline"])


def speech_is_heard_at_a_multiple_of_real_time():
    reading, answer, code = ask("whisper at 10x real time on what gpu")
    hold("10x", code == 0 and abs(reading.get("requests_per_s", 0) - 10 / 30) < 0.01 and answer["choice"]["accelerator"], (reading, answer))
    # How many times is asked where no number is told.
    hold("asked", "requests_per_s" not in ask("whisper on a 4090, how many times faster than real time")[0])


def a_first_token_in_time_takes_no_more_cards_than_it_must():
    # 4096 tokens are 66 TFLOP: 0.3 to 0.42 s of 362 TFLOP/s; two cards that share a prompt leave room for others below half a second.
    for question in ("p99 ttft < 500ms, 4k prompts, 10 rps, llama 3.1 8b, how many L40S", "how many l40s for llama 3.1 8b, 4k prompts, first token within 500 ms, 10 requests per second"):
        _, answer, code = ask(question)
        hold(question, code == 0 and 8 <= answer["choice"]["count"] <= 32, answer["headline"])


def an_engine_takes_what_its_line_gives_it():
    # 75.2 of 79.2 GiB: 51 of weights, 10.4 for each context of 128k; 0.3 of them leave 8 GiB beside 15, which is 7 contexts of 8k of 1 GiB.
    for question, most in (("--gpu-memory-utilization 0.95 --max-model-len 131072 gemma-3-27b-it 1x h100 how many concurrent", 2),
                           ("vllm serve llama-3.1-8b gpu_memory_utilization=0.3 on an h100, max-model-len 8192, how many concurrent requests", 7)):
        reading, answer, _ = ask(question)
        hold(question, f"up to {most} requests" in answer["headline"] and "--memory-fraction 0." in reading["flags"], answer["headline"])
    sglang = value(ask("sglang llama 3.1 70b fp8 --mem-fraction-static 0.5 on 2x h100, how many concurrent at 8k")[1], "concurrency")
    free = value(ask("sglang llama 3.1 70b fp8 on 2x h100, how many concurrent at 8k")[1], "concurrency")
    hold("sglang", sglang < free / 4, (sglang, free))
    tight = ask("vllm llama 3.1 8b --gpu-memory-utilization 0.1 on an h100 does it fit")[1]["headline"]
    hold("no room", tight.startswith("No: "), tight)
    trained, _, _ = ask("lora llama 8b on an h100 gpu_memory_utilization=0.3")
    hold("training", "--memory-fraction" not in trained["flags"] and any("engine that serves" in each["why"] for each in trained["assumed"]), trained)


def a_wish_of_a_card_is_no_measurement():
    # 500 texts of 600 tokens are 300k tokens a second x 15 GFLOP: 4.5 PFLOP/s, a dozen L40S at their peak.
    headline = ask("qwen3-reranker-8b, 50 candidates x 600 tokens per query, 10 qps, one L40S ok?")[1]["headline"]
    hold("reranker", headline.startswith("No, too slow") and "of the 500 asked" in headline, headline)
    headline = ask("llama 3.1 8b q4, 60 tok/s on my 3090, ok?")[1]["headline"]
    hold("seen", "as seen" in headline, headline)


def a_job_of_two_sides_is_timed():
    # 100M texts of 512 tokens are 51.2G tokens; a million texts of 100 that are written are 100M.
    for question in ("bge-m3 embed 100M docs of 512 tokens, hours on 1x l4 vs 1x h100 and which is cheaper", "how long to embed 100M docs of 512 tokens with bge-m3 on l4 vs h100"):
        answer = ask(question)[1]
        hours = sorted(each["mid"] / 3600 for each in answer["value"] if each["quantity"] == "duration")
        hold(question, "51.2B tokens take" in answer["headline"] and len(hours) == 2 and 10 < hours[0] < 40 < 120 < hours[1] < 300, answer["headline"])
    answer = ask("llama 8b fp8, 1M docs of 512 tokens in, 100 out, hours on l4 vs h100 and which is cheaper")[1]
    hours = min(each["mid"] / 3600 for each in answer["value"] if each["quantity"] == "duration")
    hold("written", "100M tokens take" in answer["headline"] and 4 < hours < 7, answer["headline"])  # one alone is told 5.4 h


def a_name_of_a_list_that_nothing_knows_is_told_first():
    question = "kokoro tts + whisper large v3 + llama 3.1 8b q4 all at once on one 3060 12gb?"
    headline = ask(question)[1]["headline"]
    hold(question, headline.startswith("Without regard to kokoro") and "whisper-large-v3 served" in headline and "llama-3.1-8b served in q4_k_m" in headline, headline)
    headline = ask("foobar9, whisper large v3 and llama 3.1 8b q4 together on one 3060 12gb?")[1]["headline"]
    hold("foobar9", headline.startswith("Without regard to foobar9"), headline)
    headline = ask("whisper large v3 and llama 3.1 8b q4 together on one 3060 12gb?")[1]["headline"]
    hold("known", headline.startswith("Yes: both together"), headline)


def a_limit_of_a_step_is_kept():
    # 256 x 8192 tokens x 6 x 8e9 are 101 PFLOP: in 10 s at 30 to 50 % of 990 TFLOP/s 20 to 34 H100, and their attention beside.
    answer = ask("full finetune of 8b, batch 256, seq 8k, how many h100 for a step under 10 seconds")[1]
    hold("step", answer["headline"].startswith("For 1000 steps of at most 10 s each") and 20 <= answer["choice"]["count"] <= 64, answer["headline"])


def requests_that_come_at_a_rate_are_simulated():
    # 8B in 16 bits: 2 x 8e9 x 2248 FLOP a request are 36 TFLOP, of 362 TFLOP/s at 50 to 80 % five to eight a second for
    # prompts alone; decoding of 16 GB a pass at 864 GB/s takes the rest, so that one L40S keeps less than five.
    answer = ask("p99 ttft llama 8b on l40s at 5 rps 2k in 200 out")[1]
    hold("too many", answer["headline"].startswith("Not at that rate") and 1.5 < value(answer, "kept") < 5, answer["headline"])
    answer = ask("ttft llama 8b on l40s at 2 rps 2k in 200 out")[1]
    hold("kept", value(answer, "ttft_p50") < value(answer, "ttft_p99") < 3 and answer["headline"].startswith("At 2 requests/s"), answer)
    hold("no rate", "in 99 %" not in ask("ttft llama 8b on l40s 2k in")[1]["headline"])
    # More than all of its arithmetic keeps is refused, however the requests come; the tokens that were asked lead where it is kept.
    answer = ask("throughput of qwen2.5-72b on 8 mi300x at 200 requests/s, 1000 in 500 out")[1]
    hold("far too many", answer["headline"].startswith("Not at that rate") and value(answer, "kept") < 30, answer["headline"])
    answer = ask("tokens per second of llama 3.1 8b on h100 sxm at 5 rps")[1]
    hold("tokens lead", answer["headline"].startswith("llama-3.1-8b") and "At 5 requests/s" in answer["headline"], answer["headline"])


def the_fewest_that_keep_a_rate_keep_the_waits():
    # 16 GB of weights at 2 TB/s are 8 ms a token on one A100: ten of 3 a second at once leave none within 10 ms with room.
    headline = ask("can 16 a100 80gb sxm handle 3 rps of llama 3.1 8b with tpot under 10 ms")[1]["headline"]
    hold("waits", "1 of the 16" not in headline, headline)
    headline = ask("20 rps llama 3.1 8b on 8 h100")[1]["headline"]
    hold("fewest", "3 of the 8 keep it with room" in headline, headline)


def settings_of_engines_are_no_hardware():
    for question in ("llama 70b awq vllm on 1x a6000 with --cpu-offload-gb 10", "cpu offload 10gb vllm llama 70b awq on 1x a6000, does it fit"):
        reading, answer, _ = ask(question)
        hold(question, reading["accelerators"] == ["rtx-a6000"] and "10 GB of the weights" in answer["headline"], answer["headline"])


def a_checkpoint_takes_its_time_to_be_written():
    # fp32 weights and two moments: 12 bytes of each of 70.6e9 parameters are 847 GB, at 2 GB/s 424 s.
    answer = ask("checkpoint size llama 70b with optimizer and time to save at 2 GB/s")[1]
    hold("save", 400 < value(answer, "save") < 450 and "is written in" in answer["headline"], answer["headline"])


if __name__ == "__main__":
    run(globals())
