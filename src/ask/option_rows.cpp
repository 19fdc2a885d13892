#include "ask/option_rows.h"

#include <array>

namespace ridgeline::ask {
namespace {

constexpr auto advise = Command::advise;
constexpr auto estimate = Command::estimate;
constexpr auto compare = Command::compare;
constexpr auto remedies = Command::remedies;
constexpr auto roofline = Command::roofline;
constexpr auto own = Command::own;
constexpr auto report = Command::report;
constexpr auto catalog = Command::catalog;
constexpr auto profiles = Command::profiles;
constexpr auto validate = Command::validate;
constexpr auto calibrate = Command::calibrate;
constexpr auto detect = Command::detect;
constexpr auto probe = Command::probe;
constexpr auto rehearse = Command::rehearse;
constexpr auto prices = Command::prices;
constexpr auto checking = Command::check;
constexpr auto emitting = Command::emit;
constexpr auto mcp = Command::mcp;
constexpr auto serve = Command::serve;
constexpr auto page = Command::page;

constexpr std::uint32_t every = ~0U;
constexpr std::uint32_t questions = bits_of(advise, report);
constexpr std::uint32_t workloads = workload_commands;

constexpr std::string_view price_kinds = "on_demand|spot|reserved|marketplace";
constexpr std::string_view hardware = "HARDWARE";
constexpr std::string_view emit_words =
    "vllm|sglang|llamacpp|trtllm|accelerate|deepspeed|axolotl|llamafactory|torchtune|torchrun|"
    "megatron|torchtitan|slurm|skypilot|kubernetes|compose|watch|ddp-checklist";

using Type = OptionType;

// Of the commands themselves; groups of several commands follow.
// clang-format off
constexpr std::array own_rows = {
    OptionRow{.name = "question", .commands = bits_of(advise), .shown = "QUESTION",
              .help = "plain words (\"qlora llama-3.1-8b on one 24GB card\") or a workload file",
              .positional = true, .many = true},
    OptionRow{.name = "question", .commands = bits_of(report), .shown = "QUESTION",
              .help = "plain words or a workload file, as for advise",
              .positional = true, .many = true},
    OptionRow{.name = "workload", .type = Type::file, .commands = bits_of(estimate, remedies, roofline),
              .shown = "WORKLOAD", .help = "workload file", .positional = true},
    OptionRow{.name = "beside", .type = Type::file, .commands = bits_of(estimate), .shown = "BESIDE",
              .help = "workload files that run beside it", .positional = true, .many = true},
    OptionRow{.name = "accelerators", .commands = bits_of(compare), .shown = "ACCELERATORS",
              .help = "ids, names or aliases", .positional = true, .required = true, .many = true},
    OptionRow{.name = "on", .commands = bits_of(own), .shown = hardware,
              .help = "h100-sxm5-80gb:8, :8x4 is 4 nodes of 8",
              .positional = true, .required = true},
    OptionRow{.name = "verb", .type = Type::word, .commands = bits_of(catalog), .shown = "VERB",
              .values = "list|show|check", .help = "list KIND, show ID or check FILE",
              .positional = true, .required = true},
    OptionRow{.name = "subject", .commands = bits_of(catalog), .shown = "SUBJECT",
              .help = "kind (list), id (show) or file (check)", .positional = true},
    OptionRow{.name = "verb", .type = Type::word, .commands = bits_of(prices), .shown = "VERB",
              .values = "import|list|sources|remove",
              .help = "import FILE, list, sources or remove NAME",
              .positional = true, .required = true},
    OptionRow{.name = "subject", .commands = bits_of(prices), .shown = "SUBJECT",
              .help = "file of SkyPilot or gpuhunt, or a name", .positional = true, .verbs = "import|remove"},
    OptionRow{.name = "provider", .commands = bits_of(prices), .shown = "TEXT",
              .help = "import: whose prices they are", .verbs = "import"},
    OptionRow{.name = "verb", .type = Type::word, .commands = bits_of(profiles), .shown = "VERB",
              .values = "list|show|check", .help = "list, show ID|CONFIG.json or check FILE",
              .positional = true, .required = true},
    OptionRow{.name = "subject", .commands = bits_of(profiles), .shown = "SUBJECT",
              .help = "kind (list), id or file", .positional = true},
    OptionRow{.name = "evidence", .type = Type::file, .commands = bits_of(validate), .shown = "EVIDENCE",
              .help = "evidence files", .positional = true, .required = true, .many = true},
    OptionRow{.name = "verb", .type = Type::word, .commands = bits_of(calibrate), .shown = "VERB",
              .values = "fit|compare|merge|show", .help = "fit, compare, merge or show",
              .positional = true, .required = true},
    OptionRow{.name = "files", .type = Type::file, .commands = bits_of(calibrate), .shown = "FILES",
              .help = "files of `probe`, of nccl-tests, OSU, STREAM and the like; fit also takes "
                      "evidence",
              .positional = true, .many = true},

    OptionRow{.name = "from", .type = Type::file, .commands = bits_of(checking), .shown = "FILES",
              .help = "a trainer's or server's files; each run among them is judged by itself",
              .positional = true, .many = true},
    OptionRow{.name = "from", .type = Type::file, .commands = workloads, .shown = "FILE",
              .help = "a configuration of another tool (repeatable): axolotl, TRL, DeepSpeed, "
                      "accelerate, vLLM command, sbatch, ...",
              .many = true},
    OptionRow{.name = "memory-fraction", .type = Type::number, .commands = workloads, .shown = "SHARE",
              .help = "of the card that a serving engine, or one beside a trainer, may take "
                      "(gpu_memory_utilization, mem_fraction_static)"},
    OptionRow{.name = "strict", .type = Type::flag, .commands = bits_of(checking),
              .help = "what may not fit counts as not fitting (exit 3)"},
    OptionRow{.name = "free-gib", .type = Type::number, .commands = bits_of(checking), .shown = "N",
              .unit = "GiB", .help = "free memory of each accelerator, where others hold some"},
    OptionRow{.name = "evaluation-batch", .type = Type::number, .commands = bits_of(checking), .shown = "N",
              .unit = "samples", .help = "samples a rank evaluates at once"},
    OptionRow{.name = "to", .type = Type::word, .commands = bits_of(emitting), .shown = "FORMAT",
              .values = emit_words, .help = "what is written", .required = true},
    OptionRow{.name = "in", .type = Type::word, .commands = bits_of(emitting), .shown = "JOB",
              .values = "slurm|skypilot|kubernetes|compose",
              .help = "around it: slurm, skypilot, kubernetes or compose"},
    OptionRow{.name = "output", .type = Type::output, .commands = bits_of(emitting), .shown = "FILE",
              .help = "write to this file instead of stdout"},
    OptionRow{.name = "on", .commands = bits_of(estimate, checking, emitting), .shown = hardware,
              .help = "h100-sxm5-80gb:8, :8x4 is 4 nodes of 8, h100-sxm5-80gb/1g.10gb a MIG slice"},
    OptionRow{.name = "on", .commands = bits_of(remedies), .shown = hardware,
              .help = "h100-sxm5-80gb:8, :8x4 is 4 nodes of 8"},
    OptionRow{.name = "on", .commands = bits_of(roofline), .shown = hardware,
              .help = "one or more machines (commas): h100-sxm5-80gb:8,l40s",
              .many = true, .commas = true},
    OptionRow{.name = "trace", .type = Type::file, .commands = bits_of(estimate), .shown = "FILE",
              .help = "a step that ran: execution or profiler trace of PyTorch, rehearse --json"},
    OptionRow{.name = "ttft", .commands = bits_of(estimate), .shown = "TEXT",
              .help = "serving: seconds to the first token at most, for goodput and largest rate"},
    OptionRow{.name = "tpot", .commands = bits_of(estimate), .shown = "TEXT",
              .help = "serving: seconds per output token at most, likewise"},
    OptionRow{.name = "plan", .type = Type::word, .commands = bits_of(estimate, roofline),
              .shown = "TEXT", .values = "best|auto|framework",
              .help = "best of the usual plans (default), auto searches all, framework: its own"},
    OptionRow{.name = "max", .type = Type::word, .commands = bits_of(estimate), .shown = "TEXT",
              .values = "batch|micro-batch|sequence|context|concurrency|rank|model",
              .help = "the largest that fits: batch (a micro-batch), sequence, context (prompt and "
                      "answer), concurrency, rank, model"},
    OptionRow{.name = "sweep", .commands = bits_of(estimate), .shown = "FIELD=SIZES",
              .help = "time, cost and efficiency over a field: accelerators=8..16384, "
                      "sequence=4096..131072, batch=..., micro-batch, concurrency, rank"},
    OptionRow{.name = "svg", .type = Type::output, .commands = bits_of(estimate), .shown = "FILE",
              .help = "write the chart of the sweep to this file as SVG"},
    OptionRow{.name = "svg", .type = Type::output, .commands = bits_of(roofline), .shown = "FILE",
              .help = "write the chart to this file as SVG"},
    OptionRow{.name = "price", .type = Type::word, .commands = bits_of(estimate), .shown = "TEXT",
              .values = price_kinds, .help = "on_demand, spot, reserved or marketplace"},
    OptionRow{.name = "profile", .commands = bits_of(compare), .shown = "TEXT",
              .help = "kind of work that weighs the figures"},
    OptionRow{.name = "workload", .type = Type::file, .commands = bits_of(compare), .shown = "FILE",
              .help = "workload file"},
    OptionRow{.name = "warranty", .commands = bits_of(compare), .shown = "LIST",
              .help = "ID=YEARS as the seller states (commas)", .many = true, .commas = true},
    OptionRow{.name = "count", .type = Type::number, .commands = bits_of(compare), .shown = "TEXT",
              .help = "accelerators of each, for the workload"},
    OptionRow{.name = "provider", .commands = bits_of(own), .shown = "TEXT",
              .help = "compare with this rental provider alone"},
    OptionRow{.name = "region", .commands = bits_of(own), .shown = "TEXT",
              .help = "compare with offers of this region alone"},
    OptionRow{.name = "svg", .type = Type::output, .commands = bits_of(own), .shown = "FILE",
              .help = "write the chart over utilisation to this file"},
    OptionRow{.name = "format", .type = Type::word, .commands = bits_of(report), .shown = "TEXT",
              .values = "json|markdown|html", .help = "json, markdown or html"},
    OptionRow{.name = "output", .type = Type::output, .commands = bits_of(report), .shown = "FILE",
              .help = "write to this file; - is stdout"},
    OptionRow{.name = "title", .commands = bits_of(report), .shown = "TEXT", .help = "of the report"},
    OptionRow{.name = "author", .commands = bits_of(report), .shown = "TEXT", .help = "who asks for it"},
    OptionRow{.name = "kind", .commands = bits_of(catalog), .shown = "TEXT",
              .help = "list: accelerators, machines, links, storage, offers, claims or errata", .verbs = "list"},
    OptionRow{.name = "part", .commands = bits_of(catalog), .shown = "TEXT",
              .help = "list offers: of this accelerator or family", .verbs = "list"},
    OptionRow{.name = "count", .type = Type::number, .commands = bits_of(catalog), .shown = "TEXT",
              .help = "list offers: with so many accelerators", .verbs = "list"},
    OptionRow{.name = "provider", .commands = bits_of(catalog), .shown = "TEXT",
              .help = "list offers: of this provider", .verbs = "list"},
    OptionRow{.name = "max-age", .commands = bits_of(catalog), .shown = "TEXT",
              .help = "list offers: not older than 90d, 12w", .verbs = "list"},
    OptionRow{.name = "kind", .commands = bits_of(profiles), .shown = "TEXT",
              .help = "list: models, software or workloads", .verbs = "list"},
    OptionRow{.name = "context", .type = Type::number, .commands = bits_of(profiles), .shown = "TEXT",
              .unit = "tokens", .help = "show: tokens for the FLOP count", .verbs = "show"},
    OptionRow{.name = "fail-above", .commands = bits_of(validate), .shown = "TEXT",
              .help = "QUANTITY=median:0.05,p90:0.12 makes it a gate (repeatable)", .many = true},
    OptionRow{.name = "worst", .type = Type::number, .commands = bits_of(validate), .shown = "TEXT",
              .help = "list so many rows, largest error first"},
    OptionRow{.name = "only", .commands = bits_of(validate), .shown = "TEXT",
              .help = "only rows whose id contains this"},
    OptionRow{.name = "backend", .type = Type::word, .commands = bits_of(probe), .shown = "TEXT",
              .values = "cpu|cuda", .help = "cpu or cuda"},
    OptionRow{.name = "kinds", .commands = bits_of(probe), .shown = "LIST",
              .help = "gemm, copy, link, launch, storage (commas)", .many = true, .commas = true},
    OptionRow{.name = "quick", .type = Type::flag, .commands = bits_of(probe),
              .help = "15 seconds instead of 90, fewer shapes"},
    OptionRow{.name = "out", .type = Type::output, .commands = bits_of(probe), .shown = "FILE",
              .help = "file to write instead of one in the user's folder"},
    OptionRow{.name = "device", .type = Type::number, .commands = bits_of(probe), .shown = "N",
              .help = "which accelerator, from 0"},
    OptionRow{.name = "folder", .type = Type::folder, .commands = bits_of(probe), .shown = "DIR",
              .help = "disk to read: where a file can be made"},
    OptionRow{.name = "command", .commands = bits_of(rehearse), .shown = "-- COMMAND",
              .help = "the command as you would type it: -- python train.py --batch 8",
              .many = true, .after_mark = true},
    OptionRow{.name = "on", .commands = bits_of(rehearse), .shown = hardware,
              .help = "rtx-4090, h100-sxm5-80gb:8, several with commas",
              .required = true, .many = true, .commas = true},
    OptionRow{.name = "steps", .type = Type::number, .commands = bits_of(rehearse), .shown = "N",
              .help = "optimizer steps to rehearse (2)"},
    OptionRow{.name = "max", .commands = bits_of(rehearse), .shown = "NAME=FLAG",
              .help = "batch=--batch: the largest value of the script's flag that fits"},
    OptionRow{.name = "try", .commands = bits_of(rehearse), .shown = "FLAG",
              .help = "rehearse again with this flag of the script: --try=\"--batch 4\"; may be repeated",
              .many = true},
    OptionRow{.name = "workload", .type = Type::file, .commands = bits_of(rehearse), .shown = "FILE",
              .help = "workload file of the same run: what the formulas say of it, and what differs"},
    OptionRow{.name = "limit", .type = Type::number, .commands = bits_of(rehearse), .shown = "SECONDS",
              .help = "seconds that one run of the script may take (900)"},
    OptionRow{.name = "routing", .commands = bits_of(rehearse), .shown = "HOW",
              .help = "of tokens to experts: even, or skewed:1.5"},
    OptionRow{.name = "scratch", .type = Type::folder, .commands = bits_of(rehearse), .shown = "DIR",
              .help = "keep what the script saves in this folder"},
    OptionRow{.name = "snapshot", .type = Type::output, .commands = bits_of(rehearse), .shown = "FILE",
              .help = "write the peak for torch's memory viewer to this file"},
    OptionRow{.name = "trace", .type = Type::output, .commands = bits_of(rehearse), .shown = "FILE",
              .help = "write the operators of one step to this file (Chakra JSON)"},
    OptionRow{.name = "accelerator", .commands = bits_of(calibrate), .shown = "ID",
              .help = "fit: the part the points are of", .verbs = "fit"},
    OptionRow{.name = "only", .commands = bits_of(calibrate), .shown = "TEXT",
              .help = "fit: only evidence whose id contains this", .verbs = "fit"},
    OptionRow{.name = "out", .type = Type::output, .commands = bits_of(calibrate), .shown = "FILE",
              .help = "fit, merge: the calibration file to write", .verbs = "fit|merge"},
    OptionRow{.name = "ranks", .type = Type::number, .commands = bits_of(calibrate), .shown = "N",
              .help = "ranks of a run whose output does not say (OSU, SuperBench)", .verbs = "fit|merge"},
    OptionRow{.name = "nodes", .type = Type::number, .commands = bits_of(calibrate), .shown = "N",
              .help = "nodes of such a run", .verbs = "fit|merge"},
    OptionRow{.name = "pace", .type = Type::word, .commands = bits_of(calibrate), .shown = "TEXT",
              .values = "median|slowest", .help = "merge: whose time counts, median or slowest", .verbs = "merge"},
    OptionRow{.name = "port", .type = Type::number, .commands = bits_of(serve), .shown = "N",
              .help = "port to listen at (8737); 0 takes a free one"},
    OptionRow{.name = "listen", .commands = bits_of(serve), .shown = "ADDRESS",
              .help = "instead of this machine alone: an address (needs --token-file), "
                      "or unix:PATH"},
    OptionRow{.name = "host", .commands = bits_of(serve), .shown = "NAME",
              .help = "a further name that requests may be addressed to", .many = true},
    OptionRow{.name = "token-file", .type = Type::file, .commands = bits_of(serve), .shown = "FILE",
              .help = "its text is asked of every request of the API"},
    OptionRow{.name = "threads", .type = Type::number, .commands = bits_of(serve), .shown = "N",
              .help = "threads that answer (2), beside the one that searches"},
    OptionRow{.name = "output", .type = Type::output, .commands = bits_of(page), .shown = "FILE",
              .help = "write to this file; - is stdout", .required = true},
    OptionRow{.name = "core", .type = Type::file, .commands = bits_of(serve, page), .shown = "FILE",
              .help = "the program compiled to WebAssembly, where it is not the one built along"},
    OptionRow{.name = "against", .commands = bits_of(calibrate), .shown = "IDS",
              .help = "show: parts to compare with (commas)", .many = true, .commas = true, .verbs = "show"},
};
// clang-format on

constexpr std::string_view question = "Question";

// clang-format off
constexpr std::array question_rows = {
    OptionRow{.name = "on", .commands = questions, .group = question, .shown = "IDS",
              .help = "only these accelerators (commas)", .many = true, .commas = true},
    OptionRow{.name = "without", .commands = questions, .group = question, .shown = "IDS",
              .help = "none of these accelerators (commas)", .many = true, .commas = true},
    OptionRow{.name = "rehearsed", .type = Type::file, .commands = bits_of(advise), .group = question,
              .shown = "FILE", .help = "cards for the script of this answer of rehearse --json"},
    OptionRow{.name = "objective", .type = Type::word, .commands = questions, .group = question,
              .shown = "TEXT", .values = "cost|time|energy|price|rent|memory",
              .help = "cost, time, energy, price, rent of an hour or most memory"},
    OptionRow{.name = "budget", .commands = questions, .group = question, .shown = "TEXT",
              .unit = "USD", .help = "US dollars for the run, or 4/h for an hour of rent"},
    OptionRow{.name = "deadline", .commands = questions, .group = question, .shown = "TEXT",
              .help = "the run must end within (30d, 12h) or by a date (2027-03-01)"},
    OptionRow{.name = "accelerators", .type = Type::number, .commands = questions,
              .group = question, .shown = "TEXT", .help = "exactly so many"},
    OptionRow{.name = "nodes", .type = Type::number, .commands = questions, .group = question,
              .shown = "TEXT", .help = "machines that share exactly so many evenly; 1: what one holds"},
    OptionRow{.name = "min-accelerators", .type = Type::number, .commands = questions,
              .group = question, .shown = "TEXT", .help = "at least so many"},
    OptionRow{.name = "max-accelerators", .type = Type::number, .commands = questions,
              .group = question, .shown = "TEXT", .help = "at most so many"},
    OptionRow{.name = "memory", .commands = questions, .group = question, .shown = "TEXT",
              .help = "memory of one accelerator (24GB; 24GB+: or more)"},
    OptionRow{.name = "vendor", .commands = questions, .group = question, .shown = "TEXT",
              .help = "nvidia, amd, intel, google, apple"},
    OptionRow{.name = "provider", .commands = questions, .group = question, .shown = "TEXT",
              .help = "rental provider"},
    OptionRow{.name = "profile", .commands = questions, .group = question, .shown = "TEXT",
              .help = "kind of work that weighs the ranking"},
    OptionRow{.name = "ttft", .commands = questions, .group = question, .shown = "TEXT",
              .help = "seconds to the first token at most"},
    OptionRow{.name = "tpot", .commands = questions, .group = question, .shown = "TEXT",
              .help = "seconds per output token at most"},
    OptionRow{.name = "answer", .commands = questions, .group = question, .shown = "TEXT",
              .help = "seconds to the last token of an answer at most"},
    OptionRow{.name = "requests-per-s", .type = Type::number, .commands = questions,
              .group = question, .shown = "TEXT", .help = "requests a second at least"},
    OptionRow{.name = "price", .type = Type::word, .commands = questions, .group = question,
              .shown = "TEXT", .values = price_kinds,
              .help = "on_demand, spot, reserved or marketplace"},
    OptionRow{.name = "region", .commands = questions, .group = question, .shown = "TEXT",
              .help = "rental region"},
    OptionRow{.name = "rack-kw", .type = Type::number, .commands = questions, .group = question,
              .shown = "TEXT", .unit = "kW",
              .help = "kW that one rack may draw: a machine must stay below"},
    OptionRow{.name = "top", .type = Type::number, .commands = questions, .group = question,
              .shown = "TEXT", .help = "how many options to print"},
    OptionRow{.name = "require", .commands = questions, .group = question, .shown = "LIST",
              .help = "ecc, nvlink, mig, fp8, bf16, datacenter; pcie, sxm; geforce, quadro, radeon, jetson, ... (commas)", .many = true, .commas = true},
    OptionRow{.name = "all", .type = Type::flag, .commands = questions, .group = question,
              .help = "what nobody is known to sell or rent is ranked too"},
    OptionRow{.name = "ladder", .type = Type::flag, .commands = questions, .group = question,
              .help = "each usual type of weights on one card, its speed"},
    OptionRow{.name = "owned", .type = Type::flag, .commands = questions, .group = question,
              .help = "the named accelerators are owned: no rent"},
    OptionRow{.name = "buy", .type = Type::flag, .commands = questions, .group = question,
              .help = "the budget is for buying, not for a run"},
};
// clang-format on

// clang-format off
constexpr std::array common_rows = {
    OptionRow{.name = "json", .type = Type::flag, .commands = every, .group = "Output",
              .help = "one JSON document on stdout, nothing else"},
    OptionRow{.name = "explain", .type = Type::flag, .commands = every, .group = "Output",
              .help = "show formulas with their inputs"},
    OptionRow{.name = "timeline", .type = Type::flag, .commands = bits_of(estimate), .group = "Output",
              .help = "events of a training step: kernels, exchanges, bytes alive; with --explain "
                      "every tensor"},
    OptionRow{.name = "quiet", .type = Type::flag, .commands = every, .group = "Output",
              .help = "no notes on stderr; errors alone"},
    OptionRow{.name = "open", .type = Type::flag, .commands = bits_of(advise, estimate),
              .group = "Output", .help = "show the answer in the page too, in the browser"},
    OptionRow{.name = "color", .type = Type::word, .commands = every, .group = "Output",
              .shown = "TEXT", .values = "auto|always|never", .help = "auto, always or never"},
    OptionRow{.name = "catalog", .type = Type::folder, .commands = every, .group = "Data",
              .shown = "DIR", .help = "folder to read instead of the catalog", .loads_world = true},
    OptionRow{.name = "profiles", .type = Type::folder, .commands = every, .group = "Data",
              .shown = "DIR", .help = "folder to read instead of the profiles",
              .loads_world = true},
    OptionRow{.name = "calibration", .type = Type::file, .commands = every, .group = "Data",
              .shown = "FILE", .help = "measured efficiencies (repeatable)", .many = true,
              .loads_world = true},
    OptionRow{.name = "prices", .type = Type::file, .commands = every, .group = "Data",
              .shown = "FILE", .help = "offers to add (repeatable)", .many = true,
              .loads_world = true},
};
// clang-format on

}  // namespace

std::span<const OptionRow> own_option_rows() { return own_rows; }
std::span<const OptionRow> question_option_rows() { return question_rows; }
std::span<const OptionRow> common_option_rows() { return common_rows; }

}  // namespace ridgeline::ask
