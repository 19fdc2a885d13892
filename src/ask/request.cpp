#include "ask/request.h"

#include "base/utf8.h"

#include <fmt/format.h>

namespace ridgeline::ask {
namespace {

const std::vector<std::string> none;
const std::string nothing;

}  // namespace

bool Request::given(std::string_view name) const { return options.find(name) != options.end(); }

const std::string& Request::text(std::string_view name) const {
    const auto found = options.find(name);
    return found == options.end() || found->second.empty() ? nothing : found->second.front();
}

const std::vector<std::string>& Request::texts(std::string_view name) const {
    const auto found = options.find(name);
    return found == options.end() ? none : found->second;
}

Result<TreePath> Request::file(std::string_view option, const std::string& path) const {
    if (!on_command_line) {
        return usage_error(
            std::string(option),
            fmt::format("found the path \"{}\", which only a command line may name", path),
            "Give the document itself as \"workload\".");
    }
    return TreePath(path);
}

int exit_code_of(const Error& error) {
    switch (error.kind) {
        case ErrorKind::internal:
            return 1;
        case ErrorKind::usage:
            return 2;
        case ErrorKind::input:
            return 4;
        case ErrorKind::device_absent:
            return 5;
    }
    return 1;
}

std::string json_of(const Error& error) {
    static constexpr const char* codes[] = {"internal", "usage", "bad_input", "device_absent"};
    return fmt::format("{{\"error\":{{\"code\":{},\"message\":{},\"path\":{},\"hint\":{}}}}}\n",
                       json_string(codes[static_cast<int>(error.kind)]), json_string(error.message),
                       json_string(error.where), json_string(error.hint));
}

}  // namespace ridgeline::ask
