#include "calibrate/minimise.h"

#include <algorithm>

namespace ridgeline {
namespace {

using Loss = std::function<double(const std::vector<double>&)>;

constexpr int most_steps = 400;
constexpr double close_enough = 1e-7;

/// from + factor (to - from)
std::vector<double> along(const std::vector<double>& from, const std::vector<double>& to,
                          double factor) {
    std::vector<double> point(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        point[i] = from[i] + factor * (to[i] - from[i]);
    }
    return point;
}

std::vector<double> centre_of(const std::vector<Minimum>& simplex) {
    std::vector<double> centre(simplex.front().at.size(), 0.0);
    for (std::size_t v = 0; v + 1 < simplex.size(); ++v) {
        for (std::size_t i = 0; i < centre.size(); ++i) {
            centre[i] += simplex[v].at[i] / static_cast<double>(simplex.size() - 1);
        }
    }
    return centre;
}

/// One move of the worst corner; the simplex is sorted by value.
void move_worst(std::vector<Minimum>& simplex, const Loss& loss) {
    Minimum& worst = simplex.back();
    const std::vector<double> centre = centre_of(simplex);
    const auto tried = [&](double factor) {
        const std::vector<double> at = along(centre, worst.at, factor);
        return Minimum{at, loss(at)};
    };
    Minimum reflected = tried(-1);
    if (reflected.value < simplex.front().value) {
        Minimum expanded = tried(-2);
        worst = expanded.value < reflected.value ? expanded : reflected;
        return;
    }
    if (reflected.value < simplex[simplex.size() - 2].value) {
        worst = reflected;
        return;
    }
    Minimum contracted = tried(reflected.value < worst.value ? -0.5 : 0.5);
    if (contracted.value < std::min(worst.value, reflected.value)) {
        worst = contracted;
        return;
    }
    for (std::size_t v = 1; v < simplex.size(); ++v) {
        simplex[v].at = along(simplex.front().at, simplex[v].at, 0.5);
        simplex[v].value = loss(simplex[v].at);
    }
}

Minimum descend(const Loss& loss, const std::vector<double>& start, double step) {
    std::vector<Minimum> simplex{{start, loss(start)}};
    for (std::size_t i = 0; i < start.size(); ++i) {
        std::vector<double> corner = start;
        corner[i] += step;
        simplex.push_back({corner, loss(corner)});
    }
    const auto by_value = [](const Minimum& a, const Minimum& b) { return a.value < b.value; };
    for (int i = 0; i < most_steps; ++i) {
        std::stable_sort(simplex.begin(), simplex.end(), by_value);
        if (simplex.back().value - simplex.front().value < close_enough) {
            break;
        }
        move_worst(simplex, loss);
    }
    return *std::min_element(simplex.begin(), simplex.end(), by_value);
}

}  // namespace

Minimum minimise(const Loss& loss, const std::vector<double>& start, double step) {
    return descend(loss, descend(loss, start, step).at, step / 4);
}

}  // namespace ridgeline
