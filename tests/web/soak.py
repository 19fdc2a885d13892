#!/usr/bin/env python3
"""Load for minutes on `ridgeline serve`: ordinary clients beside slow, malformed, vanishing and pipelining ones;
memory and descriptors must stay as they were once the cache is full. Then kill -9 and a restart on the same port.

soak.py RIDGELINE [MINUTES]
"""
import http.client
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time

RIDGELINE = sys.argv[1]
MINUTES = float(sys.argv[2]) if len(sys.argv) > 2 else 60
stop = threading.Event()
served = [0] * 64
problems = []


def start(port):
    process = subprocess.Popen([RIDGELINE, "serve", "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    line = process.stdout.readline()
    found = re.search(r":(\d+)", line)
    if not found:
        sys.exit(f"the server did not start: {line}")
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process, int(found.group(1))


def ordinary(port, number):
    dice = random.Random(number)
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    while not stop.is_set():
        model = dice.choice(["llama-3.1-8b", "mistral-7b", "qwen2.5-7b", "llama-3.1-70b"])
        part = dice.choice(["l40s", "h100-sxm5-80gb", "a100-sxm4-80gb:8", "rtx-4090"])
        try:
            link.request("GET", f"/api/v1/estimate?model={model}&on={part}&sequence={dice.randint(1, 1 << 15)}")
            reply = link.getresponse()
            reply.read()
            if reply.status not in (200, 422, 503):
                problems.append(f"status {reply.status}")
            served[number] += 1
            time.sleep(0.0005)
        except OSError as problem:
            if not stop.is_set():
                problems.append(f"client {number}: {problem}")
            link.close()


def hostile(port, number):
    dice = random.Random(1000 + number)
    while not stop.is_set():
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=15) as link:
                kind = dice.randrange(5)
                if kind == 0:
                    link.sendall(b"GET /healthz HTTP/1.1\r\nHost: loc")
                    stop.wait(dice.uniform(0, 12))
                elif kind == 1:
                    link.sendall(bytes(dice.randrange(256) for _ in range(400)))
                    link.recv(1000)
                elif kind == 2:
                    link.sendall(b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n{")
                elif kind == 3:
                    link.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
                    link.recv(100)
                else:
                    link.sendall(b"GET /api/v1/advise?q=pretrain+70b+on+2T+tokens HTTP/1.1\r\nHost: localhost\r\n\r\n")
        except OSError:
            pass


def state(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        kib = int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))
    return kib / 1024, len(os.listdir(f"/proc/{process.pid}/fd"))


process, port = start(0)
threads = [threading.Thread(target=ordinary, args=(port, n), daemon=True) for n in range(8)]
threads += [threading.Thread(target=hostile, args=(port, n), daemon=True) for n in range(8)]
for thread in threads:
    thread.start()
marks = []
for step in range(10):
    time.sleep(MINUTES * 6)
    if process.poll() is not None:
        sys.exit(f"the server ended with {process.returncode}")
    marks.append(state(process))
    print(f"{(step + 1) * MINUTES / 10:6.1f} min  {sum(served):9d} answers  {marks[-1][0]:7.1f} MiB  "
          f"{marks[-1][1]:4d} descriptors", flush=True)
stop.set()
for thread in threads:
    thread.join(20)
time.sleep(1)
growth = marks[-1][0] / marks[len(marks) // 2][0] - 1
print(f"{100 * growth:+.2f} % in the second half")
if growth > 0.01:
    problems.append(f"memory grew by {100 * growth:.1f} % in the second half")
if state(process)[1] > 40:
    problems.append(f"{state(process)[1]} descriptors are still open")
process.kill()
process.wait()
again, _ = start(port)
link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
link.request("GET", "/healthz")
if link.getresponse().status != 200:
    problems.append("after kill -9 and a restart: no answer")
again.terminate()
if again.wait(10) != 0:
    problems.append("SIGTERM does not end with 0")
for each in problems[:20]:
    print(each)
sys.exit(bool(problems))
