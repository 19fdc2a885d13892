#include "report/page.h"
#include "report/svg.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

// Contrast of text on its ground is at least 4.5 in both schemes (WCAG 2.1 AA).
constexpr const char* style = R"css(
:root{--page:#fff;--text:#1a1a1a;--faint:#5a5a5a;--line:#d4d7dc;--soft:#f4f6f8;--accent:#005a8f;
color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--page:#16181d;--text:#e8e8e8;--faint:#a0a4ab;
--line:#3a3f48;--soft:#1f232a;--accent:#7cc4f5}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .3rem}
h2{font-size:1.3rem;margin:2.4rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--line)}
p,ul{margin:.5rem 0 .9rem}
ul{padding-left:1.3rem}li{margin:.2rem 0}
.subtitle{color:var(--faint);margin:0 0 1.2rem}
.strong{font-weight:600}
nav ol{columns:2;column-gap:2rem;padding-left:2rem;margin:.4rem 0 0}
a{color:var(--accent)}
dl.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.75rem;margin:0 0 1.5rem}
dl.facts div{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}
dt{color:var(--faint);font-size:.85rem}
dd{margin:0;font-size:1.15rem;font-weight:600;overflow-wrap:break-word}
.scroll{overflow-x:auto;margin:.6rem 0 1.2rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{text-align:left;color:var(--faint);padding-bottom:.35rem}
th,td{text-align:left;vertical-align:top;padding:.38rem .6rem;border-bottom:1px solid var(--line)}
th{font-weight:600;background:var(--soft)}
.number{text-align:right;font-variant-numeric:tabular-nums}
td.number{white-space:nowrap}
td{overflow-wrap:break-word}
figure{margin:1rem 0 1.4rem}
figure svg{width:100%;height:auto;max-width:46rem;border:1px solid var(--line);border-radius:.5rem}
figcaption{color:var(--faint);font-size:.9rem}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.8rem;
white-space:pre-wrap;overflow-wrap:anywhere;font:.88rem/1.5 ui-monospace,"Liberation Mono",monospace}
footer{color:var(--faint);font-size:.85rem;margin-top:2.5rem}
@media(max-width:40rem){main{padding:1.2rem 1rem 3rem}h1{font-size:1.5rem}nav ol{columns:1}}
@page{size:A4;margin:16mm 15mm}
@media print{html{font-size:10pt}body{font-size:10pt}main{max-width:none;padding:0}nav{display:none}
h2,caption{break-after:avoid}h2{font-size:1.25rem;margin-top:1.6rem}figure,tr,dl.facts div{break-inside:avoid}thead{display:table-header-group}
.scroll{overflow:visible}.short{break-inside:avoid}table{font-size:8.5pt}th,td{padding:.2rem .35rem}
figure svg{max-width:150mm}a{color:inherit;text-decoration:none}}
)css";

constexpr std::size_t short_table = 12;  // rows that are kept on one sheet of paper

std::string html(const Paragraph& paragraph) {
    return fmt::format("<p{}>{}</p>\n", paragraph.strong ? " class=\"strong\"" : "",
                       xml_text(paragraph.text));
}

std::string html(const Bullets& bullets) {
    std::string out = "<ul>\n";
    for (const std::string& item : bullets.items) {
        out += "<li>" + xml_text(item) + "</li>\n";
    }
    return out + "</ul>\n";
}

std::string html(const Grid& grid) {
    // A wide table scrolls by keyboard as well, so it can be focused and has a name.
    std::string out = fmt::format(
        "<div class=\"scroll{}\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table>\n",
        grid.rows.size() <= short_table ? " short" : "",
        xml_text(grid.caption.empty() ? std::string("table") : grid.caption));
    if (!grid.caption.empty()) {
        out += "<caption>" + xml_text(grid.caption) + "</caption>\n";
    }
    out += "<thead><tr>";
    for (const auto& [number, heading] : grid.columns) {
        out += fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"number\"" : "",
                           xml_text(heading));
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const auto& row : grid.rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool number = i < grid.columns.size() && grid.columns[i].numbers;
            out +=
                fmt::format("<td{}>{}</td>", number ? " class=\"number\"" : "", xml_text(row[i]));
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string html(const Picture& picture) {
    return fmt::format("<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n", picture.svg,
                       xml_text(picture.caption));
}

std::string html(const CodeBlock& code) {
    return "<pre><code>" + xml_text(code.text) + "</code></pre>\n";
}

std::string anchor(std::size_t index) { return fmt::format("section-{}", index + 1); }

std::string contents(const Page& page) {
    std::string out = "<nav aria-label=\"Contents\"><ol>\n";
    for (std::size_t i = 0; i < page.sections.size(); ++i) {
        out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", anchor(i),
                           xml_text(page.sections[i].title));
    }
    return out + "</ol></nav>\n";
}

std::string facts(const Page& page) {
    std::string out = "<dl class=\"facts\">\n";
    for (const auto& [name, figure] : page.facts) {
        out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", xml_text(name), xml_text(figure));
    }
    return out + "</dl>\n";
}

}  // namespace

std::string html_of(const Page& page) {
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{}</h1>\n"
        "<p class=\"subtitle\">{}</p>\n</header>\n",
        xml_text(page.title), style, xml_text(page.title), xml_text(page.subtitle));
    out += facts(page) + contents(page);
    for (std::size_t i = 0; i < page.sections.size(); ++i) {
        out += fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}. {2}</h2>\n",
                           anchor(i), i + 1, xml_text(page.sections[i].title));
        for (const PageBlock& block : page.sections[i].blocks) {
            out += std::visit([](const auto& each) { return html(each); }, block);
        }
        out += "</section>\n";
    }
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace ridgeline::report
