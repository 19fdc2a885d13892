#include "cli/rehearse.h"

#include "ask/traced.h"
#include "cli/rehearser.h"
#include "report/rehearsal_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <unistd.h>

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

constexpr int nothing_fits = 3;
constexpr long largest_tried = 1 << 16;

/// The largest value of a flag that fits on a card: doubled until one does not, then halved
/// between.
Result<LargestValue> search(Rehearser& rehearser,
                            const RehearsalRequest& options,
                            const Cluster& cluster,
                            std::optional<Rehearsal>& best,
                            Ended& ended) {
    LargestValue found{options.max_name, options.max_flag, {}, {}, ""};
    const auto fits = [&](long value) -> Result<bool> {
        auto attempt =
            rehearser.rehearse(with_flag(options.command, options.max_flag, value), cluster);
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

/// A folder of its own for this run, removed at the end.
struct WorkFolder {
    fs::path path = fs::temp_directory_path() / fmt::format("ridgeline-rehearsal-{}", getpid());
    WorkFolder() = default;
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    ~WorkFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

ask::Reply answered(const ask::Request& request,
                    const report::RehearsalAnswer& answer,
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
    const auto cards = cards_of(request, world.catalog);
    auto places = rehearsal_places();
    if (!cards || !places) {
        return tl::unexpected(!cards ? cards.error() : places.error());
    }
    const WorkFolder work;
    Rehearser rehearser(options, world, std::move(*places), work.path);
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
        answer.steps_taken.emplace_back();
        if (told->trace) {
            answer.steps_taken.back() = ask::time_of_step(world, *told->trace, cluster);
        }
        answer.cards.push_back(std::move(*told));
    }
    return answered(request, answer, world);
}

}  // namespace ridgeline::cli
