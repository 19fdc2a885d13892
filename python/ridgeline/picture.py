"""How a notebook shows an answer: a sentence, the bar of the memory, a table."""
from html import escape

# Fills of light and of dark pages alike; parts are told apart by their label too.
FILLS = ("#3b6fb6", "#d98032", "#4f9a55", "#b24a4a", "#8a6bbd", "#8a6a52", "#c572a8", "#7a7a7a",
         "#a3a13a", "#3fa3b5")
WIDTH = 640


def _figure(value, unit):
    return "unknown" if value is None else f"{value:.1f} {unit}"


def _duration(seconds):
    if seconds is None:
        return "unknown"
    for limit, scale, unit in ((1e-3, 1e6, "us"), (1, 1e3, "ms"), (600, 1, "s")):
        if seconds < limit:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds / 60:.0f} min"


def place(hardware):
    nodes = hardware.get("nodes") or 1
    count = hardware.get("count") or 1
    where = f"{count} x {hardware['accelerator']}" if count > 1 else hardware["accelerator"]
    return f"{where} in {nodes} nodes" if nodes > 1 else where


def sentence(document):
    """The verdict in one line; of other answers, what they are."""
    memory = document.get("memory")
    if not isinstance(memory, dict) or "hardware" not in document:
        options = document.get("options")
        first = options[0] if options else None
        if isinstance(first, dict) and "accelerator" in first:
            return f"{len(options)} options, first {place(first)}"
        return document.get("schema", "answer")
    verdict = {"yes": "fits", "barely": "barely fits", "no": "does not fit"}.get(
        memory.get("verdict"), "fits" if memory.get("fits") else "does not fit")
    text = (f"{verdict} on {place(document['hardware'])}: {_figure(memory.get('peak_gib'), 'GiB')}"
            f" ({_figure(memory.get('low_gib'), 'GiB')} to {_figure(memory.get('high_gib'), 'GiB')})"
            f" of {_figure(memory.get('capacity_gib'), 'GiB')}")
    step = (document.get("time") or {}).get("step_s")
    return text + (f", {_duration(step)} a step" if step is not None else "")


def bar(memory):
    """The parts of the peak beside the card's memory, as SVG; empty where figures are unknown."""
    capacity, peak = memory.get("capacity_gib"), memory.get("peak_gib")
    parts = [part for part in memory.get("components", []) if part.get("gib")]
    if not capacity or not peak or not parts:
        return ""
    scale = WIDTH / max(capacity, memory.get("high_gib") or peak, peak)
    # Of the parts, what is alive at the peak: they sum to it but for rounding of the allocator.
    total = sum(part["gib"] for part in parts)
    shrink = min(1.0, peak / total)
    at, shapes = 0.0, []
    for number, part in enumerate(parts):
        width = part["gib"] * scale * shrink
        label = f"{part['name']}: {part['gib']:.2f} GiB"
        shapes.append(f'<rect x="{at:.1f}" y="8" width="{max(width, 0.5):.1f}" height="28" '
                      f'fill="{FILLS[number % len(FILLS)]}"><title>{escape(label)}</title></rect>')
        at += width
    low, high = (scale * (memory.get(key) or peak) for key in ("low_gib", "high_gib"))
    edge = capacity * scale
    shapes.append(f'<path d="M{low:.1f} 42H{high:.1f}M{low:.1f} 39v6M{high:.1f} 39v6" '
                  'stroke="currentColor" fill="none"><title>range</title></path>')
    shapes.append(f'<path d="M{edge:.1f} 0V48" stroke="currentColor" stroke-width="2" '
                  f'stroke-dasharray="4 2"><title>{capacity:.1f} GiB are there</title></path>')
    said = f"{peak:.1f} GiB of {capacity:.1f} GiB"
    return (f'<svg role="img" aria-label="{escape(said)}" viewBox="-2 0 {WIDTH + 4} 50" '
            f'width="100%" style="max-width:{WIDTH}px">' + "".join(shapes) + "</svg>")


def _table(memory):
    rows = []
    for number, part in enumerate(memory.get("components", [])):
        if part.get("gib") is not None:
            rows.append(f'<tr><td style="color:{FILLS[number % len(FILLS)]}">&#9632;</td>'
                        f'<td style="text-align:left">{escape(part["name"])}</td>'
                        f'<td>{part["gib"]:.2f}</td>'
                        f'<td style="text-align:left">{escape(part.get("formula") or "")}</td></tr>')
    return ("<table><thead><tr><th></th><th>memory</th><th>GiB</th><th>formula</th></tr></thead>"
            "<tbody>" + "".join(rows) + "</tbody></table>")


def page(document):
    """HTML of an answer for a notebook."""
    text = f"<p><strong>{escape(sentence(document))}</strong></p>"
    memory = document.get("memory")
    if not isinstance(memory, dict) or not memory.get("components"):
        return text
    return text + bar(memory) + _table(memory)
