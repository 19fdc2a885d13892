#!/usr/bin/env python3
"""Opens the page in headless Chromium over its DevTools pipe and uses it as people do.

Usage: page_test.py RIDGELINE CHROMIUM CORE|"" [PICTURES]. With a core the page is one file opened from
disk, without it the page of `ridgeline serve`. PICTURES: a folder for screenshots.
Exit codes: 0 all right, 1 something is wrong.
"""
import base64
import json
import os
import pathlib
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time

RIDGELINE, CHROMIUM, CORE = sys.argv[1:4]
CONFIGS = pathlib.Path(__file__).resolve().parent.parent / "formats/configs"
PICTURES = sys.argv[4] if len(sys.argv) > 4 else None
ENVIRONMENT = dict(os.environ, SOURCE_DATE_EPOCH="1795219200", XDG_CONFIG_HOME="/nonexistent",
                   XDG_DATA_HOME="/nonexistent")
LINKS = [
    "model=llama-3.1-8b&method=qlora&on=rtx-4090&sequence=2048",
    "model=llama-3.1-8b&method=lora&on=l40s&sequence=2048",
    "model=llama-3.1-8b&method=full&on=rtx-4090",
    "model=llama-3.1-70b&method=qlora&on=a100-sxm4-80gb",
    "model=llama-3.1-70b&method=full&on=h100-sxm5-80gb:8",
    "model=llama-3.1-70b&method=full&on=h100-sxm5-80gb:8x4",
    "model=mistral-7b&method=lora&on=rtx-3090&micro-batch=4",
    "model=qwen3-30b-a3b&task=inference&on=rtx-3090&quantization=q4_k_m",
    "model=qwen3-30b-a3b&task=inference&on=rtx-3090",
    "model=llama-3.1-8b&task=inference&on=rtx-4090&concurrency=16&input-tokens=4096",
    "model=llama-3.1-70b&task=inference&on=h100-sxm5-80gb:4&concurrency=64",
    "model=mixtral-8x7b&task=inference&on=a100-sxm4-80gb:2",
    "model=llama-3.1-8b&task=inference&on=l4&quantization=fp8",
    "model=llama-3.1-8b&method=lora&on=mi300x",
    "model=7b&method=full&on=h200-sxm-141gb:8&plan=framework",
    "model=llama-3.1-8b&method=full&on=a100-sxm4-80gb:8&optimizer=adafactor",
    "model=llama-3.1-8b&method=full&on=h100-sxm5-80gb:8&sequence=32768&recompute=full",
    "model=gpt2-xl&method=full&on=t4",
    "model=phi-3-mini&method=qlora&on=rtx-3060-12gb",
    "model=llama-3.1-405b&method=qlora&on=h100-sxm5-80gb:8",
]
wrong = []


def check(good, message):
    if not good:
        wrong.append(message)


class Browser:
    """Chromium that speaks JSON, each message ended by a zero byte, on descriptors 3 and 4."""

    def __init__(self, folder):
        here, theirs = os.pipe(), os.pipe()

        def child():
            os.setsid()
            # Out of the way of each other before they take their places.
            reads, writes = os.dup(here[0]), os.dup(theirs[1])
            reads, writes = os.dup2(reads, 100), os.dup2(writes, 101)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={folder}/profile", "about:blank"],
            preexec_fn=child, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(here[0])
        os.close(theirs[1])
        self.out, self.into = here[1], theirs[0]
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self, end):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise EOFError("the browser is gone")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, seconds=60, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        end = time.monotonic() + seconds
        while True:
            got = self.message(end)
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]
            self.events.append(got)

    def value(self, script):
        got = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"].get("exception", {}).get("description", script))
        return got["result"].get("value")

    def until(self, script, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(script):
                return True
            time.sleep(0.05)
        return False

    def open(self, address):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        return self.until("document.documentElement?.dataset.names === 'yes' || "
                          "document.getElementById('problem')?.hidden === false")

    def key(self, name, code, text=None):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, **more)

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


SENTENCE = "document.getElementById('sentence').textContent"
KIND = "document.querySelector('.answer').className"


def gib(value):
    size = abs(value)
    if size >= 9999.5:
        return f"{value / 1024:.1f} TiB"
    return f"{value:.0f} GiB" if size >= 999.95 else f"{value:.1f} GiB" if size >= 9.995 else f"{value:.2f} GiB"


def links_equal(browser, page):
    """The verdict of a link is the program's."""
    for link in LINKS:
        words = []
        for field in link.split("&"):
            name, value = field.split("=")
            words += [f"--{name}", value]
        printed = subprocess.run([RIDGELINE, "estimate", *words, "--json"], capture_output=True, text=True,
                                 env=ENVIRONMENT)
        told = json.loads(printed.stdout or printed.stderr)
        browser.value(f"location.hash = '#' + {json.dumps(link)}; window.before = {SENTENCE}; "
                      "document.getElementById('sentence').textContent = 'pending'")
        browser.until(f"{SENTENCE} !== 'pending'", 20)
        sentence, kind = browser.value(SENTENCE), browser.value(KIND)
        if "error" in told:
            check(told["error"]["message"][:40] in sentence, f"{link}: {sentence}, expected the error {told['error']['message']}")
            continue
        memory = told["memory"]
        expected = f"needs {gib(memory['peak_gib'])}"
        check(expected in sentence and gib(memory["high_gib"]) in sentence, f"{link}: {sentence}, expected {expected}")
        check(kind.split()[-1] == memory["verdict"], f"{link}: {kind}, expected {memory['verdict']}")


def pictures(browser, page):
    """A network of pictures has images a second and a size of its pictures, and no tokens; another model has tokens again."""
    browser.value(f"location.hash = '#model=resnet-50&method=full&on=rtx-4090'; window.before = {SENTENCE}")
    check(browser.until(f"{SENTENCE}.includes('images a second')", 20), "rate of pictures: " + browser.value(SENTENCE))
    check("okens" not in browser.value("document.getElementById('figures').textContent"), "figures of pictures name tokens")
    check(browser.value("document.getElementById('tokens-label').textContent") == "Pixels a side", "the size of pictures")
    browser.value("""(() => { const size = document.getElementById('tokens'); size.value = '320'; size.dispatchEvent(new Event('input'));
        size.dispatchEvent(new Event('change', {bubbles: true})); })()""")
    check(browser.until("location.hash.includes('image-size=320')", 20), browser.value("location.hash"))
    browser.value("document.getElementById('part-events').open = true")
    check(browser.until("document.getElementById('part-events').textContent.includes('batch norm backward')", 20), "the step's events")
    browser.value("""(() => { const model = document.getElementById('model'); model.value = 'llama-3.1-8b';
        for (const kind of ['input', 'change']) model.dispatchEvent(new Event(kind, {bubbles: true})); })()""")
    check(browser.until(f"{SENTENCE}.includes('tokens a second') || {SENTENCE}.includes('llama-3.1-8b')", 20), browser.value(SENTENCE))
    check(not browser.value("location.hash.includes('image-size')"), browser.value("location.hash"))


def question(browser, page):
    """Words, by keyboard alone, and the same from the link."""
    words = "can my 3090 run qwen3-30b-a3b"
    printed = subprocess.run([RIDGELINE, "advise", words, "--json"], capture_output=True, text=True,
                             env=ENVIRONMENT)
    headline = json.loads(printed.stdout)["answer"]["headline"]
    browser.open(page)
    browser.value("document.body.focus()")
    for _ in range(2):
        browser.key("Tab", 9)
    check(browser.value("document.activeElement.id") == "question", "Tab twice does not reach the question")
    browser.call("Input.insertText", text=words)
    browser.key("Enter", 13, "\r")
    browser.until(f"{SENTENCE} === {json.dumps(headline)}", 20)
    check(browser.value(SENTENCE) == headline, f"typed: {browser.value(SENTENCE)}")
    link = browser.value("location.href")
    check("#q=can+my+3090" in link, f"typed: the address is {link}")
    browser.open(link)
    check(browser.value(SENTENCE) == headline, f"by link: {browser.value(SENTENCE)}")
    check(browser.value("!!document.querySelector('#part-options table')"), "no table of weights")


def keyboard(browser, page):
    browser.open(page + "#model=llama-3.1-8b&method=lora&on=l40s&sequence=1024")
    before = browser.value(SENTENCE)
    browser.value("document.getElementById('tokens-slide').focus()")
    browser.key("ArrowRight", 39)
    browser.until(f"{SENTENCE} !== {json.dumps(before)}", 10)
    check("sequence=2048" in browser.value("location.hash"), "ArrowRight on the slider: " + browser.value("location.hash"))
    seen = set()
    browser.value("document.activeElement.blur()")
    for _ in range(40):
        browser.key("Tab", 9)
        seen.add(browser.value("document.activeElement.id || document.activeElement.parentElement?.id || ''"))
    for wanted in ("question", "model", "use", "hardware", "count", "tokens", "many", "precision",
                   "part-components", "part-share"):
        check(wanted in seen, f"Tab does not reach {wanted}")
    nameless = browser.value("""[...document.querySelectorAll('input, select, textarea, button')]
        .filter(each => !each.closest('[hidden]') && !(each.labels?.length || each.textContent.trim() ||
            each.getAttribute('aria-label') || each.getAttribute('aria-labelledby'))).map(each => each.id)""")
    check(not nameless, f"controls without a name: {nameless}")


def folded(browser, page):
    """Every part opens and shows something, and a remedy applies."""
    browser.open(page + "#model=llama-3.1-8b&method=lora&on=rtx-4090&micro-batch=8")
    for part in ("notes", "components", "instants", "time", "plan", "remedies", "sweep", "roofline", "compare", "provenance",
                 "emit", "share"):
        browser.value(f"document.getElementById('part-{part}').open = true")
        filled = browser.until(f"document.getElementById('part-{part}').lastElementChild.childElementCount > 0", 20)
        check(filled, f"the part {part} stays empty")
    browser.value("[...document.querySelectorAll('#part-remedies button')][0].click()")
    check(browser.until("location.hash.includes('micro-batch=8') === false || document.getElementById('further').value !== '' || "
                        "!location.hash.includes('method=lora')", 10), "a remedy changes nothing")
    browser.value("[...document.querySelectorAll('#part-compare button')][0].click()")
    check(browser.until("document.querySelectorAll('#part-compare table').length === 1", 5), "nothing is kept to compare")


def hostile(browser, page):
    for fragment in ("#%", "#=&&==", "#<img src=x onerror=alert(1)>=1", "#model=<script>alert(1)</script>&on=l40s",
                     "#model=llama-3.1-8b&on=l40s&__proto__=1&constructor=2", "#q=" + "a" * 3000,
                     "#model=llama-3.1-8b&method=lora&on=l40s&v=9.9.9", "#model=llama-3.1-8b&on=local",
                     "#model=llama-3.1-8b&on=l40s&hf-config=/etc/passwd"):
        browser.open(page + fragment)
        told = browser.value("document.getElementById('sentence').textContent + document.getElementById('problem').textContent")
        check(told and "Getting ready" not in told, f"{fragment[:50]}: no word")
        check(browser.value("document.images.length + document.querySelectorAll('main script').length") == 0,
              f"{fragment[:50]}: became markup")
    check("version 9.9.9" in browser_text_of(browser, page), "an older link is not told")


DROP = """(files => { const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name));
    dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true})); })(%s)"""


def drop(browser, files):
    browser.value(DROP % json.dumps([(name, base64.b64encode(text).decode()) for name, text in files.items()]))


def gguf(keys, tensors=(), claimed=None):
    """A GGUF header: keys of texts, whole numbers and lists of words."""
    word = lambda text: struct.pack("<Q", len(text)) + text.encode()
    out = b"GGUF" + struct.pack("<IQQ", 3, claimed or len(tensors), len(keys))
    for name, value in keys.items():
        out += word(name)
        if isinstance(value, str):
            out += struct.pack("<I", 8) + word(value)
        elif isinstance(value, int):
            out += struct.pack("<II", 4, value)
        else:
            out += struct.pack("<IIQ", 9, 8, len(value)) + b"".join(word(each) for each in value)
    for name, shape, kind in tensors:
        out += word(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape) + struct.pack("<IQ", kind, 0)
    return out + bytes(64)


def dropped(browser, page):
    """Files of other tools and of models are read here; what is none says so."""
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 2048,
              "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32,
              "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": True}
    refused = {"config.json": (b'{"model_type": "llama", ', "config.json"),
               "a.gguf": (gguf({"general.architecture": "llama"}, claimed=1 << 60), "claims"),
               "b.gguf": (b"GGUF\x03\0\0\0", "ends within its header"),
               "c.safetensors": (struct.pack("<Q", 1 << 40) + b'{"a"', "claims|expected"),
               "bomb.yaml": (pathlib.Path(CONFIGS, "bomb.yaml").read_bytes(), "100000 values"),
               "model.pt": (b"PK\x03\x04aaaaaaaa", "pickle"), "words.txt": (b"nothing of the kind", "words.txt"),
               "empty.json": (b"", "empty")}
    told = "document.getElementById('sentence').textContent + document.getElementById('problem').textContent"
    for name, (text, expected) in refused.items():
        browser.open(page)
        drop(browser, {name: text})
        check(browser.until(f"/{expected}/.test({told})", 5), f"{name}: expected {expected}, told {browser.value(told)[:200]}")
    browser.open(page)
    drop(browser, {"config.json": json.dumps(config).encode()})
    check(browser.until(f"{SENTENCE}.startsWith('config.json')", 10), f"a dropped model: {browser.value(SENTENCE)}")
    for name in ("axolotl_qlora.yaml", "vllm.sh", "training_args.json"):
        browser.open(page + "#model=llama-3.1-8b&method=lora&on=l40s")
        text = pathlib.Path(CONFIGS, name).read_bytes()
        drop(browser, {name: text})
        printed = subprocess.run([RIDGELINE, "estimate", "--from", str(pathlib.Path(CONFIGS, name)), "--on", "l40s", "--json", "--quiet"],
                                 capture_output=True, text=True, env=ENVIRONMENT)
        answer = json.loads(printed.stdout or printed.stderr)
        expected = answer["error"]["message"][:40] if "error" in answer else f"needs {gib(answer['memory']['peak_gib'])}"
        check(browser.until(f"{SENTENCE}.includes({json.dumps(expected)})", 10),
              f"{name}: {browser.value(SENTENCE)}, expected {expected}")
        if "error" not in answer:
            browser.value("document.getElementById('part-read').open = true")
            check(browser.until("document.querySelectorAll('#part-read tr').length > 4", 5), f"{name}: keys are not listed")


def weights(folder):
    """Headers of an 8B model as converters write them: GGUF with its vocabulary, safetensors."""
    keys = {"general.architecture": "llama", "llama.block_count": 32, "llama.embedding_length": 4096,
            "llama.feed_forward_length": 14336, "llama.attention.head_count": 32, "llama.attention.head_count_kv": 8,
            "tokenizer.ggml.tokens": [f"word{i}" for i in range(128256)], "general.file_type": 15}
    shapes = {"attn_q": (4096, 4096), "attn_k": (4096, 1024), "attn_v": (4096, 1024), "attn_output": (4096, 4096),
              "ffn_gate": (4096, 14336), "ffn_up": (4096, 14336), "ffn_down": (14336, 4096)}
    tensors = [("token_embd.weight", (4096, 128256), 12), ("output.weight", (4096, 128256), 14)]
    tensors += [(f"blk.{i}.{name}.weight", shape, 12) for i in range(32) for name, shape in shapes.items()]
    pathlib.Path(folder, "8b.gguf").write_bytes(gguf(keys, tensors))
    parts = {"self_attn.q_proj": [4096, 4096], "self_attn.k_proj": [1024, 4096], "self_attn.v_proj": [1024, 4096],
             "self_attn.o_proj": [4096, 4096], "mlp.gate_proj": [14336, 4096], "mlp.up_proj": [14336, 4096],
             "mlp.down_proj": [4096, 14336]}
    header = {"__metadata__": {"format": "pt"}, "model.embed_tokens.weight": {"dtype": "BF16", "shape": [128256, 4096]},
              "lm_head.weight": {"dtype": "BF16", "shape": [128256, 4096]}}
    header |= {f"model.layers.{i}.{name}.weight": {"dtype": "BF16", "shape": shape} for i in range(32)
               for name, shape in parts.items()}
    text = json.dumps(header).encode()
    pathlib.Path(folder, "8b.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(64))
    return {"8b.gguf": "llama-3.1-8b --task inference --framework llama.cpp --quantization q4_k_m",
            "8b.safetensors": "llama-3.1-8b --method lora"}


def dropped_weights(browser, page):
    """Headers of weights say what their model's name says, in the page and in the program."""
    with tempfile.TemporaryDirectory() as folder:
        for name, words in weights(folder).items():
            method = ["--method", "lora"] if "lora" in words else []
            answers = [json.loads(subprocess.run([RIDGELINE, "estimate", *each, "--on", "l40s", "--json", "--quiet"],
                                                 capture_output=True, env=ENVIRONMENT).stdout)
                       for each in (["--from", str(pathlib.Path(folder, name)), *method], ["--model", *words.split()])]
            peaks = [answer["memory"]["peak_gib"] for answer in answers]
            check(abs(peaks[0] / peaks[1] - 1) < 0.01, f"{name}: {peaks[0]} GiB, by name {peaks[1]}")
            browser.open(page + "#model=llama-3.1-8b&method=lora&on=l40s")
            drop(browser, {name: pathlib.Path(folder, name).read_bytes()})
            browser.until(f"{SENTENCE}.startsWith('{name}')", 20)
            if method:
                browser.value("(use => { use.value = 'lora'; use.dispatchEvent(new Event('input', {bubbles: true})); })"
                              "(document.getElementById('use'))")
            expected = f"needs {gib(peaks[0])}"
            check(browser.until(f"{SENTENCE}.startsWith('{name}') && {SENTENCE}.includes('{expected}')", 10),
                  f"{name}: {browser.value(SENTENCE)}, expected {expected}")


pages = []  # that --open wrote


def opened(browser, page):
    """--open writes the page with its question and files, and shows it."""
    if not CORE:
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shown = folder / "shown"
        (folder / "xdg-open").write_text(f'#!/bin/sh\nprintf %s "$1" > {shown}.part && mv {shown}.part {shown}\n')
        (folder / "xdg-open").chmod(0o755)
        environment = dict(ENVIRONMENT, XDG_CACHE_HOME=str(folder), PATH=f"{folder}:{os.environ['PATH']}")
        for words in (["estimate", "--from", str(CONFIGS / "axolotl_qlora.yaml"), "--on", "l40s:2"],
                      ["advise", "can my 3090 run qwen3-30b-a3b"]):
            shown.unlink(missing_ok=True)
            done = subprocess.run([RIDGELINE, *words, "--open", "--json"], capture_output=True, text=True, env=environment)
            check(done.returncode == 0, f"--open: {done.stderr}")
            for _ in range(100):
                if shown.exists():
                    break
                time.sleep(0.05)
            pages.append(pathlib.Path(shown.read_text()).as_uri())
            browser.open(pages[-1])
            answer = json.loads(done.stdout)
            expected = answer["answer"]["headline"] if words[0] == "advise" else f"needs {gib(answer['memory']['peak_gib'])}"
            check(browser.until(f"{SENTENCE}.includes({json.dumps(expected)})", 10),
                  f"--open of {words[0]}: {browser.value(SENTENCE)}, expected {expected}")
        done = subprocess.run([RIDGELINE, "estimate", "--model", "llama-3.1-8b", "--on", "l4", "--open"], capture_output=True,
                              text=True, env=dict(environment, PATH="/nonexistent"))
        check(done.returncode == 0 and "open it in a browser" in done.stderr, f"without xdg-open: {done.stderr}")


def browser_text_of(browser, page):
    browser.open(page + "#model=llama-3.1-8b&method=lora&on=l40s&v=9.9.9")
    return browser.value("document.getElementById('problem').textContent")


def layout(browser, page):
    for width in (320, 768, 1280):
        for scheme in ("light", "dark"):
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.open(page + "#model=llama-3.1-8b&method=qlora&on=rtx-4090&sequence=4096")
            wide = browser.value("document.documentElement.scrollWidth")
            check(wide <= width, f"{width} px: {wide} px wide, scrolls sideways")
            poor = browser.value(CONTRAST)
            check(not poor, f"{width} px, {scheme}: contrast below 4.5: {poor}")
            if PICTURES:
                browser.value("document.getElementById('part-components').open = true")
                time.sleep(0.3)
                shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True)
                pathlib.Path(PICTURES, f"page-{width}-{scheme}.png").write_bytes(base64.b64decode(shot["data"]))
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.call("Emulation.setEmulatedMedia", features=[])


CONTRAST = """(() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = node => { for (; node; node = node.parentElement) {
    const color = parts(getComputedStyle(node).backgroundColor); if (color.length < 4 || color[3] > 0) return color; }
    return [255, 255, 255]; };
  const poor = [];
  for (const node of document.querySelectorAll('main *, header *, footer *')) {
    if (!node.checkVisibility() || ![...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim())) continue;
    if (node.closest('svg')) continue;
    const [a, b] = [light(parts(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(node.tagName + ' ' + node.textContent.slice(0, 20) + ' ' + ratio.toFixed(2));
  }
  return poor; })()"""


def speed(browser, page):
    begin = time.monotonic()
    browser.open(page)
    ready = time.monotonic() - begin
    times = browser.value("""(async () => { const slide = document.getElementById('tokens-slide'); const took = [];
        for (let i = 0; i < 30; ++i) { slide.value = String(9 + i % 6);
          slide.dispatchEvent(new Event('input', {bubbles: true}));
          took.push(await new Promise(resolve => requestAnimationFrame(start => resolve(performance.now() - start)))); }
        return took.sort((a, b) => a - b); })()""")
    print(f"ready in {ready:.2f} s, a slider step {times[15]:.1f} ms in the middle, {times[28]:.1f} ms at worst but one")


def quiet(browser, *own):
    """No console message, no request to anywhere but the pages in `own`."""
    for event in browser.events:
        method, parameters = event.get("method", ""), event.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            entry = parameters.get("entry", parameters)
            # The answer to a wrong request is an error that the page shows.
            if "status of 4" not in json.dumps(entry):
                wrong.append("console: " + json.dumps(entry)[:300])
        if method == "Network.requestWillBeSent":
            address = parameters["request"]["url"]
            if not address.startswith((*own, "about:", "data:", "blob:")):
                wrong.append("asks for " + address[:200])


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    server = None
    if CORE:
        page = pathlib.Path(folder) / "ridgeline.html"
        done = subprocess.run([RIDGELINE, "page", "--output", str(page), "--core", CORE], capture_output=True,
                              text=True, env=ENVIRONMENT)
        check(done.returncode == 0, done.stderr)
        check(page.stat().st_size <= 1_000_000, f"the page has {page.stat().st_size} bytes, more than a million")
        address = page.as_uri()
    else:
        server = subprocess.Popen([RIDGELINE, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        address = server.stdout.readline().strip()
    browser = Browser(folder)
    try:
        browser.open(address)
        for part in (links_equal, pictures, question, keyboard, folded, hostile, dropped, dropped_weights, opened, layout, speed):
            try:
                part(browser, address)
            except (RuntimeError, TimeoutError) as problem:
                wrong.append(f"{part.__name__}: {problem}")
        quiet(browser, address, *pages)
    finally:
        browser.end()
        if server:
            server.terminate()
            server.wait()
for line in wrong:
    print(line)
print(f"{len(LINKS)} links, {len(wrong)} problems")
sys.exit(1 if wrong else 0)
