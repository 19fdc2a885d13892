#!/usr/bin/env python3
"""`calibrate` reads what other tools measured: figures made by hand come back, slow nodes are named.

Usage: benchmark_results_test.py RIDGELINE
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

RIDGELINE = sys.argv[1]
ALPHA_US, BUS = 20.0, 400e9  # of the made-up fabric: t = alpha + f S / bus
SIZES = [1024 * 4**i for i in range(11)]


def time_us(operation, size, ranks):
    factor = (2 if operation == "all_reduce" else 1) * (ranks - 1) / ranks
    return ALPHA_US + 1e6 * factor * size / BUS


def nccl_row(size, time, bus, redop="sum", wrong="0"):
    algorithm = size / time / 1e3
    half = f"{time:9.2f} {algorithm:7.2f} {bus:7.2f} {wrong:>6}"
    return f"{size:12d} {size // 4:12d}     float  {redop:>6}      -1 {half} {half}"


def nccl_text(operation="all_reduce", program=None, redop="sum", hosts=("node1",), per_host=8,
              prefix="", wrong="0", iterations=20):
    ranks = len(hosts) * per_host
    lines = [f"# Collective test starting: {program}"] if program else []
    lines += [f"# nThread 1 nGpus 1 minBytes 8 maxBytes 1 step: 4(factor) warmup iters: 5 "
              f"iters: {iterations} agg iters: 1 validation: 1 graph: 0", "#", "# Using devices"]
    lines += [f"#  Rank {rank:2d} Group  0 Pid  99 on {hosts[rank // per_host]:>6} device  "
              f"{rank % per_host} [0x0{rank % 8}] NVIDIA H100 80GB HBM3" for rank in range(ranks)]
    lines += ["#       size         count      type   redop    root     time   algbw   busbw #wrong"
              "     time   algbw   busbw #wrong", "#        (B)    (elements)"]
    for size in SIZES:
        time = time_us(operation, size, ranks)
        factor = (2 if operation == "all_reduce" else 1) * (ranks - 1) / ranks
        lines.append(nccl_row(size, time, factor * size / time / 1e3, redop, wrong))
    lines += ["# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 100"]
    return "\n".join(prefix + line for line in lines) + "\n"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def calibrate(self, verb, text, *words, name="results.txt", code=0):
        texts = text if isinstance(text, dict) else {name: text}
        paths = []
        for file, content in texts.items():
            paths.append(pathlib.Path(self.folder.name) / file)
            paths[-1].write_text(content)
        done = subprocess.run([RIDGELINE, "calibrate", verb, *paths, *words], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def fitted(self, text, *words, **named):
        return json.loads(self.calibrate("fit", text, "--json", *words, **named))

    def check_collective(self, answer, operation, ranks, nodes=1):
        rows = answer["collectives"]
        self.assertEqual([(row["operation"], row["ranks"], row["nodes"]) for row in rows],
                         [(operation, ranks, nodes)])
        self.assertAlmostEqual(rows[0]["bus_bandwidth_gb_per_s"] / (BUS / 1e9), 1, delta=0.03)
        self.assertAlmostEqual(rows[0]["alpha_us"] / ALPHA_US, 1, delta=0.1)


class Collectives(Case):
    def test_nccl_tests(self):
        self.check_collective(self.fitted(nccl_text(program="all_reduce_perf")), "all_reduce", 8)

    def test_old_output_names_its_operation_by_its_bandwidths(self):
        self.check_collective(self.fitted(nccl_text()), "all_reduce", 8)
        text = nccl_text("reduce_scatter")
        self.check_collective(self.fitted(text), "reduce_scatter", 8)

    def test_what_two_operations_could_be_is_asked_for(self):
        said = self.calibrate("fit", nccl_text("all_gather", redop="none"), code=4)
        self.assertIn("which collective", said)
        text = "$ mpirun -np 8 ./build/all_gather_perf -b 1K\n" + nccl_text("all_gather", redop="none")
        self.check_collective(self.fitted(text), "all_gather", 8)

    def test_a_blank_operation_of_the_reduction(self):
        text = nccl_text("all_gather", program="all_gather_perf", redop="")
        self.check_collective(self.fitted(text), "all_gather", 8)

    def test_nodes_and_the_prefix_of_mpirun(self):
        text = nccl_text(program="all_reduce_perf", hosts=("a1", "a2"), prefix="[1,0]<stdout>:")
        self.check_collective(self.fitted(text), "all_reduce", 16, 2)

    def test_wrong_results_and_few_iterations_are_said(self):
        said = self.calibrate("fit", nccl_text(program="all_reduce_perf", wrong="5", iterations=3),
                              "--accelerator", "h100-sxm5-80gb", code=3)
        self.assertIn("11 of 11 sizes gave wrong results", " ".join(said.split()))
        self.assertIn("3 iterations", said)

    def test_json_of_nccl_tests(self):
        document = {"version": 2, "start_time": "2026-11-20 10:00:00", "nccl_version": 22809,
                    "args": ["./all_reduce_perf", "-J", "x"],
                    "devices": [{"rank": r, "hostname": "n1", "device": r,
                                 "device_info": "NVIDIA H100 80GB HBM3"} for r in range(8)],
                    "results": [{"size": size, "count": size // 4, "type": "float", "redop": "sum",
                                 "out_of_place": {"time": time_us("all_reduce", size, 8),
                                                  "alg_bw": 1.0, "bus_bw": 1.0, "nwrong": 0.0},
                                 "actual_iterations": 20} for size in SIZES]}
        self.check_collective(self.fitted(json.dumps(document)), "all_reduce", 8)
        for result in document["results"]:
            result["out_of_place"]["cpu_time"] = result["out_of_place"].pop("time")
        self.assertIn("no size with a time", self.calibrate("fit", json.dumps(document), code=4))

    def test_osu(self):
        # The size of an all-gather is that of one rank's part.
        text = "# OSU MPI-CUDA Allgather Latency Test v7.4\n# Size       Avg Latency(us)\n"
        for size in SIZES:
            text += f"{size // 8:<12}{time_us('all_gather', size, 8):18.2f}\n"
        said = self.calibrate("fit", text, "--accelerator", "h100-sxm5-80gb", code=4)
        self.assertIn("--ranks", said)
        answer = self.fitted(text, "--accelerator", "h100-sxm5-80gb", "--ranks", "8")
        self.check_collective(answer, "all_gather", 8)


class Memory(Case):
    def test_stream(self):
        text = ("Array size = 100000000 (elements), Offset = 0 (elements)\n"
                "Number of Threads counted = 18\n"
                "Function    Best Rate MB/s  Avg time     Min time     Max time\n"
                "Copy:          160000.0     0.011000     0.010000     0.012000\n"
                "Triad:         240000.0     0.011000     0.010000     0.012000\n")
        answer = self.fitted(text, "--accelerator", "h100-sxm5-80gb")
        points = {point["name"]: point for point in answer["points"]}
        self.assertEqual(points["copy"]["bytes"], 1.6e9)
        self.assertAlmostEqual(points["triad"]["time_us"]["least"], 1e4, delta=1)
        self.assertEqual(points["copy"]["threads"], 18)

    def test_babel_stream(self):
        text = ("BabelStream\nVersion: 5.0\nArray size: 1000.0 MB (=1.0 GB)\n"
                "Using CUDA device NVIDIA H100 80GB HBM3\n"
                "Function    MBytes/sec  Min (sec)   Max         Average\n"
                "Copy        2500000.000 0.00080     0.00090     0.00085\n"
                "Triad       2500000.000 0.00120     0.00130     0.00125\n"
                "Dot         2800000.000 0.00071     0.00080     0.00075\n")
        rows = {row["operator_class"]: row for row in self.fitted(text)["rows"]}
        # 2500 of 3352 GB/s, the bandwidth of the data sheet.
        self.assertAlmostEqual(rows["streaming"]["bandwidth_fraction"], 2500 / 3352, delta=0.01)

    def test_nvbandwidth(self):
        def test_of(name, *rows):
            return {"name": name, "status": "Passed", "bandwidth_matrix": [list(row) for row in rows]}
        document = {"nvbandwidth": {
            "version": "0.8", "Driver Version": "550.54",
            "GPU Device list": ["0: NVIDIA H100 80GB HBM3 (PCI:0000:07:00.0): (host)"],
            "testcases": [test_of("host_to_device_memcpy_ce", ["55.0", "N/A"]),
                          test_of("device_to_device_memcpy_read_ce", ["N/A", "380.0"], ["382.0", "N/A"]),
                          test_of("device_local_copy", ["1250.0"]),
                          {"name": "host_device_latency_sm", "status": "Waived"}]}}
        answer = self.fitted(json.dumps(document))
        points = {(point["kind"], point["name"]): point for point in answer["points"]}
        link = points[("host_link", "h2d pinned")]
        self.assertAlmostEqual(link["bytes"] / link["time_us"]["median"] / 1e3, 55, delta=0.1)
        copy = points[("stream", "copy")]
        self.assertAlmostEqual(copy["bytes"] / copy["time_us"]["median"] / 1e3, 2500, delta=5)
        self.assertIn("1 tests of nvbandwidth are not used", " ".join(answer["notes"]))

    def test_fio(self):
        document = {"fio version": "fio-3.33", "global options": {"direct": "1"}, "jobs": [
            {"jobname": "seq", "job options": {"bs": "1M"},
             "read": {"io_bytes": 10**10, "bw_bytes": 2 * 10**9}}]}
        said = self.calibrate("fit", json.dumps(document), "--accelerator", "h100-sxm5-80gb", code=3)
        self.assertIn("--storage-gb-per-s", said)

    def test_verdicts_hold_no_figures(self):
        said = self.calibrate("fit", '{"DCGM Diagnostic": {"test_categories": []}}', code=4)
        self.assertIn("no figures", said)


def superbench(slow=()):
    lines = []
    for node in range(1, 13):
        scatter = 1 + 0.004 * ((node * 7) % 5 - 2)
        factor = scatter * (0.8 if node in slow else 1)
        line = {"node": f"gpu{node:02d}", "return_code": 0}
        for rank in range(8):
            line[f"gemm-flops/bf16_tc:{rank}"] = 700000.0 * factor
            line[f"mem-bw/h2d_bw:{rank}"] = 55.0 * scatter
        for size in SIZES:
            line[f"nccl-bw:nvlink/allreduce_{size}_time:0"] = time_us("all_reduce", size, 8) / factor
        lines.append(json.dumps(line))
    return "\n".join(lines) + "\n"


class Nodes(Case):
    def test_slow_nodes_are_named_as_a_scheduler_lists_them(self):
        said = self.calibrate("merge", superbench({3, 9, 10, 11}), "--ranks", "8", code=3)
        self.assertIn("drain  gpu[03,09-11]", said)
        answer = json.loads(self.calibrate("merge", superbench({5}), "--ranks", "8", "--json", code=3))
        self.assertEqual(answer["drain"], "gpu05")
        slow = [node for node in answer["nodes"] if node["outlier"]]
        self.assertEqual([node["node"] for node in slow], ["gpu05"])
        # 0.8 of the rate is 1.25 of the time, seen within the scatter.
        self.assertAlmostEqual(slow[0]["slowdown"], 0.25, delta=0.02)

    def test_equal_nodes_are_no_outliers(self):
        answer = json.loads(self.calibrate("merge", superbench(), "--ranks", "8", "--json"))
        self.assertEqual(answer["drain"], "")

    def test_files_of_several_nodes(self):
        texts = {}
        for node, factor in (("n1", 1), ("n2", 1.01), ("n3", 1), ("n7", 1.3)):
            text = nccl_text(program="all_reduce_perf", hosts=(node,))
            rows = []
            for line in text.splitlines():
                words = line.split()
                if words and words[0].isdigit():
                    size = int(words[0])
                    line = nccl_row(size, factor * time_us("all_reduce", size, 8), 1.0)
                rows.append(line)
            texts[f"log-{len(texts)}.txt"] = "\n".join(rows)
        # The hosts stand in the files, whatever those are called.
        self.assertIn("drain  n7", self.calibrate("merge", texts, code=3))

    def test_a_server_reduces_by_itself(self):
        """What nccl-tests measured says nothing of a server's own all-reduce of small messages."""
        out = pathlib.Path(self.folder.name) / "own.json"
        slow = "\n".join(nccl_row(int(line.split()[0]), 500 + 1e6 * int(line.split()[0]) / 1e11, 1.0)
                         if line.split()[:1] and line.split()[0].isdigit() else line
                         for line in nccl_text(program="all_reduce_perf").splitlines())
        self.calibrate("fit", slow, "--accelerator", "h100-sxm5-80gb", "--out", str(out))

        def seconds(field, *words):
            done = subprocess.run([RIDGELINE, "estimate", "--tensor", "8", "--on", "h100-sxm5-80gb:8", "--json", *words],
                                  capture_output=True, text=True, check=False)
            return json.loads(done.stdout)["time"][field]

        measured = ("--calibration", str(out))
        served = ("tpot_s", "--model", "llama-3.1-70b", "--framework", "vllm")
        self.assertAlmostEqual(seconds(*served, *measured) / seconds(*served), 1, places=6)
        trained = ("step_s", "--model", "llama-3.1-8b", "--method", "full", "--framework", "megatron", "--sequence-parallel", "false")
        self.assertGreater(seconds(*trained, *measured), 1.1 * seconds(*trained))

    def test_many_nodes_are_merged_before_they_are_fitted(self):
        said = self.calibrate("fit", superbench(), "--accelerator", "h100-sxm5-80gb", code=4)
        self.assertIn("calibrate merge", said)


def word(text):
    return struct.pack("<Q", len(text)) + text.encode()


def gguf(keys, tensors):
    """The header of a GGUF file (ggml docs/gguf.md); texts, lists of texts and whole numbers."""
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for key, value in keys.items():
        kind = {str: 8, list: 9, int: 4}[type(value)]
        out += word(key) + struct.pack("<I", kind)
        out += (word(value) if kind == 8 else struct.pack("<I", value) if kind == 4 else
                struct.pack("<IQ", 8, len(value)) + b"".join(map(word, value)))
    for name, sides, kind in tensors:
        out += word(name) + struct.pack(f"<I{len(sides)}QIQ", len(sides), *sides, kind, 0)
    return out


def safetensors(tensors):
    header = json.dumps({name: {"dtype": "BF16", "shape": sides, "data_offsets": [0, 0]}
                         for name, sides in tensors}).encode()
    return struct.pack("<Q", len(header)) + header


class Weights(Case):
    """The shapes are those of Llama 3.2 1B and Qwen3 0.6B, and so are the parameters."""

    def read(self, data, code=0):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "model.bin")
            file.write_bytes(data)
            run = subprocess.run([RIDGELINE, "estimate", "--from", file, "--on", "rtx-4090", "--json",
                                  "--task", "inference"], capture_output=True, text=True)
            self.assertEqual(run.returncode, code, run.stderr)
            return json.loads(run.stdout) if code == 0 else run.stderr

    def weights(self, document):
        return sum(part["gib"] for part in document["memory"]["components"] if "weights" in part["name"])

    def test_gguf(self):
        q4, q6, f32 = 12, 14, 0
        layer = [("attn_q", (2048, 2048), q4), ("attn_k", (2048, 512), q4), ("attn_v", (2048, 512), q6),
                 ("attn_output", (2048, 2048), q4), ("ffn_gate", (2048, 8192), q4), ("ffn_up", (2048, 8192), q4),
                 ("ffn_down", (8192, 2048), q6), ("attn_norm", (2048,), f32), ("ffn_norm", (2048,), f32)]
        tensors = [("token_embd.weight", (2048, 128256), q6), ("output_norm.weight", (2048,), f32)]
        tensors += [(f"blk.{i}.{name}.weight", *rest) for i in range(16) for name, *rest in layer]
        keys = {"general.architecture": "llama", "general.file_type": 15, "tokenizer.ggml.tokens": ["a", "b"],
                "llama.block_count": 16, "llama.embedding_length": 2048, "llama.feed_forward_length": 8192,
                "llama.attention.head_count": 32, "llama.attention.head_count_kv": 8}
        found = self.read(gguf(keys, tensors))
        self.assertIn("1235814400 parameters", json.dumps(found["imports"]))
        self.assertEqual(found["workload"]["precision"]["quantization"], "q4_k_m")
        # 4.5 bits of a weight, 6.5625 of the table, of values and of half of the downward products.
        self.assertTrue(0.70 < self.weights(found) < 0.76, self.weights(found))
        del keys["llama.embedding_length"]
        self.assertIn("hidden_size", self.read(gguf(keys, tensors), 4))
        keys["general.architecture"] = "rwkv9"
        self.assertIn("rwkv9", self.read(gguf(keys, tensors), 4))
        self.assertIn("version 9", self.read(b"GGUF" + struct.pack("<IQQ", 9, 0, 0), 4))

    def test_safetensors(self):
        layer = [("self_attn.q_proj", (2048, 1024)), ("self_attn.k_proj", (1024, 1024)),
                 ("self_attn.v_proj", (1024, 1024)), ("self_attn.o_proj", (1024, 2048)),
                 ("self_attn.q_norm", (128,)), ("self_attn.k_norm", (128,)), ("mlp.gate_proj", (3072, 1024)),
                 ("mlp.up_proj", (3072, 1024)), ("mlp.down_proj", (1024, 3072)), ("input_layernorm", (1024,)),
                 ("post_attention_layernorm", (1024,))]
        tensors = [("model.embed_tokens.weight", (151936, 1024)), ("model.norm.weight", (1024,))]
        tensors += [(f"model.layers.{i}.{name}.weight", sides) for i in range(28) for name, sides in layer]
        found = self.read(safetensors(tensors))
        self.assertIn("596049920 parameters", json.dumps(found["imports"]))
        self.assertAlmostEqual(self.weights(found), 596049920 * 2 / 2**30, places=2)
        self.assertIn("not a whole model", self.read(safetensors(tensors[5:60]), 4))


class Hostile(Case):
    def test_broken_files_are_refused_with_a_reason(self):
        for text in ("", "algbw busbw", "# OSU x\n1 2\n", "Best Rate MB/s\nCopy: a b c d\n",
                     '{"nvbandwidth": 3}', '{"nccl_version": 1, "results": 3}',
                     '{"fio version": "x", "jobs": {"a": 1}}', '{"node": 3}', '{"node": "a"}\n{"x"',
                     '{"nvbandwidth": {"testcases": [3, {"bandwidth_matrix": [["x"]]}]}}',
                     "# all_reduce_perf\nalgbw busbw\n" + "1e999 " * 13):
            self.assertIn("error", self.calibrate("fit", text, "--accelerator", "l40s", code=4))


if __name__ == "__main__":
    os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
    unittest.main(argv=sys.argv[:1])
