#include "advise/reading/words/lexicon.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

// The tables of phrases: what belongs to none stands in the list of words without meaning, once.

using namespace ridgeline::reading;

namespace {

std::vector<std::string> pieces_of(std::string_view text, char parts) {
    std::vector<std::string> pieces;
    while (!text.empty()) {
        pieces.emplace_back(text.substr(0, text.find(parts)));
        text.remove_prefix(std::min(text.size(), pieces.back().size() + 1));
    }
    return pieces;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lexicon)

BOOST_AUTO_TEST_CASE(words_without_meaning_are_sorted_and_stand_in_no_other_table) {
    const std::vector<std::string> fillers = pieces_of(filler_words(), ' ');
    BOOST_TEST(fillers.size() > 1000U);
    BOOST_TEST(std::is_sorted(fillers.begin(), fillers.end()));
    BOOST_TEST((std::adjacent_find(fillers.begin(), fillers.end()) == fillers.end()));
    for (const std::span<const Meaning> table :
         {work_phrases(), hardware_phrases(), asking_phrases()}) {
        for (const Meaning& meaning : table) {
            for (const std::string& phrase : pieces_of(meaning.phrases, '|')) {
                BOOST_TEST(!std::binary_search(fillers.begin(), fillers.end(), phrase),
                           phrase << " means something and nothing");
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
