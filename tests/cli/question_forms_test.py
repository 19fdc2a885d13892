#!/usr/bin/env python3
"""Questions that leave a form open: of a part, of what is built in or bought; what is recommended agrees with itself.

Usage: question_forms_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
import re

from asked import ask, document_of, hold, run, text, value


def the_cheapest_form_that_is_offered_answers():
    # "a100" is four forms: none that takes both more time and more money than another one answers.
    for question, forms in (("lora llama 3.1 8b on {}, 200M tokens, cost", ("2x a100", "2x a100 pcie 80gb", "2x a100 sxm 80gb")),
                            ("train resnet50 200 epochs imagenet {}", ("2x a100", "2x a100 pcie 80gb", "2x a100 sxm 80gb"))):
        figures = []
        for form in forms:
            _, answer, code = ask(question.format(form))
            hold(form, code == 0, answer)
            figures.append((value(answer, "cost"), answer["headline"]))
        open_form, said = figures[0], [each[0] for each in figures[1:]]
        hold(question, open_form[0] <= 1.001 * min(said), figures)
        hold(question, "costs least; others take" in open_form[1] and "idle" not in open_form[1].split(";")[0], open_form[1])
    _, answer, _ = ask("llama 3.1 8b vllm 100 users on 2x a100 cost per million tokens")
    _, pcie, _ = ask("llama 3.1 8b vllm 100 users on 2x a100 pcie 80gb cost per million tokens")
    hold("served", value(answer, "cost") <= 1.001 * value(pcie, "cost"), (answer["headline"], pcie["headline"]))


def what_one_owns_keeps_its_usual_form():
    hold("owned", "costs least" not in text("how long does lora of llama 3.1 8b take on my 2x a100, 200M tokens"))


def a_kind_that_is_not_listed_falls_back():
    said = text("1b model, 20b tokens, 4x 4090 spot")
    hold("4x 4090 spot", "No spot rent of 4 in one place is listed" in said and re.search(r"\$\d+ \(\$", said), said)


def modules_are_built_in():
    # What a robot carries is a module of which one keeps 30 frames, and its frames are no tokens.
    for question in ("is there any gpu for 30 fps yolov8n on a robot? small and low power", "jetson for yolov8n 30 fps",
                     "what would you put on a drone for yolov8n at 30 fps"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["choice"]["accelerator"].startswith("jetson"), answer)
        hold(question, "per million tokens" not in answer["headline"] and " a day" not in answer["headline"], answer)
        hold(question, "8 x" not in answer["headline"], answer)
    _, answer, _ = ask("gpu to train a robot policy, resnet-50, 100k images")
    hold("a robot's policy is trained elsewhere", not answer["choice"]["accelerator"].startswith("jetson"), answer)


def a_card_of_low_power_is_fed_by_its_slot():
    said = text("low power gpu for a 70b model in q4")  # 40 GB: no card of 75 W has them
    hold("70b", "No card that a slot feeds (75 W)" in said, said)


def energy_of_pictures_is_not_of_tokens():
    said = text("most energy efficient gpu for yolov8n at 30 fps")
    hold("yolov8n", "kWh per million tokens" not in said and "kWh per million samples" in said, said)


def kernels_have_prices_and_are_bought():
    said = text("what do i need for 3d ffts, 512^3, double precision")
    hold("rent", re.search(r"by rent \(\$[\d.]+/h, [\w-]+, \d{4}-\d\d-\d\d\)", said) and " To buy: " in said, said)
    for question, most in (("cheapest gpu for fp64 3d fft 512^3 to buy", 1e9), ("best fp64 card under 5000 dollars for fft 512^3", 5000)):
        document, code = document_of(question)
        first = document["places"][0]
        hold(question, code == 0 and 0 < first["usd_to_buy"] <= most and "by rent" not in document["answer"]["headline"], document["answer"])
        hold(question, re.search(r"about \$[\d,]+ \((used|new), 20\d\d", document["answer"]["headline"]), document["answer"])
    steps = ask("7 point stencil 512^3 fp32 on a100 80gb sxm, how many steps per second")[1]
    hold("steps", abs(value(steps, "runs") * value(steps, "time") - 1) < 1e-6 and "steps a second" in steps["headline"], steps)


def steps_of_a_kernel_are_no_size_of_it():
    one = ask("nbody 10k bodies on a 4090")[1]
    reading, many, _ = ask("nbody 10k bodies 1000 steps on a 4090")
    hold("nbody", "--elements 10000 " in reading["flags"] and many["headline"].startswith("1k steps take "), (reading, many))
    hold("1000 times", abs(value(many, "steps_time") / value(one, "time") - 1000) < 1, (one, many))
    hold("stencil", ask("stencil 512^3 1000 steps on a 4090")[1]["headline"].startswith("1k steps take "))
    hold("md", "--elements 100000 " in ask("md 100k atoms 1000 steps on a 4090")[0]["flags"])


def sums_in_fp16_are_those_of_products():
    document, _ = document_of("gemm 8192 fp16 accumulate on a 4090")
    wide, _ = document_of("gemm 8192 fp16 on a 4090")
    hold("flags", "--dtype fp16 --fp16-accumulate true" in document["reading"]["flags"], document["reading"]["flags"])
    hold("json", document["kernel"]["dtype"] == "fp16" and document["kernel"]["accumulate"] == "fp16" and "accumulate" not in wide["kernel"], document["kernel"])
    # 330 against 165 TFLOP/s on paper.
    hold("rate", 1.3 < value(wide["answer"], "time") / value(document["answer"], "time") < 2.1, (wide["answer"], document["answer"]))
    hold("fft", "--fp16-accumulate" not in ask("fft 512^3 fp16 accumulate on a 4090")[0]["flags"])


def operations_are_of_the_size_that_was_said():
    # A network of convolutions does four times as much at twice the side; a transformer has a patch more than four times as often.
    for model, own, side, least, most in (("resnet-50", 224, 448, 3.9, 4.1), ("vit-b-16", 224, 384, 2.9, 3.3)):
        usual, sized = (value(ask(f"flops of {model}{at}")[1], "flops") for at in ("", f" at {side}"))
        hold(model, least < sized / usual < most, (usual, sized))


def the_smallest_is_of_the_stack_that_fits():
    # A card that QLoRA of it is said to fit on under Unsloth is not smaller than the smallest.
    document, _ = document_of("smallest gpu to qlora qwen2.5 7b")
    _, fit, _ = ask("can a 3060 12gb qlora qwen2.5 7b")
    hold("3060", fit["verdict"] == "yes", fit)
    hold("smallest", re.search(r"holds it is 1 x .*That is with ", document["answer"]["headline"]) and
         "Radeon" not in document["answer"]["headline"].split(".")[0], document["answer"])
    hold("flags", "--framework" in document["reading"]["flags"] or "--loss" in document["reading"]["flags"], document["reading"])
    # Of cards of 80 GB that which costs least.
    document, _ = document_of("grpo on qwen2.5-3b with trl, whats the smallest rig that works")
    answer = document["answer"]
    priced = [each for each in document["options"] if each["cluster"]["accelerators"] == 1] if "cluster" in document["options"][0] else []
    hold("rig", answer["choice"]["count"] == 1 and "usd_per_hour" in answer["choice"], (answer, priced[:1]))


def the_sentence_recommends_what_the_document_does():
    for question in ("dpo llama 3.1 70b full parameters, how many H100s", "how many a100 80gb do I need to full fine tune a 34b"):
        _, answer, _ = ask(question)
        rented = re.search(r"(?:Rent|Buy) (\d+) x", answer["headline"])
        hold(question, rented and int(rented[1]) == answer["choice"]["count"], answer)


def one_card_is_not_outrun_by_four():
    said = text("i have 1500 bucks, which card for qlora on 13b models")
    hold("one card", "4 x" not in said.split("Read as")[0], said)
    # What no estimate tells to be faster is not paid for twice.
    document, _ = document_of("have a 1080 ti, doing object detection training, 800 euro to spend on something newer")
    first = document["options"][0]
    for other in document["options"][1:]:
        slower = first["work_per_second"] / other["work_per_second"] if "work_per_second" in first else 2
        hold("detection", slower > 1.1 or other["purchase_usd"] > 0.75 * first["purchase_usd"] or other["barely"], (first, other))


def adapters_of_pictures_are_recomputed():
    document, _ = document_of("flux.1-dev lora memory requirement")
    needs = document["answer"]["needs_gib"]["mid"]
    # 12e9 parameters of 2 bytes are 22.2 GiB; text encoders and what stands beside them up to 10 more.
    hold("flux", 22.2 < needs < 40 and "Without recomputation" in document["answer"]["headline"], document["answer"])
    batch = [each["value"] for each in document["reading"]["assumed"] if each["field"] == "batch"]
    hold("flux", batch == ["1"], document["reading"]["assumed"])


def devices_of_a_side_are_told():
    said = text("pretrain 13b: 8x mi300x vs 16x mi250x")
    hold("mi250x", "16 cards of AMD Instinct MI250X are 32 devices" in said, said)


def a_memory_that_no_part_is_listed_with_has_its_rate():
    # 400 GB/s over 42.5 GB of weights is 9.4 tokens/s at most.
    _, answer, code = ask("can my macbook m3 max 96gb run llama 70b q4")
    rate = next(each["mid"] for each in answer["value"] if each["quantity"] == "decode")
    hold("m3 max", code == 0 and answer["verdict"] == "yes" and 4 < rate < 9.4 and "It makes" in answer["headline"], answer)


def the_roomiest_form_is_judged():
    _, answer, code = ask("can an a100 full finetune a 70b")
    hold("a100", answer["verdict"] == "no" and code == 3 and answer["have_gib"] > 70, answer)


def a_consumer_card_in_a_system():
    reading, answer, _ = ask("gromacs 250k atom system, which consumer card")
    hold("gromacs", "consumer" in reading.get("require", []) and "GeForce" in answer["headline"], answer)


def articles_have_no_ids():
    for question in ("a100 vs h100 for llama 8b training", "a100 vs h100"):
        hold(question, "article-" not in text(question, "--explain"))


def machines_that_are_joined_hold_modules():
    # Two servers of eight are of SXM modules; the form for a slot (94 GB) just holds it and takes seven times as long.
    _, answer, code = ask("how long to lora llama-3.1-405b, 5000 examples x 2k tokens on 16 h100s over 2 nodes")
    hold("16 h100s", code == 3 and answer["choice"]["accelerator"] == "h100-sxm5-80gb" and "--method qlora" in answer["headline"], answer)


def a_chip_of_less_memory_is_a_part_of_its_own():
    # Apple sells the M4 Max with 36 GB with 32 cores and 410 GB/s, with more with 40 and 546.
    for question, gb_per_s in (("m4 max studio 36gb memory bandwidth", 410), ("m4 max 64gb memory bandwidth", 546), ("bandwidth of an m4 max", 546)):
        _, answer, _ = ask(question)
        hold(question, value(answer, "bandwidth") == gb_per_s and answer["headline"].count("GB/s") == 1, answer)
    _, answer, _ = ask("jetson orin nano super memory bandwidth")
    hold("orin nano super", value(answer, "bandwidth") == 102, answer)
    reading, _, _ = ask("laptop: rtx 4060 8gb or 4070 8gb for local llms")
    hold("laptop:", [each["accelerator"] for each in reading["sides"]] == ["rtx-4060-laptop", "rtx-4070-laptop"], reading["sides"])


def the_rest_of_a_run_is_answered():
    # 40 % of 500B tokens on 16 A100 at some 340k tokens a second: 200e9 / 342e3 s = 6.8 days.
    _, answer, _ = ask("resume: 60% done of 500B token run 1.3b, 16 A100 80GB left. time remaining + spend")
    days = value(answer, "time")
    hold("rest", 5 < days < 9, answer["headline"])


def a_share_of_a_machine_is_compared():
    _, answer, _ = ask("gb200 nvl72 fraction: 8 gpus of it vs 8x h200 for deepseek v3 decode at 256 batch")
    hold("nvl72", "8 x NVIDIA GB200" in answer["headline"] and "72 x" not in answer["headline"], answer["headline"])


def a_count_behind_a_comma_is_no_length():
    _, answer, _ = ask("fit check: llama-4-scout int4, 1M context, 8x A100-80")
    hold("scout", answer["headline"].startswith("Yes") and "8 tokens" not in answer["headline"], answer["headline"])


def prices_of_sides_are_weighed():
    # 36 GB/s a dollar either way of the same file: the rates that are told, by the prices that are told.
    for question in ("v100 32gb sxm2 with adapter board ~ 500 usd or rtx 3090 ~ 700, for local inference of 30B", "3090 for 700 or 4090 for 1600 for qwen3 32b q4 at home"):
        reading, answer, _ = ask(question)
        told = [float(each.replace(",", "")) for each in re.findall(r"\$([0-9,]+)", answer["headline"].split("Better value")[-1])]
        hold(question, "Better value" in answer["headline"] and 700 in told and "above the" not in answer["headline"] and "budget_usd" not in reading, answer["headline"])


def what_is_ruled_out_of_a_plan_stays_out():
    for question in ("long context sft: 128k seq llama-3.1-8b full on 8x h200 possible w/o context parallel?", "llama-3.1-8b full sft at 128k on 8 h200, no context parallelism"):
        reading, _, _ = ask(question)
        hold(question, "--context 1" in reading["flags"] and not re.search(r"\bcp\d", text(question)), reading["flags"])


def the_pace_of_reading_bounds_the_largest():
    # 9.4 GB/s of a Raspberry Pi 5 read a dense file of 1.9 GB five times a second; a mixture by its active part.
    _, answer, _ = ask("raspberry pi 5 8gb, biggest llm that still types faster than i read")
    hold("pi", "5 tokens/s or more" in answer["headline"] and "9b" not in answer["headline"].split("(")[0], answer["headline"])


def a_rented_time_has_its_sum():
    # The least spot rent that holds 70B in 4 bits is below a dollar an hour: 72 h below $100.
    _, answer, _ = ask("cheapest spot option to run 72 h of qlora on llama 70b, not vast")
    usd = float(answer["headline"].split(" ")[0].strip("$"))
    hold("72 h", 30 < usd < 100 and abs(usd - 72 * answer["choice"]["usd_per_hour"]) < 1, answer["headline"])


def cards_for_each_of_two_models():
    _, answer, _ = ask("arc b580 vs 3060 12gb for sdxl + small llms")
    hold("sdxl + llm", "for both" in answer["headline"] and "tokens/s" in answer["headline"] and "images/s" in answer["headline"], answer["headline"])


def clips_at_home_are_made_in_4_bits():
    _, answer, _ = ask("Welche Grafikkarte für Flux und Wan Videos zuhause, maximal 1200 Euro?")
    hold("flux und wan", answer["headline"].startswith("Buy 1 x ") and "wan2.2-t2v-a14b" in answer["headline"], answer["headline"])
    _, answer, _ = ask("Cheapest card that does hunyuan video locally, used ok")
    price = float(re.search(r"about \$([0-9,]+)", answer["headline"]).group(1).replace(",", ""))
    hold("hunyuan", price < 1500 and "comfyui" in ask("Cheapest card that does hunyuan video locally, used ok")[0]["flags"], answer["headline"])


def a_price_of_long_ago_is_no_price():
    reading, _, _ = ask("P40 24gb off ebay in 2026, still sane for 70b q4 if i buy 2?")
    prices = [each for each in reading["assumed"] if each["field"] == "price"]
    hold("p40", prices and prices[0]["value"] == "not known" and "2016" in prices[0]["why"], prices)


def a_number_that_keeps_a_time_is_no_number_offered():
    _, answer, _ = ask("deadline 36h: LoRA sft 32B on 400M tokens x 3 epochs. smallest node?")
    hold("36h", "that is offered is" not in answer["headline"], answer["headline"])


def a_rate_that_is_missed_differs_from_what_is_wanted():
    missed = re.search(r"serves ([0-9.]+) requests/s, ([0-9.]+) are", text("200 req/min, 6k prompt 400 completion, qwen2.5-32b awq: how many l40s"))
    hold("l40s", missed and missed[1] != missed[2], missed)


def the_host_is_told_where_it_is_needed():
    # 16 bytes of weights, gradients and states for each of 13e9 parameters: 194 GiB.
    headline = ask("zero3 offload 13b full ft single 4090 with 256GB host ram will it go")[1]["headline"]
    held = re.search(r"([0-9.]+) GiB wait in the host's memory, of ([0-9.]+)", headline)
    hold("13b", headline.startswith("Yes") and held and 150 < float(held[1]) < 250 > float(held[2]) * 0.9, headline)


def throughput_of_servers_is_of_many_at_once():
    for question in ("tp8 vs tp4dp2 for llama 70b on a dgx h100, aggregate tok/s", "nvfp4 vs fp8 qwen3-32b single b200, throughput delta"):
        headline = ask(question)[1]["headline"]
        rates = [float(each.replace(",", "")) for each in re.findall(r"([0-9][0-9,.]*) against ([0-9][0-9,.]*)", headline)[0]]
        hold(question, min(rates) > 1000, headline)


def cards_that_are_counted_have_any_form():
    reading, _, _ = ask("DPO llama 3.1 70b lora bf16 needs how many 80GB cards incl. ref model")
    hold("80GB cards", "--require" not in reading["flags"], reading["flags"])


def what_was_paid_is_no_word_unread():
    reading, _, _ = ask("got a used 3090 for 650, what's the longest wan 2.2 clip i can make at 720p")
    hold("650", "650" not in reading.get("not_understood", []), reading)


def a_time_is_printed_as_it_was_said():
    reading, _, _ = ask("5 req/s of mistral small 24b, 1500 in 200 out, ttft under 700ms, what should we rent")
    hold("700ms", "--ttft 0.7s " in reading["flags"], reading["flags"])


if __name__ == "__main__":
    run(globals())
