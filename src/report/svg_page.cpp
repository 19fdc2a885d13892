#include "report/svg_page.h"

#include "report/svg.h"

#include <fmt/format.h>

#include <array>

namespace ridgeline::report {
namespace {

/// After Okabe and Ito, told apart by readers who see few colours; the second is for dark pages.
struct Color {
    const char* light;
    const char* dark;
};
constexpr std::array<Color, SvgPage::colors> palette{{{"#0072b2", "#4aa8e8"},
                                                      {"#d55e00", "#ff8c42"},
                                                      {"#009e73", "#2fc99a"},
                                                      {"#b5508a", "#e59cc7"},
                                                      {"#946c00", "#e6c229"},
                                                      {"#5e3c99", "#b8a1e3"},
                                                      {"#3d8fb5", "#9ad3f5"},
                                                      {"#666666", "#b0b0b0"}}};
constexpr std::array<const char*, SvgPage::colors> dashes{"none", "7 3", "2 3", "9 3 2 3",
                                                          "12 4", "4 2", "1 2", "6 2 1 2 1 2"};

std::string rules_of(bool dark) {
    const char* const scope = ".ridgeline-chart";
    std::string out = fmt::format(
        "{0} .page{{fill:{1}}}{0} text{{fill:{2}}}{0} .faint{{fill:{3}}}"
        "{0} .axis{{stroke:{3}}}{0} .grid{{stroke:{4}}}{0} .range{{stroke:{2}}}",
        scope, dark ? "#16181d" : "#ffffff", dark ? "#e8e8e8" : "#1a1a1a",
        dark ? "#a0a4ab" : "#5a5a5a", dark ? "#33373f" : "#e2e2e2");
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const char* const color = dark ? palette[i].dark : palette[i].light;
        out += fmt::format("{0} .l{1}{{stroke:{2}}}{0} .f{1}{{fill:{2}}}", scope, i, color);
    }
    return out;
}

/// Shapes and weights hold always; colours by page. Rules rather than variables, which plain
/// converters do not read.
std::string style_sheet() {
    std::string out =
        ".ridgeline-chart text{font:12px system-ui,sans-serif}"
        ".ridgeline-chart .title{font-size:15px;font-weight:600}"
        ".ridgeline-chart .axis,.ridgeline-chart .grid{stroke-width:1;fill:none}"
        ".ridgeline-chart .range{stroke-width:1.2;fill:none}"
        ".ridgeline-chart .band{opacity:.18;stroke:none}"
        ".ridgeline-chart .data{fill:none;stroke-width:2;stroke-linejoin:round}";
    for (std::size_t i = 0; i < dashes.size(); ++i) {
        out += fmt::format(".ridgeline-chart .data.l{}{{stroke-dasharray:{}}}", i, dashes[i]);
    }
    out += rules_of(false);
    out += "@media screen and (prefers-color-scheme:dark){" + rules_of(true) + "}";
    return out;
}

std::string_view anchor_word(SvgPage::Anchor anchor) {
    switch (anchor) {
        case SvgPage::Anchor::start:
            return "start";
        case SvgPage::Anchor::middle:
            return "middle";
        case SvgPage::Anchor::end:
            return "end";
    }
    return "start";
}

std::string tip_element(std::string_view tip) {
    return tip.empty() ? "" : fmt::format("<title>{}</title>", xml_text(tip));
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
                    out += c;
                }
        }
    }
    return out;
}

double text_width(std::string_view words) {
    constexpr double pixels_per_character = 6.6;
    double width = 0;
    for (const char c : words) {
        width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? pixels_per_character : 0;
    }
    return width;
}

SvgPage::SvgPage(std::string_view title, std::string_view description)
    : title_(title), description_(description) {}

void SvgPage::text(double x, double y, std::string_view words, Anchor anchor,
                   std::string_view style) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                         anchor_word(anchor),
                         style.empty() ? "" : fmt::format(" class=\"{}\"", style), xml_text(words));
}

void SvgPage::turned_text(double x, double y, std::string_view words) {
    body_ += fmt::format(
        "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" "
        "text-anchor=\"middle\">{}</text>\n",
        x, y, xml_text(words));
}

void SvgPage::line(double x1, double y1, double x2, double y2, std::string_view style) {
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1,
        x2, y2, style);
}

void SvgPage::box(double x, double y, double width, double height, std::string_view style,
                  std::string_view tip) {
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "class=\"{}\">{}</rect>\n",
        x, y, width, height, style, tip_element(tip));
}

void SvgPage::path(std::string_view commands, std::string_view style) {
    body_ += fmt::format("<path d=\"{}\" class=\"{}\"/>\n", commands, style);
}

void SvgPage::mark(double x, double y, int color, std::string_view tip) {
    constexpr double r = 4;
    const std::string style = fmt::format("class=\"f{}\"", color % colors);
    std::string shape;
    switch (color % 4) {
        case 0:
            shape = fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}>", x, y, r, style);
            body_ += shape + tip_element(tip) + "</circle>\n";
            return;
        case 1:
            shape = fmt::format("M{:.1f} {:.1f}h{}v{}h-{}z", x - r, y - r, 2 * r, 2 * r, 2 * r);
            break;
        case 2:
            shape = fmt::format("M{:.1f} {:.1f}l{} {}h-{}z", x, y - r - 1, r + 1, 2 * r + 1,
                                2 * (r + 1));
            break;
        default:
            shape = fmt::format("M{:.1f} {:.1f}l{} {}l-{} {}l-{} -{}z", x, y - 5, 5, 5, 5, 5, 5, 5);
    }
    body_ += fmt::format("<path d=\"{}\" {}>{}</path>\n", shape, style, tip_element(tip));
}

double SvgPage::legend(double x, double y, double width, const std::vector<LegendEntry>& entries) {
    constexpr double row = 18;
    constexpr double sample = 22;
    double at = x;
    for (const LegendEntry& entry : entries) {
        const double needed = sample + 6 + text_width(entry.name) + 14;
        if (at > x && at + needed > x + width) {
            at = x;
            y += row;
        }
        if (entry.line) {
            line(at, y - 4, at + sample, y - 4, fmt::format("data l{}", entry.color % colors));
        }
        if (entry.mark) {
            mark(at + sample / 2, y - 4, entry.color, "");
        }
        if (!entry.line && !entry.mark) {
            box(at + 6, y - 10, 12, 12, fmt::format("f{}", entry.color % colors), "");
        }
        text(at + sample + 6, y, entry.name, Anchor::start);
        at += needed;
    }
    return entries.empty() ? y : y + row;
}

std::string SvgPage::whole(double width, double height) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ridgeline-chart\" role=\"img\" "
        "aria-label=\"{0}\" viewBox=\"0 0 {2:.0f} {3:.0f}\" width=\"{2:.0f}\" height=\"{3:.0f}\" "
        "style=\"max-width:100%;height:auto\">\n"
        "<title>{0}</title>\n<desc>{1}</desc>\n<style>{4}</style>\n"
        "<rect width=\"100%\" height=\"100%\" class=\"page\"/>\n{5}</svg>\n",
        xml_text(title_), xml_text(description_), width, height, style_sheet(), body_);
}

}  // namespace ridgeline::report
