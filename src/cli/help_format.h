#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace ridgeline::cli {

/// Help within 80 columns: what an option does is broken between words, under itself.
class HelpFormat : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    std::string make_footer(const CLI::App* app) const override;
};

}  // namespace ridgeline::cli
