#!/usr/bin/env python3
"""Questions that leave the plan or the number of cards to the answer, and sizes that are no counts.

Usage: question_plans_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Bounds are derived beside each question.
"""
import re

from math import isclose

from asked import ask, document, hold, run, value


def states_of_16_bits_are_told_where_mixed_precision_has_no_room():
    # An fp32 copy of the weights and two moments of four bytes in the place of two are 8 bytes a weight more.
    for question, weights in (("full fine tune llama 3.1 8b on 80gb", 8.03e9), ("is 24gb enough to full finetune qwen2.5 1.5b", 1.54e9), ("can i full finetune llama 3.2 3b on a 48gb card", 3.21e9)):
        _, answer, _ = ask(question)
        told = re.match(r"(Yes|Barely), with 16-bit states: .*; ([\d.]+) GiB in mixed precision \(fp32 states\) do not fit\.", answer["headline"])
        more = (float(told[2]) - answer["needs_gib"]["mid"]) * 2**30 / weights if told else 0
        hold(question, told and 7 < more < 10 and answer["have_gib"] < float(told[2]), answer)
    # Adapters have few states, what is told of them is kept, and states that have room are as they are.
    for question in ("does lora of 8b fit on a 4090", "full finetune 3b with 8-bit adam on a 4090, fits?", "does full fine tune of 8b fit on 80gb in mixed precision",
                     "does full finetuning of a 1b fit on an h200"):
        hold(question, "16-bit states" not in ask(question)[1]["headline"])


def a_size_before_what_is_made_is_no_count():
    for question, model, samples in (("make 40 wan2.1 1.3b videos at 480p on a 3090, hours?", "wan2.1-t2v-1.3b-transformer", 40),
                                     ("how long for 200 hunyuanvideo 13b clips on an H100", "hunyuanvideo-transformer", 200),
                                     ("time to render 12 wan2.1 14b clips on an H200", "wan2.1-t2v-14b-transformer", 12),
                                     ("generate 25 cogvideox 5b clips on a 4090, total time", "cogvideox-5b-transformer", 25)):
        reading, answer, _ = ask(question)
        # A clip takes minutes: of 200 of them no more than some hundred hours or their days.
        hold(question, reading.get("model") == model and reading.get("samples") == samples and value(answer, "time") < 400, (reading, answer))
    for question, model in (("7B class assistants with qlora on a 4090?", "7b"), ("$200 a month cloud, 3b class models with lora", "3b"), ("lora of 13B class things on an A6000", "13b")):
        reading, _, _ = ask(question)
        hold(question, reading.get("model") == model and "samples" not in reading and "tokens" not in reading, reading)
    # Millions before pictures are pictures.
    reading, _, _ = ask("train resnet-50 on 2M images for 30 epochs with 4 a100, time")
    hold("2M images", reading.get("samples") == 2e6, reading)


def a_size_with_a_style_is_no_flagship():
    for question, size in (("pretrain a 760m gpt-3 style model on 2x 4090", "760m"), ("gpt-3 style 2.7b on 8 a100, fits?", "2.7b"), ("gpt-2 style 350m pretraining memory", "350m"),
                           ("a llama-3 style model with 3b params, pretraining memory", "3b"), ("mistral-like 12b full finetune on 4 h100?", "12b"), ("gpt-3 6.7b pretraining on 16 h100, 100B tokens", "6.7b"),
                           ("opt style decoder of 1.3b, memory to pretrain", "1.3b")):
        reading, _, _ = ask(question)
        hold(question, reading.get("model") == size and not reading.get("not_understood"), reading)
    for question, model in (("gpt-3 memory in fp16", "gpt-3-175b"), ("gpt2 finetuning memory", "gpt2")):
        reading, _, _ = ask(question)
        hold(question, reading.get("model") == model, reading)


def a_doubted_number_is_no_limit():
    # (question, most cards) QLoRA of 70e9 is 38 GiB and its adapters, fp8 70e9 is 65 GiB, 16-bit 13e9 26 GB, 14e9 in 4 bits 8 GiB.
    for question, most in (("they say we need 8xA100 80GB for qlora of a 70b, what is the minimum?", 1), ("do we really need 4 H100 for lora on mistral 7b", 1),
                           ("the integrator quoted 8x L40S to serve qwen 14b fp8 to 4 people, overkill?", 1), ("my colleague says two A6000 are required for a 13b lora, minimum?", 1),
                           ("a consultant recommended 8 H200 for llama 70b fp8 with 10 users. isn't that excessive?", 1), ("IT wants 4x A40 for whisper large transcription, is that excessive", 1),
                           ("our vendor insists on 16 H100 for full finetuning of a 7b; what is the smallest that works", 2)):
        reading, answer, _ = ask(question)
        said = answer["headline"].split(" x ")[0].split()[-1]
        hold(question, reading.get("intent") == "hardware" and "count" not in reading and answer["headline"].startswith("The smallest that holds it is") and int(said) <= most, answer)
    # Those that are there, or that nobody doubts, stay.
    for question, count in (("is 8xH100 overkill for lora on a 7b", 8), ("we have 4 A6000, minimum batch for lora 13b?", 4), ("4x 4090 enough for 70b q4?", 4)):
        reading, _, _ = ask(question)
        hold(question, reading.get("count") == count, reading)
    # 17 GiB of 8 x 79: an eighth of the memory would hold it, were the work not shared.
    _, answer, _ = ask("is 8xH200 overkill for serving a 7b in bf16")
    hold("an eighth", answer["headline"].startswith("In memory yes"), answer)


def plans_that_are_asked_for_are_compared():
    for question, ways in (("which zero stage for a 7b full finetune on 8x A100 80GB", {"zero1", "zero2", "zero3"}), ("what deepspeed zero stage do i use for full 3b training, 4x 3090", {"zero1", "zero2", "zero3"}),
                           ("zero stage for 13b full finetune on 8 h100?", {"zero1", "zero2", "zero3"}), ("best tensor parallel size for llama 70b fp8 on 4x L40S", {"tp1", "tp2", "tp4"}),
                           ("optimal tp for mixtral 8x7b on 2 A100 80GB", {"tp1", "tp2"}), ("tp 2 or 4 for qwen2.5-32b on 4x A6000", {"tp2", "tp4"}),
                           ("tensor parallel 4 vs 8 for llama 405b fp8 on 8 H200", {"tp4", "tp8"})):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "compare" and all(way in answer["headline"] for way in ways), (reading, answer))
    # Optimizer states over eight ranks beside whole weights and gradients: 13e9 x (2 + 2 + 12 / 8) bytes and more.
    _, answer, _ = ask("which zero stage for full finetuning of a 13b on 8 A100 40GB")
    needs = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "memory"}
    hold("no ranks of another kind in the place of a stage", answer["headline"].startswith("Only zero3 fits") and needs["zero1"] > needs["zero2"] > 40 > needs["zero3"], needs)
    reading, _, _ = ask("llama 70b fp8 with tp 4 on 8 H100, tokens/s")
    hold("a degree that is told", reading.get("intent") == "throughput", reading)


def options_that_are_asked_for_are_the_largest():
    for question, unit in (("what max-model-len can i set for qwen2.5-14b on an A6000", "tokens"), ("max_model_len for llama 8b on an L4 with vllm?", "tokens"),
                           ("what max seq len fits for lora 8b on a 4090", "tokens"), ("which max_num_seqs for llama 8b on an L4", "requests")):
        reading, answer, _ = ask(question)
        hold(question, reading.get("intent") == "largest" and unit in str(answer["value"]) and reading.get("model"), (reading, answer))
    reading, _, _ = ask("vllm --max-model-len 8192 llama 8b on an L4, fits?")
    hold("a length that is told", reading.get("intent") == "fit", reading)


def a_micro_batch_that_is_asked_divides_the_step():
    for question, step in (("what micro batch and accumulation for lora 8b on an A100 80GB with global batch 96?", 96), ("grad accum steps for qlora 8b on a 3090, effective batch 48", 48),
                           ("which per-device batch for full finetuning of vit-b on 2x 3090, effective batch 1024", 1024)):
        _, answer, _ = ask(question)
        micro = re.search(r"micro-batch (\d+)(?: on each of (\d+) copies)?, accumulated (\d+) times", answer["headline"])
        hold(question, micro and int(micro[1]) * int(micro[2] or 1) * int(micro[3]) == step, answer["headline"])


def a_batch_below_the_cards_is_that_of_each():
    for question in ("batch size 1 on 4 gpus A100 80GB, lora 70b, fits?", "lora 13b bs 2 on 4 L40S, memory", "batch 1, 2x 4090, qlora 30b, will it fit?", "sft 8b bs 1 8xA100 40gb zero3, fits?"):
        reading, answer, code = ask(question)
        hold(question, code in (0, 3) and reading.get("batch") in (1, 2) and "--micro-batch" in reading["flags"] and "does not divide" not in answer["headline"], (reading, answer))
    reading, _, _ = ask("batch 64 lora 8b on 4 a100, memory")
    hold("a batch of all", reading.get("batch") == 64, reading)


def a_working_set_is_what_a_card_must_hold():
    # Of the parts with fp64 at a half of fp32 none below 40 GB holds it.
    for question, least in (("gpu for DFT with a 40 GB working set in double precision", 40), ("which card to buy for CFD in fp64, 60 GB of arrays", 60), ("lattice qcd code with 30 GB fields, which gpu", 30),
                            ("finite element solver, double precision, 100 GB problem size, which gpu to rent", 100)):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("intent") == "hardware" and reading.get("memory_gib") == least and "parameters" not in answer["headline"], (reading, answer))


def what_is_ruled_out_does_not_train():
    for question, denied in (("full rlhf-free sft of an 8b on 4 H100, fits?", "ppo"), ("ppo-free alignment of an 8b with dpo on 4 A100, fits?", "ppo"), ("no grpo, just full sft of a 7b on 2 H100", "grpo")):
        reading, _, _ = ask(question)
        hold(question, reading.get("algorithm") != denied and "--algorithm " + denied not in reading.get("flags", ""), reading)
    reading, _, _ = ask("rlhf of a 7b on 8 H100 fits?")
    hold("rlhf", "--algorithm ppo" in reading["flags"], reading)


def a_word_between_a_number_and_its_noun():
    for question, samples in (("lora mistral 7b on 50k customer dialogues, 3 epochs on an A100, time", 50e3), ("fine-tune a 3b on 100k translation pairs, 2 epochs, cost", 100e3),
                              ("qlora 13b with 12k labelled examples on a 3090, hours", 12e3), ("train t5-large on 80k summarization pairs on a T4, time", 80e3),
                              ("dpo of llama 8b on 30k preference pairs, 4 h100, how long", 30e3), ("finetune qwen 7b using 20k scanned documents, how long on an L40S", 20e3)):
        reading, _, _ = ask(question)
        epochs = reading.get("epochs") or 1
        hold(question, reading.get("samples") == samples or reading.get("tokens", 0) >= samples * 100 * epochs, reading)


def llama_cpp_parts_its_layers_among_all_cards():
    answered, _ = document("estimate", "--task", "inference", "--model", "llama-3.1-70b", "--framework", "llama.cpp", "--quantization", "q4_k_m", "--on", "rtx-4090:2", "--plan", "framework")
    hold("its own plan", answered["workload"]["parallel"]["pipeline"] == 2, answered.get("workload"))


def what_sees_is_served_in_stages_too():
    # 40 heads do not divide by 16: two stages of eight, as nothing needs copies for one user.
    estimated, code = document("estimate", "--model", "llama-4-scout", "--task", "inference", "--quantization", "int8", "--on", "a10g:16")
    plan = estimated["workload"]["parallel"]
    hold("llama-4-scout on 16 x A10G", code == 0 and plan["tensor"] * plan["pipeline"] == 16 and plan["pipeline"] > 1, plan)
    _, answer, code = ask("16 a10g, which is the largest llama we can serve in int8")
    hold("largest", code == 0 and "llama-4-scout" in answer["headline"], answer["headline"])


def a_remedy_is_what_estimate_answers_with_its_flags():
    for words in (("--model", "llama-3.1-70b", "--method", "full", "--on", "h100-sxm5-80gb:8", "--sequence", "4096"), ("--model", "mixtral-8x7b", "--method", "full", "--on", "h100-sxm5-80gb:8"),
                  ("--model", "llama-3.1-8b", "--method", "lora", "--on", "l40s", "--sequence", "16384"), ("--model", "llama-3.1-8b", "--task", "inference", "--concurrency", "512", "--on", "l4")):
        found, _ = document("remedies", *words)
        hold("some", found["remedies"], words)
        for remedy in found["remedies"]:
            asked = dict(zip(words[::2], words[1::2]))
            asked.update(zip(remedy["flags"].split()[::2], remedy["flags"].split()[1::2]))
            estimated, code = document("estimate", *[word for pair in asked.items() for word in pair])
            hold((words, remedy["flags"]), (code == 0) == remedy["fits"] and isclose(estimated["memory"]["peak_gib"], remedy["peak_gib"], rel_tol=1e-6), (remedy, code))


def a_time_is_told_of_what_a_fit_allows():
    # The weights of 70B in 4 bits wait on the host, as Answer.AI trains them on two cards of 24 GB.
    _, fits, code = ask("can i qlora llama 3 70b on 2x 3090 with samples of 512 tokens")
    reading, took, late = ask("how long does it take to qlora llama 3 70b on 2x 3090 with 10k samples of 512 tokens")
    hold("2 x 3090", fits["verdict"] == "yes" and code == late == 0 and "--offload-parameters cpu" in reading["flags"], (fits, took))
    hold("2 x 3090", "does not fit" not in took["headline"] and value(took, "time") > 0, took)


def degrees_of_a_plan_stand_glued():
    question = "tp8 vs tp4pp2 llama 405b fp8 8xH100 vllm"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading["intent"] == "compare" and "tp4pp2" in answer["headline"] and "tp8" in answer["headline"], answer)


def experts_are_parted_where_gathered_layers_have_no_room():
    # 2 TB of 16-bit weights over 72 cards are 28 GiB each; gathered layers of all experts were 64 GiB more.
    for question in ("does lora of kimi k2 fit on 72 h100 sxm", "does lora of deepseek v3 fit on 32 h100 sxm"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and answer["verdict"] == "yes" and "which parts experts" in answer["headline"] and "--framework megatron" in reading["flags"], answer)
    _, answer, _ = ask("gb200 nvl72 versus nine dgx h100 for training a 1T moe")
    hold("1T", "times as fast" in answer["headline"] and "1t-a50b" in answer["headline"], answer["headline"])


def rollouts_have_the_length_that_multiplies_them():
    for question in ("grpo 500 steps qwen2.5 7b, 8 prompts x 16 rollouts x 2k tokens on 8 h100 how long", "grpo qwen2.5 7b 8 prompts x 16 samples x 2k tokens, 500 steps, 8 h100, how long"):
        reading, _, _ = ask(question)
        hold(question, "--group-size 16" in reading["flags"] and "--response-tokens 2048" in reading["flags"], reading)


def the_network_of_a_model_is_no_other_model():
    reading, _, _ = ask("dreambooth sdxl full unet on a 24gb 3090 ti, will it oom?")
    hold("unet", [each["value"] for each in reading["assumed"] if each["field"] == "model"] == ["sdxl-unet"], reading["assumed"])


def degrees_of_one_plan_are_glued_in_any_order():
    for question in ("tp8 or pp2xtp4 for llama 70b on 8 l40s, vllm", "tp8 vs tp4xpp2 for llama 70b on 8 l40s", "pp2tp4 vs tp8 for 70b on 8 l40s"):
        reading, answer, _ = ask(question)
        hold(question, set(reading["alternatives"]) == {"tp8", "tp4pp2"} and answer["headline"].startswith("tp8 is "), answer["headline"])


def weekends_are_two_sevenths_of_a_time():
    # 10 weekends are 20 days, and so are 10 weeks of which they alone are free.
    for question in ("48 x a100 40gb idle on weekends, biggest model we can pretrain in 10 weekends", "48 a100 40gb, weekends only, 10 weeks, biggest model to pretrain"):
        reading, answer, _ = ask(question)
        hold(question, reading["deadline_s"] == 20 * 86400 and "in 20 days" in answer["headline"], answer["headline"])
    _, answer, _ = ask("train 7b on 100B tokens on 8 h100 weekends only how long")
    hold("calendar", "3.5 times as long" in answer["headline"], answer["headline"])


def a_reference_model_of_its_own_is_counted_or_told():
    # Weights, gradients and states of 8B at 16 bytes over two cards are 64 GB on each before the copy.
    _, answer, code = ask("dpo of llama-3.1-8b w/ ref model in memory on 2x a100 40gb, fits?")
    hold("full", code == 3 and "full training" in answer["headline"] and answer["headline"].startswith("No: "), answer["headline"])
    _, answer, _ = ask("dpo lora llama 8b with a separate reference model, memory")
    hold("lora", "a second copy adds the weights once more" in answer["headline"], answer["headline"])


def interruptions_are_no_deadline():
    reading, answer, _ = ask("8 h100 for a 70b, spot interrupted every 6h")
    hold("every", "deadline_s" not in reading and "Without regard to interruptions" in answer["headline"], answer["headline"])


if __name__ == "__main__":
    run(globals())
