"""What `nvidia-smi` prints of the stand-in card, for scripts that ask it: the table, --list-gpus, --query-gpu, and the
sections of -q as text and as XML.

Load, power and temperature are 0, as NVML says of this card (card/nvml.c); the rest of what no catalog states is "[N/A]",
as the driver prints it of parts that do not tell."""

import os
import re
import sys

MEBIBYTE = 1 << 20


def cards(variables):
    """One row of names and values for each card."""
    total = int(variables.get("RIDGELINE_CARD_MEMORY", 0)) // MEBIBYTE
    capability = variables.get("RIDGELINE_CARD_CAPABILITY", "90")
    runtime = int(variables.get("RIDGELINE_CARD_RUNTIME", 12000))
    count = int(variables.get("RIDGELINE_CARD_COUNT", 1))
    power = variables.get("RIDGELINE_CARD_POWER")
    return [{"index": i, "count": count, "name": variables.get("RIDGELINE_CARD_NAME", "stand-in"),
             "gpu_name": variables.get("RIDGELINE_CARD_NAME", "stand-in"),
             "uuid": "GPU-00000000-0000-0000-0000-%012d" % i, "gpu_uuid": "GPU-00000000-0000-0000-0000-%012d" % i,
             "driver_version": "575.00.00", "cuda_version": "%d.%d" % (runtime // 1000, runtime % 1000 // 10),
             "pci.bus_id": "00000000:01:%02X.0" % i, "compute_cap": "%s.%s" % (capability[:-1], capability[-1]),
             "memory.total": "%d MiB" % total, "memory.used": "0 MiB", "memory.free": "%d MiB" % total,
             "utilization.gpu": "0 %", "utilization.memory": "0 %", "temperature.gpu": "0", "power.draw": "0.00 W",
             **({"power.limit": "%s.00 W" % power, "power.max_limit": "%s.00 W" % power} if power else {}),
             **{"clocks.%s" % part: "0 MHz" for name in ("sm", "mem", "gr") for part in (name, "current." + name)},
             "memory.reserved": "0 MiB", "serial": "[N/A]", "pstate": "P0", "compute_mode": "Default",
             "persistence_mode": "Enabled", "mig.mode.current": "Disabled"} for i in range(count)]


def query(asked, rows, form):
    """The answer to --query-gpu: a line of values for each card, under a line of names."""
    bare = "nounits" in form

    def value(row, name):
        text = str(row.get(name, "[N/A]"))
        return text.split(" ")[0] if bare and text.endswith((" MiB", " %", " W", " MHz")) else text

    units = {"memory.": " [MiB]", "utilization.": " [%]", "power.": " [W]", "clocks.": " [MHz]"}
    heads = [name + next((u for start, u in units.items() if name.startswith(start)), "") for name in asked]
    lines = [] if "noheader" in form else [", ".join(heads)]
    return lines + [", ".join(value(row, name) for name in asked) for row in rows]


def table(rows):
    line = "+" + "-" * 77 + "+"
    out = [line, "| NVIDIA-SMI %-15s Driver Version: %-15s CUDA Version: %-11s |"
           % (rows[0]["driver_version"], rows[0]["driver_version"], rows[0]["cuda_version"]), line]
    for row in rows:
        out.append("| %3d  %-38s %10s / %10s %8s |" % (row["index"], row["name"], row["memory.used"].replace(" ", ""),
                                                  row["memory.total"].replace(" ", ""), "0%"))
    return out + [line]


def sections(row):
    """What -q says of a card: {section: value, or the lines of it}."""
    memory = {"Total": row["memory.total"], "Reserved": row["memory.reserved"], "Used": row["memory.used"], "Free": row["memory.free"]}
    return {
        "Product Name": row["name"], "GPU UUID": row["uuid"], "Compute Mode": row["compute_mode"],
        "FB Memory Usage": memory,
        "BAR1 Memory Usage": {name: memory[name] for name in ("Total", "Used", "Free")},
        "Utilization": {"GPU": "0 %", "Memory": "0 %"},
        "Temperature": {"GPU Current Temp": "0 C"},
        "GPU Power Readings": {"Average Power Draw": row["power.draw"], "Current Power Limit": row.get("power.limit", "N/A")},
        "Clocks": {"Graphics": "0 MHz", "SM": "0 MHz", "Memory": "0 MHz"},
        "Processes": "None",
    }


SHOWN = {"MEMORY": ("FB Memory Usage", "BAR1 Memory Usage"), "UTILIZATION": ("Utilization",), "TEMPERATURE": ("Temperature",),
         "POWER": ("GPU Power Readings",), "CLOCK": ("Clocks",), "COMPUTE": ("Compute Mode",), "PIDS": ("Processes",)}


def everything(rows, shown):
    """-q, of the sections that -d names, or of all."""
    wanted = [name for word in shown.upper().split(",") for name in SHOWN.get(word.strip(), ())]
    first = rows[0] if rows else {"driver_version": "N/A", "cuda_version": "N/A"}
    lines = ["", "==============NVSMI LOG==============", "",
             f"{'Driver Version':<42}: {first['driver_version']}", f"{'CUDA Version':<42}: {first['cuda_version']}", "",
             f"{'Attached GPUs':<42}: {len(rows)}"]
    for row in rows:
        lines.append(f"GPU {row['pci.bus_id']}")
        for name, value in sections(row).items():
            if wanted and name not in wanted:
                continue
            if isinstance(value, dict):
                lines.append(f"    {name}")
                lines += [f"        {part:<34}: {text}" for part, text in value.items()]
            else:
                lines.append(f"    {name:<38}: {value}")
        lines.append("")
    return lines


def as_xml(rows):
    """-q -x."""
    def tag(name):
        return re.sub(r"[^a-z0-9]+", "_", name.lower())

    lines = ['<?xml version="1.0" ?>', '<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">', "<nvidia_smi_log>"]
    if rows:
        lines += [f"  <{name}>{rows[0][name]}</{name}>" for name in ("driver_version", "cuda_version")]
    lines.append(f"  <attached_gpus>{len(rows)}</attached_gpus>")
    for row in rows:
        lines += [f'  <gpu id="{row["pci.bus_id"]}">', f"    <product_name>{row['name']}</product_name>", f"    <uuid>{row['uuid']}</uuid>",
                  f"    <minor_number>{row['index']}</minor_number>"]
        for name, value in sections(row).items():
            if not isinstance(value, dict):
                continue
            ends = "_util" if name == "Utilization" else ""
            lines += [f"    <{tag(name)}>", *(f"      <{tag(part)}{ends}>{text}</{tag(part)}{ends}>" for part, text in value.items()),
                      f"    </{tag(name)}>"]
        lines += ["    <processes></processes>", "  </gpu>"]
    return [*lines, "</nvidia_smi_log>"]


def answer(arguments, variables):
    """The lines of one call."""
    rows = cards(variables)
    named, words = {}, iter(arguments)
    for word in words:
        name, _, value = word.partition("=")
        if name in ("-i", "--id", "-L", "--list-gpus", "-q", "--query", "-x", "--xml-format") or value or not name.startswith("--"):
            named[name] = value if value or name not in ("-i", "-d") else next(words, "0")
        else:
            named[name] = next(words, "")
    wanted = named.get("-i") or named.get("--id")
    if wanted:
        kept = wanted.split(",")
        rows = [row for row in rows if str(row["index"]) in kept or row["uuid"] in kept]
    if "-L" in named or "--list-gpus" in named:
        return ["GPU %d: %s (UUID: %s)" % (row["index"], row["name"], row["uuid"]) for row in rows]
    if "--query-gpu" in named:
        return query([n.strip() for n in named["--query-gpu"].split(",")], rows, named.get("--format", ""))
    if any(name.startswith("--query-") for name in named):
        return []
    if "-x" in named or "--xml-format" in named:
        return as_xml(rows)
    if "-q" in named or "--query" in named:
        return everything(rows, named.get("-d") or named.get("--display") or "")
    return table(rows) if rows else ["No devices were found"]


if __name__ == "__main__":
    print("\n".join(answer(sys.argv[1:], os.environ)))
