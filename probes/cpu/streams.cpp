#include "probes/cpu/streams.h"

#include "probes/cpu/threads.h"

namespace probes {
namespace {
constexpr double scalar = 3.0;
constexpr double fill_value = 0.5;
}  // namespace

Streams::Streams(std::size_t elements, int threads)
    : elements_(elements),
      threads_(threads),
      a_(elements),
      b_(elements),
      c_(elements),
      sums_(static_cast<std::size_t>(threads)) {
    timed([&](std::size_t from, std::size_t to, double&) {
        for (std::size_t i = from; i < to; ++i) {
            a_[i] = 0;
            b_[i] = 2;
            c_[i] = 1;
        }
    });
}

template <typename Work>
double Streams::timed(Work work) {
    const auto threads = static_cast<std::size_t>(threads_);
    return timed_threads(threads_, [&](std::size_t t) {
        work(elements_ * t / threads, elements_ * (t + 1) / threads, sums_[t]);
    });
}

double Streams::pass(const std::string& name) {
    double* const a = a_.data();
    const double* const b = b_.data();
    const double* const c = c_.data();
    if (name == "copy") {
        return timed([=](std::size_t from, std::size_t to, double&) {
            for (std::size_t i = from; i < to; ++i) {
                a[i] = c[i];
            }
        });
    }
    if (name == "triad") {
        return timed([=](std::size_t from, std::size_t to, double&) {
            for (std::size_t i = from; i < to; ++i) {
                a[i] = b[i] + scalar * c[i];
            }
        });
    }
    if (name == "fill") {
        return timed([=](std::size_t from, std::size_t to, double&) {
            for (std::size_t i = from; i < to; ++i) {
                a[i] = fill_value;
            }
        });
    }
    return timed([=](std::size_t from, std::size_t to, double& sum) {
        double parts[8] = {};
        for (std::size_t i = from; i + 8 <= to; i += 8) {
            for (std::size_t j = 0; j < 8; ++j) {
                parts[j] += b[i + j];
            }
        }
        sum = parts[0] + parts[1] + parts[2] + parts[3] + parts[4] + parts[5] + parts[6] + parts[7];
    });
}

double Streams::bytes_of(const std::string& name) const {
    const double arrays = name == "triad" ? 3 : name == "copy" ? 2 : 1;
    return arrays * static_cast<double>(elements_) * sizeof(double);
}

bool Streams::correct() const {
    // a is what the last writing pass left; b and c never change.
    for (const std::size_t i : {std::size_t{0}, elements_ / 2, elements_ - 1}) {
        const double value = a_[i];
        const bool known = value == 1 || value == 2 + scalar || value == fill_value || value == 0;
        if (!known || b_[i] != 2 || c_[i] != 1) {
            return false;
        }
    }
    return true;
}

}  // namespace probes
