#!/usr/bin/env python3
"""Questions about money: prices that were told, instances, parts of machines, dollars of a million tokens, the length that a price is of.

Usage: question_prices_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
import re
from math import isclose

from asked import ask, command, document, document_of, hold, run, text, value


def a_command_loads_what_is_published():
    # 46.7e9 weights of two bytes are 87 GiB, 43.5 on each of two cards of 44.4 GiB, of which vLLM takes nine tenths.
    for question in ("vllm serve mistralai/Mixtral-8x7B-Instruct-v0.1 --tensor-parallel-size 2 on 2x A6000, does it fit",
                     "python -m sglang.launch_server --model-path mistralai/Mixtral-8x7B-Instruct-v0.1 --tp 2 on 2 x rtx a6000, enough?"):
        reading, answer, code = ask(question)
        hold(question, answer.get("verdict") == "no" and code == 3 and reading.get("quantization") == "none", (reading, answer))
        hold(question, any("fp8" in each["flag"] for each in answer.get("change", [])), answer)
    # What is published in 8 bits is loaded so.
    reading, _, _ = ask("vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8 on 8x h200, fits?")
    hold("deepseek", reading.get("quantization", "").startswith("fp8"), reading)
    # Without a command the widest that fits is looked for.
    reading, answer, _ = ask("does mixtral 8x7b fit 2x A6000 with vllm")
    hold("no command", answer.get("verdict") == "yes", answer)


def a_price_that_was_told_is_judged():
    for question, word in (("is $1.99/h good for an h100", "Cheaper"), ("is $12 an hour for an h100 too expensive", "Dearer"),
                           ("i was quoted $0.10/hr for an a100, is that a good deal", "Cheaper"), ("2500 dollars for a used 3090, fair?", "Dearer"),
                           ("is $200/h a fair price for 8x h100", "Dearer")):
        reading, answer, code = ask(question)
        hold(question, reading.get("intent") == "price" and code == 0 and answer["headline"].startswith(word), answer)
    # The middle of what is listed is the usual price.
    _, answer, _ = ask("is $1.99/h good for an h100")
    again = f"is ${value(answer, 'rent'):.2f}/h a good price for an h100"
    hold(again, ask(again)[1]["headline"].startswith("About the usual"), ask(again)[1])


def an_instance_has_its_own_price():
    question = "p5.48xlarge vs p4de.24xlarge for 70b lora"
    _, answer, _ = ask(question)
    hold(question, "p5.48xlarge is $55.04/h" in answer["headline"] and "p4de.24xlarge is $" in answer["headline"], answer)
    question = "a3-highgpu-8g vs p5.48xlarge price"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "compare" and "gcp" in answer["headline"] and "$55.04/h" in answer["headline"], answer)


def part_of_a_machine_is_told():
    # Nebius has machines of one and of eight H200.
    question = "cheapest 3x h200 rent at nebius"
    _, answer, _ = ask(question)
    hold(question, "machines of 1" in answer["headline"] or "whole machine" in answer["headline"], answer)
    question = "cost per 1M tokens for llama-3.3-70b on 4x h100 sxm"
    _, answer, _ = ask(question)
    hold(question, "idle" in answer["headline"] or "single cards" in answer["headline"] or value(answer, "cost") < 4, answer)


def cards_are_sold_in_each_count():
    # RunPod sells one to eight H100 of a pod at one price for each: 3.99 on 2026-11-09.
    for count in (1, 2, 3, 4, 8):
        question = f"price of {count} x h100 sxm at runpod on demand"
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["count"] == count and abs(answer["choice"]["usd_per_hour"] - 3.99 * count) < 0.01, answer)
        _, out, _ = command("catalog", "list", "offers", "--part", "h100-sxm5-80gb", "--provider", "runpod", "--count", str(count))
        hold(question, f"{3.99 * count:.2f}" in out, out)
    # A rent of four is listed, whole machines of eight are not needed.
    question = "h100 vs mi300x for llama 70b at 64 users"
    _, answer, _ = ask(question)
    hold(question, "no rent of 4" not in answer["headline"], answer)


def a_published_run_has_its_tokens():
    # 6 x 8.03e9 x 15e12 operations at the 2,250 TFLOP/s of a B200 are 89,000 hours, at a tenth of an A100's 312 six million.
    question = "cost of pretraining llama 3 8b"
    reading, answer, code = ask(question)
    hours = value(answer, "accelerator_hours")
    hold(question, code == 0 and 8.9e4 < hours < 6.5e6 and answer["choice"]["count"] >= 64, answer)
    hold(question, "15T tokens" in answer["headline"], answer)
    hold(question, value(answer, "time") <= 31, answer)
    # A run of 20 tokens a parameter is no work of a quarter on one card either.
    question = "cost of pretraining a 7b from scratch"
    _, answer, _ = ask(question)
    hold(question, answer["choice"]["count"] > 1 and value(answer, "time") <= 31, answer)


def tokens_have_a_price():
    question = "target is below $0.20 per 1M tokens for llama 3.1 8b, 3:1 input to output mix"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading.get("input_tokens") == 3 * reading.get("output_tokens") and "budget_usd" not in reading, reading)
    hold(question, "the $0.20 a million tokens asked" in answer["headline"], answer)
    question = "50 cents per 1M tokens possible on h100 for llama 3.1 8b?"
    _, answer, _ = ask(question)
    hold(question, "elow the $0.50 a million tokens asked" in answer["headline"] or "bove the $0.50" in answer["headline"], answer)


def a_rent_without_a_list_is_told():
    question = "tpu v5e-8 vs 1 h100 for llama 3.1 8b, cost per token"
    _, answer, _ = ask(question)
    hold(question, "no rent of" in answer["headline"] or "a million tokens" in answer["headline"], answer)


def hours_of_a_month_turn_owning():
    question = "at what hours/month does an rtx 5090 beat runpod"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "own" and ("hours a month" in answer["headline"] or "however busy" in answer["headline"]), answer)
    question = "buying a dgx h200 cheaper than coreweave if we run it 60% for 3 years"
    reading, answer, _ = ask(question)
    hold(question, "60 % use" in answer["headline"] and "coreweave" in answer["headline"], answer)


def value_is_work_for_the_price():
    question = "4090 or 5090, which is better value"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("Better value for decoding: 1 x NVIDIA GeForce RTX") and
         "value for training" in answer["headline"], answer)
    # What stands in a rack is weighed by its rent.
    question = "a100 or h100, which is better value"
    hold(question, "for each dollar an hour" in ask(question)[1]["headline"], ask(question)[1])


def a_sum_buys_what_narrower_weights_need():
    # 235B in 16 bits are 438 GiB: eight A100 of $15,000 each do, four cards of 96 GB hold 8 bits.
    question = "budget 100k to run qwen3-235b for 50 users, buy"
    reading, answer, code = ask(question)
    hold(question, code == 0 and "--quantization fp8" in reading["flags"] and answer["choice"]["count"] == 4, answer)


def narrower_weights_that_save_rent_are_told():
    # 123B in 16 bits are 229 GiB, in 8 half of it.
    question = "need 25 tok/s per user for 40 users of mistral large 123b at 8k context, cheapest way"
    _, answer, code = ask(question)
    hold(question, code == 0 and "(--quantization " in answer["headline"], answer)
    # Who pays by the million keeps a server busy: that is no file of one person.
    question = "cost per million output tokens of qwen2.5-72b on rented gpus at full load"
    reading, answer, code = ask(question)
    hold(question, code == 0 and "q4_k_m" not in reading["flags"] and "a million tokens" in answer["headline"], answer)


def a_prompt_that_all_share_is_found_in_the_cache():
    question = "200 users sharing a 6k token system prompt with prefix caching, llama 3.1 8b on 1 h100, tok/s"
    reading, answer, code = ask(question)
    # 6144 of 6144 and 1024.
    hold(question, code == 0 and "--cached-share 0.857" in reading["flags"] and not reading["not_understood"], reading)
    # 200 prompts whole are 1.4 million tokens, which an H100 reads in a minute.
    hold(question, "first token comes after" in answer["headline"], answer)


def a_card_to_buy_has_what_was_required_of_it():
    question = "48gb card with ECC to buy for llm"
    _, answer, _ = ask(question)
    hold(question, "mi250" not in answer["headline"] and "$/hour" not in text(question), answer)


def credits_are_hours_that_train():
    question = "what can i train with 30k of cloud credits"
    hold(question, "from scratch" in ask(question)[1]["headline"], ask(question)[1])


def what_one_card_rents_for_is_of_one():
    # Eight at $2.20 each are $17.60 an hour; a sum of an hour is never the price of a card.
    for question, each in (("8 h100 purchase against 2.2 per gpu hr over 3 yrs", 2.2), ("buy 8 h100 or rent at $2 per gpu per hour for 2 years", 2.0),
                           ("we pay $1.9/gpu-hr for 16 h100, would buying be cheaper", 1.9), ("own 8 h100 vs cloud at $2.10 an hour each", 2.1),
                           ("8 h100 buy or rent at $17.6/h", 2.2)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "own" and f"${each * reading['count']:.2f}/h" in answer["headline"], answer)


def a_life_may_be_named():
    # A card of $1,900 over a year of 8,760 hours costs 22 cents an hour before its power.
    question = "at how many hours a day does a 4090 pay for itself vs runpod in a year"
    _, answer, _ = ask(question)
    hold(question, " a day" in answer["headline"] and "$0.14" not in answer["headline"], answer)


def sides_have_the_rents_that_were_told():
    question = "8x h100 at $16/h vs 8x a100 at $9/h for lora of 70b"
    reading, answer, _ = ask(question)
    told = [side.get("usd_per_hour") for side in reading.get("sides", [])]
    hold(question, told == [16, 9] and "At the rents told" in answer["headline"] and "budget_usd_per_hour" not in reading, reading)


def a_list_price_is_what_its_maker_asked():
    for question, usd in (("5090 msrp", "$1,999"), ("rtx 4080 launch price", "$1,199"), ("rrp of the 7900 xtx", "$999"), ("list price a6000", "$4,649")):
        _, answer, _ = ask(question)
        hold(question, answer["headline"].startswith("The list price of") and usd in answer["headline"], answer)


def like_is_weighed_against_like():
    # One card of each on demand: a machine of eight and a marketplace are told apart, if at all.
    question = "lambda vs runpod h100 sxm price which is cheaper"
    document, _ = document_of(question)
    offers = [each for each in document["offers"] if each["accelerator"] == "h100-sxm5-80gb" and each["count"] == 1 and each["kind"] == "on_demand"]
    least = {name: min(each["usd_per_hour"] for each in offers if each["provider"] == name) for name in ("lambda", "runpod")}
    headline = document["answer"]["headline"]
    hold(question, all(f"${usd:.2f}" in headline for usd in least.values()) and "Rent" not in headline and "to buy" not in headline, headline)
    for question in ("cheapest 4090 on vast", "g6e.xlarge on demand $/hr", "trn1.32xlarge price"):
        headline = ask(question)[1]["headline"]
        hold(question, headline.startswith("Rent") and " to $" not in headline, headline)
    headline = ask("a2-ultragpu-8g monthly")[1]["headline"]
    hold("a month", re.match(r"8 x a100-sxm4-80gb cost \$[\d,]+ a month", headline), headline)
    # Rows of one instance and price are told apart by their region, or are one.
    for question in ("L4 spot price gcp", "what does an 8x mi300x box cost per hour on azure"):
        rows = [line for line in command("advise", question)[1].splitlines() if re.search(r"\d\d\d\d-\d\d-\d\d$", line)]
        hold(question, len(rows) == len(set(rows)) > 0, rows)


def providers_are_weighed_on_the_same_part():
    for question in ("is it cheaper to use lambda or runpod for 8xh100", "compare rental prices of h100 at runpod, lambda", "who is cheaper for a100 80gb, coreweave or runpod"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "price" and "runpod is the cheap" in answer["headline"], answer)


def limits_of_a_rent_are_kept():
    question = "h200 for less than 2 dollars an hour"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("None is listed at $2.00/h or less"), answer)
    question = "a100 under $1 per hour where"
    reading, answer, _ = ask(question)
    hold(question, reading.get("intent") == "price" and value(answer, "rent") <= 1, answer)
    question = "h100 reserved price one year"
    hold(question, "otherwise from $" in ask(question)[1]["headline"], ask(question)[1])
    # Sellers of Europe count there, whose lists tell no region.
    for question in ("h100 rental in europe", "a100 price in eu region"):
        reading, answer, _ = ask(question)
        hold(question, reading["flags"].find("--region eu") >= 0 and any(name in answer["headline"].split(")")[0] for name in ("hyperstack", "nebius", "scaleway", "verda")), answer)
    for question in ("cheapest 24 gb card to rent by the hour, not community", "cheapest 48gb gpu per hour without community hosts"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "price" and "vast" not in answer["headline"] and "akash" not in answer["headline"], answer)


def what_few_rent_out_is_told():
    # Two providers list the MI350X: simpler and fewer go first, and what more of them rent out is named beside it.
    question = "what GPU for a 70B fine-tune"
    hold(question, "rented by more is" in text(question), text(question))


def a_sum_is_of_each_or_of_all():
    # What was not said is told by what is listed: an L40S of $28,000 is none.
    for question, each in (("buy two 5090 for 7000 total or rent them", 3500), ("buy 4 l40s for 28000 in all or rent", 7000), ("two 4090 cost 3600 together, is renting cheaper", 1800),
                           ("own 4 l40s bought at 5000 each vs rent, 3 years", 5000), ("a used a100 40gb for 3500, better than renting?", 3500),
                           ("four rtx 6000 ada for 26k total vs runpod", 6500), ("rent or buy three rtx 6000 ada, 19500 for all of them", 6500),
                           ("we'd pay 29k apiece for 4 h200, vs renting for 3 years", 29000), ("own 2 l40s (7000 per card) vs aws, at 30 percent", 7000),
                           ("a 3090 for 800 or rent one at 0.3 an hour, 5 hours a day", 800), ("buy 8 h100 for 240000 or rent", 30000)):
        reading, answer, _ = ask(question)
        told = [each_field["value"] for each_field in reading["assumed"] if each_field["field"] == "card_price_usd"]
        hold(question, reading.get("intent") == "own" and told == [f"{each:g}"], (reading.get("intent"), told))
    # 60 of 100 hours are fewer than owning needs, so that it does not pay.
    question = "own 4 l40s bought at 5000 each vs rent, 3 years, 60%"
    reading, answer, _ = ask(question)
    hold(question, "at 60 % use" in answer["headline"], answer)
    hold(question, any(each["field"] == "residual_share" for each in reading["assumed"]), reading["assumed"])


def owning_has_a_whole_sum():
    for question in ("tco of 32 h200 over 4 years, 0.12 $/kwh, pue 1.3", "total cost of ownership of 16 mi300x over 3 years with pue 1.2",
                     "what will 8 b200 cost us over 5 years including power"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "own" and answer["headline"].startswith("Owning ") and value(answer, "total") > 1e5, answer)
    dear = value(ask("tco of 32 h200 over 4 years, pue 2")[1], "total")
    hold("pue", dear > value(ask("tco of 32 h200 over 4 years, pue 1.1")[1], "total"), dear)


def power_is_paid_by_the_kilowatt_hour():
    for question in ("electricity cost of 8 h100 for a month at 0.25 eur", "what does it cost in electricity to run an rtx 5090 8 hours a day for a year"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "describe" and "kWh" in answer["headline"], answer)


def a_kind_of_price_that_nobody_lists_is_said():
    for question in ("8 v100 spot on aws for lora of 8b", "azure spot mi300x for serving llama-3.3-70b"):
        hold(question, "No spot offer of it by" in ask(question)[1]["headline"], ask(question)[1])
    question = "aws spot only, 8 gpu box for lora of 70b"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["headline"].startswith("No spot offer by aws"), answer)


def each_kind_of_rent_that_is_asked_has_its_price():
    for question in ("spot price l4 on gcp, and on demand too", "L4 price on gcp, spot and on demand", "what does an l4 cost on gcp on demand & spot"):
        reading, answer, _ = ask(question)
        hold(question, set(reading["alternatives"]) == {"spot", "on_demand"} and "as spot" in answer["headline"] and "on demand and" in answer["headline"], answer)
    question = "a100 spot gcp and on-demand price aws"
    _, answer, _ = ask(question)
    hold(question, "At gcp" in answer["headline"] and "At aws" in answer["headline"], answer["headline"])
    question = "on demand vs reserved price of h100 on aws"
    _, answer, _ = ask(question)
    hold(question, "spot" not in answer["headline"] and "on demand" in answer["headline"] and "reserved" in answer["headline"], answer["headline"])
    question = "h100 on demand, not spot, price"
    hold(question, ask(question)[0].get("price_kind") == "on_demand", ask(question)[0])


def hardware_that_is_named_for_its_price_is_undercut():
    for question, named in (("is there something cheaper than an H100 for llama 70b fp8", "h100"), ("alternatives to 4 A100 with a lower rent for lora of 13b", "a100"),
                            ("a less expensive gpu than a 4090 for sdxl lora", "4090"), ("what else serves qwen3 32b for less money than 2x L40S", "l40s")):
        reading, answer, code = ask(question)
        told = re.search(r"itself is \$([0-9.]+)/h", answer["headline"])
        hold(question, code == 0 and told and answer["choice"]["usd_per_hour"] < float(told[1]) and named not in answer["choice"]["accelerator"], answer)
    # Nobody rents it out: its price is the limit.
    for question in ("4070 or cheaper for sdxl", "3060 or cheaper for 8b q4"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["headline"].startswith("Buy") and "itself costs $" in answer["headline"], answer)
    question = "A6000 or cheaper for qlora 32b"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["choice"]["usd_per_hour"] <= 0.51, answer)


def a_price_that_is_not_known_is_told():
    for question, words in (("prix d'une rtx 6000 ada", "no price to buy it is known"), ("only tpus please: llama 3.1 8b lora", "No price of any that was asked for is known"),
                            ("t4 spot price on gcp", "No spot offer of t4 by gcp")):
        _, answer, _ = ask(question)
        hold(question, words in answer["headline"], answer)
    question = "t4 spot price on gcp"  # a rent is asked
    hold(question, "to buy" not in ask(question)[1]["headline"] and 0 < value(ask(question)[1], "rent") < 1, ask(question)[1])
    question = "p5en on demand rate"
    hold(question, ask(question)[0].get("price_kind") == "on_demand", ask(question)[0])


def what_is_known_of_a_price_is_told():
    for question in ("flux schnell seconds per image 4080 super", "qwen2.5 coder 14b q5_k_m on a 3060 12gb tok/s"):
        said = text(question, "--explain")
        hold(question, "no rent is known; $" in said and " to buy (" in said and "no price is known" not in said, said[-400:])


def whose_rent_it_is_is_told():
    for question in ("cheapest cloud setup to full finetune llama 3.1 70b on 100M tokens in under 3 days, not on gcp", "gpu to rent for lora of llama 3.1 8b on 20M tokens"):
        document, code = document_of(question)
        offer = document["options"][0]["cost"]["offer"]
        hold(question, code == 0 and f"/h ({offer['provider']}" in document["answer"]["headline"], document["answer"]["headline"])
    # A cloud that is named stands with its instance alone.
    question = "which aws instance for lora of llama 3.1 8b on 20M tokens"
    hold(question, document_of(question)[0]["answer"]["headline"].split(":")[0].count("aws") == 1, document_of(question)[0]["answer"])
    # What is not the cheapest where that was sought says why.
    question = "cheapest cloud setup to full finetune llama 3.1 70b on 100M tokens in under 3 days, not on gcp"
    headline = ask(question)[1]["headline"]
    hold(question, "The cheapest is" not in headline or ", a tie" in headline, headline)


def few_renters_are_all_told():
    headline = ask("mi300x rental, who has it and for how much")[1]["headline"]
    hold("mi300x", "digitalocean" in headline and "azure" in headline, headline)
    headline = ask("h100 reserved price")[1]["headline"]
    hold("reserved", "nvl-94gb is" not in headline and "contracts of three years" in headline, headline)


def many_cards_are_rented_as_machines():
    headline = ask("what does a gb300 nvl72 rack cost to rent")[1]["headline"]
    hold("rack", "No offer of a whole rack of 72" in headline and headline.count("$735") <= 1, headline)
    for question in ("16x h100 rent price", "rent 32 a100 80gb, price"):
        hold(question, "machines of 1" not in ask(question)[1]["headline"], ask(question)[1]["headline"])


def a_million_tokens_are_priced_on_what_was_named():
    for question in ("gaudi 2 rental price", "price of mi355x"):
        hold(question, "No rent of it is listed" in ask(question)[1]["headline"])
    for question, count in (("cost per million tokens llama 3.1 70b on 2x h100", 2), ("$ per million tokens of qwen3-32b on 4 l40s, 16 users", 4)):
        reading, answer, _ = ask(question)
        hold(question, answer["choice"]["count"] == count and f"--accelerators {count}" in reading["flags"], answer["headline"])


def older_lists_are_told_with_their_day():
    for question, provider in (("l4 rental price", "gcp"), ("who rents t4 gpus and for how much", "aws"), ("a10g price per hour", "aws")):
        headline = ask(question)[1]["headline"]
        told = provider in headline and re.search(provider + r"[^;]*\d{4}-\d\d-\d\d", headline)
        hold(question, told, headline)
    # Who names a provider gets its list, and nobody else's.
    hold("gcp", "older lists" not in ask("l4 price on gcp")[1]["headline"], "l4 on gcp")


def an_instance_costs_what_lasts():
    headline = ask("what does a gcp a3-highgpu-8g cost per hour")[1]["headline"]
    hold("a3", re.match(r"Rent 8 x h100-sxm5-80gb for \$8\d.*us-central1, on_demand", headline) and "as spot from" in headline, headline)


def second_hand_is_used():
    for question in ("second hand a100 40gb price", "refurbished a100 pcie 40gb, how much", "preowned v100 price", "2nd hand rtx 3090 price"):
        headline = ask(question)[1]["headline"]
        hold(question, "used" in headline.lower(), headline)
    hold("one price", ask("secondhand v100 32gb price")[1]["value"] == ask("used v100 32gb price")[1]["value"], "v100")


def offers_without_a_region_are_told():
    headline = ask("cheapest 8x H200 in us-east on demand, not runpod")[1]["headline"]
    hold("no region", "aws" in headline and "name no region are left out, from $" in headline, headline)
    headline = ask("cheapest 8x H200 in europe on demand, not runpod")[1]["headline"]
    hold("a seller's home", "nebius" in headline and "azure" in headline and "ask where they stand" in headline, headline)
    hold("their own", "name no region" not in ask("a100 price per hour on azure in europe")[1]["headline"])


def memory_of_a_machine_is_that_of_all_its_cards():
    for question, gb, usd in (("instance with at least 500 gigabytes of gpu ram not more than 20 dollars an hour", 500, 20),
                              ("server with 200GB vram in total for llm inference, what to rent", 200, None)):
        _, answer, code = ask(question)
        choice = answer.get("choice", {})
        memory = document("catalog", "show", choice["accelerator"])[0]["marketed_memory_gb"] if choice else 0
        hold(question, code == 0 and choice["count"] * memory >= gb and choice["usd_per_hour"] <= (usd or 1e9), answer)
    _, answer, _ = ask("cheapest 4x machine with >= 320gb total vram with nvlink to rent by the hour")
    hold("4x machine", answer["choice"]["count"] == 4 and "SXM" in answer["headline"], answer)
    reading, _, _ = ask("cheapest card with 24gb")
    hold("of one card", reading.get("memory_gib") == 24, reading)


def a_time_costs_what_each_form_is_rented_for():
    # Forms of a family stand apart, spot beside what lasts, and a year is 8,760 hours.
    question = "gpu rent for a week of 8 h100"
    _, answer, _ = ask(question)
    first = answer["headline"].split(". ")[0]
    hold(question, all(each in first for each in ("h100-pcie-80gb from $", "h100-sxm5-80gb from $", "as spot from $", "8 cost for 168 hours")), first)
    for question, hours in (("cost per year of 4 a100", 8760), ("monthly cost of an l40s", 730)):
        _, answer, _ = ask(question)
        hold(question, isclose(value(answer, "cost") / value(answer, "rent"), hours, rel_tol=0.01), answer)
        hold(question, "hours)" in answer["headline"][:60], answer["headline"])
    for question, word in (("16 h100 3 days under 1500 dollars", "No, $"), ("16 h100 3 days under 9000 dollars", "Yes, within $9,000")):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "price" and answer["headline"].startswith(word) and "--buy" not in reading["flags"], answer["headline"])
    hold("reserved", "a month (730 hours)" in ask("cost per month reserved 8 h100")[1]["headline"])
    hold("hours", ask("500 gpu hours of h100")[0]["intent"] == "price")


def euros_are_answered_in_euros():
    headline = ask("8 h100 rent for a month in euros")[1]["headline"]
    hold("euros first", re.search(r"from [0-9,]+ euro \(\$[0-9,]+\)", headline.split(". ")[0]), headline)
    # The rate of the currency is told wherever a sum of it is taken, a kWh's too.
    reading, answer, _ = ask("what does 4 4090 cost in electricity per year at 0.30 euro per kwh")
    hold("its rate", any(each["field"] == "usd_per_euro" for each in reading["assumed"]), reading)
    hold("a year of it", "365 days" in answer["headline"], answer["headline"])


def carbon_is_told_first():
    # 473 g a kWh (Ember 2025): a world's mean.
    _, answer, _ = ask("how much co2 for 8 h100 for a month")
    kwh = value(answer, "energy")
    told = float(re.search(r": ([0-9,]+) kg of CO2", answer["headline"]).group(1).replace(",", ""))
    hold("carbon", abs(told - 0.473 * kwh) < 0.02 * told, answer["headline"])


def carbon_is_that_of_the_grid_that_was_told():
    # The electricity of eight cards in two days does not go with the grid: 380 g of each kWh.
    for question in ("CO2 of 8 A100 for 48 hours at 380 g/kWh", "co2 of 8 a100 for two days, grid 0.38 kg CO2 per kWh",
                     "carbon footprint of finetuning llama 3.1 70b with lora on 8 A100 for 48 hours, grid at 380 gCO2/kWh"):
        reading, answer, _ = ask(question)
        told = float(re.search(r": ([0-9,.]+) kg of CO2", answer["headline"]).group(1).replace(",", ""))
        hold(question, abs(told - 0.38 * value(answer, "energy")) < 0.02 * told, answer["headline"])
        hold(question, "memory_gib" not in reading and "380 g a kWh as told" in answer["headline"], answer["headline"])
    _, answer, _ = ask("energy used by lora finetuning 70b on 8 A100 for 48 hours")
    hold("energy of a run", "is not judged here" in answer["headline"] and 150 < value(answer, "energy") < 500, answer["headline"])


def heat_is_what_is_drawn():
    # 2 x 14.3 kW x 3.412 BTU/h a watt.
    _, answer, _ = ask("cooling in BTU/h for 2 DGX B200")
    hold("heat", abs(value(answer, "heat") / 97585 - 1) < 0.01, answer["headline"])


def work_for_a_joule_is_that_of_a_busy_server():
    # 72 accelerators and all around them draw 120 kW; tens of thousands of tokens a second make some tenths of one a joule.
    _, answer, _ = ask("What is the power draw of a GB200 NVL72 rack and how many tokens per joule on deepseek-v3?")
    hold("both are told", 0.1 < value(answer, "per_watt") < 2 and value(answer, "power") == 120000, answer["headline"])
    # 2,500 TFLOP/s of 1,200 W against 990 of 700.
    _, answer, _ = ask("flops per watt of GB200 vs H100")
    hold("flops", "1.47 times the rate per watt" in answer["headline"], answer["headline"])
    _, answer, _ = ask("a 5 kW circuit at the branch office, what inference box fits and how big a model could it run?")
    hold("within 5 kW", answer["headline"].startswith("A machine within 5 kW runs up to "), answer["headline"])


def racks_are_filled_with_whole_nodes():
    # Three of 10.2 kW in each of 40 kW.
    for question in ("how many 8x H200 nodes fit in three racks of 40 kW", "how many 8x H200 nodes fit in 3 racks at 40 kW each"):
        _, answer, _ = ask(question)
        hold(question, value(answer, "count") == 72 and "9 nodes" in answer["headline"], answer["headline"])
    _, answer, _ = ask("40 kW per rack and three racks. How many 8x H200 nodes can we put in and what would llama 3.3 70b fp8 throughput be across all of them?")
    hold("rate of all", "9 nodes" in answer["headline"] and answer["choice"]["count"] == 72, answer["headline"])


def what_is_owned_is_weighed_by_what_it_takes_to_run():
    for question in ("we have 8 H100 DGX owned, is cloud cheaper?", "i own a 3090, should i keep it or use cloud instead"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "own" and answer["headline"].startswith("Keep: ") and "to run" in answer["headline"], answer["headline"])
        hold(question, value(answer, "total") < value(answer, "total_rented"), answer)


def a_price_that_was_told_is_judged_beside_the_fit():
    _, answer, code = ask("4 used 3090 for $4000, enough for 70b?")
    hold("3090", answer.get("verdict") in ("yes", "barely") and ("than usual" in answer["headline"] or "the usual" in answer["headline"]), answer)
    _, answer, _ = ask("is $12/8xh100/hr a good price")
    hold("joined", "$1.50 an hour" in answer["headline"], answer)
    _, answer, _ = ask("rent or my 3060 for lora 8b")
    hold("rent beside", "Rented, " in answer["headline"] and "/h (" in answer["headline"], answer)
def the_period_that_was_asked_leads():
    # 24, 168 and 730 hours.
    for question, hours in (("Price of a g6e.xlarge per day?", 24), ("h100 per week on runpod", 168), ("h100 daily rent on runpod", 24), ("h100 per month on runpod", 730)):
        _, answer, _ = ask(question)
        low = next(each for each in answer["value"] if each["quantity"] == "cost")["low"]
        rent = next(each for each in answer["value"] if each["quantity"] == "rent")["low"]
        hold(question, low >= hours * rent * 0.99, answer)
    # 8 hours on 5 of 7 days of a month: 5.71 / 24 of 730 hours.
    question = "monthly bill for 1x a100 80gb 8 hours per weekday on gcp"
    _, answer, _ = ask(question)
    # $5.07 on demand (GCP, 2026-08-03).
    hold(question, isclose(next(each for each in answer["value"] if each["quantity"] == "cost")["low"], 5.07 * 730 * 40 / 168, rel_tol=0.01), answer)


def the_currency_that_was_asked_leads():
    for question, word in (("how many euros per hour is an l4 on google cloud", "euro"), ("what will it cost in gbp to full finetune a 13b on 40M tokens on rented 8xa100s", "pound"),
                           ("cost in euros to lora llama 8b on 20M tokens on an l40s", "euro"), ("h100 price in eur", "euro")):
        _, answer, code = ask(question)
        hold(question, code == 0 and f" {word} (" in answer["headline"], answer)


def a_single_card_that_runs_all_month_has_a_price():
    question = "What would a single 4090 on vast.ai cost me for a whole month running 24/7?"
    reading, answer, _ = ask(question)
    hold(question, reading["intent"] == "price" and isclose(value(answer, "cost"), 730 * value(answer, "rent"), rel_tol=0.05), (reading, answer))


def a_run_is_paid_at_the_provider_that_was_named():
    question = "how long and how much: 100k samples, 2 epochs, 2048 tokens, qlora llama 3.3 70b, single h100 on lambda"
    document, _ = document_of(question)
    hold(question, document["answer"]["choice"]["usd_per_hour"] > 4 and "lambda" in text(question), document["answer"])
    # Who does not rent it out is said.
    question = "how long and how much is lora of 8b on 20M tokens on an mi300x at lambda"
    hold(question, "by lambda is listed" in text(question), text(question))


def a_bill_of_electricity_is_money():
    # 8 H100 at about 10 kW for some 50 hours at 8 cents.
    question = "electricity bill for pretraining 1b on 100B tokens with 8 h100?"
    _, answer, _ = ask(question)
    hold(question, "kWh" in answer["headline"][:30] and "a kWh" in answer["headline"] and "$" in answer["headline"][:90], answer)


def tokens_that_are_read_count():
    # 2 billion read for 400 million written: five for each.
    question = "batch job, 2 billion input tokens and 400 million output, qwen3 8b, want it in 48h, cheapest on spot"
    reading, answer, _ = ask(question)
    hold(question, reading["input_tokens"] == 5 * 512 and "2560 tokens in" in answer["headline"], answer)
def each_side_is_priced_by_its_own_kind_for_the_time():
    # 1,000 hours of each at its own kind of rent; a month has 730.
    question = "h100 spot vs a100 on demand for 1000 hours"
    _, answer, _ = ask(question)
    costs = [each["mid"] for each in answer["value"] if each["quantity"] == "cost"]
    hold(question, len(costs) == 2 and "is cheaper: $" in answer["headline"] and "for 1,000 hours against" in answer["headline"], answer)
    hold(question, "spot" in answer["headline"] and "on_demand" in answer["headline"], answer["headline"])
    question = "8 h100 on demand vs 8 h200 reserved per month"
    _, answer, _ = ask(question)
    hold(question, "a month (730 hours)" in answer["headline"] and "the market's contracts of" in answer["headline"], answer["headline"])
    contract = next(each["mid"] for each in answer["value"] if "h200" in each["of"])
    hold(question, abs(contract - 730 * 8 * 1.6) < 1, contract)
    # Nobody lists what is reserved: what the market paid is the answer, before what else is known.
    hold("reserved", ask("1 yr reserved h100 price per gpu hour vs on demand")[1]["headline"].startswith("Contracts of three years were about $1.30/h"))
    for question in ("price of b200 and mi325x", "h100 and h200 per month"):
        headline = ask(question)[1]["headline"]
        hold(question, headline.startswith("Rent ") and headline.count("/h (") == 2 and "spot from" in headline, headline)


def what_runs_in_the_mean_is_paid():
    # 217 hours are 10 of 5 days in each of 365 / 12 / 7 weeks.
    _, answer, _ = ask("we run 3 h100s 10 hours a day on weekdays only, whats that monthly")
    hold("weekdays", "(217 hours)" in answer["headline"] and "a month" in answer["headline"], answer["headline"])
    hold("hours", "a month (174 hours)" in ask("cost of h100 8 hours per weekday")[1]["headline"])
    hold("mean", ask("autoscale from 2 to 10 a10g replicas, avg 4, monthly bill on aws?")[1]["headline"].startswith("4 x a10g"))
    hold("launch", ask("how much did a 4090 cost at launch")[1]["headline"].startswith("The list price of rtx-4090 is $1,599"))
    hold("saved", "less" in ask("how much do i save with spot on 8xa100 for 2 weeks")[1]["headline"].split(";")[0])
    hold("seat", ask("l40s in the eu, no us providers, price")[0]["providers_excluded"][:3] == ["aws", "azure", "coreweave"])
def kinds_of_rent_stand_apart():
    # On demand first, then the cheapest of a marketplace and of spot, each from the list.
    question = "price of an h100 per hour"
    listed, _ = document_of(question)
    least = {kind: min(each["usd_per_hour"] / each["count"] for each in listed["offers"] if each["kind"] == kind)
             for kind in ("on_demand", "marketplace", "spot")}
    headline = listed["answer"]["headline"].split("; older lists")[0]
    places = [headline.find(f"from ${least[kind]:.2f}/h") for kind in ("on_demand", "marketplace", "spot")]
    hold(question, 0 <= places[0] < min(places[1:]) and "on a marketplace from" in headline and "as spot from" in headline, headline)
    hold(question, "on_demand" in listed["answer"]["choice"]["why"], listed["answer"]["choice"])
    # The cheapest of all leads where it is asked for.
    headline = ask("cheapest h100 to rent")[1]["headline"]
    hold("cheapest", headline.startswith(f"Rent from ${min(least.values()):.2f}/h"), headline)
    # Sides are compared by what both have on demand.
    headline = ask("l40s vs a40 rent")[1]["headline"]
    hold("sides", headline.count("on_demand") == 2 and "l40s on a marketplace from" in headline, headline)
    # What nobody but a marketplace lets ranks behind, and is named where it costs clearly less.
    question = "cheapest way to serve qwen 14b awq"
    found, _ = document_of(question)
    kinds = [each["cost"]["offer"]["kind"] if each["cost"].get("offer") else "" for each in found["options"]]
    hold(question, kinds[0] == "on_demand" and "On a marketplace" in found["answer"]["headline"], (kinds, found["answer"]["headline"]))


def a_rent_that_was_told_is_what_tokens_cost():
    for question, hour in (("what does it cost me per million tokens if i run llama 70b fp8 on 4xH100 sxm at $2.20/gpu/hr", 8.8),
                           ("llama 3.1 8b on an l40s at $0.50 per hour, cost per million tokens", 0.5)):
        _, answer, _ = ask(question)
        rate = next(each["mid"] for each in answer["value"] if each["unit"] == "tokens/s" and "decode" not in each["quantity"])
        hold(question, isclose(value(answer, "cost"), hour / 3600 / rate * 1e6, rel_tol=0.02) and f"${hour:.2f}/h that was told" in answer["headline"], answer)


def an_api_is_weighed_with_all_tokens():
    # 1,024 tokens are read for 512 that are written: a third of the price of those written alone.
    for question in ("at what daily token volume does self hosting qwen2.5-72b beat an api at $0.40 per million tokens",
                     "is hosting llama 3.3 70b cheaper than the openai api at $0.60 per million"):
        reading, answer, code = ask(question)
        all_tokens, written = (float(each) for each in re.search(r"\$([\d.]+) a million read and written, \$([\d.]+) of those written", answer["headline"]).groups())
        hold(question, code == 0 and abs(all_tokens * 3 / written - 1) < 0.06 and not reading["not_understood"], (answer, reading))
        cheaper = all_tokens <= reading["usd_per_million"]
        hold(question, answer["headline"].startswith("One's own is cheaper" if cheaper else "The API's"), answer["headline"])
    reading, answer, _ = ask("we're paying openai about $4k a month for gpt-4o-mini, would it be cheaper to host llama 3.3 70b ourselves?")
    hold("bill", reading.get("api_usd_per_month") == 4000 and "budget_usd" not in reading and "usd_per_month" not in reading, reading)
    hold("bill", answer["headline"].startswith("Yes, where $4,000 a month pay the API for up to"), answer["headline"])
    reading, answer, _ = ask("gpt-4o api at $2.50 in / $10 out vs own 2xh100 with llama 70b at 50M tokens a day")
    hold("sides", reading.get("usd_per_million_read") == 2.5 and reading.get("usd_per_million") == 10 and "budget_usd" not in reading, reading)
    hold("sides", " is the cheaper at " in answer["headline"] and "of the API at $5.00 a million" in answer["headline"], answer["headline"])


def a_sum_for_a_time_is_judged_first():
    for question in ("I have $40. Can I run a 70b on h100 for a weekend?", "can i run a 70b on an h100 for 48 hours with $40"):
        reading, answer, code = ask(question)
        hold(question, answer["headline"].startswith("No: ") and "than usual" not in answer["headline"] and code == 3, answer["headline"])
    _, answer, code = ask("can i run a 70b on an h100 for 48 hours with $400")
    hold("enough", not answer["headline"].startswith("No") and code == 0, answer["headline"])


def money_is_called_by_many_names():
    for question, code in (("h100 price in rand", "zar"), ("how many won per hour is an h100", "krw"), ("h100 in real per hour", "brl")):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "price" and not reading["not_understood"] and {"zar": "rand", "krw": "won", "brl": "real"}[code] in answer["headline"], (reading, answer))
    reading, _, _ = ask("llama 8b chat in real time on a 4090")
    hold("real time", not any(each["field"].startswith("usd_per_") for each in reading["assumed"]), reading)


def forms_that_are_named_are_set_apart():
    _, answer, _ = ask("price difference h200 sxm vs h200 nvl")
    hold("sxm vs nvl", "h200-nvl-141gb" in answer["headline"].split("older")[0] and "than the first" in answer["headline"], answer)


def a_commitment_pays_above_a_use():
    # $1.30 an hour at all hours against what the same part costs on demand.
    said = text("h100 one-year reserved vs on demand, at what utilization does the commitment win")
    hold("utilization", "that pays above" in said and "% use" in said, said)


def clouds_of_a_country_are_left_out():
    for question in ("must stay in the EU and can't use US clouds, who rents h100s", "h100 in europe, avoid american cloud providers"):
        document, _ = document_of(question)
        providers = {each["provider"] for each in document["offers"]}
        hold(question, "have their seat" in document["answer"]["headline"] and providers and not providers & {"aws", "azure", "gcp", "lambda", "runpod"}, providers)
    hold("wanted", "providers_excluded" not in ask("h100 with us based providers")[0])
def an_instance_named_in_full_has_its_own_price():
    # ND96is has no InfiniBand and costs a tenth less than ND96isr, of which one is asked.
    for question, usd in (("Standard_ND96isr_H100_v5 hourly price eastus", 98.32), ("nd96is h100 v5 hourly price eastus", 88.488)):
        reading, answer, _ = ask(question)
        hold(question, abs(value(answer, "rent") - usd) < 0.01, answer)


def months_are_a_time():
    # March to August are 184 days, 4,416 h.
    for question in ("rent 8 h100 sxm from march to august, cost", "8 h100 sxm from march to end of august, what's the invoice"):
        _, answer, _ = ask(question)
        hourly = value(ask("rent 8 h100 sxm, price per hour")[1], "rent")
        hold(question, "4,420 hours" in answer["headline"], (hourly, answer))


def kinds_that_nobody_lists_deny_no_other():
    """AWS lists p4de.24xlarge on demand alone."""
    for question in ("reserved 1 year A100 80GB vs spot, how much do we save with 8 of them on AWS?", "8 a100 80gb on aws, spot or reserved, price"):
        document, code = document_of(question)
        headline = document["answer"]["headline"]
        hold(question, code == 0 and "otherwise from $27.45/h" in headline and "spot" in headline.split(";")[0] and "reserved" in headline.split(";")[0]
             and "No rent of it" not in headline, headline)
    document, _ = document_of("8 x A100 80GB on aws on demand")
    hold("on demand", document["answer"]["headline"].startswith("Rent 8 x a100-sxm4-80gb for $27.45/h"), document["answer"])


if __name__ == "__main__":
    run(globals())
