"""What torch's allocator did, from its own history: peaks of each phase, and what was alive at the highest."""

import bisect
import gc
import pickle

from . import card
from .places import is_library, short


def start(torch):
    """Lets the allocator remember every block with the lines of Python that asked for it; who gave it back is no matter, and
    would take twice the memory of this machine. A script that records its memory by itself gets this history: where it
    began or ended one of its own, what came before would be forgotten."""
    torch.cuda.memory._record_memory_history(enabled="all", context="alloc", stacks="python")
    for name in ("_cuda_record_memory_history", "_cuda_record_memory_history_legacy"):
        if hasattr(torch._C, name):
            setattr(torch._C, name, lambda *arguments, **named: None)
    torch.cuda.memory._dump_snapshot = write_empty


def write_empty(filename="dump_snapshot.pickle", *arguments, **named):
    """A script's own file of that history: with all blocks from the beginning it would take half a minute, and be read by
    nobody."""
    card.left_out.add("the contents of the memory snapshots that the script writes (--snapshot FILE writes one)")
    with open(filename, "wb") as file:
        pickle.dump({"segments": [], "device_traces": []}, file)


def allocations(torch):
    """How many blocks each device has handed out so far: a place in its history."""
    counts = []
    for device in range(torch.cuda.device_count()):
        try:
            counts.append(torch._C._cuda_memoryStats(device)["allocation"]["all"]["allocated"])
        except RuntimeError:
            counts.append(0)
    return counts


def roles(torch, optimizers):
    """Addresses of parameters, gradients and what optimizers keep, after a step."""
    found = {}
    for kept in gc.get_objects():  # those that no optimizer has too: frozen weights
        if issubclass(type(kept), torch.nn.Parameter):
            note(torch, found, kept, "parameters")
    for optimizer in list(optimizers):
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                note(torch, found, parameter, "parameters")
                note(torch, found, parameter.grad, "gradients")
                for value in getattr(optimizer, "state", {}).get(parameter, {}).values():
                    note(torch, found, value, "optimizer states")
    return found


def note(torch, found, tensor, role):
    if not isinstance(tensor, torch.Tensor):
        return
    if hasattr(type(tensor), "local_shards"):  # a table of which each card holds rows: it answers few questions
        for shard in tensor.local_shards():
            note(torch, found, shard.tensor, role)
    elif hasattr(tensor, "__tensor_flatten__"):  # a wrapper: DTensor, quantised states
        for name in tensor.__tensor_flatten__()[0]:
            note(torch, found, getattr(tensor, name), role)
    elif tensor.is_cuda and tensor.layout is torch.strided:
        found[tensor.untyped_storage().data_ptr()] = role


def phase_of(marks):
    """From marks (name, blocks handed out, whole steps made) to [(place, phase, step)]: where each phase begins.

    Several optimizers make one step together. Only what another optimizer's step follows is surely a step:
    behind the last one comes "after", which may be saving, or the forward pass of a step that is not finished."""
    found = [(0, "loading", 0)]
    step = 0
    last = max((at for at, mark in enumerate(marks) if mark[0] in ("optimizer", "stepped")), default=-1)
    for at, (name, place, made) in enumerate(marks):
        phase = found[-1][1]
        following = (place, "step", made + 1) if at < last else (place, "after", made)
        if name == "stepped" and made > step:
            step = made
            found.append(following)
        elif name in ("optimizer", "stepped") and phase != "step":
            found.append((place, "step", step + 1))
        elif name == "evaluation" and step:
            found.append((place, "evaluation", step))
        elif name == "training" and step and phase == "evaluation":
            found.append(following)
    return found


def in_forward(frames):
    """Whether a block was asked for by a module's forward pass."""
    return any(frame["name"] == "_call_impl" and frame["filename"].endswith("nn/modules/module.py") for frame in frames)


def timeline(events, starts):
    """Allocated and reserved bytes of each phase, and the place in `events` of the highest instant.

    `events` are the allocator's, oldest first; `starts` those of phase_of, for one device. The first step
    begins with the first block that a forward pass asks for, and so does one after the last."""
    live, allocated, reserved, place = {}, 0, 0, 0
    places = [start[0] for start in starts]
    peaks, loading, begun = {}, True, None
    best, best_at, best_phase = 0, -1, ("loading", 0)
    for at, event in enumerate(events):
        kind, size = event["action"], event["size"]
        if kind == "alloc":
            place += 1
            allocated += size
            live[event["addr"]] = size
            forward = in_forward(event.get("frames") or ())
            loading = loading and not forward
        elif kind == "free_completed":
            allocated -= live.pop(event["addr"], 0)
        elif kind in ("segment_alloc", "segment_map"):
            reserved += size
        elif kind in ("segment_free", "segment_unmap"):
            reserved -= size
        at_start = max(0, bisect.bisect_left(places, max(place, 1)) - 1)
        _, phase, step = starts[at_start]
        if phase == "after" and kind == "alloc" and forward:
            begun = at_start
        if (phase == "loading" and not loading) or (phase == "after" and begun == at_start):
            phase, step = "step", step + 1
        peak = peaks.setdefault((phase, step), [0, 0])
        peak[0], peak[1] = max(peak[0], allocated), max(peak[1], reserved)
        if allocated > best:
            best, best_at, best_phase = allocated, at, (phase, step)
    phases = [{"phase": phase, "step": step, "allocated": a, "reserved": r} for (phase, step), (a, r) in peaks.items()]
    return {"phases": phases, "allocated": best, "reserved": max((p["reserved"] for p in phases), default=0),
            "peak_at": best_at, "peak_phase": best_phase}


def alive_at(events, last):
    """The events of blocks that live after event `last`."""
    live = {}
    for event in events[: last + 1]:
        if event["action"] == "alloc":
            live[event["addr"]] = event
        elif event["action"] == "free_completed":
            live.pop(event["addr"], None)
    return list(live.values())


def alive_after(events, place):
    """The events of blocks that live once so many blocks have been handed out."""
    handed_out = 0
    for at, event in enumerate(events):
        handed_out += event["action"] == "alloc"
        if handed_out == place:
            return alive_at(events, at)
    return alive_at(events, len(events) - 1)


def kinds(noted, known):
    """What blocks are, by their event, from the addresses that parameters and others had at that instant."""
    addresses = sorted(known)
    found = {}
    for event in noted:
        at = bisect.bisect_left(addresses, event["addr"])
        if at < len(addresses) and addresses[at] < event["addr"] + event["size"]:
            found[id(event)] = known[addresses[at]]
    return found


def noted_kinds(events, device, noted):
    """What blocks of a device are, from `noted` after each step: (blocks handed out by device, addresses). The peak may
    hold gradients of an earlier step than the last, which are freed by then."""
    found = {}
    for counts, known in noted:
        if device < len(counts):
            found.update(kinds(alive_after(events, counts[device]), known))
    return found


def group_of(event, found):
    """(what a block is, the user's line, the module's line) of a block alive at the peak."""
    frames = event.get("frames") or ()
    line = module = ""
    for frame in frames:
        if not line and not is_library(frame["filename"]):
            line = f"{short(frame['filename'])}:{frame['line']}"
        if not module and frame["name"] == "forward" and is_library(frame["filename"]):
            module = f"{short(frame['filename'])}:{frame['line']}"
    if id(event) in found:
        return found[id(event)], line, module
    if not frames:
        return "gradients and backward pass", "", ""
    names = {frame["name"] for frame in frames}
    if names & {"step", "_init_group"} and not in_forward(frames):
        return "optimizer", line, module
    return ("activations" if in_forward(frames) else "other"), line, module


def groups(alive, found):
    """The blocks alive at the peak by kind and line, largest first; `found` is of `kinds`."""
    sums = {}
    for event in alive:
        entry = sums.setdefault(group_of(event, found), [0, 0])
        entry[0] += event["size"]
        entry[1] += 1
    rows = [{"kind": kind, "line": line, "module": module, "bytes": size, "blocks": count}
            for (kind, line, module), (size, count) in sums.items()]
    rows.sort(key=lambda row: (-row["bytes"], row["kind"], row["line"], row["module"]))
    return rows


def figures(torch, marks, noted, snapshot):
    """What a process reports of each of its devices; `noted` is of noted_kinds."""
    state = torch.cuda.memory._snapshot()
    devices = []
    for device, events in enumerate(state["device_traces"]):
        if not any(event["action"] == "alloc" for event in events):
            continue  # another's card: it was only asked about, or its cache emptied
        starts = phase_of([(name, counts[device], made) for name, counts, made in marks if device < len(counts)])
        found = timeline(events, starts)
        stats = torch._C._cuda_memoryStats(device)
        phase, step = found.pop("peak_phase")
        found.update({
            "device": device, "phase": phase, "step": step, "retries": stats["num_alloc_retries"], "ooms": stats["num_ooms"],
            "allocated": max(found["allocated"], stats["allocated_bytes"]["all"]["peak"]),
            "reserved": max(found["reserved"], stats["reserved_bytes"]["all"]["peak"]),
            "groups": groups(alive_at(events, found.pop("peak_at")), noted_kinds(events, device, noted)),
        })
        devices.append(found)
    if snapshot:
        with open(snapshot, "wb") as file:
            pickle.dump(state, file)
    return {"devices": devices}
