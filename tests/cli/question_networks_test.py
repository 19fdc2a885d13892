#!/usr/bin/env python3
"""Questions about networks that write no text: clips, volumes, molecules, modules for devices.

Usage: question_networks_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Truths are arithmetic of what is asked.
"""
import re
import subprocess

from asked import RIDGELINE, ask, document_of, hold, run, text, value


def cards_share_the_steps_of_a_clip():
    _, one, _ = ask("time per clip of wan 2.1 14b 720p on one h100 sxm")
    _, eight, _ = ask("time per clip of wan 2.1 14b 720p on 8 h100 sxm")
    # Eight cards take no less than an eighth; exchanges and the decoder are small beside attention over 75,600 tokens.
    share = value(eight, "step") / value(one, "step")
    hold("8 h100", 1 / 8 <= share < 1 / 6 and "8 cards share" in eight["headline"], (one, eight))
    _, rate, _ = ask("how many clips per hour of wan 2.1 14b on 8 h100 sxm")
    hold("clips per hour", "8 are made at once" in rate["headline"], rate)
    _, limit, code = ask("each hunyuanvideo 720p clip under 5 minutes, what gpus")
    hold("limit of a clip", code == 0 and limit["choice"]["count"] > 1, limit)
    _, unet, _ = ask("sdxl speed on 4 a100 sxm 80gb")  # a U-Net has no tokens to share
    hold("sdxl", "cp" not in text("sdxl speed on 4 a100 sxm 80gb --explain"), unet)


def piles_of_clips_are_made_each_on_its_own():
    _, answer, _ = ask("how long to generate 500 clips of 5 s with wan 2.1 1.3b on 4 l40s")
    hold("500 clips", "500 clips take" in answer["headline"] and "4 at once" in answer["headline"], answer)


def volumes_grow_with_the_cube():
    def gib(question):
        _, answer, _ = ask(question)
        return answer["needs_gib"]["mid"]
    # 256^3 has the voxels of eight 128^3.
    large, small = gib("3d u-net training memory 256x256x256 batch 1"), gib("3d u-net training memory 128x128x128 batch 8")
    hold("256^3", 0.9 < large / small < 1.1, (large, small))


def crops_are_as_large_as_told():
    _, large, _ = ask("deeplabv3-resnet50 1024x2048 batch 8 training memory")
    _, small, _ = ask("deeplabv3-resnet50 1024x1024 batch 8 training memory")
    hold("1024x2048", 1.8 < large["needs_gib"]["mid"] / small["needs_gib"]["mid"] < 2.1, (large, small))


def nonzeros_below_the_rows_are_of_each():
    shown = text("spmv 10M rows 27 nonzeros on mi210")
    hold("27 nonzeros", "0.000" not in shown.split("Read as")[0], shown)


def a_whole_answer_bounds_a_picture():
    answered, _ = document_of("flux dev on a 4090", "--answer", "2s")
    hold("flux within 2 s", "later than" in answered["answer"]["headline"] or answered["answer"].get("verdict") == "no", answered["answer"])
    answered, code = document_of("cheapest gpu for sdxl", "--answer", "100ms")
    hold("sdxl within 0.1 s", code == 3 and "fast enough" in answered["answer"]["headline"], answered["answer"])


def nanoseconds_of_a_day_are_a_target():
    _, answer, code = ask("gromacs 100k atoms 200 ns/day which gpu")
    hold("200 ns/day", code == 0 and answer["verdict"] in ("yes", "barely") and "ns/day of 200 asked" in answer["headline"], answer)
    _, slow, _ = ask("1M atoms on a t4, 500 ns/day?")
    hold("500 ns/day", slow.get("verdict") == "no", slow)


def modules_for_devices_are_listed():
    _, answer, _ = ask("which jetson for yolov8n at 30 fps")
    hold("jetson", answer["choice"]["accelerator"].startswith("jetson-orin"), answer)


def what_has_no_units_has_no_rate():
    hold("arc", "2.46" not in text("arc a770 fp64 tflops") and "not known" in text("arc a770 fp64 tflops"), text("arc a770 fp64 tflops"))


def speech_is_tuned_by_its_own_trainer():
    shown = text("how long to finetune whisper large-v3 on 1000 hours on 8 a100")
    hold("whisper", "megatron" not in shown, shown)
    _, tuned, _ = ask("wav2vec2 large finetune on librispeech 960h, 4x a100 40gb, how long")
    unit = next(each["unit"] for each in tuned["value"] if each["quantity"] == "time")
    hours = value(tuned, "time") * {"days": 24, "h": 1, "hours": 1, "s": 1 / 3600}.get(unit, 1)
    hold("320,000 updates of half an hour of speech", hours > 10, tuned)


def streams_are_counted_by_the_frames_of_each():
    _, inside, _ = ask("how many 1080p 30 fps camera streams can a single l4 handle with yolov8n")
    _, behind, _ = ask("how many video streams at 30 fps can a single l4 handle with yolov8n")
    hold("30 fps streams", "streams of 30 a second" in inside["headline"], inside)
    hold("either order", inside["headline"] == behind["headline"], (inside, behind))


def tables_of_two_towers_are_the_memory():
    # 110 million rows of 128 numbers in fp32, and two moments of each.
    _, answer, _ = ask("two-tower model with 100 million users and 10 million items, embedding dim 128: how much memory with adam?")
    tables = 110e6 * 128 * 4 / 2**30
    hold("two towers", 3 * tables <= answer["needs_gib"]["mid"] < 3.3 * tables, answer)


def parts_wait_before_weights_are_narrowed():
    # 11.9B weights in a byte and the maps of one picture fit, T5 beside them does not.
    _, answer, code = ask("flux dev fp8 in diffusers on a 16gb rtx 4060 ti, does it fit")
    hold("flux fp8", code == 3 and answer["change"][0]["flag"] == "--offload-parameters cpu", answer)


def states_of_8_bits_have_no_list_of_roots():
    # 860M weights: 4 B each and as much of gradients, 2 of states, 0.3 GiB of VAE, 0.25 of the text encoder.
    _, answer, _ = ask("dreambooth sd 1.5 minimum vram with 8-bit adam and gradient checkpointing")
    hold("dreambooth", 8.5 < answer["needs_gib"]["mid"] < 11, answer)


def codes_and_other_forces_are_refused():
    for question in ("how long does monte carlo option pricing with 1 million paths take on an rtx 4090",
                     "how fast is openfoam with 20 million cells on one a100", "lammps reaxff 100k atoms on a v100 speed"):
        _, answer, code = ask(question)
        hold(question, code == 4, answer)


def grids_take_as_many_parts_as_hold_them():
    # 2,048^3 cells of 93 bytes.
    _, answer, _ = ask("memory for a 2048^3 lattice boltzmann grid, how many h100")
    hold("2048^3", " x h100" in answer["headline"] and "hold it" in answer["headline"], answer)
    # 4,096^3 numbers of 16 bytes, beside themselves.
    _, apart, _ = ask("fft 4096 3d on 8 h100, memory")
    hold("fft 4096 3d", "2048 GiB" in apart["headline"], apart)


def cells_and_keys_are_as_large_as_told():
    # Four unknowns of each of 50M cells, 27 numbers of 12 bytes a row and the coarser grids: some 0.4 kB a row.
    _, answer, _ = ask("cfd 50 million cells double precision memory")
    hold("cells", 60 <= answer["needs_gib"]["mid"] <= 130 if "needs_gib" in answer else "GiB" in answer["headline"], answer)
    # 250M rows of 128 numbers of 4 bytes are 119 GiB.
    _, answer, _ = ask("memory for a recsys with 200M users and 50M items, embedding dim 128 fp32")
    hold("recommender", answer["needs_gib"]["mid"] >= 115, answer)
    # Keys of 64 bits take eight passes of twice the bytes of four passes.
    _, wide, _ = ask("sort 4 billion uint64 keys on an h200 how many seconds")
    _, narrow, _ = ask("sort 4 billion uint32 keys on an h200 how many seconds")
    hold("keys", 2 < value(wide, "time") / value(narrow, "time") < 6, (wide, narrow))


def frames_are_enlarged_as_they_are():
    # 2,025 pictures of 32 x 32 in a frame of 1920 x 1080: 32 times as much work as in 256 x 256.
    _, answer, _ = ask("real esrgan upscale 1080p to 4k video fps on 4070 ti super")
    rates = [each["mid"] for each in answer["value"] if each["unit"] == "images/s"]
    hold("1080p", rates and rates[0] < 1.5, answer)


def comfyui_streams_what_finds_no_room():
    question = "comfyui wan 2.2 14b fp8 on a 16gb 5060ti doable?"
    reading, answer, code = ask(question)
    hold(question, code == 0 and answer["verdict"] == "yes" and "host's memory" in answer["headline"], answer)
    hold("named", reading["framework"] == "comfyui", reading)
    _, answer, code = ask("flux dev fp8 1024x1024 20 steps seconds per image on 4060ti 16gb")
    hold("flux", code == 0 and "does not fit" not in answer["headline"], answer)
    _, answer, _ = ask("flux dev lora kohya 12gb 3060 will it oom")
    hold("blocks", "blocks_to_swap" in answer["headline"] or "--offload-parameters" in str(answer.get("change")), answer)


def batches_part_what_the_host_keeps_alike():
    # The cards differ by a third and more; one picture at a time both wait for the host.
    for question in ["rtx 5090 vs 4090 stable diffusion", "rtx 5090 vs 4090 resnet-50 inference batch 1"]:
        _, answer, _ = ask(question)
        hold(question, "about as fast" in answer["headline"] and "in batches of" in answer["headline"]
             and "the former is 1." in answer["headline"], answer)
    _, answer, _ = ask("rtx 5090 vs 4090 resnet-50 inference batch 128")
    hold("batch 128", "in batches of" not in answer["headline"], answer)


def pictures_are_counted_by_what_is_asked():
    for question, unit, seconds in [("how many sdxl images per day on a 4090", "images/day", 86400),
                                    ("how many images an hour flux schnell 3090", "images/h", 3600),
                                    ("wan 2.1 14b clips per day on a 5090", "clips/day", 86400)]:
        _, answer, _ = ask(question)
        first, second = answer["value"][:2]
        hold(question, first["unit"] == unit and abs(first["mid"] / seconds / second["mid"] - 1) < 1e-6, answer)


def a_card_at_home_draws_its_own_watts():
    _, answer, _ = ask("how much electricity does a 5090 use")
    hold("5090", "575 W" in answer["headline"] and "1.03 kW" not in answer["headline"], answer)


def bytes_of_a_parameter_are_those_of_all_states():
    # 4 bytes for the weight, 4 for its gradient, 8 for two moments: 16, 477 GiB of 32B.
    _, answer, _ = ask("bytes/param full ft adamw fp32 master bf16 grads, total for 32b across 32 gpus")
    hold("bytes", 440 < answer["needs_gib"]["mid"] < 520 and "16 bytes a parameter" in answer["headline"], answer)


def what_waits_on_the_host_finds_room_there():
    _, answer, code = ask("deepspeed zero3 cpu offload 13b on 2x 4090 64gb ram each")
    hold("host", code == 3 and answer["verdict"] == "no" and "on the host" in answer["headline"], answer)


def the_rate_of_a_run_is_that_of_its_batch():
    # Narayanan et al. 2021: 138 TFLOP/s on each of 1,024 A100, 44 % of peak.
    said = text("megatron 175b tp8 pp16 dp8 1024 a100 tokens/s per gpu")
    hold("batch", "batch" in said and int(re.search(r"(\d+) % of\s+peak", said).group(1)) > 25, said)


def a_stencil_is_told_in_cells():
    question = "stencil 7 point 1024^3 fp64 on mi300x, gcells/s"
    answer = ask(question)[1]
    hold(question, "Gcells/s" in answer["headline"], answer)


def the_largest_network_of_a_family_is_trained_whole():
    for question in ("what's the largest vit i can fine tune w/ 16GB, no lora", "biggest resnet i can train on 8 gb"):
        reading, answer, _ = ask(question)
        hold(question, reading["intent"] == "largest" and "QLoRA" not in answer["headline"], answer)
        hold(question, all(each["field"] != "sequence" for each in reading.get("assumed", [])), reading)


def a_time_for_each_picture_is_judged():
    # 36 s and more of 50 steps are later than 20; 30 of them take three fifths.
    for question, slow in (("sdxl on a 3060, 20 seconds per image", "Yes, but too slow: "), ("sdxl 1024 5 s/image on a 4070", "Yes, but too slow: "), ("sdxl on a 4090, 60 seconds per image?", "Yes: ")):
        _, answer, code = ask(question)
        hold(question, code == 0 and answer["headline"].startswith(slow) and ("asked" in answer["headline"]), answer)


def the_largest_network_keeps_the_time_that_was_asked_for():
    for question, model in (("largest vit for batch 1 latency under 5 ms on a t4", "vit-b-"), ("largest vit at 1000 images/s on a 4090", "vit-l-"), ("largest vit for batch 1 latency under 2 s on a t4", "vit-giant")):
        _, answer, _ = ask(question)
        hold(question, f": {model}" in answer["headline"] and "first token" not in answer["headline"], answer)
    # 30 pictures a second are more than the smallest makes there.
    _, slow, _ = ask("largest yolo at 30 fps on a raspberry pi 5")
    hold("yolo", "yolov5x" not in slow["headline"], slow)
    _, heard, _ = ask("largest whisper that runs real time on a raspberry pi 5")
    hold("whisper", ": whisper-large" not in heard["headline"] and "times real time" in heard["headline"], heard)
    _, flux, _ = ask("biggest flux that makes an image in 2 s on a 3060")
    hold("flux", "vae" not in flux["headline"] and "first token" not in flux["headline"] and "klein" not in flux["headline"], flux)
    _, gemma, _ = ask("largest gemma i can finetune at 1000 tokens/s on a 4090")
    hold("gemma", "27b" not in gemma["headline"], gemma)


def a_set_of_ones_own_is_no_pretraining():
    # The hours that wav2vec 2.0 is made with say nothing of passes over 50,000 clips.
    for question in ("wav2vec2 finetune 50k clips of 15 s on a 3090", "how long to fine-tune wav2vec2-large on 20000 clips of 10 s, 4090", "fine tune segformer on 5000 images, 3090, how long"):
        reading, _, _ = ask(question)
        hold(question, reading["epochs"] == 1 and "ttft_s" not in reading, reading)
    hold("made", ask("train wav2vec2-base from scratch on 50k clips on a 3090, how long")[0]["epochs"] > 1000)


def sound_takes_memory_by_its_length():
    needs = []
    for seconds in (5, 10, 30):
        for question in (f"will a wav2vec2-large finetune with {seconds} s clips batch 8 fit in 24 gb", f"does wav2vec2-large finetuning, clips of {seconds} s, batch 8 fit in 24 gb"):
            document, _ = document_of(question)
            hold(question, f"--audio-seconds {seconds}" in document["reading"]["flags"], document["reading"])
        needs.append(document["answer"]["needs_gib"]["mid"])
    hold("length", needs[0] < needs[1] < needs[2] and needs[2] > 1.5 * needs[1], needs)


def domains_are_shared_by_devices():
    # Lennard-Jones: 92 bytes of state and some 80 neighbours of 4 bytes are 0.4 to 0.6 kB an atom, shared by the devices but for a thin shell.
    def gib(question):
        return value(ask(question)[1], "memory")
    one, four = gib("LAMMPS lennard jones 100 million atoms on 1 h100 sxm, memory?"), gib("LAMMPS lennard jones 100 million atoms on 4 h100 sxm, memory?")
    hold("lj", 0.4e11 / 2**30 < one < 0.6e11 / 2**30 and one < four < 1.05 * one, (one, four))
    _, answer, code = ask("lammps 20M atoms lj on a v100 16gb, does it fit")
    hold("20M", code == 0 and answer["verdict"] == "yes" and "Ewald" not in answer["headline"], answer)
    # With charges a mesh stands beside: another amount, shared too.
    one, four = gib("gromacs 10M atoms on 1 a100, memory"), gib("gromacs 10M atoms on 4 a100, memory")
    hold("pme", 0.95 * one < four < 1.1 * one, (one, four))
    hold("pme", "particle mesh Ewald" in text("gromacs 10M atoms on 1 a100, memory"), one)


def a_time_step_is_read():
    # As many steps a second, twice the time of each.
    two, four = (re.search(r"([\d.,]+) ns/day", ask(f"100k atoms with a {step} fs time step in openmm on a 4090, ns/day")[1]["headline"])[1] for step in (2, 4))
    hold("fs", abs(2 * float(two.replace(",", "")) / float(four.replace(",", "")) - 1) < 0.02, (two, four))
    hold("gromacs", "step 2 fs" in text("gromacs 1M atoms on a 4090 ns/day") and "step 4 fs" in text("openmm 1M atoms on a 4090 ns/day"), "step")


def a_size_of_a_denoiser_is_no_language_model():
    # A clip of 5 s at 480 x 720 has 10,000 tokens and more: 10M of them and 2B parameters are 1e21 operations at least, 64 H100 do 6e16 dense a second.
    question = "train a 2B video diffusion transformer, 10M clips of 5 s, how long on 64 h100"
    reading, answer, code = ask(question)
    hold(question, code == 0 and reading["model"].startswith("cogvideox") and value(answer, "time") > 6, answer)
    for question in ("train a 30B video diffusion model on 256 h100", "what gpus to train a 100B image diffusion model"):
        _, answer, code = ask(question)
        hold(question, code == 4 and "is none that is known" in answer["headline"] and "nearest that is known" in answer["headline"], answer)


def a_schedule_has_its_batch():
    _, answer, _ = ask("mask r-cnn r50 coco 1x schedule on 8 a100 training time")
    hold("1x", value(answer, "time") > 2.2 and "global 16 " in text("mask r-cnn r50 coco 1x schedule on 8 a100 training time"), answer)
    hold("dreambooth", "global 1 " in text("dreambooth sdxl lora 20 images 1500 steps on T4 colab how long"), "batch")


def days_of_cards_are_a_time():
    _, answer, code = ask("stylegan2 1024x1024 training gpu days on 8 v100")
    hours = value(answer, "accelerator_hours")
    hold("gpu days", code == 0 and hours > 24 and "days of one of them" in answer["headline"], answer)
    _, answer, _ = ask("how many gpu hours to train 7b on 100B tokens on 8 h100")
    hold("gpu hours", value(answer, "accelerator_hours") > 24 and "days of one of them" not in answer["headline"], answer)


def a_collective_that_is_timed_is_asked_for():
    _, answer, _ = ask("nccl allreduce time 7b ddp on 4 a100")
    hold("allreduce time", answer["headline"].startswith("All-reduce of 1.4e+10 bytes") and " ms" in answer["headline"], answer)
    reading, _, _ = ask("is allreduce the limit for 13b fsdp full ft on 8 a100")
    hold("the limit", reading["task"] == "training" and not reading.get("kernel"), reading)


def forces_are_their_words():
    """`lj` has no charges and `lj-pme` has; the flags of a question give its answer again."""
    def step(*arguments):
        done = subprocess.run([RIDGELINE, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr
    common = ("advise", "--kernel", "molecular_dynamics", "--elements", "1000000", "--on", "a100-sxm4-80gb", "--forces")
    told = {forces: step(*common, forces) for forces in ("pme", "lj-pme", "lj", "eam")}
    hold("forces", all(code == 0 for code, _ in told.values()) and len({told_text for _, told_text in told.values()}) == 4, told)
    hold("LJPME", step(*common, "LJPME") == told["lj-pme"], "the name of OpenMM's benchmark")
    code, words = step(*common, "lj-pm")
    hold("lj-pm", code == 2 and "lj-pme" in words and "Did you mean" in words, words)
    hold("foo", step(*common, "foo")[0] == 2, "no forces")
    reading, _, _ = ask("lammps lj 1M atoms on a100, timestep 2 fs")
    hold("flags", "--forces lj" in reading["flags"] and "--time-step-fs 2" in reading["flags"], reading)


def a_stream_of_4k_is_scaled_to_the_network():
    # 257.8 GFLOP a picture at 640: 720 a second are 186 TFLOP/s, a few cards; at 4096 it would be forty times as much.
    for question in ("¿qué gpu necesito para detectar defectos con yolov8x en 12 cámaras a 60 fps 4K?", "which gpu for yolov8x on 12 4k cameras at 60 fps",
                     "gpu for yolov8x, 12 cameras 60 fps 1080p"):
        reading, answer, code = ask(question)
        hold(question, code == 0 and reading["concurrency"] == 12 and answer["choice"]["count"] <= 8 and "image_size" not in reading, (reading, answer))
    _, answer, code = ask("1 camera 4K 30fps yolov8m, jetson agx orin")
    hold("orin", code == 0 and "Yes" in answer["headline"], answer)
    reading, _, _ = ask("yolov8m imgsz 1280, 4 cameras at 30 fps, which gpu")
    hold("1280", reading["image_size"] == 1280, reading)


def epochs_of_nnunet_are_250_steps():
    _, one, _ = ask("nnU-Net 1000 epochs, a6000, how many hours")
    _, five, _ = ask("nnU-Net on 300 CT volumes, 1000 epochs 5 folds, A6000, how many hours")
    _, other, _ = ask("unet3d kits19 on an a6000, 10 epochs, how many hours")
    hold("five folds", 4.9 < value(five, "time") / value(one, "time") < 5.1, (one, five))
    hold("one fold", value(one, "time") > 3, one)  # 250,000 steps of 0.05 s or more
    hold("other", value(other, "time") < 1, other)


def mae_passes_a_quarter_of_the_patches():
    _, masked, _ = ask("ViT-H/14 MAE pretraining imagenet 1600 epochs 16x H100, time in hours")
    _, whole, _ = ask("ViT-H/14 pretraining imagenet 1600 epochs 16x H100, time in hours")
    hold("mae", 3 < value(whole, "accelerator_hours") / value(masked, "accelerator_hours") < 4.5, (masked, whole))


def pictures_go_through_the_tower_of_pictures():
    # 81 GMAC of 257 patches; of texts 6.6 GMAC of 77 tokens more.
    _, pictures, _ = ask("CLIP ViT-L/14 embed 400 million images on 8x A10G, how many hours")
    _, both, _ = ask("CLIP ViT-L/14 embed 400 million image caption pairs on 8x A10G, how many hours")
    hold("clip", "400M images" in pictures["headline"] and 1.02 < value(both, "time") / value(pictures, "time") < 1.2, (pictures, both))
    hold("dinov2", "texts of" not in text("dinov2 vit-l embed 1M images on a 4090"), "texts")


def tables_are_spread_over_any_count():
    # 2 TB over 32 cards are 58.2 GiB on each of 79.2: the batch is 65,536, which 32 divide.
    _, answer, code = ask("DLRM with 2 TB of embedding tables fp32, 65k batch, how many H100 to train")
    hold("dlrm", code == 0 and 26 <= answer["choice"]["count"] <= 64, answer)


def products_and_floats_of_kernels():
    reading, answer, _ = ask("batched gemm 4096 batches of 64x64 on a100")
    hold("gemm", reading["batch"] == 4096 and answer["headline"].startswith("4096 products"), (reading, answer))
    for question in ("stencil 512^3 float on a100", "stream triad float a100"):
        _, answer, _ = ask(question)
        hold(question, " in fp32 " in answer["headline"], answer)


def networks_that_nothing_knows_are_refused():
    for question in ("GIN on zinc, 200 epochs, rtx 3060", "train a gatedgcn, 500 epochs on a 4090"):
        _, answer, code = ask(question)
        hold(question, code == 4 and "is no network" in answer["headline"], answer)
    for question in ("resnet50 90 epochs on a 3060", "nnU-Net 1000 epochs a6000", "train 3 epochs on 50k examples on a 4090", "transformer 300 epochs imagenet on 8 a100"):
        _, answer, code = ask(question)
        hold(question, code == 0, answer)


run(globals())
