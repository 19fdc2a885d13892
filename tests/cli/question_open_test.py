"""Questions that name no model, no card or no computer: read again with what is usual for their kind, which the answer says.

    question_open_test.py RIDGELINE
"""
import re

from asked import ask, document_of, hold, run, text, value


def assumed(reading):
    return {each["field"]: each["value"] for each in reading.get("assumed", [])}


def what_replaces_cards_is_as_fast_as_all_of_them():
    # Memory that moves 4 x 1.56 TB/s and multiplies at 4 x 312 TFLOP/s is no single card of before 2023.
    question = "replace 4 a100 40gb, same throughput"
    reading, answer, code = ask(question)
    there = re.search(r"4 x NVIDIA A100 PCIe 40GB, makes ([\d,]+) tokens/s", answer["headline"])
    rate = re.search(r": ([\d,]+) tokens/s", answer["headline"])
    hold(question, code == 0 and assumed(reading)["replaced"].startswith("4 x a100") and reading["model"] == "8b", reading)
    hold(question, there and rate and int(rate[1].replace(",", "")) >= 0.95 * int(there[1].replace(",", "")), answer["headline"])
    # One of them is a quarter of that.
    one = ask("replace an a100 40gb for llama 3.1 8b with 64 users, same throughput")[1]["headline"]
    four = ask("replace 4 a100 40gb for llama 3.1 8b with 64 users, same throughput")[1]["headline"]
    rates = [int(re.search(r"A100 PCIe 40GB, makes ([\d,]+) tokens/s", each)[1].replace(",", "")) for each in (one, four)]
    hold("one and four", 1.5 * rates[0] < rates[1] < 4 * rates[0], (one, four))


def owning_is_weighed_for_the_work_that_was_told():
    few = ask("rent or buy 4 x a100 for lora of llama 3.1 8b, 20k samples a week")
    many = ask("rent or buy 4 x a100 for lora of llama 3.1 8b, 200k samples a week")
    hours = [float(assumed(reading)["hours_per_day"]) for reading, _, _ in (few, many)]
    hold("ten times the samples", 0 < hours[0] < 1 and 8 < hours[1] / hours[0] < 12, hours)
    hold("little use", few[1]["choice"]["why"] == "rent" and few[1]["headline"].startswith("Rent"), few[1])
    # What comes in a day is no time for which it is owned.
    _, answer, _ = ask("rent or buy an l4 for whisper large-v3, 500 hours of audio a day")
    hold("audio", "5 years" in answer["headline"], answer["headline"])


def a_card_that_nobody_named_is_a_usual_one():
    reading, answer, code = ask("should i buy or rent a gpu")
    hold("buy or rent", code == 0 and reading["intent"] == "own" and assumed(reading)["accelerators"] == "rtx-4090", reading)
    reading, answer, code = ask("renting gpu by the hour how much is it usually")
    hold("by the hour", code == 0 and reading["intent"] == "price" and answer["choice"]["usd_per_hour"] < 0.5, answer)
    reading, answer, code = ask("can two graphics cards share memory")
    hold("shared", code == 0 and answer["verdict"] == "yes" and "not pooled" in text("can two graphics cards share memory"), answer)


def of_two_memories_each_is_told():
    question = "does it matter if i get 12gb or 16gb for local ai"
    reading, answer, code = ask(question)
    both = [float(each) for each in re.findall(r"holds ([\d.]+)B parameters for serving in 4 bits", answer["headline"])]
    # 4.85 bits a weight: 12 GB are at most 19.8 billion, 16 GB 26.4 billion.
    hold(question, code == 0 and len(both) == 2 and 20 < both[0] < 26.4 and 14 < both[1] < 19.8, answer["headline"])


def a_processor_is_enough_or_not():
    question = "do i need a gpu to run llama or is cpu ok"
    _, answer, code = ask(question)
    hold(question, code == 0 and answer["headline"].startswith(("Without a GPU: ", "No GPU is needed: ")), answer)


def a_computer_that_nobody_described_has_one_card():
    for question in ("can i use my gaming pc for deepseek", "can i run deepseek r1 on my pc"):
        reading, answer, code = ask(question)
        hold(question, code == 3 and reading["intent"] == "fit" and answer["verdict"] == "no" and assumed(reading)["memory"] == "16 GB", reading)
        # 14.8 billion weights in 4.85 bits are 8.4 GiB, 32.8 billion 18.5: more than there is.
        hold(question, re.search(r"deepseek(?: r1|-r1)? 14b", answer["headline"]) and "39,918" not in answer["headline"], answer["headline"])
    _, answer, code = ask("can my gaming pc run llama")
    hold("llama", code == 0 and answer["verdict"] == "yes", answer)
    # A card that is named is that which is judged, what is to be bought is chosen.
    hold("bought", ask("what card does my pc need for llama 3.1 8b")[0]["intent"] == "hardware")


def what_a_company_asks_is_served():
    for question, users in (("chatbot trained on my company's documents", 50), ("rag chatbot for 150 users", 150), ("best server gpu for llm", 50)):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["model"] == "8b" and reading["concurrency"] == users and answer["headline"].startswith("For models of 8B: "), (reading, answer))
        hold(question, " for 70B " in answer["headline"], answer["headline"])
    reading, answer, code = ask("openai api vs own gpu for 300 employees")
    hold("api", code == 0 and not reading.get("not_understood") and reading["concurrency"] == 50 and "a price that was not said" in answer["headline"], answer)


def rates_of_a_card_are_those_of_the_usual_sizes():
    reading, answer, code = ask("tokens per second on a 4090")
    said = " ".join(re.findall(r"(\d+b) ", answer["headline"]))
    hold("rate", code == 0 and all(size in said for size in ("8b", "14b", "32b", "70b")), answer["headline"])
    reading, answer, code = ask("how many users can a 4090 handle")
    hold("users", code == 0 and reading["model"] == "8b" and value(answer, "concurrency") > 8 and answer["headline"].startswith("For models of 8b: "), answer)


def batches_and_loads():
    for question in ("what batch size can i use with 24gb for resnet50", "what batch size can i use for resnet50 on a 4090"):
        reading, answer, _ = ask(question)
        # Inference, which keeps nothing, would hold thousands.
        hold(question, reading["task"] == "training" and value(answer, "batch") < 1000, answer)
    reading, answer, _ = ask("llama 3.1 8b tokens/day at max batch on a 4090")
    hold("tokens/day", reading["intent"] == "throughput" and "tokens a day" in answer["headline"], answer)
    reading, _, _ = ask("transcribe 500 concurrent calls")
    hold("calls", reading["concurrency"] == 500 and reading["model"] == "whisper-large-v3", reading)


def models_of_pictures_are_loaded_in_turn():
    question = "flux and sdxl under $1500, amd ok?"
    _, answer, code = ask(question)
    hold(question, code == 0 and "One at a time" in answer["headline"] and "sdxl-unet" in answer["headline"], answer)


def a_sum_of_a_month_tells_narrower_weights():
    question = "2.5k a month on qwen2.5 72b"
    reading, answer, _ = ask(question)
    told = re.search(r"serves up to (\d+) users at once \((\d+) with 8-bit weights", answer["headline"])
    hold(question, told and int(told[2]) > 1.15 * int(told[1]), answer["headline"])


def old_models_stand_for_no_size():
    for question in ("largest gguf on 2x P40", "largest model on 2x 3090"):
        hold(question, not re.search(r"llama-\d+b", ask(question)[1]["headline"]), ask(question)[1]["headline"])


def what_keeps_a_pace_is_chosen_by_its_price():
    # 30 ns/day is a tenth of what a card of 2017 makes of 100,000 atoms: what is rented for least does it.
    slow, fast = (ask(f"cheapest card for {rate} ns/day")[1]["choice"] for rate in (30, 600))
    hold("pace", slow["usd_per_hour"] < fast["usd_per_hour"], (slow, fast))


def what_is_done_to_videos_is_not_their_making():
    _, answer, code = ask("AI video upscaling with Topaz")
    hold("topaz", code == 4, answer)
    # 4K of 3840x2160, of which a network that enlarges four times reads 960x540.
    _, answer, code = ask("Real-ESRGAN 4K upscaling which gpu")
    hold("4K", code == 0 and "960x540" in text("Real-ESRGAN 4K upscaling which gpu"), answer)


def texts_leave_the_language_model_open():
    for question, verdicts in (("is a 3060 good enough for a local chatbot", ("yes",)), ("Is a Mac mini M4 with 16GB good enough for a local assistant that summarizes my pdfs?", ("yes", "barely"))):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "fit" and reading["model"] == "8b" and answer["verdict"] in verdicts, answer)
    for question in ("how much vram do i need for a local chatbot", "how much vram do i need so it writes emails for me locally, small model is fine"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "memory" and "8B" in answer["headline"] and "70B" in answer["headline"], answer)
    # The largest part there is was ranked first for a bot of thirty people.
    for question in ("what machine for 30 people to chat with a bot at once?", "i'm a teacher, want 30 students to use a chatbot at the same time in class. what machine?"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["model"] == "8b" and reading["concurrency"] == 30 and answer["choice"]["usd_per_hour"] < 2, answer)


def a_kind_of_chatgpt_is_a_chatbot():
    for question in ("can my macbook air m2 with 8gb run something like chatgpt offline", "I want my own private ChatGPT at home for me and my wife, what computer should I get?", "how many words per second does chatgpt-like AI on a 5060 ti 16gb do"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "chatgpt" not in answer["headline"].lower(), answer)
    # Named as itself it is what nobody can run.
    hold("itself", ask("can i run chatgpt on my own computer with a 3060")[2] == 4, "")


def memory_at_home_adds_up():
    # 4 x 24 GB; no single card of 96 GB is sold for less than four of them.
    question = "Cheapest way to get 96gb vram at home that isn't macs"
    reading, answer, _ = ask(question)
    headline = answer["headline"]
    hold(question, "to rent" not in headline and "4 x rtx-3090" in headline and headline.index("4 x rtx-3090") < headline.index("rtx-pro-6000") and "apple" not in headline, headline)


def small_sets_of_pictures_are_passed_often():
    # 500 steps of 4 are 2,000 pictures: 67 passes over 30.
    question = "how long would it take to train an AI on 500 of my photos so it draws me? i have a 4070"
    reading, answer, _ = ask(question)
    hold(question, assumed(reading)["epochs"] == "4" and "--epochs 4" in reading["flags"], reading)
    hold("said", "--epochs 2" in ask("sdxl lora on 500 photos, 2 epochs, 4070, how long")[0]["flags"], "")


def what_developers_share_is_a_model_of_code():
    # 30.5 billion weights in 16 bits are 57 GiB: a dozen people need no machine of 288 GB a card.
    for question, users in (("private copilot for 12 devs", 12), ("local code completion server for 30 engineers", 30), ("self hosted github copilot for our team", 20)):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["model"].startswith("qwen3-coder") and reading["concurrency"] == users, reading)
        hold(question, answer["choice"]["usd_per_hour"] < 3, answer["headline"])


def cuda_is_learned_on_a_cheap_card_with_tensor_cores():
    for question in ("recommend a gpu for learning cuda", "which card for a cuda programming course", "i want to start learning cuda what hardware"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "price" and answer["headline"].startswith("The cheapest to buy with tensor_cores and geforce: rtx-"), answer)


def a_mac_that_nobody_named_trains_adapters():
    for question in ("can you train loras on a mac", "is it possible to finetune an llm on a macbook", "does lora training work on mac?"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer["verdict"] == "yes" and assumed(reading)["accelerators"].startswith("apple-"), (reading, answer))


def bytes_of_a_parameter_need_no_model():
    # fp32 weights and gradients 8, two moments in fp32 8, in 8 bits 2 and their scales.
    for question, least, most in (("adam bytes per parameter", 16, 16.05), ("how many bytes per parameter does adam need", 16, 16.05), ("bytes per param with 8-bit adam full finetune", 10, 10.1)):
        reading, answer, code = ask(question)
        said = re.match(r"([\d.]+) bytes a parameter: 4 for the weights, ", answer["headline"])
        hold(question, code == 0 and said and least <= float(said[1]) <= most, answer)


def nodes_that_nobody_described_are_of_eight():
    reading, answer, code = ask("2 nodes for 3k users of qwen3-32b enough?")
    hold("two nodes", reading["intent"] == "fit" and reading["count"] == 16 and answer["verdict"] in ("yes", "barely", "no"), (reading, answer))


def a_stack_of_one_maker_names_whose_parts():
    for question in ("what hardware for qwen3 32b with mlx", "will gemma 3 12b in mlx 4bit be fine", "whats the memory footprint of glm-4.5-air at 4 bits mlx", "how much memory does qwen3 8b need in mlx 4bit", "vram for llama 3.1 8b with mlx 8 bit"):
        document, code = document_of(question)
        parts = [option["accelerator"] for option in document.get("options", [])]
        hold(question, code == 0 and document["reading"].get("vendors") == ["apple"] and parts and all(part.startswith(("apple-", "mac-")) for part in parts), (document["answer"], parts))


def a_stack_of_one_maker_is_compared_and_learns_there():
    for question in ("mlx vs llama.cpp for qwen3 32b on a macbook", "llama 8b lora with mlx on 24 gb, fits?"):
        reading, answer, code = ask(question)
        hold(question, code in (0, 3) and reading.get("vendors") == ["apple"] and "RTX" not in answer["headline"] and "H100" not in answer["headline"], answer)


def the_smallest_that_hears_tells_times_real_time():
    _, answer, _ = ask("smallest gpu that does whisper large v3 in real time")
    hold("real time", "times real time" in answer["headline"], answer)


def the_smallest_leads_with_its_memory():
    # Where no task was said what serves it is the first sentence, with its memory and the range of that.
    held = r"[^.:]*: [\d.]+ GiB \([\d.]+ to [\d.]+\) of [\d.]+ GiB"
    for question in ("smallest gpu for whisper large v3", "smallest gpu for llama 3.1 8b", "smallest used nvidia card for qwen3 14b"):
        _, answer, code = ask(question)
        hold(question, code == 0 and re.match("The smallest that holds it to serve" + held, answer["headline"]), answer)
        # 8B and 14B at 4 to 5 bits a weight, and the 1.55B of whisper at 16, are below 12 GB.
        served = answer["answers"]["inference"]["choice"]["accelerator"]
        hold(question, served in ("rtx-3060-ti", "rtx-3060-12gb"), served)
    wide = re.search(r"In 16-bit weights: 1 x [^,]*, ([\d.]+) GiB", ask("smallest gpu for llama 3.1 8b")[1]["headline"])
    hold("16 bits", wide and 15 < float(wide[1]) < 18, wide)  # 8.03B weights of two bytes are 15.0 GiB
    for question in ("smallest gpu to serve llama 3.1 8b", "smallest gpu for qlora of llama 3.1 8b"):
        hold(question, re.match("The smallest that holds it is 1 x" + held, ask(question)[1]["headline"]))
    # The cheapest is no smallest, and what is said of weights is kept.
    hold("cheapest", "smallest" not in ask("cheapest gpu to serve llama 3.1 8b")[1]["headline"])
    hold("fp16", "q4_k_m" not in ask("smallest gpu to serve llama 3.1 8b in fp16")[1]["headline"])


def text_encoders_leave_the_card_after_the_prompt():
    for question in ("is 16gb vram on 5070 ti enough for flux dev fp8", "flux dev fp8 on a 4070 ti super", "can i run flux.1 dev in fp8 with 16 gb"):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["verdict"] in ("yes", "barely") and "text encoders unloaded after the prompt" in answer["headline"], answer)
    # What is needed alone and what a fit says are of one plan.
    _, alone, _ = ask("flux.1-dev vram fp8")
    told = float(re.search(r"enable_model_cpu_offload, it takes ([\d.]+) GiB", alone["headline"])[1])
    hold("agree", abs(told - answer["needs_gib"]["mid"]) < 1, (told, answer))
    # What needs all of the card is no yes, and more at once is no better.
    order = ["no", "barely", "yes"]
    verdicts = [order.index(ask(f"flux dev fp8 4080 batch {batch} fits?")[1]["verdict"]) for batch in (1, 4, 8)]
    hold("batches", verdicts == sorted(verdicts, reverse=True) and verdicts[-1] < 2, verdicts)
    hold("cut", ask("does hunyuanvideo fp8 fit on a 24gb 4090")[1]["verdict"] != "yes")
    # What its card does not hold whole is read again in each pass: no yes.
    hold("whole", ask("flux dev bf16 on a 16gb card")[1]["verdict"] == "no")


run(globals())
