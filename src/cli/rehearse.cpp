#include "cli/rehearse.h"

#include "ask/rehearsed_formula.h"
#include "ask/traced.h"
#include "ask/workload_options.h"
#include "cli/rehearsal_processes.h"
#include "cli/rehearser.h"
#include "report/rehearsal_report.h"

#include <fmt/format.h>

namespace ridgeline::cli {
namespace {

constexpr int nothing_fits = 3;
constexpr long largest_tried = 1 << 16;
constexpr int halvings = 4;  // of a batch that does not fit

/// The largest value of a flag that fits on a card: doubled until one does not, then halved
/// between.
Result<LargestValue> search(Rehearser& rehearser, const RehearsalRequest& options,
                            const Cluster& cluster, std::optional<Rehearsal>& best, Ended& ended) {
    LargestValue found{options.max_name, options.max_flag, {}, {}, ""};
    const auto fits = [&](long value) -> Result<bool> {
        auto attempt = rehearser.rehearse(
            with_flag(options.command, options.max_flag, std::to_string(value)), cluster);
        if (!attempt) {
            return tl::unexpected(attempt.error());
        }
        if (!attempt->rehearsal) {
            ended = attempt->ended;
            found.ended = fmt::format("the script itself ends at {}", value);
            return false;
        }
        const bool fit = attempt->rehearsal->fit != RehearsedFit::no;
        if (fit) {
            found.largest = value;
        } else {
            found.refused = value;
        }
        if (fit || !best) {
            best = std::move(*attempt->rehearsal);
        }
        return fit;
    };
    long low = 0;
    long high = 1;
    while (high <= largest_tried) {
        const auto fit = fits(high);
        if (!fit) {
            return tl::unexpected(fit.error());
        }
        if (!*fit) {
            break;
        }
        low = high;
        high *= 2;
    }
    while (high - low > 1 && high <= largest_tried) {
        const long middle = low + (high - low) / 2;
        const auto fit = fits(middle);
        if (!fit) {
            return tl::unexpected(fit.error());
        }
        (*fit ? low : high) = middle;
    }
    return found;
}

/// The script with one change on the same card.
Result<TriedChange> try_change(Rehearser& rehearser, const std::vector<std::string>& command,
                               const Cluster& cluster, const std::string& change) {
    auto attempt = rehearser.rehearse(with_change(command, change), cluster, false);
    if (!attempt) {
        return tl::unexpected(attempt.error());
    }
    TriedChange out;
    out.change = change;
    if (!attempt->rehearsal) {
        out.ended = fmt::format("the script ended with code {}", attempt->ended.exit_code);
        return out;
    }
    out.fit = attempt->rehearsal->fit;
    if (const RehearsedDevice* peak = attempt->rehearsal->told().fullest()) {
        out.allocated = peak->allocated;
        out.reserved = peak->reserved;
    }
    return out;
}

/// What the user wants tried; without that, a batch that does not fit is halved until it does.
Result<std::vector<TriedChange>> try_changes(Rehearser& rehearser, const RehearsalRequest& options,
                                             const Cluster& cluster, const Rehearsal& found) {
    std::vector<TriedChange> out;
    for (const std::string& change : options.changes) {
        auto tried = try_change(rehearser, options.command, cluster, change);
        if (!tried) {
            return tl::unexpected(tried.error());
        }
        out.push_back(std::move(*tried));
    }
    const auto batch = batch_flag_of(options.command);
    if (!out.empty() || !batch || found.fit != RehearsedFit::no) {
        return out;
    }
    long value = batch->value;
    for (int i = 0; i < halvings && value > 1; ++i) {
        value /= 2;
        auto tried = try_change(rehearser, options.command, cluster,
                                fmt::format("{} {}", batch->flag, value));
        if (!tried) {
            return tl::unexpected(tried.error());
        }
        out.push_back(std::move(*tried));
        if (out.back().fit != RehearsedFit::no) {
            break;
        }
    }
    return out;
}

/// What was tried beside the script as it is, and what the formulas say of it.
Result<void> add_comparisons(report::RehearsalAnswer& answer, Rehearser& rehearser,
                             const RehearsalRequest& options, const ask::World& world,
                             const ask::Request& request, const Rehearsal& told,
                             const Cluster& cluster) {
    answer.tried.emplace_back();
    if (options.max_flag.empty()) {
        auto tried = try_changes(rehearser, options, cluster, told);
        if (!tried) {
            return tl::unexpected(tried.error());
        }
        answer.tried.back() = std::move(*tried);
    }
    answer.difference.emplace_back();
    if (request.given("workload")) {
        auto difference = ask::difference_to_formulas(world, request, told, cluster);
        if (!difference) {
            return tl::unexpected(difference.error());
        }
        answer.difference.back() = std::move(*difference);
    }
    return {};
}

ask::Reply answered(const ask::Request& request, const report::RehearsalAnswer& answer,
                    const ask::World& world) {
    ask::Reply out;
    bool any = false;
    for (const Rehearsal& card : answer.cards) {
        any = any || card.fit != RehearsedFit::no;
    }
    for (const auto& value : answer.largest) {
        any = any || (value && value->largest);
    }
    out.body = request.json() ? report::rehearsal_json(answer, ask::stamp_of(world.catalog))
                              : report::rehearsal_text(answer, request.style);
    out.exit_code = any ? 0 : nothing_fits;
    return out;
}

}  // namespace

Result<ask::Reply> rehearse(const ask::World& world, const ask::Request& request) {
    const auto read = request_of(request);
    if (!read) {
        return tl::unexpected(read.error());
    }
    const RehearsalRequest& options = *read;
    if (request.given("workload")) {  // before minutes are spent
        if (auto document = ask::workload_of(request, request.text("workload")); !document) {
            return tl::unexpected(document.error());
        }
    }
    const auto cards = cards_of(request, world.catalog);
    auto places = rehearsal_places();
    if (!cards || !places) {
        return tl::unexpected(!cards ? cards.error() : places.error());
    }
    const RunFolder work(put_away_interrupted);
    Rehearser rehearser(options, world, std::move(*places), work.path());
    report::RehearsalAnswer answer;
    answer.command = options.command;
    answer.steps = options.steps;
    answer.snapshot = options.snapshot;
    answer.scratch = options.scratch;
    for (const Cluster& cluster : *cards) {
        std::optional<Rehearsal> told;
        Ended ended;
        if (!options.max_flag.empty()) {
            auto value = search(rehearser, options, cluster, told, ended);
            if (!value) {
                return tl::unexpected(value.error());
            }
            answer.largest.emplace_back(std::move(*value));
        } else {
            auto attempt = rehearser.rehearse(options.command, cluster);
            if (!attempt) {
                return tl::unexpected(attempt.error());
            }
            told = std::move(attempt->rehearsal);
            ended = attempt->ended;
        }
        if (!told) {
            ask::Reply reply;
            reply.exit_code = ended.exit_code;
            reply.messages = ended.text;
            return reply;
        }
        if (auto added =
                add_comparisons(answer, rehearser, options, world, request, *told, cluster);
            !added) {
            return tl::unexpected(added.error());
        }
        answer.steps_taken.emplace_back();
        if (told->trace) {
            answer.steps_taken.back() = ask::time_of_step(world, *told->trace, cluster);
        }
        answer.cards.push_back(std::move(*told));
    }
    return answered(request, answer, world);
}

}  // namespace ridgeline::cli
