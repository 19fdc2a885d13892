#include "ask/ask.h"
#include "shipped_world.h"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

using namespace ridgeline;
using namespace ridgeline::ask;
namespace fs = std::filesystem;

namespace {

/// The files of catalog/ and profiles/ as a bundle holds them.
std::map<std::string, std::string> shipped_texts() {
    const fs::path root = RIDGELINE_SOURCE_DIR;
    std::map<std::string, std::string> texts;
    for (const char* folder : {"catalog", "profiles"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.is_regular_file()) {
                std::ifstream file(entry.path(), std::ios::binary);
                texts.emplace(fs::relative(entry.path(), root).string(),
                              std::string(std::istreambuf_iterator<char>(file), {}));
            }
        }
    }
    return texts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bundles)

BOOST_AUTO_TEST_CASE(a_bundle_answers_as_the_folder_does) {
    const auto tree = bundle_of(shipped_texts());
    WorldPlaces places;
    places.catalog = TreePath("catalog", tree);
    places.profiles = TreePath("profiles", tree);
    const auto world = load_world(places);
    BOOST_TEST_REQUIRE(world.has_value(), (world ? "" : world.error().text()));
    const std::map<std::string, std::map<std::string, std::vector<std::string>, std::less<>>>
        requests = {
            {"estimate", {{"model", {"meta-llama/Llama-3.1-8B"}}, {"on", {"h100-sxm5-80gb:2"}}}},
            {"catalog", {{"verb", {"list"}}}},
            {"profiles", {{"verb", {"show"}}, {"subject", {"gpt-oss-20b"}}}},
            {"advise", {{"question", {"qlora llama-3.1-8b on one 24GB card"}}}},
        };
    for (const auto& [command, options] : requests) {
        Request request;
        request.command = command;
        request.options = options;
        const auto from_bundle = ask::ask(*world, request);
        const auto from_folder = ask::ask(shipped_world(), request);
        BOOST_TEST_REQUIRE(from_bundle.has_value(), command);
        BOOST_TEST_REQUIRE(from_folder.has_value(), command);
        BOOST_TEST(from_bundle->body == from_folder->body, command);
    }
}

BOOST_AUTO_TEST_CASE(paths_of_a_bundle) {
    const auto tree = bundle_of({{"a/one.json", "1"}, {"a/two.txt", "2"}, {"a/b/three.json", "3"}});
    const TreePath folder("a", tree);
    BOOST_TEST(folder.is_folder());
    BOOST_TEST(!folder.is_file());
    BOOST_TEST_REQUIRE(folder.json_files().size() == 1);
    BOOST_TEST(folder.json_files().front().stem() == "one");
    BOOST_TEST((folder / "b" / "three.json").read().value() == "3");
    BOOST_TEST(!(folder / "none.json").read().has_value());
    BOOST_TEST(!(folder / "one.json").read(0).has_value());
    BOOST_TEST((folder / "b" / "..").is_folder());
    BOOST_TEST((folder / "one.json").day().empty());
}

BOOST_AUTO_TEST_SUITE_END()
