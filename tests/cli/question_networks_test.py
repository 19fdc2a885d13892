#!/usr/bin/env python3
"""Questions about networks that write no text: clips, volumes, molecules, modules for devices.

Usage: question_networks_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Truths are arithmetic of what is asked.
"""
from asked import ask, hold, run, text, value


def volumes_grow_with_the_cube():
    def gib(question):
        _, answer, _ = ask(question)
        return answer["needs_gib"]["mid"]
    # 256^3 has the voxels of eight 128^3.
    large, small = gib("3d u-net training memory 256x256x256 batch 1"), gib("3d u-net training memory 128x128x128 batch 8")
    hold("256^3", 0.9 < large / small < 1.1, (large, small))


def nonzeros_below_the_rows_are_of_each():
    shown = text("spmv 10M rows 27 nonzeros on mi210")
    hold("27 nonzeros", "0.000" not in shown.split("Read as")[0], shown)


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
