#include "estimate/stacks/network_flow.h"

#include "base/lists.h"

#include <algorithm>
#include <iterator>

namespace ridgeline {
namespace {

class Writer {
public:
    explicit Writer(const SubModel& model) : model_(model), now_(model.maps.size()) {
        flow_.maps.reserve(model.maps.size());
        for (std::size_t i = 0; i < model.maps.size(); ++i) {
            now_[i] = make(static_cast<int>(i));
        }
        made_in_.assign(model.maps.size(), -1);
        flow_.steps.reserve(model.flow.size());
        flow_.inputs.reserve(model.flow_inputs.size());
        flow_.kept.reserve(model.flow_kept.size());
    }

    NetworkFlow write() {
        std::size_t at = 0;
        for (std::size_t i = 0; i < model_.blocks.size(); ++i) {
            const Block& block = model_.blocks[i];
            const std::size_t count = std::min(block.operators.size(), model_.flow.size() - at);
            const Ends ends = block.repeat > 1 ? ends_of(at, count) : Ends{};
            for (int round = 0; round < std::max(1, block.repeat); ++round) {
                add_round(block, static_cast<int>(i), at, count, round, ends);
            }
            at += count;
        }
        for (std::size_t i = 0; i < flow_.steps.size(); ++i) {
            const NetworkFlow::Step& step = flow_.steps[i];
            if (step.output >= 0) {
                int& maker = flow_.maps[static_cast<std::size_t>(step.output)].maker;
                maker = maker < 0 ? static_cast<int>(i) : maker;
            }
            for (int input = 0; input < step.inputs; ++input) {
                const int map = flow_.inputs[static_cast<std::size_t>(step.first_input + input)];
                flow_.maps[static_cast<std::size_t>(map)].last_reader = static_cast<int>(i);
            }
        }
        return std::move(flow_);
    }

private:
    /// Maps that this round reads and has not made; maps that it makes and does not read.
    struct Ends {
        std::vector<int> entered, left;
    };
    int make(int map) {
        const auto at = static_cast<std::size_t>(map);
        flow_.maps.push_back({.bytes = model_.maps[at],
                              .needs_gradient = model_.gradient_maps[at] != 0,
                              .kept = model_.kept_maps[at] != 0});
        return static_cast<int>(flow_.maps.size()) - 1;
    }
    int& now(int map) { return now_[static_cast<std::size_t>(map)]; }

    [[nodiscard]] Ends ends_of(std::size_t at, std::size_t count) const {
        const auto has = [](const std::vector<int>& list, int map) { return is_among(map, list); };
        Ends ends;
        std::vector<int> made;
        for (std::size_t i = at; i < at + count; ++i) {
            const FlowStep& step = model_.flow[i];
            for (int input = 0; input < step.inputs; ++input) {
                const int map =
                    model_.flow_inputs[static_cast<std::size_t>(step.first_input + input)];
                std::erase(ends.left, map);
                if (!has(made, map) && !has(ends.entered, map)) {
                    ends.entered.push_back(map);
                }
            }
            if (step.output >= 0 && !has(made, step.output)) {
                made.push_back(step.output);
                ends.left.push_back(step.output);
            }
        }
        return ends;
    }

    /// What the next round reads instead of what entered this one: what this one left, stream by
    /// stream of the same size; where the sizes differ, what it made last.
    void hand_over(Ends ends) {
        bool any = false;
        for (const int map : ends.entered) {
            const double bytes = model_.maps[static_cast<std::size_t>(map)];
            const auto same = std::find_if(ends.left.rbegin(), ends.left.rend(), [&](int left) {
                return model_.maps[static_cast<std::size_t>(left)] == bytes;
            });
            if (same != ends.left.rend()) {
                now(map) = now(*same);
                ends.left.erase(std::next(same).base());
                any = true;
            }
        }
        if (!any && !ends.entered.empty() && !ends.left.empty()) {
            now(ends.entered.front()) = now(ends.left.back());
        }
    }

    void add_round(const Block& block, int index, std::size_t at, std::size_t count, int round,
                   const Ends& ends) {
        if (round > 0) {
            hand_over(ends);
        }
        std::vector<int> fresh;  // maps that this round has made
        const NetworkFlow::Round begun{.first = flow_.steps.size()};
        for (std::size_t i = 0; i < count; ++i) {
            const FlowStep& step = model_.flow[at + i];
            NetworkFlow::Step next;
            next.op = &block.operators[i];
            next.passes = step.passes;
            next.passing = step.passing;
            next.matching = step.matching;
            next.first_input = static_cast<int>(flow_.inputs.size());
            next.inputs = step.inputs;
            for (int input = 0; input < step.inputs; ++input) {
                const auto from = static_cast<std::size_t>(step.first_input + input);
                flow_.inputs.push_back(now(model_.flow_inputs[from]));
            }
            if (step.output >= 0) {
                int& made_in = made_in_[static_cast<std::size_t>(step.output)];
                made_in = made_in < 0 ? index : made_in;
                const bool known = is_among(step.output, fresh);
                if (round > 0 && made_in == index && !known) {
                    now(step.output) = make(step.output);
                }
                fresh.push_back(step.output);
                next.output = now(step.output);
            }
            next.first_kept = static_cast<int>(flow_.kept.size());
            next.kept = step.kept;
            for (int kept = 0; kept < step.kept; ++kept) {
                KeptBytes one = model_.flow_kept[static_cast<std::size_t>(step.first_kept + kept)];
                one.map = one.map >= 0 ? now(one.map) : no_tensor;
                flow_.kept.push_back(one);
            }
            flow_.steps.push_back(next);
        }
        flow_.rounds.push_back(
            {begun.first, flow_.steps.size(), block.position == Block::Position::layer});
    }

    const SubModel& model_;
    NetworkFlow flow_;
    std::vector<int> now_;      ///< by storage of the model: its map of the round
    std::vector<int> made_in_;  ///< block that makes it first
};

}  // namespace

NetworkFlow flow_of(const SubModel& model) { return Writer(model).write(); }

}  // namespace ridgeline
