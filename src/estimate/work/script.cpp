#include "estimate/work/script.h"

#include <array>

namespace ridgeline {

std::string_view name_of(Stream stream) {
    constexpr std::array<std::string_view, streams> names = {"compute", "gather", "reduce",
                                                             "exchange", "copy"};
    return names[static_cast<std::size_t>(stream)];
}

std::string_view name_of(Category category) {
    constexpr std::array<std::string_view, categories> names = {
        "weights", "gradients", "optimizer", "activations", "transient", "gathered",
        "reduced", "logits",    "cache",     "workspace",   "buffers",   "input"};
    return names[static_cast<std::size_t>(category)];
}

std::string_view name_of(Phase phase) {
    constexpr std::array<std::string_view, 4> names = {"forward", "recompute", "backward",
                                                       "update"};
    return names[static_cast<std::size_t>(phase)];
}

int ScriptWriter::name(std::string_view text) {
    script_.names.push_back(text);
    return static_cast<int>(script_.names.size()) - 1;
}

TensorId ScriptWriter::take(Bytes bytes, Stream stream, Category category, int name) {
    const TensorId id = script_.tensors++;
    script_.events.push_back({.kind = Event::Kind::take,
                              .stream = stream,
                              .category = category,
                              .tensor = id,
                              .name = name,
                              .bytes = bytes});
    return id;
}

void ScriptWriter::give(TensorId tensor) {
    if (tensor != nothing) {
        script_.events.push_back({.kind = Event::Kind::give, .tensor = tensor});
    }
}

void ScriptWriter::carry(TensorId from, TensorId to) {
    if (from != to) {
        script_.events.push_back({.kind = Event::Kind::carry, .tensor = from, .item = to});
    }
}

void ScriptWriter::run(const Operator& op, Phase phase, Stream stream) {
    script_.runs.push_back({.op = &op, .phase = phase});
    script_.events.push_back({.kind = Event::Kind::run,
                              .stream = stream,
                              .item = static_cast<std::int32_t>(script_.runs.size()) - 1});
}

void ScriptWriter::collective(Collective kind, Bytes bytes, int ranks, Stream stream) {
    script_.exchanges.push_back({.kind = kind, .ranks = ranks});
    script_.events.push_back({.kind = Event::Kind::collective,
                              .stream = stream,
                              .item = static_cast<std::int32_t>(script_.exchanges.size()) - 1,
                              .bytes = bytes});
}

void ScriptWriter::copy(Bytes bytes, Place from, Place to, Stream stream) {
    script_.copies.push_back({.from = from, .to = to});
    script_.events.push_back({.kind = Event::Kind::copy,
                              .stream = stream,
                              .item = static_cast<std::int32_t>(script_.copies.size()) - 1,
                              .bytes = bytes});
}

void ScriptWriter::wait(Stream waits, Stream for_what) {
    script_.events.push_back({.kind = Event::Kind::wait, .stream = waits, .other = for_what});
}

void ScriptWriter::mark(int name, int layer) {
    script_.events.push_back({.kind = Event::Kind::mark, .item = layer, .name = name});
}

std::size_t ScriptWriter::open(int count, Rounds beside, bool backwards) {
    const std::size_t at = script_.loops.size();
    script_.loops.push_back({.own = {.first = script_.tensors, .width = 0, .count = count},
                             .beside = beside,
                             .backwards = backwards});
    script_.events.push_back({.kind = Event::Kind::loop, .item = static_cast<std::int32_t>(at)});
    return at;
}

Rounds ScriptWriter::close(std::size_t loop) {
    Loop& closed = script_.loops[loop];
    closed.own.width = script_.tensors - closed.own.first;
    script_.tensors = closed.own.first + closed.own.width * closed.own.count;
    closed.end = script_.events.size();
    script_.events.push_back({.kind = Event::Kind::end, .item = static_cast<std::int32_t>(loop)});
    return closed.own;
}

}  // namespace ridgeline
