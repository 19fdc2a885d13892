#!/usr/bin/env python3
"""Opens reports in headless Chromium: no console message, no sideways scrolling, drawn charts, A4.

Usage: browser_test.py RIDGELINE CHROMIUM. Exit codes: 0 all right, 1 something is wrong.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

RIDGELINE, CHROMIUM = sys.argv[1:3]
QUESTIONS = ["pretrain 7B on 1T tokens in 60 days", "serve llama-3.1-8b for 64 users"]
# Appended to a copy of the page alone: tells what was laid out.
PROBE = """<script>
const charts = [...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect());
document.title = JSON.stringify({
  width: document.documentElement.scrollWidth, window: window.innerWidth,
  charts: charts.length, flat: charts.filter(c => c.width < 100 || c.height < 60).length,
  requests: performance.getEntriesByType('resource').map(r => r.name)});
</script>"""
wrong = []


def browser(folder, *words):
    return subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--enable-logging=stderr", f"--user-data-dir={folder}/profile", *words],
        capture_output=True, text=True, timeout=120)


def check(folder, question):
    done = subprocess.run([RIDGELINE, "report", question, "--format", "html"],
                          capture_output=True, text=True,
                          env=dict(os.environ, SOURCE_DATE_EPOCH="1795219200"))
    page = pathlib.Path(folder) / "page.html"
    page.write_text(done.stdout)
    probed = pathlib.Path(folder) / "probed.html"
    probed.write_text(done.stdout.replace("</body>", PROBE + "</body>"))
    for width in (1200, 500):
        seen = browser(folder, f"--window-size={width},1000", "--dump-dom", probed.as_uri())
        title = re.search(r"<title>(\{.*?\})</title>", seen.stdout)
        if not title:
            wrong.append(f"{question}: {width} px: the page was not laid out: {seen.stderr[-300:]}")
            continue
        facts = __import__("json").loads(title.group(1))
        if facts["width"] > facts["window"]:
            wrong.append(f"{question}: {width} px: {facts['width']} px wide, scrolls sideways")
        if facts["charts"] < 4 or facts["flat"]:
            wrong.append(f"{question}: {width} px: {facts['charts']} charts, {facts['flat']} flat")
        if facts["requests"]:
            wrong.append(f"{question}: {width} px: loads {facts['requests']}")
    for scheme in ([], ["--blink-settings=preferredColorScheme=0"]):
        picture = pathlib.Path(folder) / "page.png"
        seen = browser(folder, "--window-size=1200,2000", f"--screenshot={picture}", *scheme,
                       page.as_uri())
        if "CONSOLE" in seen.stderr:
            wrong.append(f"{question}: console: " + next(
                line for line in seen.stderr.splitlines() if "CONSOLE" in line))
        if not picture.exists() or picture.stat().st_size < 20_000:
            wrong.append(f"{question}: nothing was drawn")
    paper = pathlib.Path(folder) / "page.pdf"
    browser(folder, f"--print-to-pdf={paper}", "--no-pdf-header-footer", page.as_uri())
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", paper.read_bytes())
    if not boxes or any(abs(float(w) - 595) > 2 or abs(float(h) - 842) > 2 for w, h in boxes):
        wrong.append(f"{question}: print: pages are not A4: {boxes[:1]}")


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    for question in QUESTIONS:
        check(folder, question)
for line in wrong:
    print(line)
print(f"{len(QUESTIONS)} pages, {len(wrong)} problems")
sys.exit(1 if wrong else 0)
