#!/usr/bin/env python3
"""`ridgeline mcp` speaks both eras of the Model Context Protocol, and survives what it is sent.

Usage: agent_test.py RIDGELINE
"""
import json
import os
import subprocess
import sys
import unittest

RIDGELINE = sys.argv[1]
TOOLS = ["advise", "estimate", "remedies", "compare", "catalog"]
NOW = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                 "io.modelcontextprotocol/clientCapabilities": {}}}
ESTIMATE = {"model": "llama-3.1-8b", "method": "qlora", "on": "rtx-4090", "sequence": 2048}


def exchange(*messages):
    """The lines that the program answers to these, each a dict or raw text."""
    lines = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in messages)
    done = subprocess.run([RIDGELINE, "mcp"], input=lines, capture_output=True, text=True,
                          check=False, timeout=60)
    assert done.returncode == 0, done
    return [json.loads(line) for line in done.stdout.splitlines()]


def request(method, number=1, **parameters):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}


class Session(unittest.TestCase):
    def test_begins_lists_and_calls(self):
        begin, tools, call, ping = exchange(
            request("initialize", protocolVersion="2025-11-25", capabilities={},
                    clientInfo={"name": "test", "version": "1"}),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            request("tools/list", 2),
            request("tools/call", "three", name="estimate", arguments=ESTIMATE),
            request("ping", 4))
        self.assertEqual(begin["result"]["protocolVersion"], "2025-11-25")
        self.assertEqual(begin["result"]["serverInfo"]["name"], "ridgeline")
        self.assertNotIn("resultType", begin["result"])
        self.assertEqual([each["name"] for each in tools["result"]["tools"]], TOOLS)
        for tool in tools["result"]["tools"]:
            self.assertIs(tool["annotations"]["readOnlyHint"], True)
            self.assertEqual(tool["inputSchema"]["type"], "object")
            self.assertEqual(tool["outputSchema"]["type"], "object")
        self.assertEqual(call["id"], "three")
        answer = call["result"]["structuredContent"]
        printed = subprocess.run(
            [RIDGELINE, "estimate", "--json"] + [word for name, value in ESTIMATE.items()
                                                 for word in ("--" + name, str(value))],
            capture_output=True, text=True, check=True)
        self.assertEqual(answer, json.loads(printed.stdout))
        text = call["result"]["content"][0]["text"]
        self.assertLessEqual(len(text.splitlines()), 10)
        self.assertIn("GiB", text)
        self.assertEqual(ping["result"], {})

    def test_an_unknown_version_is_answered_with_one_that_is_known(self):
        begin, = exchange(request("initialize", protocolVersion="1999-01-01"))
        self.assertEqual(begin["result"]["protocolVersion"], "2025-11-25")


class EachRequestByItself(unittest.TestCase):
    def test_discovers_lists_and_calls(self):
        found, tools, call = exchange(
            request("server/discover", 1, **NOW), request("tools/list", 2, **NOW),
            request("tools/call", 3, name="compare",
                    arguments={"accelerators": ["l40s", "h100-sxm5-80gb"]}, **NOW))
        self.assertIn("2026-07-28", found["result"]["supportedVersions"])
        for each in (found, tools, call):
            self.assertEqual(each["result"]["resultType"], "complete")
        for each in (found, tools):
            self.assertGreater(each["result"]["ttlMs"], 0)
            self.assertEqual(each["result"]["cacheScope"], "public")
        self.assertEqual(len(call["result"]["structuredContent"]["accelerators"]), 2)

    def test_an_unknown_version_names_those_that_are_known(self):
        meta = {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
        said, = exchange(request("tools/list", 1, _meta=meta))
        self.assertEqual(said["error"]["code"], -32022)
        self.assertIn("2026-07-28", said["error"]["data"]["supported"])


class Tools(unittest.TestCase):
    def test_a_wrong_option_is_told_to_the_agent(self):
        said, = exchange(request("tools/call", name="estimate",
                                 arguments={"model": "llama-3.1-8b", "on": "l40s", "method": "loraa"}))
        self.assertIs(said["result"]["isError"], True)
        self.assertIn("lora", said["result"]["content"][0]["text"])

    def test_no_path_is_opened(self):
        for arguments in ({"workload": "/etc/passwd", "on": "l40s"},
                          {"hf-config": "/etc/passwd", "on": "l40s"},
                          {"model": "gpt2", "on": "l40s", "svg": "/tmp/x.svg"},
                          {"model": "gpt2", "on": "l40s", "prices": "/etc/passwd"}):
            said, = exchange(request("tools/call", name="estimate", arguments=arguments))
            self.assertIs(said["result"]["isError"], True, arguments)

    def test_no_result_is_larger_than_32_kib(self):
        for name, arguments in (("catalog", {"verb": "list"}),
                                ("advise", {"question": "what GPU for a 70B fine-tune"}),
                                ("catalog", {"verb": "list", "subject": "offers"})):
            said, = exchange(request("tools/call", name=name, arguments=arguments))
            text = json.dumps(said["result"], separators=(",", ":"), ensure_ascii=False)
            self.assertLessEqual(len(text.encode()), 32 * 1024)
            self.assertIn("shortened", said["result"]["structuredContent"])

    def test_what_does_not_fit_is_an_answer(self):
        said, = exchange(request("tools/call", name="estimate", arguments={
            "model": "llama-3.1-70b", "method": "full", "on": "rtx-4090"}))
        self.assertIs(said["result"]["isError"], False)
        self.assertIs(said["result"]["structuredContent"]["memory"]["fits"], False)


class Hostile(unittest.TestCase):
    def test_each_line_is_answered_or_passed_over(self):
        for line, code in (("{", -32700), ("[" * 100000, -32700), ("[]", -32600), ("3", -32600),
                           ('{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
                           ('{"jsonrpc": "2.0", "id": 1, "method": 3}', -32600),
                           ('{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', -32601),
                           ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}', -32602),
                           (json.dumps(request("tools/call", name="probe")), -32602),
                           ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', None)):
            said = exchange(line, "", request("ping", 9))
            self.assertEqual(said[0].get("error", {}).get("code"), code, line[:60])
            self.assertEqual(said[-1], {"jsonrpc": "2.0", "id": 9, "result": {}})
        self.assertEqual(exchange({"jsonrpc": "2.0", "id": 1, "result": {}}, "   "), [])

    def test_a_line_without_end_is_refused(self):
        done = subprocess.run([RIDGELINE, "mcp"], input="x" * (3 << 20), capture_output=True,
                              text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 4)
        self.assertIn("1 MiB", done.stderr)


if __name__ == "__main__":
    os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
    unittest.main(argv=sys.argv[:1])
