#include "report/chart.h"

#include "report/svg.h"
#include "report/table.h"
#include "report/text_chart.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>

using namespace ridgeline::report;

namespace {

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++found;
    }
    return found;
}

Plot a_plot() {
    return {.title = "Time & cost <of> a run",
            .description = "two series",
            .x = {.label = "accelerators", .scale = Scale::logarithmic, .ticks = {8, 64, 512}},
            .y = {.label = "hours", .scale = Scale::logarithmic},
            .series = {{.name = "A",
                        .points = {{8, 100, 80.0, 120.0, "8: 100 h"},
                                   {64, 20, 15.0, 30.0, ""},
                                   {512, 4, 2.0, 6.0, ""}}},
                       {.name = "B", .points = {{8, 50}, {512, 40}}, .marks = false}}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(charts)

BOOST_AUTO_TEST_CASE(a_logarithmic_ruler_puts_the_geometric_mean_in_the_middle) {
    const Ruler ruler(Axis{.scale = Scale::logarithmic, .low = 1, .high = 10000}, {5});
    BOOST_TEST(*ruler.place(100) == 0.5, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(!ruler.place(0));
    BOOST_TEST(!ruler.place(-1));
    BOOST_TEST(!ruler.place(std::nan("")));
    BOOST_TEST(!ruler.place(20000));
}

BOOST_AUTO_TEST_CASE(a_linear_ruler_begins_at_zero_and_ends_at_a_round_number) {
    const Ruler ruler(Axis{}, {3, 58});
    BOOST_TEST(ruler.low() == 0);
    BOOST_TEST(ruler.high() == 60);
    BOOST_TEST(*ruler.place(30) == 0.5, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(ruler.ticks().front() == 0);
    BOOST_TEST(ruler.ticks().back() == 60, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_ruler_without_a_value_still_has_ticks_within_its_ends) {
    for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
        const Ruler ruler(Axis{.scale = scale}, {std::numeric_limits<double>::infinity()});
        BOOST_TEST(!ruler.ticks().empty());
        for (const double tick : ruler.ticks()) {
            BOOST_TEST(ruler.place(tick).has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(ticks_are_written_short) {
    BOOST_TEST(tick_text(0.05) == "0.05");
    BOOST_TEST(tick_text(1024) == "1024");
    BOOST_TEST(tick_text(16384) == "16384");
    BOOST_TEST(tick_text(131072) == "131.1k");
    BOOST_TEST(tick_text(2.5e6) == "2.5M");
}

BOOST_AUTO_TEST_CASE(an_svg_names_its_chart_escapes_words_and_needs_nothing_else) {
    const std::string svg = svg_of(a_plot());
    BOOST_TEST(svg.find("<title>Time &amp; cost &lt;of&gt; a run</title>") != std::string::npos);
    BOOST_TEST(svg.find("<desc>two series</desc>") != std::string::npos);
    BOOST_TEST(svg.find("role=\"img\"") != std::string::npos);
    BOOST_TEST(count(svg, "http") == 1U);  // the name space
    BOOST_TEST(count(svg, "<script") == 0U);
    // Three marks of A with a sample in the legend; B is a line alone.
    BOOST_TEST(count(svg, "<circle") == 4U);
    BOOST_TEST(count(svg, "class=\"band ") == 1U);
    BOOST_TEST(count(svg, "nan") == 0U);
    BOOST_TEST(svg == svg_of(a_plot()));
}

BOOST_AUTO_TEST_CASE(a_point_that_no_axis_can_show_breaks_the_line) {
    Plot plot = a_plot();
    plot.series = {{.name = "A", .points = {{8, 1}, {16, 2}, {32, 0}, {64, 2}, {128, 1}}}};
    BOOST_TEST(count(svg_of(plot), "<path d=\"M") == 2U);
}

BOOST_AUTO_TEST_CASE(stacked_bars_have_a_box_for_each_part_and_a_range) {
    const BarChart chart{
        .title = "Cost",
        .description = "",
        .unit = "US dollars",
        .parts = {"hardware", "energy"},
        .bars = {{"buy", {100, 20}, 90.0, 150.0, ""}, {"rent", {200, 0}, {}, {}, ""}}};
    const std::string svg = svg_of(chart);
    // Page, two of the legend, three parts that are not zero.
    BOOST_TEST(count(svg, "<rect") == 6U);
    BOOST_TEST(count(svg, "class=\"range\"") == 3U);
    BOOST_TEST(svg.find("<title>energy: 20 US dollars</title>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_chart_in_characters_stays_within_its_width) {
    for (const bool unicode : {false, true}) {
        const Style style{.unicode = unicode, .width = 80};
        const std::string text = plot_text(a_plot(), style);
        std::size_t begin = 0;
        int lines = 0;
        while (begin < text.size()) {
            const std::size_t end = text.find('\n', begin);
            BOOST_TEST(width_of(text.substr(begin, end - begin)) <= 80);
            begin = end + 1;
            ++lines;
        }
        // Title, label, 16 rows, floor, ticks, label, legend.
        BOOST_TEST(lines == 22);
    }
}

BOOST_AUTO_TEST_CASE(the_highest_point_of_a_chart_in_characters_stands_in_its_highest_rows) {
    Plot plot;
    plot.y.high = 10;
    plot.series = {{.name = "A", .points = {{0, 0}, {1, 10}}, .line = false}};
    const std::string text = plot_text(plot, Style{}, 5);
    const std::string second = text.substr(text.find('\n') + 1);
    const std::string top = second.substr(second.find('\n') + 1);
    BOOST_TEST(top.substr(0, top.find('\n')).back() == 'o');
}

BOOST_AUTO_TEST_SUITE_END()
