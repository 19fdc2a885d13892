#pragma once

#include "ask/option_table.h"

#include <cstdint>
#include <span>

namespace ridgeline::ask {

/// The bits of `commands` as OptionRow has them.
template <typename... Commands>
constexpr std::uint32_t bits_of(Commands... commands) {
    return ((1U << static_cast<unsigned>(commands)) | ...);
}

/// The commands that take a workload document.
constexpr std::uint32_t workload_commands =
    bits_of(Command::advise, Command::estimate, Command::compare, Command::remedies,
            Command::roofline, Command::report, Command::check, Command::emit);

/// Options of single commands; of questions; of every command. In the order of the help.
std::span<const OptionRow> own_option_rows();
std::span<const OptionRow> question_option_rows();
std::span<const OptionRow> common_option_rows();

}  // namespace ridgeline::ask
