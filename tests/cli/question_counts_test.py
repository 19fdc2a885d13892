#!/usr/bin/env python3
"""Questions about numbers of things: of cards on both sides, of machines, of what is read for a query, of what a sum buys.

Usage: question_counts_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
import re

from asked import ask, hold, run, value


def an_article_counts_one():
    # Full training of 2.6e9 parameters has 16 B for each: more than 38 GiB, of 16 there; adapters fit.
    question = "time to finetune gemma-2-2b fully on 100M tokens using a RTX 4080"
    reading, answer, _ = ask(question)
    hold(question, reading.get("count") == 1 and "--method lora" in answer["headline"], answer)
    question = "how long to train a 7b on an a100 cluster, 100B tokens"
    reading, _, _ = ask(question)
    hold(question, reading.get("count") != 1, reading)


def sides_have_their_counts():
    for question, counts in (("h100 sxm, h200 sxm, b200 for llama 3.1 405b fp8 inference, 8 of each", {8}),
                             ("mi300x or h100 for llama 3.1 70b (4 each)", {4}),
                             ("5090 vs 4090 for qwen2.5-32b q8, two apiece", {2}),
                             ("2 a100 80s instead of 1 h100 for sft of phi-4", {1, 2}),
                             ("4 l40s rather than 2 h100 for lora of 13b?", {4, 2})):
        reading, _, _ = ask(question)
        seen = {side.get("count") for side in reading.get("sides", [])}
        hold(question, reading.get("intent") == "compare" and seen == counts, reading)


def machines_are_counted():
    # 6 x 13e9 x 1e12 = 7.8e22 operations in 30 days at 40 % of 989e12: 76 accelerators, nine or ten servers of eight.
    question = "how many dgx h100 for 13b on 1T tokens within 30 days"
    reading, answer, _ = ask(question)
    hold(question, "count" not in reading and 48 <= answer["choice"]["count"] <= 128 and "DGX H100" in answer["headline"], answer)
    # 6 x 2e12 x 40e12 = 4.8e26 in 90 days at 25 to 50 % of 2.5e15: 49,000 to 99,000, beyond what is searched.
    question = "how many gb200 nvl72 racks for a 2T dense, 40T tokens, 90 days"
    _, answer, _ = ask(question)
    hold(question, 45e3 <= answer["choice"]["count"] <= 110e3 and "NVL72" in answer["headline"], answer)


def an_assumed_batch_follows_the_cards():
    for question in ("sdxl lora 8 h100 1000 images 10 epochs", "sd3.5 medium full finetuning 12 x a100: time for 100k images",
                     "8 x l40s or 8 x a100 80gb for sdxl full finetune", "gradients of a 70b over 64 h100, memory per gpu"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "does not divide" not in answer["headline"] and "Neither" not in answer["headline"], answer)


def memory_of_all_cards_is_no_cards():
    # (question, cards, verdict) Weights: 400e9 x 2 B = 745 GiB, 70e9 x 1 B = 65 GiB, 405e9 x 1 B = 377 GiB, 671e9 x 1 B = 625 GiB.
    for question, count, verdict in (("is 640GB (8xh100) enough to serve llama 4 maverick in bf16", 8, "no"),
                                     ("is 96GB (4x rtx 4090) enough for llama-3.3-70b fp8", 4, "yes"),
                                     ("320 GB total (4 a100) for llama 3.1 405b fp8", 4, "no"),
                                     ("we have 8xH100 = 640GB, can it hold deepseek-v3 fp8", 8, "no"),
                                     ("does 4x24GB=96GB of 3090 hold llama 3.3 70b q4", 4, "yes"),
                                     ("is 2x48=96GB (a6000) enough to fully fine-tune 7b", 2, "no"),
                                     ("is 640gb of h100 enough for deepseek v3 fp8", 8, "no"),
                                     ("80gb in total over 2 a100 40gb, full finetune of 7b", 2, "no")):
        reading, answer, _ = ask(question)
        hold(question, reading.get("count") == count and "memory_gib" not in reading and answer["verdict"] == verdict, answer)
    # Sold with twice the listed memory: it is the card's own.
    question = "4090 48gb: 70b q4?"
    reading, answer, _ = ask(question)
    hold(question, reading.get("memory_gib") == 48 and answer["verdict"] == "yes", answer)


def memory_of_a_macbook_is_its_own():
    # 104e9 weights of 4.83 bits are 58 GiB, three quarters of 64 GB are for them; 47e9 are 26 GiB, of 24.
    for question in ("command-r-plus 104b q4_k_m on a 64gb m3 max macbook", "macbook pro m2 max 32gb run mixtral 8x7b in q4_k_m"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("memory_gib") in (32, 64) and answer["verdict"] in ("no", "barely"), answer)


def models_beside_each_other_add_up():
    # q4_k_m of 7e9 is 3.9 GiB, with cache and workspace nearly 5.
    question = "vllm hosting of three different 7B models at the same time on one box"
    reading, answer, _ = ask(question)
    small = ("rtx-3060-ti", "rtx-3080-10gb", "rtx-3060-12gb")
    hold(question, reading.get("copies") == 3 and answer["choice"]["accelerator"] not in small and "3 x 7b" in answer["headline"], answer)
    question = "llama-3.1-8b and qwen2.5-32b at the same time, which gpu"
    _, answer, _ = ask(question)
    hold(question, answer["choice"]["accelerator"] not in ("rtx-a5000", "rtx-4090", "rtx-3090") and "together" in answer["headline"], answer)


def queries_read_many_texts():
    one = value(ask("bge-reranker-v2-m3, 2 passages per query on T4, latency")[1], "time")
    question = "bge-reranker-v2-m3, 100 passages per query on T4, latency"
    reading, answer, _ = ask(question)
    hold(question, reading.get("concurrency") == 100 and value(answer, "time") != one, answer)
    question = "rerank 40 docs per query with bge-reranker-v2-m3, 25 queries per second, which card"
    reading, _, _ = ask(question)
    hold(question, reading.get("requests_per_s") == 1000, reading)
    question = "bge-m3, 900 passages/s each 300 tok, cheapest gpu"
    reading, _, _ = ask(question)
    hold(question, reading.get("requests_per_s") == 900 and reading.get("input_tokens") == 300, reading)


def servers_are_loaded():
    # One stream of it decodes below 320 tokens/s; a loaded H100 writes thousands.
    for question in ("peak throughput of llama-3.1-8b fp8 on a h100", "req/s for llama-3.1-8b fp8 on a h100, 512 in 128 out, saturated",
                     "total tok/s of llama 3.1 8b fp8, h100"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "throughput" and value(answer, "requests") > 10 and value(answer, "total") > 2000, answer)


def what_is_seen_is_judged():
    for question in ("my 2 x a100 pcie do 900 tok/s fine-tuning 13b with lora, is that bad?", "8xH100 reach 20% mfu on llama 3 8b, is this low?"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "throughput" and "as seen, is slow" in answer["headline"], answer)


def memory_may_be_more():
    for question, count in (("four workstation cards w/ 48GB or more each for LoRA of 32B, ceiling 40,000 USD", 4), ("two cards, 24 GB or larger, for llama 70b q4", 2)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("count") == count and reading.get("intent") in ("hardware", "budget") and answer["choice"]["count"] == count, reading)


def a_sum_for_hardware_is_spent():
    # A sum of tens of thousands for training buys cards of a workstation or a server, several of them.
    for question in ("EUR 90000 to be spent on hardware; 5 researchers pretraining ViT-L on imagenet-21k", "university grant 50k dollars to buy gpus for training 7b models",
                     "what hardware to purchase for $60,000 for lora of 32b"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["headline"].startswith("Buy") and answer["choice"]["count"] >= 2 and "arc" not in answer["choice"]["accelerator"], answer)


def a_runner_up_is_within_reach():
    question = "cheapest card to buy for qlora of a 7b"
    _, answer, _ = ask(question)
    hold(question, "B300" not in answer["headline"], answer)


def people_who_train_are_counted():
    # 1.2e9 parameters in 16 bits, adapters and logits: 6 to 12 GiB a run; 40 of them no one card holds.
    question = "server for 40 students to do lora of llama 3.2 1b at the same time"
    _, answer, _ = ask(question)
    hold(question, "40 who train at once take" in answer["headline"], answer)
    question = "gpu for lora of llama 3.2 1b"
    _, answer, _ = ask(question)
    hold(question, "who train at once" not in answer["headline"], answer)


def users_who_wait_get_more_machines():
    # A reader takes ten tokens a second: one machine of eight gives each of a thousand half of that, its turn included.
    question = "how many h200 to serve deepseek v3 at 1000 users"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["choice"]["count"] >= 16 and "slower than one reads" not in answer["headline"], answer)
    rate = float(re.search(r": ([0-9,]+) tokens/s", answer["headline"])[1].replace(",", ""))
    hold(question, rate >= 10 * 1000 and re.search(r"write 5\.\d tokens/s", answer["headline"]), answer["headline"])


def a_step_of_one_sample_is_judged():
    # 1.2e9 parameters at half a byte and the logits of one sequence: under 10 GiB on any card, not what the fastest batch fills.
    for gib in (16, 48, 80):
        question = f"is {gib}gb vram enough for qlora of llama 3.2 1b"
        _, answer, _ = ask(question)
        hold(question, answer["verdict"] == "yes" and answer["needs_gib"]["mid"] < 10 and "micro-batch 1 " in answer["headline"], answer)
    question = "can i train yolov8x on a 3060"
    _, answer, _ = ask(question)
    hold(question, "in batches of" in answer["headline"], answer)


def a_size_means_a_card_of_today():
    for gib, part in ((16, "rtx-50"), (24, "rtx-4090"), (32, "rtx-5090")):
        question = f"is {gib}gb vram enough for lora of llama 3.1 8b"
        _, answer, _ = ask(question)
        hold(question, answer["choice"]["accelerator"].startswith(part), answer["choice"])


def two_memories_are_both_judged():
    # QLoRA of 13e9 parameters: 6.5 GB of weights; Llama 70B in q4_k_m: 42 GB of weights alone.
    for question, lead, gib in (("16gb or 24gb for qlora of a 13b", "16 GB are enough. Yes", 16),
                                ("llama 3.3 70b q4_k_m: 24gb vs 48gb card", "24 GB are too little. Yes", 48),
                                ("llama 3.3 70b q8_0 served on 16gb or 32gb", "Neither 16 nor 32 GB are enough.", 32)):
        reading, answer, _ = ask(question)
        hold(question, answer["headline"].startswith(lead) and f"--memory {gib}GB" in reading["flags"], answer["headline"])


def what_goes_into_a_computer_is_bought():
    for question, most in (("card for my server's last free slot to run llama 3.1 8b", 1), ("gpu for my mini itx case, sdxl", 1),
                           ("workstation has two free pcie slots, llama 70b q4", 2), ("upgrade my pc's gpu for flux dev", 1),
                           ("R730 with 2 dual-slot bays, which gpus for llama 70b", 2), ("put a card in my nas for whisper", 1)):
        reading, answer, _ = ask(question)
        chosen = answer["choice"]
        hold(question, answer["headline"].startswith("Buy") and chosen["count"] <= most and "apple" not in chosen["accelerator"] and "sxm" not in chosen["accelerator"]
             and not reading.get("not_understood"), answer)
    # What is there is not looked for, and who rents has no slot.
    for question in ("can my pc with a 3090 run llama 3.1 8b", "rent a gpu for my office pc users, llama 70b"):
        _, answer, _ = ask(question)
        hold(question, not answer["headline"].startswith("Buy"), answer)


def counts_of_other_languages():
    for question, count in (("四卡 RTX 6000 Ada llama-3.3-70b 4bit 放得下吗", 4), ("八张 4090 llama-3.3-70b", 8), ("两张 3090 llama 70b q4", 2), ("双4090 qwen2.5-32b", 2), ("十六张 a100 微调 70b", 16),
                            ("dos 3090 para llama 70b q4", 2), ("due 4090 per qwen2.5-32b", 2), ("zwei 3090 für llama 70b q4", 2), ("trois 4090 pour llama 70b q4", 3),
                            ("2 nodi di 8 H100, lora 70b", 16), ("2 noeuds de 8 a100, lora 70b", 16), ("2 Knoten mit je 8 H100, lora 70b", 16)):
        reading, _, _ = ask(question)
        hold(question, reading.get("count") == count, reading)
    reading, _, _ = ask("llama-3.1-8b für 3 Leute, welche Karte")
    hold("3 Leute", reading.get("concurrency") == 3, reading)
    for question, intent in (("quanto custa alugar uma rtx 4090 por hora", "price"), ("quel est le plus grand modèle sur une 4090", "largest")):
        reading, _, _ = ask(question)
        hold(question, reading.get("intent") == intent and reading.get("accelerators") == ["rtx-4090"], reading)


def a_machine_and_its_content_are_one():
    for question, part, count in (("p5.48xlarge (8x H100): deepseek v3 fp8 fits?", "h100-sxm5-80gb", 8), ("dgx h100 (8x H100) deepseek v3 fp8, does it fit?", "h100-sxm5-80gb", 8),
                                  ("p5.48xlarge with 8x H100: deepseek v3 fp8 fits?", "h100-sxm5-80gb", 8), ("8x H100 (p5.48xlarge) enough for deepseek v3 fp8?", "h100-sxm5-80gb", 8),
                                  ("price of p5.48xlarge (8x H100)", "h100-sxm5-80gb", 8), ("g6.12xlarge (4x L4) tokens/s for qwen2.5 32b awq", "l4", 4),
                                  ("how long to lora llama 3.1 8b on 20M tokens on g5.12xlarge (4x A10)", "a10g", 4), ("2x p5.48xlarge (16x H100) llama 405b fp8", "h100-sxm5-80gb", 16),
                                  ("two p5.48xlarge (8x H100 each): full finetune of 70b?", "h100-sxm5-80gb", 16), ("is a p4d.24xlarge (A100 40GB) enough for llama 70b lora", "a100-sxm4-40gb", 8)):
        reading, _, _ = ask(question)
        hold(question, reading.get("accelerators") == [part] and reading.get("count") == count, reading)
    for question, counts in (("4x A10G (g5.12xlarge) or 1x A100 80GB for serving 13b?", [4, 1]), ("g5.12xlarge (4x A10G) vs g6.12xlarge (4x L4) for serving 13b", [4, 4]),
                             ("compare g2-standard-48 (4x L4) and a2-highgpu-1g (1x A100 40GB) for qwen2.5 14b", [4, 1])):
        reading, _, _ = ask(question)
        hold(question, [side.get("count") for side in reading.get("sides", [])] == counts, reading)
    # Another number of the part is no content of the machine.
    reading, _, _ = ask("p5.48xlarge vs 16x H100 for llama 405b fp8")
    hold("two sides", [side.get("count") for side in reading.get("sides", [])] == [8, 16], reading)


def cards_of_two_dies_are_counted_alike():
    # Each MI250X is two devices of 64 GB, whatever words ask what 16 of them do.
    for question in ("what can i do with 16 mi250x", "what could my lab do with 16 mi250x", "largest model on 16 mi250x"):
        headline = ask(question)[1]["headline"]
        hold(question, "16 cards of AMD Instinct MI250X are 32 devices" in headline, headline)


def how_many_hold_it_leads():
    # 671 GB of fp8 lie on four of 192 GB, with little room; six of 80 GB hold 405 GB; nobody rents out five, six or seven.
    for question, first, offered in (("how many mi300x do i need to run deepseek v3 fp8", "4 x AMD Instinct MI300X barely hold it", 8),
                                     ("llama 3.1 405b in fp8, how many h100 sxm", "6 x NVIDIA H100 SXM5 80GB barely hold it", 8),
                                     ("how many rtx 3090 for qwen2.5 72b q4_k_m", "2 x NVIDIA GeForce RTX 3090 barely hold it", 3)):
        _, answer, _ = ask(question)
        hold(question, answer["headline"].startswith(first) and " with room" in answer["headline"] and answer["choice"]["count"] == offered, answer)
    # What memory alone does not decide is chosen by that.
    for question in ("how many 4090s to lora a 7b on 50M tokens in 1 day", "how many h100 to serve llama 3.1 8b to 500 users"):
        _, answer, _ = ask(question)
        hold(question, "hold" not in answer["headline"].split(".")[0], answer)


def a_busy_machine_has_the_price_of_its_users():
    # 64 share the weights that are read for each token: far below a tenth of what one pays.
    for question in ("what hardware to serve llama 3.1 405b fp8", "how many mi300x for deepseek r1 in fp8", "how fast is llama 3.1 405b fp8 on 8 h200"):
        headline = ask(question)[1]["headline"]
        hold(question, "with 64 at once it makes" in headline, headline)
    for question in ("llama 3.3 70b q4 on 2x 3090, tokens per second", "how fast is llama 3.1 405b fp8 on 8 h200 for 20 users"):
        headline = ask(question)[1]["headline"]
        hold(question, "at once it makes" not in headline, headline)


def users_of_adapters_are_served():
    # Who counts users trains nothing; a figure that is no number is printed of nothing.
    for question in ("30 lora adapters hot on one llama 3.1 8b, 1x a100-40g, 4k ctx. how many users at once",
                     "how many users llama 3.1 8b lora a100 40gb", "llama 3.1 8b with loras on a100 40gb, max concurrent users"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["task"] == "inference" and 20 < value(answer, "concurrency") < 200 and "nan" not in answer["headline"], answer)


def an_assumed_batch_adds_no_cards():
    # A batch of 64 of SAM's encoder has no room on 24 GB: a smaller one has.
    for question in ("SAM vit-h inference, 3090 vs 4070 ti super, who wins", "sam-vit-h 4080 or 3090 inference throughput"):
        _, answer, code = ask(question)
        hold(question, code == 0 and re.match(r"1 x .*? (times as fast as|and) 1 x ", answer["headline"]), answer["headline"])


def replicas_may_stand_on_several_cards():
    # Two of 141 GB in 16 bits are on no card of the catalog together.
    for question in ("llama 3.3 70b two replicas, which gpus", "gpus for 3 replicas of llama 3.3 70b"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["count"] >= 2, answer)


def cameras_are_counted_with_a_sign():
    for question in ("32x 1080p cams 25 fps each, yolo11s, which card", "yolo11s on 32 x 1080p cameras at 25 fps, which card"):
        reading, _, _ = ask(question)
        hold(question, reading["requests_per_s"] == 800, reading)


def nodes_are_told_with_what_they_hold():
    for question, cards in (("16 v100 nodes of 4, train resnet50 on imagenet 90 epochs how long", 64),
                            ("16 v100 nodes, train resnet50 on imagenet 90 epochs how long", 128)):
        reading, _, _ = ask(question)
        hold(question, reading["count"] == cards, reading)


def energy_is_weighed_at_work():
    # Where weights of 140 GB are read for one request alone, a token takes ten times the energy.
    _, answer, _ = ask("tokens per joule: a100 vs h100, llama3 70b serving")
    hold("energy", min(v["mid"] for v in answer["value"]) > 0.1, answer["headline"])


def runs_of_teams_are_counted():
    # Each holds more than half of a 48 GB card: no two share one.
    _, answer, _ = ask("5 teams each running a qlora 8b finetune at the same time, how many l40s")
    hold("5 teams", answer["headline"].startswith("5 runs at once take 5 x "), answer)
    _, answer, _ = ask("5 qlora 8b finetunes at the same time, how many l40s")
    hold("5 runs", answer["headline"].startswith("5 runs at once take 5 x "), answer)


if __name__ == "__main__":
    run(globals())
