#include "estimate/stacks/ddp.h"

#include "estimate/stacks/sharding.h"

#include <deque>
#include <numeric>

namespace ridgeline {

std::vector<double> broadcast_copies(const std::vector<double>& tensors) {
    constexpr double closes_at = 250.0 * 1024 * 1024;  // broadcast_bucket_size of distributed.py
    std::vector<double> copies;
    double bucket = 0;
    int members = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        bucket += tensors[i];
        ++members;
        if (bucket >= closes_at || i + 1 == tensors.size()) {
            if (members > 1) {
                copies.push_back(bucket);
            }
            bucket = 0;
            members = 0;
        }
    }
    return copies;
}

std::vector<double> gradient_buckets(const std::vector<double>& gradients) {
    constexpr double first_closes_at = 1024.0 * 1024;  // kDefaultFirstBucketBytes of reducer.hpp
    std::vector<double> buckets;
    double bucket = 0;
    for (const double bytes : gradients) {
        bucket += bytes;
        if (bucket >= (buckets.empty() ? first_closes_at : ddp_bucket_bytes)) {
            buckets.push_back(bucket);
            bucket = 0;
        }
    }
    if (bucket > 0) {
        buckets.push_back(bucket);
    }
    return buckets;
}

void DistributedGradients::wrap(ScriptWriter& writer,
                                const std::vector<std::vector<double>>& types) {
    constexpr std::size_t in_flight = 2;
    for (const std::vector<double>& tensors : types) {
        std::deque<TensorId> sent;
        for (const double bytes : broadcast_copies(tensors)) {
            if (sent.size() == in_flight) {
                writer.give(sent.front());
                sent.pop_front();
            }
            sent.push_back(writer.take(Bytes::of_base(bytes), Stream::compute, Category::buffer));
        }
        for (const TensorId copy : sent) {
            writer.give(copy);
        }
    }
    if (finds_unused_) {
        take_buckets(writer);
    } else {
        const double all = std::accumulate(gradients_.begin(), gradients_.end(), 0.0);
        whole_ = writer.take(Bytes::of_base(all), Stream::compute, Category::reduced);
    }
}

void DistributedGradients::rebuild(ScriptWriter& writer) {
    if (!finds_unused_) {
        writer.give(whole_);
        take_buckets(writer);
    }
}

void DistributedGradients::take_buckets(ScriptWriter& writer) const {
    for (const double bytes : gradient_buckets(gradients_)) {
        writer.take(Bytes::of_base(bytes), Stream::compute, Category::reduced);
    }
}

}  // namespace ridgeline
