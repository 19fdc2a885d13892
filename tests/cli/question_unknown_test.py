#!/usr/bin/env python3
"""Questions about parts and work that nothing here knows: they are named, and no other question is answered in their place.

Usage: question_unknown_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong.
"""
from asked import ask, command, hold, run, value


def unknown_parts_are_named():
    for question, name in (("tok/s of phi-4 on a snapdragon x plus", "snapdragon-x-plus"), ("hailo-8 for yolov8s, fps", "hailo-8"),
                           ("qwen 7b q4 speed on amd npu", "amd-npu"), ("tok/s of qwen2.5 1.5b on a raspberry pi 4", "raspberry-pi-4"), ("gemma 3 4b on an orange pi, tokens per second", "orange-pi"),
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
    for question in ("matrix factorization of 20M users on an A100", "train 3dgs scenes on a 4090",
                     "which card for gaussian splats", "nerfs on 2x 3090, how long", "catboost on 50M rows, gpu?", "what can a 3090 do for photogrammetry",
                     "random forests with 1B rows on h100", "pointpillars on an L4", "transcode 100 h264 streams on L4"):
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
    for question in ("can a pi 4 run llama 3.2 3b", "tok/s of qwen2.5 1.5b on a raspberry pi 4"):
        _, answer, code = ask(question)
        hold(question, code == 4 and "raspberry-pi-4" in answer["headline"], answer)


def the_known_half_is_answered():
    for question, known in (("groq lpu vs h100 for llama 70b", "H100"), ("cerebras or an a100 80gb for llama 3.1 8b inference", "A100")):
        _, answer, code = ask(question)
        headline = answer["headline"]
        hold(question, code == 4 and "is not in the catalog" in headline and known in headline and "tokens/s" in headline and "has so much" not in headline, answer)
        messages = command("advise", question)[2]
        hold(question, "not understood" not in messages, messages)
    # Without anything to answer no more is said than what was understood.
    for question in ("translate this sentence to french please", "how many gpus"):
        messages = command("advise", question)[2]
        hold(question, "only \"" in messages and "nothing" not in messages, messages)


def what_the_reading_took_is_no_word_that_was_not_understood():
    for question in ("what hardware to train dlrm on criteo 1tb", "best gpu for fp64 dgemm n=16384", "¿cabe qwen2.5 14b en una 4060 ti 16gb con q4?", "gpu 4 training efficientnet-v2-l on 1.2M pics",
                     "cufft 1d 2^24 points h100", "v100 or mi210 for double precision CFD code memory bound", "how much vram does qwen3 14b q8_0 eat at 16k context",
                     "est-ce que mixtral 8x7b en 4 bits tient sur une 3090 ?"):
        reading, answer, _ = ask(question)
        hold(question, not reading.get("not_understood"), reading)
    # A number of terabytes that names no set is one.
    question = "train resnet50 on imagenet from 2tb of disk, which gpu"
    hold(question, ask(question)[2] == 0, ask(question)[1])


def the_number_of_a_part_counts_for_more_than_its_suffix():
    for question, near in (("can an rtx 5090 super run qwen3 32b", "rtx-5090"), ("rtx 5090 ti price", "rtx-5090"), ("rtx 4090 super vs a100 for llama 8b", "rtx-4090")):
        code, out, err = command("advise", question)
        hold(question, "nearest that is known: " + near in out + err and "rtx-4070" not in out + err, out + err)


def a_number_has_its_neighbour():
    for question, near in (("can an rtx 4095 24gb run llama 8b", "rtx-4090"), ("is an rtx 6090 32gb enough for qwen3 32b", "rtx-5090"),
                           ("rtx 5085 16gb price", "rtx-5080"), ("can a rtx 6070 ti run qwen3 8b", "rtx-5070-ti")):
        code, out, err = command("advise", question)
        hold(question, f"nearest that is known: {near}\n" in err, out + err)


def names_that_nothing_knows_are_not_passed_over():
    for question, name in (("serve claude opus on 8 h100, tokens per second?", "claude-opus"), ("grok 4 on 8 h200 tokens/s", "grok-4"), ("can my 3090 run crysis", "crysis"),
                           ("is p9.96xlarge enough for llama 3.1 70b", "p9.96xlarge"), ("is z99 enough for llama 3.1 70b", "z99")):
        code, out, err = command("advise", question)
        hold(question, code == 4 and f"not known: {name}" in err, (code, err))
    for question in ("is 0 gb vram enough for llama 3.1 8b", "can i run mistral 7b with 0 gb of vram"):
        code, _, err = command("advise", question)
        hold(question, code == 4 and "above zero" in err, (code, err))


def a_number_behind_an_unknown_name_counts_nothing():
    for question, name in (("price of the zephyrtron x900 accelerator", "zephyrtron-x900"), ("can the quibblix x2 accelerator run llama 3.1 8b", "quibblix-x2")):
        code, out, err = command("advise", question)
        hold(question, code == 4 and name in err, (code, out[:200], err))
    question = "price of x8 h100 gpus"
    hold(question, ask(question)[0].get("count") == 8, ask(question)[0])


def what_is_told_as_not_understood_was_typed():
    for question in ("dpo 60k pairs mistral 7b zephyr style 8x a100 80gb eta", "memory to full finetune a 1.1B llama (tinyllama), adam fp32 states, mixed precision",
                     "hidden size and kv heads of meta-llama/Llama-3.1-8B-Instruct", "longest clip wan 2.1 14b can do at 480p on a 48 gb card"):
        for word in ask(question)[0].get("not_understood", []):
            hold(question, all(piece in question.lower() for piece in word.split()), word)


def a_second_kernel_is_told():
    question = "fft and spmv, which gpu"
    hold(question, "spmv beside the kernel" in ask(question)[0]["not_understood"], ask(question)[0])
    question = "7 point stencil 512^3 on an h100"
    hold(question, not ask(question)[0]["not_understood"], ask(question)[0])


def a_size_or_a_number_beyond_sense_is_refused():
    for question in ("8 h100 train a 99999999999999999999999B model", "8 x 8 x 8 x 8 H100 train a 99999999999999999999999B model"):
        hold(question, ask(question)[2] not in (0, 3), ask(question))
    hold("4,096", ask("8 x 8 x 8 x 8 H100 price")[0].get("count") == 4096, ask("8 x 8 x 8 x 8 H100 price")[0])


def a_graph_that_is_no_file_is_the_model_of_its_name():
    reading, answer, code = ask("resnet50.onnx batch 32 int8 on jetson orin nano, fps")
    hold("resnet50.onnx", code == 0 and reading["model"] == "resnet-50", (reading, answer))
    hold("zzz9.onnx", ask("zzz9.onnx on a 4090, fps")[2] != 0, "")


if __name__ == "__main__":
    run(globals())
