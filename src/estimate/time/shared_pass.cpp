#include "estimate/time/shared_pass.h"

#include "estimate/time/collective.h"
#include "estimate/time/device.h"
#include "estimate/time/pass_cost.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// The library's exchange calls are not compiled (xdit-project/xDiT, long_ctx_attention: the module
/// is excluded from torch.compile).
class Sharing {
public:
    Sharing(const EstimateInput& input, const LinkModel& links)
        : input_(input), links_(links), plan_(input.workload.plan) {}

    /// bytes: of the attention's output on all ranks
    SharedPass attention(const Operator& op, double bytes) const {
        const double ranks = plan_.token_ranks();
        const double own = bytes / ranks;
        SharedPass out;
        if (plan_.head_ranks() > 1) {
            heads(own, out);
        }
        if (plan_.split.ring > 1) {
            const double part =
                operator_time(input_, op, false, false, ranks).base() / plan_.split.ring;
            ring(own, part, out);
        }
        return out;
    }

private:
    [[nodiscard]] double exchange(Collective operation, double bytes, int ranks) const {
        return collective_time(links_, operation, Bytes::of_base(bytes), ranks,
                               std::min(ranks, links_.per_node))
            .time.base();
    }
    [[nodiscard]] double stream(double bytes) const {
        return bytes * input_.device.terms_of(input_.workload.compute, OperatorClass::streaming)
                           .seconds_per_byte;
    }

    /// Each tensor is put in the order of the receivers before and back in that of the heads after.
    void heads(double own, SharedPass& out) const {
        constexpr double tensors = 4;
        constexpr double copies = 2;
        constexpr double calls = 2;  // an exchange costs the host about as much as so many kernels
        out.waits += tensors * exchange(Collective::all_to_all, own, plan_.head_ranks());
        out.device += tensors * stream(copies * 2 * own);
        out.launches += tensors * (copies + calls);
    }

    /// part: seconds of the attention to the keys of one rank. Results are joined in fp32,
    /// operation by operation: difference, product with the weight, sum.
    void ring(double own, double part, SharedPass& out) const {
        const double rounds = plan_.split.ring - 1;
        const double width = bytes_per_element(storage_of(input_.workload.compute));
        constexpr double cast = 2 + 4 + 4 + 2;          // bytes: the first part up, the sum down
        constexpr double join = (2 + 4) + 12 + 8 + 12;  // bytes of an element and round
        constexpr double calls = 7;  // kernels of a round, and sending and receiving
        const double sent = exchange(Collective::point_to_point, 2 * own, 2);
        out.waits += rounds * std::max(0.0, sent - part);
        out.device += stream(own / width * (cast + rounds * join));
        out.launches += (rounds + 1) * calls;
    }

    const EstimateInput& input_;
    const LinkModel& links_;
    const Plan& plan_;
};

/// Bytes of the output of an attention that reads as many keys as it has queries; 0: reads text, or
/// its cost does not grow with the keys, and nothing is exchanged.
double exchanged_output(const Operator& op) {
    const double rows = op.gemm.m + op.gemm.n;
    const bool shares = op.role == Role::attention && op.gemm.n > 0.5 * op.gemm.m;
    // Queries and results, keys and values.
    return shares ? op.forward_traffic.base() / (2 * rows) * op.gemm.m : 0;
}

}  // namespace

SharedPass shared_pass(const EstimateInput& input, const SubModel& model) {
    const LinkModel links =
        input.links != nullptr ? *input.links : link_model(input.cluster, input.calibration);
    const Sharing sharing(input, links);
    SharedPass sum;
    for (const Block& block : model.blocks) {
        for (const Operator& op : block.operators) {
            const double bytes = exchanged_output(op);
            if (bytes > 0) {
                const SharedPass one = sharing.attention(op, bytes);
                sum.waits += block.repeat * one.waits;
                sum.device += block.repeat * one.device;
                sum.launches += block.repeat * one.launches;
            }
        }
    }
    return sum;
}

}  // namespace ridgeline
