// The quick reader of JSON makes the same tree as nlohmann's, or leaves the text to it.
#include "data/json_tree.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace ridgeline;

namespace {

using Json = nlohmann::json;

/// Whether both agree: what the quick reader takes, the other reads to the same tree and types.
bool agrees(const std::string& text) {
    JsonTree tree;
    if (!tree.read(text, 64)) {
        return true;
    }
    const Json whole = Json::parse(text, nullptr, false);
    const Json quick = tree.root().copy();
    return !whole.is_discarded() && whole == quick && whole.dump() == quick.dump();
}

bool taken(const std::string& text) {
    JsonTree tree;
    return tree.read(text, 64);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_tree)

BOOST_AUTO_TEST_CASE(takes_what_documents_are_made_of) {
    const std::string text = R"( {"a": [1, -2, 0, -0, 3.25, 1e3, -1.5E-2, true, false, null],
        "b": {"c": "x\"\\\/\b\f\n\r\t", "": {}}, "d": [], "a": 18446744073709551615} )";
    BOOST_TEST(taken(text));
    BOOST_TEST(agrees(text));
}

BOOST_AUTO_TEST_CASE(leaves_the_rest_to_the_other_reader) {
    for (const char* text : {"",
                             " ",
                             "{",
                             "[1,]",
                             "{\"a\":1,}",
                             "01",
                             "1.",
                             ".5",
                             "+1",
                             "-",
                             "1e",
                             "nul",
                             "\"a",
                             "\"\\u0041\"",
                             "\"\xc3\xa9\"",
                             "\"\t\"",
                             "{} {}",
                             "1e999",
                             "18446744073709551616",
                             "{a: 1}",
                             "[1 2]",
                             "\xef\xbb\xbf{}"}) {
        BOOST_TEST(!taken(text), text);
    }
    BOOST_TEST(taken(std::string(64, '[') + std::string(64, ']')));
    BOOST_TEST(!taken(std::string(65, '[') + std::string(65, ']')));
}

BOOST_AUTO_TEST_CASE(finds_the_last_of_a_name_in_small_and_large_objects) {
    for (const int count : {2, 31, 32, 33, 500}) {
        std::string text = "{\"a\": 1";
        for (int i = 2; i < count; ++i) {
            text += ", \"k" + std::to_string(i) + "\": " + std::to_string(i);
        }
        text += ", \"a\": -7}";
        JsonTree tree;
        BOOST_REQUIRE(tree.read(text, 64));
        BOOST_TEST(agrees(text));
        BOOST_REQUIRE(tree.root().find("a") != nullptr);
        BOOST_TEST(tree.root().find("a")->value.number() == -7);
        BOOST_TEST(tree.root().find("b") == nullptr);
        BOOST_TEST((tree.root().find("k5") != nullptr) == (count > 5));
    }
}

BOOST_AUTO_TEST_CASE(copies_what_the_other_reader_made) {
    const Json whole = Json::parse("{\"\\u00e9\": [1, -1, 1.5, true, null, \"\xc3\xa9\", {}, []]}");
    JsonTree tree;
    tree.copy(whole);
    BOOST_TEST(tree.root().copy().dump() == whole.dump());
    BOOST_TEST(tree.root().find("\xc3\xa9")->value.elements().size() == 8U);
}

BOOST_AUTO_TEST_CASE(reads_each_bundled_document_as_the_other) {
    const std::filesystem::path source = RIDGELINE_SOURCE_DIR;
    int quick = 0;
    for (const char* folder : {"catalog", "profiles"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(source / folder)) {
            if (entry.path().extension() == ".json") {
                std::ifstream file(entry.path());
                const std::string text{std::istreambuf_iterator<char>(file), {}};
                BOOST_TEST(agrees(text), entry.path());
                quick += taken(text) ? 1 : 0;
            }
        }
    }
    BOOST_TEST(quick > 500);
}

BOOST_AUTO_TEST_CASE(agrees_on_changed_texts) {
    BOOST_TEST(rc::check("a changed text", [] {
        std::string text =
            R"({"a": [1, -2, 0.5, 1e-3, true, null], "b": {"c": "x\ny", "d": []}, "e": 12345678901})";
        const std::string letters = "{}[]\",:\\0123456789+-.eEtfnu aå\n";
        for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
            const auto at =
                static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
            const auto letter =
                static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(letters.size())));
            text.replace(at, static_cast<std::size_t>(*rc::gen::inRange(0, 2)), 1, letters[letter]);
        }
        RC_ASSERT(agrees(text));
    }));
}

BOOST_AUTO_TEST_SUITE_END()
