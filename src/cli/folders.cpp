#include "cli/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace ridgeline::cli {

namespace fs = std::filesystem;

Result<fs::path> find_folder(const std::string& option, std::string_view name) {
    std::error_code ignored;
    std::string variable = "RIDGELINE_" + std::string(name);
    std::transform(variable.begin(), variable.end(), variable.begin(), [](char letter) {
        return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    });
    const char* from_environment = std::getenv(variable.c_str());
    const std::string given = !option.empty()               ? option
                              : from_environment != nullptr ? from_environment
                                                            : "";
    if (!given.empty()) {
        const std::string where = !option.empty() ? fmt::format("--{}", name) : variable;
        if (!fs::is_directory(given, ignored)) {
            return tl::unexpected(Error{ErrorKind::input, where,
                                        fmt::format("\"{}\" is no folder", given),
                                        fmt::format("Name a folder laid out as {}/.", name)});
        }
        return fs::path(given);
    }
    // Installed, the program lies in bin/; in a build tree, beside share/.
    const fs::path place = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const fs::path& folder :
         {place.parent_path() / "share/ridgeline" / name, place / "share/ridgeline" / name}) {
        if (fs::is_directory(folder, ignored)) {
            return folder;
        }
    }
    return tl::unexpected(Error{ErrorKind::internal, std::string(name),
                                "was not found beside the program",
                                name == "catalog" || name == "profiles"
                                    ? fmt::format("Give --{} or set {}.", name, variable)
                                    : fmt::format("Set {}.", variable)});
}

fs::path user_folder(const char* variable, std::string_view otherwise) {
    const auto value = [](const char* name) {
        const char* text = std::getenv(name);
        return fs::path(text != nullptr ? text : "");
    };
    const fs::path home = value("HOME");
    const fs::path stated = value(variable);
    return !stated.empty() ? stated / "ridgeline"
           : home.empty()  ? fs::path()
                           : home / otherwise / "ridgeline";
}

fs::path user_calibration_folder() {
    const fs::path folder = user_folder("XDG_CONFIG_HOME", ".config");
    return folder.empty() ? folder : folder / "calibration";
}

}  // namespace ridgeline::cli
