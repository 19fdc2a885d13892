// The reader of YAML against what the YAML 1.2 text says.
#include "data/formats/config_tree.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace ridgeline;
using Json = nlohmann::json;

BOOST_AUTO_TEST_SUITE(yaml)

namespace {

Json read(const std::string& text) {
    const auto trees = yaml_trees(text, "test");
    return trees ? Json(*trees) : Json("error: " + trees.error().message);
}

/// Texts whose trees follow from the rules of YAML 1.2, written down by hand.
struct Row {
    const char* text;
    const char* trees;
};

constexpr Row rows[] = {
    {"a: 1\nb: yes\nc:\nd: ~\ne: 1e-4\nf: 1_000\ng: 0x10\nh: +3",
     R"~([{"a":1,"b":true,"c":null,"d":null,"e":0.0001,"f":1000,"g":"0x10","h":3}])~"},
    {"a: 'it''s'\nb: \"x\\ty\\u00e9\"\nc: 'yes'\nd: !!str 5",
     R"~([{"a":"it's","b":"x\tyé","c":"yes","d":"5"}])~"},
    {"list:\n- 1\n- b: 2\n  c: 3\n-\n  - deep\n- - x\n  - y\nnext: 1",
     R"~([{"list":[1,{"b":2,"c":3},["deep"],["x","y"]],"next":1}])~"},
    {"a: {b: 1, c: [2, 'd', {e: f}], g, \"h\":3}\ni: [\n  1,\n  2,\n]",
     R"~([{"a":{"b":1,"c":[2,"d",{"e":"f"}],"g":null,"h":3},"i":[1,2]}])~"},
    {"a: [b: 1, {c: 2}, d:]", R"~([{"a":[{"b":1},{"c":2},{"d":null}]}])~"},
    {"run: |\n  one\n    two\n\n  three\nnext: >-\n  a\n  b\n\n  c\nlast: |+\n  x\n\n",
     R"~([{"run":"one\n  two\n\nthree\n","next":"a b\nc","last":"x\n\n"}])~"},
    {"a: one\n  two\n\n  three # not part\nb: http://x:1/#y # note",
     R"~([{"a":"one two\nthree","b":"http://x:1/#y"}])~"},
    {"base: &b\n  x: 1\nother:\n  <<: *b\n  y: 2\nagain: *b",
     R"~([{"base":{"x":1},"other":{"x":1,"y":2},"again":{"x":1}}])~"},
    {"# a note\n---\na: 1\n---\n# nothing\n---\n- 2\n...\n", R"~([{"a":1},[2]])~"},
    {"a:\r\n  b: 1\r\n  c: \"x\r\n    y\"\r\n", R"~([{"a":{"b":1,"c":"x y"}}])~"},
    {"\"quoted key\": 1\n'k': v\n? x", R"~("error: has a key that is no word")~"},
    {"a: 1\na: 2", R"~("error: states \"a\" twice")~"},
    {"a: *nowhere", R"~("error: not YAML: an alias names no anchor (line 1)")~"},
    {"a:\n\tb: 1", R"~("error: not YAML: a tab stands where blanks indent (line 2)")~"},
    {"a: b: c", R"~("error: not YAML: a map begins where a value was expected (line 1)")~"},
    {"a: [1, 2", R"~("error: not YAML: a bracket is not closed (line 1)")~"},
    {"a: 1\n  b: 2", R"~("error: not YAML: a key follows on the lines of a text (line 2)")~"},
    {"a: 'x", R"~("error: not YAML: a quote is not closed (line 1)")~"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(rules_of_yaml) {
    for (const Row& row : rows) {
        BOOST_TEST(read(row.text).dump() == Json::parse(row.trees).dump(), row.text);
    }
}

BOOST_AUTO_TEST_CASE(files_of_other_tools) {
    int files = 0;
    for (const char* folder : {"tests/formats/configs", "examples", "tests/cases", "packaging"}) {
        const auto root = std::filesystem::path(RIDGELINE_SOURCE_DIR) / folder;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
            if (entry.path().extension() != ".yaml" && entry.path().extension() != ".yml") {
                continue;
            }
            std::ifstream stream(entry.path(), std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(stream), {}};
            const bool hostile = entry.path().stem() == "bomb";  // 10^6 values of seven lines
            BOOST_TEST(yaml_trees(text, "test").has_value() == !hostile, entry.path());
            ++files;
        }
    }
    BOOST_TEST(files > 5);
}

BOOST_AUTO_TEST_CASE(hostile_texts_end) {
    BOOST_TEST(!yaml_trees(std::string(100'000, '['), "test"));
    std::string deep;
    for (int i = 0; i < 5000; ++i) {
        deep += "- ";
    }
    BOOST_TEST(!yaml_trees(deep, "test"));
    std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
    for (char name = 'b'; name < 'k'; ++name) {
        bomb += std::string(1, name) + ": &" + name + " [";
        for (int i = 0; i < 10; ++i) {
            bomb += std::string(i > 0 ? ", *" : "*") + static_cast<char>(name - 1);
        }
        bomb += "]\n";
    }
    BOOST_TEST(yaml_trees(bomb, "test").error().message.find("more than 100000 values") !=
               std::string::npos);
    // Each prefix of a text is read or refused, and never hangs.
    for (const Row& row : rows) {
        const std::string text = row.text;
        for (std::size_t i = 0; i <= text.size(); ++i) {
            (void)yaml_trees(text.substr(0, i), "test");
            (void)yaml_trees(text.substr(i), "test");
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
