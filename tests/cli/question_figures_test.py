#!/usr/bin/env python3
"""Questions that ask for one figure: a piece of a model, its operations, what several settings come to, what was seen, models side by side.

Usage: question_figures_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Truths are arithmetic of each model's published shapes.
"""
import re
from math import isclose

from asked import ask, hold, run, text, value

GIB = 2 ** 30


def a_sum_trains_a_model_from_scratch():
    # 6 x N x 20 N operations at 40 % of 1,307 TFLOP/s for 1,931 hours: 5.5e9 weights.
    for question in ("how big a model can i pretrain with 5k usd of rented gpus", "how large a model can i pretrain for $5000"):
        _, answer, code = ask(question)
        hold(question, code == 0 and "from scratch" in answer["headline"] and "to buy" not in answer["headline"], answer)
        size = float(re.search(r"trains? ([0-9.]+)B parameters", answer["headline"])[1])
        hold(question, 3 < size < 8, answer)


def jobs_are_told_with_their_time():
    # What the headline says is the value: 500 h are 60,000 windows of 30 s.
    for question in ("how long to transcribe 500 hours of audio on a 3090 with whisper", "time to generate 10000 sdxl images on a 4090",
                     "how long does it take to embed 5M texts of 300 tokens with bge-large on an l4"):
        _, answer, _ = ask(question)
        hours = value(answer, "time")
        hold(question, hours > 0 and " take 0" not in answer["headline"] and " takes 0" not in answer["headline"], answer)


def a_time_trains_so_many_passes():
    for question, unit, each in (("how many epochs of imagenet can i train resnet50 in 24 hours on a 3090", "epochs", 1281167),
                                 ("how many images can a 3090 train resnet50 on in a day", "samples", 1)):
        _, answer, _ = ask(question)
        hold(question, isclose(value(answer, unit) * each, 86400 * value(answer, "training"), rel_tol=0.01), answer)


def a_step_is_told_not_the_run():
    for question in ("grpo with qwen2.5 7b on 8 h100: how long is a step", "how long is one training iteration of gpt-3 175b on 64 a100 80gb, batch 1024"):
        _, answer, _ = ask(question)
        hold(question, "a step takes" in answer["headline"] and " of rent" not in answer["headline"], answer)


def networks_are_trained_as_their_papers_train_them():
    # 118,287 images of COCO, 26 times over, at the rate that is told for the same cards.
    _, answer, _ = ask("faster r-cnn training time on one 3090")
    hold("coco", any(each["mid"] * (24 if each["unit"] == "days" else 1) > 10 for each in answer["value"] if each["quantity"] == "time"), answer)
    _, answer, _ = ask("unet training time on a 2080 ti")  # nobody knows its run: the first line says what was taken
    hold("assumed samples", "a pass over 10,000 samples, which were assumed" in answer["headline"], answer)
    _, answer, _ = ask("how long to train a r-gat on igbh with 8 h100")
    hold("a stand-in counts samples", value(answer, "time") > 0 and "0 us" not in answer["headline"], answer)


def draft_size_is_the_one_said():
    _, small, _ = ask("speculative decoding llama 70b with 1b draft on 2 h100, speedup?")
    _, large, _ = ask("speculative decoding llama 70b with 8b draft on 2 h100, speedup?")
    hold("draft", value(large, "speedup") < 0.9 * value(small, "speedup"), large)


def a_sum_is_enough_or_not():
    for question, verdict in (("is 5000 dollars enough to pretrain a 1b on 100B tokens", "Yes: "), ("is 500 dollars enough to pretrain a 7b on 1T tokens", "No: "),
                              ("grant of 120k usd: pretrain a 3b model on 500B tokens, feasible?", "Yes: Rent ")):
        hold(question, ask(question)[1]["headline"].startswith(verdict), ask(question)[1])


def a_price_is_converted_beside_itself():
    _, answer, _ = ask("was kostet eine rtx 4090 in euro")
    euro = float(re.search(r"([0-9,]+) euro \(\$[0-9,]+\) to buy", answer["headline"])[1].replace(",", ""))
    hold("euro", 0.7 * value(answer, "purchase") < euro < 1.1 * value(answer, "purchase"), answer)


def electricity_has_its_price():
    _, answer, _ = ask("monthly cost of running one 4090 24/7 at 0.30 per kwh")
    hold("kwh", isclose(value(answer, "cost"), 0.3 * value(answer, "energy"), rel_tol=0.01), answer)


def near(answer, quantity, truth, within=0.01):
    return isclose(value(answer, quantity), truth, rel_tol=within)


def pieces_of_a_model():
    # Rank x (rows + columns) of q, k, v, o, gate, up, down over 32 layers.
    each = 2 * (4096 + 4096) + 2 * (4096 + 1024) + 3 * (4096 + 14336)
    _, answer, code = ask("lora adapters rank 32 of llama 3.1 8b: how many params and mb")
    hold("adapters", code == 0 and near(answer, "adapters", 32 * 32 * each * 2 / GIB) and near(answer, "parameters", 32 * 32 * each), answer)
    # Weights and both moments in fp32.
    _, answer, _ = ask("size of 20 checkpoints of a qwen2.5-7b full finetune with optimizer")
    hold("checkpoints", near(answer, "checkpoint", 20 * 7.616e9 * 12 / GIB, 0.02), answer)
    _, answer, _ = ask("embedding table of llama 3.1 8b in gb")
    hold("table", near(answer, "embedding", 128256 * 4096 * 2 / GIB), answer)
    _, answer, _ = ask("logits memory of llama 3.1 8b, batch 4 at 4096")
    hold("logits", near(answer, "logits", 4 * 4096 * 128256 * 2 / GIB), answer)
    layer = (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336) * 2 / GIB
    _, answer, _ = ask("how big is one layer of llama 3.1 8b in bf16")
    hold("layer", near(answer, "layer", layer), answer)


def operations_of_a_model():
    _, answer, _ = ask("flops per token of llama 3.1 8b")
    hold("flops of a token", 2 * 7.5e9 < value(answer, "flops") < 2 * 8.6e9, answer)
    _, answer, _ = ask("gflops of resnet-50")  # He et al. 2015 count multiplications with addition: 3.8 to 4.1 billion
    hold("flops of an image", 2 * 3.8e9 < value(answer, "flops") < 2 * 4.3e9, answer)
    # An encoder's are told for each word too: twice its 85.6 million in layers, and attention of 512 positions.
    _, answer, _ = ask("how many flops is bert-base")
    hold("flops of an encoder", 1.7e8 < value(answer, "flops") < 2.0e8 and "each token at a context of 512" in answer["headline"], answer)
    _, answer, _ = ask("total training flops of a 13b on 2T tokens")
    hold("flops of a run", 6 * 13e9 * 2e12 < value(answer, "training_flops") < 1.15 * 6 * 13e9 * 2e12, answer)
    _, answer, _ = ask("flops needed to train llama 3 70b")  # on 15T tokens, by its model card
    hold("flops of its run", 6 * 70e9 * 15e12 < value(answer, "training_flops") < 1.1 * 6 * 70e9 * 15e12, answer)
    _, answer, _ = ask("how many active experts mixtral 8x7b")
    hold("active experts", value(answer, "active_experts") == 2, answer)


def settings_side_by_side():
    _, answer, _ = ask("batch 8 vs 32 vs 128 tok/s llama 3.1 8b on an a100")
    speeds = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "speed"}
    hold("batches", list(speeds) == ["8", "32", "128"] and speeds["8"] < speeds["32"] < speeds["128"], answer)
    _, answer, _ = ask("4k vs 32k context, ttft of llama 3.1 8b on h100")
    first = {each["of"]: each["mid"] for each in answer["value"] if each["quantity"] == "ttft"}
    hold("contexts", list(first) == ["4096", "32768"] and 8 < first["32768"] / first["4096"] < 20, answer)
    for question in ("flash attention or not: memory of llama 3.1 8b lora at 16k", "7b lora with and without gradient checkpointing, vram"):
        _, answer, _ = ask(question)
        memory = [each["mid"] for each in answer["value"] if each["quantity"] == "memory"]
        hold(question, len(memory) == 2 and memory[0] < memory[1], answer)


def what_was_seen_is_judged():
    for question, word in (("we see 1000 img/s resnet50 training on one h100, ok or slow", "slow"), ("sdxl takes 60 s an image on my 4090, too slow?", "slow"),
                           ("our 7b lora does 0.1 s/step at batch 64 seq 2048 on 8 a100, good?", "faster"),
                           ("is a ttft of 60 s with 4k prompt normal for llama 3.1 8b on a 4090", "slow")):
        reading, answer, _ = ask(question)
        hold(question, "as seen, is " + word in answer.get("headline", "") and "deadline_s" not in reading and "ttft_s" not in reading, answer.get("headline"))


def models_side_by_side():
    reading, answer, code = ask("memory of bge-m3, bge-reranker-v2-m3 and qwen2.5 14b awq on the same gpu")
    sizes = [each["mid"] for each in answer["value"]]
    hold("three models", code == 0 and len(sizes) == 4 and isclose(sizes[0], sum(sizes[1:]), rel_tol=1e-3), answer)
    reading, answer, _ = ask("will 20 users of mistral 7b and 4 users of qwen2.5 7b both fit on one a100 80gb")
    hold("users of each", answer.get("verdict") == "yes" and reading["concurrency"] == 20 and reading["beside"][0].get("concurrency") == 4, reading)
    hold("degrees", "on each of 64 x" in text("mem per card llama2-70b tp8 pp4 dp2 zero1 micro 1 seq 4096 h100"), "")


def few_steps_are_the_models_own():
    # One pass of the U-Net at 512 pixels is a 400th of 50 guided steps at 1024.
    for question, steps, side in (("sdxl turbo on a 4060, seconds per image", 1, 512), ("sdxl lightning on a 4090 speed", 4, None), ("lcm lora sdxl on 4070, seconds per image", 4, None),
                                  ("sdxl turbo 2 steps on a 3060 speed", 2, 512), ("sd3.5 large turbo on an h100, speed", 4, None)):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading.get("steps") == steps and reading.get("image_size") == side and reading["task"] == "inference", reading)
        hold(question, "--guidance-passes 1" in reading["flags"] and f"{steps} step" in answer["headline"], answer)
    _, turbo, _ = ask("sdxl turbo on a 4060, seconds per image")
    _, usual, _ = ask("sdxl on a 4060, seconds per image")
    gain = value(turbo, "inference") / value(usual, "inference")
    hold("turbo", 50 < gain < 400, gain)


def steps_of_pictures_and_references_have_their_batch():
    # A picture a step at 512 ms is 0.2 h; 2 million pairs at 21 ms, as many scripts have seen them: 10 to 25 h.
    for question, least in (("SDXL LoRA 1500 steps on a 4090 how many minutes", 0.17), ("train pix2pix on 10k pairs of 256x256, 200 epochs, rtx 4070. hours?", 8)):
        reading, answer, _ = ask(question)
        hold(question, "batch 1 " in reading["flags"] and value(answer, "time") > least, (reading["flags"], answer["value"]))


def each_part_has_its_figure():
    # An H100 reads weights at three times the rate of a 4090, on which 32 billion of them at 4 bits have room and on a 3060 not.
    _, answer, code = ask("how fast is llama 3.1 8b q4 on a 4090 and an h100")
    rates = [each for each in answer["value"] if each["quantity"] == "decode"]
    hold("two rates", code == 0 and len(rates) == 2 and rates[1]["of"] == "rtx-4090" and rates[1]["mid"] < rates[0]["mid"], answer)
    hold("first", "on 1 x NVIDIA GeForce RTX 4090" in answer["headline"].split(". ")[0], answer)
    _, answer, _ = ask("tokens/s qwen2.5 32b awq vllm on a100 and 4090 and 3060")
    hold("lack", "too little memory on 1 x NVIDIA GeForce RTX 3060" in answer["headline"], answer)
    _, answer, _ = ask("how long to fine-tune 8b lora on 10M tokens on a 4090 and an h200")
    times = [each["mid"] for each in answer["value"] if each["quantity"] == "time"]
    hold("two times", len(times) == 2 and times[1] > 3 * times[0], answer)


def a_share_that_is_given_is_reckoned_with():
    # 6 x 13e9 x 300e9 operations on 64 x 312 TFLOP/s at 35 %: 38.7 days, and those of the attention.
    _, answer, _ = ask("at 35% MFU how long does 13b x 300B tokens take on 64 a100-80gb")
    hold("35 %", 38 < answer["value"][0]["mid"] < 44 and answer["headline"].startswith("At the 35 % of peak"), answer)
    twice = ask("at 70 % mfu how long does 13b x 300B tokens take on 64 a100-80gb")[1]["value"][0]["mid"]
    hold("half", isclose(2 * twice, answer["value"][0]["mid"], rel_tol=0.01), twice)


def parts_of_memory_are_added():
    # 4 bytes of weights, 4 of gradients, 8 of states for each of 7e9 parameters, and no more than 7.3e9 of them.
    _, answer, _ = ask("weights + grads + adam states of a 7b in mixed precision, how many GB")
    hold("sum", 16 * 7e9 / 2**30 < value(answer, "memory") < 16 * 7.3e9 / 2**30, answer)
    _, two, _ = ask("how much for optimizer states and gradients of a 7b")
    hold("two", isclose(value(two, "memory"), 0.75 * value(answer, "memory"), rel_tol=0.01), two)


def a_run_from_scratch_keeps_wide_states():
    # 16 bytes for each of 3e9 parameters are 44.7 GiB, and activations beside them.
    _, answer, _ = ask("memory requirments to pretrain a 3b w adamw")
    hold("pretrain", 45 < answer["needs_gib"]["mid"] < 60, answer["needs_gib"])
    _, whole, _ = ask("4070 ti super with 16 gigs, mistral 7b in fp16, will that run?")  # 14.5e9 bytes of 15.7 GiB
    hold("16 bits", whole["verdict"] == "barely", whole)
    _, weights, _ = ask("fp16 weights of a 33b in gb?")
    hold("weights", isclose(value(weights, "weights"), 2 * 32.5e9 / 2**30, rel_tol=0.03), weights)


def a_state_of_qubits_is_counted():
    # 2^34 amplitudes of 16 bytes are 256 GiB; 2^33 have room in the 139.8 GiB of an H200.
    _, answer, _ = ask("34 qubit statevector double precision how much memory")
    hold("34", answer["headline"].startswith("Its arrays and work areas take 256.0 GiB") and value(answer, "memory") == 256, answer)
    _, answer, _ = ask("how many qubits can i simulate on a single h200 statevector")
    hold("33", answer["headline"].startswith("The largest that fits has 33 qubits"), answer["headline"])
    hold("complex64", "has 36 qubits" in ask("how many qubits fit on 8 x a100 80gb in complex64")[1]["headline"])


def a_type_that_is_asked_is_compared_in_that_type():
    # 256 units x 128 operations x 2.4 GHz against 37 TFLOP/s.
    _, answer, _ = ask("fp64 flops of the b200 compared with mi355x")
    hold("fp64", "78.6 TFLOP/s against 37 TFLOP/s" in answer["headline"], answer["headline"])
    _, answer, _ = ask("tpu v5e vs h100 fp64")
    hold("unknown", answer["headline"].startswith("The fp64 rate of Google TPU v5e is not known") and not answer.get("choice"), answer)


def cards_are_listed_by_their_memory():
    _, answer, _ = ask("what is hbm3e and which cards have it")
    hold("hbm3e", "h200-sxm-141gb" in answer["headline"] and "h100-sxm5-80gb" not in answer["headline"] and "rtx" not in answer["headline"], answer["headline"])
    _, answer, _ = ask("which cards have gddr7")
    hold("gddr7", "rtx-5090" in answer["headline"] and "4090" not in answer["headline"], answer["headline"])


def each_card_hears_windows_of_its_own():
    # Eight cards take 40,000 hours in the time in which one takes 5,000.
    _, one, _ = ask("transcribe 5000 hours with whisper large v3 on an a10g, how long")
    _, eight, _ = ask("transcribe 40000 hours with whisper large v3 on 8 a10g, how long")
    hold("8 x a10g", 0.9 < value(eight, "time") / value(one, "time") < 1.1, (one["headline"], eight["headline"]))


def networks_recompute_nothing():
    # nnU-Net plans its 3d_fullres for 8 GB (its documentation), two patches of 128 x 128 x 128.
    _, answer, _ = ask("nnU-Net 3d fullres needs how much vram")
    hold("nnunet", 4.5 < answer["needs_gib"]["mid"] < 14 and "recomputation" not in answer["headline"], answer)


def slices_are_told_with_their_size():
    _, answer, _ = ask("how many MIG instances on h200 and how big each")
    hold("mig", "7 x 1g.18gb" in answer["headline"], answer)


def double_beside_a_kernel_is_its_precision():
    for question in ["fft 512^3 double a100 ms", "dgemm double h100", "stencil 7pt 512^3 double v100"]:
        said = text(question)
        hold(question, "fp64 is fastest on NVIDIA" in " ".join(said.split()) and "not understood" not in said, said)
    hold("dual", "fastest on 2 NVIDIA" in " ".join(text("fft 512^3 fp64 on dual a100").split()), "dual")
def measured_rates_of_kernels_are_judged():
    # An A100 40GB has 1,555 GB/s: 1.35 TB/s of a triad is what is reached, 0.7 TB/s is low; a rate is no size of an array.
    for question, verdict in (("babelstream triad 1.35 TB/s on an a100 40gb, sick card or fine", "as expected"),
                              ("stream triad gives 0.7 TB/s on my a100 40gb, is that low", "low"),
                              ("nccl-tests all_reduce shows 60 GB/s busbw on our 8x a100 sxm box. normal?", "low")):
        _, answer, code = ask(question)
        hold(question, code == 0 and f"as measured, is {verdict}: " in answer["headline"], answer["headline"])


def what_is_wished_was_not_measured():
    _, answer, _ = ask("how do i get 2 TB/s stream triad on an a100")
    hold("wish", "as measured" not in answer["headline"], answer["headline"])
    # 771 TFLOP/s of a product are told in one unit, here and below.
    _, answer, _ = ask("my h100 sxm gets 500 tflops in bf16 gemm 8192, is that low")
    hold("unit", answer["headline"].startswith("500 TFLOP/s, as measured, is "), answer["headline"])


def dense_factorizations_hold_one_matrix():
    # 8 n^2 bytes: 80 GB of 100,000 x 100,000, some 65,000 x 65,000 in 32 GB.
    _, answer, code = ask("dense LU 100000 x 100000 fp64 fits one a100 80gig?")
    hold("lu", code == 0 and 74.5 <= answer["needs_gib"]["mid"] < 79.2, answer)
    _, answer, code = ask("largest n for in-core fp64 cholesky on v100 32gb")
    hold("cholesky", code == 0 and 60000 < value(answer, "size") < 65500, answer)


def versions_of_programs_count_nothing():
    for question in ("NAMD3 stmv on an l40s", "gromacs 2024 stmv on an l40s", "amber24 stmv l40s"):
        reading, _, code = ask(question)
        hold(question, code == 0 and "--elements 1066628" in reading["flags"], reading)


def steps_that_were_timed_scale():
    question = "lora llama 3 8b on my a6000 takes 6 s/step, bs 4 seq 2048. what would 2x h100 do"
    reading, answer, code = ask(question)
    took = re.search(r"A step of 6 s on 1 x NVIDIA RTX A6000 takes (\d+) ms, ([0-9.]+) times as fast", answer["headline"])
    hold(question, code == 0 and "ttft_s" not in reading and took and isclose(int(took[1]) / 1000, 6 / float(took[2]), rel_tol=0.05), answer)


def steps_that_were_said_are_answered():
    _, answer, _ = ask("my 3090 does 2 s/step lora 7b, how long will 5000 steps take on a 4090")
    faster = re.search(r"takes ([0-9.]+) s, ([0-9.]+) times as fast", answer["headline"])
    hours = 5000 * 2 / float(faster[2]) / 3600
    took = re.search(r"So long are 5000: .* takes ([0-9.]+) h", answer["headline"])
    hold("5000 steps", took and isclose(float(took[1]), hours, rel_tol=0.02), answer["headline"])


def a_second_card_joins_the_first():
    reading, answer, _ = ask("lora 7b takes 9 hours on a 3090, what would a second 3090 give")
    faster = re.search(r"([0-9.]+) times as fast here", answer["headline"])
    hold("second", "on 2 x NVIDIA GeForce RTX 3090 takes" in answer["headline"] and 1.2 < float(faster[1]) <= 2, answer["headline"])


def memory_ran_out_on_the_card_that_is_judged():
    _, answer, _ = ask("oom 8x a100 llama 70b full finetune how to fix")
    rooms = set(re.findall(r" of ([0-9.]+) GiB", answer["headline"]))
    hold("one card", len(rooms) == 1, answer["headline"])


def what_is_required_holds_of_what_a_sum_buys():
    for question in ("lattice qcd, single precision. most GB/s per dollar consumer card?", "consumer card with most vram per dollar"):
        _, answer, _ = ask(question)
        hold(question, answer["choice"]["accelerator"].startswith(("rtx-", "gtx-", "rx-", "arc-")), answer["headline"])


def machines_are_held_against_a_rack():
    _, answer, _ = ask("our racks cap at 12 kW air cooled. can we even put a dgx b200 in there")
    hold("dgx b200", answer["verdict"] == "no" and "14.3 kW" in answer["headline"], answer)
def words_are_three_quarters_of_a_token():
    for question, scale in (("how many words per second does llama 3.1 8b q4 write on a 3060", 0.75), ("how many words per minute does qwen3-8b q4 make on a 3060", 45),
                            ("words a second of llama 3.1 70b q4 on 2x 3090?", 0.75)):
        _, answer, code = ask(question)
        hold(question, isclose(value(answer, "words"), scale * value(answer, "decode"), rel_tol=1e-6) and " writes " in answer["headline"], answer)


def cards_of_a_memory_are_listed():
    for question, gb, part, other in (("12 gb gpu", 12, "rtx-3060-12gb", "rtx-3090"), ("24GB GPUs", 24, "rtx-3090", "rtx-5090"), ("16gb graphics card", 16, "rtx-5060-ti-16gb", "rtx-3060-12gb")):
        reading, answer, code = ask(question)
        listed = {each["of"] for each in answer["value"] if each["quantity"] == "part"}
        hold(question, code == 0 and reading["intent"] == "describe" and part in listed and other not in listed, answer)


def two_memories_are_no_list():
    reading, _, code = ask("1 24gb card or 2 12gb cards")
    hold("or", code == 0 and reading["intent"] == "largest", reading)


def a_batch_saturates_from_where_its_rate_stays():
    # 990 TFLOP/s over 3.35 TB/s are 295 operations a byte: decoding in 16 bits does one for each request at once.
    for question in ("what batch saturates an H100 for llama 3.1 8b", "at what batch does decode on an h100 become compute bound, llama 3.1 8b"):
        _, answer, code = ask(question)
        hold(question, code == 0 and 64 <= value(answer, "saturating") <= 296 and value(answer, "saturating") <= value(answer, "concurrency"), answer)
    _, answer, code = ask("what batch size should i use to saturate an a100 training resnet50")
    hold("resnet", code == 0 and 16 <= value(answer, "saturating") < value(answer, "batch") / 4, answer)
    # Networks and pictures that are only made, and a batch that is told, are asked for no saturation.
    for question in ("sdxl saturating batch on 4090", "at what batch is flux compute bound on h100", "is llama 8b decode compute bound at batch 64 on h100"):
        _, answer, _ = ask(question)
        hold(question, "saturat" not in answer["headline"] and " 0 " not in answer["headline"], answer["headline"])


def a_figure_keeps_the_period_that_was_asked():
    for question, other in (("4090 sdxl images per second, rented by the hour", "an hour"), ("images a second on a 4090 with sdxl turbo, price a day", "a day")):
        _, answer, _ = ask(question)
        hold(question, f"images {other}" not in answer["headline"] and "images/s" in answer["headline"], answer["headline"])
    _, answer, _ = ask("how many images an hour does a 4090 make with sdxl")
    hold("an hour", "images an hour" in answer["headline"], answer["headline"])


def settings_of_two_parts_are_no_settings_of_one():
    for question in ("does a 4090 at fp8 beat a 3090 at int8", "is h100 fp8 cheaper than a100 bf16"):
        reading, answer, code = ask(question)
        hold(question, code == 4 and not reading.get("model"), (reading, answer["headline"]))


def a_draft_that_is_named_proposes():
    _, answer, _ = ask("llama 70b with my draft llama 1b on h100 tokens/s")
    hold("draft", answer["headline"].startswith("With a draft "), answer["headline"])
    # Beside 16 GB of the draft 70B leaves no room for 16 bits on two cards of 80 GB: both are told in the same weights. A pass
    # over 35 GB with 4 or 5 proposals of 4 GB each makes 2 to 3 tokens.
    question = "speculative decoding llama 70b with 8b draft, speedup on 2xA100"
    _, answer, _ = ask(question)
    hold(question, 1.2 < value(answer, "speedup") < 2.5 and "both in awq-int4" in answer["headline"], answer["headline"])


def what_a_model_sees_in_a_time_it_learns_from():
    # 6 x 3e9 FLOP a token; 32 x 312 TFLOP/s at 35 to 65 % for 259,200 s: 50B to 94B tokens.
    for question in ("we have 72h and 32 A100-80s. how many tokens can a 3B see in that time", "how many 3b tokens can 32 a100 80gb train in 72 hours"):
        reading, answer, code = ask(question)
        tokens = value(answer, "tokens")
        hold(question, code == 0 and reading["task"] == "training" and 5e10 <= tokens <= 9.4e10, (reading, answer))


def each_of_several_lengths_is_told():
    # 128,256 logits of four bytes a token come about three times: 2,048 tokens fit 24 GB, 32,768 take 50 GB of them alone.
    question = "memory of llama 3.1 8b qlora at seq 2k / 8k / 32k on one 4090"
    reading, answer, _ = ask(question)
    rooms = [each["mid"] for each in answer["value"] if each["quantity"] == "memory"]
    hold(question, reading["intent"] == "memory" and len(rooms) == 3 and rooms[0] < 24 < 50 < rooms[2], answer)
    question = "full finetune of llama 3.1 8b on 8xh100, sequence 4k, 16k and 512k, which fits"
    reading, answer, code = ask(question)
    hold(question, code == 0 and len([each for each in answer["value"] if each["quantity"] == "memory"]) == 3, answer)
    hold(question, "does not fit" in answer["headline"] and not answer["headline"].startswith("Yes"), answer)


def of_two_largest_the_sequence_is_sought():
    question = "max LoRA rank/seq for 70B on 8x L40S w/ FSDP-QLoRA? seq is what matters"
    reading, answer, _ = ask(question)
    hold(question, reading["intent"] == "largest" and value(answer, "context") > 4096 and "seq" not in reading["not_understood"], (reading, answer))


def a_ridge_point_is_peak_over_bandwidth():
    # 209.5 TFLOP/s in bf16 and 419 in fp8 over 1.792 TB/s.
    _, answer, _ = ask("roofline ridge point of a 5090 in bf16 and fp8")
    hold("both", "ridge point 117 FLOP a byte in bf16, 234 FLOP a byte in fp8" in answer["headline"], answer["headline"])
    _, answer, _ = ask("ridge point of the 5090")
    hold("bf16", "ridge point 117 FLOP a byte in bf16 (" in answer["headline"] and "fp8" not in answer["headline"], answer["headline"])


run(globals())
