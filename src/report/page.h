#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ridgeline::report {

/// A document between the figures and its form: the same page becomes markdown or HTML, so that the
/// forms cannot disagree.
struct Paragraph {
    std::string text;
    bool strong = false;
};
struct Bullets {
    std::vector<std::string> items;
};
/// Of a column; ">" before the text makes it one of numbers.
struct Heading {
    Heading(const char* words) : numbers(*words == '>'), text(words + (numbers ? 1 : 0)) {}
    bool numbers;
    std::string text;
};
struct Grid {
    std::string caption{};
    std::vector<Heading> columns{};
    std::vector<std::vector<std::string>> rows{};
};
struct Picture {
    std::string svg;
    std::string caption;
};
struct CodeBlock {
    std::string text;
};
using PageBlock = std::variant<Paragraph, Bullets, Grid, Picture, CodeBlock>;

struct PageSection {
    std::string title;
    std::vector<PageBlock> blocks;
};

struct Page {
    std::string title;
    std::string subtitle;
    std::vector<std::pair<std::string, std::string>>
        facts;  ///< the answer at a glance: name, figure
    std::vector<PageSection> sections;
};

/// Tables and text; pictures are left out, as each stands beside a table with its figures.
std::string markdown_of(const Page& page);
/// One file without scripts, fonts or network; light and dark; prints on A4.
std::string html_of(const Page& page);

}  // namespace ridgeline::report
