#include "advise/validation/scaling.h"

#include "base/text.h"

#include <algorithm>

namespace ridgeline {

std::vector<std::optional<ScaleGain>> gains_of(const std::vector<ScalePoint>& points) {
    std::vector<std::optional<ScaleGain>> gains;
    const ScalePoint* first = nullptr;
    const ScalePoint* before = nullptr;
    for (const ScalePoint& point : points) {
        gains.emplace_back();
        if (!point.runs || point.size <= 0 || point.rate <= 0) {
            continue;
        }
        first = first == nullptr ? &point : first;
        const double unit = first->rate / first->size;
        gains.back() = ScaleGain{.efficiency = point.rate / point.size / unit, .marginal = {}};
        if (before != nullptr && point.size > before->size) {
            gains.back()->marginal =
                (point.rate - before->rate) / (point.size - before->size) / unit;
        }
        before = &point;
    }
    return gains;
}

std::optional<ScaleLimit> accelerator_limit(const std::vector<ScalePoint>& points) {
    const auto gains = gains_of(points);
    std::optional<ScaleLimit> limit;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!gains[i]) {
            continue;
        }
        if (gains[i]->marginal && *gains[i]->marginal < paying_efficiency) {
            limit->next = points[i].size;
            limit->marginal = *gains[i]->marginal;
            return limit;
        }
        limit = ScaleLimit{
            .last_paying = points[i].size, .next = {}, .marginal = gains[i]->marginal.value_or(1)};
    }
    return limit;
}

std::optional<ScaleLimit> rate_limit(const std::vector<ScalePoint>& points) {
    double best = 0;
    for (const ScalePoint& point : points) {
        best = point.runs ? std::max(best, point.rate) : best;
    }
    for (const ScalePoint& point : points) {
        if (point.runs && best > 0 && point.rate >= enough_of_the_best * best) {
            return ScaleLimit{.last_paying = point.size, .next = {}, .marginal = point.rate / best};
        }
    }
    return std::nullopt;
}

std::optional<std::vector<double>> sizes_named(const std::string& text) {
    constexpr std::size_t most = 64;
    std::vector<double> sizes;
    const std::size_t dots = text.find("..");
    if (dots != std::string::npos) {
        const auto low = number_with_suffix(text.substr(0, dots));
        const auto high = number_with_suffix(text.substr(dots + 2));
        if (!low || !high || *low < 1 || *high < *low) {
            return std::nullopt;
        }
        for (double size = *low; size < *high && sizes.size() <= most; size *= 2) {
            sizes.push_back(size);
        }
        sizes.push_back(*high);
    } else {
        for (const std::string& piece : split(text, ',')) {
            const auto size = number_with_suffix(piece);
            if (!size || *size < 1 || (!sizes.empty() && *size <= sizes.back())) {
                return std::nullopt;
            }
            sizes.push_back(*size);
        }
    }
    if (sizes.size() > most || !std::ranges::all_of(sizes, [](double size) {
            return size <= 1e9 && size == static_cast<double>(static_cast<long>(size));
        })) {
        return std::nullopt;
    }
    return sizes;
}

}  // namespace ridgeline
