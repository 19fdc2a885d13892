#!/usr/bin/env python3
"""Questions in plain words whose whole answer must hold: the first line, its figures and what was assumed.

Usage: question_answers_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
import json
import math
import re
import subprocess

from asked import RIDGELINE, ask, command, document_of, hold, run, value, text


def what_is_surely_dearer_does_not_lead():
    # Ranges of what nobody measured are wide for all parts alike: they tie no rents that differ by half.
    question = "gpu for a flux lora"
    document, _ = document_of(question)
    costs = [each["cost"]["usd_per_sample"] for each in document["options"]]
    hold(question, len(costs) > 3 and costs[0] <= 1.31 * min(costs), costs)


def memory_is_compared_at_the_same_recomputation():
    # LoRA of 3.2e9 weights of 16 bits: 6 GiB, 1.3 GiB of 28 kept inputs, one layer and a piece of the loss (about 0.4), gradients of adapters in fp32.
    lean = [ask("vram needed for llama 3.2 3b lora with seq len 4096 batch 2" + words)[1]["headline"] for words in ("", " with gradient checkpointing")]
    under = [float(each.split(" GiB for lora under Unsloth")[0].split()[-1]) for each in lean]
    hold("lean", all(7.4 < each < 8.4 for each in under) and "with recomputation" in lean[0], lean)


def use_is_told_as_days_of_a_week():
    # Two whole days of seven are 28.6 % of the time.
    question = "own or rent a 3090 used 2 days a week"
    reading, answer, _ = ask(question)
    hold(question, abs(reading.get("hours_per_day", 0) - 48 / 7) < 0.1 and "29 % use" in answer["headline"], answer)


def cameras_send_all_their_pictures():
    # 20 x 30 pictures a second; the choice keeps them.
    question = "gpu for yolov8n on 20 cameras at 30 fps"
    reading, answer, code = ask(question)
    hold(question, reading.get("requests_per_s") == 600 and code == 0, reading)


def credits_buy_no_cards():
    question = "what can we train with $20k of gcp credits"
    _, answer, code = ask(question)
    hold(question, code == 0 and "rented from gcp" in answer["headline"] and "to buy" not in answer["headline"], answer)
    hold(question, answer["choice"].get("why") == "rent", answer)


def a_link_is_weighed_on_the_same_hardware():
    question = "is nvlink worth it for 2x3090 full finetune of qwen2.5 0.5b"
    reading, answer, _ = ask(question)
    hold(question, reading.get("alternatives") == ["nvlink", "pcie"] and "NVLink" in answer["headline"] and "PCIe" in answer["headline"], answer)
    speed = {v["of"]: v["mid"] for v in answer.get("value", []) if v["quantity"] == "speed"}
    hold(question, speed.get("nvlink", 0) >= speed.get("pcie", 1) > 0, answer)
    # GeForce 40 has none, whatever is bought.
    question = "is nvlink worth it for 2x 4090 lora of 8b"
    _, answer, _ = ask(question)
    hold(question, "no NVLink" in answer["headline"], answer)
    # A port of 25 Gb/s for eight is 0.39 GB/s for each, NDR 50 GB/s.
    question = "how bad is 25gbe for 4 nodes of 8 h100 training 13b"
    reading, answer, _ = ask(question)
    speed = {v["of"]: v["mid"] for v in answer.get("value", []) if v["quantity"] == "speed"}
    hold(question, reading.get("count") == 32 and len(speed) == 2 and speed.get("eth-25", 1e9) < max(speed.values()), answer)


def a_rate_that_no_stream_reaches_is_that_of_all():
    # 8.03e9 weights of 16 bits at 8 TB/s are read 498 times a second at most.
    question = "what gpu for llama 3.1 8b at 2000 tokens per second"
    reading, answer, code = ask(question)
    hold(question, code == 0 and "no single stream" in answer["headline"] and reading.get("requests_per_s", 0) > 0, answer)
    question = "what gpu for llama 3.1 8b at 2000 tokens per second per user"
    _, answer, code = ask(question)
    hold(question, code == 3, answer)


def rounds_have_the_answers_that_were_said():
    question = "grpo qwen2.5 7b, 256 prompts x 16 answers on 8 h100"
    reading, answer, _ = ask(question)
    hold(question, reading.get("group") == 16 and "256 prompts x 16 answers" in answer["headline"], answer)


def what_runs_beside_adds_up():
    # 32e9 weights of 4 bits are 15 GiB of each work, 30 GiB of the 45 that two cards have; with states, cache and
    # contexts nothing is left.
    question = "can 2x3090 train a qlora of 32b and chat with a 32b at the same time"
    reading, answer, code = ask(question)
    hold(question, [each["model"] for each in reading.get("beside", [])] == ["32b"] and answer["verdict"] == "no" and code == 3, answer)
    question = "can a 4090 run whisper large v3 and llama 3.1 8b at the same time"
    reading, answer, code = ask(question)
    hold(question, [each["model"] for each in reading.get("beside", [])] == ["llama-3.1-8b"] and answer["verdict"] != "no", answer)
    # Both by themselves are less than both together.
    alone = ask("can a 4090 run whisper large v3")[1]["needs_gib"]["mid"]
    hold(question, answer["needs_gib"]["mid"] > alone + 4, answer)


def the_largest_of_experts_is_one():
    question = "largest moe that runs on 4x3090"
    _, answer, _ = ask(question)
    hold(question, "mixture of experts" in answer["headline"] and "dense" not in answer["headline"], answer)


def both_kinds_of_price_are_set_apart():
    question = "price difference between spot and on demand a100 on gcp"
    _, answer, _ = ask(question)
    hold(question, "on demand and" in answer["headline"] and "as spot" in answer["headline"], answer)


def a_provider_without_the_part_leaves_the_others():
    question = "buy 8 h200 or rent from lambda for 24 months"
    _, answer, _ = ask(question)
    hold(question, "from lambda is listed" in answer["headline"] and "no rent of it is known" not in answer["headline"], answer)


def the_verdict_is_that_of_memory():
    # 4.9 GB of weights on 24 GB; at 936 GB/s no more than 190 of them are read in a second.
    question = "can a 3090 run llama 3.1 8b q4_k_m at 500 tokens per second"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "yes" and code == 0 and "too slow" in answer["headline"], answer)
    question = "can a 3090 run llama 3.1 8b q4_k_m at 30 tokens per second"
    _, answer, _ = ask(question)
    hold(question, answer.get("verdict") == "yes" and "too slow" not in answer["headline"], answer)


def networks_answer_in_batches():
    # 4.1 GMAC an image: of 312 TFLOP/s a tenth is 3,800 images/s, and 200 launches of 24 us bound one by itself.
    question = "resnet-50 inference throughput on an a100, images per second"
    reading, answer, _ = ask(question)
    hold(question, answer["value"][0]["mid"] > 1500 and "in batches of 64" in answer["headline"], answer)
    hold(question, 0.003 < value(answer, "one at a time") < 0.01, answer)
    # Who waits for each image, or says that one comes at a time, gets the time of one.
    question = "resnet50 latency on a t4"
    reading, answer, _ = ask(question)
    hold(question, answer["value"][0]["unit"] == "s" and 0.003 < answer["value"][0]["mid"] < 0.02, answer)
    # A batch grows with the rate that is asked: no row of cards that answer one image at a time each.
    question = "serve resnet-50 at 2000 images per second, which gpu"
    reading, answer, _ = ask(question)
    hold(question, answer["choice"]["count"] <= 2 and reading["requests_per_s"] == 2000, answer)
    # Frames of each camera: 20 x 30 a second.
    question = "20 cameras at 30 fps, yolov8n on each, what gpu"
    reading, answer, _ = ask(question)
    hold(question, reading.get("requests_per_s") == 600 and reading.get("concurrency") == 20, reading)
    # Cards are compared at batches: one image at a time is bound by launches on both.
    question = "how much faster is a 4090 than a 3080 for resnet50"
    _, answer, _ = ask(question)
    hold(question, "times as fast" in answer["headline"] and answer["choice"]["accelerator"] == "rtx-4090", answer)
    # TensorRT has networks and language models: the stack is that of the model. A module's host launches slowly:
    # 21.9 ms an image of YOLOv8n by PyTorch, 7.3 ms by TensorRT.
    eager = ask("yolov8n on jetson orin nano fps")[1]["value"][0]
    question = "yolov8n tensorrt on jetson orin nano fps"
    reading, answer, _ = ask(question)
    hold(question, reading["framework"] == "tensorrt" and answer["value"][0]["mid"] > 2 * eager["mid"], answer)
    hold(question, eager["low"] < 1 / 0.0219 < eager["high"], eager)


def videos_are_told_by_the_piece():
    question = "best gpu for wan 2.1 14b video"
    _, answer, _ = ask(question)
    hold(question, " a clip" in answer["headline"] and "million" not in answer["headline"], answer)


def crowds_have_lengths_and_days():
    # "at 8k" is how long the context of each is; of 42.6 GiB some 20 GiB of 4-bit weights leave room for 20 x 8192 tokens at 256 KiB.
    for question in ("qwen3 32b on 2x 3090 vllm awq how many concurrent users at 8k context",
                     "vllm llama 3.1 70b tp4 a100 max batch size at 4k"):
        reading, _, _ = ask(question)
        hold(question, reading["intent"] == "largest" and reading["sequence"] in (4096, 8192) and "concurrency" not in reading, reading)
    reading, _, _ = ask("gemma 3 27b q4 24gb context length max")
    hold("context length max", reading["intent"] == "largest", reading)
    # 1000 users x 20 messages x 3 (busiest hour) / 86400 s.
    reading, _, _ = ask("cost of running llama 70b api for 1000 users a day each 20 messages")
    hold("20 messages each", abs(reading["requests_per_s"] - 1000 * 20 * 3 / 86400) < 0.01, reading)
    # What a day makes is made by a server that is kept busy: many times what one request gets.
    question = "how many tokens per day can an l40s process with llama 3.1 8b"
    reading, answer, _ = ask(question)
    one = ask("tokens per second of llama 3.1 8b on an l40s")[1]["value"][0]["mid"]
    hold(question, answer["value"][0]["unit"] == "tokens/day" and answer["value"][0]["mid"] > 5 * 86400 * one, answer)
    hold(question, "--concurrency 64" in reading["flags"], reading["flags"])


def files_have_the_usual_type():
    # 4.9 GB of q4_k_m at 1,008 GB/s: 100 to 206 tokens a second; of 16 GB in 16 bits no more than 63.
    question = "ollama llama 3.1 8b 4090 tok/s"
    reading, answer, _ = ask(question)
    hold(question, reading["quantization"] == "q4_k_m" and 90 < value(answer, "decode") < 206, answer)
    reading, _, _ = ask("gpt-oss-20b ollama on m4 pro tok/s")
    hold("gpt-oss keeps its own", reading["quantization"].startswith("mxfp4"), reading)


def parts_say_what_runs_on_them():
    question = "does flash attention work on v100"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("No: ") and "FlashAttention 2 needs compute capability 8.0" in answer["headline"], answer)
    for question in ["can i train with fp8 on a100", "can you train in fp8 on a 3090"]:
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "describe" and answer["headline"].startswith("No: "), answer)
    _, answer, _ = ask("can i run int8 on a t4")
    hold("int8 of T4", answer["headline"].startswith("Yes: ") and "130" in answer["headline"], answer)
    for question in ["how much faster is fp8 than bf16 on h100", "is gradient checkpointing worth it on a 3090", "lora vs qlora speed on a 4090"]:
        reading, answer, code = ask(question)  # of a usual model, as none is named
        hold(question, code == 0 and reading["intent"] == "compare" and reading["model"] == "8b", answer)
    question = "total memory of a dgx h100"
    _, answer, _ = ask(question)
    hold(question, "640 GB" in answer["headline"], answer)
    question = "fp64 of a100 vs its tf32"
    _, answer, _ = ask(question)
    hold(question, "156" in answer["headline"] and answer["headline"].count("9.7 TFLOP/s") == 1, answer)
    # Who asks for the cheapest with a feature gets one, no list of all.
    question = "cheapest gpu that supports fp8"
    _, answer, _ = ask(question)
    hold(question, "The cheapest to rent with fp8" in answer["headline"], answer)
    question = "how much faster is fp8 than bf16 on h100 for 70b inference"
    _, answer, _ = ask(question)
    hold(question, "times as fast as bf16" in answer["headline"], answer)
    reading, _, code = ask("24gb cards under 1000 usd")
    hold("24gb cards", reading.get("budget_usd") == 1000 and reading.get("memory_gib") == 24, reading)
    # 116.8B parameters; its makers' 5.1B active leave out the table of 201,088 x 2,880.
    question = "active parameters of gpt-oss-120b"
    _, answer, _ = ask(question)
    hold(question, "(5.1B beside" in answer["headline"], answer)


def neighbours_of_numbers_and_names_stay_apart():
    reading, _, _ = ask("time to train resnet-50 90 epochs imagenet 8 v100")
    hold("no RTX 5090", all(each.startswith("v100") for each in reading["accelerators"]), reading)
    # 46.7 billion parameters in 16 bits are 87 GiB, of 2 x 47.5 GiB of which vLLM takes nine tenths.
    question = "vllm serve mistralai/Mixtral-8x7B-Instruct-v0.1 --tensor-parallel-size 2 on two a6000, fits?"
    reading, _, _ = ask(question)
    hold(question, reading["model"].startswith("mixtral-8x7b"), reading)
    # 16-bit weights and gradients and AdamW's states are 8 bytes at least: 8 x 139.8 GiB hold 150 billion parameters at most.
    question = "biggest thing i could full finetune with 8 h200, adamw, no offload"
    reading, _, _ = ask(question)
    hold(question, "offload" not in reading["flags"], reading)
    reading, _, _ = ask("is 1.99/hr good for an h100 sxm")
    hold("a rent without its currency", reading.get("usd_per_hour") == 1.99 and "deadline_s" not in reading, reading)
    _, answer, _ = ask("sdxl lora vram")
    hold("no logits of pictures", "Unsloth" not in answer["headline"], answer)


def nothing_of_a_run_is_dropped():
    # 2.5 million steps of 16 segments; recordings are cut to them, and power is told where it is asked for.
    question = "training a hifi-gan vocoder on 24 hours of speech on a 4070, how long and what does it cost me in power"
    reading, answer, _ = ask(question)
    told = [each["field"] for each in reading["assumed"]]
    hold(question, "audio_s" in told and "kWh" in answer["headline"], (reading, answer))
    hold(question, any(each["field"] == "samples" and each["value"].startswith("40M") for each in reading["assumed"]), reading)
    reading, _, _ = ask("mi300x 8 nodes, can it do deepseek v3 fp8 for 200 users")
    hold("nodes of eight", reading.get("count") == 64 and reading.get("nodes") == 8, reading)


def several_at_once_need_as_much_more():
    # 8.03e9 parameters in bf16 are 14.96 GiB, three of them 44.9.
    question = "can i run 3 replicas of llama 3.1 8b on one h100"
    reading, answer, _ = ask(question)
    hold(question, reading.get("copies") == 3 and answer.get("verdict") == "yes" and 44.9 < answer["needs_gib"]["mid"] < 60, answer)
    question = "can i run 6 replicas of llama 3.1 8b on one h100"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "no" and code == 3, answer)
    # Where no task is said either: two of 14.96 GiB are more than the 22.4 GiB (24 GB) of the card.
    question = "can 2 replicas of llama 3.1 8b in bf16 fit on one 4090"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "no" and code == 3, answer)
    question = "how much memory do 3 replicas of llama 3.1 8b need"
    _, answer, _ = ask(question)
    hold(question, 44.9 < answer["needs_gib"]["mid"] < 60 and "3 at once" in answer["headline"], answer)
    # Speed is that of all cards for one.
    question = "tokens per second of llama 3.3 70b with 2 replicas on 8 h100 sxm"
    reading, _, _ = ask(question)
    hold(question, any(each["field"] == "copies" for each in reading.get("assumed", [])), reading)
    # Eight cards for four runs are two for each.
    question = "run 4 lora trainings of llama 3.1 8b at the same time on 8x a100 80gb"
    reading, answer, _ = ask(question)
    hold(question, reading.get("copies") == 4 and reading.get("count") == 8 and answer["choice"]["count"] == 2, answer)


def what_replaces_a_card_is_another():
    question = "replace my rtx 4090 for llama 3.1 8b inference"
    reading, answer, _ = ask(question)
    chosen = answer.get("choice", {}).get("accelerator", "rtx-4090")
    hold(question, reading.get("replaced") == "rtx-4090" and chosen != "rtx-4090", answer)
    # 384 bits at 21 Gb/s.
    hold(question, abs(reading.get("replaced_bytes_per_s", 0) / 1008e9 - 1) < 0.01, reading)


def a_ladder_that_fits_misses_nothing():
    question = "can my 3090 run qwen3-30b-a3b"
    done = subprocess.run([RIDGELINE, "advise", question], capture_output=True, text=True, timeout=60)
    hold(question, done.returncode == 0 and "Yes" in done.stdout and "Nearest miss" not in done.stdout, done.stdout)


def one_more_is_compared_with_what_is_there():
    question = "should i add a third 3090 to my two for llama 3.3 70b q4"
    reading, _, code = ask(question)
    counts = sorted(side.get("count", 0) for side in reading.get("sides", []))
    hold(question, reading.get("intent") == "compare" and counts == [2, 3] and code == 0, reading)


def a_comparison_tells_what_targets_are_reached():
    question = "l40s or 2x 4090 for serving qwen3 32b awq to about 15 people at 25 tok/s each with first token under 1s"
    done = subprocess.run([RIDGELINE, "advise", question, "--json"], capture_output=True, text=True, timeout=60)
    headline = json.loads(done.stdout)["answer"]["headline"]
    # The one that keeps both times says so, the other tells the one that it misses.
    hold(question, "2 x NVIDIA GeForce RTX 4090 keeps what was asked" in headline, headline)
    hold(question, "1 x NVIDIA L40S: Each further one comes after" in headline and headline.count("later than the 40 ms asked") == 1, headline)


def degrees_of_parallelism_are_compared():
    question = "tp4 or tp8 for llama 3.1 70b on 8 h100"
    reading, answer, code = ask(question)
    named = {v.get("of") for v in answer.get("value", [])}
    hold(question, reading.get("intent") == "compare" and {"tp4", "tp8"} <= named and code == 0, answer)


def the_largest_product_fills_the_memory():
    # Three matrices of n x n in fp64 in 24 GiB: n is at most sqrt(24 x 2^30 / 24) = 32,768.
    question = "largest fp64 matrix multiplication that fits on a 4090"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "largest" and 30000 < value(answer, "size") <= 32768, answer)


def hours_that_were_said_are_spent():
    # 6 x 1.3e9 x tokens = 10,000 h x 312e12 FLOP/s at 20 to 65 % of the peak: 290B to 940B tokens.
    question = "pretrain a 1.3b with 10000 a100 hours"
    _, answer, _ = ask(question)
    hold(question, 2.9e11 < value(answer, "trained") < 9.4e11, answer)


def the_best_model_of_a_purpose_has_a_name():
    question = "best coding model on one 4080 at decent speed"
    reading, answer, _ = ask(question)
    hold(question, any(name in answer["headline"] for name in ("codellama", "coder", "starcoder")) and "tokens/s" in answer["headline"], answer)
    hold(question, any(each["field"] == "tpot_s" for each in reading.get("assumed", [])), reading)


def laptops_are_told_from_cards():
    # The laptop part has 8 GB, the card 12: 5 GB of weights fit both, 9 GB the card alone.
    question = "can a 4070 laptop run qwen3 8b q4"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading.get("accelerators") == ["rtx-4070-laptop"] and answer["have_gib"] < 8, answer)
    question = "my laptop has a 4070, can it run qwen3 14b q4_k_m"
    _, answer, code = ask(question)
    hold(question, code == 3 and answer.get("verdict") == "no", answer)
    # 256 bits at 18 Gb/s and 16 GB, no 24.
    question = "rtx 4090 laptop specs"
    _, answer, _ = ask(question)
    hold(question, "16 GB" in answer["headline"] and "576" in answer["headline"], answer)
    # None is sold with that name.
    question = "can a 3090 laptop run qwen3 8b q4"
    _, answer, code = ask(question)
    hold(question, code == 4, answer)


def one_part_is_owned_and_another_rented():
    question = "buy a 4090 or rent an h100 for 6 months"
    reading, answer, code = ask(question)
    rented = {side["accelerator"]: side.get("rented", False) for side in reading.get("sides", [])}
    hold(question, code == 0 and rented == {"rtx-4090": False, "h100": True}, reading)
    # 1,008 GB/s against 2,039 to 3,938 of the forms of H100.
    hold(question, "4090" in answer["headline"] and "H100" in answer["headline"] and "times the memory bandwidth" in answer["headline"], answer)


def a_rate_that_was_seen_is_no_limit():
    question = "why do i only get 6 tok/s from my tesla p40 with a 32b q4 gguf?"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "throughput" and "tpot_s" not in reading and reading.get("seen_tokens_per_s") == 6, reading)
    hold(question, "as seen" in answer["headline"], answer)


def asking_word_decides():
    for question in ("allreduce of 1gb", "all to all 1gb on a 4090"):
        _, answer, _ = ask(question)
        # Between devices, of which a machine has 8: a time, and no ratio of nothing.
        hold(question, "over 8 devices" in answer["headline"] and "nan" not in answer["headline"], answer)
    question = "price of an rtx pro 6000 blackwell for comfyui video stuff"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "price" and "$" in answer["headline"] and "verdict" not in answer, answer)
    question = "min h100 count llama 3.1 70b full ft"
    _, answer, _ = ask(question)
    hold(question, not answer["headline"].startswith("No") and "x NVIDIA H100" in answer["headline"], answer)


def power_is_told_of_a_rate():
    question = "tokens per watt of a 4090 with llama 3.1 8b q4"
    _, answer, _ = ask(question)
    # Between 60 and 210 tokens/s at 450 W of the card and what its machine draws.
    hold(question, 0.05 < value(answer, "per_watt") < 0.5, answer)
    question = "4090 at 300w power limit, how fast is llama 3.1 8b q4"
    reading, answer, _ = ask(question)
    hold(question, reading.get("power_cap_w") == 300 and "300 W" in answer["headline"], answer)
    # A number of a card beside another one counts no tokens.
    question = "4090 vs 5090 tokens per watt llama 3.1 8b"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "compare" and "sequence" not in reading, reading)


def an_upgrade_is_no_step_down():
    # An RTX 3070 has 8 GB at 448 GB/s; an Arc B570 has 10 GB at 380.
    question = "i own a 3070, what should i upgrade to for local llms, 600 dollars"
    reading, answer, _ = ask(question)
    choice = (answer.get("choice") or {}).get("accelerator", "")
    hold(question, choice and choice not in ("rtx-3070", "arc-b570") and not reading.get("owned"), answer)


def a_yes_never_says_the_opposite():
    # 16 GB of weights in bf16 and adapters leave room on 48 GB: "yes" would say that it runs out.
    for question in ["am i going to oom: lora of llama 3.1 8b, seq 2048, batch 1, rtx 6000 ada", "is a 4090 too weak for llama 3.1 8b q4"]:
        _, answer, _ = ask(question)
        hold(question, answer.get("verdict") == "yes" and answer["headline"].startswith("It fits"), answer)


def a_budget_for_double_precision_is_measured_in_it():
    # An RTX 4090 has 1.29 TFLOP/s in fp64, 1/64 of its 82.6 in fp32.
    question = "double precision on a budget: best card below $1500"
    _, answer, _ = ask(question)
    hold(question, "fp64" in answer["headline"] and "serving" not in answer["headline"], answer)


def a_crowd_is_served_in_turn_where_the_engine_queues():
    # 500 requests of 1536 tokens are 94 GiB of cache (128 KiB a token); 48 GB hold the weights and some 25 GiB of it.
    question = "can an l40s serve 500 users of llama 3.1 8b with vllm"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "barely" and code == 0 and "the others wait" in answer["headline"], answer)
    # llama.cpp allots a slot to each.
    question = "can an l40s serve 500 users of llama 3.1 8b in bf16 with llama.cpp"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "no" and code == 3, answer)
    # Who seeks hardware for 500 users wants all of them served at once.
    question = "cheapest gpu to serve llama 3.1 8b in bf16 for 500 users with vllm"
    _, answer, _ = ask(question)
    hold(question, "wait" not in answer["headline"], answer)
    # Weights of 16 GB and 400 requests: each figure is of what fits.
    question = "llama 3.1 8b vllm on h100 throughput 1000 concurrent"
    _, answer, code = ask(question)
    hold(question, code == 0 and "that run at once" in answer["headline"] and "does not fit" not in answer["headline"], answer)


def a_stack_without_a_build_for_the_chip_is_refused():
    for question, why in (("can i run vllm on 2x p40 with qwen2.5-32b awq", "7.0"),  # P40: 6.1
                          ("can i run llama 3.1 8b with tensorrt-llm on an mi300x", "no build"),
                          ("can a p40 fine-tune llama 3.1 8b with unsloth", "7.0"),
                          ("can i fine-tune llama 3.1 8b with unsloth on a tpu v5e", "no build")):
        _, answer, code = ask(question)
        hold(question, answer.get("verdict") == "no" and code == 3 and why in answer["headline"], answer)
    # The same card under a stack that runs there, and none named.
    for question in ("can a p40 run llama 3.1 8b q4_k_m with llama.cpp", "can a p40 run llama 3.1 8b q4_k_m"):
        _, answer, code = ask(question)
        hold(question, answer.get("verdict") == "yes" and code == 0, answer)


def both_figures_of_double_precision_are_told():
    question = "fp64 tensor core peak of h100 sxm"  # 67 TFLOP/s, NVIDIA's data sheet
    _, answer, _ = ask(question)
    hold(question, "67" in answer["headline"] and "34" in answer["headline"], answer)
    question = "what tflops will a 8192x8192x8192 bf16 gemm reach on h100 sxm"
    _, answer, _ = ask(question)
    hold(question, 480 < value(answer, "rate") < 990, answer)

def weights_that_do_not_fit_are_not_barely_there():
    # 32.8e9 parameters in bf16 are 61.0 GiB of 22.5 there; in 4.85 bits 18.5.
    question = "can i run qwen2.5-32b on a 4090"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "yes" and code == 0 and "16-bit weights do not fit" in answer["headline"], answer)


def more_accelerators_never_hold_less():
    # In bf16 256 x 80 GB are 20.5e12 bytes, at 2 bytes each no more than 10.2e12 parameters; 32 hold an eighth.
    sizes = []
    for count in (32, 128, 256):
        question = f"biggest model i can serve on {count} h100"
        _, answer, _ = ask(question)
        sizes.append(answer["value"][1]["mid"])
        hold(question, 0.7 * count * 36e9 < sizes[-1] < count * 40e9, answer)
        hold(question, answer["value"][0]["mid"] > min(9.7e12, 2 * sizes[-1]), answer)  # 4 bits take a quarter
    hold("more hold more", sizes == sorted(sizes), sizes)


def servers_keep_eight_bit_floats():
    # 405e9 bytes are read for each token of a step, by 8 x 3.35e12 B/s: 66 steps/s at most, for 64 users 4,200 tokens/s.
    question = "throughput of llama 405b on 8 h100 for 64 users"
    _, answer, _ = ask(question)
    hold(question, "fp8" in answer["headline"] and 500 < value(answer, "total") < 4200, answer)
    question = "energy per million tokens llama 70b on h100"  # 700 W at 500 to 2,000 tokens/s: 0.1 to 0.4 kWh, cooling besides
    _, answer, _ = ask(question)
    hold(question, 0.08 < value(answer, "energy") < 0.8 and "q6_k" not in answer["headline"], answer)


def every_side_of_a_comparison_is_told():
    question = "8x h100 vs 8x h200 vs 8x b200 vs 8x mi300x for llama 405b 64 users"
    _, answer, _ = ask(question)
    hold(question, all(name in answer["headline"] for name in ("H100", "H200", "B200", "MI300X")), answer)
    # 671e9 bytes: eight H100 of 94 GB or nine of 80 at least.
    question = "gb200 nvl72 vs h100 for deepseek-v3 inference"
    _, answer, _ = ask(question)
    counts = {each["accelerator"]: each["count"] for each in (answer.get("choice", {}), answer.get("runner_up", {})) if each}
    hold(question, counts.get("gb200-gpu") == 72 and any(part.startswith("h100") and 8 <= count <= 16 for part, count in counts.items()), answer)


def a_rate_fills_what_it_needs():
    # 100 requests/s of 512 tokens are 51,200 tokens/s; an H100 makes more than 2,000 of an 8B, so 64 are too many by far.
    question = "serve llama-3.1-8b 100 requests per second ttft 200ms"
    _, answer, _ = ask(question)
    hold(question, answer["choice"]["count"] <= 32 and answer["choice"]["usd_per_hour"] < 200, answer)
    # 1e9 tokens a day; what costs less for the day goes first.
    question = "cost to serve 1 billion tokens per day of llama 3.3 70b"
    _, answer, _ = ask(question)
    hold(question, answer["choice"]["usd_per_hour"] < 200 and "a day" in answer["headline"], answer)


def who_serves_many_is_told_how_many():
    # 671e9 bytes are 625 GiB: five H200 of 140 GiB, in powers of two eight.
    question = "serve deepseek-v3 for 1000 users on h200"
    reading, answer, code = ask(question)
    hold(question, answer.get("verdict") in ("yes", "barely") and code == 0 and answer["choice"]["count"] == 8, answer)
    hold(question, "--accelerators 8" in reading.get("flags", ""), reading)
    # 70.6e9 weights of four bits are 37 GiB of the 71 that one leaves, whole ones 131 GiB on two.
    question = "can an h100 serve llama 3.3 70b to 20 users"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["choice"]["count"] == 1 and "16-bit weights do not fit" in answer["headline"], answer)


def the_host_holds_what_the_card_does_not():
    # 117e9 parameters of 4.25 bits and some of 16: about 61 GiB, a third of it on 24 GB.
    # A layer's experts are 128 x 3 x 2880 x 2880 weights of 4.25 bits, 1.58 GiB: 24 GiB hold at most 12 of 36. The
    # others' chosen ones are 24 x 4 x 24.9e6 weights, 1.27 GB: 55 tokens/s of 70 GB/s at most, less what the card takes.
    question = "can gpt-oss-120b run on a 3090 with 64gb ram"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") in ("yes", "barely") and code == 0, answer)
    hold(question, 35 < value(answer, "host_memory") <= 60 and 10 < value(answer, "decode") < 55, answer)
    hold(question, "--n-cpu-moe 2" in answer["headline"] and "--host-expert-layers 2" in json.dumps(answer["change"]), answer)
    # Who asks how fast gets the rate of the same run.
    fast = "how fast is gpt-oss-120b on a 3090 with 64gb ram"
    _, told, code = ask(fast)
    hold(fast, code == 0 and value(told, "decode") == value(answer, "decode") and "--n-cpu-moe 2" in told["headline"], told)
    question = "can a 4090 with 64gb ram run llama 3.3 70b"  # no experts: whole layers
    _, answer, _ = ask(question)
    hold(question, "--gpu-layers" in json.dumps(answer["change"]) and "n-cpu-moe" not in answer["headline"], answer)
    question = "can gpt-oss-120b run on a 3090 with 32gb ram"  # 61 GiB less 24 are more than 32
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "no" and code == 3, answer)
    question = "can qwen3-235b-a22b run on epyc with 256gb ram"  # 8.5 bits of 235e9 are 232 GiB, with a system too many
    _, answer, _ = ask(question)
    hold(question, answer.get("verdict") in ("yes", "barely") and answer["needs_gib"]["mid"] < 252 and answer["have_gib"] <= 256, answer)


def a_computer_stays_one():
    for question in ("can a mac studio m3 ultra 512gb run deepseek r1", "can a macbook pro m3 max 36gb run llama 70b"):
        _, answer, _ = ask(question)
        hold(question, "--accelerators" not in answer["headline"], answer)
    # 671e9 parameters of 3.9 to 4.85 bits are 305 to 379 GiB of 384.
    question = "can a mac studio m3 ultra 512gb run deepseek r1"
    hold(question, ask(question)[1].get("verdict") in ("yes", "barely"), ask(question))


def networks_between_nodes_are_weighed():
    # "400G" is a rate of the network and no memory of a card.
    question = "pretrain 70b on 16 nodes of 8 h100 with 400G roce"
    reading, answer, _ = ask(question)
    hold(question, reading.get("network") == "roce-400" and "memory_gib" not in reading and answer["have_gib"] < 81, reading)
    # One part sends 50 GB/s through NDR, eight together 12.5 through one port of 100 Gb/s: no slower.
    question = "compare infiniband vs ethernet for 70b pretraining on 64 h100"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "compare" and answer["choice"]["why"] == "infiniband", answer)
    # Gradients of 8e9 parameters in 16 bits are 16 GB: 13 s over the 1.25 GB/s of a node's port of 10 Gb/s.
    steps = []
    for network in ("ib-ndr", "eth-10"):
        command = [RIDGELINE, "estimate", "--model", "llama-3.1-8b", "--method", "full", "--on", "h100-sxm5-80gb:8x2", "--framework", "torchtitan",
                   "--plan", "framework", "--network", network, "--json"]
        steps.append(json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60).stdout)["time"]["step_s"])
    hold("the network between nodes", steps[0] * 1.5 < steps[1], steps)
    for text, network in (("hdr infiniband", "ib-hdr"), ("4x 100gbe", "eth-100:4"), ("no infiniband", "eth-100"),
                          ("200 Gb/s infiniband", "ib-hdr"), ("efa v2", "efa-v2")):
        question = f"can 2 nodes of 8 h100 with {text} train a 30b model"
        hold(question, ask(question)[0].get("network") == network, ask(question)[0])
    # Two nodes are no node of twice the size.
    question = "llama 8b full finetune on 2 nodes of 4x a100 over 10 gbe"
    reading, _, _ = ask(question)
    hold(question, "--nodes 2" in reading.get("flags", ""), reading)


def forms_by_their_links_are_compared():
    # SXM cards exchange 300 GB/s, cards in slots 31: the former cannot be slower.
    question = "how much faster is nvlink than pcie for 70b training on 8 a100"
    reading, answer, _ = ask(question)
    counts = [side.get("count") for side in reading.get("sides", [])]
    hold(question, reading.get("intent") == "compare" and counts == [8, 8] and "sxm" in answer["choice"]["accelerator"], reading)


def notebooks_lend_cards():
    question = "can i finetune mistral nemo 12b qlora on colab"
    reading, answer, code = ask(question)
    hold(question, "t4" in reading.get("accelerators", []) and code == 0 and answer.get("verdict") in ("yes", "barely"), answer)
    reading, _, _ = ask("finetune llama 8b on kaggle")
    hold("kaggle", reading.get("accelerators") == ["t4"] and reading.get("count") == 2, reading)


def a_provider_without_prices_is_no_limit():
    question = "train llama 8b on paperspace"
    reading, answer, code = ask(question)
    assumed = [each for each in reading.get("assumed", []) if each["field"] == "provider"]
    hold(question, code == 0 and answer.get("choice") and assumed and reading.get("providers") == ["paperspace"], answer)


def a_model_at_home_answers():
    reading, _, _ = ask("deepseek v3 at home")
    hold("at home", reading.get("task") == "inference", reading)


def what_opens_a_question_is_the_largest():
    _, answer, _ = ask("batch size for vit-l on a 24gb card")
    hold("batch size for", 16 <= answer["value"]["mid"] <= 512 and "largest batch" in answer["headline"], answer)
    # 12 GB less 4.9 GB of weights; 128 KiB of cache a token: no more than 56 thousand.
    _, answer, _ = ask("context length of llama 3.1 8b q4 on 12 gb")
    hold("context length of", 30000 <= answer["value"]["mid"] <= 57000, answer)


def energy_is_told():
    # An H100 of 700 W that decodes 100 to 200 tokens/s for one: 3.5 J at least, with its host.
    question = "joules per token llama 3.1 8b h100"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].split(" ")[1] == "kWh" and 0.7 < value(answer, "energy") < 5, answer)
    # The card alone: 350 W x 8,760 h = 3,066 kWh; with its computer at 630 W no more than 5,519.
    question = "power cost of running a 3090 24/7 for a year"
    _, answer, _ = ask(question)
    hold(question, 3066 <= value(answer, "energy") <= 5519, answer)


def a_contract_of_years_is_weighed():
    question = "own or rent 64 h100 for 3 years"
    _, answer, _ = ask(question)
    owning, renting, contract = value(answer, "owning"), value(answer, "renting"), value(answer, "contract")
    # What nobody lists is told and decides nothing.
    hold(question, contract > 0 and (answer["choice"]["why"] == "buy") == (owning <= renting) and "none is listed" in answer["headline"], answer)
    # Paid at all hours: an hour of work costs the clock's rate over the share of hours that work.
    always = value(ask("rent or buy 16 h200 for 3 years at 100% utilization")[1], "contract")
    question = "rent or buy 16 h200 for 3 years at 50% utilization"
    hold(question, math.isclose(value(ask(question)[1], "contract"), 2 * always), (always, ask(question)[1]))


def a_card_at_a_desk_is_no_server():
    # 450 W and its host, no cooling of a hall, nothing while it is off: 0.81 kW x 0.75 x $0.165 are $0.10 for each hour of work.
    question = "should i buy a 4090 or rent one, 8 hours a day, over 4 years"
    reading, answer, _ = ask(question)
    capital = 1417 / (4 * 8760 / 3)
    hold(question, capital < value(answer, "owning") < capital * 1.6 + 0.11, answer)
    hold(question, any(each["field"] == "server_ratio" for each in reading["assumed"]), reading)
    # A price of 2020 is none to buy at today.
    question = "buy or rent 2 a100 40gb sxm for 2 years"
    _, answer, _ = ask(question)
    hold(question, not answer["headline"].startswith("Buy:"), answer)
    # What never pays within its life is not said to pay after it.
    for question in ("buy or rent a b200 at 5% use", "payback of a 4090 at 1 hour a day"):
        _, answer, _ = ask(question)
        hold(question, not ("however busy" in answer["headline"] and "pays after" in answer["headline"]), answer)


def a_step_of_rollouts_is_a_round():
    # The updates alone: 6 x 7.6e9 x 500 x 4,096 answers x 1,536 tokens are 1.4e20 FLOP, 5 h of 8 x 990 TFLOP/s.
    question = "grpo qwen2.5-7b 500 steps, 8 h100"
    _, answer, _ = ask(question)
    hours = value(answer, "accelerator_hours")
    hold(question, 8 * 5 < hours < 8 * 100, answer)
    twice = value(ask("grpo qwen2.5-7b 1000 steps, 8 h100")[1], "accelerator_hours")
    hold(question, math.isclose(twice, 2 * hours, rel_tol=0.05), (hours, twice))
    # A pair of preferences is two sequences, and a reference reads both.
    plain = value(ask("lora sft llama 3.1 8b on 60k samples of 1024 tokens, 1 epoch, 1 h100, how long")[1], "time")
    question = "lora dpo llama 3.1 8b on 60k pairs of 1024 tokens, 1 epoch, 1 h100, how long"
    hold(question, value(ask(question)[1], "time") > 2 * plain, (plain, ask(question)[1]))


def published_runs_of_rollouts_have_room():
    # verl's table of what it was run on: 7B on 2 cards of 80 GB, 14B on 4, 70B on 32.
    for question in ("can 2 a100 80gb run grpo on qwen2.5-7b with verl", "can 4 h800 run grpo on a 14b with verl", "can 32 h800 run grpo on a 72b with verl"):
        _, answer, code = ask(question)
        hold(question, answer.get("verdict") in ("yes", "barely") and code == 0, answer)
    # Weights, gradients and two moments in 32 bits are 16 bytes of each of 32e9 parameters, 512 GB.
    question = "verl grpo 32b how many h100"
    _, answer, _ = ask(question)
    hold(question, 8 <= answer["choice"]["count"] <= 32, answer)


def packed_experts_stay_packed():
    # 114.7e9 weights of experts in 4.25 bits are 56.7 GiB, the rest 2.1e9 in 8 to 16 bits, whatever the file is called.
    for question in ("gpt-oss-120b q8_0 on one h100, does it fit", "gpt-oss-120b q4_k_m on one h100, does it fit"):
        _, answer, code = ask(question)
        hold(question, answer.get("verdict") == "yes" and 57 < answer["needs_gib"]["mid"] < 68 and code == 0, answer)
    question = "best gpu for gpt-oss-120b at home"
    reading, answer, _ = ask(question)
    hold(question, "--quantization mxfp4_moe" in reading["flags"], reading)


def more_users_are_served_no_slower():
    # An engine queues what its cache does not hold: more requests never serve fewer tokens in all, but for what two estimates do not tell apart.
    for where in ("deepseek-v3 on 8xh200 with sglang, 1k in 1k out", "llama 3.3 70b on 4 h100 with vllm", "qwen3-32b on 2 a100 80gb with vllm"):
        rates = [value(ask(f"{where}, {users} concurrent users, total tokens/s")[1], "total") for users in (64, 128, 256, 320, 512)]
        hold(where, all(after > before / 1.1 for before, after in zip(rates, rates[1:])), rates)


def a_budget_of_rent_says_what_it_buys():
    question = "pretrain our own 7b on aws with $50000"
    _, answer, _ = ask(question)
    hold(question, "rent it for" in answer["headline"] and "tokens (" in answer["headline"] and "years" not in answer["headline"], answer)


def what_simulates_has_its_step():
    question = "gromacs ns/day on rtx 4090 for 100k atoms"
    reading, answer, _ = ask(question)
    hold(question, "ns/day (" in answer["headline"] and any(each["field"] == "time-step-fs" for each in reading["assumed"]), (reading, answer))


def one_picture_takes_a_time():
    question = "how long does sdxl 1024x1024 30 steps take on a rtx 3090"
    _, answer, _ = ask(question)
    hold(question, 1 < 3600 * value(answer, "time") < 60 and "0 tokens" not in answer["headline"], answer)
    question = "stable diffusion 1.5 512x512 images per minute on rtx 4090"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "throughput" and "a minute" in answer["headline"], answer)


def kernels_go_by_their_names():
    # A ring of 8 moves 7/8 of 1 GB twice: 3.9 ms at 450 GB/s each way.
    _, answer, _ = ask("allreduce 1 GB on 8 h100 sxm")
    hold("allreduce", "3." in answer["headline"] and " ms" in answer["headline"], answer)
    for question, kernel in (("sort 1 billion keys on a100", "sort"), ("cg solver 100M unknowns on h100", "hpcg"),
                             ("lammps 1M atoms on mi300x", "molecular_dynamics")):
        reading, _, code = ask(question)
        hold(question, f"--kernel {kernel}" in reading.get("flags", "") and code == 0, reading)
    reading, _, _ = ask("spmv on rtx 4090 1M rows 50 nonzeros per row")
    hold("spmv", "--nonzeros 50000000" in reading.get("flags", ""), reading)
    # As many bytes in whatever type: 5e8 numbers of bf16, 2.5e8 of fp32, 1.25e8 of a STREAM kernel's fp64.
    for question, elements in (("all reduce of 1 GB on 8 h100", 500000000), ("all reduce of 1 GB float32 on 8 h100", 250000000),
                               ("stream triad 1 GB on an h100", 125000000)):
        reading, _, _ = ask(question)
        hold(question, f"--elements {elements} " in reading.get("flags", ""), reading)
    # A count of cards is no side of a matrix.
    reading, _, _ = ask("hpl on 64 h100")
    hold("hpl", reading.get("count") == 64 and "--size" not in reading.get("flags", ""), reading)


def what_nobody_sells_is_told():
    question = "which card for stable diffusion xl lora training with 12gb, titan only"
    _, answer, _ = ask(question)
    hold(question, "No price of any that was asked for is known" in answer["headline"], answer)
    question = "which card for stable diffusion xl lora training with 24gb, amd only"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("Buy 1 x Radeon RX 7900 XTX"), answer)
    reading, _, _ = ask("which card for sdxl lora with 24gb, amd is fine")
    hold("amd is fine", "vendors" not in reading, reading)


def old_cards_run_files_of_every_type():
    # 32.8e9 weights at 4.85 bits are 18.5 GiB of 24 GB, at 16 bits 61.
    question = "can a tesla p40 run qwen3 32b"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "yes" and "q4_k_m" in answer["headline"] and code == 0, answer)


def energy_is_told_once():
    question = "energy per million tokens of llama 3.1 8b on an h100"
    _, answer, _ = ask(question)
    told = [each for each in answer.get("value", []) if each["quantity"] == "energy"]
    hold(question, len(told) == 1 and answer["headline"].count("kWh") == 1, answer)


def one_card_at_home_is_weighed_against_one():
    # 14.5 GB of 16-bit weights leave room on 24 GB, not on 16.
    question = "is a used 3090 or a new 5070 ti better for lora on mistral 7b"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("Only 1 x NVIDIA GeForce RTX 3090 holds"), answer)


def what_is_assumed_is_what_is_counted():
    question = "need to transcribe 200 hours of podcasts a day with whisper large v3, cheapest cloud gpu"
    reading, answer, _ = ask(question)
    at_once = [each["value"] for each in reading["assumed"] if each["field"] == "concurrency"]
    # The slow end of the range keeps it too, with no more windows than that takes.
    at_once_found = int(re.search(r" (\d+) windows? of 30 s at once", answer["headline"]).group(1))
    hold(question, at_once == ["as few as keep the rate"] and answer["value"][0]["high"] <= 24 and at_once_found <= 4 * answer["choice"]["count"], answer)


def what_is_to_be_done_by_morning_does_not_come_at_once():
    # So many requests and a time for all of them are work, as documents are; fewer without one come at once.
    for question in ("process 1 million requests overnight with llama 3.1 8b", "1 million prompts overnight with llama 3.1 8b"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("task") == "inference" and "1M samples take" in answer["headline"] and
             "--concurrency 1000000" not in reading.get("flags", ""), reading)
    reading, _, _ = ask("what gpu for llama 3.1 70b with 200 requests")
    hold("200 requests", reading.get("concurrency") == 200, reading)
    reading, _, _ = ask("llama 3.1 8b, 50 requests at once, answers within 20 minutes")
    hold("50 at once", reading.get("concurrency") == 50, reading)
    reading, _, _ = ask("ppo on 20k prompts with llama 3.1 8b")
    hold("prompts to learn from", reading.get("task") == "training", reading)


def the_cheaper_one_is_asked_for():
    for question in ("which is cheaper for inference of llama 3 8b, l4 or a10g", "which is cheaper for training llama 8b lora: 4090 or a100"):
        _, answer, _ = ask(question)
        words = answer["headline"]
        prices = [float(each.split()[0].rstrip(".")) for each in words.split("$")[1:3]]
        hold(question, words.startswith("Rented") and prices == sorted(prices) and
             answer["choice"]["accelerator"] != answer["runner_up"]["accelerator"], answer)


def a_framework_beside_a_size_is_no_model():
    reading, _, code = ask("megatron 405b pretraining")
    hold("megatron 405b", code == 0 and reading.get("model") == "llama-3.1-405b" and "--framework megatron" in reading["flags"], reading)
    reading, _, _ = ask("megatron turing 530b pretraining on 256 h100")
    hold("megatron turing", reading.get("model") == "megatron-turing-530b" and "--framework" not in reading["flags"], reading)


def sets_of_images_are_told_apart():
    for words, samples in (("imagenet", 1281167), ("imagenet-1k", 1281167), ("imagenet-21k", 14197122), ("imagenet 22k", 14197122)):
        reading, _, _ = ask(f"train resnet-50 on {words} for 90 epochs on 8 a100, how long")
        hold(words, f"--dataset-samples {samples}" in reading.get("flags", "") and not reading["not_understood"], reading)


def a_whole_answer_has_its_time():
    # 3 s for 200 tokens are 15 ms each at most; a first token in 3 s would let all of them take 13.
    for question in ("we need 20 rps on mistral small 24b, p95 under 3s for the whole answer of 200 tokens, cheapest cloud setup?",
                     "serve llama 8b 200 token answers end to end latency 3 s 20 rps", "llama 8b, e2e under 3s, 200 token replies, 20 rps"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("output_tokens") == 200 and reading["answer_s"] == 3 and reading["requests_per_s"] == 20, reading)
        options = document_of(question)[0]["options"]
        hold(question, options and all(each["time"]["ttft_s"] + 199 * each["time"]["tpot_s"] <= 3.0001 for each in options), options[:1])
    reading, _, _ = ask("serve llama 8b with 200 token answers, first token within 3 s, 20 rps")
    hold("first token", reading.get("ttft_s") == 3 and "tpot_s" not in reading, reading)


def what_is_ours_is_not_always_the_card():
    question = "how long to train yolo11m on 60k of our own images on a rented a6000, and what will it cost"
    reading, answer, _ = ask(question)
    hold(question, "--dataset-samples 60000" in reading["flags"] and "--epochs 100" in reading["flags"] and
         "--owned" not in reading["flags"] and "of rent" in answer["headline"], reading)
    reading, _, _ = ask("how long does a lora of llama 3.1 8b on alpaca take on our own a6000")
    hold("our own card", "--owned" in reading["flags"], reading)
    reading, _, _ = ask("anyone run whisper turbo live for 40 call center lines on a single l4?")
    hold("lines of a call center", reading.get("concurrency") == 40 and reading.get("task") == "inference", reading)


def a_host_shares_what_cards_do_not_hold():
    # 59 GiB of four-bit experts: two cards hold some 40, the host the rest.
    question = "gpt-oss-120b on 2x3090 + 64gb ram, does it fit"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "yes" and code == 0 and 15 < value(answer, "host_memory") < 30, answer)
    # 8 cards of 24 GB beside 578 GiB of weights leave most of them on the host.
    question = "kimi k2 on 8x3090 and 768GB ddr4"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "yes" and value(answer, "host_memory") > 578 - 8 * 24, answer)
    question = "can an a100 80gb and 1tb of ram run deepseek r1"
    reading, answer, code = ask(question)
    hold(question, answer.get("verdict") == "yes" and not reading["not_understood"], answer)
    question = "qwen3 235b on 2x3090 + 256gb ddr5 tok/s"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("qwen3-235b-a22b in q4_k_m, routed experts of"), answer)
    question = "best gpu under $1200 to pair with 128 gb ddr5 for gpt-oss-120b"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("Buy 1 x") and answer.get("choice", {}).get("count") == 1, answer)


def weights_that_the_stack_cannot_run_there_are_refused():
    for question, why in (("serve llama 3.1 8b awq on a v100 with vllm", "7.5"),
                          ("can a v100 serve llama 3.1 8b fp8", "7.5"),
                          ("can vllm run gpt-oss-20b on a t4", "8.0"),
                          ("can an l40s run llama 3.1 8b Q4_K_M gguf with tensorrt-llm", "does not read"),
                          ("can a 3090 run llama 3.1 8b awq with llama.cpp", "does not read")):
        _, answer, code = ask(question)
        hold(question, answer.get("verdict") == "no" and code == 3 and why in answer["headline"], answer)
    # Where no server has kernels for the published weights, files of them run.
    question = "can a t4 run gpt-oss-20b"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") in ("yes", "barely") and code == 0, answer)


def pasted_options_are_taken_or_told():
    question = "srun --nodes=1000000 --gpus-per-node=1000000 python train.py llama 8b lora on h100"
    _, answer, code = ask(question)
    hold(question, code in (2, 4) and "1000000" in answer["headline"], answer)
    question = "torchrun --nnodes=0 --nproc-per-node=8 llama 8b lora on h100"
    _, answer, code = ask(question)
    hold(question, code in (2, 4) and "expected a number from 1" in answer["headline"], answer)
    question = "llama-server -ngl 99 -c 8192 qwen3 8b q4_k_m on a 3060, does it fit"
    reading, _, code = ask(question)
    hold(question, code == 0 and any("ngl 99" in each["value"] for each in reading["assumed"]), reading)
    # Options that are laid over a question hold for both cards.
    question = "will a 3060 12gb run llama 3.1 8b or should i save for a 3090"
    both, _ = document_of(question, "--quantization", "q8_0")
    hold(question, both["answer"]["headline"].count("q8_0") == 2, both["answer"])


def hpc_parts_are_told_apart_by_what_bounds_them():
    question = "V100 or MI210 for a memory bound cfd code"
    _, answer, _ = ask(question)
    hold(question, "triad" in answer["headline"] and answer["choice"]["accelerator"] == "mi210", answer)
    question = "a100 vs v100 bandwidth and fp64"
    _, answer, _ = ask(question)
    hold(question, "times the bandwidth" in answer["headline"] and "9.7" in answer["headline"], answer)
    question = "a100 or mi250x for cfd"
    _, answer, _ = ask(question)
    hold(question, "stencils" in answer["headline"] and "double precision" in answer["headline"], answer)


def a_kernel_that_does_not_fit_is_a_no():
    # 2048^3 complex numbers of 16 bytes are 128 GiB, and a transform needs a work area of the same size.
    question = "does a 2048^3 complex fp64 fft fit on one h200"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "no" and answer["headline"].startswith("No: its arrays") and code == 3, answer)
    question = "does a 512^3 complex fp64 fft fit on one h200"
    _, answer, code = ask(question)
    hold(question, answer.get("verdict") == "yes" and answer["headline"].startswith("Yes: its arrays") and code == 0, answer)


def a_share_of_an_engine_is_refused_where_nothing_is_served():
    for words in (["qlora llama 70b on 2 4090"], ["how long does a full fine-tune of llama 3.1 8b on alpaca take on 8 h100"]):
        done = subprocess.run([RIDGELINE, "advise", *words, "--memory-fraction", "0.5"], capture_output=True, text=True, timeout=60)
        hold(words[0], done.returncode == 2 and "trains without one" in done.stderr, done.stdout + done.stderr)
    done = subprocess.run([RIDGELINE, "advise", "serve llama 8b on an h100", "--memory-fraction", "0.5"], capture_output=True, text=True, timeout=60)
    hold("served", done.returncode == 0, done.stderr)


def what_is_recommended_fits():
    # An engine that sleeps beside the trainer was not counted by the search: 280 of 269 GiB stood first.
    for question in ("ppo on 20k prompts with llama 3.1 8b", "grpo of qwen2.5 7b", "rloo llama 3.1 8b full", "ppo lora llama 3.1 70b"):
        done = subprocess.run([RIDGELINE, "advise", question, "--json"], capture_output=True, text=True, timeout=60)
        options = json.loads(done.stdout)["options"]
        hold(question, options and all(each["memory"]["fits"] for each in options), [each["memory"] for each in options][:1])


def jobs_by_a_deadline_count_cards():
    # 4e7 texts in 259,200 s are 154.3 a second; the time that is told keeps the three days.
    for question in ("embed 40M passages of 256 tokens with bge-m3 in 3 days, what should i rent",
                     "embed 40 million texts of 256 tokens with bge-m3 within 3 days, cheapest"):
        reading, answer, _ = ask(question)
        hold(question, "--requests-per-s 154.3" in reading["flags"] and value(answer, "time") <= 72, answer)
    # Texts are read whole: 256 tokens of each.
    _, answer, _ = ask("bge-m3 embedding throughput on a 3090 with 256 token texts, tokens per second")
    texts = value(answer, "inference")
    hold("texts of 256 tokens", 20 < texts < 2000, answer)
    question = "embed 1B tokens with bge-large in 1 hour, which gpus"
    _, answer, _ = ask(question)
    hold(question, value(answer, "time") <= 1, answer)
    # 1e6 images in 1,209,600 s are 0.83 a second, which no card makes alone.
    question = "generate 1 million sdxl images in 2 weeks cheapest way"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["choice"]["count"] > 1 and value(answer, "time") <= 336, answer)
    # 16 GB of weights are read 500 times a second by nothing that is sold: no memory helps.
    question = "500 tokens per second single stream llama 3.1 8b in bf16"
    _, answer, code = ask(question)
    hold(question, code == 0 or "fast enough" in answer["headline"], answer)


def clips_have_the_size_and_length_that_are_said():
    # 5 s at 16 frames a second and the first: 81; 1280 x 720 has 2.31 times the pixels of 832 x 480, and attention up to 5.3 times the work.
    question = "wan2.1 14b 720p 5 seconds video on h100, how long"
    reading, answer, _ = ask(question)
    hold(question, "--image-size 1280 --image-height 720 --frames 81" in reading["flags"], answer)
    hold(question, "a clip takes" in answer["headline"], answer)
    small, _ = ask("wan2.1 14b 480p 5 seconds video on h100, how long")[1:]
    hold(question, 2.31 < value(small, "inference") / value(answer, "inference") < 5.4, (answer, small))
    question = "hunyuanvideo 129 frames 720p h100 time"
    reading, answer, _ = ask(question)
    hold(question, "--frames 129" in reading["flags"] and "a clip takes" in answer["headline"] and value(answer, "step") < 7200, answer)
    reading, _, _ = ask("flux dev 1024x768 images per minute on a 4090")
    hold("flux", "--image-size 1024 --image-height 768" in reading["flags"], reading)
    reading, _, _ = ask("how many 720p cameras can a 4060 do with yolov8s at 15 fps")
    hold("cameras", "image_height" not in reading, reading)


def double_precision_is_judged_by_its_rate():
    # fp64 at 1/64 of fp32 on the card for games, at half of it on the other.
    question = "4090 or a100 for molecular dynamics in double"
    _, answer, _ = ask(question)
    hold(question, answer["choice"]["accelerator"].startswith("a100"), answer)
    _, answer, _ = ask("train mace interatomic potential fp64 4090 or a100?")
    hold("mace", "fp64" in answer["headline"] and "matrix rate" not in answer["headline"], answer)
    question = "best gpu for cp2k/vasp double precision under $15000"
    _, answer, _ = ask(question)
    hold(question, answer["choice"]["accelerator"].startswith(("a30", "a100", "h100", "v100")) and "fp64" in answer["headline"], answer)
    # 2 x 20,000^3 operations at 19.5 TFLOP/s take 0.82 s at least.
    question = "20000x20000 fp64 matrix product on a100 80gb"
    reading, answer, code = ask(question)
    hold(question, code == 0 and "--size 20000 " in reading["flags"] + " ", reading)


def speech_is_paced_by_its_host():
    # 13 minutes on an RTX 3070 Ti took faster-whisper 63 s, 150 on an A100 Transformers with 24 windows 98 s: within their ranges.
    for question, seconds in (("how long do 13 minutes of audio take with faster-whisper large-v2 on a 3070 ti, 1 request at a time", 63),
                              ("150 minutes of audio insanely-fast-whisper large v3 a100 80gb batch 24 how long", 98)):
        _, answer, _ = ask(question)
        time = next(v for v in answer["value"] if v["quantity"] == "time")
        hold(question, time["low"] * 3600 < seconds < time["high"] * 3600, answer)
        # Five hypotheses, marks of time, decoding and windows that overlap are counted: within a half of the middle.
        hold(question, 2 / 3 < time["mid"] * 3600 / seconds < 1.5, answer)


def live_streams_must_keep_up():
    # 100 of them are 100 seconds of sound each second.
    question = "live transcription of 100 streams whisper large v3 which gpu"
    reading, _, code = ask(question)
    hold(question, code == 0 and abs(reading["requests_per_s"] - 100 / 30) < 0.01, reading)
    question = "does one t4 hold 20 live streams of whisper large v3"
    _, answer, _ = ask(question)
    hold(question, "live streams" in answer["headline"], answer)


def newer_cards_are_no_slower_for_want_of_rows():
    # Published dense rates and bandwidths of each are at least those of the card before it.
    def rate(card):
        return value(ask(f"sdxl images per second on {card}")[1], "inference")
    for new, old in (("rtx 5070 ti", "rtx 4070 ti super"), ("rtx 5080", "rtx 4080 super"), ("rtx 5090", "rtx 4090")):
        hold(new, rate(new) > 0.97 * rate(old), (rate(new), rate(old)))
    hold("9070 xt", rate("rx 9070 xt") < 1.5 * rate("rtx 5070"), rate("rx 9070 xt"))


def limits_of_time_are_kept_however_they_are_told():
    week = 7 * 86400
    for question, seconds in (("stylegan2 1024x1024, 25 million images, what do i need so it takes no more than a week", week),
                              ("gpu for qlora 7b on 100M tokens, it should take at most a day", 86400),
                              ("we start on 1 march and must finish 15 march: full finetune of llama 3.3 70b on 500M tokens, which gpus", 14 * 86400),
                              ("whisper large-v3-turbo, 300 hours audio per day, done overnight (8h), which gpu", 8 * 3600)):
        reading, _, _ = ask(question)
        hold(question, reading.get("deadline_s") == seconds, reading)
    reading, _, _ = ask("whisper large-v3-turbo, 300 hours audio per day, done overnight (8h), which gpu")
    hold("300 hours", reading.get("audio_s") == 300 * 3600, reading)


def what_is_trained_in_a_time_is_bounded_by_it():
    # 6 x N x 20 N operations at 40 to 60 % of 989 TFLOP/s: 24 A100 (312 TFLOP/s) for 30 days 7 to 11 billion, 512 H100 55 to 75.
    for question, low, high in (("we have 3 DGX A100 (80GB) idle for a month. what could be pretrained", 7e9, 11e9),
                                ("what param count could 512 H100 pretrain chinchilla-optimal in 30 days", 55e9, 75e9)):
        _, answer, _ = ask(question)
        hold(question, low < value(answer, "model") < high, answer)


def sizes_of_data_are_no_memory_of_a_card():
    for question in ("1 epoch over 8.3 GB text (about 2.1B tokens) continued pretraining of 7B, 8x H200, how long",
                     "graphsage on our graph, features 53GB, which gpu", "train dlrm with 400GB of embedding tables, how many A100 80gb",
                     "train resnet50 on a 200 GB dataset of images on a 4090, how long"):
        reading, _, _ = ask(question)
        hold(question, "memory_gib" not in reading, reading)
    # Four bytes a token.
    reading, _, _ = ask("finetune llama 8b on 500MB of text on a 4090, how long")
    hold("500MB", reading.get("tokens") == 125e6, reading)


def a_launched_script_is_judged_as_it_runs():
    # 8B in fp32 states over four cards: 32 GB before activations and logits of 8,192 x 128,256.
    question = "torchrun --nproc_per_node=4 train.py --model llama-3.1-8b --seq 8192 --fsdp full_shard on 4x A100 40GB. OOM?"
    _, answer, _ = ask(question)
    hold(question, answer.get("verdict") == "no", answer)
    for question, sharding in (("deepspeed x.py --deepspeed ds_z3.json llama 7b on 8 a100 fits?", "zero3"),
                               ("deepspeed x.py --deepspeed configs/zero_stage2.json llama 7b on 8 a100 fits?", "zero2"),
                               ("accelerate launch --num_processes 2 train_lora.py llama 7b on 2x 4090, fits?", "ddp")):
        reading, _, _ = ask(question)
        hold(question, reading.get("sharding") == sharding, reading)


def names_are_read_out_of_files():
    for question, model, framework in (("axolotl train examples/llama-3/qlora-fsdp-70b.yaml on 2x 3090 possible?", "llama-3-70b", "axolotl"),
                                       ("tune run lora_finetune_single_device --config llama3_1/8B_lora_single_device on a 3090", "llama-3.1-8b", "torchtune"),
                                       ("llama-server -m Llama-3.3-70B-Instruct-IQ2_XS.gguf -c 16384 on a 7900 xtx", "llama-3.3-70b", "llama.cpp")):
        reading, _, _ = ask(question)
        hold(question, reading.get("model") == model and reading.get("framework") == framework, reading)


def hours_of_accelerators_come_first_where_they_are_asked():
    # 6 x 6.7e9 x 2e12 operations at 45 to 55 % of 312 TFLOP/s: 130,000 to 160,000 hours; Meta reports 184,320.
    question = "how many gpu-hours did llama 2 7b take on a100 80gb (2T tokens)?"
    _, answer, _ = ask(question)
    hours = next(v for v in answer["value"] if v["quantity"] == "accelerator_hours")
    hold(question, hours["low"] < 160e3 < hours["high"] and answer["headline"].find("accelerator-hours") < 90, answer)
    question = "400 GPU-hours on H100 left on our allocation - good for what?"
    reading, answer, _ = ask(question)
    hold(question, reading["deadline_s"] == 400 * 3600 / 8 and 1.5e9 < value(answer, "model") < 3e9 and "LoRA of 8B" in answer["headline"], answer)


def a_laptop_and_its_memory_are_its_own():
    reading, _, _ = ask("my laptop has rtx 4060 8gb, sdxl or am I doomed")
    hold("laptop", reading.get("accelerators") == ["rtx-4060-laptop"], reading)
    rates = [value(ask(f"RTX 3070 and 32GB of {kind}, gpt-oss 20b yes or no?")[1], "decode") for kind in ("DDR4", "DDR5")]
    hold("DDR4", rates[0] < 0.85 * rates[1], rates)


def regions_are_read_and_bound_the_offers():
    reading, answer, _ = ask("which instance on AWS is cheapest for lora of llama 3 8b? only us-east-1")
    hold("us-east-1", "--region us-east-1" in reading["flags"] and not reading.get("not_understood"), reading)
    _, answer, _ = ask("h100 price in europe-west4")
    hold("europe-west4", "verda" not in answer["headline"] and "gcp" in answer["headline"], answer)


def a_run_that_fits_is_held_against_its_time():
    # 6 x 30e9 x 300e9 operations at half of 40 x 155 TFLOP/s: 200 days.
    question = "we have 40 A6000s, can we train a 30b on 300B tokens before christmas?"
    _, answer, _ = ask(question)
    hold(question, "too slow" in answer["headline"] and "longer than" in answer["headline"], answer)
    _, answer, _ = ask("can i lora 8b on 2M tokens on a 3090")
    hold("a run without a deadline", "The run takes" in answer["headline"], answer)


def numbers_between_a_count_and_its_noun_are_lengths():
    question = "how long to embed 5 million 300-token chunks with bge-m3 on an L4"
    reading, _, _ = ask(question)
    hold(question, reading["intent"] == "duration" and reading.get("tokens") == 1.5e9, reading)
    # 64 layers x 2 x 8 heads x 128 x 2 bytes.
    _, answer, _ = ask("what's the kv cache size per token of qwen2.5 32b")
    hold("a token of the cache", "256 KiB" in answer["headline"], answer)
    reading, _, _ = ask("i rent 1 h100 at 2.49 an hour, how much does finetuning mistral 7b on 20k samples cost me")
    hold("2.49 an hour", reading.get("usd_per_hour") == 2.49, reading)
    reading, _, _ = ask("training a 124M gpt2 on openwebtext with 2x3090, days?")
    hold("124M", reading["model"] == "gpt2" and not reading.get("not_understood"), reading)


def too_much_is_no_yes():
    _, answer, _ = ask("is a 5090 overkill for sdxl?")
    hold("overkill", answer["headline"].startswith("In memory yes"), answer)
    _, answer, _ = ask("is a 3060 12gb overkill for llama 3.3 70b q4")
    hold("too little", answer["headline"].startswith("No, it is too little"), answer)


def counts_and_pairs_of_lengths_stand_alone():
    reading, _, _ = ask("h200 141gb x8: how many concurrent users for deepseek v3 at 4k/1k")
    hold("x8:", reading.get("count") == 8 and (reading.get("input_tokens"), reading.get("output_tokens")) == (4096, 1024), reading)
    reading, answer, _ = ask("best cloud for 8xh100 for one week")
    hold("best cloud", reading["intent"] == "price" and "168 h" in answer["headline"], answer)


def what_may_not_be_rented_is_left_out():
    reading, answer, code = ask("we cannot use marketplace providers. serve llama 4 scout at 8 req/s 2k in 300 out")
    hold("no marketplace", reading.get("price_kind") == "on_demand" and "vast-ai" in reading["providers_excluded"] and code == 0, reading)
    _, answer, _ = ask("we don't use spot. h100 price")
    hold("no spot", "spot" not in answer["headline"], answer)
def users_at_a_pace_are_counted():
    # 61 at 30 tokens/s is what the estimate says for a number of users that is not asked; each word asks the same.
    for question in ("how many concurrent users at 30 tok/s each can 2x h100 handle for llama 3.3 70b fp8",
                     "llama 3.3 70b fp8 on 2x h100, number of simultaneous chats with at least 30 tok/s per chat",
                     "2x h100, llama 3.3 70b in fp8, users served at 30 t/s",
                     "what user count does a pair of h100 sustain on llama 3.3 70b fp8 at 30 tokens/s per user"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "largest" and abs(reading.get("tpot_s", 0) - 1 / 30) < 1e-3, reading)
        hold(question, 8 < value(answer, "concurrency") < 300, answer)


def money_is_told_in_users():
    # $12,000 a month are $16.44 an hour; the choice costs no more, and serves more than one.
    question = "12k monthly cloud spend, want our own llama 70b endpoint, how many users does that carry"
    reading, answer, code = ask(question)
    hold(question, code == 0 and abs(reading.get("usd_per_hour", 0) - 12000 / 730) < 0.1, reading)
    hold(question, value(answer, "concurrency") > 16 and answer["choice"]["usd_per_hour"] <= 12000 / 730, answer)
    question = "12k monthly users of a llama 8b chat, what gpu"
    hold(question, "usd_per_month" not in ask(question)[0], question)


def a_fleet_is_sized():
    for question in ("we get 4.5M requests a day against an 8b llama, avg 900 in / 150 out, what's the smallest h100 fleet",
                     "how big a cluster of h100 for 52 req/s of llama 3.1 8b, 900 in 150 out"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("intent") == "hardware" and answer["choice"]["count"] > 1, answer)


def a_rate_that_was_seen_is_judged():
    # A 3090 reads 4.6 GB of weights a token at 936 GB/s: far above 18 tokens/s.
    question = "my 3090 gets 18 tok/s with llama 3.1 8b q4_k_m, is that normal?"
    reading, answer, _ = ask(question)
    hold(question, reading.get("seen_tokens_per_s") == 18 and "is slow" in answer["headline"], answer)
    question = "my 3090 does 120 tok/s with llama 3.1 8b q4_k_m, is this ok"
    hold(question, "as expected" in ask(question)[1]["headline"], question)
    # A wish is no measurement, and a number of cards no rate.
    question = "can a 4090 do 100 tok/s with 8b q4"
    hold(question, "seen_tokens_per_s" not in ask(question)[0], question)
    question = "vit-l training on 2 a6000 images per second"
    reading, _, _ = ask(question)
    hold(question, reading.get("count") == 2 and "requests_per_s" not in reading, reading)


def single_parts_of_memory_are_told():
    # Two moments of 4 bytes for each of 30e9: 223.5 GiB; with an fp32 copy on the host 335 at least.
    question = "how many GB do the AdamW states alone take for a 30B model?"
    _, answer, _ = ask(question)
    hold(question, abs(value(answer, "optimizer") - 30e9 * 8 / 2**30) < 5, answer)
    question = "host RAM for deepspeed zero offload of 30B optimizer states?"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "memory" and 320 < value(answer, "host_memory") < 500, answer)
    # 103.8e9 weights of 5.5 to 5.7 bits.
    question = "gguf size for command r plus q5_k_m?"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "memory" and 66 < value(answer, "weights") < 71, answer)
    question = "disk space for llama 405b bf16"
    hold(question, abs(value(ask(question)[1], "weights") - 405.85e9 * 2 / 2**30) < 8, question)


def epochs_are_passes():
    # Wikipedia has 2.5 and BookCorpus 0.8 billion words (Devlin et al. 2018).
    question = "training bert-base from scratch (40 epochs wikipedia+books) on 4 2080ti"
    reading, answer, _ = ask(question)
    hold(question, reading.get("tokens") == 3.3e9 and reading.get("epochs") == 40, reading)
    hold(question, value(answer, "time") > 3, answer)  # days
    # 4.2 billion clicks at 9.2 to 16.5 million a second in global batches of 65,536 (tests/evidence/recommender.json: 8 A100 under
    # PyTorch and TensorFlow), with a checkpoint of 96 GB that has no moments of the tables.
    for question in ("run dlrm criteo terabyte 1 epoch dgx a100", "time to train dlrm on criteo 1tb with 8 a100"):
        hold(question, 4.2e9 / 16.5e6 < 3600 * value(ask(question)[1], "time") < 2 * 4.2e9 / 9.2e6, ask(question)[1])
    said = text("time to train dlrm on criteo 1tb with 8 a100", "--explain")
    hold("a checkpoint of dlrm", "a checkpoint is 96" in said and "tables over all ranks" in said, said)
    # Nobody tunes tables by adapters.
    hold("train dlrm on one a100", "qlora" not in text("train dlrm on one a100"), text("train dlrm on one a100"))


def lines_of_products_are_kept_to():
    for question, word in (("which geforce for flux lora", "rtx-"), ("i do molecular dynamics (gromacs, 250k atoms). which geforce?", "rtx-"),
                           ("best radeon for serving llama 3.1 8b", ("rx-", "radeon-")), ("which jetson for yolov8n at 30 fps", "jetson-"),
                           ("which instinct for serving llama 70b", "mi")):
        reading, answer, _ = ask(question)
        hold(question, answer["choice"]["accelerator"].startswith(word) and "rtx-pro" not in answer["choice"]["accelerator"], answer)
    # The line of a part that is named changes nothing.
    question = "geforce rtx 4090 vs radeon 7900 xtx for 8b q4"
    hold(question, "require" not in ask(question)[0], question)


def more_than_is_more():
    question = "gpu with more than 32GB vram for local llm, below 4000"
    reading, answer, _ = ask(question)
    hold(question, reading.get("budget_usd") == 4000 and 32 < reading.get("memory_gib", 0) < 48, reading)
    question = "gpu with no more than 24GB for qlora 13b"
    hold(question, "+" not in ask(question)[0].get("flags", "+"), question)


def models_on_one_card_add_up():
    # 3 x 0.77e9 and 3.2e9 weights of 2 bytes are 10.3 GiB, work areas and contexts not counted.
    question = "need vram estimate: 3 replicas of whisper medium + one llama 3.2 3b fp16 on same card"
    _, answer, _ = ask(question)
    hold(question, 10 < answer["needs_gib"]["mid"] < 20, answer)
    question = "qwen3 8b fp16 plus bge-m3 on one 24gb card, fits?"
    _, answer, _ = ask(question)
    hold(question, answer.get("verdict") in ("yes", "barely") and "both together" in answer["headline"], answer)
    # Each has the type that stands behind it.
    question = "whisper large-v3 and llama 3.1 8b q4_k_m on the same gpu, how much vram"
    reading, answer, _ = ask(question)
    hold(question, reading.get("quantization", "") == "" and 6.5 < answer["needs_gib"]["mid"] < 11, answer)


def networks_that_read_no_text_are_trained_whole():
    # Peebles and Xie 2023: 256 pictures a step.
    question = "dit-xl/2 training on 8 h100"
    reading, _, code = ask(question)
    hold(question, code == 0 and reading.get("method") == "full" and reading.get("batch") == 256, reading)
    question = "sdxl training on 8 h100"
    hold(question, ask(question)[0].get("method") != "full", ask(question)[0])


def what_is_tuned_of_a_network_is_known():
    # In four layers 4,096 x 4,096 biases of 12 heads are kept.
    question = "memory to train sam-vit-b at batch 1"
    reading, answer, _ = ask(question)
    hold(question, reading.get("model") == "sam-vit-b" and answer["needs_gib"]["mid"] > 4.5, reading)
    for question in ("fine-tune depth anything v2 large on a 4090", "max batch for efficientdet-d4 on a 4090", "train a vae at 256 px on a 3060"):
        hold(question, ask(question)[2] == 0 and ask(question)[0].get("method") == "full", ask(question)[0])


def u_nets_are_known():
    question = "vram for training a unet (31M params) on 1024x1024 images batch 4"
    reading, answer, _ = ask(question)
    hold(question, reading.get("model") == "unet-2015" and 8 < answer["needs_gib"]["mid"] < 80, answer)
    question = "train unet-resnet34 at 512 px batch 8, memory"
    hold(question, ask(question)[0].get("model") == "unet-resnet34", ask(question)[0])
    question = "we do nnU-Net on CT volumes 128x128x128 patches batch 2, what card"
    reading, _, code = ask(question)
    hold(question, code == 0 and reading.get("model") == "unet3d-kits19", reading)
    question = "yolov8n fps on orin nx 16gb"
    hold(question, 40 < value(ask(question)[1], "inference") < 500, question)


def small_pictures_keep_their_sides_in_the_stem():
    # 0.56 GFLOP forward of a picture of 32 px (He et al. 2015, 4.2, with the widths of ResNet-18): 3 x 0.56e9 x 50,000 x 200 are
    # 1.7e16, 25 minutes at the 11.3 TFLOP/s of a GTX 1080 Ti.
    question = "resnet18 cifar10 200 epochs on 1080 ti"
    _, answer, _ = ask(question)
    hold(question, 25 / 60 < value(answer, "time") < 3, answer)


def a_rate_behind_max_is_a_rate():
    # "max tokens" alone is a context.
    for question in ("max tok/s llama 3.1 8b fp8 on h100", "max tokens / sec for qwen2.5 7b on l40s", "rx 7900 xtx qwen3 8b q8_0 tg?", "mistral 7b 4090 prefill 8k"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "throughput" and answer["value"], reading)
    reading, _, _ = ask("max tokens of llama 3.1 8b on a 3060")
    hold("a context", reading["intent"] == "largest", reading)
    reading, _, _ = ask("want max tokens/s of qwen3-235b-a22b")
    hold("the fastest", reading["intent"] == "hardware" and reading.get("objective") == "time", reading)


def parts_of_memory_stand_by_themselves():
    # 8.03e9 gradients of 2 bytes; 2 x 28 layers x 4 heads x 128 x 2 bytes a token are 57,344, times 2^20.
    for question, low, high in (("grad memory of llama 3.1 8b in bf16?", 14.9, 15.1), ("mem of grads, llama 3.1 8b, bf16", 14.9, 15.1),
                                ("what does 1M tokens of ctx cost me in GB for qwen2.5-7b, fp16 kv", 55.5, 56.5),
                                ("kv for 128k tokens of llama 3.1 8b", 15.5, 16.5), ("vram of the context, 16k, llama 3.1 8b", 1.9, 2.1)):
        _, answer, _ = ask(question)
        hold(question, low < value(answer, "gradients" if "grad" in question else "kv_cache") < high, answer)
    # Two moments of 4 bytes and of 1 byte with their scales.
    question = "8bit adam vs normal adam for a 3B, memory"
    _, answer, _ = ask(question)
    states = {v["of"]: v["mid"] for v in answer["value"] if v["quantity"] == "optimizer"}
    hold(question, 21.5 < states["adamw"] < 23 and 5.4 < states["adamw-8bit"] < 6, answer)
    # 16 bytes of 70.6e9 weights over 64 are 16.4 GiB beside the activations.
    question = "per-gpu mem, 70B, fsdp over 64 h100, bf16 + fp32 adam, act ckpt"
    reading, answer, _ = ask(question)
    hold(question, reading["method"] == "full" and reading["not_understood"] == [] and 16.4 < answer["needs_gib"]["mid"] < 60, answer)


def what_a_step_takes_is_a_batch():
    # The same batch in other words is the same memory.
    same = [ask(q)[1]["needs_gib"]["mid"] for q in ("resnet50 training bs 256 memory", "resnet50 256 per batch, memory footprint when training", "resnet50 training, 256 imgs a batch, vram")]
    hold("256 per batch", max(same) - min(same) < 0.01 and same[0] > 8, same)
    for question, batch in (("swin-t train, 64 per gpu, mem?", 64), ("mask r-cnn 4 images per gpu, how much memory", 4), ("vit-b training, 128/gpu, vram", 128)):
        reading, _, _ = ask(question)
        hold(question, reading.get("micro_batch") == batch and "image_size" not in reading and "samples" not in reading, reading)
    # None of these counts cards.
    question = "all-minilm-l6-v2 encode batch 1024 gpu memory"
    reading, _, _ = ask(question)
    hold(question, reading.get("batch") == 1024 and "count" not in reading, reading)


def who_waits_is_not_served():
    # 6 x 64k x 96 KiB are 36 GiB of cache beside 17 GB of weights.
    question = "is a single 5090 sufficient to serve qwen3-coder-30b-a3b awq for 6 devs w/ 64k each"
    _, answer, _ = ask(question)
    hold(question, answer["verdict"] == "no" and "hold them all" in answer["headline"], answer)


def what_is_paid_is_weighed():
    # $9,000 for 730 hours of 4 are $3.08 each.
    question = "we spend 9k/mo on 4 a100 80gb at aws; at which point is buying cheaper"
    _, answer, _ = ask(question)
    hold(question, math.isclose(value(answer, "renting"), 4 * 3.08, rel_tol=0.005) and 9 < value(answer, "payback") < 13, answer)
    question = "4090 cloud price runpod vs vast"
    hold(question, ask(question)[0]["intent"] == "price", question)


def kinds_that_an_id_lacks_are_told():
    question = "qwen2.5-math-7b vram"
    reading, _, _ = ask(question)
    hold(question, any("has its shape" in each["why"] for each in reading["assumed"]), reading)
    question = "gtx 1650 laptop with 4gb, is colab t4 enough for qlora 7b"
    hold(question, "memory_gib" not in ask(question)[0], question)


def four_bits_have_their_makers_name():
    for question, said, unsaid in (("mi355x fp4 petaflops?", "10,100 TFLOP/s in mxfp4", "yes"), ("mxfp4 tflops of mi355x", "10,100 TFLOP/s in mxfp4", "nvfp4"),
                                   ("does the mi350x support nvfp4", "none in nvfp4", "yes"), ("b200 nvfp4 tflops", "9,000 TFLOP/s in nvfp4", "mxfp4"),
                                   ("b200 mxfp4 tflops", "9,000 TFLOP/s in mxfp4", "nvfp4"), ("does the h100 have fp4", "no", "yes")):
        headline = ask(question)[1]["headline"]
        hold(question, said in headline and unsaid not in headline, headline)


def links_that_are_no_nvlink_have_their_rate():
    question = "does the mi300x have nvlink"  # seven links of 64 GB/s each way (AMD CDNA 3 white paper)
    hold(question, "448 GB/s" in ask(question)[1]["headline"], ask(question)[1])


def what_comes_next_is_of_any_family():
    # 104B, 111B and 123B models lie between 72B and 405B.
    for question in ("biggest llm for my rtx 6000 ada at 4 bit", "largest llm in q4 on 2x 3090"):
        _, answer, _ = ask(question)
        hold(question, "405b" not in answer["headline"] and " lacks " in answer["headline"], answer)
    # What memory holds from scratch may take years: what two months train is told too.
    question = "8 mi250x, biggest thing we could pretrain?"
    hold(question, "from scratch in 60 days" in ask(question)[1]["headline"], ask(question)[1])


def a_kernel_is_told_in_one_unit():
    for question in ("stream triad on a mi300x", "fft 2048^3 on 8 h100"):
        _, answer, _ = ask(question)
        ends = re.search(r"([0-9.]+) (us|ms|s) \(([0-9.]+) to ([0-9.]+)\)", answer["headline"])
        hold(question, ends and float(ends[3]) < float(ends[1]) < float(ends[4]), answer)
    # No part adds more than 500 TFLOP/s in fp32 outside its matrix units.
    document, _ = document_of("best gpu for n-body with 1M particles")
    hold("n-body", document["places"] and all(place["rate"] < 5e5 for place in document["places"]), document["places"][:1])
    question = "molecular dynamics 1000000 atoms on an a100"
    hold(question, "1,000,000 atoms" in ask(question)[1]["headline"], ask(question)[1])


def an_answer_leads_with_three_lines():
    # What is told beyond them stands below the lead, and nothing is lost.
    for question in ("what models can a 5060 ti 16gb run", "cheapest way to serve mixtral 8x7b at 20 req/s, 500 in 200 out, ttft under 1 s"):
        headline = ask(question)[1]["headline"]
        # Whole sentences lead, three lines of them, and every other stands below the reading.
        said = command("advise", question)[1]
        lead = said.split("Read as")[0]
        hold(question, len(headline) > 240 and len(lead.splitlines()) <= 3 and lead.rstrip().endswith("."), said[:400])
        told = " ".join(said.split())
        hold(question, " ".join(headline.split()).startswith(" ".join(lead.split())[:-1]), said[:400])
        hold(question, all(each.rstrip(".") in told for each in re.split(r"(?<=[a-z)])\. ", headline)), said[:800])


def what_is_hidden_is_no_time_of_nothing():
    said = text("hpl linpack on 4x h100 sxm")
    hold("hpl", " 0 us" not in said and "hidden" in said, said)
    # A file for a model says how files are given.
    code, _, messages = command("estimate", "--model", "/tmp/config.json", "--on", "h100-sxm5-80gb")
    hold("--model config.json", code != 0 and "--hf-config" in messages and "A file is given" in messages, messages)
    question = "minimum gpus for full fine-tune of llama 3.1 70b"
    hold(question, ask(question)[1]["headline"].startswith(("The smallest that holds it is", "7 x", "8 x")), ask(question)[1])


def what_does_not_fit_is_said_before_its_time():
    for question in ("how long to fine tune llama 3.1 70b full on a gtx 1650", "how fast is llama 3.1 70b in bf16 with vllm on one 4090"):
        headline = ask(question)[1]["headline"]
        hold(question, headline.startswith("It does not fit: ") and "With room enough: " in headline, headline)


if __name__ == "__main__":
    run(globals())
