#!/usr/bin/env python3
"""Checks the forms of a report against the advice they are made from, and the page as a document.

Usage: report_test.py RIDGELINE SOURCE_FOLDER. Exit codes: 0 all right, 1 something is wrong.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser

RIDGELINE = sys.argv[1]
ROOT = pathlib.Path(sys.argv[2])
QUESTIONS = [
    "lora llama-3.1-8b on 1B tokens in 10 days",
    "pretrain 7B on 1T tokens in 60 days",
    "serve llama-3.1-8b for 64 users",
    "full fine-tune of 405b on one rtx 4090",
]
ENVIRONMENT = dict(os.environ, SOURCE_DATE_EPOCH="1795219200")
wrong = []


def expect(right, what):
    if not right:
        wrong.append(what)


def run(*words):
    done = subprocess.run([RIDGELINE, *words], capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode not in (0, 3):
        wrong.append(f"{words}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


class Page(HTMLParser):
    """What a reader's tools see: headings, tables, pictures with their texts, addresses."""

    void = {"meta", "link", "br", "hr", "img", "input"}

    def __init__(self):
        super().__init__()
        self.headings, self.open, self.unclosed = [], [], []
        self.tables = self.headers = self.pictures = self.titles = 0
        self.addresses, self.ids, self.targets = [], [], []
        self.lang = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.lang = attributes.get("lang", self.lang) if tag == "html" else self.lang
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.tables += tag == "table"
        self.headers += tag == "th" and attributes.get("scope") == "col"
        self.pictures += tag == "svg"
        self.titles += tag in ("title", "desc") and "svg" in self.open
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("href", "src", "xlink:href"):
            address = attributes.get(name, "")
            (self.targets if address.startswith("#") else self.addresses).append(address)
        expect(tag not in ("script", "iframe", "object"), f"the page holds a <{tag}>")
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        if tag not in self.void:
            self.handle_starttag(tag, attributes)
            self.open.pop()

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.unclosed.append(tag)


def contrast(first, second):
    def light(color):
        color = color.lstrip("#")
        color = "".join(c * 2 for c in color) if len(color) == 3 else color
        parts = [int(color[i:i + 2], 16) / 255 for i in (0, 2, 4)]
        parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def check_page(question, html, expect_charts):
    page = Page()
    page.feed(html)
    where = f"{question}: html: "
    expect(len(html.encode()) <= 500_000, where + f"{len(html.encode())} bytes, 500 KB allowed")
    expect(page.lang == "en", where + "no language")
    expect(page.headings.count(1) == 1 and page.headings[0] == 1, where + "not one h1 first")
    expect(all(b - a <= 1 for a, b in zip(page.headings, page.headings[1:])), where + "skips a level")
    expect(not page.unclosed and not page.open, where + f"tags do not match: {page.unclosed} {page.open}")
    expect(page.tables > 0 and page.headers >= 2 * page.tables, where + "tables without headers")
    expect(page.pictures >= (4 if expect_charts else 0), where + f"{page.pictures} charts")
    expect(page.titles >= 2 * page.pictures, where + "charts without title and description")
    expect(all(a in ("", "data:,") for a in page.addresses), where + f"loads {page.addresses}")
    expect("url(" not in html and "@import" not in html, where + "style loads something")
    expect({t[1:] for t in page.targets} <= set(page.ids), where + "a link leads nowhere")
    expect(len(page.ids) == len(set(page.ids)), where + "an id is there twice")
    schemes = re.findall(r":root\{(.*?)\}", html, re.S)
    expect(len(schemes) == 2, where + "no light and dark scheme")
    for scheme in schemes:
        colors = dict(re.findall(r"--(\w+):(#\w+)", scheme))
        for text in ("text", "faint", "accent"):
            for ground in ("page", "soft"):
                ratio = contrast(colors[text], colors[ground])
                expect(ratio >= 4.5, where + f"{text} on {ground}: contrast {ratio:.1f}")


def check_figures(question):
    advice = json.loads(run("advise", question, "--json"))
    report = json.loads(run("report", question, "--format", "json"))
    markdown = run("report", question, "--format", "markdown")
    html = run("report", question, "--format", "html")
    best = report["recommendation"]
    expect((best is None) == (not advice["options"]), f"{question}: one recommends, one does not")
    if best:
        first = advice["options"][0]
        for part in ("memory", "time", "cost", "accelerator", "count", "plan"):
            expect(best[part] == first[part], f"{question}: {part} differs from the advice")
        expect(len(report["alternatives"]) == len(advice["options"]) - 1, f"{question}: alternatives")
        # Parts as the text writes them: the components of memory, the price of an hour.
        for component in best["memory"]["components"]:
            if component["gib"] >= 0.005:
                figure = f"{component['gib']:.2f}"
                expect(figure in markdown and figure in html,
                       f"{question}: {component['name']} {figure} is not in the text")
        for rejected in report["rejected"][:24]:
            expect(rejected["reason"] in html and rejected["accelerator"] in markdown,
                   f"{question}: rejection of {rejected['accelerator']} is not shown")
        for entry in report["provenance"]:
            expect(entry["source"], f"{question}: {entry['figure']} has no source")
    check_page(question, html, best is not None)
    expect(html == run("report", question, "--format", "html"), f"{question}: two runs differ")
    return report


def check_reproduction(report):
    """The command that the report names makes the same recommendation."""
    words = report["command"].split()[1:]
    again = json.loads(run(*words))
    for part in ("accelerator", "count", "memory", "time", "cost"):
        expect(again["recommendation"][part] == report["recommendation"][part],
               f"reproduced: {part} differs")


def check_dropped_in_prices():
    """A price file of another provider is used after one flag."""
    question = "lora llama-3.1-8b on 1B tokens"
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "acme" / "vms.csv"
        table.parent.mkdir()
        table.write_text("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,"
                         "SpotPrice,Region\nbig.1,H100-SXM,1,8,64,0.10,0.05,moon-1\n"
                         "big.1,h100-sxm5-80gb,1,8,64,0.10,0.05,moon-1\n")
        report = json.loads(run("report", question, "--format", "json", "--prices", str(table)))
    offer = report["recommendation"]["cost"]["offer"]
    expect(offer["provider"] == "acme" and offer["usd_per_hour"] == 0.10,
           f"dropped-in price: {offer['provider']} {offer['usd_per_hour']}")
    kinds = {way["way"]: way["usd_per_hour"] for way in report["ways_to_pay"]}
    expect(kinds.get("spot") == 0.05, f"dropped-in spot price: {kinds}")


def check_interrupted_spot():
    """Spot instances are taken away: the same run takes longer there than on demand."""
    report = json.loads(run("report", "pretrain llama-3.1-8b on 100B tokens on 8 x h100 sxm", "--format", "json"))
    hours = {way["way"]: way["usd_run"] / way["usd_per_hour"] for way in report["ways_to_pay"]}
    expect({"on_demand", "spot"} <= hours.keys(), f"ways to pay: {sorted(hours)}")
    expect(hours["spot"] > 1.001 * hours["on_demand"], f"spot takes no longer: {hours}")
    expect(abs(hours["owned"] / hours["on_demand"] - 1) < 1e-9, f"owned takes another time: {hours}")


reports = [check_figures(question) for question in QUESTIONS]
check_reproduction(reports[0])
check_dropped_in_prices()
check_interrupted_spot()
for line in wrong:
    print(line)
print(f"{len(QUESTIONS)} reports, {len(wrong)} problems")
sys.exit(1 if wrong else 0)
