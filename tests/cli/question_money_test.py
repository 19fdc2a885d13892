#!/usr/bin/env python3
"""Questions about money: rents of one part told by its name, forms and memories that a price is of, money of the sides of a comparison.

Usage: question_money_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
import re
from math import isclose

from asked import ask, document_of, hold, run, text, value


def a_rent_is_that_of_one_whatever_it_is_called():
    # Hours of one accelerator times what was told of one.
    for question, usd in (("what would it cost to pretrain a 70b on 2T tokens at $2.10 per h100 hour with 512 gpus", 2.10),
                          ("cost to pretrain 7b on 1T tokens at $2/h100-hour on 64 h100", 2), ("7b on 1T tokens with 64 h100, at 2.10 per h100 hour", 2.10),
                          ("train 7b on 1T tokens on 64 a100 at $1.9 per card hour", 1.9), ("$2.1/gpu/h, 64 h100, 7b on 1T tokens cost", 2.1)):
        reading, answer, code = ask(question)
        hours, cost = value(answer, "accelerator_hours"), value(answer, "cost")
        hold(question, code == 0 and "budget_usd" not in reading and isclose(cost, hours * usd, rel_tol=0.01), (reading, answer))
        hold(question, len({each.split("-")[0] for each in reading["accelerators"]}) == 1, reading)
    # The part is named by its rent alone.
    reading, _, _ = ask("can i get an rtx 4090 for $0.3 per rtx 4090 hour")
    hold("rtx 4090", reading.get("accelerators") == ["rtx-4090"] and reading.get("usd_per_hour") == 0.3, reading)


def sums_of_an_hour_are_rounded():
    reading, _, _ = ask("25 euro per hour max, want to serve qwen3-32b to 64 parallel requests")
    hold("25 euro", "--budget 27.06/h" in reading.get("flags", ""), reading)


def a_price_names_the_memory_that_it_is_of():
    # 96 GB $5,299 since 2026-06-25, 512 GB $14,030 used: catalog/accelerators.
    question = "what does a mac studio m3 ultra cost"
    _, answer, code = ask(question)
    prices = [each for each in answer["value"] if each["quantity"] == "purchase"]
    hold(question, code == 0 and [each["mid"] for each in prices] == sorted(each["mid"] for each in prices) and len(prices) == 2, answer)
    hold(question, answer["headline"].index("96 GB") < answer["headline"].index("512 GB"), answer)
    hold(question, "no such offer" not in text(question), text(question))
    for question, memory, other in (("mac studio m3 ultra 96gb price", "96 GB", "512 GB"), ("m3 ultra 512gb price", "512 GB", "96 GB")):
        _, answer, _ = ask(question)
        hold(question, memory in answer["headline"] and other not in answer["headline"], answer)
    question = "how much is a mac studio m4 max 64gb"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("No price of it with 64 GB") and "with 128 GB" in answer["headline"], answer)


def all_forms_have_a_price_the_cheapest_first():
    question = "rtx pro 6000 blackwell cost to buy"
    _, answer, _ = ask(question)
    prices = [each for each in answer["value"] if each["quantity"] == "purchase"]
    # The Max-Q form, of half the power, is meant where it is named alone.
    hold(question, sorted(each["of"] for each in prices) == ["rtx-pro-6000-bw-server", "rtx-pro-6000-bw-ws"], answer)
    hold(question, [each["mid"] for each in prices] == sorted(each["mid"] for each in prices), answer)
    hold(question, "to buy GB $ each" in text(question) and "$/hour" not in text(question), text(question))
    for name in ("rtx pro 6000 blackwell max-q", "rtx pro 6000 max q", "rtx pro 6000 maxq", "rtx-pro-6000-bw-max-q"):
        reading, _, code = ask(f"price {name}")
        hold(name, code == 0 and reading.get("accelerators") == ["rtx-pro-6000-bw-max-q"] and not reading["not_understood"], reading)
    reading, _, _ = ask("price rtx pro 6000 blackwell workstation")
    hold("workstation", reading.get("accelerators") == ["rtx-pro-6000-bw-ws"], reading)
    # "max" alone still bounds a number.
    reading, _, _ = ask("best gpu for llama 3.1 8b, 1500 max, to buy")
    hold("1500 max", reading.get("budget_usd") == 1500, reading)


def figures_of_a_side_are_those_of_all_its_cards():
    # 12 and 24 GB at home: what both cost to buy stands in the sentence, the table has the same sums.
    for question, sides in (("2 x 3060 12gb or 1 x 3090 for a 30b q4, which is quicker", {"rtx-3060-12gb": 2, "rtx-3090": 1}),
                            ("mac studio m3 ultra 512gb or 8x 3090 rig for deepseek r1 q4", {"rtx-3090": 8})):
        answered, _ = document_of(question)
        rows = {each["id"]: each for each in answered["accelerators"]}
        for part, count in sides.items():
            one, _, _ = ask(f"price of one {part}")[1], 0, 0
            price = next(each["mid"] for each in one["value"] if each["quantity"] == "purchase") if isinstance(one["value"], list) else one["value"]["mid"]
            hold(question, isclose(rows[part]["usd_purchase"], count * price) and rows[part].get("count", 1) == count, rows[part])
            hold(question, f"${count * price:,.0f}" in answered["answer"]["headline"], answered["answer"]["headline"])
    rows = {each["id"]: each for each in document_of("2 x 4090 or 1 x 5090 for llama 3.1 8b")[0]["accelerators"]}
    hold("watts", isclose(rows["rtx-4090"]["tdp_w"], 2 * 450) and isclose(rows["rtx-5090"]["tdp_w"], 575), rows)


def the_figure_that_was_asked_leads():
    question = "cost per million tokens: l40s or h100 for llama 3.1 8b fp8 on vllm"
    _, answer, _ = ask(question)
    hold(question, answer["headline"].startswith("Rented") and "a million tokens" in answer["headline"].split(".  ")[0][:160], answer["headline"])
    # Vector units in fp64, TFLOP/s: MI250X 47.9 of both its devices, A100 9.7, V100 7.8.
    question = "double precision: mi250x or a100 80gb or v100?"
    _, answer, _ = ask(question)
    headline = answer["headline"]
    hold(question, headline.index("fp64 rate") < headline.index("memory bandwidth") and "47.9" in headline and "V100" in headline and "19.5" in headline, headline)


def each_side_has_its_kind_of_rent():
    question = "same monthly bill: 4 h100 reserved or 8 a100 on demand for a 70b lora"
    reading, answer, _ = ask(question)
    hold(question, [each.get("price_kind") for each in reading["sides"]] == ["reserved", "on_demand"], reading["sides"])
    hold(question, "reserved" in answer["headline"] and "on demand" in answer["headline"] and "a month" in answer["headline"], answer["headline"])


def owning_turns_at_a_price():
    # 20 hours of 168 at the least rent of two years, less the energy of those hours: below that rent, above nothing.
    question = "own or rent a rtx 6000 ada, 20h a week, 2 years"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["headline"].startswith("Rent, unless one is offered for $") and "no dated purchase price" in answer["headline"], answer["headline"])
    turn = float(answer["headline"].split("offered for $")[1].split(" ")[0].replace(",", ""))
    hold(question, 300 < turn < value(answer, "cost"), (turn, answer))
    # Its price of years ago is less than what renting costs: the sentence and the figures agree.
    question = "p4d.24xlarge reserved for 3 years or purchase 8 a100 40gb: break even?"
    reading, answer, _ = ask(question)
    hold(question, reading.get("price_kind") == "reserved", reading)
    hold(question, "No reserved rate of it is listed" in answer["headline"], answer["headline"])
    for question in (question, "purchase or rent 8 a100 40gb for 3 years"):
        _, answer, _ = ask(question)
        hold(question, value(answer, "total") <= value(answer, "total_rented") and "price of 2020-05" in answer["headline"] and answer["choice"]["why"] == "rent" and answer["headline"].startswith("Rent, unless a machine of 8 is offered for $"), answer)


def where_it_turns_leads_if_no_hours_were_said():
    for question in ("does buying two 3090s pay off if power is 0.35 eur/kwh", "we burn $40k a month on 8 h100, should we buy instead"):
        reading, answer, _ = ask(question)
        fields = [each["field"] for each in reading["assumed"]]
        hold(question, fields[:2] == ["hours_per_day", "months"], fields)
        headline = answer["headline"]
        hold(question, headline.startswith("Buy, if it is busy enough") and headline.index("owning pays above") < headline.index("owned"), headline)
    _, answer, _ = ask("buy or rent 4x 4090 for 1 year at 8 hours a day")
    hold("8 hours", "busy enough" not in answer["headline"], answer["headline"])


def a_monthly_sum_rents_the_largest_model():
    question = "4000 dollars a month, how large a model can we serve around the clock"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading.get("objective") == "memory", reading)
    hold(question, "parameters" in answer["headline"][:80] and "a month" in answer["headline"], answer["headline"])
    printed = text(question)
    hold(question, "hours a day for five years" not in printed and "Nothing with a known price" not in printed, printed)
    # 730 hours of what is chosen are within the sum.
    hold(question, 730 * answer["choice"]["usd_per_hour"] <= 4000 and answer["choice"]["count"] > 1, answer["choice"])


def sizes_of_a_range_mean_the_largest():
    for question, model in (("$500k grant, 1B to 7B pretraining research, what cluster would you buy or rent", "7b"), ("gpu to lora 3b-8b models", "8b"),
                            ("what card for models between 7b and 14b in 4 bit", "14b")):
        reading, answer, _ = ask(question)
        hold(question, reading.get("model") == model and not reading["not_understood"] and "Not answered" not in answer["headline"], (reading, answer))


def cards_at_home_cost_what_cards_cost():
    question = "what can i do with 3x 3060 12gb"
    _, answer, _ = ask(question)
    one = ask("price of a 3060 12gb")[1]["value"]
    price = one["mid"] if isinstance(one, dict) else next(each["mid"] for each in one if each["quantity"] == "purchase")
    hold(question, isclose(value(answer, "purchase"), 3 * price), answer)


def a_ceiling_holds_for_the_list():
    question = "h200 rental below $3/h, not from vast or runpod"
    answered, _ = document_of(question)
    hold(question, all(each["usd_per_hour"] / each["count"] <= 3 for each in answered["offers"]), answered.get("offers"))
    hold(question, "spot, which may be taken away" in answered["answer"]["headline"], answered["answer"]["headline"])


def a_training_cluster_trains_all_weights():
    question = "capex of 2M USD for a training cluster for 30b models, no amd, what can we buy"
    reading, answer, code = ask(question)
    # One server more is no more than a third of what two cost: a quarter of the sum at most is left.
    price = float(answer["headline"].split("about $")[1].split(" ")[0].replace(",", ""))
    hold(question, code == 0 and "--method full" in reading["flags"] and answer["choice"]["count"] > 16 and 1.5e6 < price <= 2e6, (reading, answer))


def a_told_rent_is_paid_and_a_limit_is_not():
    # 8 accelerators for $16 an hour in all: 30.2 h are $483, whatever each of the hours of one is.
    headline = ask("how long to train 7b on 10B tokens on 8 h100 at $16 an hour total")[1]["headline"]
    hold("total", "at $16.00 an hour" in headline, headline)
    hold("limit", "that was told" not in ask("llama 70b on 8 h100 under $40 an hour, cost per million tokens")[1]["headline"])
    hold("day", "a day (8 hours)" in ask("daily cost of 2 l4 running 8 hours a day")[1]["headline"])


def a_said_share_of_peak_is_paid_at_the_told_rent():
    # 6 x 13e9 x 2e12 FLOP at 40 % of 989e12 are 109,500 hours; 19 days x 24 x 256 of them at $2.20.
    question = "pretraining 13b, 2T tokens, 256 h100, mfu 40%, how many days and usd at $2.20 per gpu hour"
    _, answer, code = ask(question)
    days, usd = re.search(r"was said ([\d.]+) days, \$([\d,]+)", answer["headline"]).groups()
    hold(question, code == 0 and isclose(float(usd.replace(",", "")), float(days) * 24 * 256 * 2.20, rel_tol=0.03), answer)


def a_wish_to_spend_is_no_bill():
    reading, answer, _ = ask("I want to spend $1500 to replace the OpenAI API with Mistral 7B")
    hold("a wish", reading.get("budget_usd") == 1500 and answer["headline"].startswith("Buy"), (reading, answer))
    reading, answer, _ = ask("we pay $100 to OpenAI, budget $2000 for a GPU with Llama 8B")
    hold("bill and budget", reading.get("budget_usd") == 2000 and answer["headline"].startswith("Buy"), (reading, answer))
    for question in ("Our OpenAI bill is $5000, Llama 8B for 500 users", "We have to pay $300 to OpenAI, is Llama 8B cheaper to host?"):
        hold(question, "budget_usd" not in ask(question)[0], ask(question))


def dollars_of_other_countries():
    for sign, code in (("a$", "aud"), ("C$", "cad"), ("s$", "sgd"), ("nz$", "nzd"), ("R$ ", "brl")):
        signed, _, _ = ask(f"{sign}9000 for qwen3 coder 30b, what to buy")
        coded, _, _ = ask(f"9000 {code} for qwen3 coder 30b, what to buy")
        hold(sign, 0 < signed.get("budget_usd", 0) < 9000 and signed["budget_usd"] == coded["budget_usd"], (signed, coded))
    # 7.8 Hong Kong dollars are one of the United States.
    reading, _, _ = ask("hk$20000 gpu for sdxl")
    hold("hk$", isclose(reading.get("budget_usd", 0), 20000 / 7.8, rel_tol=0.02), reading)
    hold("us$", ask("US$2000 gpu for sdxl")[0].get("budget_usd") == 2000)


def generated_tokens_are_all_written():
    # A request of 1,024 tokens read writes 512: what is generated takes as many requests as it has answers.
    for question in ("generate 50M synthetic tokens with a 70B, cheapest", "cost to synthesize 50M tokens with a 70b", "50M tokens of synthetic data with a 70b on mi300x, cost"):
        _, answer, code = ask(question)
        rate = float(answer["headline"].split(" tokens/s")[0].split()[-1].replace(",", "")) if " tokens/s" in answer["headline"] else 0
        hold(question, code == 0 and "50M tokens that are written" in answer["headline"], answer["headline"])
        hold(question, rate == 0 or isclose(value(answer, "time"), 50e6 / rate / 3600, rel_tol=0.02), (rate, answer))
    _, answer, _ = ask("classify 50M tokens with a 70b, cheapest")
    hold("classify", "that are written" not in answer["headline"], answer["headline"])


def a_bill_with_a_volume_is_weighed_at_it():
    # 360M tokens of 30 days are 138.9 a second, in requests of 2,560 read and 512 written.
    question = "I pay $4k a month to an API for 300M tokens in and 60M out, would a rented h100 with llama 70b be cheaper"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading["input_tokens"] == 2560 and isclose(reading["requests_per_s"], 360e6 / 30 / 86400 / 3072, rel_tol=0.01), reading)
    hold(question, "$4,000 for 360M tokens at the API ($11.11 a million" in answer["headline"] and answer["headline"].startswith("Yes, $"), answer["headline"])
    question = "we spend $9000/month on openai for 500M tokens a month, would a rented h100 with llama 70b be cheaper"
    hold(question, "$9,000 for 500M tokens at the API ($18.00 a million" in ask(question)[1]["headline"], ask(question)[1]["headline"])
    # What one machine does not carry is carried by several, and paid so often.
    question = "our api bill is $100k a month for 200B tokens a month, is a rented h100 with llama 70b cheaper"
    headline = ask(question)[1]["headline"]
    hold(question, "which it carries by " in headline and headline.startswith("No, $"), headline)
    reading, answer, _ = ask("our openai invoice was 3200 usd last month. 400M tokens. can we host qwen3 32b cheaper?")
    hold("invoice", reading.get("api_usd_per_month") == 3200 and "400M tokens at the API ($8.00 a million" in answer["headline"], (reading, answer["headline"]))


def a_purchase_is_paid_back_by_the_api():
    # 2 cards with their servers over what a month of the API costs, less its electricity: more than the plain quotient.
    question = "how long until buying 2x rtx 6000 pro pays back against our $3000/month openai bill with qwen3 32b"
    _, answer, _ = ask(question)
    headline = answer["headline"]
    price = float(headline.split(" are $")[1].split(" ")[0].replace(",", ""))
    months = float(headline.split("pay back in ")[1].split(" ")[0])
    hold(question, headline.startswith("Yes: 2 x ") and price / 3000 < months < 1.5 * price / 3000, headline)
    question = "I pay $4k a month to an API for 300M tokens in and 60M out, would own GPUs be cheaper"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading["model"] == "70b" and any(each["field"] == "model" for each in reading["assumed"]), reading)
    hold(question, "pay back in" in answer["headline"] or "to buy is not known" in answer["headline"], answer["headline"])
    _, answer, _ = ask("how many months to pay back an 8xh100 server vs an api bill of $20k a month")
    hold("months", "bought pays after" in answer["headline"] and "from the API" in answer["headline"], answer["headline"])


def prices_of_both_sides_are_read():
    for question, read, written in (("groq charges 0.59 in and 0.79 out per million for llama 70b. at what volume does a rented 2x a100 80gb beat that", 0.59, 0.79),
                                    ("gpt-4o-mini ($0.15 / $0.60) vs self hosting mistral small 24b", 0.15, 0.6),
                                    ("deepseek api is $0.27/M input $1.10/M output, is renting 8xh200 for deepseek v3 cheaper?", 0.27, 1.1)):
        reading, _, _ = ask(question)
        hold(question, reading.get("usd_per_million_read") == read and reading.get("usd_per_million") == written and "budget_usd" not in reading, reading)
    for question in ("$/1M output tokens for llama 405b fp8 on 8xh200", "cost per 1000 requests of llama 70b, 1500 in 400 out on h100"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "throughput" and "budget_usd" not in reading and reading.get("concurrency") != 1000, reading)
    # 1,000 answers of 400 tokens at the price of a million of those.
    headline = answer["headline"]
    thousand, million = (float(headline.split("$")[k].split(" ")[0].replace(",", "")) for k in (1, 2))
    hold(question, "for 1000 requests of 1500 tokens in and 400 out" in headline and isclose(thousand, million * 0.4, rel_tol=0.03), headline)


def each_kind_of_rent_has_its_price_for_the_work():
    for question in ("spot or on demand for an endpoint with llama 70b", "spot or on-demand for a production llama 8b api"):
        _, answer, _ = ask(question)
        hold(question, "On demand it is $" in answer["headline"] + " " or "on demand it is $" in answer["headline"].lower(), answer["headline"])
        hold(question, "may be taken away at any time" in answer["headline"], answer["headline"])
    reading, answer, _ = ask("spot vs on-demand vs buying 8 h100 for a year")
    hold("three", reading["intent"] == "own" and "owned" in answer["headline"] and "rented" in answer["headline"], answer["headline"])
    headline = ask("price gap between a100 and h100")[1]["headline"]
    hold("gap", "more than the first (" in headline, headline)
    # $1.30 an hour of 730 hours.
    headline = ask("what is the h100 reserved 1 year monthly price")[1]["headline"]
    hold("monthly", "$949 a month" in headline, headline)
    headline = ask("i have $5000 of cloud credits, how long can i run a 70b endpoint")[1]["headline"]
    hold("credits", "$5,000 pay for " in headline and " days" in headline, headline)


def a_bill_of_months_comes_first():
    # Hours of a month are 730.
    for question, months, day in (("monthly bill for serving llama 3.1 70b", 1, 24), ("how much a month to host a 13b for 10 users, 8 hours a day", 1, 8), ("serving gpt-oss-120b for 100 users for 6 months, what does it cost", 6, 24)):
        _, answer, code = ask(question)
        usd = answer["choice"]["usd_per_hour"] * 730 * months * day / 24
        hold(question, code == 0 and isclose(value(answer, "bill"), usd, rel_tol=0.01) and answer["headline"].startswith("$"), answer)
def a_sum_trains_on_as_many_cards_as_fill_it():
    # $25,000 at $2.5 to $4 an H100 hour: 6,250 to 10,000 hours at 35 to 50 % of 989 TFLOP/s are 0.8e22 to 1.8e22 FLOP;
    # 120 N^2 of a dense model: 8B to 12B. One card holds half of that.
    for question in ("Budget $25k total, pretrain the best dense model I can (chinchilla), H100s on demand. what size", "what size model can i pretrain for $25k on h100s"):
        _, answer, code = ask(question)
        hold(question, code == 0 and 7e9 <= value(answer, "model") <= 13e9 and answer["choice"]["count"] >= 8, answer)
        hold(question, "Nothing with a known price" not in text(question), text(question))


def what_is_left_of_a_sum_is_spent():
    # 3,000 of 5,000 dollars rent three fifths of the hours.
    whole, rest = (ask(f"{sum_} what can i train on h100s")[1]["headline"] for sum_ in ("$5000,", "spent $2000 of $5000,"))
    hours = [float(re.search(r"([\d.,]+) hours", each)[1].replace(",", "")) for each in (whole, rest)]
    hold("hours", abs(hours[1] / hours[0] - 0.6) < 0.02, (whole, rest))
    for question, usd in (("$300 left of a $1000 budget, gpu for sdxl", 300), ("i have $5000 and already spent $2000, best gpu for llama 8b", 3000)):
        hold(question, ask(question)[0].get("budget_usd") == usd)


def time_on_hardware_is_rented():
    for question in ("$5k worth of time on 8 a100", "5k of gpu time on h100s"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and "--buy" not in reading["flags"] and " hours of " in answer["headline"], (reading, answer))


def sums_in_everyday_words():
    for question, usd in (("a grand for a card that runs gpt-oss-20b", 1000), ("a couple of grand for a box for llama 70b", 2000),
                          ("i have a couple thousand bucks for local llms", 2000)):
        reading, _, _ = ask(question)
        hold(question, reading.get("budget_usd") == usd, reading)
    reading, _, _ = ask("what would i get with 2500 aussie dollars for local llms")
    hold("aussie", 1300 < reading.get("budget_usd", 0) < 2000, reading)


def the_price_of_one_side_is_no_limit():
    for question in ("dgx spark ($4k) vs mac studio m3 ultra 96gb for gpt-oss-120b", "4090 (1600) vs 5090 ($2600) for qwen3 32b"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "compare" and "budget_usd" not in reading and "above the sum" not in text(question), reading)


def a_bare_price_of_tokens_is_weighed():
    for question in ("at what monthly token volume is self hosting qwen3 32b cheaper than paying 0.60 per million tokens", "paying 0.60 per million tokens for qwen3 32b, when is self hosting cheaper"):
        reading, answer, _ = ask(question)
        hold(question, "the API's $0.60 a million tokens" in answer["headline"] and "0.60" not in reading["not_understood"], answer["headline"])


def used_ones_are_bought():
    for question in ("best bang for buck for 70b q4 15 t/s, used cards fine", "70b q4 15 t/s cheapest, used is ok"):
        reading, answer, _ = ask(question)
        hold(question, "--buy" in reading["flags"] and answer["headline"].startswith("Buy "), answer["headline"])


run(globals())
