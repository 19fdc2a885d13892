#include "report/page.h"

namespace ridgeline::report {
namespace {

/// A cell must not end its column or its row.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
    }
    return out;
}

/// Characters that markdown would take for its own, in running text.
std::string plain(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<' || c == '*' || c == '_' || c == '[') {
            out += '\\';
        }
        out += c;
    }
    return out;
}

std::string markdown(const Paragraph& paragraph) {
    const std::string text = plain(paragraph.text);
    return (paragraph.strong ? "**" + text + "**" : text) + "\n\n";
}

std::string markdown(const Bullets& bullets) {
    std::string out;
    for (const std::string& item : bullets.items) {
        out += "- " + plain(item) + "\n";
    }
    return out + "\n";
}

std::string markdown(const Grid& grid) {
    std::string out;
    if (!grid.caption.empty()) {
        out += plain(grid.caption) + "\n\n";
    }
    std::string rule = "|";
    out += "|";
    for (const auto& [number, heading] : grid.columns) {
        out += " " + cell(plain(heading)) + " |";
        rule += number ? " ---: |" : " --- |";
    }
    out += "\n" + rule + "\n";
    for (const auto& row : grid.rows) {
        out += "|";
        for (const std::string& each : row) {
            out += " " + cell(plain(each)) + " |";
        }
        out += "\n";
    }
    return out + "\n";
}

std::string markdown(const Picture&) { return {}; }

std::string markdown(const CodeBlock& code) { return "```sh\n" + code.text + "\n```\n\n"; }

}  // namespace

std::string markdown_of(const Page& page) {
    std::string out = "# " + plain(page.title) + "\n\n" + plain(page.subtitle) + "\n\n";
    Grid facts{.columns = {"answer", ""}};
    for (const auto& [name, figure] : page.facts) {
        facts.rows.push_back({name, figure});
    }
    out += markdown(facts);
    for (const PageSection& section : page.sections) {
        out += "## " + plain(section.title) + "\n\n";
        for (const PageBlock& block : section.blocks) {
            out += std::visit([](const auto& each) { return markdown(each); }, block);
        }
    }
    while (out.ends_with("\n\n")) {
        out.pop_back();
    }
    return out;
}

}  // namespace ridgeline::report
