#!/usr/bin/env python3
"""Questions of who pays: what is owned costs its electricity, owning is weighed against every rent, a sum goes where its words send it.

Usage: question_owning_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. The numbers are those of each question.
"""
from math import isclose

from asked import ask, hold, run, text, value


def assumed(reading, field):
    return next((each for each in reading.get("assumed", []) if each["field"] == field), {})


def what_is_owned_costs_its_electricity():
    # A 3090 draws 350 W and its share of a host: at 30 cents a kWh less than 25 cents an hour, whatever a rent asks.
    question = "what does it cost me per million tokens on my own 3090, llama 3.1 8b q4, electricity 0.30"
    reading, answer, _ = ask(question)
    hold(question, reading.get("usd_per_kwh") == 0.3 and "of electricity" in answer["headline"], answer)
    hours = 1e6 / value(answer, "total") / 3600
    hold(question, 0.35 * 0.3 * 0.4 < value(answer, "cost") / hours < 0.25, (value(answer, "cost") / hours, answer))
    double = value(ask(question.replace("0.30", "0.60"))[1], "cost")
    hold(question, isclose(double, 2 * value(answer, "cost"), rel_tol=0.01), (double, answer))
    rented = "what does it cost per million tokens on a rented 3090, llama 3.1 8b q4"
    hold(rented, "electricity" not in ask(rented)[1]["headline"], ask(rented)[1])
    question = "how long does a lora of llama 3.1 8b on alpaca take on our own a6000"
    hold(question, "of electricity" in ask(question)[1]["headline"], ask(question)[1])


def the_price_of_an_api_stands_beside():
    question = "cost per 1M output tokens self hosting llama 3.3 70b on own 4x 4090 vs api price 0.60"
    reading, answer, _ = ask(question)
    hold(question, reading.get("usd_per_million") == 0.6 and "$0.60 a million tokens" in answer["headline"], answer)
    # Users that nobody told are fewer before weights are narrower than 4 bits.
    hold(question, "iq3" not in answer["headline"] and "q3_k" not in answer["headline"], answer)


def a_price_of_electricity_needs_no_unit():
    for question in ("energy cost of 16 h100 per month at 0.18 usd", "energy cost of 16 h100 per month at 0.18 dollars", "16 h100 per month, electricity 0.18, what does the energy cost"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("usd_per_kwh") == 0.18 and reading["intent"] == "describe" and "budget_usd" not in reading, reading)
        # 16 of 700 W at all hours are 8,176 kWh before servers and cooling.
        hold(question, 8176 * 0.18 < value(answer, "cost") < 3 * 8176 * 0.18, answer)
    question = "electricity cost per month of 8x h200 running 100% at 0.20 eur per kwh"
    reading, answer, _ = ask(question)
    rate = float(assumed(reading, "usd_per_euro").get("value", 0))
    hold(question, rate > 1 and f"{value(answer, 'cost') / rate:,.0f} euro"[:3] in answer["headline"] and " euro" in answer["headline"], answer)
    hold(question, "compute capability" not in text(question), text(question))


def a_sum_for_the_cloud_rents():
    for question in ("what can I train with 300 dollars of cloud", "what can I do with $2000 of rented gpus"):
        answer = ask(question)[1]
        hold(question, answer["choice"]["why"] == "rent" and "hours of" in answer["headline"] and " for $" not in answer["headline"].split("hours")[0], answer)
    for question in ("I have 10k to spend on a local llm box, what do I buy", "best gpu for llms under 500 dollars", "buy an fp64 gpu for cfd, budget 20000 dollars"):
        answer = ask(question)[1]
        hold(question, answer["choice"]["why"] == "buy" and "rented from" not in answer["headline"] and "or rent" not in text(question), answer)
    question = "what can I do with $2000, rent or buy"
    hold(question, "choice" in ask(question)[1], ask(question)[1])


def cheaper_than_a_provider_searches_the_others():
    for question in ("cheaper provider than aws for 4 a100", "we pay aws 30000 a month for 8 h100, where is it cheaper", "we pay 9000 a month for 4 a100 at aws, is there something cheaper to rent"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("providers_excluded") == ["aws"] and "providers" not in reading, reading)
        hold(question, "(aws" not in answer["headline"] and "None is listed" not in answer["headline"], answer)
    question = "we pay aws 30000 a month for 8 h100, where is it cheaper"
    answer = ask(question)[1]
    hold(question, "a month instead of $30,000" in answer["headline"] and 730 * answer["choice"]["usd_per_hour"] < 30000, answer)
    both = "is runpod cheaper than aws for 4 a100"
    hold(both, sorted(ask(both)[0].get("providers", [])) == ["aws", "runpod"], ask(both)[0])
    question = "we spend 9000 a month on 4 A100 at aws, is it time to buy?"
    answer = ask(question)[1]
    hold(question, "Elsewhere they rent for $" in answer["headline"] and "as told" in answer["headline"], answer)


def the_reason_of_a_form_is_true():
    question = "rent or own a single h200 for 12 months"
    reading, answer, _ = ask(question)
    why = assumed(reading, "accelerators").get("why", "")
    hold(question, answer["choice"]["accelerator"] == "h200-nvl-141gb" and "sold as a card" in why and "rented most" not in why, reading)
    # The module is rented for less than the card, and is no worse.
    sxm = value(ask("rent or own a single h200 sxm for 12 months")[1], "renting")
    hold(question, value(answer, "renting") <= sxm and "H200 SXM" in answer["headline"], (sxm, answer))
    hold("4090", assumed(ask("rent or buy a 4090 for a year")[0], "accelerators") == {}, "one form alone")


def one_machine_is_not_weighed_against_itself():
    question = "tco of 4 dgx h100 over 3 years at 0.12 per kwh vs renting 32 h100"
    reading, answer, _ = ask(question)
    hold(question, "as much work on it" not in answer["headline"] and "rented from" in answer["headline"], answer)
    hold(question, reading["flags"] == "h100-sxm5-80gb:8x4 --years 3 --electricity 0.12", reading["flags"])
    other = "buy a 4090 or rent an h100 for 6 months"
    reading, answer, _ = ask(other)
    hold(other, "as much work on it" in answer["headline"] and reading["flags"] == "rtx-4090 --years 0.5", reading["flags"])


def an_hour_of_what_is_owned():
    for question in ("amortised cost per gpu hour of owning 64 mi300x for 4 years", "cost per gpu hour if I buy 64 mi300x for 4 years"):
        reading, answer, _ = ask(question)
        each = value(answer, "owning") / 64
        hold(question, reading["intent"] == "own" and f"${each:.2f} an hour for each" in answer["headline"], answer)
        # All of it over all its hours.
        hold(question, isclose(each, value(answer, "total") / (64 * 4 * 8760), rel_tol=0.01), answer)
        hold(question, "Buy: $" not in answer["headline"], answer)


def what_is_reserved_is_paid_at_all_hours():
    question = "reserved 1 year vs on demand for 8 h100: which saves more if we use it 50% of time"
    answer = ask(question)[1]
    hold(question, answer["headline"].startswith("On demand, unless it is reserved for less than $1.25/h each"), answer)
    # 20 dollars an hour for half of 8,760 hours.
    hold(question, "for 12 months (4,380 hours): h100-pcie-80gb from $87,600" in answer["headline"], answer)


def hours_of_a_month_are_shared():
    question = "cheapest way to get 1000 h100 hours this month"
    reading, answer, _ = ask(question)
    hold(question, assumed(reading, "at_once").get("value") == "2" and "2 at once" in answer["headline"] and "as spot from $1,8" in answer["headline"], answer)
    question = "need 2000 a100 hours within a month, what does it cost"
    reading, answer, _ = ask(question)
    hold(question, assumed(reading, "at_once").get("value") == "3" and answer["headline"].startswith("2,000 hours"), answer)


def an_old_price_tells_its_age():
    question = "what graphics card should I get to run gemma 3 27b at home"
    answer = ask(question)[1]
    hold(question, "$599 (new, 2025-09, 14 months old)" in answer["headline"] or "months old" not in answer["headline"], answer)
    hold("r9700", "2025-07, 16 months old" in ask("price of a radeon ai pro r9700")[1]["headline"], ask("price of a radeon ai pro r9700")[1])
    hold("4090", "months old" not in ask("price of an rtx 4090")[1]["headline"], ask("price of an rtx 4090")[1])


def hardware_that_is_left_behind_is_not_bought():
    for question in ("we have 100k for an hpc node with fp64, what to buy", "which gpu to buy for fp64 cfd"):
        _, answer, _ = ask(question)
        hold(question, answer["choice"]["accelerator"] not in ("p100-pcie-16gb", "v100-pcie-16gb"), answer)
    question = "we have 100k for an hpc node with fp64, what to buy"
    hold(question, ask(question)[0].get("budget_usd") == 100000, ask(question)[0])


def a_sum_for_eight_modules_is_that_of_their_server():
    reading, answer, _ = ask("own 8xH100 server for 250k vs renting at $2.20/gpu/hr, 3 years, break even?")
    hold("server", "--system-price 250000" in reading["flags"] and "$250,000 to buy" in answer["headline"], (reading["flags"], answer["headline"]))


def contracts_are_what_they_are():
    reading, answer, _ = ask("breakeven months for an 8x b200 box vs 1yr reserved cloud")
    months = next(each["mid"] for each in answer["value"] if each["quantity"] == "payback")
    hold("breakeven", "--years 1" not in reading["flags"] and "bought pays after" in answer["headline"] and months > 24 and "three years" in answer["headline"], answer)
    headline = ask("h100 1 year reserved price per gpu hour, not azure not oracle")[1]["headline"]
    hold("1 year", "contracts of three years were about $1.30/h" in headline and "shorter ones cost more" in headline and "11,388" not in headline, headline)
    headline = ask("rent vs buy 16 h200 over 3 yrs incl power at 0.28 eur/kwh")[1]["headline"]
    hold("16 h200", headline.startswith("Reserve, if a contract of years is offered below $") and "else buy" in headline, headline)


def a_contract_is_of_the_provider_whose_instance_is_named():
    # p5 is an instance of aws, at $55.04/h on demand: what the market paid others is no rate of it.
    for question in ("3yr reserved p5 or buying our own 8x h100 server?", "3 year reserved p5.48xlarge or own 8 h100"):
        headline = ask(question)[1]["headline"]
        hold(question, headline.startswith("Reserve, if a contract of years is offered below $") and "rented from aws" in headline and "$55.04/h" in headline, headline)
    headline = ask("3 years reserved or buying our own 8x h100 server?")[1]["headline"]
    hold("of nobody", "the market's contracts" in headline, headline)


def idle_time_is_no_use():
    # 20 % of use is below the use from which owning pays, 80 % above it.
    headline = ask("4 h100, gpus idle 80% of the time, does owning pay")[1]["headline"]
    hold("idle 80", headline.startswith("Rent") and "20 % use" in headline, headline)
    headline = ask("4 h100, gpus busy 80% of the time, does owning pay")[1]["headline"]
    hold("busy 80", headline.startswith("Buy") and "80 % use" in headline, headline)
    headline = ask("8 h100 used 30 %, idle 70 % of the day: own or rent")[1]["headline"]
    hold("both", "30 % use" in headline, headline)


def sellers_have_a_home():
    for question in ("cheapest 8x h100 in eu region", "8x h200 price in europe"):
        headline = ask(question)[1]["headline"]
        hold(question, any(name in headline for name in ("hyperstack", "nebius", "verda")), headline)
    reading, answer, _ = ask("h100 in germany price")
    hold("germany", " in germany " in answer["headline"], answer["headline"])


def a_price_that_is_asked_for_a_card_is_no_budget():
    # 8 billion weights of 8.5 bits are 8.5 GB of 11.
    for question in ("will a used 1080 ti still do for llama 8b? a friend is selling one for $150", "is a used 3090 for $700 enough for qwen2.5 32b q4?", "can i use a 3090 that i can get for $800 for qwen 32b q4"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["verdict"] == "yes" and "Nothing fits" not in answer["headline"], answer)
    headline = ask("is a used 3090 for $700 enough for qwen2.5 32b q4?")[1]["headline"]
    hold("its price", "Cheaper than usual" in headline and "$700 against $" in headline, headline)
def a_room_is_let_by_its_power():
    # 180 dollars a kW: with it owning costs more than in a room of one's own, by what a kW takes.
    question = "rent or buy 16 mi300x for 5 years, colo at $180/kW/month"
    _, answer, code = ask(question)
    hold(question, code == 0 and "--colocation 180" in text(question), text(question))
    hold("per kWh", "--electricity 0.2" in text("rent or buy 16 mi300x for 5 years, $0.20 per kWh"), "")




def an_old_price_turns_no_verdict():
    # Owned at a price of years ago it costs less: nobody asks it today, so that the price at which it turns leads.
    for question in ("at what utilization does buying 4 a100 40gb beat the cloud", "break even utilization 4x a100 40gb", "4x a100 40gb buy or rent for 2 years"):
        _, answer, _ = ask(question)
        headline = answer["headline"]
        hold(question, answer["choice"]["why"] == "rent" and value(answer, "total") < value(answer, "total_rented"), answer)
        first = headline.split(". ")[0]
        hold(question, headline.startswith("Rent, unless ") and "price of 2020-05" in first and "owning pays above" in first, headline)
    # An estimate is no price that anybody asks, and is called one where the answer begins; that of the modules is more than a year newer than the rack's.
    question = "break-even months gb200 nvl72 vs renting 72 gb200s"
    _, answer, _ = ask(question)
    hold(question, "an estimate of 2026-05" in answer["headline"].split(". ")[0], answer["headline"])


def used_ones_are_owned():
    question = "payback time of a used a100 80gb pcie against aws, running 24/7"
    reading, answer, _ = ask(question)
    hold(question, "used" in reading.get("require", []) and "no used price is known" in answer["headline"], answer["headline"])
    hold(question, answer["headline"].startswith("Buy") and "No rent from aws is listed" in answer["headline"], answer["headline"])
    hold("hours", not ask("rent or buy a 4090 used 10 hours a day")[0].get("require"), "hours of use")


def a_tie_is_a_tie():
    question = "colo 16 l40s vs renting, electricity 0.30 per kwh, 2 yrs"
    headline = ask(question)[1]["headline"]
    hold(question, not headline.startswith("A tie") or "however busy" not in headline, headline)


def the_rent_that_is_named_is_weighed():
    question = "rent spot l40s or buy one, 1 year 24/7"
    reading, answer, _ = ask(question)
    hold(question, reading.get("price_kind") == "spot" and "(spot" in answer["headline"], answer["headline"])
    hold("on demand", "(on_demand" in ask("should i rent an l40s on demand or buy one, 2 years")[1]["headline"], "on demand alone")
    for question in ("buy 4 dgx h200 or rent p5en for 3 years at 70% utilisation", "own 4 dgx h200 vs p5en.48xlarge 3 years", "p5en.48xlarge vs buying 4 dgx h200, 3 years"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "own" and reading.get("count") == 32, reading)
        hold(question, "aws (on_demand, 4 x p5en.48xlarge" in answer["headline"], answer["headline"])
    question = "tco of eight h100 pcie in our datacenter over 4 yrs versus lambda"
    headline = ask(question)[1]["headline"]
    hold(question, headline.startswith("Owning") and "No rent from lambda is listed" in headline, headline)


def racks_of_ones_own_are_filled():
    question = "we have racks with 12 kW each and air cooling, what should we put in to serve deepseek v3 671b"
    reading, answer, _ = ask(question)
    hold(question, "--rack-kw 12" in reading["flags"] and reading.get("price_kind") == "purchase" and "Buy " in answer["headline"], answer["headline"])
    reading, answer, _ = ask("10 kw racks in our lab, what gpus for 70b training")
    hold("lab", "--buy" in reading["flags"] and answer["headline"].startswith("Buy "), answer["headline"])
    rented = "a rack of 12 kW at our colo or the cloud, what to rent to serve deepseek v3"
    hold(rented, "--buy" not in ask(rented)[0]["flags"], ask(rented)[0])


def a_sum_of_time_on_hardware_trains():
    for question in ("what can we train with 2 million dollars of b200 time", "what can i train with $50k of h100 time", "what could we train on 500k dollars worth of h200 compute"):
        reading, answer, _ = ask(question)
        first = answer["headline"].split(". ")[0]
        hold(question, reading["intent"] == "budget" and answer["choice"]["why"] == "rent" and not reading.get("buy"), reading)
        hold(question, "from scratch in" in first and "parameters" in first and "tokens" in first, first)
        hold(question, answer["choice"]["count"] > 1, answer["choice"])


def one_kind_of_hardware_is_owned():
    _, answer, _ = ask("compare dgx b200 and 8x mi300x node for serving llama 405b, total cost of ownership")
    hold("two nodes", answer["headline"].startswith("Without regard to mi300x"), answer)


def used_cards_of_data_centres_compute_in_doubles():
    # V100: 7 TFLOP/s in fp64, of consumer cards less than 2.
    for question in ("best fp64 card under 1000 dollars", "best used fp64 card under 1000 dollars"):
        _, answer, _ = ask(question)
        hold(question, answer["choice"]["accelerator"].startswith(("v100", "p100")) and "fans of a server" in answer["headline"], answer)


if __name__ == "__main__":
    run(globals())
