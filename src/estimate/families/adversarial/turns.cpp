// Passes of one training step of two networks, or four, that learn in turns.
#include "estimate/families/adversarial/networks.h"

#include <array>

namespace ridgeline {
namespace {

constexpr int generator = 0;
constexpr int discriminator = 1;

}  // namespace

std::vector<ProgramPass> shared_turns() {
    using enum ProgramPass::Kind;
    return {{.model = discriminator, .kind = forward, .name = "discriminator, real"},
            {.model = discriminator, .kind = backward, .name = "discriminator backward"},
            {.model = generator, .kind = forward, .name = "generator"},
            {.model = discriminator, .kind = forward, .name = "discriminator, made"},
            {.model = discriminator, .kind = backward, .name = "discriminator backward"},
            {.model = discriminator, .kind = update, .name = "update"},
            {.model = discriminator, .kind = forward, .name = "discriminator, made"},
            {.model = discriminator, .kind = backward, .name = "discriminator backward"},
            {.model = generator, .kind = backward, .name = "generator backward"},
            {.model = generator, .kind = update, .name = "update"}};
}

std::vector<ProgramPass> own_turns(double path_length, double penalty) {
    using enum ProgramPass::Kind;
    std::vector<ProgramPass> passes{
        {.model = generator, .kind = forward, .name = "generator"},
        {.model = discriminator, .kind = forward, .name = "discriminator, made"},
        {.model = discriminator,
         .kind = backward,
         .weights = false,
         .name = "discriminator backward"},
        {.model = generator, .kind = backward, .name = "generator backward"}};
    if (path_length > 0) {
        passes.push_back(
            {.model = generator, .kind = forward, .repeat = path_length, .name = "path length"});
        passes.push_back({.model = generator,
                          .kind = backward,
                          .repeat = 3 * path_length,
                          .name = "path length"});
    }
    passes.push_back({.model = generator, .kind = update, .name = "update"});
    passes.push_back({.model = generator,
                      .kind = forward,
                      .keeps = false,
                      .name = "generator, for the discriminator"});
    for (const char* images : {"discriminator, made", "discriminator, real"}) {
        passes.push_back({.model = discriminator, .kind = forward, .name = images});
        passes.push_back(
            {.model = discriminator, .kind = backward, .name = "discriminator backward"});
    }
    passes.push_back(
        {.model = discriminator, .kind = forward, .repeat = penalty, .name = "gradient penalty"});
    passes.push_back({.model = discriminator,
                      .kind = backward,
                      .repeat = 3 * penalty,
                      .name = "gradient penalty"});
    passes.push_back({.model = discriminator, .kind = update, .name = "update"});
    return passes;
}

std::vector<ProgramPass> cycle_turns() {
    using enum ProgramPass::Kind;
    // Two generators and two discriminators, in the order of `list_pair_program`.
    constexpr int there = 0;
    constexpr int back = 2;
    constexpr int of_there = 1;
    constexpr int of_back = 3;
    std::vector<ProgramPass> passes;
    // Each picture is made, brought back and, where it is of that kind already, kept.
    constexpr std::array<int, 6> made{there, back, back, there, there, back};
    for (const int model : made) {
        passes.push_back({.model = model, .kind = forward, .name = "generators"});
    }
    for (const int model : {of_there, of_back}) {
        passes.push_back({.model = model, .kind = forward, .name = "discriminators, made"});
    }
    for (const int model : {of_back, of_there}) {
        passes.push_back({.model = model,
                          .kind = backward,
                          .weights = false,
                          .name = "discriminators backward"});
    }
    for (auto model = made.rbegin(); model != made.rend(); ++model) {
        passes.push_back({.model = *model, .kind = backward, .name = "generators backward"});
    }
    for (const int model : {there, back}) {
        passes.push_back({.model = model, .kind = update, .name = "update"});
    }
    for (const int model : {of_there, of_back}) {
        for (int picture = 0; picture < 2; ++picture) {
            passes.push_back({.model = model, .kind = forward, .name = "discriminators"});
        }
        for (int picture = 0; picture < 2; ++picture) {
            passes.push_back({.model = model, .kind = backward, .name = "discriminators backward"});
        }
        passes.push_back({.model = model, .kind = update, .name = "update"});
    }
    return passes;
}

}  // namespace ridgeline
