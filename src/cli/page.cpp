#include "cli/page.h"

#include "cli/folders.h"
#include "web/data_bundle.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

/// The core beside the installed page, or in the build folder of the preset `wasm`.
fs::path core_file() {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    for (const fs::path& file :
         {program.parent_path().parent_path() / "share/ridgeline/page/core.wasm",
          program.parent_path().parent_path() / "wasm/core.wasm"}) {
        if (fs::is_regular_file(file, ignored)) {
            return file;
        }
    }
    return {};
}

}  // namespace

Result<web::PageParts> page_parts(const ask::WorldPlaces& places, const ask::Request& request) {
    web::PageParts parts;
    const auto folder = find_folder({}, "page");
    if (!folder) {
        return tl::unexpected(folder.error());
    }
    parts.folder = *folder;
    const fs::path core = request.given("core") ? fs::path(request.text("core")) : core_file();
    if (!core.empty()) {
        auto bytes = TreePath(core).read();
        if (!bytes) {
            return tl::unexpected(bytes.error());
        }
        if (!bytes->starts_with(std::string_view("\0asm", 4))) {
            return input_error(core.string(), "is no WebAssembly module");
        }
        parts.core = std::move(*bytes);
    }
    auto bundle = web::data_bundle(places.catalog, places.profiles);
    if (!bundle) {
        return tl::unexpected(bundle.error());
    }
    parts.bundle = std::move(*bundle);
    return parts;
}

Error no_core(const std::string& where) {
    return Error{ErrorKind::internal, where,
                 "the program was not compiled to WebAssembly, which the file answers with",
                 "Build the preset wasm (cmake --workflow --preset wasm), write the page with "
                 "--core FILE, or use `ridgeline serve`, whose page asks the program itself."};
}

Result<ask::Reply> page(const ask::WorldPlaces& places, const ask::Request& request) {
    const auto parts = page_parts(places, request);
    if (!parts) {
        return tl::unexpected(parts.error());
    }
    if (parts->core.empty()) {
        return tl::unexpected(no_core("ridgeline page"));
    }
    auto file = web::page_file(*parts);
    if (!file) {
        return tl::unexpected(file.error());
    }
    ask::Reply reply;
    const std::string& target = request.text("output");
    if (target == "-") {
        reply.media_type = "text/html; charset=windows-1252";
        reply.body = std::move(file->html);
        return reply;
    }
    reply.messages =
        fmt::format("{}: {:.0f} KiB\n", target, static_cast<double>(file->html.size()) / 1024);
    reply.files.push_back({"--output", target, std::move(file->html), false});
    return reply;
}

}  // namespace ridgeline::cli
