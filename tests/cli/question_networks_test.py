#!/usr/bin/env python3
"""Questions about networks that write no text: clips, volumes, molecules, modules for devices.

Usage: question_networks_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Truths are arithmetic of what is asked.
"""
from asked import ask, document_of, hold, run, text, value


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


run(globals())
