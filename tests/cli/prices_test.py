#!/usr/bin/env python3
"""Checks that every command takes the same price, and the commands that keep prices of a user.

Usage: prices_test.py RIDGELINE. Exit codes: 0 all right, 1 something is wrong.
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RIDGELINE = sys.argv[1]
EVERY = int(os.environ.get("RIDGELINE_CHECK_EVERY", "1"))  # as in asked.py
HOME = tempfile.TemporaryDirectory()
ENVIRONMENT = dict(os.environ, SOURCE_DATE_EPOCH="1795219200", XDG_DATA_HOME=HOME.name,
                   XDG_CONFIG_HOME=HOME.name)
ENVIRONMENT.pop("COLUMNS", None)
wrong = []


def expect(right, what):
    if not right:
        wrong.append(what)


def run(*words, codes=(0,), width=None):
    environment = dict(ENVIRONMENT, COLUMNS=str(width)) if width else ENVIRONMENT
    done = subprocess.run([RIDGELINE, *words], capture_output=True, text=True, env=environment)
    expect(done.returncode in codes, f"{words}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def document(*words, codes=(0, 3)):
    text = run(*words, "--json", codes=codes)
    return json.loads(text) if text else {}


def rents_agree():
    """One part, one count, one day, one kind: one figure an hour."""
    offers = document("catalog", "list", "offers")["offers"]
    newest = datetime.date.fromisoformat(max(o["date"] for o in offers))
    since = (newest - datetime.timedelta(days=90)).isoformat()
    asked = sorted({(o["accelerator"], o["count"]) for o in offers if o["count"] in (1, 2, 3, 4, 8)
                    and not o["accelerator"].startswith(("tpu", "trainium", "inferentia"))})
    expect(len(asked) > 40, f"only {len(asked)} parts and counts are listed")
    for part, count in asked[::EVERY]:
        here = [o for o in offers if o["accelerator"] == part and o["count"] >= count
                and o["kind"] == "on_demand"]
        here = [o for o in here if o["date"] >= since] or here  # stale prices are the last resort
        listed = {o["usd_per_hour"] for o in here if o["count"] == count}
        work = ["--model", "llama-3.2-1b", "--method", "lora"]
        estimate = document("estimate", *work, "--on", f"{part}:{count}", codes=(0, 3, 4))
        advised = document("advise", *work, "--on", part, "--accelerators", str(count),
                           codes=(0, 3))
        figures = {}
        if "offer" in estimate.get("cost", {}):
            figures["estimate"] = estimate["cost"]["usd_per_hour"]
        for option in advised.get("options", []):
            if option["count"] == count and "offer" in option["cost"]:
                figures["advise"] = option["cost"]["usd_per_hour"]
        expect(len(set(figures.values())) <= 1, f"{count} x {part}: {figures}")
        if listed and figures:
            cheapest = min(o["usd_per_hour"] for o in here)
            expect(min(figures.values()) <= min(listed) + 1e-9,
                   f"{count} x {part}: {figures}, but an offer of {min(listed)} is listed")
            expect(abs(min(figures.values()) - cheapest) < 1e-6,
                   f"{count} x {part}: {figures}, the cheapest listed is {cheapest}")


def purchases_agree():
    """What a part costs to buy is one figure in own, advise and the comparison."""
    for part in ("b200-sxm-180gb", "h100-sxm5-80gb", "rtx-4090", "rtx-5090", "mi300x",
                 "a100-sxm4-80gb", "h200-sxm-141gb", "a100-pcie-80gb"):
        owned = document("own", f"{part}:8")["inputs"]["price_usd"]
        compared = document("compare", part, "rtx-3090")["accelerators"][0]["usd_purchase"]
        advised = document("advise", "--model", "llama-3.2-1b", "--method", "lora", "--on", part,
                           "--accelerators", "1")["options"][0]["purchase_usd"]
        expect(owned == compared == advised, f"{part}: {owned}, {compared}, {advised}")


def a_rack_has_one_price():
    """A rack by its own name costs what its parts do, in own and in the price."""
    for rack, part, count in (("gb200-nvl72", "gb200-gpu", 72), ("gb300-nvl72", "gb300-gpu", 72)):
        whole = document("own", rack)["inputs"]["price_usd"]
        parts = document("own", f"{part}:{count}")["inputs"]["price_usd"]
        asked = document("advise", f"{rack} rack price")["answer"]["value"]
        told = next(v["mid"] for v in asked if v["quantity"] == "purchase")
        expect(whole == parts, f"{rack}: {whole}, {part}: {parts}")
        ratio = told / count / whole
        expect(0.999 < ratio < 2, f"{rack}: {told} of {count} against {whole}")


def one_switch_joins_two_machines():
    """A switch of 64 NDR ports and the cables of 16 cards cost $50,000 to $80,000; large clusters pay 0.19 of all."""
    inputs = document("own", "h100-sxm5-80gb:8x2")["inputs"]
    share = inputs["network_share_ratio"]
    servers = 16 * inputs["price_usd"] * inputs["server_cost_ratio"]
    expect(50e3 < servers * share / (1 - share) < 80e3, f"joining two machines: {share} of the cost")
    large = document("own", "h100-sxm5-80gb:8x16")["inputs"]["network_share_ratio"]
    expect(large == 0.19, f"128 cards: {large}")


def prices_of_a_user():
    """Tables are imported, listed, used, replaced and removed."""
    folder = pathlib.Path(HOME.name) / "fetched"
    (folder / "mycloud").mkdir(parents=True)
    sky = folder / "mycloud" / "vms.csv"
    sky.write_text("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,"
                   "SpotPrice,Region,AvailabilityZone\n"
                   "big,L40S,8,96,768,,4.25,1.5,eu,\n"
                   "odd,Zeta9,1,4,16,,1,,eu,\n")
    hunt = folder / "othercloud.csv"
    hunt.write_text("instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,"
                    "disk_size\n"
                    "x8,us,7.5,96,768,8,A100,80,False,\n"
                    "x8,us,3.25,96,768,8,A100,80,True,\n"
                    "p8,us,9,96,768,8,L4,24,False,\n")
    said = run("prices", "import", str(sky))
    expect("2 offers of mycloud" in said, said)
    expect("Zeta9" in said, said)
    said = run("prices", "import", str(hunt))
    expect("of othercloud" in said, said)
    files = {f["name"]: f for f in document("prices", "list")["files"]}
    expect(set(files) == {"mycloud", "othercloud"}, str(files))
    mine = document("catalog", "list", "offers", "--part", "l40s", "--count", "8",
                    "--provider", "mycloud")["offers"]
    expect(sorted(o["usd_per_hour"] for o in mine) == [1.5, 4.25], str(mine))
    answer = document("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "l40s:8")
    expect(answer["cost"]["usd_per_hour"] == 4.25, str(answer["cost"]))
    l4 = document("catalog", "list", "offers", "--part", "l4", "--provider", "othercloud")["offers"]
    expect([o["usd_per_hour"] for o in l4] == [9], str(l4))
    # Of one instance the newest day stands.
    sky.write_text(sky.read_text().replace("4.25", "5.25"))
    run("prices", "import", str(sky))
    answer = document("estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "l40s:8")
    expect(answer["cost"]["usd_per_hour"] == 5.25, str(answer["cost"]))
    bad = folder / "bad.csv"
    bad.write_text("InstanceType,AcceleratorName,AcceleratorCount,Price\nm,L4,x,1\n")
    before = sorted(p.read_bytes() for p in pathlib.Path(HOME.name).glob("ridgeline/prices/*"))
    run("prices", "import", str(bad), codes=(4,))
    after = sorted(p.read_bytes() for p in pathlib.Path(HOME.name).glob("ridgeline/prices/*"))
    expect(before == after, "a bad table changed what is kept")
    run("prices", "remove", "mycloud")
    run("prices", "remove", "mycloud", codes=(2,))
    run("prices", "remove", "othercloud")
    expect("skypilot" in run("prices", "sources"), "no sources")
    expect(document("prices", "list")["files"] == [], "something is left")


def pages_fit():
    """No line is wider than the terminal, and no name is cut."""
    pages = [
        ("advise", "what GPU for a 70B fine-tune"),
        ("advise", "serve llama-3.1-8b for 64 users"),
        ("advise", "qlora llama-3.1-8b on one 24GB card"),
        ("catalog", "show", "h100-sxm5-80gb"),
        ("catalog", "list", "offers", "--part", "l40s"),
        ("prices", "list"),
    ]
    for page in pages:
        for width in (60, 80, 120, 200)[::EVERY]:
            text = run(*page, codes=(0, 3), width=width)
            for line in text.splitlines():
                expect(len(line) <= width, f"{page} at {width}: {len(line)} columns: {line}")
            expect("..." not in text, f"{page} at {width}: something is cut")
            expect("\033" not in text and "█" not in text, f"{page}: colour in a pipe")
    first = run("advise", "what GPU for a 70B fine-tune").splitlines()[0]
    expect(first.startswith(("Rent ", "Buy ")), first)
    rejections = run("advise", "what GPU for a 70B fine-tune", "--explain")
    expect("rejected 1 x b100 (no_offer): no offer known" in rejections, "b100 is not explained")


rents_agree()
purchases_agree()
a_rack_has_one_price()
one_switch_joins_two_machines()
prices_of_a_user()
pages_fit()
for line in wrong:
    print("wrong:", line)
sys.exit(1 if wrong else 0)
