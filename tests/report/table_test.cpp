#include "base/text.h"
#include "report/table.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;
using namespace ridgeline::report;

BOOST_AUTO_TEST_SUITE(drawing)

BOOST_AUTO_TEST_CASE(width_counts_characters_not_bytes_and_no_colour) {
    BOOST_TEST(width_of("abc") == 3);
    BOOST_TEST(width_of("█é") == 2);
    BOOST_TEST(width_of("\033[1mbold\033[0m") == 4);
}

BOOST_AUTO_TEST_CASE(cut_keeps_what_fits_and_marks_what_is_lost) {
    BOOST_TEST(cut("short", 5) == "short");
    BOOST_TEST(cut("much too long", 8) == "much ...");
}

BOOST_AUTO_TEST_CASE(wrapped_lines_are_no_wider_than_asked) {
    const std::string text = wrap("one two three four five six", 10, 2);
    BOOST_TEST(text == "one two\n  three\n  four\n  five six");
}

BOOST_AUTO_TEST_CASE(numbers_are_grouped_by_three) {
    BOOST_TEST(grouped(0) == "0");
    BOOST_TEST(grouped(999) == "999");
    BOOST_TEST(grouped(8030261248.0) == "8,030,261,248");
    BOOST_TEST(grouped(-1234) == "-1,234");
}

BOOST_AUTO_TEST_CASE(a_bar_is_its_share_of_the_width) {
    const Style ascii;
    BOOST_TEST(bar(0.5, 10, ascii) == "#####");
    BOOST_TEST(bar(0, 10, ascii).empty());
    BOOST_TEST(bar(7, 4, ascii) == "####");
}

BOOST_AUTO_TEST_CASE(colour_is_printed_only_when_it_is_on) {
    BOOST_TEST(strong("x", Style{}) == "x");
    BOOST_TEST(strong("x", Style{.color = true}) == "\033[1mx\033[0m");
}

BOOST_AUTO_TEST_CASE(a_table_gives_way_in_its_text_columns_alone) {
    Table table({"name", ">number"});
    table.add({std::string(60, 'n'), "123456"});
    const Style narrow{.width = 40};
    const std::string text = table.text(narrow);
    BOOST_TEST(text.find("123456") != std::string::npos);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        BOOST_TEST(width_of(text.substr(begin, end - begin)) <= 40);
        BOOST_TEST((end == begin || text[end - 1] != ' '));
        begin = end + 1;
    }
}

BOOST_AUTO_TEST_CASE(nothing_of_a_cell_is_lost) {
    Table table({"name", ">number"});
    table.add({"one two three four", "1"});
    table.add({"a-very-long-identifier-of-a-part", "2"});
    const std::string text = table.text(Style{.width = 20});
    BOOST_TEST(text ==
               "name          number\n"
               "one two            1\n"
               "three four\n"
               "a-very-long-       2\n"
               "identifier-\n"
               "of-a-part\n");
}

BOOST_AUTO_TEST_CASE(columns_leave_when_the_width_is_short_or_they_say_nothing) {
    Table table({"a", ">b", ">c"});
    table.may_leave_out(1);
    table.may_leave_out(2);
    table.add({"aaaaaaaaaa", "12345", "-"});
    BOOST_TEST(table.text(Style{.width = 40}) == "a               b\naaaaaaaaaa  12345\n");
    BOOST_TEST(table.text(Style{.width = 12}) == "a\naaaaaaaaaa\n");
}

BOOST_AUTO_TEST_CASE(a_paragraph_hangs_under_its_first_word) {
    BOOST_TEST(paragraph("Is  ", "one two three", Style{.width = 12}) ==
               "Is  one two\n    three\n");
}

BOOST_AUTO_TEST_SUITE_END()
