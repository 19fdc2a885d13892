#include "advise/placement/placement.h"
#include "ask/commands.h"
#include "ask/emit_comment.h"
#include "ask/emit_facts.h"
#include "ask/imports.h"
#include "ask/workload_on.h"
#include "ask/workload_options.h"
#include "base/text.h"
#include "data/formats/write_config.h"
#include "estimate/families/families.h"
#include "report/emit_report.h"
#include "report/monitoring.h"
#include "spec/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace ridgeline::ask {
namespace {

using Options = std::map<std::string, std::string>;

/// What --to and --in name together: the table, what stands beside it and around it.
struct Target {
    std::string table;
    std::string companion;
    std::string launcher;
    std::string wrap;
};

bool is_job(std::string_view word) {
    return word == "slurm" || word == "skypilot" || word == "kubernetes" || word == "compose";
}

/// A job alone holds the usual program of the task.
Target target_of(const Request& request, bool serving) {
    const std::string& to = request.text("to");
    Target target;
    target.wrap = is_job(to) ? to : request.text("in");
    const std::string tool = is_job(to) ? (serving ? "vllm" : "accelerate") : to;
    if (tool == "accelerate" || tool == "deepspeed") {
        return {"trl", tool, tool == "accelerate" ? "accelerate" : "torchrun", target.wrap};
    }
    if (tool == "torchrun" || tool == "megatron") {
        return {tool == "torchrun" ? "trl" : tool, "", "torchrun", target.wrap};
    }
    return {tool, "", "", target.wrap};
}

Result<Placement> placed_on(const World& world, const Request& request, bool* serving) {
    const auto asked = workload_on(world, request);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    *serving = asked->document.task == Task::inference;
    const std::string& to = request.text("to");
    if (has_program(asked->architecture) && to != "watch" && to != "ddp-checklist") {
        return usage_error("--to",
                           fmt::format("found \"{}\", which runs transformers, beside {}", to,
                                       asked->architecture.id),
                           "Of any network there are watch and ddp-checklist.");
    }
    return place_with(PlanChoice::best, {world.catalog, world.profiles}, asked->document,
                      asked->architecture, asked->cluster,
                      offer_for(world.catalog, asked->cluster, ""));
}

LaunchPlan plan_of(const Target& target, const std::vector<FormatTable>& formats,
                   const Placement& placed) {
    LaunchPlan plan;
    plan.table = format_named(formats, target.table);
    plan.companion = target.companion.empty() ? nullptr : format_named(formats, target.companion);
    plan.launcher = target.launcher;
    plan.wrap = target.wrap;
    plan.accelerator = "GPU_NAME";  // each site and cloud has names of its own
    plan.nodes = placed.cluster.nodes();
    plan.per_node = placed.cluster.per_node;
    return plan;
}

/// Where an error lies that the format has no words for what is asked.
std::string format_of_error(const Request& request) { return "emit --to " + request.text("to"); }

/// Reads the text back; what it then says otherwise the format cannot say.
Result<void> check_round_trip(const World& world, const Request& request, const Placement& placed,
                              const std::string& text, const std::vector<FormatTable>& formats,
                              const FormatTable& table) {
    Request again;
    again.command = "estimate";
    again.options["from"] = {text};
    again.options["on"] = {request.text("on")};
    const auto imported = with_imports(world, again, formats);
    if (!imported || !(imported->request.given("model") || !imported->request.workload.empty())) {
        return input_error(format_of_error(request),
                           fmt::format("{} has no word for {}", table.name, placed.architecture.id),
                           "Choose another format.");
    }
    bool serving = false;
    auto back = placed_on(world, imported->request, &serving);
    if (!back) {
        return tl::unexpected(back.error());
    }
    const report::Stamp stamp = stamp_of(world.catalog);
    const auto changes =
        changed_values(report::estimate_json(placed, stamp), report::estimate_json(*back, stamp));
    if (changes.empty()) {
        return {};
    }
    const std::vector<std::string> first(changes.begin(),
                                         changes.begin() + std::min<long>(3, std::ssize(changes)));
    return input_error(format_of_error(request),
                       fmt::format("what is written of {} cannot say this workload: {}", table.name,
                                   fmt::join(first, "; ")),
                       "Choose another format, or change what it cannot say.");
}

/// The text printed, written to `--output`, or with `--json` as a field of its document.
Reply emitted(const World& world, const Request& request, const Placement& placed,
              report::EmittedFile file) {
    Reply reply;
    if (request.given("output")) {
        file.path = request.text("output");
        reply.files.push_back({"--output", file.path, file.text, false});
    }
    if (request.json()) {
        reply.body = report::emitted_json(file, placed, stamp_of(world.catalog));
    } else if (file.path.empty()) {
        reply.body = file.text;
    }
    return reply;
}

Reply checklist(const World& world, const Request& request, const Placement& placed) {
    const std::string& to = request.text("to");
    return emitted(
        world, request, placed,
        {to, "", to == "watch" ? report::watch_text(placed) : report::ddp_checklist(placed), {}});
}

/// The request with the software that the format belongs to.
Result<Request> with_framework(Request request, const FormatTable& table) {
    const std::string& stated = request.text("framework");
    if (!stated.empty() && stated != table.framework) {
        return usage_error(
            "--framework",
            fmt::format("found \"{}\", but what this writes starts {}", stated, table.framework),
            "Leave it out, or give --to another tool.");
    }
    request.options["framework"] = {table.framework};
    // A tool that trains in one way alone is asked for that way.
    const bool says_method = std::ranges::any_of(table.rows, [](const FormatRow& row) {
        return std::ranges::any_of(row.values, [](const FormatValue& value) {
            return std::ranges::any_of(value.sets,
                                       [](const auto& set) { return set.first == "method"; });
        });
    });
    for (const auto& [option, value] : table.defaults) {
        if (option == "method" && !says_method && !request.given("method")) {
            request.options["method"] = {value};
        }
    }
    if (!request.given("task") && table.task == "inference") {
        request.options["task"] = {table.task};
    }
    return request;
}

struct Emitted {
    Placement placed;
    std::string text;
    std::string note;  ///< lines: what it does not say, that another plan would be better
};

/// The text of a request as it stands, which reads back as what it was made from.
Result<Emitted> emitted_once(const World& world, const Request& request,
                             const std::vector<FormatTable>& formats, const Target& target,
                             const FormatTable& table) {
    bool serving = false;
    auto placed = placed_on(world, request, &serving);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    if (serving != (table.task == "inference")) {
        return usage_error(
            "--to", fmt::format("{} {}, and the workload {}", table.name,
                                serving ? "trains" : "serves", serving ? "serves" : "trains"));
    }
    if (target.wrap == "compose" && placed->cluster.nodes() > 1) {
        return usage_error("--in", "a compose file starts on one machine",
                           "Use slurm, skypilot or kubernetes for several nodes.");
    }
    if (serving && !target.wrap.empty() && placed->cluster.nodes() > 1) {
        return usage_error("--in",
                           fmt::format("found \"{}\" beside a server over {} machines", target.wrap,
                                       placed->cluster.nodes()),
                           "Each machine of such a server is started in its own way: emit the "
                           "command alone, or a server of one machine.");
    }
    if (table.writes == "python" && !target.wrap.empty()) {
        return usage_error("--in", "a Python function is registered in the tool's own source",
                           "Emit it alone, and the job with --to " + target.wrap + ".");
    }
    const auto published = published_model(world.profiles_folder, placed->architecture.id);
    if (!published) {
        return tl::unexpected(published.error());
    }
    Options options = facts_of(world, *placed, *published);
    if (request.given("memory-fraction")) {
        options["@fraction"] = request.text("memory-fraction");
    }
    LaunchPlan plan = plan_of(target, formats, *placed);
    std::string notes = keep_settings(request, *placed, table, plan.companion, options);
    plan.comment = comment_of(world, request, *placed, options);
    std::string text = launch_text(plan, options);
    notes += usual_values(request, table, options, text);
    if (const auto same = check_round_trip(world, request, *placed, text, formats, table); !same) {
        return tl::unexpected(same.error());
    }
    return Emitted{std::move(*placed), std::move(text), std::move(notes)};
}

/// Whether a plan is the better one: it fits, then it takes less time a sample.
bool better(const Placement& plan, const Placement& than) {
    const bool fits = plan.estimate.memory.fits;
    if (fits != than.estimate.memory.fits) {
        return fits;
    }
    const auto pace = [](const Placement& placed) {
        return placed.estimate.time.step / second / std::max(1, placed.workload.batch.global);
    };
    return pace(plan) < pace(than);
}

/// Plans that a format may say where it cannot say the best one and nobody stated any: how states
/// are sharded, or what a server spreads over all cards.
OptionTexts other_plans(const Request& request, const FormatTable& table, int cards) {
    OptionTexts plans;
    const bool serving = table.task == "inference";
    const auto stated = [&](const char* option) { return request.given(option); };
    if (!serving && !stated("sharding")) {
        for (const char* sharding : {"fsdp", "zero3", "zero2", "zero1", "ddp"}) {
            plans.emplace_back("sharding", sharding);
        }
    }
    if (serving && !stated("tensor") && !stated("pipeline") && !stated("data")) {
        for (const char* option : {"tensor", "pipeline", "data"}) {
            plans.emplace_back(option, std::to_string(cards));
        }
    }
    return plans;
}

/// Where nobody says how the work is spread, the best plan that the format can say.
Result<Emitted> emitted_text(const World& world, const Request& request,
                             const std::vector<FormatTable>& formats, const Target& target,
                             const FormatTable& table) {
    auto first = emitted_once(world, request, formats, target, table);
    const auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    if (first || !cluster || cluster->count == 1 ||
        first.error().where != format_of_error(request)) {
        return first;
    }
    std::optional<Emitted> best;
    for (const auto& [option, value] : other_plans(request, table, cluster->count)) {
        Request other = request;
        other.options[option] = {value};
        auto emitted = emitted_once(world, other, formats, target, table);
        if (emitted && (!best || better(emitted->placed, best->placed))) {
            best = std::move(*emitted);
        }
    }
    if (!best) {
        return first;
    }
    const Plan& plan = best->placed.workload.plan;
    best->note += fmt::format(
        "note: the best plan is not written ({}), but the best that can be: {}\n",
        first.error().message,
        table.task == "inference" ? fmt::format("--tensor {} --pipeline {} --data {}", plan.tensor,
                                                plan.pipeline, plan.data)
                                  : fmt::format("--sharding {}", name_of(plan.sharding)));
    return std::move(*best);
}

}  // namespace

Result<Reply> answer_emit(const World& world, const Request& request) {
    if (!request.given("on")) {
        return usage_error("--on", "no hardware was given", "Example: --on h100-sxm5-80gb:8.");
    }
    bool serving = false;
    const std::string& to = request.text("to");
    if (to == "watch" || to == "ddp-checklist") {
        const auto placed = placed_on(world, request, &serving);
        return placed ? Result<Reply>(checklist(world, request, *placed))
                      : tl::unexpected(placed.error());
    }
    const auto stated = workload_of(request);
    if (!stated) {
        return tl::unexpected(stated.error());
    }
    const auto formats = formats_of(world);
    if (!formats) {
        return tl::unexpected(formats.error());
    }
    const Target target = target_of(request, stated->task == Task::inference);
    const FormatTable* table = format_named(*formats, target.table);
    if (table == nullptr) {
        return input_error("profiles/formats", fmt::format("holds no \"{}\"", target.table));
    }
    const auto asked = with_framework(request, *table);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    const auto written = emitted_text(world, *asked, *formats, target, *table);
    if (!written) {
        return tl::unexpected(written.error());
    }
    const auto& [placed, text, note] = *written;
    const auto placeholders = placeholders_of(text);
    Reply reply = emitted(
        world, request, placed,
        {to.empty() ? target.table : to, "", text, {placeholders.begin(), placeholders.end()}});
    reply.messages = notes_of(world) + note;
    for (const std::string& word : placeholders) {
        reply.messages += fmt::format("note: replace {} before it runs\n", word);
    }
    const MemoryEstimate& memory = placed.estimate.memory;
    if (!memory.fits || barely_fits(memory)) {
        const double peak = memory.process / gibibyte;
        reply.messages +=
            fmt::format("warning: it {}: {:.1f} GiB an accelerator ({:.1f} to {:.1f}) of {:.1f}\n",
                        memory.fits ? "barely fits" : "does not fit", peak, peak * memory.band.low,
                        peak * memory.band.high, (memory.capacity - memory.unclaimed) / gibibyte);
    }
    reply.exit_code = placed.estimate.memory.fits ? 0 : 3;
    return reply;
}

}  // namespace ridgeline::ask
