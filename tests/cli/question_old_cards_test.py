#!/usr/bin/env python3
"""Questions about cards that people already own: names as they are typed, and what software of today still runs on old chips.

Usage: question_old_cards_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Truths are derived beside each question.
"""
from asked import ask, document_of, hold, run, text

NAMES = {
    "1660 super": "gtx-1660-super", "gtx1660s": "gtx-1660-super", "gtx 1660s": "gtx-1660-super", "1660ti": "gtx-1660-ti", "gtx 1660": "gtx-1660",
    "1650 super": "gtx-1650-super", "gtx 1650": "gtx-1650", "1070ti": "gtx-1070-ti", "1050 ti": "gtx-1050-ti", "980ti": "gtx-980-ti", "gtx970": "gtx-970",
    "rx580": "rx-580-8gb", "rx 5700xt": "rx-5700-xt", "rx 6600xt": "rx-6600-xt", "rx 6600": "rx-6600", "6650 xt": "rx-6650-xt", "6750xt": "rx-6750-xt",
    "rx 7600": "rx-7600", "rx 7600 xt": "rx-7600-xt", "9060 xt 8gb": "rx-9060-xt-8gb", "m40 24gb": "m40-24gb", "tesla m40": "m40-24gb", "k80": "k80",
    "tesla p4": "p4", "m60": "m60", "quadro p6000": "quadro-p6000", "3050 laptop": "rtx-3050-laptop", "rtx 3050 6gb": "rtx-3050-6gb",
    "rtx 3050": "rtx-3050-8gb", "5060 ti 8gb": "rtx-5060-ti-8gb", "5060 laptop": "rtx-5060-laptop", "arc a380": "arc-a380", "a770 8gb": "arc-a770-8gb",
    "a770 16gb": "arc-a770-16gb", "nvidia a16": "a16", "rtx a3000 laptop": "rtx-a3000-laptop"}


def names_are_read_as_they_are_typed():
    for name, part in NAMES.items():
        reading, _, _ = ask(f"can i run llama 3.1 8b on my {name}")
        hold(name, reading.get("accelerators") == [part], reading.get("accelerators"))
    # Two of a kind stay two of it.
    reading, _, _ = ask("2x 3090s for llama 3.3 70b")
    hold("3090s", reading.get("accelerators") == ["rtx-3090"] and reading.get("count") == 2, reading)


def networks_are_computed_in_fp32_on_geforce_16():
    # 860M weights of 2 bytes and 340M beside them are 2.2 GiB of 5.88; fp16 gives NaN there (pytorch/pytorch #58123).
    question = "is a gtx 1660 super enough for sd 1.5"
    document, code = document_of(question)
    hold(question, code == 0 and document["answer"]["verdict"] == "yes" and "fp32" in str(document), document["answer"])
    for asked, warned in ((question, True), ("is a 3060 enough for sd 1.5", False)):
        said = text(asked, "--compute", "fp16")
        hold(asked, ("black or green pictures" in said) == warned, said)


def geforce_16_has_no_tensor_cores():
    for name, has in (("gtx 1650", False), ("gtx 1660 ti", False), ("rtx 2060", True), ("rtx 3050", True), ("v100 16gb sxm2", True), ("k80", False)):
        _, answer, _ = ask(f"does the {name} have tensor cores")
        hold(name, ("no tensor cores" in answer["headline"]) != has, answer["headline"])


def what_rocm_leaves_out_runs_files_by_vulkan():
    # 4.58 GiB of q4_k_m and 0.19 GiB of cache in 7.45 GiB; two reads of 4.9e9 B at 256 GB/s are 52 tokens/s at most.
    question = "can my rx 580 run llama 3 8b"
    document, _ = document_of(question)
    best = document["options"][0]
    hold(question, document["answer"]["verdict"] == "yes" and "ROCm builds" not in str(document), document["answer"])
    hold(question, best.get("framework", "llama.cpp") == "llama.cpp", best)
    _, answer, _ = ask("llama 3 8b on rx 580 with vllm")
    hold("vllm", answer["headline"].startswith("No: vLLM has no build for AMD Radeon RX 580") and "ROCm" in answer["headline"], answer["headline"])
    _, answer, _ = ask("lora llama 3.2 1b on an rx 580")
    hold("lora", "ROCm has no build for AMD Radeon RX 580" in answer["headline"], answer["headline"])
    _, answer, _ = ask("lora llama 3.2 1b on an rx 7600")
    hold("rx 7600", "ROCm has no build" not in answer["headline"], answer["headline"])


def maxwell_and_kepler_tell_what_they_run():
    # 4.07 GiB of q4_k_m are more than the 3.92 GiB that are visible of 4 GB.
    _, answer, _ = ask("can my gtx 970 run mistral 7b")
    hold("970", answer["verdict"] in ("barely", "no") and "nor does q4_k_m" in answer["headline"], answer["headline"])
    # 30e9 weights of 8.5 bits are 29.7 GiB, on two times 22.4.
    _, answer, _ = ask("can i run a 30b on 2x tesla m40")
    hold("m40", answer["verdict"] == "yes" and "2 x NVIDIA Tesla M40" in answer["headline"], answer["headline"])
    # A card of two chips; CUDA 12 begins at compute capability 5.0.
    for question in ("k80 for training", "can i lora llama 3.2 1b on a k80"):
        _, answer, _ = ask(question)
        hold(question, "compute capability 3.7: CUDA 11 is the last" in answer["headline"] and "2 devices of 12 GB" in answer["headline"], answer["headline"])
    _, answer, _ = ask("qlora llama 3.2 1b with unsloth on a k80")
    hold("unsloth", answer["headline"].startswith("No: Unsloth needs compute capability 7.0"), answer["headline"])
    _, answer, _ = ask("can i lora llama 3.2 1b on a t4")
    hold("t4", "is the last that compiles" not in answer["headline"], answer["headline"])


run(globals())
