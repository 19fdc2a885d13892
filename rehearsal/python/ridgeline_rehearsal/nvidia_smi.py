"""What `nvidia-smi` prints of the stand-in card, for scripts that ask it: the table, --list-gpus and --query-gpu.

What no catalog states (temperature, power, load) is "[N/A]", as the driver prints it of parts that do not tell."""

import os
import sys

MEBIBYTE = 1 << 20


def cards(variables):
    """One row of names and values for each card."""
    total = int(variables.get("RIDGELINE_CARD_MEMORY", 0)) // MEBIBYTE
    capability = variables.get("RIDGELINE_CARD_CAPABILITY", "90")
    runtime = int(variables.get("RIDGELINE_CARD_RUNTIME", 12000))
    count = int(variables.get("RIDGELINE_CARD_COUNT", 1))
    return [{"index": i, "count": count, "name": variables.get("RIDGELINE_CARD_NAME", "stand-in"),
             "gpu_name": variables.get("RIDGELINE_CARD_NAME", "stand-in"),
             "uuid": "GPU-00000000-0000-0000-0000-%012d" % i, "gpu_uuid": "GPU-00000000-0000-0000-0000-%012d" % i,
             "driver_version": "575.00.00", "cuda_version": "%d.%d" % (runtime // 1000, runtime % 1000 // 10),
             "pci.bus_id": "00000000:01:%02X.0" % i, "compute_cap": "%s.%s" % (capability[:-1], capability[-1]),
             "memory.total": "%d MiB" % total, "memory.used": "0 MiB", "memory.free": "%d MiB" % total,
             "utilization.gpu": "0 %", "utilization.memory": "0 %", "compute_mode": "Default",
             "persistence_mode": "Enabled", "mig.mode.current": "Disabled"} for i in range(count)]


def query(asked, rows, form):
    """The answer to --query-gpu: a line of values for each card, under a line of names."""
    bare = "nounits" in form

    def value(row, name):
        text = str(row.get(name, "[N/A]"))
        return text.split(" ")[0] if bare and text.endswith((" MiB", " %")) else text

    units = {"memory.": " [MiB]", "utilization.": " [%]"}
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


def answer(arguments, variables):
    """The lines of one call."""
    rows = cards(variables)
    named, words = {}, iter(arguments)
    for word in words:
        name, _, value = word.partition("=")
        if name in ("-i", "--id", "-L", "--list-gpus", "-q", "--query") or value or not name.startswith("--"):
            named[name] = value if value or name != "-i" else next(words, "0")
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
    return table(rows) if rows else ["No devices were found"]


if __name__ == "__main__":
    print("\n".join(answer(sys.argv[1:], os.environ)))
