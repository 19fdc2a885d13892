#include "cli/help_format.h"

#include <sstream>

namespace ridgeline::cli {
namespace {

constexpr std::size_t help_columns = 80;

std::string broken_at(const std::string& text, std::size_t width) {
    std::istringstream words(text);
    std::string out;
    std::size_t column = 0;
    for (std::string word; words >> word;) {
        const bool breaks = column > 0 && column + 1 + word.size() > width;
        out += (breaks ? "\n" : column > 0 ? " " : "") + word;
        column = breaks || column == 0 ? word.size() : column + 1 + word.size();
    }
    return out;
}

}  // namespace

std::string HelpFormat::make_help(const CLI::App* app, std::string name,
                                  CLI::AppFormatMode mode) const {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = text.find("\n\n\n"); at != std::string::npos;
         at = text.find("\n\n\n", at)) {
        text.erase(at, 1);  // one blank line parts groups
    }
    return text;
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
    return broken_at(CLI::Formatter::make_option_desc(option), help_columns - get_column_width());
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
    std::ostringstream out;
    CLI::detail::format_help(
        out, command->get_name(),
        broken_at(command->get_description(), help_columns - get_column_width()),
        get_column_width());
    return out.str();
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
    const std::string footer = app->get_footer();
    return footer.empty() ? footer : "\n" + broken_at(footer, help_columns) + "\n";
}

}  // namespace ridgeline::cli
