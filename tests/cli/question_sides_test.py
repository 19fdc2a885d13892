#!/usr/bin/env python3
"""Questions whose sides, counts and loads must be alike, and parts that are counted as they are bought.

Usage: question_sides_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. The numbers are those of each question or by hand.
"""
import re
from math import isclose

from asked import ask, hold, run, text, value


def rents_of_sides_are_of_one_load():
    # Both are asked for the same 64 at once; what has no room for them lets the others wait, and that is told.
    for question, first in (("4x L4 against 1x L40S for 13b serving", "4 x NVIDIA L4"), ("2x L4 or one L40S to serve a 13b, which is cheaper", "1 x NVIDIA L40S")):
        reading, answer, _ = ask(question)
        rents = [float(each) for each in re.search(r"is the cheaper: \$([0-9.]+) a million tokens against \$([0-9.]+[0-9])", answer["headline"]).groups()]
        hold(question, "--concurrency 64" in reading["flags"] and f"Rented, {first} is the cheaper" in answer["headline"] and rents[0] < rents[1]
             and "the others wait" in answer["headline"] and "One request alone" in answer["headline"], answer["headline"])


def a_larger_pile_is_no_faster_part():
    _, answer, _ = ask("b300 or gb200 for llama-4-scout")  # 218 GB in 16 bits: 269 GiB hold it, 185 do not
    hold("b300", "of NVIDIA GB200" in answer["headline"] and "it takes 2" in answer["headline"] and answer["choice"]["count"] == 2, answer["headline"])
    _, answer, _ = ask("h20 vs a100, qwen3-32b, 64 users")
    hold("h20", answer["headline"].count("2 x ") >= 2 and "80GB" in answer["headline"], answer["headline"])
    for question, part in (("phi-4 vs gemma-3-12b on a 4070, which is faster", "1 x NVIDIA GeForce RTX 4070"),
                           ("mistral-7b vs llama-3.1-8b on a 3060 12gb", "1 x NVIDIA GeForce RTX 3060")):
        reading, answer, _ = ask(question)
        hold(question, reading["task"] == "inference" and part in answer["headline"] and "not fit" not in answer["headline"], answer["headline"])


def memory_tells_sides_apart():
    _, answer, _ = ask("used 3090 or new 5070 ti for local llms")
    hold("3090", answer["headline"].startswith("1 x NVIDIA GeForce RTX 3090 holds the larger models"), answer["headline"])


def a_larger_memory_is_filled():
    # Two H200 have four times the room of two H100 NVL beside the weights: what 32k of context each takes goes in more often.
    _, answer, _ = ask("H100 vs H200 for serving llama 70b with long 32k prompts")
    hold("32k", "H200 SXM 141GB is the cheaper" in answer["headline"] and answer["choice"]["accelerator"].startswith("h200"), answer["headline"])
    for question in ("a100 40gb vs 80gb for serving llama 13b to many users", "a100 40gb vs a100 80gb max throughput llama 13b", "a100 40gb or 80gb under load, llama-13b"):
        _, answer, _ = ask(question)
        hold(question, "80GB is 2" in answer["headline"] and "tokens/s of all" in answer["headline"], answer["headline"])
    # A side without a rent leaves the load of the price as it is.
    hold("by eight", "kept busy (64 at once)" in ask("MI325X vs H200 for llama 70b")[1]["headline"])
    # By cost each stands on the fewest that hold it: two T4 of 16 GB, one L4.
    headline = ask("t4 vs l4 cost per million tokens llama 3 8b")[1]["headline"]
    hold("t4", "1 x NVIDIA L4 is $" in headline and "2 x NVIDIA T4" in headline and headline.startswith("Which is cheaper is not known"), headline)
    hold("by eight", "is rented out (one is $" in ask("MI325X vs H200 for llama 70b")[1]["headline"])


def how_many_make_up_for_one_is_told_by_the_work():
    # 990 against 165 TFLOP/s in bf16 with fp32 sums, 3.35 against 1.01 TB/s.
    for question, least, most in (("how many 4090s to match one h100 for training a 1b model", 2, 6), ("how many 4090s are as fast as one h100 for llama 8b inference", 2, 5),
                                  ("how many l4 would replace one h100 for llama 8b inference", 7, 13)):
        headline = ask(question)[1]["headline"]
        hold(question, least <= int(headline.split(" x ")[0]) <= most and "make up for one NVIDIA H100" in headline, headline)
    headline = ask("how many 4090s to match one h100")[1]["headline"]
    hold("without work", headline.startswith("One NVIDIA H100 SXM5 80GB is worth 6 by matrix rate, 3.3 by bandwidth"), headline)


def energy_is_compared_where_it_is_asked():
    for question in ("energy per token llama 70b h100 vs b200", "joules per token of llama 8b, a100 vs h100"):
        _, answer, _ = ask(question)
        hold(question, " energy for llama" in answer["headline"] and "tokens/J" in answer["headline"], answer["headline"])


def a_number_stands_behind_the_memory():
    for question, part in (("rtx 6000 ada 48gb x2, llama 70b fp8?", "rtx-6000-ada"), ("4090 24gb x2 llama 70b q4", "rtx-4090")):
        reading, _, _ = ask(question)
        hold(question, reading["count"] == 2 and reading["accelerators"] == [part] and not reading["not_understood"], reading)


def a_server_is_no_card_for_a_home():
    reading, answer, _ = ask("cheap gpu server eu gdpr llama 70b")
    hold("server", reading.get("home") is not True and answer["choice"].get("usd_per_hour", 0) > 0, (reading, answer["headline"]))


def the_word_by_says_what_ranks():
    for question, objective in (("rank a100, l40s, h100, 4090 for bert-large finetuning by cost", "cost"), ("sort 4090, l40s, h100 by price for llama 8b", "cost"), ("rank 4090 l40s a100 by speed for sdxl", "time")):
        reading, answer, _ = ask(question)
        hold(question, reading["objective"] == objective and (objective == "time" or answer["headline"].startswith("Rented, ")), (reading["objective"], answer["headline"]))


def asked_watts_and_reasons_are_told():
    for question, watts in (("4090 vs 3090 watts and tokens/s for llama 8b q4", (450, 350)), ("h100 sxm vs a100 sxm power draw for llama 8b", (700, 400)), ("l4 or t4 for llama 8b q4, how many watts", (72, 70))):
        _, answer, _ = ask(question)
        hold(question, all(f"{each} W" in answer["headline"] for each in watts) and {v["mid"] for v in answer["value"] if v["quantity"] == "power"} == set(watts), answer)
    hold("kept", "has room for another (nothing recomputed" in ask("RTX PRO 6000 vs RTX 6000 Ada for QLoRA 14B")[1]["headline"])
    for question in ("4090 vs a100", "h100 vs a100", "mi300x vs h200", "l40s or a6000"):
        headline = ask(question)[1]["headline"]
        hold(question, "$" in headline and len(headline) < 420, headline)


def ways_of_one_copy_are_compared():
    reading, answer, _ = ask("tensor parallel vs pipeline parallel for llama-70b on 4 a100")
    hold("tp or pp", reading["intent"] == "compare" and answer["headline"].startswith("tp4 is "), answer["headline"])
    for question in ("fsdp vs ddp for 1.5b on 8 a100, which one's faster", "zero2 vs zero3 for 7b on 8 a100"):
        reading, _, _ = ask(question)
        hold(question, reading["intent"] == "compare" and reading["method"] == "full", reading)


def layers_part_over_any_number_of_cards():
    # 42.5 GB of weights: two of 24 GB do not leave room for 32k of context (10.7 GB), three do.
    _, answer, _ = ask("fewest 3090s to run llama-3.3-70b q4_k_m with 32k context")
    hold("3090", answer["choice"]["count"] == 3, answer["choice"])
    _, answer, _ = ask("fewest 4090 for llama-3.3-70b awq in vllm")
    hold("vllm", answer["choice"]["count"] in (2, 4), answer["choice"])


def a_card_of_two_dies_is_one_card():
    _, answer, _ = ask("mi250x: memory and tdp")
    hold("mi250x", "128 GB" in answer["headline"] and "560 W" in answer["headline"], answer["headline"])
    reading, answer, _ = ask("8 mi250x training a 7b, tokens per second")
    hold("8 mi250x", reading["count"] == 8 and "8 cards" in answer["headline"] and "16 devices" in answer["headline"], answer["headline"])


def what_a_sum_or_a_time_trains():
    _, answer, _ = ask("how many tokens can 8 h100 train a 7b on in a week")
    # At 40 to 60 % of 990 TFLOP/s: 8 x 604800 x 990e12 x share / (6 x 7e9).
    hold("a week", 4.2e10 < value(answer, "tokens") < 7e10, answer["headline"])
    reading, answer, _ = ask("max tokens i can train on for $5000 with a 3b on h100s")
    hold("$5000", reading["intent"] == "throughput" and 5e10 < value(answer, "tokens") < 3e11, answer["headline"])


def parts_files_and_prompts():
    reading, _, _ = ask("m1 max 32gb qwen3-32b 4bit mlx")
    hold("mlx", reading["quantization"] == "q4_k_m", reading)
    reading, _, _ = ask("3090 24gb and ddr4, llama 70b q4 speed")
    hold("ddr4", reading["host_memory_gib"] == 64 and "ddr4" not in reading["not_understood"], reading)
    reading, _, _ = ask("cpu only server, qwen3-30b-a3b, 2 users")
    hold("server", reading["quantization"] == "q4_k_m" and reading["accelerators"] == ["cpu-epyc-9654"], reading)
    for question in ("pp512 of llama-3.1-8b q4 on 4090", "prefill tps qwen3-32b on 4x h100"):
        _, answer, _ = ask(question)
        hold(question, "reads prompts at" in answer["headline"], answer["headline"])
    reading, answer, _ = ask("i get 3200 tok/s per gpu training 13b on 8 a100, what is my mfu")
    # 6 x 13e9 x 3200 of 312e12, and attention beside it.
    hold("mfu", isclose(reading["seen_tokens_per_s"], 3200) and "84 % of peak" in answer["headline"], answer["headline"])
    reading, _, _ = ask("train a stable diffusion 1.5 unet on 500M images, gb200, how long")
    hold("500M", reading["method"] == "full", reading)
    reading, answer, _ = ask("amber 250k atoms 100 ns on a100")
    hold("atoms", answer["headline"].startswith("100 ns take ") and "250,000 atoms" in answer["headline"], answer["headline"])
    reading, _, _ = ask("flux lora on 20 images, 3090: time?")
    hold("one part", "1 x NVIDIA GeForce RTX 3090" in text("flux lora on 20 images, 3090: time?"), reading)


def the_largest_picture_and_clip():
    for question, quantity in (("highest resolution for sd 1.5 on 6gb", "image_size"), ("longest video wan2.1 1.3b on a 4090", "frames")):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "largest" and value(answer, quantity) > 64, answer["headline"])


def cards_with_twice_their_memory_are_themselves():
    # Weights of 34 GiB (32.8e9 in q8_0) lie in 48 GB alone.
    for question in ("4090 48gb vs 3090 for qwen3-32b q8_0", "rtx 4090 48gb or rtx 5090 for qwen3-32b in q8_0"):
        _, answer, _ = ask(question)
        hold(question, "48 GB" in answer["headline"] and answer["choice"]["accelerator"] == "rtx-4090", answer)
    # So much in two of them is that of both.
    reading, answer, _ = ask("2x 3090 48gb vs a6000 for llama-3.3-70b q4")
    hold("2x 3090 48gb", "with 48 GB" not in answer["headline"], answer)


def methods_are_compared_in_the_same_steps():
    # 13e9 frozen weights of two bytes are 24 GiB, of four bits 6.1.
    for question, least in (("lora vs qlora for a 13b on one a6000, time and memory", 10), ("qlora or lora for llama-3.1-8b on a 4090: memory", 5)):
        _, answer, _ = ask(question)
        gib = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "memory"}
        hold(question, gib["lora"] > gib["qlora"] + least, answer)


def what_is_worth_its_price_is_compared():
    for question in ("is b200 worth 2x the price of h100 for pretraining", "h200 worth 1.5x the h100 price for 70b serving?", "is the 5090 worth double the 4090",
                     "is an h200 worth 40% more than an h100 for llama-3.3-70b"):
        reading, _, _ = ask(question)
        hold(question, reading.get("intent") == "compare", reading)


def what_no_side_holds_alone_lies_on_the_host():
    # 106e9 weights at 4.83 bits are 60 GiB: neither 24 nor 48 hold them, and 64 GB of the host do beside either.
    question = "got a single 3090 and 64gb ddr4 in my rig, can it do glm 4.5 air at a usable speed or should i grab a second one"
    reading, answer, code = ask(question)
    counts = [side.get("count") for side in reading.get("sides", [])]
    hold(question, code == 0 and counts == [1, 2] and answer["headline"].startswith("2 x") and "Rented" not in answer["headline"], answer)
    question = "3090 vs 4090 for qwen3-235b with 192gb ddr5"
    _, answer, _ = ask(question)
    hold(question, "1 x NVIDIA GeForce RTX 3090" in answer["headline"], answer)


def two_purchases_are_compared():
    for question in ("is it worth buying a DGX Spark or should I get two 3090s for local coding models?", "dgx spark or two 3090s, which is worth buying for qwen3 32b",
                     "worth buying a 5090 or should i get two 4090s for llama 70b", "is it better to own a 4090 or a 5090"):
        reading, _, _ = ask(question)
        hold(question, reading.get("intent") == "compare" and len(reading.get("sides", [])) == 2, reading)
    for question in ("buy an rtx pro 6000 or rent an h100?", "should I buy 2 5090s or just rent h100s on runpod for finetuning?"):
        reading, _, _ = ask(question)
        hold(question, reading.get("intent") == "own", reading)


def cards_are_weighed_for_each_model():
    # 8B in 16 bits fits both cards, 32B in 4 bits (19 GB) too; the 5090 has 1.8 times the bandwidth.
    for question in ("5090 vs 4090 for llama 3 8b and qwen3 32b inference", "for llama-3.1-8b and qwen3-32b, 4090 or 5090?",
                     "compare 4090 and 5090 on llama-3.1-8b and qwen3-32b", "is a 5090 faster than a 4090 for llama 3.1 8b & qwen3 32b"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "compare" and len(reading["sides"]) == 2 and reading["not_understood"] == [], reading)
        hold(question, answer["choice"]["accelerator"] == "rtx-5090" and "for both" in answer["headline"], answer["headline"])
        hold(question, all(model in answer["headline"] for model in ("8b", "qwen3-32b")) and len(answer["value"]) == 4, answer)
    # The larger network leaves no room on the smaller card, which is the faster one for the smaller network.
    question = "5060 ti 16gb or used 3080 10gb for sdxl & flux?"
    reading, answer, _ = ask(question)
    hold(question, answer["choice"]["accelerator"] == "rtx-5060-ti-16gb" and "holds both" in answer["headline"], answer)
    question = "a100 or h100 for bert-large and resnet50 training"
    reading, answer, _ = ask(question)
    hold(question, reading["task"] == "training" and "bert-large" in answer["headline"] and "resnet-50" in answer["headline"], answer["headline"])
    question = "5090 vs 4090 for llama 3 8b and sdxl"
    _, answer, _ = ask(question)
    hold(question, {each["unit"] for each in answer["value"]} == {"tokens/s", "samples/s"}, answer)
    for question in ("llama-3.1-8b vs qwen3-8b on a 4090", "llama 8b on a 4090 or qwen3 8b on a 5090"):
        hold(question, ask(question)[0].get("alternatives_of") != "models", question)  # models are weighed, not cards


def the_form_that_most_rent_out_stands_for_a_family():
    for question in ("is an h100 faster than an a100 for training a 7b gpt?", "a100 vs h100 fine tuning llama 8b"):
        _, answer, _ = ask(question)
        hold(question, any("a100-sxm4-80gb" in each["of"] for each in answer["value"]), answer)


def copies_are_weighed_against_one_that_is_spread():
    for question in ("tp=2 or two replicas on 2 A100 80GB for llama 3.1 8b", "tp=4 or four replicas of llama 8b on 4 x l40s", "data parallel vs tensor parallel for serving qwen3 14b on 2x 4090 in fp8",
                     "tensor parallel or 2 replicas of llama-3.1-8b on 2 l40s, vllm"):
        reading, answer, code = ask(question)
        count = answer.get("choice", {}).get("count")
        hold(question, code == 0 and reading.get("alternatives", [""])[-1] in ("dp0", "tp0") and count == (4 if "4 x l40s" in question else 2), reading)
        hold(question, f"{count} replicas" in answer["headline"] and f"tp{count}" in answer["headline"] and "a request's token every" in answer["headline"], answer["headline"])
        hold(question, len(answer.get("value", [])) == 4, answer)
    reading, _, _ = ask("3 replicas of llama-3.1-8b on one h100, does it fit")  # a load, not weighed
    hold("3 replicas", "alternatives" not in reading and reading.get("copies") == 3, reading)


def a_few_gib_do_not_part_like_cards():
    # The same chip at 150 and 155, at 362 and 364 TFLOP/s, its memory at 864 and 960 GB/s: where one has to recompute both are weighed so first.
    for question in ("a40 or a6000 for lora training llama 3 8b", "L40S vs RTX 6000 Ada lora llama 3 8b", "a40 vs rtx a6000, lora of mistral 7b"):
        _, answer, _ = ask(question)
        headline = answer["headline"]
        speeds = sorted(each["mid"] for each in answer["value"] if each["quantity"] == "speed")
        # Casts and adapters in fp32 run by the memory: 1.11, and a little of clocks and batches.
        hold(question, speeds[-1] / speeds[0] < 1.16 or "At the same plan" in headline, (speeds, headline))
    question = "a40 or a6000 for lora training qwen2.5 7b"
    _, answer, _ = ask(question)
    hold(question, "all recomputed" in answer["headline"] and "nothing recomputed" in answer["headline"] and "each by its own plan" in answer["headline"], answer["headline"])
    # On as many as end a run of 1.4T tokens within a year neither recomputes; what is left is their measured efficiency (docs/limits.md).
    question = "b300 or b200 for pretraining 70b? perf per dollar"
    _, answer, _ = ask(question)
    hold(question, "1.6 times" not in answer["headline"] and "end the run within a year" in answer["headline"], answer["headline"])
    # What parts the cards at one plan parts them still: 165 against 155 TFLOP/s at twice the clock of memory.
    question = "4090 vs a6000 for lora qwen2.5 7b"
    _, answer, _ = ask(question)
    hold(question, "At the same plan" in answer["headline"] and "RTX 4090 is 1." in answer["headline"], answer["headline"])


def rates_per_card_are_divided():
    # A busy server of Blackwell writes two to four times as many tokens for each card (MLPerf Inference).
    for question, best, low, high in (("GB200 NVL72 vs H100 HGX - how much faster per gpu for serving llama 405b", "gb200", 1.8, 4.5),
                                      ("how much faster per gpu is a b200 than an h100 for 405b", "b200", 1.8, 4.5),
                                      ("8x MI300X vs 16x H100 tokens/s per gpu for llama 405b", "mi300x", 1, 3),
                                      ("b200 or h200 per gpu throughput for llama 3.3 70b fp8", "b200", 1.2, 3),
                                      ("4x h100 vs 8x a100 80gb tokens/s per gpu, qwen2.5 72b", "h100", 1.2, 4)):
        _, answer, _ = ask(question)
        rates = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "speed"}
        first = [rate for part, rate in rates.items() if best in part]
        other = [rate for part, rate in rates.items() if best not in part]
        hold(question, first and other and low < first[0] / max(other) < high and "per accelerator" in answer["value"][0]["unit"], answer)


def cards_that_a_training_takes_are_told():
    # 13e9 x 2 bytes of weights are 24.2 GiB: more than a 4090 has, less than an A6000.
    _, answer, _ = ask("a6000 or 4090 for lora 13b")
    hold("one against two", "1 x NVIDIA RTX A6000" in answer["headline"] and "2 x NVIDIA GeForce RTX 4090" in answer["headline"], answer)
    _, answer, _ = ask("two a6000 or two 4090 for lora 13b")
    hold("counts that are told", "13b takes" not in answer["headline"], answer)


def a_sum_that_no_side_keeps_is_told():
    # Both cost more than $100, neither more than $10,000.
    question = "3090 or 5070 ti for llama 3.1 8b at home, better value, {} dollars max"
    hold("above", "above the $100 asked" in ask(question.format(100))[1]["headline"], ask(question.format(100))[1])
    hold("below", "above the" not in ask(question.format(10000))[1]["headline"], ask(question.format(10000))[1])


def networks_are_told_apart_by_whole_training():
    reading, answer, _ = ask("infiniband or 100gbe for 4 nodes of 8 h100 training a 70b?")
    hold("networks", reading.get("method") == "full" and "makes no difference" not in answer["headline"], answer)
    reading, answer, code = ask("infiniband or ethernet for 4 nodes of 8 h100")
    hold("networks without a model", code == 0 and reading.get("model") == "70b" and "tokens/s" in answer["headline"], answer)


def a_comparison_tries_what_a_fit_tries():
    # 123B in 4 bits are 57 GiB: in host memory they leave room on two cards of 32 GB.
    _, answer, _ = ask("2x 5090 vs 1x rtx pro 6000 for qlora 123b")
    rates = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "speed"}
    hold("2x 5090", "2 x rtx-5090" in rates and "the weights in host memory" in answer["headline"], answer)


def each_side_has_its_own_price():
    reading, answer, _ = ask("3x 5090 or 2x rtx pro 6000 workstation, price to buy")
    bought = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "purchase"}
    one = {of: value(ask(f"price to buy 1 x {of}")[1], "purchase") for of in bought}
    hold("purchase", isclose(bought["rtx-5090"], 3 * one["rtx-5090"]) and isclose(bought["rtx-pro-6000-bw-ws"], 2 * one["rtx-pro-6000-bw-ws"]), answer)
    hold("flags", "--on rtx-5090:3,rtx-pro-6000-bw-ws:2" in reading["flags"] and "--accelerators" not in reading["flags"], reading["flags"])


def cards_of_two_kinds_hold_a_model_together():
    # 32.8e9 weights of 6.56 bits are 25.0 GiB: more than 24 GB, less than 36.
    for question, verdict in (("will 3090 + 3060 12gb run a 32b q6?", "yes"), ("llama 3.3 70b q8_0 on a 3090 and a 4090", "no")):
        _, answer, code = ask(question)
        hold(question, answer["verdict"] == verdict and "together" in answer["headline"] and (code == 3) == (verdict == "no"), answer)
    alone = {part: value(ask(f"how fast is llama 3.1 8b q8_0 with llama.cpp on a {part}")[1], "decode") for part in ("3090", "4090")}
    _, both, _ = ask("how fast is llama 3.1 8b q8_0 with llama.cpp on a 3090 plus a 4090")
    # What one card holds may be asked of each.
    hold("of each", "together" not in ask("how fast is llama 3.1 8b q8_0 on a 4090 and an h100")[1]["headline"])
    hold("rate", alone["3090"] < value(both, "decode") < alone["4090"], (alone, both))
    hold("papers", "--model graphsage-ogbn-papers100m-3x256" in ask("gcn on ogbn-papers100m which card")[0]["flags"])
    hold("one by one", "together" not in ask("can 3090, 4060 ti run qwen 2.5 14b")[1]["headline"])


def devices_are_told_behind_the_answer():
    for question, devices in (("hpl linpack on 4x mi250x expected tflops", 8), ("4 mi250x inference llama 70b", 8)):
        _, answer, _ = ask(question)
        hold(question, f"are {devices} devices" in answer["headline"] and not answer["headline"].startswith("4 cards"), answer)

def what_no_side_holds_is_compared_on_more():
    # 16 bytes for each of 70.6e9 parameters are 1,130 GB: 8 x 80 GB do not hold them, 16 do.
    _, answer, _ = ask("p5.48xlarge vs p4de.24xlarge for full fine-tuning llama 3.1 70b")
    hold("16 of each", "with 2 times as many" in answer["headline"] and answer["choice"] == {**answer["choice"], "accelerator": "h100-sxm5-80gb", "count": 16}, answer)


def each_of_three_sides_has_its_cost():
    _, answer, _ = ask("cheapest per token for llama 70b fp8: 2 x h100, 1 x h200 or 1 x mi300x")
    told = [float(each) for each in re.findall(r"\$([0-9.]+[0-9])", answer["headline"].split(". ")[0] + answer["headline"].split("cheaper:")[1])][:3]
    hold("three", all(name in answer["headline"] for name in ("MI300X", "H200", "H100")) and len(told) == 3 and told[0] == min(told), answer["headline"])


def cards_of_several_kinds_share_a_model():
    # 23.7 and 11.8 GiB are 35.5; q4_k_m of 70b takes 42 GiB, q3_k_m 34.
    reading, answer, code = ask("can I mix a 3090 and a 4070 for llama 70b q4")
    hold("3090 and 4070", code == 3 and 35 < answer["have_gib"] < 36 and "q3_k_m" in answer["headline"], answer)
    said = text("4090 + 3060 for 32b q6")
    hold("shares", re.search(r"parts the layers by the memory of each card \([0-9.]+ of 23.6 GiB on the .*4090, [0-9.]+ of 11.8", said), said)
    # More than the larger holds alone, less than a card of both memories would.
    _, joined, _ = ask("biggest llm for 3090 + 3060 12gb")
    _, alone, _ = ask("biggest llm in 4 bits on one 3090")
    sizes = [value(each, "model") for each in (joined, alone)]
    hold("3090 + 3060", 1.2 * sizes[1] < sizes[0] < 36 / 23.6 * 1.1 * sizes[1], sizes)


def two_cards_hold_no_less_than_one():
    sure = []
    for question in ("largest model for qlora on one 3090", "largest model for qlora on two 3090"):
        _, answer, _ = ask(question)
        sure.append(answer["value"]["low"])
    hold("two 3090", sure[1] >= sure[0] > 0, sure)


def what_is_asked_of_sides_leads():
    # One H100 holds it, a TPU v6e of 32 GB does not: each on the fewest that hold it, and no price of one is said first.
    headline = ask("tpu v6e or h100 - cheaper per million tokens for gemma 3 27b")[1]["headline"]
    hold("v6e", headline.startswith("Which is cheaper is not known") and "1 x NVIDIA H100" in headline and "4 x Google TPU v6e" in headline and "4 x NVIDIA" not in headline, headline)
    headline = ask("trainium2 vs h100 for pretraining a 7b on 1T tokens, which is cheaper")[1]["headline"]
    hold("trainium2", "Which is cheaper is not known" in headline and "of rent)" in headline, headline)
    # A side that misses what was asked wins nothing.
    headline = ask("deepseek v3 fp8 on-prem for 500 users 20 tok/s each, b200 or mi355x?")[1]["headline"]
    hold("20 tok/s each", headline.startswith("Neither reaches what was asked: ") and " do" in headline.split(".")[0], headline)
    # Two dies of 1.64 TB/s each against 3.35 and 2.04 TB/s.
    hold("hpcg", "where whole cards run as many" in ask("hpcg mi250x vs h100 which one")[1]["headline"], ask("hpcg mi250x vs h100 which one")[1])
    hold("hpcg", ask("hpcg mi250x vs a100")[1]["choice"]["accelerator"] == "mi250x", ask("hpcg mi250x vs a100")[1])
    headline = ask("amd or nvidia for serving deepseek r1 at 100 users?")[1]["headline"]
    hold("makers", headline.startswith("AMD: Rent") and "for about" not in headline and "a million tokens against" in headline, headline)


def what_is_there_is_no_side():
    question = "have a 3080 10gb, want to do flux dev loras w/ kohya. 4080 super or used 3090?"
    reading, _, _ = ask(question)
    hold(question, [each["accelerator"] for each in reading["sides"]] == ["rtx-4080-super", "rtx-3090"], reading["sides"])


def all_sides_stand_in_the_first_sentence():
    for question, names in (("dgx spark or strix halo or m4 max for gpt-oss-120b?", ("GB10", "Strix Halo", "M4 Max")), ("3090 vs 4090 vs 5090 for llama 3.1 8b q8", ("3090", "4090", "5090"))):
        _, answer, _ = ask(question)
        first = answer["headline"].split("). ")[0]
        hold(question, all(name in first for name in names), first)
    # Stacks that differ are named, and what one of them does on all.
    _, answer, _ = ask("dgx spark or strix halo or m4 max for gpt-oss-120b?")
    hold("stacks", "Each runs its usual stack: " in answer["headline"] and " on all: " in answer["headline"], answer["headline"])


def faster_is_answered_for_one_of_each():
    _, answer, _ = ask("is a 5090 faster than an rtx 6000 ada for flux lora training")
    hold("flux", answer["headline"].startswith(("Yes: with ", "No: with ", "Hardly: with ")) and "1 x NVIDIA GeForce RTX 5090 " in answer["headline"], answer["headline"])
    # Where one does not hold it by any way, that is said first.
    _, answer, _ = ask("is an a100 40gb faster than an l40s for lora of llama 3 70b")
    hold("70b", "with 8 of each, as neither one " in answer["headline"] and "times as fast" in answer["headline"].split(" (")[0], answer["headline"])


def what_is_sold_is_gone():
    # 2 x 23.7 GiB against 23.6: the sold card stands on the other side, never beside the two.
    for question in ("if i sell my 4090 and get two 3090s what do i gain and lose", "sell my 4090 and buy 2 3090"):
        _, answer, _ = ask(question)
        hold(question, answer["headline"].startswith("2 x NVIDIA GeForce RTX 3090 holds the larger models") and "1 x NVIDIA GeForce RTX 4090" in answer["headline"], answer["headline"])


def a_month_of_each_side_is_told():
    # 730 hours at the rent of each.
    for question in ("deepseek v3, 300 users, cost per month on h200 or b200", "deepseek v3, 300 usuarios, quanto custa por mes em h200 ou b200"):
        _, answer, _ = ask(question)
        sums = [float(each.replace(",", "")) for each in re.findall(r"\$([0-9,]+)[,.]", answer["headline"].split("24 hours a day: ")[1])][:2]
        hold(question, "Rented for a month of 24 hours a day: " in answer["headline"] and all(15e3 < each < 60e3 for each in sums), answer["headline"])
    hold("none asked", "Rented for a month" not in ask("deepseek v3 on 8 h200 vs 8 b200, which is faster")[1]["headline"])


def a_link_is_weighed_with_weights_on_the_host():
    # 40 GB of 4-bit weights are more than 24 on each: the stack streams them, as the question of whether it fits says.
    _, answer, _ = ask("does nvlink on dual 3090 actually matter for qlora of 70b")
    hold("host", answer["headline"].startswith("NVLink ") and "with the weights in host memory" in answer["headline"], answer["headline"])
    _, answer, _ = ask("does nvlink matter for qlora 8b on dual 3090")
    hold("own memory", "host memory" not in answer["headline"], answer["headline"])


def each_kind_has_its_own_number():
    question = "we have 4 3090 and 2 a6000, where should we serve 8b and where train a 13b lora"
    reading, answer, _ = ask(question)
    hold(question, reading["task"] == "inference" and "which work goes where" in answer["headline"] and "4 x NVIDIA GeForce RTX 3090" in answer["headline"]
         and "2 x NVIDIA RTX A6000" in answer["headline"] and "Not answered: 13b" in answer["headline"], answer["headline"])
def each_side_keeps_what_was_said_of_it():
    for question, own in (("nvfp4 llama 405b on 4x b200 vs fp8 on 8x h200 cost per M tokens", {("b200-sxm-180gb", 4, "nvfp4"), ("h200", 8, "fp8")}),
                          ("qwen2.5 32b q4 on a 3090 vs q8 on two 3090", {("rtx-3090", None, "q4_k_m"), ("rtx-3090", 2, "q8_0")}),
                          ("llama 8b 4bit on a 4060 ti 16gb oder q8 auf einer 3090", {("rtx-4060-ti-16gb", None, "q4_k_m"), ("rtx-3090", None, "q8_0")})):
        reading, answer, _ = ask(question)
        have = {(each["accelerator"], each.get("count"), each.get("quantization")) for each in reading["sides"]}
        hold(question, {(name, count or 1, type) for name, count, type in own} == {(name, count or 1, type) for name, count, type in have}, reading["sides"])
        hold(question, all(f"in {type}" in answer["headline"] for _, _, type in own), answer["headline"])
    headline = ask("nvfp4 llama 405b on 4x b200 vs fp8 on 8x h200 cost per M tokens")[1]["headline"]
    hold("cost", "is the cheaper: $" in headline and "million tokens against" in headline, headline)
    # 32.8 GB in FP8 are more than one card of 32 GB has; 4 bits are half of that.
    headline = ask("awq on 2x 3090 vs fp8 on 1x 5090 for qwen3 32b")[1]["headline"]
    hold("5090", headline.startswith("Only 2 x NVIDIA GeForce RTX 3090 in awq-int4 holds"), headline)
    # Stacks and methods belong to a side as well.
    reading = ask("vllm on 2x 4090 vs llama.cpp on an m3 ultra for gpt-oss-120b")[0]
    hold("stacks", [each.get("framework") for each in reading["sides"]] == ["vllm", "llama.cpp"] and "framework" not in reading, reading)
    reading = ask("qlora 70b on 2x 3090 vs lora on 4x a100")[0]
    hold("methods", [each.get("method") for each in reading["sides"]] == ["qlora", "lora"], reading)
    # On one and the same hardware types are what is compared.
    for question in ("awq vs fp8 on 2x 3090 for qwen3 32b", "fp8 on 8x h100 vs bf16 on 8x h100 for llama 70b"):
        reading = ask(question)[0]
        hold(question, not reading.get("sides") and len(reading["alternatives"]) == 2, reading)
    reading = ask("llama 70b fp8 on 8x h100 vs 4x b200")[0]
    hold("one type", reading.get("quantization") == "fp8" and not any("quantization" in each for each in reading["sides"]), reading)


def a_side_without_a_number_grows_where_that_pays():
    # 70 GB in FP8 leave one card of 80 GB room for a few requests; two hold as many as one of 192 GB.
    for question in ("throughput per dollar mi300x vs h100 llama 70b fp8", "mi300x or h100 for llama 70b fp8, cost per million tokens"):
        words = ask(question)[1]["headline"]
        rents = [float(each) for each in re.findall(r"\$([0-9]+\.[0-9]+)", words)[:2]]
        hold(question, "2 x NVIDIA H100" in words and max(rents) < 3 * min(rents), words)
    words = ask("throughput per dollar 1x mi300x vs 1x h100 llama 70b fp8")[1]["headline"]
    hold("said", "1 x NVIDIA H100" in words and "2 x NVIDIA H100" not in words, words)


def copies_between_cards_are_weighed_as_a_link():
    for question in ("does missing p2p hurt lora of llama 3 8b on 4x 4090", "no p2p on 4x 4090, slower for llama 3 8b lora?"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("alternatives") == ["pcie-p2p", "pcie"] and "P2P" in answer["headline"] and "provider" not in reading["flags"], (reading, answer["headline"]))


def per_dollar_goes_first():
    for question in ("h200 vs b200 for serving llama 405b fp8, per dollar", "a100 vs h100 for llama 70b, performance per dollar"):
        reading, answer, _ = ask(question)
        words = answer["headline"]
        hold(question, reading.get("objective") == "cost" and 0 < words.find("million tokens") < words.find("tokens/s"), (reading, words))


def sixteen_bits_are_those_of_the_part():
    # A T4 and a V100 have no units for bf16; an A100 has.
    for question, told in (("T4 fp16 vs L4 int8 for resnet50", "T4 in fp16"), ("A100 bf16 vs H100 fp8 llama 8b serving", "80GB in bf16")):
        hold(question, told in ask(question)[1]["headline"])


def ports_without_their_noun_are_a_network():
    for question in ("is 2x 400G infiniband per node a bottleneck for 128 H100 training 70B compared to 8x 400G?",
                     "8x400G per node vs 2x400G infiniband for 128 h100 training 70b", "ib-ndr x2 and ib-ndr x8 for 70b training on 128 h100"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and set(reading["alternatives"]) == {"ib-ndr:2", "ib-ndr:8"} and "memory_gib" not in reading
             and "12.5 GB/s" in answer["headline"] and "50 GB/s" in answer["headline"], (reading, answer))
    reading, _, _ = ask("lora 70b on 8x 80G H100 with 400G infiniband")
    hold("80G", "alternatives" not in reading and reading["count"] == 8, reading)


def sides_are_gathered_to_a_rate_as_fits_are():
    # What the sentence says is enough is no less than what the fit of the same part says bears it.
    headline = ask("8x l40s or 4x h100 nvl for llama 3.3 70b fp8, 15 requests a second, 1500 in 300 out")[1]["headline"]
    hold("15 a second", headline.startswith("Neither reaches") and "not even" not in headline, headline)
    headline = ask("8x l40s or 4x h100 nvl for llama 3.3 70b fp8, 2 requests a second")[1]["headline"]
    hold("2 a second", not headline.startswith("Neither"), headline)


def weights_in_four_bits_where_sixteen_fit_one_side_alone():
    # 21 G parameters: 39 GiB in 16 bits, 12 GB in 4; nobody asked for LoRA by name.
    reading, answer, code = ask("dgx spark vs 5090 for unsloth fine tuning gpt-oss 20b")
    hold("gpt-oss", code == 0 and reading["method"] == "qlora" and answer["headline"].startswith("With the weights in 4 bits (QLoRA): ")
         and "In 16 bits (LoRA): Only" in answer["headline"], answer)
    reading, answer, _ = ask("dgx spark vs 5090 for lora of gpt-oss 20b with unsloth")
    hold("lora was said", reading["method"] == "lora" and answer["headline"].startswith("Only"), answer)


def a_box_at_home_serves_one():
    reading, answer, _ = ask("tesla p40 24gb or 2x p100 16gb for a home llama box")
    hold("home", reading.get("concurrency", 1) == 1, (reading, answer))


if __name__ == "__main__":
    run(globals())
