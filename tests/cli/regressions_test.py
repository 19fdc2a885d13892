#!/usr/bin/env python3
"""Commands and questions in exact words, with what must hold of each.

Usage: regressions_test.py RIDGELINE SOURCE_FOLDER. Exit codes: 0 all right, 1 wrong.
"""
import json
import os
import sys

import asked
from asked import command as run, document_of as ask, hold


def read(question, **wanted):
    """Each field of the reading; a list holds alternatives, `None` means the field is not there."""
    document, _ = ask(question)
    reading = document.get("reading", {})
    for field, value in wanted.items():
        got = reading.get(field)
        right = got in value if isinstance(value, list) and not isinstance(got, list) else got == value
        hold(f'"{question}": {field}', right, f"{got!r}, expected {value!r}")
    return document


def parts(question, wanted, count=None):
    document, _ = ask(question)
    got = document.get("reading", {}).get("accelerators", [])
    hold(f'"{question}": parts', got and all(wanted in part for part in got), got)
    if count is not None:
        hold(f'"{question}": count', document["reading"].get("count") == count, document["reading"].get("count"))
    return document


def words_without_a_verb_serve():
    read("llama-3.1-70b vllm on 2 a100 80gb how many concurrent users", task="inference", intent="largest", count=2)
    read("tokens per second llama 3 8b q4 on rtx 4090", task="inference", intent="throughput")
    read("llama 3.3 70b q4_k_m on 2x 3090", task="inference", quantization="q4_k_m", count=2)
    document = read("gpt-oss-120b on one h100", intent="fit", count=1)
    hold("gpt-oss-120b fits an H100", any(answer.get("verdict") == "yes" for answer in
         [document["answer"], *document["answer"].get("answers", {}).values()]), document["answer"])


def hardware_is_never_dropped():
    parts("llama-3.1-8b lora on a100-80gb", "80gb")
    parts("llama-3.1-8b lora on a100-40gb", "40gb")
    parts("can a 3060 run mistral 7b", "rtx-3060")
    parts("rtx pro 6000 blackwell for 70b qlora", "rtx-pro-6000")
    read("h100 pcie vs sxm", intent="compare")
    for machine, part, count in [("dgx-h100", "h100-sxm", 8), ("p5.48xlarge", "h100-sxm", 8), ("gb200-nvl72", "gb200", 72)]:
        parts(f"{machine} specs", part, count)
    for named in ["trainium", "mi200", "vast.ai", "jetson", "dgx spark", "mac studio m2 ultra"]:
        code, out, err = run("advise", f"can {named} run llama 3.1 8b", "--json")
        said = (out + err).lower()
        hold(f"{named} is named", named.split()[0].strip(".ai") in said or "gb10" in said or "apple" in said, said)


def negations_counts_and_sets():
    read("what gpu for llama 70b inference, no nvidia please", vendors=None, vendors_excluded=["nvidia"])
    sides = ask("4x rtx 5090 vs 1x h100")[0]["reading"]["sides"]
    hold("counts of both sides", [side.get("count") for side in sides] == [4, 1], sides)
    parts("llama-3.1-70b lora on A100-SXM4-80GB x8", "a100-sxm4-80gb", 8)
    read("lora llama 3.1 8b, 50k examples of 1024 tokens for 3 epochs", samples=50000, sequence=1024, epochs=3, tokens=None)


def one_owned_card_stays_one():
    document = parts("finetune llama-3.1-8b with qlora on my rtx 4090", "rtx-4090", 1)
    hold("one card", all(option["count"] == 1 for option in document.get("options", [])), document.get("options"))


def what_fits_is_not_refused():
    for question in ["can my RTX 4090 run qwen3-30b-a3b", "run llama-3.1-8b fp16 on mac m4 max"]:
        document, code = ask(question)
        hold(question, code == 0 and document["answer"].get("verdict") == "yes", document["answer"])
    _, code = ask("finetune resnet-50 on a 3090")
    hold("convolution is modelled", code == 0)
    _, code = ask("stable diffusion 1.5 on a 3060")
    hold("diffusion is modelled", code == 0)


def a_rate_gives_concurrency():
    document, _ = ask("serve llama 3.1 8b at 20 rps with ttft 300 ms on l40s")
    hold("Little's law", document["query"]["workload"]["serving"]["concurrency"] > 20 if "workload" in document.get("query", {})
         else "--concurrency 1 " not in document["reading"]["flags"], document["reading"])


def copies_need_requests():
    code, out, _ = run("estimate", "--model", "llama-3.1-70b", "--task", "inference", "--concurrency", "1", "--on", "h100:8",
                       "--tensor", "2", "--data", "4", "--json")
    hold("copies without requests", code == 0 and json.loads(out)["workload"]["serving"]["concurrency"] == 1, out)


def every_kind_of_question_is_answered():
    for question, intent in [("rtx 3090 vs 4090", "compare"), ("tpu v5e vs a100", "compare"), ("how much does an h100 cost", "price"),
                             ("rent or buy for 6 months of 8xA100", "own"),
                             ("what is the biggest model i can run on 24gb vram", "largest"),
                             ("best gpu for llm training in 2026", "hardware"), ("what can I do with 8 h100", "budget"),
                             ("gpu for scientific computing", "hardware"),
                             ("which GPU for real-time vision inference", "hardware")]:
        document, code = ask(question)
        hold(question, code == 0 and document.get("reading", {}).get("intent") == intent and document["answer"].get("headline"),
             document)


def names_and_units_as_people_write_them():
    for name in ["deepseek-r1", "mistral-7b", "whisper", "bert", "flux", "sdxl", "qwen2.5-coder", "mistral"]:
        document, code = ask(f"how much vram for {name}")
        hold(name, code == 0 and document["reading"].get("model"), document)
    read("serve mistral 7b with 200ms ttft, which gpu", ttft_s=0.2)
    read("serve mistral 7b with 2 s ttft, which gpu", ttft_s=2)
    read("serve mistral 7b at 50 ms per token, which gpu", tpot_s=0.05)
    read("gpu for llama 3.1 8b inferense", task="inference")
    read("vram for llama 3.1 8b", intent="memory")
    read("train a 1T model", model=["1t", "1000b"], task="training")


def long_and_foreign_text_is_refused_in_one_line():
    for text in ["llama " * 4000, "\x01\x02", "blue cheese", '"; DROP TABLE gpus', "train a 12,5b model on 8 a100"]:
        code, out, err = run("advise", text)
        hold(f"refused: {text[:20]!r}", code in (2, 4) and "filesystem" not in err and len(err.splitlines()) <= 4, (code, err))


def only_what_can_be_had_is_recommended():
    document, _ = ask("what GPU for a 70B fine-tune")
    choice = document["answer"]["choice"]
    hold("B100 hardly shipped", choice["accelerator"] not in ("b100", "p100-pcie", "gtx-1080"), choice)
    for key in ("smallest", "cheapest", "fastest"):
        named = document["answer"].get(key, choice)  # the choice itself, where that is the cheapest too
        hold(f"{key} is sold or rented", named["accelerator"] not in ("p100-pcie", "gtx-1080", "b100"), named)


def one_price_everywhere():
    for machine, cloud in [("azure-nd96isr-h100-v5", "azure"), ("gcp-a3-highgpu-8g", "gcp"), ("aws-p5", "aws")]:
        code, out, err = run("estimate", "--model", "llama-3.1-70b", "--method", "lora", "--on", machine, "--json")
        offer = (json.loads(out).get("cost") or {}).get("offer") or {}
        hold(f"{machine} is priced by {cloud}", offer.get("provider") == cloud, offer)
    bought = {}
    code, out, _ = run("own", "rtx-4090", "--json")
    bought["own"] = next((f["value"] for f in json.loads(out).get("figures", []) if f.get("id") == "price_usd"), None)
    document, _ = ask("price of 4090")
    bought["advise"] = next((v["mid"] for v in document["answer"]["value"] if v["quantity"] == "purchase"), None)
    hold("the 4090 costs the same", bought["own"] is not None and bought["own"] == bought["advise"], bought)


def help_fits_a_terminal():
    _, out, _ = run("--help")
    commands = [line.split()[0] for line in out.split("Subcommands:")[1].splitlines() if line.startswith("  ") and line[2] != " "]
    hold("commands are listed", len(commands) > 10, commands)
    for command in [[], *([each] for each in commands)]:
        _, out, _ = run(*command, "--help")
        hold(f"help of {command}", out and max(map(len, out.splitlines())) <= 80, max(out.splitlines(), key=len))


def assumptions_are_said():
    document, _ = ask("what GPU for a 70B fine-tune")
    hold("the method is said to be assumed", any(a["field"] == "method" for a in document["reading"]["assumed"]), document["reading"])
    code, out, _ = run("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "rtx-4090", "--sequence", "8k", "--json")
    hold("8k is 8192 as a flag", "8192" in out, out[:200])


def a_sentence_answers_every_intent():
    for question in ["what gpu for 8b lora", "can my 3090 run llama 3.1 8b", "vram for llama 3.1 8b", "4090 vs a100", "biggest model on 24 gb",
                     "how long to lora 8b on 10M tokens with a 4090", "tokens per second llama 3.1 8b on a 4090", "h100 price",
                     "rent or buy a 4090", "what can I do with $2,000", "b200 specs"]:
        document, code = ask(question)
        headline = document["answer"].get("headline", "")
        hold(question, code == 0 and headline.endswith(".") and any(c.isdigit() for c in headline), headline)


def no_headroom_is_no_yes():
    document, _ = ask("can 2x 3060 12gb run mixtral 8x7b q3")
    hold("what just fits is barely", document["answer"]["verdict"] in ("barely", "no"), document["answer"])


def unknown_is_never_infinite():
    for part, most in [("2x xeon 8480c", 120), ("mac m3 ultra", 200), ("epyc 9654", 120)]:
        document, _ = ask(f"llama 3.1 8b q4_k_m on {part} tokens per second")
        values = document["answer"].get("value", [])
        rate = next((v["mid"] for v in values if v["quantity"] == "decode"), None)
        hold(f"{part} has a rate that its memory allows", rate is not None and 0 < rate < most, document["answer"])
    code, out, _ = run("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "v100-sxm2-32gb", "--json")
    hold("no bf16 before Ampere", '"compute": "bf16"' not in out, out[:200])


def wrong_stacks_are_refused():
    code, out, err = run("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "inferentia2")
    hold("no training on Inferentia", code == 4, (code, err))
    code, out, err = run("estimate", "--model", "llama-3.1-8b", "--method", "full", "--framework", "torchtitan", "--on", "tpu-v5e:8")
    hold("torchtitan runs on no TPU", code == 4, (code, err))


def flags_take_names_as_questions_do():
    for name in ["h100", "RTX 4090", "a100-80gb"]:
        code, _, err = run("estimate", "--model", "llama-3.1-8b", "--method", "LoRA", "--on", name)
        hold(f"--on {name}", code in (0, 3), err)
    code, _, err = run("compare", "h100", "a100")
    hold("compare h100 a100", code == 0, err)
    for words in [("help",), ("-V",), ()]:
        code, out, err = run(*words)
        hold(f"ridgeline {' '.join(words)}", code == 0 and (out or err), err)
    code, out, _ = run("catalog", "show", "h100-sxm5-80gb")
    hold("figures of the catalog are printed", all(word in out for word in ["L2", "MHz", "capability"]), out[:400])


def ranks_have_no_holes():
    _, out, _ = run("advise", "what GPU for a 70B fine-tune")
    ranks = [int(line.split()[0]) for line in out.splitlines() if line[:1].isdigit() and "  " in line]
    hold("ranks", ranks == list(range(1, len(ranks) + 1)), ranks)
    names = [line.split("  ")[1] for line in out.splitlines() if line[:1].isdigit() and "  " in line]
    hold("no two rows read alike", len(names) == len(set(names)) and "..." not in "".join(names), names)


def errata_reach_the_reader():
    code, out, _ = run("catalog", "list", "errata")
    hold("errata are listed", code == 0 and len(out.splitlines()) >= 50, out[:200])


def models_and_cards_that_people_name():
    for name in ["qwen2.5-vl-72b", "glm-4.5", "gemma-3-27b", "deepseek-r1", "mistral small 3.1", "minimax-m2", "seed-oss-36b", "olmo 3 7b",
                 "phi-3.5-moe", "baichuan2-13b", "gpt-neo-2.7b", "starcoder2-15b", "deepseek-coder-33b", "chatglm2-6b",
                 "qwen3-coder-480b", "exaone-4-32b"]:
        document, code = ask(f"vram for {name} in bf16, inference")
        known = code == 0 and document["answer"].get("headline")
        hold(name, known or (code == 4 and name.split()[0].split("-")[0] in json.dumps(document).lower()), document)
    for name in ["RTX 3060 12 GB", "4060 Ti 16 GB", "4070 Ti Super", "5060 Ti 16 GB", "5070", "5080", "A2000", "A4000", "A5000",
                 "RTX 4000 Ada", "RTX 5000 Ada", "Titan RTX", "H20", "DGX Spark", "Strix Halo", "Jetson AGX Orin", "Apple M1 Max",
                 "Apple M5 Pro", "Arc B580", "RX 9070 XT"]:
        document, code = ask(f"{name} memory bandwidth")
        hold(name, code == 0 and any(v.get("unit") == "GB/s" for v in
             (lambda value: value if isinstance(value, list) else [value])(document["answer"].get("value", {}))), document)


def estimate(*words):
    """The document of an estimate; nothing where the command was refused."""
    code, out, err = run("estimate", *words, "--json")
    return json.loads(out) if code in (0, 3) else {"error": (out + err)[:300]}


def component(document, name):
    return next((part for part in document["memory"]["components"] if part["name"] == name), None)


def between(name, value, low, high):
    hold(name, value is not None and low <= value <= high, value)


def values_of(document):
    value = document["answer"].get("value", [])
    return value if isinstance(value, list) else [value]


def serving_takes_the_best_plan():
    """70B in bf16 is 131 GiB: it needs three of four 80 GB cards, so it is split, not copied."""
    document = estimate("--model", "llama-3.1-70b", "--task", "inference", "--on", "h100-sxm5-80gb:4")
    hold("70B is spread over four H100", document["memory"]["fits"] and document["memory"]["peak_gib"] < 45, document["memory"])


def what_is_not_stated_is_not_absent():
    for part in ["mi300x", "rtx-pro-6000-workstation"]:
        _, out, _ = run("catalog", "show", part)
        hold(f"ECC of {part}", "ECC" in out and "ECC                   no" not in out, out[:400])
    document, _ = ask("gpu for serving llama 3.1 70b, must have ecc, amd only")
    hold("AMD parts have ECC", document["answer"].get("choice", {}).get("accelerator", "").startswith("mi"), document["answer"])


def a_comparison_tells_the_side_that_holds():
    document, _ = ask("is 2x 3090 better than one 4090 for running llama 70b")
    answer = document["answer"]
    hold("the side that holds the model", answer["choice"]["accelerator"] == "rtx-3090" and "1 x NVIDIA GeForce RTX 4090 does not" in answer["headline"], answer)
    figures = answer["value"] if isinstance(answer["value"], list) else [answer["value"]]
    hold("no figure of the side that does not", [each["of"] for each in figures] == ["2 x rtx-3090"], figures)
    _, text, _ = run("advise", "is 2x 3090 better than one 4090 for running llama 70b")
    hold("counts of the sides are told", "rtx-3090:2,rtx-4090:1" in text, text[:400])
    document, _ = ask("2x rtx 3060 or one rtx 4060 for llama 405b")
    answer = document["answer"]
    hold("neither side, by count", answer["headline"].startswith("Neither ") and "2 x NVIDIA GeForce RTX 3060" in answer["headline"] and "value" not in answer, answer)


def a_deadline_of_epochs_is_kept_and_told():
    document, _ = ask("what gpu to train resnet-50 on imagenet in 24 hours")
    codes = [each["rule"] for each in document["findings"]]
    hold("no warning that the run has no length", "deadline_without_length" not in codes, codes)
    hold("every choice keeps it", all(each["time"]["total_s"] <= 86400 for each in document["options"]), "")
    _, text, _ = run("advise", "what gpu to train resnet-50 on imagenet in 24 hours")
    hold("a miss by minutes is told apart", "1.0 days, 1.0 days" not in text, text)


def users_wait_no_longer_than_was_said():
    words = "how many users can 2x l40s handle with llama 3.1 8b, 2k in 300 out"
    most = lambda document: document["answer"]["value"]["mid"]
    free, _ = ask(words)
    held, _ = ask(words + ", ttft < 1s")
    hold("a target makes them fewer", 0 < most(held) < most(free), (held["answer"], free["answer"]))
    hold("and is told", "first token within 1 s" in held["answer"]["headline"], held["answer"])
    placed = estimate("--model", "llama-3.1-8b", "--task", "inference", "--on", "l40s:2", "--input-tokens", "2048",
                      "--output-tokens", "300", "--concurrency", str(int(most(held))))
    hold("the estimate holds it too", placed["time"]["ttft_s"] <= 1.02, placed["time"]["ttft_s"])


def no_option_is_ignored():
    sides = ("h100-sxm5-80gb", "rtx-4090")
    _, plain, _ = run("compare", *sides)
    code, with_model, _ = run("compare", *sides, "--model", "llama-3.1-70b", "--method", "lora")
    hold("compare --model", code == 0 and with_model != plain and "does not fit" in with_model, with_model[:400])
    _, eight, _ = run("compare", *sides, "--model", "llama-3.1-70b", "--method", "lora", "--count", "8")
    hold("compare --count", eight != with_model, eight[:400])
    hold("--count counts a workload's cards", run("compare", *sides, "--count", "2")[0] == 2)
    one = estimate("--model", "vit-b-16", "--task", "inference", "--on", "l4")
    same = estimate("--model", "vit-b-16", "--task", "inference", "--on", "l4", "--concurrency", "1")
    hold("one request is one request", one["time"]["step_s"] == same["time"]["step_s"], (one["time"]["step_s"], same["time"]["step_s"]))


def figures_of_the_catalog():
    def shown(part):
        return json.loads(run("catalog", "show", part, "--json")[1])

    nvl = shown("h200-nvl-141gb")
    between("H200 NVL bandwidth", nvl["memory_bandwidth_gb_per_s"], 4800, 4800)
    between("H200 NVL bridge", nvl["scale_up"]["gb_per_s"], 450, 450)
    a10g = shown("a10g")
    hold("A10G", a10g["units"] == 80 and a10g["tdp_w"] == 300, (a10g["units"], a10g["tdp_w"]))
    for part in ["a40", "rtx-a6000", "a10"]:
        figures = shown(part)
        double = figures["peak_dense"].get("fp64_tflops") or figures["vector_fp64_tflops"]
        between(f"fp64 of {part} is 1/64 of fp32", figures["vector_fp32_tflops"] / double if double else None, 62, 66)
    for part, single, double in [("gb200-gpu", 80, 40), ("b200-sxm-180gb", 75, 37)]:
        figures = shown(part)
        between(f"fp32 of {part}", figures["vector_fp32_tflops"], single, single + 1)
        between(f"fp64 of {part}", figures["vector_fp64_tflops"], double, double + 1)
    between("MI210 fp32 matrix", shown("mi210")["peak_dense"]["fp32_tflops"], 45.3, 45.3)
    mi350 = shown("mi350x")["peak_dense"]
    hold("MI350X has MXFP4, no NVFP4", "nvfp4_tflops" not in mi350 and mi350.get("mxfp4_tflops"), mi350)
    for part, low, high in [("a100-sxm4-80gb", 79.1, 79.4), ("a100-sxm4-40gb", 39.3, 39.5), ("rtx-3090", 23.6, 23.75),
                            ("rtx-5090", 31.3, 31.4), ("rtx-2080-ti", 10.5, 10.6), ("v100-sxm2-32gb", 31.7, 31.8)]:
        between(f"visible memory of {part}", shown(part)["visible_memory_gib"], low, high)


def memory_of_stacks():
    # Two tables of 128,256 x 4,096 in bf16: axolotl takes them back from fp32.
    tables = component(estimate("--model", "llama-3.1-8b", "--method", "qlora", "--framework", "axolotl", "--on", "rtx-4090"),
                       "weights.tables")
    between("axolotl's tables are bf16", tables["gib"] if tables else None, 1.95, 1.97)
    # llm-foundry keeps fp32: 6.74e9 parameters x 4 bytes over 8 cards are 3.14 GiB each.
    foundry = estimate("--model", "llama-2-7b", "--method", "full", "--framework", "llm-foundry", "--on", "a100-sxm4-80gb:8")
    weights = sum(part["gib"] for part in foundry["memory"]["components"] if part["name"].startswith("weights"))
    between("llm-foundry's weights are fp32", weights, 3.1, 3.3)
    # Accumulation under ZeRO-3 keeps gradients spread: 32B of whole ones would be 61 GiB more.
    peaks = [estimate("--model", "qwen2.5-32b", "--method", "full", "--framework", "deepspeed", "--sharding", "zero3", "--micro-batch", "1",
                      "--batch", str(16 * steps), "--on", "h100-sxm5-80gb:16")["memory"]["peak_gib"] for steps in (1, 8)]
    hold("accumulation under ZeRO-3", peaks[1] - peaks[0] < 8, peaks)


def serving_over_several_nodes():
    for question in ["serve deepseek v3 on 16 h100", "serve kimi k2 on 32 h100", "serve llama 3.1 405b in bf16 on 16 h100"]:
        document, code = ask(question)
        hold(question, code == 0 and document["answer"].get("verdict") == "yes", document["answer"])
    document, _ = ask("vram for deepseek v3 in bf16, inference")
    # 671e9 parameters x 2 bytes are 1,250 GiB.
    hold("bf16 is no fp8", document["answer"]["needs_gib"]["mid"] > 1250, document["answer"])
    # 11 of 32 layers (218.1e6 parameters each) and one table of 525e6 in bf16 are 5.45 GiB: the stage that decides.
    document = estimate("--model", "llama-3.1-8b", "--task", "inference", "--framework", "vllm", "--pipeline", "3", "--on", "l4:3")
    weights = sum(part["gib"] for part in document["memory"]["components"] if part["name"].startswith("weights"))
    hold("the heaviest stage is told", weights > 5.4, weights)


def published_figures_lie_inside():
    run_of_gpt3 = estimate("--model", "gpt-3-175b", "--method", "full", "--tokens", "300B", "--on", "a100-sxm4-80gb:1024")["time"]["run"]
    days = [run_of_gpt3[key] / 86400 for key in ("low_s", "high_s")]
    hold("GPT-3 on 1,024 A100: 23 days", days[0] <= 23 <= days[1], days)
    for question, published in [("qwen3-30b-a3b q4_k_m tokens per second on a 4090", 150), ("gpt-oss-20b tokens per second on a 4090", 180)]:
        document, _ = ask(question)
        value = next(v for v in document["answer"]["value"] if v["quantity"] == "decode")
        hold(question, value["low"] <= published <= value["high"], value)
    document = estimate("--model", "llama-3.1-70b", "--task", "inference", "--framework", "llama.cpp", "--quantization", "q4_k_m",
                        "--on", "rtx-3090:2")
    plan = document["workload"].get("parallel", document["workload"].get("plan", {}))
    hold("llama.cpp splits layers", plan.get("pipeline") == 2 and plan.get("tensor", 1) == 1, plan)


def trainers_and_preferences():
    # TRL works through the loss in pieces: logits of 128,256 words are never whole.
    loss = {}
    for framework in ("trl", "hf-trainer"):
        document = estimate("--model", "llama-3.1-8b", "--method", "lora", "--framework", framework, "--micro-batch", "2", "--sequence", "4096",
                            "--recompute", "full", "--on", "h100-sxm5-80gb")
        loss[framework] = document["memory"]["peak_gib"]
    hold("TRL needs less at the loss", loss["trl"] < loss["hf-trainer"], loss)
    read("dpo of llama 3.1 8b on 4 a100 80gb", method="dpo", task="training")
    code, out, _ = run("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--algorithm", "dpo", "--on", "h100-sxm5-80gb")
    hold("DPO has a method", code in (0, 3), out[:200])


def findings_name_what_they_speak_of():
    _, out, _ = run("advise", "full fine-tune of 405b on one rtx 4090", "--explain")
    rejected = [line for line in out.splitlines() if line.startswith("rejected ")]
    hold("rejections name the hardware", rejected and all("rtx-4090" in line for line in rejected), rejected[:3])
    _, out, err = run("advise", "lora llama 3.1 8b on an l40s")
    hold("the prices' age is said once", (out + err).count("days old") <= 1 and "warning: price" not in out + err, out)
    _, out, err = run("advise", "finetune llama-3.1-8b with qlora on my rtx 4090")
    hold("no licence for a home user", "licence" not in out + err and "license" not in out + err, out + err)
    _, out, _ = run("estimate", "--model", "llama-3.1-8b", "--method", "qlora", "--on", "t4")
    hold("T4 has no bf16 rate to choose by", "above 0 FLOP" not in out, out)


def the_first_page_is_short():
    readme = open(os.path.join(sys.argv[2], "README.md")).read().splitlines()
    hold("README", len(readme) <= 200, len(readme))
    hold("README's first screen", not any("..." in line for line in readme[:60]), readme[:60])


def offload_is_offered():
    """Answer.AI trains 70B on two cards of 24 GB with the weights on the host (FSDP and QLoRA)."""
    document, _ = ask("finetune llama3 70b qlora on 2x 4090 fsdp")
    hold("offload", document["answer"].get("verdict") != "no" or
         any("offload" in change["flag"] for change in document["answer"].get("change", [])), document["answer"])
    document, code = ask("finetune llama-3.1-8b full on a 3090")
    hold("a no says what helps", code != 3 or document["answer"].get("change"), document["answer"])


def prices_agree_between_commands():
    bought = {}
    for part in ["rtx-3090", "rtx-5090", "l40s", "mi300x", "h100-pcie-80gb", "b200-sxm-180gb", "rtx-4090"]:
        code, out, _ = run("own", part, "--json")
        if code == 0:
            bought[part] = next((f["value"] for f in json.loads(out).get("figures", []) if f.get("id") == "price_usd"), None)
        document, _ = ask(f"price of {part}")
        values = values_of(document)
        told = next((v["mid"] for v in values if v["quantity"] == "purchase" and v.get("of") in (part, None)), None)
        if bought.get(part) is not None and told is not None:
            hold(f"{part} costs the same", bought[part] == told, (bought[part], told))
        rents = next((v for v in values if v["quantity"] == "rent"), None)
        offer = (estimate("--model", "llama-3.2-1b", "--task", "inference", "--on", part).get("cost") or {}).get("offer")
        hold(f"{part} is rented or not, in both", (rents is None) == (offer is None) or
             (offer is None and rents is not None), (rents, offer))
        if rents and offer:
            each = offer["usd_per_hour"] / offer["count"]
            hold(f"{part}: the rent lies among the offers", rents["low"] - 0.005 <= each <= rents["high"] + 0.005, (rents, each))


def work_is_counted_as_people_count_it():
    document, code = ask("gpu for whisper transcription of 1000 hours")
    kinds = {value["quantity"]: value["mid"] for value in values_of(document)}
    hold("hours of audio", code == 0 and document["reading"].get("audio_s") == 3.6e6 and
         {"time", "accelerator_hours", "cost"} <= set(kinds) and "deadline_s" not in document["reading"], document["answer"])
    # 120 windows of 30 s an hour: twice the audio takes twice as long.
    doubled, _ = ask("how long to transcribe 1000 hours of audio with whisper large v3 on a 4090")
    single, _ = ask("how long to transcribe 500 hours of audio with whisper large v3 on a 4090")
    ratio = values_of(doubled)[0]["mid"] / values_of(single)[0]["mid"]
    between("twice the audio", ratio, 1.999, 2.001)
    # Images that are made are a length of work; those that a run learns from are a data set.
    document, code = ask("how long would 3000 sdxl images take on a 4090")
    time_of_one, _ = ask("sdxl images per minute on a 4090")
    hours = [value["mid"] for value in values_of(document) if value["quantity"] == "time"]
    each = values_of(time_of_one)[0]["mid"]
    hold("images to be made", code == 0 and document["reading"]["task"] == "inference" and
         len(hours) == 1 and abs(hours[0] * 3600 * each / 3000 - 1) < 0.01, document["answer"])
    document, _ = ask("how long to train an sdxl lora on 3000 images with a 3090")
    hold("images to learn from", document["reading"]["task"] == "training", document["reading"])
    document, code = ask("flux images per minute on 4090")
    hold("images a minute", code == 0 and "a minute" in document["answer"]["headline"] and
         values_of(document)[0]["unit"] == "images/s", document["answer"])
    document, _ = ask("how many copies of llama 3.1 8b fit on one h100")
    # 8.03e9 parameters x 2 bytes are 15 GiB: 79.6 GiB hold at most five, and four with a cache and a context each.
    between("copies on an H100", values_of(document)[0]["mid"], 4, 5)
    document, _ = ask("grpo on qwen2.5-7b with 8 h100")
    hold("the usual form leads, with the time of a round", document["answer"]["choice"]["accelerator"] == "h100-sxm5-80gb" and
         "A round of" in document["answer"]["headline"], document["answer"])
    document, _ = ask("kv cache per token qwen2.5 7b")
    # 2 x 28 layers x 4 heads x 128 x 2 bytes.
    between("cache of a token, KiB", values_of(document)[0]["mid"], 56, 56)
    document, _ = ask("$20 on runpod, what can i finetune")
    hold("a small sum rents", "Nothing" not in document["answer"]["headline"], document["answer"])
    # 100 hours in utterances of 10 s, 30 times: 1.08 million; at some hundred a second far above ten minutes.
    document, _ = ask("wav2vec2 large finetune 100 hours of audio 30 epochs one 4090 time")
    hold("hours to learn from", document["query"]["workload"]["duration"].get("samples", 1.08e6) == 1.08e6
         if "query" in document and "workload" in document["query"] else "--dataset-samples 36000" in document["reading"]["flags"],
         document["reading"])
    code, out, err = run("report", "fft 512^3 fp64 on mi300x")
    hold("a report of a kernel", code == 2 and "kernel" in err, err)


def the_door_answers_what_was_asked():
    def line(question):
        return ask(question)[0]["answer"].get("headline", "")

    document, code = ask("cheapest cloud gpu with 48gb")
    cheapest = document["answer"]
    hold("the cheapest of a memory is rented", code == 0 and cheapest["choice"]["usd_per_hour"] > 0 and
         cheapest["headline"].startswith("The cheapest to rent") and "jetson" not in cheapest["headline"] and
         "apple" not in cheapest["headline"], cheapest)
    document, _ = ask("lambda or runpod for 8xh100")
    sellers = {offer["provider"] for offer in document.get("offers", [])}
    hold("two providers are both and alone", sellers == {"lambda", "runpod"}, sellers)
    document, _ = ask("llama 3.1 8b for 20 users with p95 ttft under 500ms, which gpu")
    hold("a percentile is told", any(each["field"] == "percentile" for each in document["reading"]["assumed"]), document["reading"])
    # 8 x 1,000 W for 730 h are 5,840 kWh without their machine and cooling.
    document, code = ask("power draw of 8xb200 training per month in euros")
    energy = values_of(document)[0]
    hold("electricity of a month", code == 0 and energy["unit"] == "kWh" and abs(energy["low"] - 5840) < 1 and
         energy["mid"] > energy["low"] and "usd_per_euro" in json.dumps(document["reading"]), document["answer"])
    document, _ = ask("zero2 vs zero3 for 13b full finetune on 8x a100 80gb")
    hold("two plans are compared", document["reading"]["intent"] == "compare" and "zero2" in document["answer"]["headline"] and
         "zero3" in document["answer"]["headline"], document["answer"])
    hold("the batch of all cards", "on all 8" in line("largest batch for llama 2 7b training at seq 2048 on 8 a100 80gb"))
    hold("the first token leads", "the first token comes after" in line("ttft of llama 3.1 70b with a 4k prompt on 4 h100").split(";")[0])
    hold("a step leads", "a step takes" in line("step time gpt-3 175b on 512 h100 batch 1536"))
    # Twelve cards hold half as much again as eight: in stages of a pipeline where twelve part no layer.
    twelve, eight = ([each["mid"] for each in values_of(ask(f"what can be done with {count} l4")[0])] for count in (12, 8))
    hold("twelve cards hold more than eight", all(1 < a / b < 1.7 for a, b in zip(twelve, eight)), (twelve, eight))
    hold("no cloud is no rent", line("fine-tune an 8B model on 40k notes of 1,500 tokens, no cloud. what do you recommend?").startswith("Buy"))
    # A trillion parameters of which 32 billion are read: far faster than all of them.
    mixture, whole = (values_of(ask(f"tokens per second of a 1T {kind} in fp8 on 8 mi300x")[0])[0]["mid"]
                      for kind in ("moe with 32b active", "dense model"))
    hold("a mixture reads its active part", mixture > 5 * whole, (mixture, whole))
    hold("sharding is kept", "--sharding zero3" in ask("finetune 13b full with zero-3 on 8xa100 80gb")[0]["reading"]["flags"])
    hold("a degree is kept", "--tensor 4" in ask("tensor parallel 4 llama 70b vllm on 8xh100 throughput")[0]["reading"]["flags"])
    # An encoder writes nothing: twice the chunks take twice as long, and none of the time is an answer's.
    hold("an encoder reads alone", " out" not in line("embed 50 million chunks of 512 tokens with bge-m3 on one l4, how long"))
    document, _ = ask("p5.48xlarge on demand vs spot")
    hold("two kinds of price are both shown", "price_kind" not in document["reading"] and "Rent 8 x " in document["answer"]["headline"], document)
    document, _ = ask("192gb mac: largest model?")
    hold("a Mac by its memory", document["answer"]["choice"]["accelerator"].startswith("apple"), document["answer"])
    document, _ = ask("can 2 t4 and 1 l4 run llama 8b")
    hold("kinds of cards are not joined", any(each["field"] == "hardware" for each in document["reading"]["assumed"]), document["reading"])
    hold("a machine's parts", "8 x h100" in line("what gpus does a3-megagpu-8g have"))
    document, _ = ask("when is a 4090 cheaper than cloud at 3 hours/day")
    hold("a card against the cloud", document["reading"]["intent"] == "own", document["reading"])
    document, _ = ask("for 25k which workstation to fine tune 34b models")
    hold("money before a noun", document["reading"].get("budget_usd") == 25000, document["reading"])
    document, _ = ask("cost to pretrain a 13B model on 260B tokens")
    hold("nobody waits a year", values_of(document)[0]["unit"] == "days" and values_of(document)[0]["mid"] <= 90, document["answer"])
    document, _ = ask("what would you get to serve llama 3.1 70b on our own server for 25 people")
    hold("a computer has one chip", document["reading"]["flags"].find("--buy") > 0 and
         not (document["answer"]["choice"]["accelerator"].startswith("strix") and document["answer"]["choice"]["count"] > 1), document["answer"])
    hold("no used price is said first", line("how much are 4 used 4060s").startswith("No used price"))
    document, code = ask("gpu for object detection training")
    hold("a task has its usual network", code == 0 and document["reading"]["model"].startswith("yolo"), document["reading"])
    document, code = ask("which cloud gpu for controlnet training sd 1.5")
    hold("a known name before an unknown", document["reading"]["model"].startswith("sd-1.5"), document["reading"])
    code, _, err = run("estimate", "--model", "llama-3.1-8b", "--method", "full", "--on", "h100:8", "--memory-fraction", "0.5")
    hold("an engine's share is none of a trainer", code == 2 and "trains without one" in err, err)
    code, _, err = run("estimate", "--model", "llama-3.1-8b", "--method", "full", "--algorithm", "grpo", "--on", "h100:8", "--memory-fraction", "0.5")
    hold("but of the engine beside one", code == 0, err)


def stacks_that_another_stands_for():
    for named, stands in (("lmdeploy", "vLLM"), ("ollama", "llama.cpp"), ("ollama@2024-05-01", "llama.cpp")):
        code, out, err = run("estimate", "--model", "llama-3.1-8b", "--task", "inference", "--on", "rtx-4090", "--framework", named)
        words = " ".join(out.split())
        hold(f"{named} is said to be taken as {stands}", code == 0 and f"{named.split('@')[0]} has no profile of its own: estimated as {stands}" in words, out + err)
    code, out, err = run("estimate", "--model", "qwen3-30b-a3b", "--task", "inference", "--on", "apple-m4-max", "--framework", "mlx", "--quantization", "int4")
    hold("MLX has one", code == 0 and "no profile" not in out and ", mlx" in out, out + err)


def what_lies_in_the_prefix_cache():
    asked_of = ("estimate", "--model", "llama-3.1-8b", "--task", "inference", "--on", "rtx-3090", "--framework", "llama.cpp", "--quantization", "q4_0",
                "--phase", "prefill", "--input-tokens", "33280", "--output-tokens", "1", "--concurrency", "1", "--json")
    whole, rest = (json.loads(run(*asked_of, *more)[1])["time"]["step_s"] for more in ((), ("--cached-share", "0.9846")))
    hold("512 tokens behind 32768 are a small part of all", 1 / 65 < rest / whole < 1 / 20, (rest, whole))


asked.run(globals())
