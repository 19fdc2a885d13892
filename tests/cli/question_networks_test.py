#!/usr/bin/env python3
"""Questions about networks that write no text: clips, volumes, molecules, modules for devices.

Usage: question_networks_test.py RIDGELINE. Exit codes: 0 all right, 1 wrong. Truths are arithmetic of what is asked.
"""
from asked import ask, hold, run, text


def modules_for_devices_are_listed():
    _, answer, _ = ask("which jetson for yolov8n at 30 fps")
    hold("jetson", answer["choice"]["accelerator"].startswith("jetson-orin"), answer)


def what_has_no_units_has_no_rate():
    hold("arc", "2.46" not in text("arc a770 fp64 tflops") and "not known" in text("arc a770 fp64 tflops"), text("arc a770 fp64 tflops"))


run(globals())
