#include "data/reader.h"

#include "base/text.h"
#include "tests/data/files.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <string>

using namespace ridgeline;

namespace {

/// Reads a small strict document of each kind of field and returns its error text.
std::string errors_of(std::string_view text) {
    Result<Document> document = Document::parse(text, "x.json");
    if (!document) {
        return document.error().text();
    }
    Reader root = document->root();
    root.number("bandwidth_gb_per_s", Range{1, 1e5});
    root.optional_integer("count", count_from_one);
    root.optional_text("name");
    root.optional_boolean("on");
    root.texts("aliases");
    root.numbers("sizes", any_size);
    for (Reader& row : root.objects("rows")) {
        row.number("usd");
        row.reject_unknown();
    }
    root.optional_choice<int>("colour", {{"red", 1}, {"green", 2}});
    root.reject_unknown();
    const Result<void> result = document->result();
    return result ? std::string() : result.error().text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reader)

BOOST_AUTO_TEST_CASE(a_good_document_has_no_errors) {
    BOOST_TEST(errors_of(R"({"bandwidth_gb_per_s": 3350, "count": 8, "name": "x", "on": true,
        "aliases": ["a"], "sizes": [1, 2.5], "rows": [{"usd": 1}], "colour": "red"})") == "");
    BOOST_TEST(errors_of(R"({"bandwidth_gb_per_s": 1, "count": 8.0, "name": null})") == "");
}

BOOST_AUTO_TEST_CASE(each_bad_input_is_named_with_its_place) {
    struct Case {
        std::string text, part;
    };
    const Case cases[] = {
        {"", "is empty"},
        {"   \n", "is empty"},
        {"{", "not JSON"},
        {"{\"a\": 1", "not JSON"},
        {"{\"a\": 1}}", "not JSON"},
        {"nonsense", "not JSON"},
        {"\xff\xfe{", "not JSON"},
        {"{\"name\": \"\xc3\x28\"}", "not JSON"},
        {"[1]", "expected an object"},
        {"1", "expected an object"},
        {"{}", "/bandwidth_gb_per_s: missing"},
        {R"({"bandwidth_gb_per_s": -3})", "found -3, expected a number from 1 to 100000"},
        {R"({"bandwidth_gb_per_s": 1e308})", "expected a number from 1"},
        {R"({"bandwidth_gb_per_s": 1e999})",
         "not JSON: number overflow parsing '1e999' at 'bandwidth_gb_per_s'"},
        {R"({"bandwidth_gb_per_s": NaN})", "not JSON"},
        {R"({"bandwidth_gb_per_s": "NaN"})", "found \"NaN\" (text), expected a number of GB/s"},
        {R"({"bandwidth_gb_per_s": "3.35 TB/s"})", "Write 3350"},
        {R"({"bandwidth_gb_per_s": 1234567890123456789012345678901234567890})",
         "expected a number"},
        {R"({"bandwidth_gb_per_s": [1]})", "found a list of 1"},
        {R"({"bandwidth_gb_per_s": {}})", "found an object"},
        {R"({"bandwidth_gb_per_s": true})", "found true"},
        {R"({"bandwidth_gb_per_s": 9, "count": 1.5})",
         "/count: found 1.5, expected a whole number"},
        {R"({"bandwidth_gb_per_s": 9, "count": 0})", "/count: found 0"},
        {R"({"bandwidth_gb_per_s": 9, "count": 99999999999})", "/count: found"},
        {R"({"bandwidth_gb_per_s": 9, "name": 7})", "/name: found 7, expected text"},
        {R"({"bandwidth_gb_per_s": 9, "on": "yes"})",
         "/on: found \"yes\" (text), expected true or false"},
        {R"({"bandwidth_gb_per_s": 9, "aliases": "a"})", "expected a list of texts"},
        {R"({"bandwidth_gb_per_s": 9, "aliases": ["a", 2]})", "/aliases/1: found 2, expected text"},
        {R"({"bandwidth_gb_per_s": 9, "sizes": [1, -1]})", "/sizes/1: found -1"},
        {R"({"bandwidth_gb_per_s": 9, "rows": [1]})", "/rows/0: found 1, expected an object"},
        {R"({"bandwidth_gb_per_s": 9, "rows": [{}]})", "/rows/0/usd: missing"},
        {R"({"bandwidth_gb_per_s": 9, "colour": "grene"})", "Did you mean \"green\"?"},
        {R"({"bandwith_gb_per_s": 9})", "Did you mean \"bandwidth_gb_per_s\"?"},
        {R"({"bandwidth_gb_per_s": 9, "extra": 1})", "unknown key \"extra\""},
    };
    for (const Case& bad : cases) {
        const std::string found = errors_of(bad.text);
        BOOST_TEST(contains(found, bad.part), bad.text << " -> " << found);
        BOOST_TEST(contains(found, "x.json"), bad.text << " -> " << found);
    }
}

BOOST_AUTO_TEST_CASE(several_errors_of_a_file_are_reported_together) {
    const std::string found =
        errors_of(R"({"bandwidth_gb_per_s": -1, "count": "8", "colour": "blue"})");
    BOOST_TEST(contains(found, "/bandwidth_gb_per_s"));
    BOOST_TEST(contains(found, "/count"));
    BOOST_TEST(contains(found, "/colour"));
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_refused_and_64_levels_are_not) {
    for (const char open : {'[', '{'}) {
        std::string text;
        for (int i = 0; i < 1000000; ++i) {
            text += open == '[' ? "[" : "{\"a\":";
        }
        BOOST_TEST(contains(errors_of(text), "nested deeper than 64"));
    }
    const std::string deep = std::string(64, '[') + std::string(64, ']');
    BOOST_TEST(Document::parse(deep, "x").has_value());
    // Brackets inside a text are no nesting.
    BOOST_TEST(Document::parse("\"" + std::string(1000, '[') + "\\\"[\"", "x").has_value());
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read_are_named) {
    const TemporaryFolder folder;
    const auto message = [](const std::filesystem::path& file) {
        const Result<Document> read = Document::read(file);
        return read ? std::string() : read.error().text();
    };
    BOOST_TEST(contains(message(folder.path() / "none.json"), "no such file"));
    BOOST_TEST(contains(message(folder.path()), "found a folder, expected a file"));
    BOOST_TEST(contains(message(folder.write("empty.json", "")), "is empty"));
    BOOST_TEST(
        contains(message(folder.write("binary.json", std::string("\0\1\2", 3))), "not JSON"));
    BOOST_TEST(!TreePath(folder.write("big", std::string(2 << 20, 'x'))).read(1 << 20).has_value());
    BOOST_TEST(contains(message(folder.write("file", "{}") / "below"), "no such file"));
    for (const std::size_t size : {0U, 1U, 1023U, 1024U, 5000U}) {
        const std::string text(size, 'x');
        BOOST_TEST(TreePath(folder.write("whole", text)).read().value() == text);
    }
    BOOST_TEST(TreePath("/proc/self/status").read().value().starts_with("Name:"));
    if (geteuid() != 0) {
        const auto file = folder.write("secret.json", "{}");
        std::filesystem::permissions(file, std::filesystem::perms::none);
        BOOST_TEST(contains(message(file), "cannot be opened"));
    }
}

BOOST_AUTO_TEST_CASE(paths_of_errors_lead_to_the_value) {
    auto document = Document::parse(
        R"({"a": {"b": [1, {"c": "x", "f": 2, "d": 3}]}, "rows": [{}, {"e": true}]})", "x");
    BOOST_REQUIRE(document.has_value());
    Reader root = document->root();
    Reader inner = root.object("a");
    BOOST_TEST(inner.path() == "/a");
    auto rows = root.objects("rows");
    BOOST_REQUIRE(rows.size() == 2U);
    BOOST_TEST(rows[1].path() == "/rows/1");
    BOOST_TEST(inner.objects("b").size() == 1U);  // the number is an error
    rows[1].number("e");
    const std::string errors = document->result().error().text();
    BOOST_TEST(contains(errors, "x: /a/b/0: found 1, expected an object"));
    BOOST_TEST(contains(errors, "x: /rows/1/e: found true, expected a number"));
}

BOOST_AUTO_TEST_CASE(a_key_stands_once) {
    const auto twice = Document::parse(R"({"a": [{"b": 1}, {"b": 1, "c": 2, "b": 3}]})", "x");
    BOOST_REQUIRE(!twice.has_value());
    BOOST_TEST(contains(twice.error().text(), "x: states \"b\" twice"));
    BOOST_TEST(Document::parse(R"({"a": {"b": 1}, "c": {"b": 1}})", "x").has_value());
}

BOOST_AUTO_TEST_CASE(many_errors_take_no_longer_than_their_reading) {
    std::string text = "{\"rows\": [";
    for (int i = 0; i < 100000; ++i) {
        text += i == 0 ? "1" : ",1";
    }
    auto document = Document::parse(text + "]}", "x");
    BOOST_REQUIRE(document.has_value());
    Reader root = document->root();
    BOOST_TEST(root.objects("rows").empty());
    const std::string errors = document->result().error().text();
    BOOST_TEST(contains(errors, "/rows/19: found 1"));
    BOOST_TEST(contains(errors, "and 99980 more"));
}

BOOST_AUTO_TEST_CASE(no_text_makes_the_reader_fall_over) {
    BOOST_TEST(rc::check("any bytes", [](const std::string& text) { errors_of(text); }));
    // Each prefix of a good document.
    const std::string good =
        R"({"bandwidth_gb_per_s": 3350, "count": 8, "name": "x\u00e9", "rows": [{"usd": 1}]})";
    for (std::size_t length = 0; length < good.size(); ++length) {
        BOOST_TEST(!errors_of(good.substr(0, length)).empty());
    }
}

BOOST_AUTO_TEST_CASE(error_texts_are_printable_ascii) {
    const std::string found = errors_of("{\"na\xc3\xa9\\u0001me\": 1, \"bandwidth_gb_per_s\": 1}");
    for (const char letter : found) {
        BOOST_TEST((letter >= 0x20 && letter < 0x7f), found);
    }
}

BOOST_AUTO_TEST_SUITE_END()
