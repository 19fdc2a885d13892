#!/usr/bin/env python3
"""Questions that bound something: power, forms, rents, sums, providers, volumes, users. What is said must be read, whatever the order of its words.

Usage: question_limits_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. The numbers are those of each question.
"""
import math
import pathlib
import re
from math import isclose

from asked import ask, command, document_of, hold, run, text, value


def what_has_no_price_ends_the_ranking():
    # Without its one provider some cards have no price at all: none of them goes before another for ever.
    question = "which gpu do u advise to full fine tune qwen2.5-3b with sequence length 4096? we dont use aws"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading.get("providers_excluded") == ["aws"], reading)


def watts_are_no_weeks():
    for question, field, truth in (("at most 500 w for one card to run phi-4", "max_watts", 500), ("tdp up to 165 W, gpu for embedding with bge-m3", "max_watts", 165),
                                   ("what gpu with 130w or less for llama 3.2 3b", "max_watts", 130),
                                   ("budget 400 watts for gpu, training resnet-50", "max_watts", 400)):
        reading, _, _ = ask(question)
        hold(question, isclose(reading.get(field, 0), truth, rel_tol=0.005) and "deadline_s" not in reading and reading["intent"] == "hardware", reading)
    # A machine draws more than its cards: none of 450 W stands in one of 800.
    document, _ = document_of("one machine below 800 W in total for gemma-3-27b, 15 users, what to purchase")
    hold("800 W", "--rack-kw 0.8" in document["reading"]["flags"] and document["answer"]["choice"]["accelerator"] != "rtx-4090", document["answer"])
    reading, _, _ = ask("lora 8b on an a100 in 6 w")
    hold("6 w", isclose(reading.get("deadline_s", 0), 6 * 7 * 86400), reading)


def forms_bound_what_is_recommended():
    for question in ("pcie cards only, no sxm, for llama-3.3-70b fp8 30 users", "gpus that arent sxm for llama 3.3 70b awq 10 users", "form factor pcie, cheapest to fine-tune llama 3.1 8b"):
        document, code = document_of(question)
        hold(question, code == 0 and document["reading"].get("require") == ["pcie"], document["reading"])
        hold(question, not any(part in document["answer"]["choice"]["accelerator"] for part in ("sxm", "mi3", "gb200")), document["answer"])
    reading, _, _ = ask("a100 80gb not sxm for lora 13b")
    hold("not sxm", reading["accelerators"] == ["a100-pcie-80gb"], reading)
    reading, _, _ = ask("2x 3090 over pcie 4.0 x8 for llama-3.3-70b q4")
    hold("over pcie", "require" not in reading, reading)


def figures_that_no_plan_means_are_not_told():
    for question, figure in (("how long does it take to train llama 70b on 100T tokens on one rtx 4090", "years, more than 1,000 years"),
                             ("rent 900000 h100 for 900 years", "more than a trillion dollars"),
                             ("energy of training llama 8b on 1e18 tokens on 8 h100", "years, more than 1,000 years"),
                             ("how long to process 1e15 tokens with llama 8b on one l4", "years, more than 1,000 years")):
        document, code = document_of(question)
        hold(question, code == 3 and figure in document["answer"]["headline"] and math.isnan(value(document["answer"], "time")), document["answer"])
    # The work of a run is no time that anybody waits: Meta states 30.84M hours of H100 for it.
    document, code = document_of("how many gpu hours to train llama-3.1-405b on 15T tokens on h100")
    hold("gpu hours", 20e6 < value(document["answer"], "accelerator_hours") < 60e6, document["answer"])
    document, code = document_of("rent 8 h100 for 3 years")
    hold("3 years", code == 0 and value(document["answer"], "cost") > 0, document["answer"])
    for question in ("what can I train with 1e15 dollars on h100", "budget $900 trillion what can i train"):
        hold(question, "at most a trillion dollars" in command("advise", question)[2], question)


def rents_need_no_currency():
    for question, usd in (("rent only. not above 2.20 an hour. finetuning gemma-3-12b", 2.2), ("at 1.5/h max, lora 32b", 1.5), ("hourly limit 2 dollars, run mixtral 8x7b", 2),
                          ("llama-3.1-8b 64 users not above 0.9/hour", 0.9)):
        reading, _, _ = ask(question)
        hold(question, isclose(reading.get("usd_per_hour", 0), usd) and "deadline_s" not in reading and "budget_usd" not in reading, reading)


def sums_need_no_currency():
    for question, usd in (("qwen3-14b at 16k ctx, one card, under 2500", 2500), ("workstation for lora 32b, max 2 cards and 30k", 30000), ("a 24gb card, 900 or less, for qwen2.5-32b q4", 900),
                          ("nothing over 350: a gpu to run llama 3.2 3b", 350), ("10k to spend on cards for mixtral 8x7b", 10000), ("best used card for 14b? 350 at the most", 350)):
        reading, _, _ = ask(question)
        hold(question, isclose(reading.get("budget_usd", 0), usd), reading)
    for question in ("lora 8b on a 4090, context under 5000", "monthly cost 4x L40S runpod 24/7", "what card is better than a 3090 for 8b with max 4096"):
        reading, _, _ = ask(question)
        hold(question, "budget_usd" not in reading and "usd_per_month" not in reading, reading)


def clauses_rule_out():
    for question, field, names in (("cheapest 80GB card per hour anywhere that isnt vast", "providers_excluded", ["vast-ai"]), ("h100 price, everyone but lambda", "providers_excluded", ["lambda"]),
                                   ("h100 hourly; vast doesn't count", "providers_excluded", ["vast-ai"]), ("h200s that are not at aws, price", "providers_excluded", ["aws"]),
                                   ("lora 70b on gpus that arent from nvidia", "vendors_excluded", ["nvidia"])):
        reading, _, _ = ask(question)
        hold(question, reading.get(field) == names, reading)


def volumes_are_no_lengths():
    # 60e6 and 12e6 tokens over 86,400 s.
    for question, read, written in (("60M input and 12M output tokens per day on llama-3.3-70b, what box", 694.4, 138.9), ("daily volume 100M in / 20M out, llama-3.1-70b fp8, gpu?", 1157, 231.5),
                                    ("gpu for 60M/12M input/output tokens per day llama-3.3-70b", 694.4, 138.9), ("serve 70b with 6M generated tokens daily", None, 69.4)):
        reading, _, _ = ask(question)
        rate = reading.get("requests_per_s", 0)
        hold(question, isclose(rate * reading.get("output_tokens", 512), written, rel_tol=0.005) and (read is None or isclose(rate * reading["input_tokens"], read, rel_tol=0.005)), reading)
    reading, _, _ = ask("training on 2B tokens a day for 10 days with a 1b model, hardware")
    hold("2B a day", reading["task"] == "training" and "requests_per_s" not in reading, reading)
    reading, _, _ = ask("what to rent to pretrain 1B params on 1.5 trillion tokens in a month")
    hold("in a month", isclose(reading.get("tokens", 0), 1.5e12) and "requests_per_s" not in reading, reading)


def users_have_adjectives():
    for question, users in (("40 chat users on mistral-large fp8, what gpus", 40), ("llama-3.1-8b for 32 streaming clients, gpu", 32), ("25 rag users qwen3-32b awq", 25)):
        reading, _, _ = ask(question)
        hold(question, reading.get("concurrency") == users and reading["task"] == "inference", reading)


def less_than_nothing_is_refused():
    for question in ("run 70b q4 on minus two 3090s", "minus fifty users on llama 3.1 8b h100", "negative 3 a100s, 70b"):
        _, _, code = ask(question)
        hold(question, code in (2, 4), code)


def unknown_names_are_told():
    for question, name in (("xavier agx 32gb what llm max", "xavier"), ("h100 price at hyperscaler9000", "hyperscaler9000"), ("price of an a100 from cloudzilla", "cloudzilla")):
        reading, answer, code = ask(question)
        hold(question, code == 4 and name in answer["headline"], answer)
    reading, _, _ = ask("intel arc not ok; cheap gpu for whisper")
    hold("no arc", "!arc" in reading["require"], reading)
    reading, _, _ = ask("unet for sdxl training memory")
    hold("unet for sdxl", reading["model"] == "sdxl-unet", reading)
    # What is to be trained is no language model because nothing else was understood.
    for question, name in (("training a gaugan at 256px on my home pc with a 600w psu, which gpu", "gaugan"),
                           ("gpu for wavenet vocoder training", "wavenet"), ("price of the nvidia x900 accelerator", "x900")):
        _, answer, code = ask(question)
        hold(question, code == 4 and name in answer["headline"] and "billion" not in answer["headline"], answer)


def a_time_bounds_each_picture():
    # At its dense bf16 peak a B200 (2.25 PFLOP/s) takes 10^18 operations of one clip in 7 minutes: 4 cannot be kept.
    for question, most in (("wan2.2 a14b 720p 5 s clips, each under 4 minutes", 240), ("flux dev, one picture in under 8 seconds, buy", 8), ("sdxl image in less than 3 seconds", 3),
                           ("hunyuanvideo, 10 min per clip at most, which gpu", 600)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("ttft_s") == most and "deadline_s" not in reading, reading)
        hold(question, answer["headline"].startswith("Nothing is fast enough") or "/s" in answer["headline"] or seconds_each(answer["headline"]) <= most, answer)
    reading, _, _ = ask("wan2.1 14b 480p 5 seconds, which gpu")
    hold("a length", reading.get("frames") == 81 and "ttft_s" not in reading, reading)


def seconds_each(headline):
    """Of "6.26 s (5.37 to 11.4) a picture", "8.4 min (6.85 to 16.3) a clip"."""
    found = re.search(r": ([0-9.]+) (s|min|h) \([^)]*\) a (picture|clip)", headline)
    return float(found[1]) * {"s": 1, "min": 60, "h": 3600}[found[2]] if found else float("inf")


def faults_and_games_are_refused():
    for question in ("my 4090 crashes with CUDA error 700, why", "loss becomes nan on h100", "a100 overheats during training, what to do", "pytorch does not see my 4090",
                     "best gpu for elden ring at 4k", "cztery 4090 wystarcza na llama 70b"):
        _, _, code = ask(question)
        hold(question, code != 0, code)
    for question in ("why does llama 70b not fit on a 4090", "my 3090 goes oom with lora 8b, why", "vit-l-16 training at batch 128 on a 24GB A10, will this crash", "best gpu for deep learning"):
        _, answer, code = ask(question)
        hold(question, code != 4 and answer["headline"], answer)


def what_is_not_to_be_had_is_left_out():
    # Every form of what is named is left out, and another part does the same work.
    for question, parts in (("H100s are sold out everywhere, what else for full sft of a 14b", ["h100"]), ("alternatives to h100 for serving llama-3.1-8b to 50 users", ["h100"]),
                            ("our provider ran out of a100s, which gpu instead for qlora 13b", ["a100"]), ("h200 is backordered, what can i use for deepseek-v3 inference", ["h200"]),
                            ("h100 and a100 are sold out, what to rent for lora of llama-3.1-8b", ["h100", "a100"]), ("other than the mi300x and the h200, what serves llama-3.1-405b fp8", ["mi300x", "h200"]),
                            ("4090 unavailable in my country, what card for qwen3-14b at home", ["rtx-4090"]), ("A100s not in stock, substitute for lora on 13b", ["a100"])):
        reading, answer, code = ask(question)
        left_out = reading.get("accelerators_excluded", [])
        hold(question, reading.get("intent") == "hardware" and all(any(each.startswith(part) for each in left_out) for part in parts), reading)
        hold(question, code == 0 and answer["choice"]["accelerator"] not in left_out and "--without" in reading["flags"], answer)
    # What is there, what is compared and what is told to be full is not left out.
    for question in ("i have an h100, is it out of memory for 70b lora", "a100 instead of h100 for llama-3.1-8b, how much slower", "is my 3090 out of memory for qwen3-32b at 32k"):
        reading, _, _ = ask(question)
        hold(question, "accelerators_excluded" not in reading, reading)
    reading, _, _ = ask("h100 sold out, is l40s ok for lora of 8b")
    hold("l40s in its place", reading.get("intent") == "fit" and reading.get("accelerators") == ["l40s"], reading)


def offload_that_is_asked_about_is_not_ordered():
    for question, verdicts in (("flux dev in bf16 on a 3090, will it fit or do i need offload", ["no"]), ("should i use cpu offload for flux dev on a 4070", ["yes", "barely"]), ("flux dev bf16 on 24gb, do i need cpu offload?", ["no"]),
                               ("can 24gb run flux dev in fp8 or do i have to offload", ["yes", "barely"]), ("does a 12gb card need offloading for sdxl", ["yes", "barely"]),
                               ("sdxl on a 6gb card or do I need offload?", ["no", "barely"]), ("full finetune of llama 3.1 8b on 2x A100 40GB, is offloading necessary?", ["no"])):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "fit" and not reading["not_understood"] and "--offload" not in reading["flags"] and answer["verdict"] in verdicts and "without offload" in answer["headline"], answer)
    # What is ordered stays.
    for question in ("full parameter sft qwen2.5-7b, zero-3 with cpu offload, 2x3090, doable?", "i need cpu offload for 7b full finetune on a 4090, how fast"):
        hold(question, "--offload-optimizer cpu" in ask(question)[0]["flags"], ask(question)[0])


def code_is_not_written_here():
    for question in ("write me a pytorch training loop for llama", "write a training script for llama in pytorch", "show me code for lora finetuning llama 8b",
                     "debug my cuda out of memory error in train.py", "can you write a triton kernel for flash attention", "please fix the bug in my training script for llama 8b"):
        _, _, code = ask(question)
        hold(question, code == 4, code)
    for question in ("best gpu for code completion with qwen2.5 coder 32b", "write code with qwen2.5 coder 32b on a 4090, tokens/s", "give me the best gpu for a 14b code model",
                     "my training script runs out of memory on a 3090, lora 8b"):
        _, answer, _ = ask(question)
        hold(question, answer.get("headline"), answer)

def double_precision_has_units():
    for question in ("fp64 heavy CFD code, memory bandwidth bound, which GPU gives best value?", "memory bound fp64 stencil code, best value gpu?", "cheapest gpu for a memory bandwidth bound double precision solver"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "hardware" and "cheapest on" in answer["headline"] and not any(each in answer["headline"].split(":")[0] for each in ("RTX", "L4", "A10", "T4")), answer)
    hold("memory asked", ask("how much memory does a 7-point stencil of 512 need")[0]["intent"] == "memory")


def one_at_a_desk_waits_half_a_minute():
    # 24B x 2 x 32,000 operations of the prompt: 1.5e15, at most 50 TFLOP/s of use on such cards.
    _, answer, _ = ask("what gpu should i buy to run mistral small 24b locally with 32k")
    hold("32k", "Arc Pro B60" not in answer["headline"].split(":")[0], answer)


def what_is_named_is_warned_of():
    hold("bf16", "has no bf16" in ask("llama 8b lora with bf16 on a V100")[1]["headline"] and "has no bf16" in ask("bf16 lora of mistral 7b on a T4")[1]["headline"])
    hold("fp16", "has no bf16" not in ask("llama 8b lora with fp16 on a V100")[1]["headline"] and "has no bf16" not in ask("llama 8b lora with bf16 on an A100")[1]["headline"])
    hold("apart", "machines of one each" in ask("2 GH200s for llama 70b")[1]["headline"] and "machines of one each" not in ask("2 H100s for llama 70b")[1]["headline"])


def cards_are_bought_for_what_runs_there():
    for question in ("best value card for sdxl lora", "cheapest card for sdxl lora", "best value card to lora sd 1.5"):
        hold(question, "Arc" not in ask(question)[1]["headline"])


def sums_and_memories_beside_counts():
    for question in ("what can a 20k gpu server train", "20k gpu server for llm inference", "a 10k workstation for lora of 8b"):
        reading, _, _ = ask(question)
        hold(question, reading.get("count", 1) < 100, reading)
    for question in ("a100 x4 80 llama 70b", "llama 70b on a100 x4 80", "a100 80 x4 llama 70b", "4x a100 80 llama 70b", "h100 x2 80 for 13b"):
        reading, _, _ = ask(question)
        hold(question, reading.get("count") in (2, 4) and all("80gb" in each for each in reading["accelerators"]), reading)


def eight_bits_of_cache_save_half():
    for question in ("how much memory do I save with fp8 kv cache, llama 70b 32k", "llama 70b 32k: fp8 kv cache, how much does it save"):
        headline = ask(question)[1]["headline"]
        hold(question, "5.00 GiB less than the 10.0 GiB in 16 bits" in headline, headline)


def named_weights_have_narrower_ones():
    # 23.8 GB of bf16 are more than 10; 16-bit Mixtral is 87 GiB, more than 85.
    for question, flag in (("can i run flux in bf16 on a 3080", "--quantization"), ("can 2x RTX A6000 hold mixtral 8x7b in fp16 with vllm", "--quantization fp8"),
                           ("llama 3.3 70b in fp8 on one 48gb l40s?", "--quantization awq-int4")):
        _, answer, code = ask(question)
        hold(question, answer["verdict"] == "no" and code == 3 and any(flag in each["flag"] for each in answer.get("change", [])) and flag in answer["headline"], answer)


def the_row_is_of_the_plan_of_the_largest():
    for question in ("biggest batch i can use training vit-l/16 at 224 on a 4090", "largest batch for resnet-50 on a 3090"):
        _, answer, _ = ask(question)
        hold(question, "with --recompute full" in answer["headline"] and "recompute" not in text(question).split("hardware")[-1], text(question))


def a_duration_takes_the_stack_that_fits():
    for question in ("70b qlora 10k samples 2048 tok 2 epochs on a single a6000, eta and $?", "how long is a qlora of 70b on one 48gb l40s, 5M tokens of 2048"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and "does not fit" not in answer["headline"] and "--framework" in reading["flags"], (reading["flags"], answer))


def machines_that_are_joined_are_told():
    for question in ("train a 30b from scratch on 1T tokens within 60 days", "what hardware pretrains a 13b on 1T tokens in 40 days"):
        document, _ = document_of(question)
        if document["answer"]["choice"]["count"] > 8:
            hold(question, "is assumed (--network)" in document["answer"]["headline"], document["answer"])
    # Nobody asked to join modules that are machines of one each.
    document, _ = document_of("serve llama 3.2 3b at 40 requests per second, first token within 300 ms")
    hold("copies", not (document["answer"]["choice"]["accelerator"].startswith("gh200") and document["answer"]["choice"]["count"] > 1), document["answer"])


def cards_of_one_computer_are_told():
    reading, _, _ = ask("llm rig for $6k")
    hold("rig", any(each["field"] == "max_accelerators" for each in reading["assumed"]), reading)


def sides_that_nobody_counted_are_told():
    headline = ask("gaudi 3 or h100 for llama 3.1 70b inference")[1]["headline"]
    hold("2 of each", headline.startswith("With 2 of each"), headline)


def the_largest_for_adapters_names_the_host():
    # FSDP with QLoRA holds 70B on two cards of 24 GB, with the weights in host memory (answer.ai, 2024-03).
    for question in ("largest model i can qlora on 2x 4090", "what size of model can i qlora with 2 rtx 3090"):
        headline = ask(question)[1]["headline"]
        hold(question, re.search(r"with the weights in host memory \S*7[02]b", headline), headline)


def the_fewest_and_one_machine_bound_the_choice():
    for question, least, most in (("full finetune llama 8b on 3 to 4 gpus", 3, 4), ("full finetune llama 8b with at least 16 gpus", 16, 1e6), ("lora 8b with 4 or more gpus", 4, 1e6)):
        _, answer, code = ask(question)
        hold(question, code == 0 and all(least <= answer[each]["count"] <= most for each in ("choice", "smallest", "cheapest", "fastest") if answer.get(each)), answer)
    _, answer, _ = ask("serve qwen3-235b-a22b fp8 for 64 users with 16k context on one machine")
    # A rack of GB200 is one machine of 72.
    hold("one machine", answer["fastest"]["count"] <= 8 or answer["fastest"]["accelerator"].startswith("gb"), answer["fastest"])
    _, answer, code = ask("can I train llama 8b with fewer than 1 gpus")
    hold("fewer than one", code == 4 and "fewer than one" in str(answer), answer)


def a_model_of_an_option_is_that_of_the_question():
    config = pathlib.Path(__file__).parents[2] / "profiles/models/llama-3.1-8b.json"
    named, answer, _ = ask("what gpu to fine-tune llama-3.1-8b")
    for flags in (("--model", "llama-3.1-8b"), ("--hf-config", str(config))):
        document, code = document_of("what gpu to fine-tune it", *flags)
        hold(flags[0], code == 0 and document["answer"]["choice"] == answer["choice"] and flags[0] in document["reading"]["flags"], document)


def a_file_in_the_words_is_read():
    config = pathlib.Path(__file__).parents[2] / "profiles/models/llama-3.1-8b.json"
    reading, answer, code = ask(f"does {config} fit on a 4090 with lora?")
    hold("file", code == 0 and answer["headline"].startswith("Barely: llama-3.1-8b") and f"--hf-config {config}" in reading["flags"], answer)
    _, out, messages = command("advise", "what gpu for /none/config.json")
    hold("no file", "/none/config.json: no such file" in out + messages, messages)
    reading, _, _ = ask("what gpu to lora https://huggingface.co/Qwen/Qwen3-32B/blob/main/config.json")
    hold("a file of the hub", reading.get("model") == "qwen3-32b", reading)


def remedies_can_be_reached():
    # 12B weights of FLUX in 16 bits are 22 GiB: no four cards of 8 GB at a desk each hold a copy of them.
    question = "flux LoRA on 8 GB card"
    _, answer, code = ask(question)
    hold(question, code == 3 and not re.search(r"--accelerators (8|16)", answer["headline"]), answer["headline"])
    hold("memory of a processor", any(each["field"] == "memory" and "384" in each["value"] for each in ask("llama 8b on epyc 9654")[0]["assumed"]))
    hold("said", not any(each["field"] == "memory" for each in ask("llama 8b on epyc 9654 with 128 GB ram")[0].get("assumed", [])))


def a_limit_of_an_hour_is_kept_by_all_that_is_named():
    # Two dollars an hour are no 1,460 a month that may be spent on fewer hours.
    for question, most in (("anything under $2 an hour with at least 80 gigs of vram?", 2), ("rent a gpu with 80gb under 2 dollars an hour", 2),
                           ("best gpu to rent under $2/h", 2), ("what's the most powerful thing i can rent for $50 a day", 50 / 24),
                           ("cheapest gpu with 48gb below $1/h", 1), ("what can i rent for 25 dollars per hour", 25)):
        document, code = document_of(question)
        rents = [each["offer"]["usd_per_hour"] * each["instances"] for each in document.get("rent", [])]
        hold(question, code == 0 and document["answer"]["choice"]["usd_per_hour"] <= most, document["answer"])
        hold(question, all(each <= most for each in rents), rents)
    # A100 80GB and RTX PRO 6000 are listed below that; what has less memory is none of it.
    document, _ = document_of("anything under $2 an hour with at least 80 gigs of vram?")
    hold("80 gigs", len(document["rent"]) >= 3 and "with 80 GB" in document["answer"]["headline"], document["answer"])
    # The best within a limit is fast: no card of 2021 for a tenth of the sum.
    _, answer, _ = ask("best gpu to rent under $2/h")
    hold("best", answer["choice"]["accelerator"] not in ("rtx-a5000", "a30", "rtx-3090"), answer)
    # Of many cards those that a link joins.
    _, answer, _ = ask("what can i rent for 25 dollars per hour")
    hold("$25", answer["choice"]["count"] > 1, answer)
    # A sum of a month may still pay for some of its hours.
    _, answer, _ = ask("what can i rent for $500 a month")
    hold("$500 a month", "a month" in answer["headline"], answer)


def what_is_denied_is_not_asked_for():
    document, code = document_of("do NOT suggest h100 or anything from aws. 30B full finetune, hourly cost under $25")
    hold("not aws", code == 0 and document["answer"]["choice"]["usd_per_hour"] <= 25, document["answer"])
    hold("not h100", not document["answer"]["choice"]["accelerator"].startswith("h100"), document["answer"])
    question = "never owned a gpu. i train maybe 3 evenings a week, sdxl loras. buy a 3090 or just rent?"
    _, answer, _ = ask(question)
    hold(question, not answer["headline"].startswith("Keep") and "cheaper however seldom" not in answer["headline"], answer)
    # Without a taste for speed: the cheapest way through the pile, as when nobody speaks of latency.
    _, denied, _ = ask("we dont need low latency, just overnight processing of 10M tokens w/ a 70b, cheapest hw")
    _, plain, _ = ask("overnight processing of 10M tokens w/ a 70b, cheapest hw")
    hold("no latency", denied["choice"] == plain["choice"], (denied, plain))


def more_than_leaves_is_no():
    # 64,000 prompt tokens/s x 2 x 72.7e9 operations are 9.3e15 a second; four H100 have 7.9e15 dense in fp8.
    question = "prefill heavy workload: 32k in / 200 out, 2 rps, qwen2.5-72b. Is 4xH100 enough to stay under 5s TTFT?"
    _, answer, code = ask(question)
    hold(question, code == 3 and answer["verdict"] == "no" and answer["headline"].startswith("No, too slow: ") and "grows without end" in answer["headline"], answer)
    _, answer, code = ask("is 4xH100 enough for qwen2.5-72b at 0.2 rps, 1k in 200 out")
    hold("few", code == 0 and answer["verdict"] == "yes" and "grows without end" not in answer["headline"], answer)


def switches_may_stand_behind_their_names():
    for question, mode in (("gradient checkpointing off, llama 3.2 3b lora seq 2048 bs 8: 24gb enough?", "none"), ("vram for llama 3.1 8b lora grad ckpt disabled", "none"), ("llama 3.1 8b lora vram, gradient checkpointing = false", "none"), ("activation checkpointing is turned off, full ft 1.3b on a100 80gb, fits?", "none"),
                           ("llama 3.1 8b lora gradient checkpointing enabled, vram?", "full"), ("llama 3.1 8b lora gradient checkpointing on a 3090, fits?", "full")):
        reading, answer, _ = ask(question)
        hold(question, f"--recompute {mode}" in reading["flags"], reading["flags"])
    headline = ask("vram for llama 3.1 8b lora grad ckpt disabled")[1]["headline"]
    hold("words", "without recomputation" in headline, headline)
    # Scores of all pairs of tokens are kept where no kernel makes them anew.
    off, on = (ask(f"vram for llama 3.1 8b lora with flash attention {word} seq 4096")[1]["needs_gib"]["mid"] for word in ("off", ""))
    hold("flash attention off", off > on, (off, on))
def what_no_data_tells_is_said_first():
    # What a buyer asks beside the work is weighed by nothing: a recommendation without a word would be taken for one that does.
    for question, words in (("gpu we can legally ship to china for inference of qwen 32b", "export rules"), ("h100 availability right now", "lead times"),
                            ("need redundancy (n+1) for a qwen2.5 72b int4 service, 40 rps, what do i order", "redundancy"),
                            ("air cooled cards for a 70b lora, which", "cooling"), ("min gpus to keep llama 3.1 405b fp8 up if one node dies", "redundancy"),
                            ("serve qwen2.5 72b to 50 users, must survive the loss of a node", "redundancy"), ("llama 70b fp8, 40 users, what if a server goes down", "redundancy"),
                            ("we want 99.9% uptime for llama 3.1 8b with 20 req/s. gpus?", "redundancy"),
                            ("llama 3.1 8b with 20 req/s in two regions. gpus per region?", "regions")):
        _, answer, _ = ask(question)
        hold(question, answer["headline"].startswith("Without regard to") and words in answer["headline"].split(":")[0], answer)
    for question in ("h100 is not in stock, what else for 70b lora", "should i lock in a 3 year price for h100 or rent on demand",
                     "availability zone eu, 8 h100 for llama 70b serving"):
        _, answer, _ = ask(question)
        hold(question, not answer["headline"].startswith("Without regard to"), answer)


def a_machine_in_reserve_is_counted():
    # Two machines of what is recommended, or one more than there are.
    _, answer, _ = ask("min gpus to keep llama 3.1 405b fp8 up if one node dies")
    words = answer["headline"].split("):")[0]
    hold("n+1", re.search(r"one machine more: [2-9] machines of \d+ x ", words) and f"{2 * answer['choice']['usd_per_hour']:.2f}" in words, answer)


def a_rack_holds_what_it_feeds():
    # 14.3 kW at most of a DGX B200: two in 30 kW, none in 10.
    _, answer, _ = ask("can I put 8x B200 in a 30 kW rack?")
    hold("30 kW", answer["verdict"] == "yes" and "enough for 2" in answer["headline"], answer)
    _, answer, _ = ask("can I put 8x B200 in a 10 kW rack?")
    hold("10 kW", answer["verdict"] == "no", answer)
    # Each machine draws what its maker states: 10.2 kW, 6.5 kW, 14.3 kW; all that were named are to stand there.
    for question, verdict, words in (("our colo gives 17 kW per rack, can i put two DGX H100 in one rack?", "no", "20.4 kW (10.2 kW each)"),
                                     ("do 4 dgx a100 fit in a rack of 20 kW", "no", "enough for 3"), ("do 3 dgx a100 fit in a rack of 20 kW", "yes", "19.5 kW"),
                                     ("3 dgx b200 into a 30 kW rack", "no", "enough for 2"), ("two HGX H100 servers in a 15 kW rack ok?", "no", "enough for 1"),
                                     ("is 12 kW enough for a dgx h100", "yes", "10.2 kW")):
        _, answer, _ = ask(question)
        hold(question, answer.get("verdict") == verdict and words in answer["headline"], answer)


def what_no_data_holds_is_refused_by_its_name():
    _, answer, code = ask("how many spare GPUs for a 256 H100 cluster given failure rates")
    hold("spares", code == 4 and "spares" in answer["headline"], answer)
    for question in ("serve gpt-4o on my 4090", "run claude sonnet on 2x 3090", "gemini 2.5 pro locally what gpu"):
        _, answer, code = ask(question)
        hold(question, code == 4 and "weights are not published" in answer["headline"], answer)
    _, answer, _ = ask("university lab, 30 students each need a notebook with gpu for resnet training, budget 40k. what should we buy")
    hold("laptops", answer["headline"].startswith("Without regard to laptops"), answer)
    _, answer, _ = ask("tpu v5e-8 price per hour and can it serve gemma 2 27b")
    hold("price beside fit", answer["verdict"] == "yes" and "price of tpu-v5e" in answer["headline"], answer)


def a_number_beyond_all_numbers_is_refused():
    for number in ("1e30", "1e400", "9" * 400):
        _, answer, code = ask(f"fine-tune llama 3.1 8b with {number} tokens in 1 day")
        hold(number[:9], code == 4 and "as a number of tokens" in answer["headline"], answer)


def power_of_machines_is_that_of_all_of_them():
    # NVIDIA's user guide of DGX B200: 14.3 kW at most for one; three take 42.9.
    _, answer, _ = ask("power draw of 3 dgx b200 systems")
    hold("3 dgx b200", value(answer, "power") == 42900 and "42,900 W" in answer["headline"], answer)
    _, answer, _ = ask("power draw of 3 b200")
    hold("3 b200", value(answer, "power") == 3000, answer)


def cards_that_are_linked_reach_each_other():
    # A bridge joins two 3090; eight that reach each other stand on a board with switches.
    _, answer, _ = ask("cheapest 8 gpu box with nvlink to rent")
    hold("8 with nvlink", answer["choice"]["accelerator"] == "a100-sxm4-40gb" and "8 at once: $" in answer["headline"], answer)


def a_rack_feeds_what_is_trained():
    question = "our rack is limited to 15 kW, how many h100 hgx and what llama could we train"
    _, answer, code = ask(question)
    hold(question, code == 0 and "15 kW feed 1 node of 8" in answer["headline"], answer)


def at_least_so_much_memory_is_no_less():
    # A size alone means the cards that are called so; a floor of 25 GB leaves those of 24 out.
    for question, smaller in (("gpu with at least 25GB for qwen3 8b inference", ("l4", "a10", "a30", "rtx-3090", "rtx-4090")),
                              ("at least 50GB of vram on one card to serve qwen3 8b, cheapest", ("a40", "l40", "l40s", "rtx-a6000", "rtx-6000-ada"))):
        document, _ = document_of(question)
        parts = [option["accelerator"] for option in document["options"]]
        hold(question, parts and not set(smaller) & set(parts), parts)
def what_to_change_where_memory_ran_out_is_told_with_what_it_leaves():
    for question, flag in (("getting CUDA OOM finetuning mistral 7b on a 4090, what do i change", "--micro-batch 1"), ("OOM with llama-3.1-8b lora seq 8192 on 24gb card what do i change", "--micro-batch 1"),
                           ("vllm out of memory llama 70b on 2x a100 80gb, how to fix", "--quantization awq-int4"), ("ran out of vram doing qlora of a 32b on a 4090, anything i can lower?", "--micro-batch 1")):
        reading, answer, code = ask(question)
        told = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "memory" and each["of"].startswith("--")} if isinstance(answer["value"], list) else {}
        hold(question, reading["intent"] == "fit" and flag in told and len(told) > 1, answer)
        whole = float(re.search(r"as it is it takes ([\d.]+) GiB ", answer["headline"])[1])
        hold(question, all(each < whole for each in told.values()) and answer["headline"].startswith(("Change this: --", "Nothing by itself")), answer["headline"])


def a_limit_of_power_may_be_a_share():
    # 70 % of 350 W, 80 % of 450.
    for question, watts in (("cap 70 % on 3090s", 245), ("4x 3090 power limited to 70% training speed of llama 8b lora", 245), ("llama 8b q4 tokens per second on a 4090 with 80% power limit", 360)):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["headline"].startswith(f"Under {watts} W of "), answer["headline"])


def a_rate_bounds_the_largest():
    # Few weights of a mixture are read for a token: at a pace the largest is one of them, and no dense model that misses it is named as held.
    for question, pace in (("biggest llm for a 128gb strix halo at >10 tok/s", 10), ("largest llm that does at least 20 tokens per second on m4 max 128gb", 20),
                           ("what model can i run on dgx spark above 15 tok/s", 15), ("größtes modell auf einer 4090 mit 50 token/s", 50)):
        _, answer, code = ask(question)
        words = answer["headline"]
        held = [float(each) for each in re.findall(r"GiB(?: at|,) ([\d.]+) tokens/s", words)]
        hold(question, code == 0 and held and min(held) >= pace and f"at {pace} tokens/s or more" in words, words)
        hold(question, " is the largest that " in words and answer["value"][0]["mid"] > 30e9, answer["value"])
    # Without a pace it is the memory alone that bounds it.
    free, bound = (next(each["mid"] for each in ask(question)[1]["value"] if each["of"] == "serving in 4 bits") for question in ("biggest llm on a 4090", "biggest llm on a 4090 at 60 tok/s or more"))
    hold("bound", bound < free, (free, bound))
    _, family, _ = ask("largest qwen on a 3090 at 40 tok/s")
    hold("family", all(float(each) >= 40 for each in re.findall(r"([\d.]+) tokens/s\)", family["headline"])), family["headline"])


def the_narrowest_type_is_told_where_none_fits():
    # 671e9 parameters in less than 3 bits are more than 4 x 22 GiB.
    _, answer, code = ask("lowest quant of deepseek r1 that fits 4x 3090")
    hold("none", code == 3 and answer["headline"].startswith("None fits alone: iq2_m, the narrowest, needs "), answer["headline"])
def a_supply_feeds_cards_or_does_not():
    # Two cards of 350 W; the rest of the computer takes 300.
    for question, verdict in (("my power supply is 750w can I run two 3090s", "no"), ("is an 850w psu enough for two 3090s", "no"), ("two 3090s on a 1200w psu, ok?", "yes"), ("can my 1000w psu feed a 5090 and a 3090", "no"), ("1600w psu enough for 2 3090 and 2 4090", "no"), ("can a 1600w psu feed a 4090 and a 3090", "yes"), ("reicht ein 750w netzteil für eine 3090", "yes")):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer.get("verdict") == verdict and "W (TDP)" in answer["headline"], (reading, answer))
    # Cards of which one is to be chosen, or a supply told beside another question: no verdict by one card's watts.
    for question in ("4090 in a 1000w psu pc, how many tokens per second", "which cards fit my 750w psu: 4090 or 5090"):
        reading, answer, _ = ask(question)
        hold(question, "supply_w" not in reading and "are left beside" not in answer.get("headline", ""), (reading, answer))
    # What a limit of power does to a card is another question.
    reading, _, _ = ask("a 3090 limited to 250 W, llama 3.1 8b tokens per second")
    hold("limit", reading.get("power_cap_w") == 250, reading)


def memory_of_a_computer_without_a_card_is_shared_with_its_system():
    for question in ("what is the best ai i can run with 16 gigs of memory and no graphics card", "laptop with 16gb ram, no gpu, biggest model"):
        _, answer, _ = ask(question)
        hold(question, "12.0 GiB" in answer["headline"] and "of 14.9" not in answer["headline"], answer["headline"])


def parts_of_a_split_lie_once():
    # q8_0: 25.3 GiB of layers on three cards, the table once as the head (1.4) or the tower of pictures (0.8), 1.3 of cache, buffers and context.
    question = "3 x 3060 12gb for gemma 3 27b q8"
    _, answer, _ = ask(question)
    hold(question, 10 < answer["needs_gib"]["mid"] < 11.8 and answer["verdict"] != "no", answer["headline"])


def a_tag_of_ollama_holds_four_bits():
    # deepseek-r1:14b is a file of 9.0 GB, :32b one of 20 GB.
    for question in ("ollama deepseek-r1:14b on 8gb vram??", "deepseek-r1:32b on a 16gb card"):
        _, answer, _ = ask(question)
        hold(question, not answer["headline"].startswith("Yes"), answer["headline"])
    _, answer, _ = ask("deepseek-r1:8b on 8gb vram")
    hold("8b", answer["headline"].startswith("Yes") and "q4_k_m" in answer["headline"], answer["headline"])


def nodes_are_counted_by_what_each_holds():
    # 1.03 TB in FP8: two boxes of eight.
    for question in ("min nodes for kimi k2 native fp8 on 8xH100 boxes", "how many 8xh100 boxes is kimi k2 in fp8, minimum nodes"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["count"] == 16, answer["headline"])


def a_card_that_needs_offload_does_not_hold_it():
    for question in ("flux dev fp8 comfyui on a 4070 12gb, does it need offload", "flux dev fp8 on a 4070 with comfyui, no offload, fits?"):
        document, code = document_of(question)
        answer = document["answer"]
        hold(question, answer["verdict"] == "no" and answer["headline"].startswith("No, not without offload") and code == 3, answer)


def another_method_is_the_last_change():
    document, _ = document_of("oom at step 1: llama 3.1 8b full ft adamw fp32 states, 2x a100 80, seq 4096 mbs 4. what to change")
    headline = document["answer"]["headline"]
    hold("oom", headline.startswith("Change this: ") and not headline.startswith("Change this: --method"), headline)


def a_supply_is_weighed_at_the_limit_that_is_told():
    # 850 W less 300 for the rest are 550; two held to 280 W draw 560, to 250 W 500.
    document, _ = document_of("850w psu enough for two 3090s power limited to 280w?")
    hold("280", document["answer"]["verdict"] == "barely" and document["answer"]["headline"].startswith("Barely: the 2 cards draw up to 560 W"), document["answer"])
    document, _ = document_of("850w psu enough for two 3090s power limited to 250w?")
    hold("250", document["answer"]["verdict"] == "yes", document["answer"])
    document, _ = document_of("850w psu enough for two 3090s?")
    hold("full", document["answer"]["verdict"] == "no" and "not at full power" in document["answer"]["headline"], document["answer"])


def a_cap_of_the_search_is_no_limit_of_the_world():
    document, _ = document_of("llama 70b: how many h100 at 30 rps, 8192 tokens in 500 out")
    headline = document["answer"]["headline"]
    hold("30 rps", "Requests are independent: about 1" in headline and "not searched" in headline, headline)


def what_is_to_lie_on_the_card_is_told_its_type():
    document, _ = document_of("ollama says 37%/63% cpu/gpu with gemma 3 27b on my 4080. how do i get it all on the card")
    hold("4080", re.match(r"i?q[23]\S* is the widest that fits", document["answer"]["headline"]), document["answer"])


if __name__ == "__main__":
    run(globals())
