// Sums of times over passes, blocks and layers.
#include "estimate/time/block_time.h"
#include "estimate/time/block_work.h"

#include <algorithm>

namespace ridgeline {

PassTime& PassTime::operator+=(const PassTime& other) {
    device += other.device;
    compute_bound += other.compute_bound;
    launches += other.launches;
    return *this;
}

PassTime operator*(PassTime pass, double factor) {
    return {pass.device * factor, pass.compute_bound * factor, pass.launches * factor};
}

BlockTime& BlockTime::operator+=(const BlockTime& other) {
    forward += other.forward;
    backward += other.backward;
    recompute += other.recompute;
    quantize += other.quantize;
    dequantize += other.dequantize;
    products_forward += other.products_forward;
    products_backward += other.products_backward;
    attention_forward += other.attention_forward;
    attention_backward += other.attention_backward;
    parameters += other.parameters;
    expert_parameters += other.expert_parameters;
    trained += other.trained;
    expert_trained += other.expert_trained;
    model_flops += other.model_flops;
    held += other.held;
    worst_tier = std::max(worst_tier, other.worst_tier);
    return *this;
}

BlockTime operator*(BlockTime block, double factor) {
    block.forward = block.forward * factor;
    block.backward = block.backward * factor;
    block.recompute = block.recompute * factor;
    block.quantize = block.quantize * factor;
    block.dequantize = block.dequantize * factor;
    for (double* value :
         {&block.products_forward, &block.products_backward, &block.attention_forward,
          &block.attention_backward, &block.parameters, &block.expert_parameters, &block.trained,
          &block.expert_trained, &block.model_flops, &block.held}) {
        *value *= factor;
    }
    return block;
}

Exchange& Exchange::operator+=(const Exchange& other) {
    tensor += other.tensor;
    context += other.context;
    expert += other.expert;
    hidden += other.hidden;
    return *this;
}

Work& Work::operator+=(const Work& other) {
    block += other.block;
    exchange += other.exchange;
    kept += other.kept;
    return *this;
}

}  // namespace ridgeline
