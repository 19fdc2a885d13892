#include "web/page_file.h"

#include "base/text.h"
#include "data/sha256.h"
#include "web/base64.h"
#include "web/compressed.h"
#include "web/packed_text.h"
#include "web/wasm_streams.h"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace ridgeline::web {
namespace {

/// `import {a, b} from './memory.js';`: the name in it; empty for any other line.
std::string imported(std::string_view line) {
    const std::size_t begin = line.find("'./");
    const std::size_t end = line.rfind('\'');
    return line.starts_with("import ") && begin != std::string_view::npos && end > begin
               ? std::string(line.substr(begin + 3, end - begin - 3))
               : std::string();
}

/// Modules after those that they import, each once, without their imports and exports: their names
/// are unique among all of them.
Result<void> add_module(const TreePath& folder, const std::string& name,
                        std::set<std::string>& known, std::string& script) {
    if (!known.insert(name).second) {
        return {};
    }
    const auto text = (folder / name).read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    std::string own;
    for (const std::string& line : split(*text, '\n')) {
        const std::string other = imported(line);
        if (!other.empty()) {
            if (auto added = add_module(folder, other, known, script); !added) {
                return added;
            }
        } else {
            own += (line.starts_with("export ") ? line.substr(7) : line) + "\n";
        }
    }
    script += own;
    return {};
}

/// How a policy names an inline script.
std::string policy_hash(std::string_view text) { return "sha256-" + base64(sha256(text)); }

/// `text` with what stands for a part replaced; each part has one place.
void put_part(std::string& text, std::string_view mark, std::string_view part) {
    const std::size_t place = text.find(mark);
    if (place != std::string::npos) {
        text.replace(place, mark.size(), part);
    }
}

std::string packed(std::string_view id, const std::string& bytes) {
    if (bytes.empty()) {
        return "";
    }
    const std::vector<std::string_view> pieces =
        id == "core" ? parted(bytes) : std::vector<std::string_view>{bytes};
    return fmt::format("<script type=\"text/plain\" id=\"{}\" data-bytes=\"{}\">{}</script>", id,
                       bytes.size(), packed_text(compressed(pieces)));
}

/// A script, a style or a page without its indentation and comments: lines of their own, and what
/// stands two spaces behind code.
std::string without_comments(std::string_view script) {
    std::string out;
    for (const std::string& line : split(script, '\n')) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin != std::string::npos && line.compare(begin, 2, "//") != 0) {
            std::string code = line.substr(begin, line.find("  // ") - begin);
            code.erase(code.find_last_not_of(' ') + 1);
            out += code + "\n";
        }
    }
    return out;
}

/// A module and those that it imports as one script in ASCII.
Result<std::string> whole_script(const TreePath& folder, const std::string& name) {
    std::string script;
    std::set<std::string> known;
    if (auto added = add_module(folder, name, known, script); !added) {
        return tl::unexpected(added.error());
    }
    return "\n" + in_ascii(without_comments(script), Letters::script);
}

}  // namespace

Result<PageFile> page_file(const PageParts& parts) {
    auto html = (parts.folder / "index.html").read();
    auto style = (parts.folder / "style.css").read();
    if (!html || !style) {
        return tl::unexpected(html ? style.error() : html.error());
    }
    const auto start = whole_script(parts.folder, "start.js");
    const auto rest = whole_script(parts.folder, "main.js");
    if (!start || !rest) {
        return tl::unexpected(start ? rest.error() : start.error());
    }
    *html = in_ascii(without_comments(*html), Letters::html);
    const std::string policy = fmt::format(
        "default-src 'none'; script-src '{}' '{}' 'wasm-unsafe-eval'; "
        "img-src data: blob:; worker-src blob:; connect-src {}; base-uri 'none'; form-action "
        "'none'",
        policy_hash(*start), policy_hash(*rest), parts.served ? "'self'" : "'none'");
    put_part(*html, "<!-- policy -->",
             fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", policy));
    put_part(*html, "<!-- data -->",
             packed("core", wasm_streams(parts.core)) +
                 (parts.core.empty() ? "" : packed("bundle", parts.bundle)) +
                 packed("state", parts.state) + packed("style", without_comments(*style)) +
                 packed("script", *rest));
    put_part(*html, "<!-- script -->", "<script type=\"module\">" + *start + "</script>");
    return PageFile{std::move(*html), policy + "; frame-ancestors 'none'"};
}

}  // namespace ridgeline::web
