#pragma once

#include "estimate/stacks/network_flow.h"
#include "estimate/work/script.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ridgeline {

/// Gradients of maps while one backward pass runs, as autograd sums them: each is made by the first
/// reader of its map that runs backward, a reader that passes on what it got makes none, and a sum
/// goes into a gradient that nobody else holds (torch/csrc/autograd/input_buffer.cpp, accumulate).
class MapGradients {
public:
    MapGradients(ScriptWriter& writer, const NetworkFlow& flow)
        : writer_(writer), flow_(flow), of_(flow.maps.size(), none) {}

    static constexpr int none = -1;

    /// The gradient of a map, made where no reader has made one (the loss reads it). The caller
    /// drops it.
    int taken(int map) {
        int& at = of_[static_cast<std::size_t>(map)];
        const int taken = at == none ? make(map) : at;
        at = none;
        return taken;
    }
    /// What a reader has for the gradient of a map: one of its own, or the one that it got itself.
    /// It is summed up by `sum`, when all that the reader makes is there.
    void offer(int map, int passed) {
        if (!flow_.maps[static_cast<std::size_t>(map)].needs_gradient) {
            return;
        }
        if (passed != none) {
            ++gradients_[static_cast<std::size_t>(passed)].owners;
        }
        offered_.push_back({map, passed != none ? passed : make(map)});
    }
    void sum() {
        for (const Offer& one : offered_) {
            add(one.map, one.gradient);
        }
        offered_.clear();
    }
    void drop(int gradient) {
        Gradient& one = gradients_[static_cast<std::size_t>(gradient)];
        if (--one.owners == 0) {
            writer_.give(one.made);
        }
    }
    /// Gradients that nothing read further (of what needs none in the end).
    void clear() {
        for (int& at : of_) {
            if (at != none) {
                drop(std::exchange(at, none));
            }
        }
    }

private:
    struct Gradient {
        TensorId made = nothing;
        int owners = 1;
    };
    struct Offer {
        int map;
        int gradient;
    };
    void add(int map, int added) {
        int& at = of_[static_cast<std::size_t>(map)];
        if (at == none) {
            at = added;
            return;
        }
        const bool own = gradients_[static_cast<std::size_t>(at)].owners == 1;
        const int total = own ? at : make(map);
        drop(added);
        if (!own) {
            drop(at);
        }
        at = total;
    }
    int make(int map) {
        const double bytes = flow_.maps[static_cast<std::size_t>(map)].bytes;
        gradients_.push_back({.made = writer_.take(Bytes::of_base(bytes))});
        return static_cast<int>(gradients_.size()) - 1;
    }

    ScriptWriter& writer_;
    const NetworkFlow& flow_;
    std::vector<int> of_;  ///< by map
    std::vector<Gradient> gradients_;
    std::vector<Offer> offered_;
};

}  // namespace ridgeline
