#!/usr/bin/env python3
"""Questions whose answer is a choice: what is recommended, for which sum, and that no part of the answer contradicts another.

Usage: question_choices_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
from asked import document_of as ask, hold, run, text

GIB = 2**30


def states_have_two_moments():
    # Two moments of 4 bytes for each parameter: 13e9 x 8 B = 96.9 GiB; 8.03e9 x 8 B = 59.8; gradients are one of 4.
    for question, gib in (("optimizer state size of a 13b with adam in fp32", 13e9 * 8 / GIB),
                          ("adamw optimizer states memory llama 3.1 8b fp32", 8.03e9 * 8 / GIB),
                          ("optimizer memory of llama 3.1 8b mixed precision", 8.03e9 * 8 / GIB),
                          ("how much memory do adam states of llama 3.1 8b need in bf16", 8.03e9 * 4 / GIB),
                          ("gradient memory of llama 3.1 8b in fp32", 8.03e9 * 4 / GIB)):
        document, _ = ask(question)
        needs = document["answer"].get("needs_gib", {"mid": 0})["mid"]
        hold(question, abs(needs / gib - 1) < 0.02, document["answer"])


def a_desk_holds_few_cards():
    # The sum pays for the computer too, and no desk holds eight cards.
    for question, usd in (("i can spend 5k on a pc for finetuning 13b loras", 5000), ("$3000 workstation to run qwen3 32b", 3000),
                          ("6000 dollars to run llama 3.3 70b", 6000)):
        document, code = ask(question)
        best = (document.get("options") or [{}])[0]
        hold(question, code == 0 and document["answer"]["choice"]["count"] <= 2 and best.get("purchase_usd", 1e9) <= usd, document["answer"])
    # Two cards of 24 GB hold 24.2 GiB of weights and adapters at several times the matrix rate of an integrated chip.
    document, _ = ask("i can spend 5k on a pc for finetuning 13b loras")
    hold("a pc for 13b loras", document["answer"]["choice"]["accelerator"].startswith("rtx"), document["answer"])
    # Of one that does it and two that do it faster the one goes first.
    question = "what should i buy for 5000 dollars to run qwen3 14b q4_k_m"
    document, _ = ask(question)
    hold(question, document["answer"]["choice"]["count"] == 1, document["answer"])


def what_is_bought_can_be_put_to_use():
    # A card without fans and with no driver to come, an APU in a socket, fp8 on chips without it: none is advised.
    unfit = ("v100", "p100", "p40", "mi300a", "rx-68", "rx-69")
    for question in ("what single card would you buy for gemma 3 27b q4, one user", "best single gpu to buy for qwen3 32b q4",
                     "llama 3.3 70b on-premises for 25 users, prompts of 6k tokens, what do we order", "self host qwen3 32b fp8 for 15 devs on our own server",
                     "two cards to buy for llama 3.3 70b q4 in a desktop", "what single gpu to buy for a 14b fp8 model", "buy hardware to serve qwen3 235b fp8 to 20 users"):
        document, _ = ask(question)
        shown = [option["accelerator"] for option in document["options"]]
        hold(question, document["options"] and not any(part.startswith(unfit) for part in shown), shown)
    # One card for a desk has fans of its own, whatever the label.
    document, _ = ask("what single card would you buy for gemma 3 27b q4, one user")
    best = document["answer"]
    passive = ("l4", "a30", "a40", "h100", "h200", "l40")
    hold("labels", not any(best.get(label, {}).get("accelerator", "").startswith(passive) for label in ("choice", "smallest", "cheapest", "fastest")), best)
    # No chip of RDNA 3 multiplies fp8.
    document, _ = ask("what single gpu to buy for a 14b fp8 model")
    hold("fp8", not any(option["accelerator"].startswith("rx-7") for option in document["options"]), document["answer"])
    # Who names it, or has it, is answered.
    document, _ = ask("can my v100 32gb run qwen3 14b q4")
    hold("my v100", document["answer"]["verdict"] == "yes", document["answer"])
    hold("mi300a", "not as a card" in ask("can i buy mi300a cards")[0]["answer"]["headline"], "mi300a")


def months_are_no_recommendation():
    # 240M pictures at some 9 a second are 300 days of one A5000.
    for question in ("gpu server for latent diffusion pretraining from scratch at 512px on 20M images", "pretrain stable diffusion from scratch on 100M images, how many GPUs",
                     "train a diffusion model from scratch, 10M images at 256px, what server", "what gpu to pretrain a vit-l on 14M images for 300 epochs",
                     "hardware to train sdxl from scratch on 50M images"):
        document, _ = ask(question)
        best = document["options"][0]
        hold(question, "the run takes" in document["answer"]["headline"] and best["time"]["total_s"] < 60 * 86400, document["answer"]["headline"])
    # Who says what there is, or how long it may take, keeps it.
    document, _ = ask("pretrain a vit-l on 14M images for 300 epochs on one 4090, how long")
    hold("one 4090", document["answer"]["value"]["mid"] > 60 * 86400 if isinstance(document["answer"]["value"], dict) else True, document["answer"])


def what_holds_it_leads_where_a_number_is_asked():
    # 671 GB of fp8 lie on eight of 180 GB, whatever the pace.
    for question, most in (("how many b200 for deepseek-v3 fp8 w/ 128 concurrent @ 16k ctx", 8), ("how many h100 for llama 70b fp8, 100 concurrent at 16k", 8)):
        document, _ = ask(question)
        answer = document["answer"]
        hold(question, answer["choice"]["count"] <= most and answer["runner_up"]["count"] > answer["choice"]["count"], answer)


def a_computer_costs_something():
    # 713 dollars around one card (catalog/ownership.json), no more than half of the sum.
    def card(question):
        document, _ = ask(question)
        return document["options"][0]["purchase_usd"], document
    bare, _ = card("900 dollars for a gpu to run llama 3.1 8b q4_k_m")
    whole, document = card("a pc for 900 dollars to run llama 3.1 8b q4_k_m")
    hold("a pc for 900 dollars", bare <= 900 and whole <= 900 and whole <= 450 and "--budget 450" in document["reading"].get("flags", ""), document["reading"])
    _, mine = card("900 dollars for a gpu for my pc to run llama 3.1 8b q4_k_m")
    hold("my pc", "--budget 900" in mine["reading"]["flags"], mine["reading"])


def one_gpu_is_one():
    for question in ("best gpu for 800 euro for local llm", "best graphics card under 700 dollars for ai", "what gpu can i get for $1200 for deep learning"):
        document, code = ask(question)
        hold(question, code == 0 and document["answer"]["choice"]["count"] == 1, document["answer"])
    document, _ = ask("what gpus can i get for $4000")
    hold("gpus", document["answer"]["choice"]["count"] <= 2, document["answer"])


def used_cards_count_and_are_told():
    # Nobody sells the 3090 new: its price of 2026 is that of used ones.
    said = text("2000 dollars to run qwen3 32b q4_k_m on a 3090")
    hold("3090", "used" in said, said)


def pictures_at_home_take_a_card():
    for question in ("cheapest card for hunyuanvideo at home", "cheapest gpu to do wan 2.1 at home", "flux dev at home which gpu",
                     "cheapest gpu to do wan 2.2 at home", "budget £1500 gaming pc for ai video generation"):
        document, code = ask(question)
        choice = document["answer"].get("choice", {})
        hold(question, code == 0 and choice.get("accelerator", "").startswith(("rtx", "rx", "arc", "radeon")) and choice.get("count") == 1, document["answer"])


def what_writes_too_slowly_goes_last():
    # 15 users of a chip with 256 GB/s share it: 4.5 tokens a second each is slower than one reads.
    for question in ("coding assistant for 15 devs, qwen3-coder, what box should we buy", "chatbot for 40 employees llama 3.3 70b what hardware should we buy"):
        document, code = ask(question)
        best = (document.get("options") or [{}])[0]
        tpot = best.get("time", {}).get("tpot_s", 1)
        hold(question, code == 0 and tpot <= 0.1, (tpot, document["answer"]))
    # Who names a pace gets it.
    document, _ = ask("serve qwen3 30b for 15 users at 3 tokens per second each")
    hold("a pace that was said", document["reading"].get("tpot_s"), document["reading"])


def networks_are_compared_by_batches():
    # Published fp16 rates of 165 and 60 TFLOP/s, 1,008 and 760 GB/s: no tie.
    for question in ("how much faster is a 4090 than a 3080 for resnet50", "a100 vs t4 resnet-50 inference", "3060 or 4070 ti for yolov8"):
        document, _ = ask(question)
        rates = sorted(v["mid"] for v in document["answer"]["value"] if v["quantity"] == "speed")
        hold(question, len(rates) == 2 and rates[1] > 1.25 * rates[0], document["answer"])


def the_ladder_is_that_of_all_cards():
    # 32.8e9 weights in q4_k_m are 18.5 GiB: two cards of 12 GB hold some type that one does not.
    question = "i've got 2x3060 12gb, would qwen 2.5 32b run"
    document, code = ask(question)
    ladder = document["ladders"][0]
    fits = [rung["quantization"] for rung in ladder["rungs"] if rung["fits"]]
    hold(question, code == 0 and ladder["hardware"].startswith("2 x") and "q3_k_m" in fits, ladder)
    # The headline names a type of the ladder that fits.
    hold(question + " (one type)", any(f" in {name} " in document["answer"]["headline"] for name in fits), (document["answer"]["headline"], fits))


def memory_and_plans_agree():
    # A headline far above the plans below says how they do it.
    for question in ("memory for grpo on qwen2.5 3b with lora", "vram to train vit-l batch 128"):
        document, _ = ask(question)
        needs = document["answer"]["needs_gib"]["mid"]
        least = min(o["count"] * o["memory"]["peak_gib"] for o in document["options"])
        hold(question, least > 0.79 * needs or "In smaller steps" in document["answer"]["headline"], (needs, least, document["answer"]["headline"]))


def credits_pay_for_rent():
    for question in ("what can i do with $100000 of cloud credits on aws", "we got 1000$ runpod credit, what can we do with it"):
        document, _ = ask(question)
        hold(question, document["answer"].get("choice", {}).get("why") == "rent", document["answer"])


def value_is_no_speed():
    # The cheapest for a million runs stands first, and the sentence says so.
    for question in ("gromacs which gpu gives best value", "cheapest gpu for lammps", "best price performance gpu for namd"):
        document, _ = ask(question)
        hold(question, "cheapest" in document["answer"]["headline"], document["answer"])


def a_sum_for_a_service_buys():
    # A service has no end that rent could be paid to; what is asked for in words of rent stays rent.
    for question in ("budget 30k, want to serve llama 70b to 50 users", "we have 15000 euro to host a 32b model for 40 people",
                     "i want to make a chatbot for 500 employees with a 32b model, what do i buy"):
        document, code = ask(question)
        hold(question, code == 0 and document["answer"]["headline"].startswith("Buy"), document["answer"])
    document, code = ask("30k of cloud credits to serve llama 70b to 50 users")
    hold("credits", code == 0 and not document["answer"]["headline"].startswith("Buy"), document["answer"])


def a_late_end_of_a_range_is_told():
    question = "how many a100 for pretraining a 7b on 1T tokens in 30 days"
    document, code = ask(question)
    hold(question, code == 0 and "end in time" in document["answer"]["headline"] and "barely (" in document["answer"]["headline"], document["answer"])


def integers_of_a_detector_run_where_they_have_kernels():
    # torch has no products of 8-bit integers for convolutions on a GPU.
    question = "yolo11n int8 on jetson orin nano fps"
    hold(question, "tensorrt" in text(question), text(question))


def small_networks_are_copied_to_each_card():
    # 86M parameters are 1.5 GiB with their states; eight cards take less than a fifth of the time of one.
    times = [ask(f"vit-b imagenet 90 epochs on {count}x 4090")[0]["answer"]["value"][0]["mid"] for count in (8, 1)]
    hold("vit-b on eight cards", times[0] < times[1] / 5, times)


def full_training_of_a_denoiser_keeps_single_precision():
    # 0.86e9 weights of 4 bytes, their gradients and two moments are 12.8 GiB beside activations.
    question = "sd 1.5 full finetune 512 bs 8 memory"
    needs = ask(question)[0]["answer"]["needs_gib"]
    hold(question, 14 < needs["mid"] < 24, needs)


def what_may_not_lie_on_the_host_does_not():
    question = "can a 4090 run llama 70b without offload"
    answer = ask(question)[0]["answer"]
    hold(question, answer["verdict"] == "no" and "host" not in answer["headline"], answer)
    question = "tgi llama 3.1 8b on h100"
    hold(question, "has no profile" not in text(question), text(question))


def parts_of_a_pipeline_wait_on_the_host():
    # 11.9e9 weights of 4.5 bits are 6.2 GiB; the text encoder of 4.7e9 and the decoder need not lie beside them on 9.8 GiB.
    question = "can a 3080 10gb run flux dev"
    change = ask(question)[0]["answer"]["change"]
    hold(question, any("--offload-parameters cpu" in each["flag"] for each in change), change)
    question += " with cpu offload"
    document = ask(question)[0]
    hold(question, "--offload-parameters cpu" in document["reading"]["flags"] and document["answer"]["verdict"] in ("yes", "barely"), document["answer"])
    # Copies hold no more each: one card that holds it answers, not eight.
    question = "3080 10gb vs 3090 for flux dev"
    answer = ask(question)[0]["answer"]
    hold(question, answer["choice"]["accelerator"] == "rtx-3090" and answer["choice"]["count"] == 1, answer)


def the_rule_that_told_the_intent_is_shown():
    for question, rule in (("4090 vs 5090 for flux", "Rule compare: two kinds of hardware"), ("what gpu for a 70b fine-tune", "Rule hardware: what GPU")):
        hold(question, rule in text(question, "--explain") and "Rule " not in text(question), text(question, "--explain"))


def kinds_of_networks_have_a_usual_one():
    for question, model in (("4090 faster than a v100 for training convnets?", "resnet-50"), ("is a 3060 good for cnn training", "resnet-50"), ("8x V100 box still ok for training resnets", "resnet-50"),
                            ("convolutional networks on a t4 or a 3060?", "resnet-50"), ("training unets on a 4090 or an a5000", "unet-2015"), ("vision transformers training, which gpu", "vit-b-16"),
                            ("which gpu for graph neural networks", "graphsage-ogbn-products-3x256"), ("pytorch geometric, which gpu", "graphsage-ogbn-products-3x256")):
        reading = ask(question)[0]["reading"]
        hold(question, reading.get("model") == model, reading)
    reading = ask("mask rcnn training on a 3090")[0]["reading"]
    hold("mask rcnn", reading.get("model") == "mask-rcnn-r50-fpn", reading)


def what_stands_alone_is_no_machine_of_several():
    for question in ("cheapest gpu to full finetune mistral 7b", "cheapest gpus to lora a 70b on lambda", "full finetune llama 3.1 8b as cheap as possible", "cheapest hardware for lora of qwen2.5-32b"):
        document, code = ask(question)
        several = [each for each in document.get("options", []) if each.get("accelerator", "").startswith("gh200") and each.get("count", 1) > 1]
        hold(question, code == 0 and not several and "x GH200" not in document["answer"]["headline"].replace("1 x GH200", ""), document["answer"]["headline"])
    document, code = ask("is 2 x gh200 enough to full finetune mistral 7b")  # who names them has them
    hold("2 x gh200", document["reading"].get("count") == 2, document["reading"])


def slices_are_proposed_where_they_are_asked_for():
    for question in ("what do i need for embedding 50 million documents with bge-large, want it done in 2 days", "serve llama-3.2-1b for 64 users", "cheapest gpu to serve qwen2.5-0.5b to 100 users",
                     "embed 10 million texts with bge-m3 in a day, which gpu"):
        document, code = ask(question)
        hold(question, code == 0 and "/" not in document["answer"]["choice"]["accelerator"], document["answer"]["choice"])


def small_pictures_have_a_small_diffusion_model():
    for question in ("diffusion model from scratch on cifar10, how long on a 3090", "train a ddpm on cifar-10, which gpu", "training a diffusion model from scratch on cifar-100 on a 4090", "how long to train ddpm on cifar10 on a t4"):
        reading = ask(question)[0]["reading"]
        hold(question, reading.get("model") == "ddpm-cifar10-unet", reading)
    for question in ("what gpu for controlnet training for sdxl", "sdxl controlnet training vram", "train a controlnet for sdxl on a 4090, does it fit", "how much memory for training an sdxl controlnet"):
        reading = ask(question)[0]["reading"]
        hold(question, reading.get("model") == "sdxl-controlnet" and reading.get("method") in ("full", None), reading)


def what_is_sure_goes_before_what_is_barely():
    # A deadline is kept where the slow end of the range keeps it: what only the middle keeps goes behind.
    for question in ("cheapest setup to pretrain gpt2-xl on 40B tokens in under 5 days", "rent gpus to pretrain a 1.3B on 26B tokens within 2 days"):
        headline = ask(question)[0]["answer"]["headline"]
        hold(question, "Rent" in headline and "Barely in time" not in headline, headline)


def at_home_four_bits_are_bought_for():
    # 70.6e9 parameters at 4.83 bits are 39.7 GiB; whole they are 131 GiB, which no desk holds for 8,000 dollars.
    for question in ("best gpu to buy for running 70b models at home", "what should i buy to run llama 3.3 70b locally", "which card should i get for local 70b models"):
        document, code = ask(question)
        best = document["options"][0]
        hold(question, code == 0 and best["workload"]["precision"]["quantization"] == "q4_k_m" and best["purchase_usd"] < 8000, document["answer"]["headline"])
    # Who would serve many is no home.
    document, _ = ask("buy hardware to serve llama 3.3 70b to 200 users")
    hold("200 users", document["options"][0]["workload"]["precision"]["quantization"] != "q4_k_m", document["answer"]["headline"])


def no_row_below_costs_far_less_and_is_faster():
    for question in ("hardware to QLoRA mixtral 8x7b, no cloud just consumer cards", "what should i buy to finetune 8b models at home", "what gpu do i need to run llama 70b at home"):
        options = [each for each in ask(question)[0]["options"] if each.get("purchase_usd") and not each["barely"]]
        for i, first in enumerate(options):
            better = [each["accelerator"] for each in options[i + 1:] if each["purchase_usd"] < 0.7 * first["purchase_usd"] and each["time"]["tokens_per_s"] > 1.1 * first["time"]["tokens_per_s"]]
            hold(question, not better, (first["accelerator"], better))


def a_form_that_is_too_small_is_told():
    # 671e9 parameters in fp8 are 625 GiB: 78 on each of 8, of the 79 of SXM5 cards; the NVL form has 94.
    answer = text("can i run deepseek v3 on 8xh100")
    hold("8xh100", "H100 NVL 94GB" in answer and "8 x NVIDIA H100 SXM5 80GB do not hold it" in answer, answer)
    answer = text("can 8 h100 run llama 3.1 405b in fp8")
    hold("all forms", "do not hold it" not in answer, answer)


def qlora_is_told_where_lora_has_no_room():
    # 13.0e9 parameters are 24.2 GiB whole and 7 in 4 bits; of 16 GB cards one costs less than 400 dollars.
    for question, most in (("what can i fine tune llama 13b on for $400", 400), ("fine tune a 34b for 1500 dollars on my own hardware", 1500)):
        document, code = ask(question)
        best = document["options"][0]
        hold(question, code == 0 and best["workload"]["method"] == "qlora" and best["purchase_usd"] <= most and "QLoRA" in document["answer"]["headline"], document["answer"]["headline"])
    document, code = ask("fine tune qwen 14b on a single 24gb card, which one to buy")
    hold("24 GB", code == 3 and "With QLoRA, 1 x" in document["answer"]["headline"], document["answer"]["headline"])
    # Who says the method has it.
    document, _ = ask("lora llama 13b, what card for $400")
    hold("lora said", "QLoRA" not in document["answer"]["headline"], document["answer"]["headline"])


def weights_of_qlora_may_lie_on_the_host():
    # Answer.AI, 2024: QLoRA of 70B on two cards of 24 GB, the weights of FSDP in host memory.
    for question in ("can i qlora llama 2 70b on 2x 3090", "can i qlora llama 2 70b on 2x 4090 with fsdp and cpu offload", "qlora llama 2 70b with 2 x 24gb cards"):
        document, _ = ask(question)
        best = (document.get("options") or [{}])[0]
        hold(question, document["answer"].get("verdict") == "yes" or best.get("workload", {}).get("offload", {}).get("parameters") == "cpu", document["answer"]["headline"])
    # One card gathers nothing.
    document, _ = ask("can i qlora llama 2 70b on a 3090")
    hold("one", document["answer"]["verdict"] == "no", document["answer"]["headline"])


def pictures_are_taught_at_home_on_narrow_weights():
    # 12 billion parameters: 22 GiB in 16 bits alone, which no consumer card below 32 GB holds with what trains; 6 GiB in 4 bits.
    for question in ("which graphics card do i need to train flux.1 dev loras", "welche grafikkarte für flux dev lora training",
                     "best gpu for lora of flux dev under 800 euro", "best consumer card to train flux lora"):
        document, code = ask(question)
        best = document["options"][0]
        hold(question, code == 0 and best["workload"]["method"] == "qlora" and best["count"] == 1 and best["purchase_usd"] <= 4000, document["answer"])
        hold(question, document["answer"]["choice"]["accelerator"].startswith(("rtx-3", "rtx-4", "rtx-5", "rx-", "arc-")), document["answer"])
    # What holds it in 16 bits is left so, and so is who names another type or a server.
    for question in ("which card to train sdxl lora at home", "lora of flux dev on an a100"):
        document, _ = ask(question)
        hold(question, document["reading"].get("method") != "qlora", document["reading"])


def whether_a_gpu_is_needed_is_answered_by_a_processor():
    headline = ask("is a gpu necessary for bert base inference at 1 request per second")[0]["answer"]["headline"]
    hold("kept", headline.startswith("No GPU is needed:") and "desktop processor" in headline, headline)
    document, _ = ask("do i even need a gpu for whisper tiny transcription")
    hold("open", document["reading"]["accelerators"] == ["cpu-desktop-ddr5"] and document["answer"]["headline"].startswith("No GPU is needed:"), document["answer"])
    # 1.9 GB of weights over 89.6 GB/s are read faster than a person reads; 40 GB twice a second at best.
    for question, first in (("do i need a graphics card for llama 3.2 3b or can i use cpu", "No GPU is needed: "), ("do i really need a dedicated gpu to run phi-3 mini or will the cpu do", "No GPU is needed: "),
                            ("do i need a gpu for 70b or is my cpu enough", "Yes, "), ("colbert on cpu or gpu", "No GPU is needed: ")):
        headline = ask(question)[0]["answer"]["headline"]
        hold(question, headline.startswith(first) and "processor" in headline, headline)
    hold("wanted", ask("what gpu do i need for whisper tiny")[0]["reading"]["intent"] == "hardware")


def data_centers_that_are_not_wanted_are_not_offered():
    for question in ("best card for gromacs 100k atoms not datacenter prices", "best gpu for llama 8b, not a datacenter card"):
        document, _ = ask(question)
        hold(question, "consumer" in document["reading"]["require"] and document["answer"]["choice"]["accelerator"].startswith(("rtx-3", "rtx-4", "rtx-5")), document["answer"])


def one_card_of_the_memory_that_was_named_is_tried_under_a_stack_that_takes_less():
    # QLoRA of 8B: 5.6 GiB of weights in 4 bits and adapters; Unsloth's loss in pieces keeps the rest within 12 GB.
    for question in ("gpu for llama 3.1 8b qlora with 12gb", "welche grafikkarte mit 12 gb für qlora von llama 3.1 8b",
                     "how many 12gb cards for qlora llama 3.1 8b", "cheapest but most expensive gpu for lamma 3.1 8b qlorra finetunning w 12gigs"):
        document, code = ask(question)
        answer = document["answer"]
        hold(question, code == 0 and answer["choice"]["count"] == 1 and "with Unsloth; under fsdp-qlora" in answer["headline"], answer)
    # 32B: 17 GiB of weights; two cards of 24 GB cost less for the work than four.
    document, _ = ask("which gpu with 24gb for qlora qwen2.5 32b")
    hold("32b", document["answer"]["choice"]["count"] <= 2 and document["answer"]["smallest"]["count"] == 1, document["answer"])
    # A stack that is named, and the wish for speed, stay.
    for question in ("which gpus with 24gb for qlora qwen2.5 32b with hf-trainer", "fastest gpu with 24gb for qlora qwen2.5 32b"):
        document, _ = ask(question)
        hold(question, "with Unsloth" not in document["answer"]["headline"], document["answer"])


def a_rent_that_is_ruled_out_is_bought():
    for question in ("not h100, not a100, no nvidia at all, and not rented: what for qwen2.5 72b at 20 users", "qwen2.5 72b 20 users, nicht gemietet",
                     "owned, not rented: hardware for qwen2.5 72b for 20 users"):
        document, _ = ask(question)
        hold(question, document["answer"]["headline"].startswith("Buy "), document["answer"])
    document, _ = ask("rented gpu for qwen2.5 72b for 20 users")
    hold("rented", document["answer"]["headline"].startswith("Rent "), document["answer"])


def tenants_have_slices():
    # 7 profiles 1g.10gb of an H100, 9.75 GiB each; 7B in 4 bits are about 4 GiB.
    document, code = ask("does H100 support MIG and how many instances, we want 7 tenants with a 7b int4 each")
    answer = document["answer"]
    hold("mig", code == 0 and answer["choice"] == {**answer["choice"], "accelerator": "h100-sxm5-80gb/1g.10gb", "count": 7}
         and "has MIG, up to 7 slices" in answer["headline"], answer)


if __name__ == "__main__":
    run(globals())
