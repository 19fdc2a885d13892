#include "advise/comparisons/side_by_side.h"
#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Sides of a comparison by a workload: rates, what holds it, what it costs.

namespace ridgeline {

WorkloadDocument SideBySide::judged_in_room(const WorkloadDocument& document,
                                            const Architecture& architecture, const Query& query) {
    WorkloadDocument chosen = judged_alike(document, architecture, query);
    const bool assumed = assumed_of(reading_, "concurrency") != nullptr;
    // A batch that nobody said yields before cards are added that nobody said.
    const bool batches = reading_.in_batches && !is_counted();
    const auto one_of_each = [&] {
        return std::ranges::all_of(reading_.sides, [&](const ReadSide& read) {
            return std::ranges::any_of(sides_, [&](const ComparedSide& side) {
                return side.side == &read && side.score > 0 && side.count <= 1;
            });
        });
    };
    const auto judged_as_counted = [&](const WorkloadDocument& trial) {
        for (ComparedSide& side : sides_) {
            side.count = side.side->count.value_or(1);
        }
        return judged_alike(trial, architecture, query);
    };
    const auto holds = [&] { return batches ? one_of_each() : every_side_holds(); };
    for (WorkloadDocument fewer = document; assumed && (batches || is_counted()) && fewer.serving &&
                                            fewer.serving->concurrency > 1 && !holds();) {
        fewer.serving->concurrency = std::floor(fewer.serving->concurrency / 2);
        chosen = judged_as_counted(fewer);
    }
    return batches && !holds() ? judged_as_counted(document) : chosen;
}

std::string SideBySide::put_on_more_of_each(const WorkloadDocument& document,
                                            const Architecture& architecture, const Query& query) {
    constexpr int most_times = 8;
    if (!is_counted() || any_side_holds() || stands_a_home() || sides_.size() < 2) {
        return "";
    }
    const std::vector<ComparedSide> said = sides_;
    for (int times = 2; times <= most_times; times *= 2) {
        for (std::size_t i = 0; i < sides_.size(); ++i) {
            sides_[i].count = said[i].count * times;
            judge(sides_[i], document, architecture, query, tools_);
        }
        if (every_side_holds()) {
            return fmt::format("Neither {} nor {} holds it; with {} times as many of each: ",
                               words_of(said[0]), words_of(said[1]), times);
        }
    }
    sides_ = said;
    return "";
}

bool SideBySide::grow_where_it_pays(const WorkloadDocument& document,
                                    const Architecture& architecture, const Query& query) {
    // What holds but a few at once beside the weights is no server of that model.
    constexpr double least_at_once = usual_batch_of_requests / 4.0;
    bool grown = false;
    for (ComparedSide& side : sides_) {
        const bool open = side.side != nullptr && !side.side->count && side.usd &&
                          side.busy_with > 0 && !side.filled && !stands_a_home();
        for (int count = 2 * side.count;
             open && side.busy_with < least_at_once && count <= cards_of_a_server; count *= 2) {
            std::vector<ComparedSide> more{side};
            more.front().count = count;
            judge(more.front(), document, architecture, query, tools_);
            price_alike(more, document, architecture, true, tools_);
            if (!more.front().usd || same_rate_within * *more.front().usd > *side.usd) {
                break;
            }
            side = std::move(more.front());
            grown = true;
        }
    }
    return grown;
}

Result<Answer> SideBySide::by_work() {
    Query query = query_of(reading_, reading_.task.value_or(Task::inference));
    WorkloadDocument& document = query.workload;
    const std::string& own_weights = reading_.sides.front().quantization;
    if (!own_weights.empty()) {
        document.quantization = own_weights;  // each side has its own: none is sought for all
    }
    const auto architecture = tools_.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (asks(reading_, "per_gpu") && !reading_.concurrency && !query.requests_per_s) {
        // One request leaves all but a few cards of a large side idle.
        for (ComparedSide& side : sides_) {
            side.load_each = side.filled ? 0 : 1.0 * usual_batch_of_requests / cards_of_a_server;
        }
    }
    std::string with = hold_on_one_of_each(document, *architecture, query);
    const WorkloadDocument chosen = judged_in_room(document, *architecture, query);
    const std::string stored =
        chosen.quantization != document.quantization ? *chosen.quantization : "";
    hold_in_less_memory(chosen, *architecture, query);
    keep_usual_forms();
    const std::string more = put_on_more_of_each(chosen, *architecture, query);
    // What costs or draws least stands on the fewest that hold it, as it would be rented.
    const bool fewest_pay =
        (weighs_cost() || sides_.front().by_energy) && chosen.task == Task::inference;
    std::string fewest =
        more + (fewest_pay ? std::string() : put_on_as_many(chosen, *architecture, query)) +
        grown_for_the_run(chosen, *architecture, query);
    std::string least;
    fewest = fewest.empty() ? cards_of_each(chosen, *architecture, query, least) : fewest;
    price_alike(sides_, chosen, *architecture, !stands_a_home(), tools_);
    if (fewest_pay && grow_where_it_pays(chosen, *architecture, query)) {
        price_alike(sides_, chosen, *architecture, !stands_a_home(), tools_);
    }
    rank();
    run_alike(chosen, *architecture, query);
    Answer reply = in_words(stored.empty() ? "" : " in " + stored,
                            larger_batch_words(chosen, *architecture, query));
    reply.headline = target_words(chosen, *architecture, query) + with + fewest + reply.headline +
                     least + other_sides() + stacks_words(chosen, *architecture, query);
    if (chosen.serving && document.serving->concurrency > chosen.serving->concurrency) {
        reply.headline +=
            fmt::format(" That is of {:g} at once: {:g}, as was assumed, have no room.",
                        chosen.serving->concurrency, document.serving->concurrency);
    }
    for (const ComparedSide& side : sides_) {
        reply.headline +=
            side.way.empty() ? "" : fmt::format(" {} with {}.", words_of(side), side.way);
    }
    for (const ComparedSide* side : {static_cast<const ComparedSide*>(&sides_.front()), second()}) {
        if (side->score > 0 && !side->pace.words.empty()) {
            reply.headline += side->pace.missed.empty()
                                  ? fmt::format(" {} keeps what was asked.", words_of(*side))
                                  : fmt::format(" {}:{}", words_of(*side), side->pace.missed);
        }
    }
    return reply;
}

bool SideBySide::weighs_cost() const {
    const bool racks = std::ranges::none_of(
        sides_, [](const ComparedSide& side) { return stands_at_a_desk(*side.part); });
    return reading_.objective == Objective::cost || asks(reading_, "per_million") ||
           (racks && asks(reading_, "value"));
}

std::string SideBySide::target_words(const WorkloadDocument& document,
                                     const Architecture& architecture, const Query& query) const {
    constexpr int most_times = 8;
    const ComparedSide& best = sides_.front();
    if (best.score <= 0 || best.pace.middle) {
        return "";
    }
    std::string enough;
    for (const ComparedSide* side : {&best, second()}) {
        ComparedSide more = *side;
        while (!more.pace.middle && more.count < most_times * side->count) {
            more.count *= 2;
            judge(more, document, architecture, query, tools_);
        }
        const bool kept = more.score > 0 && more.pace.middle;
        enough += (enough.empty() ? "" : ", ") +
                  (kept ? words_of(more) + (more.count > 1 ? " do" : " does")
                        : "not even " + words_of(more));
    }
    return fmt::format("Neither reaches what was asked: {}. ", enough);
}

std::string SideBySide::larger_batch_words(const WorkloadDocument& document,
                                           const Architecture& architecture,
                                           const Query& query) const {
    ComparedSide best = sides_.front();
    if (!waits_for_launches(best, *second()) || !document.serving || best.filled) {
        return "";
    }
    ComparedSide other = *second();
    for (const double batch : {8.0, 64.0}) {
        for (ComparedSide* side : {&best, &other}) {
            side->load_each = batch;
            judge(*side, document, architecture, query, tools_);
        }
        const auto [slower, faster] = std::minmax(best.score, other.score);
        if (batch > document.serving->concurrency && slower > 0 &&
            faster > same_rate_within * slower) {
            return fmt::format(
                "; in batches of {:g}, not held up by the host, the {} is {} times as fast ({} "
                "against {})",
                batch, best.score == faster ? "former" : "latter", times_words(faster / slower),
                figure_words(faster), figure_words(slower));
        }
    }
    return "";
}

}  // namespace ridgeline
