#!/usr/bin/env python3
"""Commands over several files, loads beyond what is served, states on a drive: what must hold of their answers.

Usage: runs_and_loads_test.py RIDGELINE SOURCE_FOLDER. Exit codes: 0 all right, 1 wrong.
"""
import json
import os
import tempfile

import asked
from asked import command as run, document, hold

TRAINER = """base_model: {model}
sequence_len: {tokens}
micro_batch_size: {micro}
adapter: lora
lora_r: 16
bf16: true
gradient_checkpointing: true
datasets: [{{path: a/b, type: alpaca}}]
"""
LARGE = TRAINER.format(model="meta-llama/Llama-3.1-70B", tokens=4096, micro=4)
SMALL = TRAINER.format(model="meta-llama/Llama-3.2-1B", tokens=512, micro=1)


def files(**texts):
    folder = tempfile.mkdtemp()
    paths = []
    for name, text in texts.items():
        paths.append(os.path.join(folder, name.replace("_", ".")))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    return paths


def each_run_has_its_verdict():
    large, small = files(large_yml=LARGE, small_yml=SMALL)
    for pair in ([large, small], [small, large]):
        code, out, _ = run("check", *pair, "--on", "rtx-4090", "--quiet")
        hold("two runs, the worst decides", code == 3 and out.count("does not fit**") == 1 and out.count("**fits**") == 1, out)
    told, code = document("check", large, small, "--on", "rtx-4090")
    hold("both in one document", code == 3 and [each["verdict"] for each in told["runs"]] == ["does not fit", "fits"], told)
    strange, = files(other_json='{"what": 1}')
    code, out, err = run("check", small, large, strange, "--on", "rtx-4090")
    hold("an unknown file hides no run", code >= 3 and out.count("**") == 4 and "other.json" in err, (code, out, err))


def a_broken_file_hides_no_run():
    small, open_list, weights = files(small_yml=SMALL, broken_yml="base_model: [gpt2\n", cut_gguf="GGUF\x03")
    for broken in (open_list, weights, os.path.join(os.path.dirname(small), "missing.yml")):
        code, out, err = run("check", broken, small, "--on", "rtx-4090", "--quiet")
        hold("what can be read is judged beside " + broken, code == 4 and out.count("**fits**") == 1, (code, out, err))
        hold("and the file is named once", err.startswith("error: " + broken) and err.count(broken) == 1, err)
        told, code = document("check", small, broken, "--on", "rtx-4090")
        hold("in one document", code == 4 and told["runs"][0].get("verdict") == "fits" and
             told["runs"][1]["error"]["path"].startswith(broken), told)
    named, = files(named_yml=SMALL + "deepspeed: configs/missing.yml\n")
    missing = os.path.join(os.path.dirname(named), "missing.yml")
    code, out, err = run("check", named, missing, "--on", "rtx-4090", "--quiet")
    hold("a run without a file that it names is not judged", code == 4 and "**" not in out and missing in err, (code, out, err))


def files_of_one_run_stay_one():
    zero = json.dumps({"bf16": {"enabled": True}, "zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": 1})
    trainer, settings = files(trainer_yml=SMALL, ds_json=zero)
    code, out, _ = run("check", trainer, settings, "--on", "rtx-4090:2", "--quiet")
    hold("a DeepSpeed file completes the only run", code == 0 and out.count("**") == 2, out)
    large, small, settings = files(large_yml=LARGE, small_yml=SMALL + "deepspeed: configs/ds.json\n", ds_json=zero)
    told, _ = document("check", large, small, settings, "--on", "rtx-4090:2")
    hold("a file that is named is of who names it", len(told["runs"]) == 2 and len(told["runs"][1]["imports"]) == 2, told)


def contradictions_are_told():
    mixtral = ["advise", "--model", "mixtral-8x7b", "--task", "inference"]
    dense = ["advise", "--model", "llama-3.1-8b", "--method", "full"]
    estimate = ["estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "h100-sxm5-80gb"]
    for words, told in ((mixtral + ["--expert", "3"], ("--expert", "does not divide the 8 experts")),
                        (dense + ["--tensor", "3", "--accelerators", "8"], ("--tensor", "32 attention heads")),
                        (dense + ["--tensor", "16", "--accelerators", "8"], ("--accelerators", "found 8 beside --tensor 16")),
                        (dense + ["--tensor", "2", "--data", "8", "--accelerators", "8"], ("--tensor 2 --data 8", "16 ranks")),
                        (estimate + ["--max", "batch", "--micro-batch", "4"], ("--micro-batch", "found 4 beside --max batch")),
                        (estimate + ["--max", "sequence", "--sequence", "4096"], ("--sequence", "beside --max sequence")),
                        (estimate + ["--sweep", "sequence=512..2048", "--sequence", "4096"], ("--sequence", "beside --sweep sequence"))):
        code, out, err = run(*words)
        hold(" ".join(words), code in (2, 4) and not out and all(each in err for each in told), (code, out, err))
    _, out, _ = run(*mixtral, "--expert", "2", "--tensor", "2")
    hold("and what is read is shown", "--tensor 2 --expert 2" in " ".join(out.split()), out)


def more_than_is_served():
    words = ["estimate", "--model", "llama-3.1-8b", "--framework", "vllm", "--on", "l4", "--request-rate"]
    told, code = document(*words, "5")
    grows = [each for each in told["findings"] if each["rule"] == "queue_grows"]
    crowd, _ = document(*words[:-1], "--task", "inference", "--concurrency", "100")
    # As many are served as of a crowd that always waits, of whose engine the trial pass before the cache takes less, and every
    # place tells that rate.
    hold("a load beyond the card is told", code == 0 and len(grows) == 1 and
         0.75 < grows[0]["numbers"]["served_per_s"] / crowd["time"]["requests_per_s"] < 1.05 and
         abs(grows[0]["numbers"]["served_per_s"] / told["time"]["requests_per_s"] - 1) < 1e-6, (told["findings"], crowd["time"]))
    cache = next(each["gib"] for each in told["memory"]["components"] if each["name"] == "kv cache")
    hold("its cache is full", cache > 2 and told["memory"]["fits"], cache)
    _, out, _ = run(*words, "5")
    hold("and the sentence says so", out.startswith("Not at that rate") and "e+0" not in out, out)
    told, _ = document(*words, "0.3")
    hold("a load below it is served", not any(each["rule"] == "queue_grows" for each in told["findings"]), told["findings"])


def a_check_says_who_waits():
    words = ["--model", "llama-3.1-8b", "--task", "inference", "--on", "l40s"]
    estimated, _ = document("estimate", *words, "--concurrency", "1000")
    running = next(each["numbers"]["running"] for each in estimated["findings"] if each["rule"] == "requests_wait")
    told, code = document("check", *words, "--concurrency", "1000")
    step = told["steps"][0]
    hold("fewer run than come", code == 0 and told["verdict"] == "fits" and step.get("requests") == 1000 and
         abs(step["running"] - running) < 0.5, told)
    code, out, err = run("check", *words, "--concurrency", "1000", "--strict")
    hold("the first line says so", code == 3 and f"**fits**, {running:.0f} of 1000 requests at once" in out and
         f"; {running:.0f} of 1000 at once" in out and "more than is served" in err, (code, out, err))
    told, code = document("check", *words, "--concurrency", "20", "--strict")
    hold("a load that runs is silent", code == 0 and "running" not in told["steps"][0], told)
    # A rate above what is served.
    estimated, _ = document("estimate", *words, "--request-rate", "500")
    told, code = document("check", *words, "--request-rate", "500")
    step = told["steps"][0]
    hold("a rate beyond it", code == 0 and step.get("requests_per_s") == 500 and
         abs(step["served_per_s"] / estimated["time"]["requests_per_s"] - 1) < 1e-6, told)
    code, out, _ = run("check", *words, "--request-rate", "500", "--strict")
    hold("is told first", code == 3 and "not at that rate: of 500 requests/s it serves" in out, (code, out))
    told, code = document("check", *words, "--request-rate", "0.5", "--strict")
    hold("a rate that is served is silent", code == 0 and "served_per_s" not in told["steps"][0], told)


def a_rate_at_which_nobody_waits():
    words = ["estimate", "--model", "llama-3.1-8b", "--task", "inference", "--concurrency", "1000", "--on"]
    _, out, _ = run(*words, "h100-sxm5-80gb", "--request-rate", "5")
    hold("nobody waits at 5 a second", "at once" not in out.split("\n\n")[0] and "run at once" not in out, out)
    _, out, _ = run(*words, "h100-sxm5-80gb")
    hold("of a closed loop some do", "of the 1000 requests at once" in " ".join(out.split()), out)
    told, _ = document(*words[:5], "--on", "l40s", "--request-rate", "5", "--ttft", "0.2s")
    rates = [told["time"]["requests_per_s"], told["time"]["load"]["requests_per_s"]]
    hold("one rate is served", abs(rates[0] / rates[1] - 1) < 1e-6, rates)


def a_drive_is_slower_than_the_link():
    words = ["estimate", "--model", "llama-3.1-8b", "--method", "full", "--on", "h100-sxm5-80gb", "--sequence", "2048", "--micro-batch", "1",
             "--batch", "1", "--framework", "deepspeed", "--sharding", "zero3", "--offload-optimizer"]
    host, drive = (document(*words, place)[0] for place in ("cpu", "nvme"))
    fast = document(*words, "nvme", "--storage-gb-per-s", "28")[0]
    # 8.03e9 parameters, 12 bytes of states and 4 of gradients read at 2.9 GB/s and written at 2.04; both at 28.
    extra = [each["time"]["step_s"] - host["time"]["step_s"] for each in (drive, fast)]
    hold("states cross the drive", abs(extra[0] / (8.03e9 * 16 * (1 / 2.9e9 + 1 / 2.04e9)) - 1) < 0.02, extra)
    hold("a stated drive", abs(extra[1] / (8.03e9 * 16 * 2 / 28e9) - 1) < 0.02, extra)
    hold("it is told", any(each["rule"] == "offload_to_drive" and "assumed" in each["message"] for each in drive["findings"]), drive["findings"])


def who_does_the_work_is_not_rejected():
    told = json.loads(run("report", "qlora llama-3.1-8b", "--format", "json")[1])
    rejected = {each["accelerator"] for each in told["rejected"]}
    hold("a part that fits is not rejected", not rejected & {"a10", "a100-pcie-40gb"}, rejected)


def a_workload_reads_back_whole():
    words = ["--on", "h100-sxm5-80gb"]
    first, _ = document("estimate", "--model", "llama-3.1-8b", "--task", "inference", "--draft-tokens", "4", "--acceptance", "0.5",
                        "--draft-parameters", "0", *words)
    path, = files(w_json=json.dumps({"schema": "ridgeline/workload/1", **first["workload"]}))
    again, _ = document("estimate", path, *words)
    hold("drafts are of the workload", again["time"]["tpot_s"] == first["time"]["tpot_s"], (first["time"], again))


def other_hardware_is_a_remedy():
    words = ["--model", "llama-3.1-70b", "--method", "full"]
    told, code = document("remedies", *words, "--on", "h100-sxm5-80gb:8")
    places = [each["flags"].split()[1] for each in told["remedies"] if each["flags"].startswith("--on ")]
    hold("twice as many, and larger ones", code == 0 and places[0] == "h100-sxm5-80gb:16" and len(places) == 2 and
         places[1].endswith(":8"), places)
    for place in places:
        hold("it fits on " + place, run("estimate", *words, "--on", place)[0] == 0)
    hold("and not on as many as there are", run("estimate", *words, "--on", "h100-sxm5-80gb:8")[0] == 3)
    told, _ = document("remedies", "--model", "llama-3.1-8b", "--method", "lora", "--on", "h100-sxm5-80gb")
    hold("what fits needs none", not any(each["flags"].startswith("--on ") for each in told["remedies"]), told["remedies"])
    _, out, _ = run("remedies", *words, "--on", "h100-sxm5-80gb:8")
    lines = out.splitlines()
    at = next(i for i, line in enumerate(lines) if "--weights bf16 --gradients bf16" in line)
    hold("flags go on under flags", lines[at].index("--weights") == lines[at + 1].index("--master-weights"), lines[at:at + 2])


def a_draft_model_is_not_free():
    words = ["estimate", "--model", "llama-3.1-70b", "--framework", "vllm", "--tensor", "4", "--on", "h100-sxm5-80gb:4"]
    code, _, err = run(*words, "--draft-tokens", "4")
    hold("tokens that nobody proposes", code == 2 and "--draft-parameters" in err and "--draft-tokens: found 4" in err, err)
    (looked, _), (drafted, _) = (document(*words, "--draft-tokens", "4", "--draft-parameters", size) for size in ("0", "8B"))
    part = [each["gib"] for each in drafted["memory"]["components"] if each["name"] == "draft model"]
    # 8e9 parameters of 2 bytes over 4 ranks are 3.73 GiB.
    hold("its weights", len(part) == 1 and abs(part[0] - 8e9 * 2 / 4 / 2**30) < 0.05, drafted["memory"]["components"])
    hold("and are in the peak", abs(drafted["memory"]["peak_gib"] - looked["memory"]["peak_gib"] - part[0]) < 0.1, part)
    hold("and its time", drafted["time"]["tpot_s"] > 1.1 * looked["time"]["tpot_s"], drafted["time"])


def units_that_are_there():
    code, _, err = run("estimate", "--kernel", "gemm", "--size", "4096", "--dtype", "fp8", "--on", "a100-sxm4-80gb")
    hold("no fp8 units", code != 0 and "no fp8 units" in err, err)
    _, out, _ = run("estimate", "--kernel", "gemm", "--size", "4096", "--units", "vector", "--dtype", "fp64", "--on", "mi300x")
    hold("of the vector peak", "of 81.7 TFLOP/s" in " ".join(out.split()), out)
    _, out, err = run("estimate", "--kernel", "gemm", "--size", "4096", "--dtype", "fp16", "--fp16-accumulate", "true", "--on", "rtx-3090")
    hold("fp16 that adds up in fp16", "of 142 TFLOP/s" in " ".join(out.split()) and "in fp16 with sums in fp16 on" in " ".join(out.split()), out + err)
    code, _, err = run("estimate", "--kernel", "fft", "--size", "4096", "--dtype", "fp16", "--fp16-accumulate", "true", "--on", "rtx-3090")
    hold("of products alone", code != 0 and "is of matrix products in fp16 alone" in err, err)


def megatron_is_told_the_whole_model():
    words = ["--to", "megatron", "--method", "full", "--sequence", "4096", "--on", "h100-sxm5-80gb:8", "--tensor", "2"]
    _, out, err = run("emit", *words, "--model", "llama-3.1-8b")
    hold("what its code needs to be Llama", all(flag in out for flag in (
        "CUDA_DEVICE_MAX_CONNECTIONS=1", "--position-embedding-type rope", "--normalization RMSNorm", "--disable-bias-linear",
        "--rotary-base 500000", "--swiglu")), out + err)
    for model, rest in (("llama-3.1-8b", []), ("qwen2.5-7b", [])):
        _, out, err = run("emit", *words, "--model", model)
        bare, = files(megatron_sh="".join(line for line in out.splitlines(keepends=True) if not line.startswith("#")))
        named, _ = document("estimate", "--from", files(named_sh=out)[0], "--on", "h100-sxm5-80gb:8")
        shaped, _ = document("estimate", "--from", bare, "--on", "h100-sxm5-80gb:8")
        peaks = [each["memory"]["peak_gib"] for each in (named, shaped)]
        hold(f"{model} from its sizes alone", abs(peaks[0] / peaks[1] - 1) < 1e-3, (peaks, err))


def sizes_that_cannot_be():
    wrong, = files(neg_yml=SMALL.replace("512", "-4096"))
    code, _, err = run("estimate", "--from", wrong, "--on", "rtx-4090")
    hold("a negative length", code != 0 and "-4096 can be no size" in err, err)
    code, _, err = run("estimate", "--model", "llama-3.1-8b", "--task", "inference", "--rank", "64", "--on", "rtx-4090")
    hold("adapters of a server", code != 0 and "lora" in err and "method" not in err, err)


BUSY = ["--model", "llama-3.1-8b", "--task", "inference", "--framework", "vllm"]


def in_flight(time, output=512):
    """Requests in flight by the rate and the time of each (Little 1961)."""
    return time["requests_per_s"] * (time["ttft_s"] + (output - 1) * time["tpot_s"])


def a_crowd_waits_and_takes_nothing_away():
    for on in ("l40s", "h100-sxm5-80gb:8"):
        most = 0
        for users in (1, 100, 1000, 5000, 20000, 100000, 1000000):
            told, _ = document("estimate", *BUSY, "--on", on, "--concurrency", str(users))
            time = told["time"]
            hold(f"{users} on {on}", abs(in_flight(time) / users - 1) < 0.1 and time["tokens_per_s"] > 0.97 * most, time)
            most = max(most, time["tokens_per_s"])


def options_are_estimated_as_they_are_shown():
    large = ["--model", "llama-3.1-70b", *BUSY[2:]]
    for words, users, where in ((BUSY, 5000, ["--on", "b200-sxm-180gb,h200-sxm-141gb,mi300x"]), (BUSY, 200, []), (large, 300, ["--nodes", "2", "--accelerators", "16"])):
        asked_for = words + ["--concurrency", str(users)]
        told, _ = document("advise", *asked_for, *where)
        hold(f"options of {words}", len(told["options"]) > 1, told)
        for option in told["options"]:
            each = f"{option['count'] // option['nodes']}x{option['nodes']}" if option["nodes"] > 1 else option["count"]
            on = f"{option['accelerator']}:{each}"
            placed, _ = document("estimate", *asked_for, "--on", on)
            pairs = [(option["time"][name], placed["time"][name]) for name in ("tokens_per_s", "ttft_s", "tpot_s")]
            hold(f"{users} on {on}", all(abs(shown / estimated - 1) < 0.01 for shown, estimated in pairs), pairs)
            hold(f"{users} in flight on {on}", abs(in_flight(option["time"]) / users - 1) < 0.1, option["time"])


asked.run(globals())
