#include "ask/option_table.h"

#include "base/text.h"
#include "spec/workload_fields.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace ridgeline;
using namespace ridgeline::ask;

BOOST_AUTO_TEST_SUITE(option_table)

BOOST_AUTO_TEST_CASE(an_option_is_told_once_a_command) {
    for (const CommandRow& command : command_table()) {
        std::set<std::string_view> names;
        for (const OptionRow& row : options_of(command.command)) {
            BOOST_TEST(names.insert(row.name).second,
                       command.name << " has two options " << row.name);
            BOOST_TEST(!row.help.empty(), row.name);
            BOOST_TEST(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
                           std::string_view::npos,
                       row.name);
            BOOST_TEST((row.type != OptionType::word || !row.words().empty()), row.name);
        }
        BOOST_TEST(command_named(command.name) == &command);
    }
    BOOST_TEST(command_named("estimat") == nullptr);
}

BOOST_AUTO_TEST_CASE(every_field_of_the_workload_document_is_an_option) {
    const auto& rows = options_of(Command::estimate);
    std::set<std::string_view> paths;
    for (const WorkloadField& field : workload_fields()) {
        BOOST_TEST(paths.insert(field.path).second, field.path);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& each) {
            return each.path == field.path;
        });
        BOOST_TEST((row != rows.end() && row->name == field.option), field.path);
        BOOST_TEST((field.type != FieldType::whole || field.most > field.least), field.path);
    }
}

BOOST_AUTO_TEST_CASE(commands_share_one_vocabulary) {
    for (const Command command : {Command::advise, Command::remedies, Command::roofline}) {
        for (const OptionRow& row : options_of(Command::estimate)) {
            if (row.group != "Workload") {
                continue;
            }
            const auto& rows = options_of(command);
            BOOST_TEST(std::any_of(rows.begin(), rows.end(),
                                   [&](const OptionRow& other) {
                                       return other.name == row.name && other.path == row.path;
                                   }),
                       row.name);
        }
    }
}

BOOST_AUTO_TEST_CASE(lengths_count_in_powers_of_two) {
    BOOST_TEST(length_with_suffix("8k").value() == 8192);
    BOOST_TEST(length_with_suffix("128K").value() == 131072);
    BOOST_TEST(length_with_suffix("10k").value() == 10000);
    BOOST_TEST(length_with_suffix("4096").value() == 4096);
    BOOST_TEST(!length_with_suffix("k").has_value());
    BOOST_TEST(number_with_suffix("8k").value() == 8000);  // a budget, a number of parameters
    BOOST_TEST(field_of_option("sequence")->is_length());
    BOOST_TEST(!field_of_option("tokens")->is_length());
}

BOOST_AUTO_TEST_SUITE_END()
