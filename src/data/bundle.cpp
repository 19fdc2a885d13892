#include "data/bundle.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace ridgeline {
namespace {

constexpr std::string_view head = "ridgeline bundle 1\n";

}  // namespace

Result<std::shared_ptr<const FileTree>> bundle_from(std::string_view bundle) {
    if (!bundle.starts_with(head)) {
        return input_error("bundle", "does not begin as a bundle of this program");
    }
    bundle.remove_prefix(head.size());
    std::map<std::string, std::string> texts;
    while (!bundle.empty()) {
        const std::size_t line = bundle.find('\n');
        const std::size_t blank = bundle.substr(0, line).rfind(' ');
        std::size_t size = 0;
        if (line == std::string_view::npos || blank == std::string_view::npos ||
            std::from_chars(bundle.data() + blank + 1, bundle.data() + line, size).ptr !=
                bundle.data() + line ||
            size > bundle.size() - line - 1) {
            return input_error("bundle", fmt::format("is cut short after {} files", texts.size()));
        }
        texts.emplace(bundle.substr(0, blank), bundle.substr(line + 1, size));
        bundle.remove_prefix(line + 1 + size);
    }
    return bundle_of(std::move(texts));
}

std::string bundle_text(const std::map<std::string, std::string>& texts) {
    std::string bundle(head);
    for (const auto& [path, text] : texts) {
        bundle += fmt::format("{} {}\n", path, text.size());
        bundle += text;
    }
    return bundle;
}

}  // namespace ridgeline
