#!/usr/bin/env python3
"""What is to be bought: its condition, form, computer and tax must be read, and the choice must be a thing that one can order.

Usage: question_purchases_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. The numbers are those of each question.
"""
import json
import pathlib
import re
import tempfile
from math import isclose

from asked import ask, command, document, document_of, hold, run, text, value, sure_rents


def who_buys_for_himself_gets_files():
    # 70e9 weights of 4.85 bits are 40 GiB: two cards of 24 GB or one of 48 GB, of some thousand dollars; 16 bits are 131.
    for question in ("what should i buy for 70b inference, not nvidia", "best gpu to buy for running 70b"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and "--quantization q4_k_m" in reading["flags"] and answer["choice"]["count"] <= 2, answer)
    # Who serves others does not.
    question = "what should we buy to serve 70b to 50 users"
    reading, _, _ = ask(question)
    hold(question, "q4_k_m" not in reading["flags"], reading)


def each_maker_has_its_choice():
    question = "AMD or NVIDIA for running 32B at home, 24GB class, what would you pick"
    _, answer, code = ask(question)
    hold(question, code == 0 and "Radeon" in answer["headline"] and ("RTX" in answer["headline"] or "NVIDIA" in answer["headline"]), answer)


def a_laptop_with_a_memory_is_a_laptop():
    for question in ("what laptop gpu has 24gb vram and can run 32b q4", "laptop with 24gb gpu memory for running qwen3 32b"):
        _, answer, _ = ask(question)
        hold(question, "Laptop" in answer["headline"], answer)


def an_unknown_card_is_told_by_its_memory():
    question = "with 6gb gtx 780 what llms can i even run"
    _, answer, code = ask(question)
    hold(question, code == 4 and "By its 6 GB" in answer["headline"], answer)


def a_machine_has_its_own_price():
    # Its modules are not the machine: the catalog's server ratio is 1.64.
    question = "how expensive is a dgx b200"
    _, answer, _ = ask(question)
    owned = value(ask("own a dgx b200 or rent it for 3 years")[1], "total")
    hold(question, value(answer, "purchase") > owned / 1.5 and answer["headline"].startswith("About $"), answer)
    hold(question, abs(value(answer, "purchase") / value(ask("buy price of 8 b200")[1], "purchase") - 1.64) < 0.01, answer)
    # Two of them are rented as two machines of eight.
    question = "cost of 2 dgx h200"
    _, answer, _ = ask(question)
    hold(question, "machines of 1" not in answer["headline"], answer)


def what_is_expected_to_be_got_back_decides():
    for question in ("rent vs own 16 h100 for 18 months", "buy or rent 4x 4090 for 1 year", "8 h200 buy or rent for 2 years"):
        _, answer, _ = ask(question)
        owning, renting = (value(answer, quantity) for quantity in ("owning", "renting"))
        # Nobody said how busy they are: what owning needs nearly full use for is rented.
        bought = owning <= renting and value(answer, "break_even") <= 0.7
        hold(question, bought == answer["headline"].startswith("Buy") == (answer["choice"]["why"] == "buy"), answer)
    _, answer, _ = ask("own a dgx h100 or rent it for 18 months")
    hold("near full use", answer["headline"].startswith("Rent, unless it is busy above 9") and answer["choice"]["why"] == "rent", answer)
    _, answer, _ = ask("p5.48xlarge vs buying 16 h100 for 2 years")
    hold("the form of the instance", answer["choice"]["accelerator"] == "h100-sxm5-80gb" and answer["choice"]["count"] == 16, answer)
    _, answer, _ = ask("rent spot h100 or buy, 1 year 8h a day")
    hold("the kind that was named", "spot" in answer["headline"] and "No spot rent" not in answer["headline"], answer)


def a_provider_that_lists_none_is_told():
    question = "payback time of 2x rtx 6000 ada against aws"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["headline"].startswith("No rent of it from aws is listed. Only renting"), answer)


def chosen(question):
    document, code = document_of(question)
    hold(question, code == 0, document["answer"])
    return document, document["answer"].get("choice", {"accelerator": "", "count": 0}), (document.get("options") or [{}])[0]


def used_and_new_are_conditions():
    for question, condition in (("refurbished gpus only, 700 dollars, for qwen3 14b q4", "used"), ("a second hand card for mistral 7b, 300 dollars", "used"),
                                ("nothing second hand please: a gpu for 14b below $900", "new"), ("brand new cards only, llama 3.1 8b, 600 dollars", "new")):
        document, _, best = chosen(question)
        hold(question, condition in document["reading"].get("require", []), document["reading"])
        hold(question, ("used" in document["answer"]["headline"] + str(document["reading"]["assumed"])) == (condition == "used"), document["reading"]["assumed"])
        hold(question, best.get("purchase_usd", 1e9) <= document["reading"]["budget_usd"], best)
    for question in ("used is fine too: gpu for 14b below $900", "a gpu for qwen3 14b, used 3 days a week"):
        reading, _, _ = ask(question)
        hold(question, "used" not in reading.get("require", []), reading)


def forms_are_conditions():
    for question, part in (("laptop for mistral 7b q4", ("apple", "laptop")), ("a macbook that runs phi-4", ("apple",)), ("mac studio for qwen3 32b q4", ("apple", "mac"))):
        document, choice, _ = chosen(question)
        hold(question, any(name in choice["accelerator"] for name in part), document["answer"])
    # What stands in no slot is no card.
    document, choice, _ = chosen("which card should i buy for lora of a 32b, nvidia")
    hold("no module is a card", not choice["accelerator"].startswith(("jetson", "gb10")), document["answer"])
    reading, _, _ = ask("half height gpu for llama 3.2 3b q4")
    hold("half height", reading.get("require") == ["low-profile"], reading)


def a_computer_is_named_by_what_is_ordered():
    document, choice, _ = chosen("which mac for gpt-oss-120b")
    hold("which mac", choice["accelerator"].startswith(("apple", "mac")) and "Mac" in document["answer"]["headline"], document["answer"])
    # A whole computer stands for itself; around a card stands another one.
    document, choice, best = chosen("smallest sum for a computer to run gpt-oss-120b at home")
    hold("a computer for gpt-oss-120b", choice["accelerator"].startswith("strix") and best["purchase_usd"] < 3500, document["answer"])


def taxes_are_taken_off():
    for question, usd in (("12k including 20% vat for cards to run llama 3.3 70b", 12000 / 1.2), ("4000 before tax for a gpu for 32b", 4000),
                          ("we have $23,800 incl. 19 % VAT, gpus for 8 people on a 32b", 23800 / 1.19)):
        reading, _, _ = ask(question)
        hold(question, isclose(reading.get("budget_usd", 0), usd, rel_tol=1e-3), reading)


def sums_are_told_by_what_they_are():
    for question, usd in (("5k set aside for a box for sdxl", 5000), ("replacing our old cards, lora of 8b, 9k max", 9000), ("own gpus for six designers on flux dev, 30k", 30000),
                          ("nvidia only, 14b q4, under 900", 900), ("quadro rtx 6000 owner looking for faster 27b, below 1800", 1800)):
        reading, _, _ = ask(question)
        hold(question, isclose(reading.get("budget_usd", 0), usd), reading)


def what_is_outgrown_is_replaced():
    for question, part in (("i have a 3070 8gb and want to run 14b models, which gpu should i get", "rtx-3070"), ("from a gtx 1080 ti to what, for sdxl", "gtx-1080-ti"),
                           ("our l4 is too small for qwen3 32b, what should we buy", "l4")):
        reading, answer, _ = ask(question)
        hold(question, reading.get("replaced") == part and answer.get("choice", {}).get("accelerator") != part, (reading, answer))
    for question in ("i have a 3070, what can i run", "i have a 3090, should i add a second one for 70b q4"):
        reading, _, _ = ask(question)
        hold(question, "replaced" not in reading, reading)


def recipes_decide_what_trains():
    # bitsandbytes and the recipes that people follow are written for CUDA and kept for ROCm.
    for question in ("cheapest gpu to buy for qlora of an 8b", "which card do i buy to learn lora on 7b"):
        document, choice, _ = chosen(question)
        hold(question, not choice["accelerator"].startswith(("arc", "apple")), document["answer"])
    document, choice, _ = chosen("cheapest intel arc to buy for qlora of an 8b")
    hold("intel is asked for", choice["accelerator"].startswith("arc"), document["answer"])


def a_supply_feeds_the_cards():
    # 1,500 W of a computer with several cards, 1,200 of them for these; four cards of 450 W are none of a desk.
    for question in ("$9000 for gpus to train resnet-50 at home", "7600 dollars of cards for lora of a 13b"):
        document, choice, best = chosen(question)
        hold(question, choice["count"] * {"rtx-4090": 450, "rtx-3090": 350, "rtx-3090-ti": 450}.get(choice["accelerator"], 0) <= 1200, document["answer"])


def owning_is_weighed_for_a_model():
    for question in ("buy or rent for qlora of a 14b, 20 hours a week", "own hardware or cloud for qwen3 32b fp8, 24/7"):
        document, code = document_of(question)
        hold(question, code == 0 and document["reading"]["intent"] == "own" and "fits" not in document["answer"]["headline"], document["answer"])


def sides_have_their_memory():
    document, code = document_of("m4 max 36gb vs m4 max 128gb for gpt-oss-120b")
    hold("m4 max 36gb vs 128gb", code == 0 and document["reading"]["intent"] == "compare" and document["answer"]["headline"].startswith("Only 1 x Apple M4 Max (40-core"),
         document["answer"])
    document, code = document_of("i have a 3060 12gb, a 3090 and an m2 max 32gb, which is best for qwen3 32b")
    hold("which of mine", code == 0 and "3090" in document["answer"]["headline"].split(" holds")[0].split(" is ")[0], document["answer"])


def big_clouds_are_several():
    reading, _, _ = ask("price of 8 h100, no hyperscalers")
    hold("no hyperscalers", {"aws", "azure", "gcp", "oracle"} <= set(reading.get("providers_excluded", [])) and reading["intent"] == "price", reading)


def sizes_of_mixtures_are_mixtures():
    reading, _, _ = ask("a box that runs a ~120b in 4 bit")
    hold("~120b", reading["model"] == "gpt-oss-120b", reading)
    reading, _, _ = ask("dense 120b in 4 bit, what hardware")
    hold("dense 120b", reading["model"] == "120b", reading)


def learners_buy_for_cuda():
    for question in ("$400, learn pytorch, which card", "350 euro to learn deep learning, which gpu", "gpu for a student who learns pytorch, 450 euro"):
        document, choice, _ = chosen(question)
        hold(question, choice["accelerator"].startswith(("rtx", "gtx")), document["answer"])
    reading, _, _ = ask("amd card to learn pytorch, 400 dollars")
    hold("another maker", reading.get("vendors") == ["amd"], reading)


def what_is_bought_is_weighed_by_its_price():
    for question in ("3 used 3090 vs rtx pro 5000 at home, which should i buy for llama-3.3-70b", "2x used 3090 or a used a6000 at home for llama-3.3-70b",
                     "5090 or two 5070 ti to buy for qwen3-32b"):
        _, answer, _ = ask(question)
        hold(question, "each $1,000" in answer["headline"] and "Rented" not in answer["headline"], answer)
    # A sum that is to buy or to rent does both.
    for question in ("own server or cloud for DeepSeek R1 within 10k", "buy a machine or use the cloud for llama-3.3-70b, 6000 euro"):
        _, answer, _ = ask(question)
        hold(question, "Rented, " in answer["headline"] and "the sum pays for" in answer["headline"], answer)


def small_computers_are_whole():
    document, choice, best = chosen("mini pc for qwen3-30b-a3b below 3000")
    hold("mini pc", choice["accelerator"].startswith(("strix", "apple")) and best["purchase_usd"] < 3000, document["answer"])
    for question in ("Server f\u00fcr 3 Leute, qwen3-30b-a3b zu Hause", "qu\u00e9 gpu para qwen3-14b en casa", "une carte pour mistral-7b chez moi"):
        document, _, best = chosen(question)
        hold(question, document["answer"]["headline"].startswith("Buy"), document["answer"])


def what_is_too_slow_is_outdone():
    # By the same work on what is there: half as much again at least.
    for question, alone in (("my 3060 is too slow for sdxl lora, what now", "sdxl lora on a 3060 12gb, samples per second"), ("rtx 3060 too slow for flux dev, what should i buy", ""),
                            ("my 2080 ti is too slow for llama 3.1 8b, which card", "llama 3.1 8b q4_k_m on a 2080 ti, tokens per second")):
        document, choice, best = chosen(question)
        hold(question, document["reading"].get("replaced", "") not in ("", choice["accelerator"]), document["reading"])
        if alone:
            slow = ask(alone)[1]["value"][0]["mid"]
            rate = best["time"].get("tokens_per_s") or best["time"]["samples_per_s"]
            hold(question, rate > 1.3 * slow, (rate, slow))
    for question, gb in (("8gb is not enough for sdxl lora, which card", 8), ("a100 40gb is too small for our 32b lora, what next", 40), ("my a4000 runs out of memory with 14b lora, what do i need", 16),
                         ("12gb is too small for flux dev, which gpu should i buy", 12), ("16 gb isn't enough for qwen3-32b, new card?", 16)):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("memory_gib", 0) > gb and answer["headline"].startswith(("Buy", "Rent")), (reading, answer))
    # A judgement of what is there replaces nothing.
    hold("a judgement", "replaced" not in ask("is an rx 6800 too slow for qwen3-14b")[0], "is an rx 6800 too slow for qwen3-14b")


def who_trains_at_home_buys():
    for question in ("LLM pretraining at home: 100M params, 2B tokens, one card, less than 800$", "home lab: pretrain gpt2-small on 5B tokens, one gpu under $1000"):
        document, _, best = chosen(question)
        hold(question, document["answer"]["headline"].startswith("Buy") and best["purchase_usd"] <= 1000, document["answer"])
    # A head count is no number of runs.
    for question in ("6 nodes of 8 GPUs for a 50-person ML team training 70B models", "20-person data science team fine-tuning 8b, what server to buy"):
        _, answer, _ = ask(question)
        hold(question, "train at once" not in answer["headline"], answer)


def what_is_left_behind_is_not_wanted():
    for question, old in (("moving on from 2x T4, gpu to buy for lora of 7b, $800", "t4"), ("coming from a 1080 ti, what should I buy for sdxl around $600", "gtx-1080-ti"),
                          ("Kaggle isn't enough anymore (2xT4), what gpu should I buy for $700", "t4"), ("switching from 4x A10G, what should we rent for llama 3.3 70b awq", "a10g"),
                          ("coming from a gtx 1660 super, which card for flux under $900", "gtx-1660-super")):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("replaced") == old and old not in str(reading.get("accelerators", "")) and answer["choice"]["accelerator"] != old, (reading, answer))


def a_cloud_rents_what_is_ordered_there():
    for question, provider in (("what do I order on aws for qlora of llama 3.1 8b?", "aws"), ("what should we order on gcp for llama 3.3 70b", "gcp"),
                               ("what should I buy on runpod to fine-tune llama 3.1 8b with lora", "runpod"), ("which gpu do we purchase from aws to serve qwen2.5 32b for 10 users", "aws")):
        reading, answer, code = ask(question)
        hold(question, code == 0 and not reading.get("buy") and reading.get("providers") == [provider] and "Rent" in answer["headline"], (reading, answer))
    reading, _, _ = ask("buy 8 h100 or use aws?")
    hold("buy or use", reading.get("intent") == "own", reading)


def a_figure_for_the_money_ranks_cards():
    for question, figure in (("best vram per dollar for llms", "memory"), ("cheapest gpu per gb of vram", "memory"), ("$/gb of vram, nvidia only", "memory"),
                             ("which gpu has the best bandwidth per dollar", "bandwidth"), ("gpu with best GB/s per dollar for inference", "bandwidth"), ("most tflops per euro", "flops")):
        reading, answer, code = ask(question)
        mids = [each["mid"] for each in answer["value"]]
        hold(question, code == 0 and reading["attributes"][:2] == ["value", figure] and mids == sorted(mids, reverse=True) and len(mids) > 2, (reading, answer))
    _, answer, _ = ask("vram per dollar 3090 vs 4060 ti 16gb")
    hold("named cards alone", len(answer["value"]) == 2, answer)
    # Of a model the work decides, and what is stored is no card.
    for question in ("best bandwidth per dollar for llama 3.1 8b", "price per gb of storage for 10 checkpoints of llama 3.1 8b"):
        reading, _, _ = ask(question)
        hold(question, reading.get("attributes", [])[:2] not in (["value", "memory"], ["value", "bandwidth"]), reading)


def beside_cards_for_a_desk_the_desk_form_is_meant():
    for question in ("rtx pro 6000 or two 5090 for a small office", "rtx 6000 ada or rtx pro 6000 for our office workstation", "4090 vs rtx pro 6000"):
        _, answer, _ = ask(question)
        hold(question, "Server Edition" not in answer["headline"] and ("To buy" in answer["headline"] or "ada" in question), answer)


def a_card_keeps_a_part_of_its_price():
    # The trend leaves 10 ** (-0.14 * years) of the cards: 85 % after six months, 72 % after a year. With its server (1.64 of the price)
    # that is 44 % of what is paid: of servers no source tells what they sell for.
    for question, share in (("rent or buy a 4090 for 6 months", 10 ** -0.07), ("buy or rent h100 for 12 months", 10 ** -0.14 / 1.64), ("rent or buy a 3090 for 5 years", 0)):
        document, _ = document_of(question)
        hold(question, isclose(document["inputs"]["residual_ratio"], share, abs_tol=0.005) if "inputs" in document else True, document.get("inputs"))
        headline = document["answer"]["headline"]
        hold(question, ("got back at the end" in headline) == (share > 0) and (f"{100 * share:.0f} %" in headline or share == 0), headline)


def a_resale_that_is_told_counts():
    for question in ("is owning 8 h100 cheaper than renting for 3 years with resale of 50%", "buy or rent 8 h100 for 3 years, 50 percent residual value"):
        reading, answer, _ = ask(question)
        hold(question, "--residual 0.5" in reading["flags"] and "50 % got back at the end" in answer["headline"], (reading["flags"], answer["headline"]))
    # Two months of 2,000 are rented: servers and network are gone, whatever the cards sell for.
    question = "cost of renting 2000 h100 for 60 days vs buying them"
    hold(question, ask(question)[1]["choice"]["why"] == "rent", ask(question)[1])
    question = "own 8x h100 resale value after 3 years"
    hold(question, "got back at the end" in ask(question)[1]["headline"] and "--card-price" not in ask(question)[0]["flags"], ask(question))


def a_sum_is_weighed_both_ways():
    question = "I have $20k, should I buy or rent for fine-tuning 7B for a year"
    _, answer, code = ask(question)
    hold(question, code == 0 and "owning pays above" in answer["headline"] and "hours a month" in answer["headline"], answer["headline"])
    hold(question, " rented from " in answer["headline"] and "The sum buys 1 x " in answer["headline"] and "the sum pays for" in answer["headline"], answer["headline"])
    # 7e9 weights of two bytes on two cards of 12 GB: what a fit holds the sum holds.
    hold("$500", "LoRA of 7B" in ask("what can I do with $500")[1]["headline"] and ask("can 2 arc b580 lora a 7b")[1]["verdict"] != "no")
    # A sum of a cluster is spent on whole servers, not on the cards of one workstation.
    _, answer, _ = ask("We have 1.2 million USD for a training cluster. What would you purchase?")
    hold("a cluster", answer["choice"]["count"] >= 16, answer)


def electricity_is_weighed_where_it_is_asked():
    # 8 hours a day of three years are 8,760 hours.
    question = "Which is the more frugal choice over three years, electricity at 0.25 euro/kWh included: two RTX 4090 or one RTX 5090, eight hours daily, inference of a 24B at 4 bits?"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("Owned for 3 years at 8 hours a day") and answer["headline"].count("of electricity") == 2, answer["headline"])
    question = "which uses less electricity for serving a 32b around the clock: 2 x 4090 or one rtx 6000 ada?"
    hold(question, "tokens/J" in ask(question)[1]["headline"], ask(question)[1])
    pence = ask("electricity cost of 2 3090 24/7 at 25 pence per kwh")
    hold("pence", pence[0].get("usd_per_kwh") and 0.3 < pence[0]["usd_per_kwh"] < 0.35 and "25" not in pence[0]["not_understood"], pence[0])


def what_is_rented_holds_the_model():
    # R1 has 671e9 weights: 4 bits of each are 336 GB, more than one H100 has.
    question = "would i save money buying a mac studio m3 ultra 512gb rather than paying for cloud h100 to run deepseek r1?"
    headline = ask(question)[1]["headline"]
    hold(question, "8 x H100" in headline and "$0 to run" not in headline, headline)


def games_are_no_work():
    for question in ("best graphics card for elden ring", "which gpu is best for playing cyberpunk at 4k with path tracing", "best GPU for 4k ray tracing games under $800"):
        _, code = document_of(question)
        hold(question, code != 0, code)


def what_stands_at_home_is_bought():
    for question in ("quelle carte graphique pour faire tourner mistral small 24b en local avec 32k", "que tarjeta gráfica necesito para llama 3.1 8b en local"):
        _, answer, _ = ask(question)
        hold(question, answer["headline"].startswith("Buy"), answer)


def users_that_were_told_pay_by_the_hour():
    # The least rent of what keeps the pace, whatever a full load of it would cost for each token.
    for question in ("cheapest rental for llama 3.3 70b fp8 with 10 users", "cheapest setup to serve mistral small 24b fp8 to 25 concurrent users", "cheapest way to serve llama 3.1 8b to 50 users",
                     "need 40 tok/s and first token under 500ms with qwen3-32b for 8 people, cheapest rental"):
        document, _ = document_of(question)
        hold(question, document["answer"]["choice"]["usd_per_hour"] <= 1.06 * min(sure_rents(document)), document["answer"])


def a_bill_is_weighed_against_owning():
    for question, each in (("we pay $5k/month for 4 A100 on gcp, should we buy our own 4 A100?", 1.712), ("our gcp bill is 5000 a month for 4 A100 80GB, should we buy instead?", 1.712),
                           ("paying 4400 a month for 2 h100, buy instead?", 3.014)):
        reading, answer, _ = ask(question)
        renting = [value["mid"] for value in answer["value"] if value["quantity"] == "renting"][0]
        hold(question, reading.get("intent") == "own" and isclose(renting, each * reading["count"], rel_tol=0.005), answer)
    # A family and the form of it that would be bought are one.
    reading, answer, _ = ask("we spend $3k a month on A100s on aws, would buying 2 A100 80GB make sense?")
    hold("a family and its form", reading.get("intent") == "own" and reading.get("count") == 2 and "40GB" not in answer["headline"], answer)


def one_card_is_priced_to_buy_too():
    for question in ("bang for buck GPU for sdxl lora", "what card for sdxl lora", "which gpu for resnet50 training", "best graphics card for lora of llama-3.2-3b"):
        headline = ask(question)[1]["headline"]
        hold(question, "To buy: " in headline and "/h" in headline, headline)
    for question in ("cheapest cloud gpu for sdxl lora", "which gpu to rent for sdxl lora", "gpus for sdxl lora of our team"):
        headline = ask(question)[1]["headline"]
        hold(question, "To buy: " not in headline, headline)


def a_near_miss_lacks_memory_before_watts():
    # 1,026B of weights at 4.83 bits are 577 GiB, at 2.6 bits some 340: four cards of 80 GB hold neither.
    for question in ("hardware to run kimi k2 locally", "kimi k2 at home, what hardware", "what do i need to run kimi-k2 on my own hardware locally", "run kimi k2 at home, which computer"):
        headline = ask(question)[1]["headline"]
        hold(question, "h100" not in headline.lower() and " W for its cards" not in headline, headline)


def a_rent_of_a_month_is_money():
    # 11,000 / 730 / 8 = 1.88 an hour of each; 1,500 / 730 / 2 = 1.03; 20,000 / 730 / 8 = 3.42.
    for question, each in (("should we keep renting 8 A100 for 11k/month or buy", 1.88), ("keep leasing 2 l40s for 1.5k/month or buy", 1.03),
                           ("8 h100 at 20k per month or buy", 3.42), ("our AWS bill for p4de.24xlarge is 11k/month - payback on buying an 8xA100 box?", 1.88)):
        reading, answer, _ = ask(question)
        renting = [value["mid"] for value in answer["value"] if value["quantity"] == "renting"][0]
        hold(question, reading.get("intent") == "own" and not reading.get("months") and isclose(renting, each * reading["count"], rel_tol=0.005) and answer["headline"].startswith("Buy"), answer)


def owning_is_told_for_all_cards_and_the_whole_time():
    # Both sums are of all cards over the months that are counted, and the choice says the same.
    for question, count, months in (("2 rtx 5090s at home vs renting, I use them ~4h per day", 2, 60), ("rent or buy 8 x h200 for 18 months", 8, 18), ("buy or rent 4 l40s for 10 months at 40% use", 4, 10)):
        document, _ = document_of(question)
        answer = document["answer"]
        value = {each["quantity"]: each["mid"] for each in answer["value"]}
        hours = months * 730 * (4 / 24 if count == 2 else 0.4 if count == 4 else 1)
        hold(question, isclose(value["total"], value["owning"] * hours, rel_tol=0.01) and isclose(value["total_rented"], value["renting"] * hours, rel_tol=0.01), value)
        side = "owning" if answer["choice"]["why"] == "buy" else "renting"
        hold(question, isclose(answer["choice"]["usd_per_hour"], value[side], rel_tol=0.01), answer)
        hold(question, "past the" not in answer["headline"] and "0.8333" not in answer["headline"], answer["headline"])
    # What was asked years ago is no price of today: it is told with its date, and with the price at which buying pays.
    for question, price in (("buy a used a100 40gb or keep renting on lambda, 10 months project", "an estimate of 2022-07"), ("buy or rent a v100 sxm2 16gb for a year", "its price of 2017-07")):
        document, _ = document_of(question)
        answer = document["answer"]
        first = answer["headline"].split(": ")[0] + answer["headline"].split(": ")[1]
        hold(question, answer["choice"]["why"] == "rent" and answer["headline"].startswith("Rent, unless one is offered for $") and price in first and "at that buy" in first.replace(",", ""), answer)
        hold(question, ("used" in question) == ("at the price of new ones" in answer["headline"]), answer)
        hold(question, re.search(r"(one|a machine of \d) is offered for \$", answer["headline"]) and re.search(r"(price|estimate) of 20", answer["headline"]), answer)
        hold(question, any(each["field"] == "hours_per_day" for each in document["reading"]["assumed"]), document["reading"])


def one_card_alone_where_several_are_ruled_out():
    for question in ("no multi gpu please, llama 70b q4, what to buy", "quiet pc, no dual gpu, 3000 dollars, flux", "i dont want to deal with multiple gpus, which card for a 32b in q4"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("max_count") == 1 and answer["choice"]["count"] == 1, answer)


def the_form_that_is_bought_is_told():
    # Up to four cards stand at a desk: the card with fans; eight go into a server.
    for question, part in (("4 rtx pro 6000 for 2 years at 10 hours a day, buy or rent", "rtx-pro-6000-bw-ws"), ("buy or rent an rtx pro 6000 for a year", "rtx-pro-6000-bw-ws"),
                           ("8 rtx pro 6000 for 2 years at 10 hours a day, buy or rent", "rtx-pro-6000-bw-server")):
        reading, answer, _ = ask(question)
        assumed = {each["field"]: each["value"] for each in reading["assumed"]}
        hold(question, answer["choice"]["accelerator"] == part == assumed["accelerators"] and reading["flags"].startswith(part), (answer["choice"], reading))
    # The flags are a command that weighs the same.
    for question in ("rent vs own 16 h100 for 18 months", "buy or rent 4x 4090 for 1 year at 8 hours a day", "buy or rent 2 l40s for 2 years at $0.30 per kwh"):
        asked, _ = document_of(question)
        again, code = document("own", *asked["reading"]["flags"].split())
        hold(question, code == 0 and again["hardware"] == asked["hardware"]
             and all(isclose(again["cost"][each], asked["cost"][each], rel_tol=1e-3) for each in ("capex_usd", "capital_usd_per_hour", "busy_energy_usd_per_hour")), asked["reading"]["flags"])
    # Where no price to buy it is known its rent is told, of whoever has it.
    for question in ("payback time of 2x rtx 6000 ada against aws", "buy or rent an rtx 6000 ada on azure"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "no dated purchase price" in answer["headline"] and "$" in answer["headline"], answer)


def a_sum_of_every_month_serves():
    for question in ("$800/month for 32B", "900 dollars a month for qwen3 32b"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["task"] == "inference" and "4-bit weights (--quantization awq-int4)" in answer["headline"], answer)
    # 32 GB at a desk hold 32B in 4 bits (20 GB), whatever line of products the card is of.
    question = "i have 1500 euros, what gpu should i get for local llms"
    hold(question, "serving in 4 bits of 32B" in ask(question)[1]["headline"], ask(question)[1])
    question = "which card for hunyuan video at home"
    hold(question, text(question).count("To buy:") == 0, text(question))


def a_computer_of_four_cards_is_paid_for():
    # One that holds more than two is nowhere there.
    four, two = (document("own", f"rtx-4090:{count}")[0]["cost"]["capex_usd"] for count in (4, 2))
    hold("computer of four", four > 2 * two, (four, two))


def what_a_sum_or_cards_do_is_told_in_both_widths():
    # 32 GB hold 32B in 4 bits (20 GB) and 8B to 14B in 16 bits; 48 GB 70B and 14B.
    for question in ("what can i do with a radeon ai pro r9700", "what can i do with a 4090", "got 3 tesla v100 16gb from work, what can i do with them"):
        reading, answer, _ = ask(question)
        hold(question, "serving in 4 bits of " in answer["headline"] and "serving in 16 bits of " in answer["headline"] and "--method" not in reading["flags"], (reading["flags"], answer))
    question = "which card under 400 for whisper"
    reading, answer, _ = ask(question)
    hold(question, "quantization" not in reading and "q4_k_m" not in answer["headline"], answer)
    # 24 GB hold the weights of HunyuanVideo in 4 bits.
    for question in ("what gpu for hunyuan video on 24gb", "which 24gb card for hunyuan video"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer.get("choice"), answer)


def a_price_to_buy_has_its_day_and_condition():
    for question in ("which card for sdxl at home", "best value card under $900 for qwen3 14b q4"):
        document, _, best = chosen(question)
        hold(question, re.search(r"for about \$[0-9,]+ \((used|new), 20[0-9-]+\)", document["answer"]["headline"]), document["answer"])
    # Of two prices in the middle the newer holds: a mean of August goes before a guess of May.
    question = "price of a used rtx 3090 ti"
    hold(question, value(ask(question)[1], "purchase") == 1010, ask(question)[1])


def pictures_at_home_are_made_on_what_is_supported():
    # Whether or not a maker is ruled out: one who says nothing of makers gets no worse card.
    open_choice = chosen("welche grafikkarte brauche ich um flux lokal laufen zu lassen")[1]
    ruled_out = chosen("which graphics card to run flux dev at home, nothing from amd")[1]
    hold("flux at home", open_choice["accelerator"] == ruled_out["accelerator"] and open_choice["accelerator"].startswith("rtx-"), (open_choice, ruled_out))
    question = "which amd card to run flux at home"
    hold(question, chosen(question)[1]["accelerator"].startswith("rx-"), chosen(question)[1])
    # A clip may take the night: nobody buys a card of $10,000 for it.
    question = "which card for hunyuan video generation at home?"
    _, _, best = chosen(question)
    hold(question, best["purchase_usd"] < 5000, best.get("purchase_usd"))


def what_is_reserved_is_weighed_where_it_is_a_side():
    for question in ("buy 16 h100 or reserve them for 2 years", "reserve or buy 8 h100 for 3 years", "rent or buy: 8 h100 with a 3 year reserved contract"):
        _, answer, _ = ask(question)
        owned, rented = value(answer, "total"), value(answer, "total_rented")
        hold(question, answer["choice"]["why"] == ("buy" if owned <= rented else "rent") and "reserved" in answer["headline"] and "runpod" not in answer["headline"], answer)
    hold("not asked", "rented from runpod" in ask("rent or buy 8 h100 for 3 years")[1]["headline"])


def whether_a_sum_buys_it_is_answered():
    for question, lead in (("is 3000 euro enough for a box to run llama 70b", "Yes: Buy "), ("is $2000 enough for a card to train sdxl lora", "Yes: Buy 1 x"),
                           ("is $10k enough to buy what runs deepseek v3", "No: Nothing fits")):
        _, answer, _ = ask(question)
        hold(question, answer["headline"].startswith(lead), answer["headline"])


def adapters_at_home_are_trained_on_one_card():
    for question in ("sd3.5 large lora hobbyist gpu", "which card for sdxl lora at home"):
        _, answer, _ = ask(question)
        hold(question, answer["choice"]["count"] == 1, answer["headline"])


def a_large_sum_is_spent_in_a_quarter():
    # $2M at $0.06 a million tokens are some 30T; one card would spend it in a century.
    reading, answer, _ = ask("$2M to pretrain a 7b, how many tokens")
    tokens = float(re.match(r"About ([0-9.]+)T tokens for \$2,000,000", answer["headline"]).group(1))
    hold("2M", 10 < tokens < 40 and answer["choice"]["count"] >= 64 and "days" in answer["headline"], answer["headline"])


def what_draws_an_unknown_power_is_no_saving():
    _, answer, _ = ask("lowest energy way to serve mistral 7b on a desktop")
    hold("energy", " 0 kWh" not in answer["headline"] and "apple-m4" not in answer["choice"]["accelerator"], answer["headline"])


def an_old_price_turns_where_its_sums_do():
    def turn(question):
        return [float(sum.replace(",", "")) for sum in re.findall(r"offered for \$([\d,]+) or less[^,]*, or for \$([\d,]+) if", ask(question)[1]["headline"])[0]]
    # The sums of a price at the threshold are those of the rent, within the rounding of what is printed.
    question = "rent or buy a dgx a100 40gb for a year"
    least, most = turn(question)
    _, answer, _ = ask(question)
    rented = value(answer, "total_rented")
    hold(question, least < most and "a machine of 8" in answer["headline"], answer)
    at_most = ask(f"rent or buy a dgx a100 40gb for a year if the machine costs ${most:.0f}")[1]
    hold("the dearer turns by what is got back", abs(value(at_most, "total") / rented - 1) < 0.05, (most, rented, at_most))


def what_idles_is_told():
    headline = ask("rent or buy 4 a100 40gb sxm for 2 years")[1]["headline"]
    hold("4 of 8", "a machine of 8, of which 4 idle" in headline, headline)


def the_binding_limit_is_named_with_what_is_nearest():
    # Two RTX 3090 of 350 W and 300 W around them draw 1,000 W, an A6000 of 300 W 600.
    for question, limit in (("budget 3000 usd, one machine, max 500 W, llama 70b q4 at 12 tok/s", "600 W for the machine, 100 more than allowed"),
                            ("a workstation for 2500 dollars that runs llama 70b q4 at 25 tok/s", "more than the sum"),
                            ("$900 for one card that runs llama 70b q4 at 40 tok/s", " of the 40 asked")):
        _, answer, _ = ask(question)
        hold(question, re.match("Nothing (fits|is fast enough): nearest is ", answer["headline"]) and limit in answer["headline"], answer["headline"])
    # Each wish alone and the sum are not enough: what is nearest breaks one of them.
    _, answer, _ = ask("single slot card with 48gb and ecc for llama 70b q4, under 1000 dollars")
    hold("single slot", "nearest is 1 x" in answer["headline"] and "single-slot" in answer["headline"], answer["headline"])
    question = "have 5000 euros, one pc, 1000W psu max, want llama 70b q4 at 15 tok/s or better"
    document, code = document_of(question)
    parts = [each["accelerator"] for each in document.get("options", [])]
    hold(question, code == 0 and "--rack-kw 1 " in document["reading"]["flags"] and "rtx-3090" in parts and "mac-studio-96gb" in parts, (document["answer"], parts))


def an_hour_is_weighed_where_it_is_asked():
    document, _ = document_of("at least 4 but at most 8 gpus with nvlink and 80gb each, full finetune of a 13b, cheapest per hour")
    rents = [each["cost"]["usd_per_hour"] for each in document["options"]]
    hold("cheapest per hour", document["reading"]["objective"] == "rent" and rents[0] <= 1.05 * min(rents), rents)


def the_cheapest_by_the_hour_stands_beside_the_cheapest_work():
    document, _ = document_of("cheapest gpu for 13b lora")
    told = re.search(r"by the hour the cheapest is (\d+ x [^$]*) at \$([\d.]+)/h", document["answer"]["headline"])
    hourly, _ = document_of("cheapest gpu for 13b lora per hour")
    hold("by the hour", told and hourly["reading"]["objective"] == "rent" and f"Rent {told[1]} at ${told[2]}/h" in hourly["answer"]["headline"],
         (document["answer"]["headline"], hourly["answer"]["headline"]))
    hold("dearer", float(told[2]) < document["answer"]["choice"]["usd_per_hour"], document["answer"]["choice"])
    # A run of a length is paid for by its cost, and who seeks no cheapest is told no other.
    for question in ("cheapest way to lora a 13b on 10M tokens", "gpu for 13b lora"):
        hold(question, "by the hour" not in ask(question)[1]["headline"])
    # Work that is counted by the hour is no price of one.
    hold("images", document_of("cheapest gpu for sdxl, 500 images per hour")[0]["reading"]["objective"] == "cost")


def the_price_of_an_hour_leads_where_it_is_asked():
    said = ask("8 h100 from aws to finetune llama 70b, how much per hour")[1]["headline"]
    hold("aws", re.match(r"Rent 8 x h100\S* for \$[\d.]+/h, .*\(aws, ", said), said)


def what_a_part_sells_for_is_its_price():
    for question, kind in (("what do used a100s sell for", "used"), ("how much can i sell my 4090 for", "used"), ("what are 3090s selling for", "")):
        said = ask(question)[1]["headline"]
        hold(question, re.match(r"\$[\d,]+ to buy [^(]*\(.*" + kind, said), said)


def the_most_memory_for_a_sum():
    document, code = document_of("most vram for 800 dollars")
    hold("most vram", code == 0 and document["reading"]["objective"] == "memory" and "GB" in document["answer"]["headline"], document["answer"])
    # Two cards of 12 GB are had for less than $800 each: one of 24 is not the most.
    memory = float(re.search(r": (\d+) GB", document["answer"]["headline"])[1])
    hold("most vram", memory > 24, document["answer"]["headline"])


def double_precision_is_bought_where_it_is_sold():
    # An A100 PCIe 80GB has 19.5 TFLOP/s in fp64 and a price of 2025, an A30 10.3 and one of 2026.
    _, answer, _ = ask("amd or nvidia for fp64 hpc, one server, 40k usd")
    rate = float(re.search(r": ([0-9.]+) TFLOP/s in fp64", answer["headline"])[1])
    hold("fp64", answer["choice"]["why"] == "buy" and rate >= 19.5 and "No card with fp64" not in answer["headline"], answer)


def two_works_are_answered_together():
    question = "12k usd for a workstation, has to lora 14b and also make sdxl images, nothing from amd"
    document, code = document_of(question)
    reading, headline = document["reading"], document["answer"]["headline"]
    hold(question, code == 0 and reading["model"] == "14b" and reading["method"] == "lora" and reading["vendors_excluded"] == ["amd"], reading)
    hold(question, 'In turn with "make sdxl images": on ' in headline, headline)
    both = "serve llama 8b and qwen 14b on one machine under 3000 dollars"
    hold(both, "Both together need" in ask(both)[1]["headline"], ask(both)[1])
    for one in ("a card to lora 14b, 2k usd", "a card for llama 3.1 8b and for embeddings with bge-m3, 2k usd"):
        hold(one, "In turn" not in ask(one)[1]["headline"], one)


def a_configuration_alone_is_the_model():
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "config.json"
        config.write_text(json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32,
                                      "num_key_value_heads": 8, "num_hidden_layers": 16, "vocab_size": 128256, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5,
                                      "tie_word_embeddings": True, "torch_dtype": "bfloat16", "hidden_act": "silu"}))
        asked, code = document("advise", str(config))
        hold("config.json", code == 0 and asked["answer"].get("choice"), asked)
        config.write_text(json.dumps({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": "x"}))
        code, _, said = command("advise", str(config))
        hold("a broken config.json", code == 4 and "num_hidden_layers: found" in said, said)


def a_budget_card_is_bought():
    for question in ("best budget gpu for comfyui flux", "cheap gpu for stable diffusion", "entry level gpu for training resnet-50"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and "--buy" in reading["flags"] and answer["headline"].startswith("Buy 1 x "), answer["headline"])
    for question in ("cheap cloud gpu for sdxl", "comfyui on runpod which gpu for flux"):
        hold(question, "--buy" not in ask(question)[0]["flags"])


def a_form_that_is_sold_is_what_is_bought():
    # Used V100 PCIe cards are sold for some $300 (2026-01); what is rented out is the SXM2 form.
    for question in ("buying 4 used v100 16gb vs renting them for half a year", "buy or rent a v100 for a year"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["why"] == "buy" and answer["choice"]["accelerator"] == "v100-pcie-16gb" and "V100 SXM2 16GB" in answer["headline"], answer)


def language_models_at_home_need_no_name():
    # Files of 32B in 4 bits are 18 GiB: one card of 24 GB; a computer where one is asked for.
    for question in ("best gpu for local llms", "gpu for llms at home", "best gpu for ollama", "what gpu should i buy to run ai models locally"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["model"] == "32b" and answer["choice"]["count"] == 1 and answer["headline"].startswith("For models of 32B: Buy 1 x "), answer)
        hold(question, "For 8B 1 x " in answer["headline"] and "for 70B " in answer["headline"], answer["headline"])
    for question, part in (("best mac for local llms", "apple-"), ("which macbook for running llms", "apple-"), ("best mini pc for llms", "")):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["accelerator"].startswith(part), answer)
    # Of a memory that is told the class that it holds; who serves many means no home.
    hold("16 GB", ask("best laptop with 16gb vram for llms")[0].get("model") != "32b")
    hold("gpu for llm inference", "model" not in ask("gpu for llm inference")[0])


def what_newcomers_leave_open_is_told():
    _, answer, code = ask("best gpu for fine tuning llms")
    hold("tuning", code == 0 and answer["headline"].startswith("For models of 8B: Rent ") and "for 70B " in answer["headline"], answer)
    # 4.85 bits of 8 and 70 billion weights are 4.5 and 39.5 GiB.
    for question in ("how much vram do i need for llms", "how much ram do i need for local ai"):
        _, answer, code = ask(question)
        small, large = (float(re.search(rf"{size}B ([0-9.]+) GiB", answer["headline"])[1]) for size in (8, 70))
        hold(question, code == 0 and 4.5 < small < 7 and 39.5 < large < 46, answer)
    for question, memory in (("is 8gb vram enough for ai", 8), ("is 12gb vram enough for local llms", 12), ("best 16gb card for ai", 16)):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "largest" and reading["memory_gib"] == memory, reading)
    for question in ("cheapest cloud gpu", "cheapest gpu on runpod", "which cloud gpu is cheapest per hour"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "price" and answer["choice"]["usd_per_hour"] < 0.5, answer)
    _, answer, _ = ask("nvidia vs amd for ai")
    hold("makers", "Of NVIDIA's it is " in answer["headline"] or "Of AMD's it is " in answer["headline"], answer["headline"])
    # One learns on a card that trains something; what is no language model is none.
    reading, answer, _ = ask("which gpu for machine learning student")
    hold("student", reading["method"] == "qlora" and answer["choice"]["accelerator"].startswith("rtx-"), answer)
    hold("smallest", ask("what is the smallest cheapest gpu that can run an llm at all")[0]["model"] == "8b")
    hold("videos", ask("gpu to make ai videos at home")[0]["model"].startswith("wan2.1"))
    _, answer, code = ask("is 32gb ram enough to run a 13b without a graphics card")
    hold("no card", code == 0 and answer["verdict"] == "yes" and answer["choice"]["accelerator"].startswith("cpu-"), answer)
    for question in ("What GPU to train a tiny language model from scratch on one card?", "which GPU to train small models?"):
        hold(question, ask(question)[0].get("model") != "8b", question)
    for question in ("best gpu for gaming", "gpu for elden ring", "cheap laptop for college", "gpu for upscaling 4k video with topaz", "what do i need to run chatgpt at home", "the gpu", "hello", "cheapest car", "how much memory do i need for photoshop"):
        hold(question, command("advise", question)[0] == 4, question)


def deeds_of_newcomers_have_a_usual_model():
    # A verb and its object stand for a model, whatever nouns that nothing knows stand beside them.
    for question, model in (
            ("want to turn hours of interview recordings into text on my own pc, which graphics card", "whisper-large-v3"),
            ("need to train an ai on pictures of my own paintings, around 60 images, what do i buy", "sdxl-unet"),
            ("which gpu to restore and upscale old family photos", "realesrgan-x4plus"),
            ("i run a small bakery and want a chatbot on our website that knows our menu, what computer do i need", "8b"),
            ("we run a hotel and need a bot that answers guest emails, which gpu", "8b")):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["model"] == model, answer)
    reading, answer, code = ask("we are a law firm, 12 lawyers, want ai to summarise contracts of 80 pages. budget 15k")
    hold("law firm", code == 0 and reading["concurrency"] == 12 and reading["budget_usd"] == 15000 and answer["choice"], answer)
    # A novel of 100,000 words is some 130k tokens; a page 600.
    reading, answer, code = ask("translate 2000 books from german to english with a local model, how long and what would it cost")
    hold("books", code == 0 and reading["intent"] == "duration" and 2e8 < reading["tokens"] < 3e8, reading)
    hold("pages", 1e7 < ask("summarise 300 contracts of 80 pages with llama 3.1 8b, how long on a 3090")[0]["tokens"] < 2e7)
    reading, answer, code = ask("photographer, 40000 photos to caption and tag automatically, what gpu and how many hours")
    hold("photos", code == 0 and "hours" in answer["headline"] and reading["input_tokens"] > 500, answer)
    # The memory of a computer is none of a card: of 8 GB a system leaves 4.
    reading, answer, code = ask("can my school laptop with 8gb ram run one of those ai things")
    hold("laptop", code == 0 and answer["verdict"] == "yes" and answer["have_gib"] <= 4, answer)
    # What is free costs nothing: Colab's T4.
    hold("free", "T4" in ask("student with no money, free or cheapest gpu to learn finetuning")[1]["headline"])
    # What makes songs or folds proteins is no model of language.
    for question in ("i make music and want to generate songs with ai at home, gpu?", "protein folding on sequences of ~900 residues, which gpu"):
        _, answer, code = ask(question)
        hold(question, code == 4 and " is not in the catalog" in answer["headline"], answer)
    # The open model that the refusal names is answered for.
    _, answer, code = ask("can i run chatgpt on my own computer with a 3060")
    hold("chatgpt", code == 4 and " For gpt-oss-20b: " in answer["headline"], answer)
    for question in ("what can i do with 12gb vram", "i have 24gb of vram what can i do", "is 16gb of vram a lot?"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "largest" and "$" not in answer["headline"], answer)
    for question in ("do i need an nvidia card for ai or is amd ok", "macbook or pc with nvidia for local llm", "nvidia or amd for llm"):
        hold(question, re.search("Of (NVIDIA|AMD|Apple)'s it is ", ask(question)[1]["headline"]), question)
    for question in ("best gpu for poetry", "which graphics card for my car"):
        hold(question, command("advise", question)[0] == 4, question)


def what_most_do_with_a_model_leads():
    # Nothing is said of the work: both are answered, and models of language are run by more people than train them.
    for question in ("which gpu for mistral 7b", "gpu for whisper"):
        document, code = document_of(question)
        hold(question, code == 0 and document["answer"]["headline"].startswith("Serving") and " Training, in the table: " in document["answer"]["headline"], document["answer"])
        hold(question, set(document["answer"]["answers"]) == {"training", "inference"}, document["answer"])
    hold("resnet-50", ask("gpu for resnet-50")[1]["headline"].startswith("Training: "))


def macs_are_bought_for_a_sum():
    for question in ("best mac under 3000 for local llms", "best macbook under 4000 for llama 3.3 70b q4"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["accelerator"].startswith("apple-"), answer)
    question = "mac mini for local llms, 1500 dollars"
    hold(question, "was listed at $" in ask(question)[1]["headline"], ask(question)[1])
def of_two_works_in_turn_the_larger_decides():
    # 8b in q4_k_m takes some 5 GiB, Stable Diffusion 1.5 less: a card of 8 GB does.
    _, answer, code = ask("gaming pc for llm + some sd")
    said = answer["headline"]
    hold("llm + sd", code == 0 and "the larger decides: 8b" in said and "sd-1.5-unet" in said, answer)
    hold("llm + sd", answer["choice"]["accelerator"] in ("rtx-3060-ti", "rtx-3070", "arc-b570", "arc-b580"), answer["choice"])
    # Files of 4 bits of 13b are 8 GB: no card of 24 GB is needed.
    said = text("budget gpu for sd and 13b llm")
    hold("sd and 13b", "the larger decides: sd-1.5-unet" in said and re.search(r"of (11|15)\.\d GiB taken", said), said)
    # Who wants both at once needs the sum.
    reading, _, _ = ask("card for llama 8b q4 and sdxl at the same time")
    hold("at the same time", "memory of all adds up" in str(reading["assumed"]), reading["assumed"])


def memory_that_is_shared():
    # What firmware sets aside is all the graphics have: 96 GiB, of which a process takes all.
    _, share, _ = ask("strix halo with 96 gb of 128 for gpt-oss-120b")
    _, whole, _ = ask("strix halo 64gb for gpt-oss-20b")
    hold("96 of 128", share["have_gib"] > 86, share)
    hold("64", whole["have_gib"] <= 48.1, whole)
    said = text("mac mini m4 pro 48gb for $1800 for qwen 32b")
    hold("m4 pro", "Yes" in said and "none is listed with 48 GB" in said, said)


def settings_are_compared_on_the_memory_that_was_told():
    said = text("llama 8b lora batch 4 vs 8 on 24gb")
    hold("24gb", "H100" not in said and "of 23." in said or "does not fit" in said, said)


def lists_are_whole():
    _, answer, _ = ask("list all gpus with >=80gb under 20k dollars")
    parts = [each["of"] for each in answer["value"]]
    hold("list", len(parts) >= 6 and "mi300x" in parts and "a100-pcie-80gb" in parts and all(each["mid"] <= 20000 for each in answer["value"]), answer)
    _, answer, _ = ask("anything but nvidia: serve gpt-oss-120b for 64 users, purchase max 60k usd")
    hold("not nvidia", not answer["choice"]["accelerator"].startswith("rx-"), answer["headline"])
    _, answer, _ = ask("best card for local llm under 700 eur used, no amd pls")
    hold("used", "(used" in text("best card for local llm under 700 eur used, no amd pls"), answer["headline"])


def what_is_there_is_counted():
    reading, answer, _ = ask("upgrade path from 2x 3090 for 70b q4 inference, what next")
    hold("2 x 3090", reading["replaced"] == "rtx-3090" and "What is there, 2 x NVIDIA GeForce RTX 3090, makes" in answer["headline"], answer["headline"])
    hold("2 x 3090", answer["choice"]["accelerator"] not in ("rtx-pro-5000-bw", "rtx-a6000"), answer["choice"])


def a_card_is_found_to_put_beside_the_one_that_is_there():
    # 24 GB and a card of 16 GB: 40 GB of which 39.4 GiB are seen; another 3090 costs more than the sum.
    for question in ("i have $600 for a second card next to my 3090, what to buy", "what card can i add to my 3090 for 600 dollars",
                     "600 dollars to spend on a second gpu, i have a 3090"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["accelerator"] != "rtx-3090" and reading["budget_usd"] == 600, answer)
        hold(question, value(answer, "purchase") <= 600 and "Another NVIDIA GeForce RTX 3090 is" in answer["headline"], answer["headline"])
    # Cards of one maker are driven together.
    _, answer, _ = ask("i own a rx 7900 xtx, which card to pair it with")
    hold("7900 xtx", answer["choice"]["accelerator"].startswith("rx-"), answer)
    # With a model: what makes room for it.
    question = "add a second gpu to my 3090 for 70b q4, 900 dollars"
    _, answer, code = ask(question)
    hold(question, code == 0 and "70b in q4_k_m" in answer["headline"], answer["headline"])
    _, answer, code = ask("best gpu to pair with my 3090 under 300 dollars for 70b q4")
    hold("300 dollars", code == 3 and "choice" not in answer, answer)
    # Whether more of the same helps is another question, and so is what was named.
    for question in ("would a second 3090 help", "should i add a second card to my 3090", "adding a third card to my 2x 3090, how much faster",
                     "what 70b quant fits if i put another 3090 card in my pc", "what can i run if i add a second 3090 card to my rig",
                     "i got a second hand 3090 card, what can i run", "my second gpu is a 3060, what can i run on it",
                     "which model goes with my 4090 gpu best", "my partner has a 3060 12gb card, what model can she run",
                     "which card to add to my 4090 for stable diffusion xl", "which extra card for training a 13b lora next to my 4090",
                     "i own a 4090 and want to serve 50 users, what second gpu"):
        hold(question, "Beside the" not in ask(question)[1]["headline"], question)
    # Text for one user is shared out whatever verb is said, at a finite rate.
    for question in ("what second card for my 3090 for 32b", "best gpu to pair with my 3090 for 70b", "what gpu to add to my 4090 for qwen3 8b"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "Beside the" in answer["headline"] and 1 < value(answer, "decode") < 1000, answer)


def cards_that_are_there_are_told_together():
    question = "i have a 3090 and a 3060, what do they hold together"
    _, answer, _ = ask(question)
    hold(question, "RTX 3090 and 1 x NVIDIA GeForce RTX 3060 together hold" in answer["headline"], answer["headline"])


def modules_are_bought_with_their_server():
    # $27,500 each of 8 and 1.64 times that for the machine are $360,800: two machines are beyond 480,000, one beyond 250,000.
    ratio = 1.64
    for question, machines in (("480k usd capex for serving, model qwen2.5-72b bf16, 150 users. how many h100 boxes", 1),
                               ("buy h100 servers for 480k usd to serve qwen2.5-72b", 1), ("buy h100 sxm for 480k usd to serve qwen2.5-72b to 150 users", 1)):
        document, code = document_of(question)
        answer, first = document["answer"], document["options"][0]
        hold(question, code == 0 and first["count"] == 8 * machines and abs(first["purchase_usd"] / (8 * machines * 27500 * ratio) - 1) < 0.02, answer)
        hold(question, "with its server" in answer["headline"], answer["headline"])
    document, _ = document_of("budget 250k usd to buy h100 for llama 70b 100 users")
    hold("250k", all(option["purchase_usd"] <= 250e3 and not (option["accelerator"] == "h100-sxm5-80gb" and option["count"] >= 8)
                     for option in document["options"]), document["options"][:2])
    # Without a sum the same parts cost the same, and two machines have a network.
    _, answer, _ = ask("8 users are 400 at peak on llama 3.3 70b fp8, ttft below 800 ms and >= 30 tok/s per user, what should we buy")
    if answer.get("choice", {}).get("count", 0) > 8:
        hold("order", "with servers and network" in answer["headline"], answer["headline"])
    # A card at a desk is bought alone.
    _, answer, _ = ask("buy a gpu for 2000 usd to run qwen3 14b")
    hold("desk", "server" not in answer["headline"], answer["headline"])


def a_price_of_long_ago_is_none_in_a_server_either():
    reading = ask("buy 8 V100 SXM2 used for llama 70b at home")[0]
    hold("stale", any(each["field"] == "price" and each["value"] == "not known" for each in reading["assumed"]), reading["assumed"])


if __name__ == "__main__":
    run(globals())
