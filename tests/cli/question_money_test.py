#!/usr/bin/env python3
"""Questions about money: rents of one part told by its name, forms and memories that a price is of, money of the sides of a comparison.

Usage: question_money_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
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
    hold(question, len(prices) == 3 and prices[0]["of"] == "rtx-pro-6000-bw-max-q", answer)
    hold(question, [each["mid"] for each in prices] == sorted(each["mid"] for each in prices), answer)
    hold(question, "to buy GB $ each" in text(question) and "$/hour" not in text(question), text(question))
    for name in ("rtx pro 6000 blackwell max-q", "rtx pro 6000 max q", "rtx pro 6000 maxq", "rtx-pro-6000-bw-max-q"):
        reading, _, code = ask(f"price {name}")
        hold(name, code == 0 and reading.get("accelerators") == ["rtx-pro-6000-bw-max-q"] and not reading["not_understood"], reading)
    # "max" alone still bounds a number.
    reading, _, _ = ask("best gpu for llama 3.1 8b, 1500 max, to buy")
    hold("1500 max", reading.get("budget_usd") == 1500, reading)


run(globals())
