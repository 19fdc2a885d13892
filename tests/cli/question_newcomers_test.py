"""Questions of newcomers, who have no words of the field: what a word means, why something is slow, what to learn on, in several
languages.

    question_newcomers_test.py RIDGELINE
"""
import re

from asked import ask, command, hold, run, value


def what_a_word_means_is_told_with_figures():
    for question, told in (("what does 7b mean", "7b stands for 7 billion parameters"), ("what does the b in 70b mean", "70 billion"),
                           ("what does q4_k_m mean", "fewer bits"), ("was bedeutet quantisierung q4_k_m", "fewer bits"),
                           ("what is a token per second and how many do i need", "three quarters of a word"), ("что такое квантование", "fewer bits")):
        _, answer, code = ask(question)
        hold(question, code == 0 and told in answer["headline"] and re.search(r"\d GiB|tokens/s", answer["headline"]), answer)
    # Of a memory that was told what it holds; 4.85 bits a weight of 12 GB are at most 19.8 billion.
    _, answer, code = ask("what does quantized mean and which one should i pick for 12gb")
    most = re.search(r"holds ([\d.]+)B parameters for serving in 4 bits", answer["headline"])
    hold("12 GB", code == 0 and "q8_0" in answer["headline"] and 14 < float(most[1]) < 19.8, answer)
    # Words of which no figure tells stay refused, with a question near to them.
    hold("nvlink", ask("what is nvlink")[2] == 4)


def an_average_is_no_meaning():
    # "mean" before a quantity, and words beside a type of weights, ask for hardware and memory.
    for question, wanted in (("8b model, mean output 300 tokens, 20 users, which gpu", {"output_tokens": 300, "concurrency": 20}),
                             ("8b lora mean sequence length 1500", {"method": "lora", "sequence": 1500}),
                             ("what does it mean for memory if i move 70b from bf16 to fp8", {"model": "70b", "quantization": "fp8"}),
                             ("what is int4 8b vram", {"intent": "memory", "model": "8b"})):
        reading, answer, code = ask(question)
        hold(question, code == 0 and all(reading.get(key) == told for key, told in wanted.items()) and "stands for" not in answer["headline"], reading)
    hold("failures", ask("mean time between failures with 1024 gpus")[2] == 4)


def a_company_is_no_home():
    for question in ("why is our llm service slow at peak, which gpu would be faster", "is one big gpu better than several small cards for an hpc lab",
                     "why is time to first answer slow with a long rag prompt on our servers"):
        reading, answer, code = ask(question)
        hold(question, code != 0 or (reading["intent"] == "hardware" and "card's" not in answer["headline"]), answer)
    # Figures that were told are not dropped for those of a usual case.
    for question in ("electricity cost of our ai, 4 cards at 300 W", "electricity cost at 30 cents per kWh for an ai with 8 cards",
                     "cheapest way to test our llm model for an hour on 8 cards"):
        reading, _, code = ask(question)
        hold(question, code != 0 or "rtx-5060-ti-16gb" not in reading.get("accelerators", []), reading)


def rents_and_training_are_answered_as_asked():
    reading, answer, code = ask("how much per hour is the cheapest gpu to test a model")
    hold("rent", code == 0 and reading["intent"] == "price" and not reading.get("model"), reading)
    reading, answer, code = ask("can a mac handle ai training")
    hold("mac", code == 0 and reading.get("method") == "lora" and answer["headline"].startswith(("Yes", "No")), answer)


def other_networks_are_no_language_model():
    for question in ("finetune a small vision model on 2000 images", "train a small detection model for drones", "phd student, deep learning on protein folding, which gpu"):
        reading, _, code = ask(question)
        hold(question, code != 0 or reading.get("method") != "qlora", reading)
    reading, answer, code = ask("we have 200 dollars, we want to teach a small model to write poems")
    hold("poems", code == 0 and reading["budget_usd"] == 200 and reading["method"] == "qlora" and "Rent" in answer["headline"], answer)


def assistants_of_ones_own():
    for question in ("is a gaming pc with a 4060 good enough to have my own chatgpt", "is a 4060 good enough for my own chatgpt"):
        reading, _, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "largest" and reading["accelerators"] == ["rtx-4060"], reading)
    reading, answer, code = ask("what does it cost per month to have my own AI running 24/7 in the cloud, nothing fancy")
    hold("a month", code == 0 and reading["model"] == "8b" and re.match(r"\$\d+ a month of 24 hours", answer["headline"]), answer)
    for question in ("which gpu for a local llm, 4 of us would use it", "serve 8b, 4 of us would use it"):
        reading, _, code = ask(question)
        hold(question, code == 0 and reading["concurrency"] == 4 and reading["model"] == "8b", reading)
    # Where data may not go is no work.
    reading, _, code = ask("gpu for a chatbot for our clinic that never sends patient data to the internet")
    hold("privacy", code == 0 and reading["model"] == "8b" and "internet" not in reading["not_understood"], reading)


def why_it_is_slow_is_told_with_a_rate():
    for question in ("why is my local ai so slow", "why is ollama so slow on my laptop", "how to make my ai faster", "warum ist mein lokales Modell so langsam?",
                     "¿por qué mi modelo local es tan lento?", "pourquoi mon ia locale est si lente ?", "por que meu modelo local é tão lento?",
                     "почему моя нейросеть работает медленно", "为什么我的本地大模型这么慢", "なぜローカルLLMは遅いですか"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "throughput" and "reads the whole model" in answer["headline"] and value(answer, "decode") > 5, answer)
    # A model and a part that are named are answered for themselves.
    reading, _, code = ask("why is llama 3.1 8b q4_k_m so slow on a 3060")
    hold("named", code == 0 and reading["model"] == "llama-3.1-8b" and reading["accelerators"] == ["rtx-3060-12gb"], reading)
    _, answer, code = ask("why does my model say out of memory when the file is only 14 gb and i have 16")
    hold("out of memory", code == 0 and "cache of the context" in answer["headline"] and "holds" in answer["headline"], answer)


def what_to_learn_on():
    for question in ("is 8 gigs of graphics memory enough to learn machine learning", "reicht mein Laptop mit 8 GB Grafikspeicher um KI zu lernen",
                     "mon pc portable a 8 go de vram, est-ce suffisant pour apprendre l'ia ?"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer["headline"].startswith("Yes, to learn") and reading["memory_gib"] == 8, answer)
    hold("2 GB", ask("is 2 gb of vram enough to learn machine learning")[1]["headline"].startswith("For small exercises only"))
    for question in ("laptop for learning machine learning, student budget", "laptop for a data science degree, ai stuff, not too expensive",
                     "какой ноутбук нужен для машинного обучения", "学生が機械学習を勉強するノートパソコン", "노트북으로 딥러닝 공부할 수 있나요", "¿qué portátil me compro para aprender inteligencia artificial?"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer["verdict"] == "yes" and "not kept here" in answer["headline"], answer)
    reading, answer, code = ask("i want to learn deep learning, do i need to buy a graphics card")
    hold("to begin", code == 0 and "Not to begin" in answer["headline"] and reading["accelerators"] == ["t4"], answer)
    # The memory of a computer without a card decides what its processor runs.
    _, answer, code = ask("can my school laptop with 8gb ram run one of those ai things")
    hold("8 GB of RAM", code == 0 and answer["verdict"] == "yes" and answer["have_gib"] <= 4, answer)


def a_picture_and_a_first_word_have_their_time():
    reading, answer, code = ask("how long to generate one picture on a 1660 super")
    hold("a picture", reading["model"] == "sdxl-unet" and "each" in answer["headline"], answer)
    reading, answer, code = ask("why does the first answer take so long")
    hold("first word", code == 0 and "whole prompt" in answer["headline"] and "first token comes after" in answer["headline"], answer)
    reading, _, code = ask("why is my fine tuning running out of memory on 8gb")
    hold("training", reading["task"] == "training" and reading["memory_gib"] == 8, reading)
    # What is trained on photographs makes pictures, whatever card is named.
    reading, _, _ = ask("how long would it take to train an AI on 500 of my photos so it draws me? i have a 4070")
    hold("photos", reading["model"] == "sdxl-unet" and reading["samples"] == 500, reading)
    reading, _, code = ask("how long would it take my rtx 3060 to train a chatbot")
    hold("chatbot", code == 0 and reading["model"] == "8b" and reading["intent"] == "duration", reading)


def one_large_card_or_two():
    reading, answer, code = ask("do i need two graphics cards or is one big one better for ai")
    hold("two or one", code == 0 and reading["intent"] == "compare" and "1 x NVIDIA GeForce RTX 3090 is" in answer["headline"], answer)
    reading, answer, code = ask("what is better for ai, more vram or faster card")
    hold("memory or speed", code == 0 and "Memory first" in answer["headline"] and "holds 24b" in answer["headline"], answer)
    # Cards that are named are compared themselves.
    reading, _, code = ask("two 4090 or one rtx pro 6000 for ai, llama 3.3 70b q4_k_m")
    hold("named", code == 0 and {each["accelerator"] for each in reading["sides"]} == {"rtx-4090", "rtx-pro-6000-bw"}, reading)


def other_languages_ask_the_same():
    cards = [ask(question)[1].get("choice", {}).get("accelerator") for question in (
        "which graphics card do i need for ai at home", "Welche Grafikkarte brauche ich für KI zuhause?", "quelle carte graphique pour faire de l'ia à la maison",
        "какую видеокарту купить для нейросетей дома", "自宅でAIを動かすにはどのグラフィックボードが必要ですか", "집에서 AI 돌리려면 어떤 그래픽카드가 필요해요?",
        "qual placa de vídeo comprar para rodar ia em casa", "quale scheda video per l'intelligenza artificiale a casa")]
    hold("one card", cards[0] and len(set(cards)) == 1, cards)
    for question in ("сколько видеопамяти нужно чтобы запустить дипсик дома", "在家跑deepseek需要什么显卡"):
        reading, _, code = ask(question)
        hold(question, code == 0 and reading["model"].startswith("deepseek-v3"), reading)
    reading, _, code = ask("二手3090和5070 Ti跑32B模型哪个好")
    hold("two cards", code == 0 and reading["intent"] == "compare" and len(reading["sides"]) == 2, reading)
    reading, answer, code = ask("H100 4장으로 llama 3.3 70b vllm 서빙하면 초당 토큰 얼마나 나와요")
    hold("a rate", code == 0 and reading["intent"] == "throughput" and reading["count"] == 4 and value(answer, "decode") > 30, answer)
    reading, answer, code = ask("¿qué tarjeta gráfica necesito para entrenar un modelo pequeño para mi tesis?")
    hold("thesis", code == 0 and reading["intent"] == "hardware" and reading["task"] == "training" and answer["choice"]["count"] == 1, reading)
    for question in ("Was kostet es eine KI zu trainieren?", "¿cuánto cuesta entrenar una ia?", "quanto custa treinar uma ia?", "训练一个AI要多少钱", "how much does it cost to train an ai"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "duration" and "What is trained decides" in answer["headline"], answer)
    # Words of another language are none of an English question.
    hold("english", ask("is rtx 3060 portable lent pour mon")[0].get("require", []) == [])


def sizes_and_downloads():
    # 20.9 billion parameters, most in 4.25 bits: 13.8 GB as published.
    _, answer, code = ask("how big is gpt oss 20b in gigabytes")
    hold("a file", code == 0 and "13.8 GB" in answer["headline"] and 12 < value(answer, "weights") < 14, answer)
    # 141 GB at 1 Gbit/s are 19 minutes.
    _, answer, code = ask("how long does it take to download and start a 70b on a rented server")
    hold("a download", code == 0 and "1.9 to 19 minutes in bf16" in answer["headline"], answer)


def what_is_distilled_is_written():
    for question in ("cost to distill: generate 500M tokens with deepseek-r1 on 8xH200", "500M tokens generated with deepseek-r1 fp8 on 8 x h200, cost"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["task"] == "inference" and reading["tokens"] == 5e8 and re.search(r"take [23]\.\d+ days", answer["headline"]), answer)
    hold("into", ask("distill a 70b into an 8b on 8 h100, 1B tokens, how long")[0]["task"] == "training")


def a_rate_is_what_a_card_gets():
    reading, answer, code = ask("what does my 7900xtx get with gemma 3 27b q4_k_m and 16k ctx")
    hold("gets", code == 0 and reading["intent"] == "throughput" and 15 < value(answer, "decode") < 45, answer)
    reading, answer, code = ask("what batch saturates an a100-80 for resnet50 amp and what img/s")
    hold("amp", code == 0 and reading["task"] == "training" and "saturates" in answer["headline"] and "samples/s" in answer["headline"], answer)
    reading, answer, code = ask("i have a 3070 and someone offers me a 2080ti with 22gb mod for 350 bucks, good deal for comfyui?")
    hold("offered", code == 0 and reading["intent"] == "compare" and "2080 Ti" in answer["headline"], answer)
    # Of a model that nobody named the smaller one is told where the usual one has no room.
    _, answer, code = ask("i have a gaming laptop with rtx 3050, can i make ai pictures")
    hold("smaller", "Of a smaller one: Yes" in answer["headline"], answer)


def refusals_say_what_was_understood():
    for question in ("cheapest way to try out a big model for one evening", "gpu for one weekend", "which gpu for my kids", "cheap gpu for my thesis", "my gpu does 16 frobnications"):
        said = "".join(command("advise", question)[1:])
        hold(question, not re.search(r'"(one|my|16|thesis|kids|texts)" is no work', said), said)
    _, answer, code = ask("is 12gb of vram future proof for frobnication")
    hold("an example near to it", code == 0 or "12 GB" in answer["headline"], answer)


def the_big_one_of_a_family_is_no_small_one():
    # 70.6e9 parameters in 16 bits are 131 GiB.
    _, answer, code = ask("can a 4090 run the big llama")
    hold("big", code == 3 and "llama-3.3-70b" in answer["headline"] and answer["headline"].startswith("No: "), answer["headline"])
    hold("plain", ask("can a 4090 run llama")[0]["model"] == "llama-3.1-8b")


def a_subscription_is_weighed_against_a_card_of_ones_own():
    for question in ("cheaper to pay 20 dollars a month for chatgpt or to buy a graphics card", "chatgpt plus for 20 a month or buy my own gpu"):
        reading, answer, _ = ask(question)
        hold(question, reading["model"] == "8b" and "quality of the answers" in answer["headline"] and "pay back in" in answer["headline"] and "2 hours of use a day" in answer["headline"],
             answer["headline"])
    hold("company", ask("we pay openai $4k a month, would own gpus be cheaper")[0]["model"] == "70b")


def what_a_laptop_lacks_is_not_sought():
    for question in ("what graphics card for 600 dollars, my laptop has 16gb of memory and no graphics card",
                     "what should i get for my daughter, her laptop has 16gb of memory and no graphics card, she wants to learn ai, under 600 dollars"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and "accelerators" not in reading and "memory_gib" not in reading and answer["headline"].startswith("1 x "), answer["headline"])
    hold("judged", ask("laptop with 16gb and no graphics card, can it run llama 8b")[0]["accelerators"] == ["cpu-desktop-ddr5"])


def a_sum_and_buying_are_enough_in_other_languages():
    for question in ("tengo 400 euros, cual compro", "hola, quiero usar ia en casa para escribir, tengo 400 euros, cual compro", "ich habe 400 euro, welche kaufe ich"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "budget" and 430 < reading["budget_usd"] < 440, (reading, answer))


def what_stays_in_the_house_is_bought():
    for question in ("our dental practice wants a chatbot that never sends patient data to the internet, 4 of us would use it", "private chatbot for my office of 4, offline, no internet",
                     "llama 8b for 10 users, data must not leave the building"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and "--buy" in reading["flags"] and "Buy " in answer["headline"], answer["headline"])
    hold("elsewhere", "--buy" not in ask("llama 8b for 10 users")[0]["flags"])

def a_long_conversation_and_a_usual_computer_are_told():
    for question in ("why is my ai so slow when the conversation gets long", "my local llm slows down in a long chat, why"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "grows with it" in answer["headline"] and "cache" in answer["headline"], answer["headline"])
    reading, answer, code = ask("is a normal gaming pc enough for ai")
    hold("gaming", code == 0 and answer["headline"].startswith("Yes, for models") and reading["memory_gib"] == 8, answer)
    reading, answer, code = ask("cheapest thing to rent by the hour to try a big ai")
    hold("an hour", code == 0 and reading["model"] == "70b" and answer["choice"]["count"] == 1, answer)
    reading, answer, code = ask("can a macbook air run an ai offline")
    hold("macbook", code == 0 and reading["accelerators"] == ["apple-m4"], answer)
    reading, answer, code = ask("quanto costa affittare una gpu per un giorno")
    hold("italian", code == 0 and "The cheapest to rent" in answer["headline"], answer)


def what_a_run_did_cost_is_that_of_its_makers():
    # 2.79M hours of H800 by its makers; parts of today are two to three times as fast.
    for question in ("how much did it cost to train deepseek v3", "how much does it cost to make an ai like chatgpt from scratch"):
        answer = ask(question)[1]
        hold(question, "14.8T tokens" in answer["headline"], answer["headline"])


def what_newcomers_lack_a_word_for_is_told_by_a_usual_case():
    for question, model in (("we are a school with 25 pupils who should all chat with a safe ai at the same time. one machine, how big?", "8b"),
                            ("my boss wants an ai that reads invoices, nothing may leave the building, about 2000 pages a day, what would that cost", "qwen2.5-vl-7b"),
                            ("i want an ai that helps my kids with homework and needs no internet", "8b"), ("i want to make a voice assistant for my house", "8b"),
                            ("i want to translate books with ai on my own computer, what do i need", "32b")):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "hardware" and reading["model"] == model, (reading, answer))
    for question in ("i got 5000 emails and want the ai to write like me. how long will teaching it take and on what?", "how long does it take to train a chatbot on my company's documents"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["intent"] == "duration" and reading["model"] == "8b", (reading, answer))
    hold("emails", ask("i got 5000 emails and want the ai to write like me. how long will teaching it take and on what?")[0]["samples"] == 5000)
    reading, answer, code = ask("can my mac mini run llama")
    hold("mac mini", code == 0 and reading["intent"] == "fit" and reading["accelerators"] == ["apple-m4"], (reading, answer))
    reading, answer, code = ask("is 32gb ram enough for ai without a graphics card")
    hold("ram", code == 0 and reading["accelerators"] == ["cpu-desktop-ddr5"], (reading, answer))
    reading, answer, code = ask("i have a macbook air with 8gb, can it do the image generating thing")
    hold("images", code == 0 and reading["model"] == "sdxl-unet", (reading, answer))


def sentences_of_a_friend_stand_before_their_figures():
    for question, words in (("do two graphics cards make ai twice as fast", "Two cards hold twice as much"), ("i heard you need a h100 for ai, do i need one to play with small models?", "Not for small models"),
                            ("what is better for ai, more vram or a newer card", "Memory first"), ("how do i know which ai fits on my pc", "Look up the memory"),
                            ("what's the difference between training and just using a model in how much memory you need", "a gradient and the optimizer's two"),
                            ("what does the 7b mean and does it matter for my graphics card with 6 gb", "7 billion parameters"), ("can i add a second card of another brand", "part the layers")):
        _, answer, code = ask(question)
        hold(question, code in (0, 3) and words in answer["headline"], answer)
    reading, answer, code = ask("is it cheaper to pay for chatgpt or to buy a graphics card?")
    hold("subscription", code == 0 and "$20.00 a month" in answer["headline"] and "pay back" in answer["headline"], answer)
    reading, answer, code = ask("how much does it cost to run an ai all day at home")
    hold("all day", code == 0 and "kWh" in answer["headline"] and reading["hours_per_day"] == 24, (reading, answer))
    reading, answer, code = ask("how many people can use one graphics card at the same time")
    hold("people", code == 0 and reading["intent"] == "largest" and reading["accelerators"] == ["rtx-4090"], (reading, answer))
    reading, answer, code = ask("can i rent a supercomputer for one day and what does that cost")
    hold("supercomputer", code == 0 and reading["intent"] == "price", (reading, answer))
    hold("why", ask("why do people buy used 3090")[2] == 0)
    hold("fault", ask("why does my 3090 crash")[2] == 4)


def usual_cases_stand_back_for_what_is_told():
    for question, memory in (("tell me what model fits my 12gb card", 12), ("find which llm runs best on my 24gb card", 24)):
        hold(question, ask(question)[0]["memory_gib"] == memory, ask(question)[0])
    hold("3060", ask("is 16gb ram enough for local ai with a 3060")[0]["accelerators"] == ["rtx-3060-12gb"])
    hold("like us", ask("reply to customers like us, chatbot gpu")[0].get("method") is None)
    hold("makers", "not published" in ask("what does it cost to train chatgpt")[1]["headline"])
    hold("laptop", "three quarters" not in ask("tokens per second of a good laptop")[1]["headline"])
    hold("two sizes", not ask("what is 8b and 70b on my 24gb card")[1]["headline"].startswith("8b stands"))
    hold("scratch", ask("how expensive is it to train an ai from scratch")[0]["method"] == "full")


def what_makers_used_is_the_whole_run():
    for question in ("how many gpu hours did llama 3 70b take to train", "how many gpus did meta use to train llama 3 70b"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["method"] == "full" and reading["model"] == "llama-3-70b", (reading, answer))
    hold("own run", ask("my llama 3 8b lora run took 3 hours on a 4090 to train, how long on an h100")[0].get("method") == "lora")


def how_big_a_machine_is_asks_for_hardware():
    for question in ("how big a gpu do i need for llama 8b", "how big a server for llama 8b and 25 users", "one machine for 25 users of llama 8b, how big?"):
        hold(question, ask(question)[0]["intent"] == "hardware", ask(question)[0])
    hold("file", ask("how big is llama 3.1 8b in q4_k_m")[0]["intent"] != "hardware")


def a_card_that_is_named_is_no_computer_without():
    for question in ("is my gaming pc good enough for ai? it has a 2070 and 16 gigs of ram", "gaming pc with a rtx 3060 and 16 gigs of ram, good enough for ai?",
                     "pc with a 3060 and 16 gb ram good enough for ai?"):
        headline = ask(question)[1]["headline"]
        hold(question, "Without a graphics card" not in headline and "GeForce RTX" in headline, headline)
    headline = ask("is 16 gb ram enough for ai")[1]["headline"]
    hold("no card", headline.startswith("Without a graphics card"), headline)


run(globals())
