#include "report/page.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline::report;

BOOST_AUTO_TEST_SUITE(page)

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

Page sample() {
    Page page;
    page.title = "A < B & C";
    page.subtitle = "today";
    page.facts = {{"Cost", "$5"}};
    PageSection section{"Cost | split", {}};
    section.blocks.emplace_back(Paragraph{"plain *text*"});
    section.blocks.emplace_back(Bullets{{"one", "two"}});
    section.blocks.emplace_back(Grid{.caption = "Figures",
                                     .columns = {"name", ">value"},
                                     .rows = {{"a|b", "1"}, {"<script>", "2"}}});
    section.blocks.emplace_back(CodeBlock{"ridgeline advise 'x < y'"});
    section.blocks.emplace_back(Picture{"<svg></svg>", "a picture"});
    page.sections.push_back(std::move(section));
    return page;
}

}  // namespace

BOOST_AUTO_TEST_CASE(markdown_keeps_its_columns) {
    const std::string text = markdown_of(sample());
    BOOST_TEST(contains(text, "| a\\|b | 1 |"));
    BOOST_TEST(contains(text, "| --- | ---: |"));
    BOOST_TEST(contains(text, "plain \\*text\\*"));
    BOOST_TEST(contains(text, "## Cost | split"));
    BOOST_TEST(contains(text, "```sh\nridgeline advise 'x < y'\n```"));
    BOOST_TEST(!contains(text, "<svg"));  // its figures stand in a table
    BOOST_TEST(text.ends_with("\n"));
    BOOST_TEST(!text.ends_with("\n\n"));
}

BOOST_AUTO_TEST_CASE(html_shows_what_would_be_markup) {
    const std::string text = html_of(sample());
    BOOST_TEST(text.starts_with("<!DOCTYPE html>"));
    BOOST_TEST(contains(text, "<h1>A &lt; B &amp; C</h1>"));
    BOOST_TEST(contains(text, "&lt;script&gt;"));
    BOOST_TEST(!contains(text, "<script"));
    BOOST_TEST(contains(text, "<td class=\"number\">1</td>"));
    BOOST_TEST(contains(text, "<th scope=\"col\" class=\"number\">value</th>"));
    BOOST_TEST(contains(text, "<caption>Figures</caption>"));
    BOOST_TEST(contains(text, "<figcaption>a picture</figcaption>"));
    BOOST_TEST(contains(text, "href=\"#section-1\""));
    BOOST_TEST(contains(text, "id=\"section-1\""));
}

BOOST_AUTO_TEST_SUITE_END()
