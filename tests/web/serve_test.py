#!/usr/bin/env python3
"""Asks `ridgeline serve` as browsers, scripts and attackers do.

Usage: serve_test.py RIDGELINE. Exit codes: 0 all right, 1 something is wrong.
"""
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

RIDGELINE = sys.argv[1]
ENVIRONMENT = dict(os.environ, SOURCE_DATE_EPOCH="1795219200", XDG_CONFIG_HOME="/nonexistent",
                   XDG_DATA_HOME="/nonexistent")
wrong = []


def check(good, message):
    if not good:
        wrong.append(message)


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([RIDGELINE, "serve", *words], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.line = self.process.stdout.readline().strip()
        found = re.search(r":(\d+)/$", self.line)
        self.port = int(found.group(1)) if found else 0

    def ask(self, method, target, body=None, headers=None, host=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        link.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        link.putheader("Host", host or f"localhost:{self.port}")
        for name, value in (headers or {}).items():
            link.putheader(name, value)
        if body is not None:
            link.putheader("Content-Length", str(len(body)))
        link.endheaders(body)
        reply = link.getresponse()
        text = reply.read()
        link.close()
        return reply, text

    def raw(self, data, seconds=5.0):
        """What comes back to bytes sent as they are, until the server closes or the time is over."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as link:
            link.sendall(data)
            got = b""
            try:
                while piece := link.recv(65536):
                    got += piece
            except OSError:
                pass
            return got

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def told(*words):
    return subprocess.run([RIDGELINE, *words, "--json", "--quiet"], capture_output=True, env=ENVIRONMENT)


def same_bytes(server):
    """Each answer is the one that the command line prints."""
    questions = [
        ("/api/v1/estimate?model=llama-3.1-8b&method=lora&on=l40s&sequence=2048",
         ["estimate", "--model", "llama-3.1-8b", "--method", "lora", "--on", "l40s", "--sequence", "2048"]),
        ("/api/v1/estimate?model=llama-3.1-70b&method=full&on=rtx-4090",
         ["estimate", "--model", "llama-3.1-70b", "--method", "full", "--on", "rtx-4090"]),
        ("/api/v1/advise?q=can+my+3090+run+qwen3-30b-a3b", ["advise", "can my 3090 run qwen3-30b-a3b"]),
        ("/api/v1/compare?accelerators=h100-sxm5-80gb&accelerators=l40s",
         ["compare", "h100-sxm5-80gb", "l40s"]),
        ("/api/v1/roofline?model=llama-3.1-8b&method=lora&on=l40s,h100-sxm5-80gb",
         ["roofline", "--model", "llama-3.1-8b", "--method", "lora", "--on", "l40s,h100-sxm5-80gb"]),
        ("/api/v1/own?on=h100-sxm5-80gb:8", ["own", "h100-sxm5-80gb:8"]),
        ("/api/v1/catalog?subject=links", ["catalog", "list", "links"]),
        ("/api/v1/estimate?model=llama-3.1-8b&on=no-such-card",
         ["estimate", "--model", "llama-3.1-8b", "--on", "no-such-card"]),
    ]
    for target, words in questions:
        reply, text = server.ask("GET", target)
        printed = told(*words)
        check(text == (printed.stdout or printed.stderr), f"{target}: not the bytes of the command")
        expected = {0: 200, 3: 200, 2: 400, 4: 422}[printed.returncode]
        check(reply.status == expected, f"{target}: {reply.status} for exit code {printed.returncode}")
        if expected == 200:
            check(reply.headers["Ridgeline-Exit-Code"] == str(printed.returncode), f"{target}: exit code")
    body = json.dumps({"model": "llama-3.1-8b", "method": "lora", "on": "l40s", "sequence": 2048}).encode()
    reply, text = server.ask("POST", "/api/v1/estimate", body, {"Content-Type": "application/json"})
    check(text == told(*questions[0][1]).stdout, "POST estimate: not the bytes of the command")
    request = {"command": "estimate", "options": {"model": "llama-3.1-8b", "method": "lora", "on": "l40s",
                                                  "sequence": 2048, "json": True}}
    reply, text = server.ask("POST", "/api/v1/ask", json.dumps([request] * 2).encode(),
                             {"Content-Type": "application/json"})
    check([each["exit_code"] for each in json.loads(text)] == [0, 0], "POST ask: a list of two")


def kept_answers(server):
    target = "/api/v1/estimate?model=llama-3.1-8b&method=lora&on=l40s&sequence=1024"
    first, text = server.ask("GET", target)
    tag = first.headers["ETag"]
    again, same = server.ask("GET", target)
    check(again.headers["ETag"] == tag and same == text, "the second answer differs")
    unchanged, empty = server.ask("GET", target, headers={"If-None-Match": tag})
    check(unchanged.status == 304 and not empty, "If-None-Match: expected 304")
    head, nothing = server.ask("HEAD", target)
    check(head.status == 200 and not nothing and int(head.headers["Content-Length"]) == len(text), "HEAD")
    _, metrics = server.ask("GET", "/metrics")
    hits = re.search(rb"ridgeline_cache_hits_total (\d+)", metrics)
    check(hits and int(hits.group(1)) >= 1, "metrics: no hit of the cache")


def policy(server):
    reply, page = server.ask("GET", "/")
    check(reply.status == 200 and b"<title>" in page, "no page at /")
    law = reply.headers["Content-Security-Policy"]
    check("default-src 'none'" in law and "unsafe-inline" not in law, f"policy of the page: {law}")
    again, _ = server.ask("GET", "/", headers={"If-None-Match": reply.headers["ETag"]})
    check(again.status == 304 and again.headers["Content-Security-Policy"] == law,
          "304 of the page has another policy, which browsers take over")
    for name, value in {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                        "Cross-Origin-Opener-Policy": "same-origin"}.items():
        check(reply.headers[name] == value, f"{name}: {reply.headers[name]}")
    check(reply.headers["Access-Control-Allow-Origin"] is None, "CORS is answered")
    refused = {
        403: [("GET", "/", None, {}, "evil.example"),
              ("GET", "/", None, {}, "localhost.evil.example:80"),
              ("GET", "/healthz", None, {"Origin": "http://evil.example"}, None),
              ("GET", "/healthz", None, {"Origin": "null"}, None)],
        404: [("GET", "/nothing", None, {}, None), ("GET", "/../../etc/passwd", None, {}, None),
              ("GET", "/api/v1/catalog?verb=show&subject=no-such-part", None, {}, None)],
        405: [("DELETE", "/", None, {}, None), ("OPTIONS", "/api/v1/estimate", None, {}, None),
              ("POST", "/", b"", {}, None)],
        415: [("POST", "/api/v1/estimate", b"{}", {"Content-Type": "text/plain"}, None)],
        400: [("GET", "/api/v1/estimate?model=%4", None, {}, None),
              ("GET", "/api/v1/estimate?hf-config=/etc/passwd&on=l40s", None, {}, None),
              ("GET", "/api/v1/estimate?catalog=/tmp&model=llama-3.1-8b&on=l40s", None, {}, None),
              ("GET", "/api/v1/estimate?svg=/tmp/x.svg&model=llama-3.1-8b&on=l40s", None, {}, None),
              ("GET", "/api/v1/estimate?modle=llama-3.1-8b&on=l40s", None, {}, None),
              ("GET", "/api/v1/estimate?open=true&model=llama-3.1-8b&on=l40s", None, {}, None),
              ("POST", "/api/v1/estimate", b'{},"command":"detect"', {"Content-Type": "application/json"}, None)],
        413: [("POST", "/api/v1/estimate", b" " * (300 << 10), {"Content-Type": "application/json"}, None)],
        422: [("POST", "/api/v1/estimate", b"[" * 5000, {"Content-Type": "application/json"}, None),
              ("GET", "/api/v1/estimate?model=no-such-model&on=l40s", None, {}, None)],
    }
    for status, requests in refused.items():
        for method, target, body, headers, host in requests:
            try:
                reply, text = server.ask(method, target, body, headers, host)
            except OSError as problem:
                wrong.append(f"{method} {target[:60]}: {problem}, expected {status}")
                continue
            check(reply.status == status, f"{method} {target[:60]}: {reply.status}, expected {status}")
            check("error" in json.loads(text), f"{method} {target[:60]}: no error object")
    reply, text = server.ask("GET", "/healthz", headers={"Origin": f"http://127.0.0.1:{server.port}"})
    check((reply.status, text) == (200, b"ok\n"), "healthz with its own origin")


def hostile_bytes(server):
    begin = time.monotonic()
    for name, data, expected in [
            ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b" 400 "),
            ("a long header", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 9000 + b"\r\n\r\n", b" 431 "),
            ("no host", b"GET / HTTP/1.1\r\n\r\n", b" 400 "),
            ("two hosts", b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n", b" 400 "),
            ("two lengths", b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                            b"Content-Length: 4\r\n\r\n{}", b" 400 "),
            ("two in one packet", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                  b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
             b"ok\nHTTP/1.1 200 ")]:
        got = server.raw(data)
        check(expected in got, f"{name}: {got[:80]!r}")
    check(time.monotonic() - begin < 12, "hostile bytes took long")


def slow_and_vanishing(server):
    """Half requests are closed by the deadline of the whole, and hold nobody else up."""
    begin = time.monotonic()
    slow = []
    for _ in range(50):
        link = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        link.sendall(b"GET /healthz HTTP/1.1\r\nHost: local")
        slow.append(link)
    for _ in range(50):
        link = socket.create_connection(("127.0.0.1", server.port))
        link.sendall(b"POST /api/v1/advise HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{")
        link.close()
    question = urllib.parse.quote_plus("pretrain 70B on 2T tokens in 60 days")
    for i in range(20):
        link = socket.create_connection(("127.0.0.1", server.port))
        link.sendall(f"GET /api/v1/advise?q={question}&top={i + 1} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        link.close()
    asked = time.monotonic()
    reply, _ = server.ask("GET", "/api/v1/estimate?model=llama-3.1-8b&method=lora&on=l40s&sequence=512")
    check(reply.status == 200, "beside slow clients")
    check(time.monotonic() - asked < 5, "slow clients hold others up")

    def drip(link):
        try:
            while True:
                link.sendall(b"h")
                time.sleep(1)
        except OSError:
            pass
    threading.Thread(target=drip, args=(slow[0],), daemon=True).start()
    for i, link in enumerate(slow):
        link.settimeout(max(1.0, 16 - (time.monotonic() - begin)))
        try:
            closed = link.recv(100) == b""
        except ConnectionError:
            closed = True
        except OSError:
            closed = False
        check(closed, f"slow client {i} is still open after {time.monotonic() - begin:.0f} s")
        if not closed:
            break
    check(time.monotonic() - begin > 8, "slow clients were closed early")


def openapi(server):
    _, text = server.ask("GET", "/api/v1/openapi.json")
    document = json.loads(text)
    check(document["openapi"].startswith("3.1"), "openapi: version")
    check("post" in document["paths"].get("/api/v1/ask", {}), "openapi: ask")
    for path, methods in document["paths"].items():
        names = [each["name"] for each in methods.get("get", {}).get("parameters", [])]
        check(len(names) == len(set(names)), f"openapi: {path} names an option twice")
        check(not {"hf-config", "catalog", "prices", "svg"} & set(names), f"openapi: {path} names a path")
    fields = {each["name"] for each in document["paths"]["/api/v1/estimate"]["get"]["parameters"]}
    check({"model", "on", "sequence", "plan"} <= fields, "openapi: options of estimate")
    try:
        import openapi_spec_validator
        openapi_spec_validator.validate(document)
    except ImportError:
        pass


def addresses(server, folder):
    busy = subprocess.run([RIDGELINE, "serve", "--port", str(server.port)], capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=30)
    check(busy.returncode == 1 and "in use" in busy.stderr, f"port in use: {busy.returncode} {busy.stderr}")
    bare = subprocess.run([RIDGELINE, "serve", "--listen", "0.0.0.0"], capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=30)
    check(bare.returncode == 2 and "--token-file" in bare.stderr, f"without a token: {bare.stderr}")
    odd = subprocess.run([RIDGELINE, "serve", "--listen", "nowhere"], capture_output=True, text=True,
                         env=ENVIRONMENT, timeout=30)
    check(odd.returncode == 2, f"no address: {odd.returncode}")
    token = pathlib.Path(folder) / "token"
    token.write_text("correct-horse-battery-staple\n")
    place = f"unix:{folder}/socket"
    guarded = Server("--port", "0", "--token-file", str(token))
    check(guarded.ask("GET", "/api/v1/own?on=h100-sxm5-80gb:8")[0].status == 401, "no token: expected 401")
    for secret, status in [("correct-horse-battery-staple", 200), ("correct-horse-battery-stapl", 401)]:
        reply, _ = guarded.ask("GET", "/api/v1/own?on=h100-sxm5-80gb:8", headers={"Authorization": "Bearer " + secret})
        check(reply.status == status, f"token {secret}: {reply.status}")
    check(guarded.end() == 0, "SIGTERM with a token")
    local = Server("--listen", place)
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(f"{folder}/socket")
        link.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        check(b" 200 " in link.recv(4096), "over a Unix socket")
    check(local.end() == 0, "SIGTERM of a Unix socket")
    check(not pathlib.Path(f"{folder}/socket").exists(), "the Unix socket is left behind")


def end_amid_requests():
    """Told to stop with requests that have come and wait: they may be lost, the server may not."""
    many = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300
    for attempt in range(4):
        server = Server("--port", "0")
        links = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(48)]
        for link in links:
            link.sendall(many)
        code = server.end()
        check(code == 0, f"SIGTERM amid requests, attempt {attempt}: exit code {code}")
        for link in links:
            link.close()


with tempfile.TemporaryDirectory() as folder:
    server = Server("--port", "0")
    if not server.port:
        print("the server did not start:", server.line, server.process.stderr.read())
        sys.exit(1)
    try:
        for part in (same_bytes, kept_answers, policy, hostile_bytes, openapi):
            part(server)
        addresses(server, folder)
        slow_and_vanishing(server)
        check(server.process.poll() is None, "the server is gone")
        begin = time.monotonic()
        idle = socket.create_connection(("127.0.0.1", server.port))
        code = server.end()
        check(code == 0, f"SIGTERM: exit code {code}")
        check(time.monotonic() - begin < 6, "SIGTERM took long")
        idle.close()
        end_amid_requests()
    finally:
        if server.process.poll() is None:
            server.process.kill()
for line in wrong:
    print(line)
print(f"{len(wrong)} problems")
sys.exit(1 if wrong else 0)
