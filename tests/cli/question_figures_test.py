#!/usr/bin/env python3
"""Questions that ask for one figure: a piece of a model, its operations, what several settings come to, what was seen, models side by side.

Usage: question_figures_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Truths are arithmetic of each model's published shapes.
"""
import re
from math import isclose

from asked import ask, hold, run, text, value

GIB = 2 ** 30


def a_sum_trains_a_model_from_scratch():
    # 6 x N x 20 N operations at 40 % of 1,307 TFLOP/s for 1,931 hours: 5.5e9 weights.
    for question in ("how big a model can i pretrain with 5k usd of rented gpus", "how large a model can i pretrain for $5000"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "from scratch" in answer["headline"] and "to buy" not in answer["headline"], answer)
        size = float(re.search(r"trains? ([0-9.]+)B parameters", answer["headline"])[1])
        hold(question, 3 < size < 8, answer)


def jobs_are_told_with_their_time():
    # What the headline says is the value: 500 h are 60,000 windows of 30 s.
    for question in ("how long to transcribe 500 hours of audio on a 3090 with whisper", "time to generate 10000 sdxl images on a 4090",
                     "how long does it take to embed 5M texts of 300 tokens with bge-large on an l4"):
        _, answer, _ = ask(question)
        hours = value(answer, "time")
        hold(question, hours > 0 and " take 0" not in answer["headline"] and " takes 0" not in answer["headline"], answer)


def a_time_trains_so_many_passes():
    for question, unit, each in (("how many epochs of imagenet can i train resnet50 in 24 hours on a 3090", "epochs", 1281167),
                                 ("how many images can a 3090 train resnet50 on in a day", "samples", 1)):
        _, answer, _ = ask(question)
        hold(question, isclose(value(answer, unit) * each, 86400 * value(answer, "training"), rel_tol=0.01), answer)


def a_step_is_told_not_the_run():
    for question in ("grpo with qwen2.5 7b on 8 h100: how long is a step", "how long is one training iteration of gpt-3 175b on 64 a100 80gb, batch 1024"):
        _, answer, _ = ask(question)
        hold(question, "a step takes" in answer["headline"] and " of rent" not in answer["headline"], answer)


def networks_are_trained_as_their_papers_train_them():
    # 118,287 images of COCO, 26 times over, at the rate that is told for the same cards.
    _, answer, _ = ask("faster r-cnn training time on one 3090")
    hold("coco", any(each["mid"] * (24 if each["unit"] == "days" else 1) > 10 for each in answer["value"] if each["quantity"] == "time"), answer)
    _, answer, _ = ask("unet training time on a 2080 ti")  # nobody knows its run: the first line says what was taken
    hold("assumed samples", "a pass over 10,000 samples, which were assumed" in answer["headline"], answer)
    _, answer, _ = ask("how long to train a r-gat on igbh with 8 h100")
    hold("a stand-in counts samples", value(answer, "time") > 0 and "0 us" not in answer["headline"], answer)


def draft_size_is_the_one_said():
    _, small, _ = ask("speculative decoding llama 70b with 1b draft on 2 h100, speedup?")
    _, large, _ = ask("speculative decoding llama 70b with 8b draft on 2 h100, speedup?")
    hold("draft", value(large, "speedup") < 0.9 * value(small, "speedup"), large)


def a_sum_is_enough_or_not():
    for question, verdict in (("is 5000 dollars enough to pretrain a 1b on 100B tokens", "Yes: "), ("is 500 dollars enough to pretrain a 7b on 1T tokens", "No: "),
                              ("grant of 120k usd: pretrain a 3b model on 500B tokens, feasible?", "Yes: Rent ")):
        hold(question, ask(question)[1]["headline"].startswith(verdict), ask(question)[1])


def a_price_is_converted_beside_itself():
    _, answer, _ = ask("was kostet eine rtx 4090 in euro")
    euro = float(re.search(r", ([0-9,]+) euro", answer["headline"])[1].replace(",", ""))
    hold("euro", 0.7 * value(answer, "purchase") < euro < 1.1 * value(answer, "purchase"), answer)


def electricity_has_its_price():
    _, answer, _ = ask("monthly cost of running one 4090 24/7 at 0.30 per kwh")
    hold("kwh", isclose(value(answer, "cost"), 0.3 * value(answer, "energy"), rel_tol=0.01), answer)


def near(answer, quantity, truth, within=0.01):
    return isclose(value(answer, quantity), truth, rel_tol=within)


def pieces_of_a_model():
    # Rank x (rows + columns) of q, k, v, o, gate, up, down over 32 layers.
    each = 2 * (4096 + 4096) + 2 * (4096 + 1024) + 3 * (4096 + 14336)
    _, answer, code = ask("lora adapters rank 32 of llama 3.1 8b: how many params and mb")
    hold("adapters", code == 0 and near(answer, "adapters", 32 * 32 * each * 2 / GIB) and near(answer, "parameters", 32 * 32 * each), answer)
    # Weights and both moments in fp32.
    _, answer, _ = ask("size of 20 checkpoints of a qwen2.5-7b full finetune with optimizer")
    hold("checkpoints", near(answer, "checkpoint", 20 * 7.616e9 * 12 / GIB, 0.02), answer)
    _, answer, _ = ask("embedding table of llama 3.1 8b in gb")
    hold("table", near(answer, "embedding", 128256 * 4096 * 2 / GIB), answer)
    _, answer, _ = ask("logits memory of llama 3.1 8b, batch 4 at 4096")
    hold("logits", near(answer, "logits", 4 * 4096 * 128256 * 2 / GIB), answer)
    layer = (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336) * 2 / GIB
    _, answer, _ = ask("how big is one layer of llama 3.1 8b in bf16")
    hold("layer", near(answer, "layer", layer), answer)


def operations_of_a_model():
    _, answer, _ = ask("flops per token of llama 3.1 8b")
    hold("flops of a token", 2 * 7.5e9 < value(answer, "flops") < 2 * 8.6e9, answer)
    _, answer, _ = ask("gflops of resnet-50")  # He et al. 2015 count multiplications with addition: 3.8 to 4.1 billion
    hold("flops of an image", 2 * 3.8e9 < value(answer, "flops") < 2 * 4.3e9, answer)
    # An encoder's are told for each word too: twice its 85.6 million in layers, and attention of 512 positions.
    _, answer, _ = ask("how many flops is bert-base")
    hold("flops of an encoder", 1.7e8 < value(answer, "flops") < 2.0e8 and "each token at a context of 512" in answer["headline"], answer)
    _, answer, _ = ask("total training flops of a 13b on 2T tokens")
    hold("flops of a run", 6 * 13e9 * 2e12 < value(answer, "training_flops") < 1.15 * 6 * 13e9 * 2e12, answer)
    _, answer, _ = ask("how many active experts mixtral 8x7b")
    hold("active experts", value(answer, "active_experts") == 2, answer)


def settings_side_by_side():
    _, answer, _ = ask("batch 8 vs 32 vs 128 tok/s llama 3.1 8b on an a100")
    speeds = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "speed"}
    hold("batches", list(speeds) == ["8", "32", "128"] and speeds["8"] < speeds["32"] < speeds["128"], answer)
    _, answer, _ = ask("4k vs 32k context, ttft of llama 3.1 8b on h100")
    first = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "ttft"}
    hold("contexts", list(first) == ["4096", "32768"] and 8 < first["32768"] / first["4096"] < 20, answer)
    for question in ("flash attention or not: memory of llama 3.1 8b lora at 16k", "7b lora with and without gradient checkpointing, vram"):
        _, answer, _ = ask(question)
        memory = [each["mid"] for each in answer["value"] if each["quantity"] == "memory"]
        hold(question, len(memory) == 2 and memory[0] < memory[1], answer)


def what_was_seen_is_judged():
    for question, word in (("we see 1000 img/s resnet50 training on one h100, ok or slow", "slow"), ("sdxl takes 60 s an image on my 4090, too slow?", "slow"),
                           ("our 7b lora does 0.1 s/step at batch 64 seq 2048 on 8 a100, good?", "faster"),
                           ("is a ttft of 60 s with 4k prompt normal for llama 3.1 8b on a 4090", "slow")):
        reading, answer, _ = ask(question)
        hold(question, "as seen, is " + word in answer.get("headline", "") and "deadline_s" not in reading and "ttft_s" not in reading, answer.get("headline"))


def models_side_by_side():
    reading, answer, code = ask("memory of bge-m3, bge-reranker-v2-m3 and qwen2.5 14b awq on the same gpu")
    sizes = [each["mid"] for each in answer["value"]]
    hold("three models", code == 0 and len(sizes) == 4 and isclose(sizes[0], sum(sizes[1:]), rel_tol=1e-3), answer)
    reading, answer, _ = ask("will 20 users of mistral 7b and 4 users of qwen2.5 7b both fit on one a100 80gb")
    hold("users of each", answer.get("verdict") == "yes" and reading["concurrency"] == 20 and reading["beside"][0].get("concurrency") == 4, reading)
    hold("degrees", "on each of 64 x" in text("mem per card llama2-70b tp8 pp4 dp2 zero1 micro 1 seq 4096 h100"), "")


def few_steps_are_the_models_own():
    # One pass of the U-Net at 512 pixels is a 400th of 50 guided steps at 1024.
    for question, steps, side in (("sdxl turbo on a 4060, seconds per image", 1, 512), ("sdxl lightning on a 4090 speed", 4, None), ("lcm lora sdxl on 4070, seconds per image", 4, None),
                                  ("sdxl turbo 2 steps on a 3060 speed", 2, 512), ("sd3.5 large turbo on an h100, speed", 4, None)):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("steps") == steps and reading.get("image_size") == side and reading["task"] == "inference", reading)
        hold(question, "--guidance-passes 1" in reading["flags"] and f"{steps} step" in answer["headline"], answer)
    _, turbo, _ = ask("sdxl turbo on a 4060, seconds per image")
    _, usual, _ = ask("sdxl on a 4060, seconds per image")
    gain = value(turbo, "inference") / value(usual, "inference")
    hold("turbo", 50 < gain < 400, gain)


def steps_of_pictures_have_a_rate():
    for question in ("steps per second sdxl on 4070 ti super", "sdxl it/s on a 3090", "flux dev it/s 4090"):
        reading, answer, _ = ask(question)
        hold(question, reading["task"] == "inference" and "it/s" in answer["headline"] and value(answer, "iterations") > 1, answer)
    reading, _, _ = ask("steps per second of lora 8b on a 4090")
    hold("a run", reading["task"] == "training", reading)


def a_size_in_a_name_is_the_models():
    for question, model in (("vram for a 350M llama-style model", "350m"), ("llama-like 1b on a 3060", "1b"), ("nemotron ultra 253b fp8 on 8 h100", "nemotron-ultra-253b"), ("qwen3-next-80b-a3b at 4 bit on 2 a100", "qwen3-next-80b-a3b"),
                            ("qwen2.5-vl-7b on a 3090", "qwen2.5-vl-7b"), ("qwen3-vl-8b 20 users", "qwen3-vl-8b"), ("clip finetuning on 400k pairs vit-b/32 on an rtx a5000", "clip-vit-b-32")):
        reading, _, code = ask(question)
        hold(question, code != 4 and reading.get("model") == model, reading)
    for question in ("qwen3-next on 2 a100", "nemotron ultra on 8 h100"):
        _, _, code = ask(question)
        hold(question, code == 4, code)
    _, answer, code = ask("faster-whisper large-v3 on an m2 pro, speed")
    hold("no Metal", code != 0, answer)


def rounds_of_answers_are_told_by_the_least():
    _, answer, _ = ask("grpo lora of qwen2.5-1.5b, how much memory")
    hold("grpo", answer["needs_gib"]["mid"] < 25 and "smallest steps" in answer["headline"], answer)


def networks_suit_the_size_that_was_said():
    for question, model in (("train a gan on 1024px faces, how long on a 4090", "stylegan2-f-1024"),
                            ("gan for faces 512px training throughput on a 3090", "stylegan2-generator-512"),
                            ("train a dcgan at 64 px on a 4090, how long", "dcgan-generator-64"),
                            ("wan 2.1 14b i2v on a 4090", "wan2.1-i2v-14b-transformer"), ("wan2.1 i2v 14b on a 4090", "wan2.1-i2v-14b-transformer")):
        reading, _, _ = ask(question)
        hold(question, reading.get("model") == model, reading)


def mixed_precision_leaves_the_type_to_the_card():
    # Cards without bf16 train in fp16 there: the words make nothing slower.
    for work, card in (("resnet50 training images/s", "T4"), ("resnet50 training images/s", "V100"), ("yolov8m training images/s", "T4"), ("bert-large finetuning samples/s", "V100")):
        _, plain, _ = ask(f"{work} on a {card}")
        for words in ("with amp", "in mixed precision"):
            question = f"{work} on a {card} {words}"
            reading, answer, _ = ask(question)
            hold(question, "--compute" not in reading["flags"] and answer["value"][0]["mid"] > 0.8 * plain["value"][0]["mid"], answer)
    reading, _, _ = ask("resnet50 training images/s on an A100, bf16 mixed")
    hold("bf16 is said", "--compute bf16" in reading["flags"], reading)


def watts_stand_beside_the_rate():
    # What the makers say of the board: 450, 350, 2 x 350, 400 W.
    for question, watts in (("power draw and tok/s of a 4090 running qwen2.5 32b q4", 450), ("power consumption and tokens/s of llama 8b q4 on a 3090", 350),
                            ("tok/s and watts of 2x 3090 on llama 70b q4", 700), ("images/s and power draw of resnet50 training on an a100 sxm 40gb", 400)):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "throughput" and value(answer, "power") == watts and " W at the wall" in answer["headline"], answer)
    _, answer, _ = ask("tok/s and tok per watt of a 4090 with llama 8b q4")
    hold("per watt", value(answer, "per_watt") > 0, answer)

def a_card_of_dies_is_one_card():
    # 47.9 of the vector units of both dies; 95.7 in products (AMD's data sheet).
    question = "fp64: mi250x vs a100 vs h100 sxm for cfd"
    headline = ask(question)[1]["headline"]
    hold(question, "1 devices" not in headline and "47.9" in headline and "95.7" in headline and "a card of 2 dies" in headline, headline)
    question = "achievable DGEMM tflops on mi250x"
    headline = ask(question)[1]["headline"]
    hold(question, "1 devices" not in headline and "TFLOP/s" in headline and "GFLOP/s" not in headline.replace("TFLOP/s", ""), headline)


def a_time_is_told_with_its_parts():
    for question in ("how long would it take to finetune mistral 7b w/ qlora on 10k samples x 2048 tokens, 3 epochs, single rtx 4090", "sft qwen2.5-14b full, 100M tokens on 8xH100: time and price"):
        printed = text(question)
        hold(question, "held at the peak" not in printed and "forward" in printed and " takes " in ask(question)[1]["headline"], printed)
        # One unit in a range.
        hold(question, not re.search(r"\(\d[\d.]* (min|h|days) to \d", ask(question)[1]["headline"]), ask(question)[1]["headline"])


def a_stack_that_recomputes_does_so_in_memory():
    # 28 layers keep 8,192 x 3,072 values of 2 bytes, 1.4 GB, beside 6.4 GB of weights.
    for question in ("vram needed for llama 3.2 3b lora with seq len 4096 batch 2 under unsloth", "memory of a llama 3.2 3b lora in unsloth, batch 2, 4k sequences"):
        _, answer, _ = ask(question)
        hold(question, 6 < answer["needs_gib"]["mid"] < 12, answer)
    question = "vram needed for llama 3.2 3b lora with seq len 4096 batch 2 under unsloth without gradient checkpointing"
    hold(question, ask(question)[1]["needs_gib"]["mid"] > 15, ask(question)[1])


def the_fastest_for_a_kernel_is_told_with_its_price():
    for question in ("which gpu for lattice boltzmann cfd on a 512^3 grid", "best gpu for fft 1024^3 fp32"):
        reading, answer, _ = ask(question)
        hold(question, "A million runs cost $" in answer["headline"] and "B100" not in answer["headline"] and "fp32 in fp32" not in answer["headline"] and not reading["not_understood"], (reading, answer))


def what_does_not_hold_arrays_is_told_how_many_do():
    _, answer, code = ask("spmv with a 100 GB working set on one h100")
    hold("spmv", code == 3 and "2 x h100" in answer["headline"], answer["headline"])


def runs_of_networks_are_those_of_their_scripts():
    # NVIDIA's example: 16 h at 128 on each of eight A100, 14 in tf32; MLPerf's reference: 42 passes at 512.
    _, answer, _ = ask("tacotron2 training time on 8 a100 80gb")
    hours = value(answer, "time")
    hold("tacotron2", 10 < hours < 20, answer["headline"])
    reading, _, _ = ask("rnn-t training on 8 a100, how long")
    hold("rnn-t", any("281k x 42 epochs" in each["value"] for each in reading["assumed"]), reading["assumed"])
    reading, _, _ = ask("vit-l-16 at 384, batch 32 memory")
    hold("vit", "--image-size 384" in reading["flags"], reading["flags"])
    _, answer, _ = ask("ppo steps per hour for llama 8b on 8 a100")
    hold("ppo", "steps an hour" in answer["headline"] and "steps/s" not in answer["headline"], answer["headline"])


def bytes_of_a_kernel_are_no_side():
    # Two arrays of doubles in 200 GB: 12.5e9 cells, 2320 a side; a transform's data and its copy: 16 bytes a point, n^3.
    for question, side in (("hardware for a 7 point stencil in double precision, the grid takes 200 GB", 2320), ("fft of 300 GB of data on h100, how many gpus", 2656),
                           ("dgemm with 20 GB matrices", 50000), ("7 point stencil, working set 100 gb, mi300x", 1842)):
        reading, answer, code = ask(question)
        said = int(re.search(r"--size (\d+)", reading["flags"])[1])
        hold(question, code == 0 and isclose(said, side, rel_tol=0.002), reading["flags"])
    reading, answer, _ = ask("fft of 300 GB of data on h100, how many gpus")  # 600 GB with the copy
    hold("how many", answer["choice"]["count"] == 8 and "8 NVIDIA H100" in answer["headline"], answer)
    reading, _, _ = ask("fastest card with 24 GB of memory for dgemm")
    hold("a card's memory", "--size 8192" in reading["flags"], reading["flags"])


def linpack_leaves_room_beside_its_matrix():
    for question, memory in (("largest N for HPL on 4 h100", 4 * 79.2), ("biggest n for linpack on one mi300x", 192), ("largest N for HPL on 8 h200", 8 * 140)):
        _, answer, _ = ask(question)
        n = next(each["mid"] for each in answer["value"] if each["quantity"] == "size")
        hold(question, 0.88 < 8 * n * n / (memory * GIB) < 0.975 and "million" not in text(question), answer)


def steps_of_pictures_and_references_have_their_batch():
    # 1,500 steps of one picture each, at the rate that is told.
    for question, samples in (("SDXL LoRA 1500 steps on a 4090 how many minutes", 1500), ("train pix2pix on 10k pairs of 256x256, 200 epochs, rtx 4070. hours?", 2e6)):
        reading, answer, _ = ask(question)
        seconds = next(each["mid"] * {"min": 60, "minutes": 60, "h": 3600, "hours": 3600, "s": 1}.get(each["unit"], 1) for each in answer["value"] if each["quantity"] == "time")
        hold(question, "batch 1" in reading["flags"].replace("--micro-batch 1", "batch 1").replace("--batch 1", "batch 1") and seconds / samples > 0.015, (reading["flags"], seconds))


run(globals())
