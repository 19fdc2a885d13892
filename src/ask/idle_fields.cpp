#include "ask/idle_fields.h"

#include "advise/placement/placement.h"
#include "ask/kernel_answer.h"
#include "ask/option_table.h"
#include "data/load.h"
#include "estimate/families/families.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline::ask {
namespace {

const WorkloadDocument nothing_stated;

unsigned work_of(const Placement& answer) {
    if (has_program(answer.architecture)) {
        return work::network;
    }
    return answer.workload.task == Task::train ? work::text_training : work::text_serving;
}

/// Whether a search of plans may have chosen it.
bool is_of_plan(const WorkloadField& field) {
    static constexpr std::array<std::string_view, 4> rooms = {"/parallel/", "/recompute",
                                                              "/offload/", "/batch/"};
    return std::ranges::any_of(rooms,
                               [&](std::string_view room) { return field.path.starts_with(room); });
}

/// Its figures in bytes, whatever was stated of it.
std::string figures_of(const World& world, Placement other, const Placement& answer) {
    other.workload = answer.workload;
    other.defaults = answer.defaults;
    return report::estimate_json(other, stamp_of(world.catalog));
}

std::string idle_words(const WorkloadField& field) {
    return fmt::format("--{} is stated, but changes nothing of this answer", field.option);
}

}  // namespace

void tell_idle_fields(const World& world, const WorkloadDocument& document,
                      report::EstimateAnswer& answer) {
    const unsigned kind = work_of(answer);
    std::vector<const WorkloadField*> doubtful;
    for (const WorkloadField& field : workload_fields()) {
        if (!field.option.empty() && (field.telling & kind) == 0 &&
            !field.same(document, nothing_stated)) {
            doubtful.push_back(&field);
        }
    }
    if (doubtful.empty()) {
        return;
    }
    const auto echo_of = [](const Placement& placed) {
        return workload_from_json(report::workload_json(placed.workload, placed.architecture),
                                  "answer");
    };
    const auto chosen = echo_of(answer);
    const auto place_as = [&](const WorkloadDocument& stated) {
        return place_with(PlanChoice::framework, knowledge_of(world), stated, answer.architecture,
                          answer.cluster, nullptr);
    };
    const auto tell = [&answer](const std::string& words) {
        answer.findings.push_back({"changes_nothing", Severity::info, words, {}, ""});
    };
    WorkloadDocument planned = document;
    for (const WorkloadField& field : workload_fields()) {
        if (chosen && is_of_plan(field) && field.same(document, nothing_stated)) {
            field.take(*chosen, planned);
        }
    }
    const auto usual = place_as(planned);
    if (!chosen) {
        return;
    }
    const std::string figures = usual ? figures_of(world, *usual, *usual) : std::string();
    for (const WorkloadField* field : doubtful) {
        if (field->section() == "parallel" && !field->same(*chosen, document)) {
            tell(fmt::format("--{} is stated, but the plan of this answer has another",
                             field->option));
            continue;
        }
        if (!usual) {  // the stated plan does not run as the framework would
            continue;
        }
        WorkloadDocument without = planned;
        field->take(nothing_stated, without);
        const auto other = place_as(without);
        if (!other || figures_of(world, *other, *usual) != figures) {
            continue;
        }
        const auto echo = echo_of(*other);
        if (!echo || !field->same(*echo, document)) {
            tell(idle_words(*field));
        }
    }
}

void tell_idle_fields(const World& world, const WorkloadDocument& document,
                      const std::vector<Cluster>& clusters, report::KernelAnswer& answer) {
    const auto figures_with = [&](const WorkloadDocument& other) {
        auto placed = kernel_on(world, other, clusters, "");
        if (!placed) {
            return std::string();
        }
        placed->kernel = answer.kernel;
        return report::kernel_json(*placed, stamp_of(world.catalog));
    };
    const std::string figures = figures_with(document);
    for (const WorkloadField& field : workload_fields()) {
        // Every kernel has a type of numbers: where it is the usual one it is no less meant.
        const bool type = field.path == "/kernel/compute";
        const bool of_kernels = field.section() == "kernel" || field.path == "/network";
        if (type || !of_kernels || field.same(document, nothing_stated)) {
            continue;
        }
        WorkloadDocument without = document;
        field.take(nothing_stated, without);
        bool idle = figures_with(without) == figures;
        // A word that the kind has anyway: another may change it.
        for (const std::string_view word :
             field.words == nullptr ? std::vector<std::string_view>() : field.words()) {
            field.set(without, std::string(word));
            idle = idle && figures_with(without) == figures;
        }
        if (idle) {
            answer.places.front().estimate.work.notes.push_back(idle_words(field));
        }
    }
}

}  // namespace ridgeline::ask
