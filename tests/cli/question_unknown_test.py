#!/usr/bin/env python3
"""Questions about parts and work that nothing here knows: they are named, and no other question is answered in their place.

Usage: question_unknown_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong.
"""
from asked import ask, hold, run, value


def unknown_parts_are_named():
    for question, name in (("tok/s of phi-4 on a snapdragon x plus", "snapdragon-x-plus"), ("hailo-8 for yolov8s, fps", "hailo-8"),
                           ("qwen 7b q4 speed on amd npu", "amd-npu"), ("gemma 3 4b on an orange pi, tokens per second", "orange-pi"),
                           ("can a coral edge tpu run yolov8n", "coral"), ("how fast is llama 3.1 8b on a graphcore ipu", "graphcore-ipu"),
                           # By where they stand, whatever they are called.
                           ("mistral 7b on a wobblechip, tokens per second?", "wobblechip"), ("can my qx7700 run llama 8b q4", "qx7700"),
                           ("llama 3.2 3b on the vroomtron npu, tok/s", "vroomtron")):
        _, answer, code = ask(question)
        hold(question, code == 4 and name in answer["headline"], answer)


def words_beside_hardware_are_no_parts():
    for question in ("what gpu for llama 8b on a nas", "tokens/s of llama 3 8b with open webui on a 3060", "llama 8b on windows, how fast on a 4070",
                     "train llama 8b on my squiggleset with a 4090, qlora, 5k examples", "best card to run qwen 7b on a homelab"):
        reading, answer, code = ask(question)
        hold(question, code in (0, 3) and "not in the catalog" not in answer["headline"], (reading, answer))


def small_cards_are_themselves():
    # 200 GB/s over 4.9 GB of weights: at most 41 tokens/s; 280 GB/s: at most 57, and more than half of that.
    for question, part, most in (("my nvidia a2 runs llama 3.1 8b q4: tokens/s?", "a2", 41), ("tok/s of llama 3.1 8b q4_k_m on an A2", "a2", 41),
                                 ("rtx 4000 sff ada llama 3.1 8b q4_k_m tokens per second", "rtx-4000-sff-ada", 57),
                                 ("rtx 4000 ada sff, llama 3.1 8b q4_k_m speed", "rtx-4000-sff-ada", 57)):
        reading, answer, _ = ask(question)
        hold(question, reading.get("accelerators") == [part] and .5 * most < value(answer, "decode") <= most, (reading, answer))
    reading, _, _ = ask("rtx 4000 ada tokens/s of llama 3.1 8b q4")
    hold("the card without SFF", reading.get("accelerators") == ["rtx-4000-ada"], reading)
    # The machines of a provider are called so as well.
    reading, _, _ = ask("price of a2-highgpu-1g")
    hold("a2-highgpu-1g", reading.get("accelerators") == ["a100-sxm4-40gb"], reading)


def other_work_is_told():
    for question in ("gpu for two-tower retrieval, 30M items x 64", "matrix factorization of 20M users on an A100", "train 3dgs scenes on a 4090",
                     "which card for gaussian splats", "nerfs on 2x 3090, how long", "catboost on 50M rows, gpu?", "what can a 3090 do for photogrammetry",
                     "random forests with 1B rows on h100", "pointpillars on an L4"):
        _, answer, code = ask(question)
        hold(question, code == 4 and "is no work that is known here" in answer["headline"], answer)
    for question in ("how do i overclock a 4070", "undervolt a 3090", "how to install cuda on a T4 server", "mining monero on a 3060"):
        _, answer, code = ask(question)
        hold(question, code == 4 and "no matter of this program" in answer["headline"], answer)
    # Beside a model that is known it is told of that.
    for question in ("3090 undervolted to 250w, llama 8b q4 tokens/s", "pc for llama 3.1 8b q4 and blender, which gpu"):
        _, answer, code = ask(question)
        hold(question, code == 0, answer)


def work_beside_is_told():
    for question, word in (("train cnns and maybe a 7b qlora, 800 euro", "cnns"), ("train a vit-l and run lammps on one box", "vit-l-16 beside the kernel")):
        reading, answer, code = ask(question)
        hold(question, code == 0 and word in reading["not_understood"], reading)
    # A card of PCI Express is a form of a part: such kernels run on it.
    for question in ("gromacs box, must be pcie cards", "fp64 stencil 512^3, pcie only"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "MI300X" not in answer["headline"], answer)


def the_newest_of_near_names_is_offered():
    reading, answer, code = ask("can a rtx 7095 run llama 8b")
    hold("rtx 7095", code == 4 and "rtx-5090" in answer["headline"], answer)
    for question in ("can a pi 5 run llama 3.2 3b", "tok/s of qwen2.5 1.5b on a raspberry pi 5"):
        _, answer, code = ask(question)
        hold(question, code == 4 and "raspberry-pi-5" in answer["headline"], answer)


if __name__ == "__main__":
    run(globals())
