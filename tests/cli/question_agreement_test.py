#!/usr/bin/env python3
"""Answers that must agree: what is the largest is held when asked for by its size, and a larger one is not; what fits by a leaner way of the same work is a yes with it.

Usage: question_agreement_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong.
"""
import json
import re
import tempfile

from asked import ask, document, hold, run, text, value

CARDS = ("one A100 40GB SXM", "one RTX 4090", "2x RTX 3090", "one V100 32GB SXM2")
METHODS = ("pretrain", "fully fine-tune", "lora", "qlora")


def largest_is_held_and_a_larger_one_is_not():
    for method in METHODS:
        for card in CARDS:
            _, largest, _ = ask(f"largest model I can {method} on {card}")
            size = value(largest, "model") / 1e9
            held, more = (ask(f"can I {method} a {of * size:.3g}B on {card}")[1] for of in (1, 1.15))
            # Weights in host memory are another way, which is told beside the largest of the cards' own.
            on_host = "weights in host memory" in more["headline"] and "in the host's" in largest["headline"]
            verdicts = [held.get("verdict"), "no" if on_host else more.get("verdict")]
            hold(f"{method} {card}", verdicts[0] in ("yes", "barely") and verdicts[1] == "no", (size, verdicts, largest.get("headline")))


def runs_from_scratch_keep_fp32_states():
    # 16 bytes of a parameter: weights and gradients of 16 bits, a copy and two moments of 32.
    for question, gb in (("largest to pretrain on an A100 40GB", 40), ("biggest model i can train from scratch on a single 4090", 24), ("largest model to pretrain on one H100 SXM", 80),
                         ("what size can be trained from scratch on one L40S", 48), ("biggest LLM I can pretrain on one 3090", 24)):
        _, answer, _ = ask(question)
        hold(question, 0.7 * gb / 16 < value(answer, "model") / 1e9 < gb / 16 * 2**30 / 1e9, answer)
    # A tuning keeps states of 16 bits as its stack does.
    hold("tuning", 3e9 < value(ask("biggest model I can fully fine-tune on an A100 40GB")[1], "model") < 5e9)


def yes_with_a_leaner_way():
    for question in ("can I qlora a 33B on a 24gb 4090?", "qlora 70b on a single A6000 48gb, seq 2048 bs 1 - possible?", "qlora mistral small 24b on a 16gb card", "does qlora of qwen3-32b fit a 3090",
                     "qlora qwen2.5-72b on an L40S, enough?"):
        reading, answer, code = ask(question)
        hold(question, answer.get("verdict") in ("yes", "barely") and "with Unsloth" in answer["headline"].split(":")[0] and code == 0 and "--framework unsloth" in reading["flags"], answer)
    for question in ("qlora 70b on a 24gb card", "will qlora of a 33B with hf-trainer oom on a 4090", "lora of llama 70b on one A6000"):
        _, answer, code = ask(question)
        hold(question, answer.get("verdict") == "no" and code == 3, answer)
    hold("largest", "with Unsloth" in ask("largest model to qlora on a 3090")[1]["headline"])


def four_bits_are_not_one_file():
    _, answer, _ = ask("qwen 2.5 72b 4bit on 2x 3090 with 16k")
    hold("4bit", answer["verdict"] == "barely" and "iq4_xs" in answer["headline"], answer)
    for question in ("qwen 2.5 72b q4_k_m on 2x 3090 with 16k", "qwen 2.5 72b 4bit on one 3090"):
        hold(question, ask(question)[1]["verdict"] == "no")
    for question in ("llama 3.3 70b on 32gb llama.cpp", "llama 3.3 70b on a 5090 with llama.cpp"):
        reading, answer, _ = ask(question)
        hold(question, answer["verdict"] in ("yes", "barely") and "iq3" in answer["headline"] and "nor does q4_k_m" in answer["headline"], answer)
    hold("as printed", "--quantization iq4_xs" in text("qwen 2.5 72b 4bit on 2x 3090 with 16k"))

def an_option_is_estimated_as_it_was_ranked():
    for question in ("grpo on qwen2.5-7b with 8 h100", "kto on llama 8b with 4 a100 80gb", "dpo llama 8b on 8 h100", "ppo of a 7b on 8 h100", "sft 7b full on 8 h100", "lora of a 30b-a3b on 2 h100",
                     "serve llama 3.3 70b fp8 to 32 users on 4 h100", "train resnet-50 on 4 rtx 4090", "sdxl lora on a 4090", "whisper large v3 fine-tuning on an a6000"):
        for option in document("advise", question)[0]["options"][:2]:
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(option["workload"], file)
                file.flush()
                again, _ = document("estimate", file.name, "--on", f"{option['accelerator']}:{option['count']}")
            for part, figure in (("memory", "peak_gib"), ("memory", "high_gib"), ("time", "step_s"), ("time", "low_s"), ("time", "samples_per_s")):
                first, second = option[part].get(figure), again.get(part, {}).get(figure)
                hold(f"{question}: {figure}", first and second and abs(first - second) <= 1e-9 * first, (option["accelerator"], first, second))


def what_barely_fits_is_past_the_sure_size():
    for question in ("whats the biggest llm i can lora on 2x a6000", "largest model i can qlora on a 4090", "biggest model for lora on one l40s", "largest llm in 16 bits on 2 a100 80gb"):
        _, answer, _ = ask(question)
        first = answer["value"] if isinstance(answer["value"], dict) else answer["value"][0]
        hold(question, 0 < first["low"] <= first["mid"], first)
        for size, tight in re.findall(r"-(\d+\.?\d*)b(?: with [^;.]*?)? (barely fits|takes)", answer["headline"]):
            hold(f"{question}: {size}B", float(size) * 1e9 <= 1.05 * first["mid"] and (tight == "takes" or float(size) * 1.05e9 > first["low"]), answer["headline"])


def what_is_named_can_be_had_and_is_run():
    for question in ("largest model a 512gb m3 ultra can hold in 4 bit", "I have 3 A40s in the lab, what can they do", "largest llm on 8 h100 in fp8", "biggest model for inference on 4 a100 80gb"):
        headline = ask(question)[1]["headline"]
        hold(question, not re.search(r"megatron|gpt-3|falcon-180|opt-175|bloom|dbrx", headline), headline)
    for question in ("8gb laptop 4060 - best llm for coding?", "best coding model on a 3090", "best coding llm for 12 gb vram"):
        reading, answer, _ = ask(question)
        hold(question, reading.get("task") == "inference" and "coder" in answer["headline"] and "codegemma" not in answer["headline"], answer["headline"])


def a_context_is_sought_in_every_stack():
    # 8B by LoRA: two bytes for each of 4,096 values of 32 layers are 0.26 MB a token, 32 GB at 131,072, over eight cards 4 each.
    _, answer, _ = ask("how long a context can i finetune llama 3.1 8b at with 8x h100")
    hold("over cards", value(answer, "context") > 100000, answer)
    # 15.2 GB of weights in 16.6: half a GiB of cache of 57,344 bytes a token, where vLLM keeps to nine tenths.
    reading, answer, _ = ask("max context qwen2.5-7b on 16gb 4060ti fp16?")
    hold("all of a card", value(answer, "context") > 4000 and "llama.cpp" in answer["headline"] and "none with vllm" in answer["headline"], answer)
    _, answer, _ = ask("longest video i can generate with wan 2.1 14b on 24gb")
    hold("a clip", "81 frames" in answer["headline"] and "(4 to" not in answer["headline"], answer)


def the_table_is_of_what_was_answered():
    for question, flag, count in (("how many parallel requests llama 3.3 70b fp8 on 4xH100, 8k each", "--concurrency", 4), ("biggest batch resnet-50 a100 40gb amp", "--micro-batch", 1),
                                  ("max users phi-4 awq one a10g at 4k ctx", "--concurrency", 1)):
        answered, _ = document("advise", question)
        amount = answered["answer"]["value"]
        amount = amount["mid"] if isinstance(amount, dict) else amount[0]["mid"]
        hold(question, f"{flag} {amount:g}" in answered["reading"]["flags"] and all(each["count"] == count for each in answered["options"]), answered["reading"])


def more_samples_never_need_less():
    # Adapters of 7B to 13B: the weights alone are 2 bytes each; recomputed, a sample more adds its inputs of each layer and its logits.
    for model, method in (("qwen2.5 7b", "lora"), ("llama 3.1 8b", "qlora"), ("gemma 2 2b", "full finetune")):
        needs = []
        for batch in ("", ", batch 1", ", batch 2", ", batch 8", ", batch 32", ", batch 64"):
            question = f"how much memory does {method} of {model} need at sequence 1024{batch}"
            answer = ask(question)[1]
            needs.append(answer["needs_gib"]["mid"])
            hold(question, "Without recomputation" in answer["headline"], answer["headline"])
        hold(f"{model} {method}", abs(needs[0] / needs[1] - 1) < 0.02 and needs == sorted(needs), needs)
    # Who keeps activations is told that.
    question = "memory of lora qwen2.5 7b without gradient checkpointing at batch 2"
    answer = ask(question)[1]
    hold(question, "Without recomputation" not in answer["headline"] and answer["needs_gib"]["mid"] > 30, answer)


def a_mac_has_a_way_out():
    # 40 GiB of a file of 4 bits: a GPU takes three quarters of 48 GB unless its limit is raised, and a file of 3 bits has 34.
    for question in ("can a macbook pro m4 pro 48gb run llama 3.3 70b q4_k_m", "can an m4 max 48gb run llama 3.1 70b q4_k_m"):
        answer = ask(question)[1]
        flags = " ".join(change["flag"] for change in answer.get("change", []))
        hold(question, answer["verdict"] == "no" and "iogpu.wired_limit_mb" in flags and "q3_k_m" in flags, answer)
    answer = ask("can an m4 with 16gb run llama 3.3 70b q4_k_m")[1]
    hold("16 GB", "wired" not in answer["headline"], answer)


run(globals())
