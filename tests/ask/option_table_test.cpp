#include "ask/option_table.h"

#include "ask/ask.h"
#include "base/text.h"
#include "shipped_world.h"
#include "spec/workload_fields.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

// Neither what a library would read as a number nor what looks like one is taken in silence.
BOOST_AUTO_TEST_CASE(what_is_no_number_is_refused_by_every_option) {
    const std::pair<const char*, std::map<std::string, std::vector<std::string>, std::less<>>>
        commands[] = {{"estimate", {{"model", {"llama-3.1-8b"}}, {"on", {"h100-sxm5-80gb"}}}},
                      {"advise", {{"question", {"7b"}}}},
                      {"own", {{"on", {"h100-sxm5-80gb:8"}}}},
                      {"compare", {{"accelerators", {"l40s", "h100-sxm5-80gb"}}}}};
    for (const auto& [command, options] : commands) {
        for (const OptionRow& row : options_of(command_named(command)->command)) {
            if (row.type != OptionType::number ||
                (command == std::string("compare") && !row.path.empty())) {
                continue;
            }
            for (const char* text : {"inf", "-inf", "nan", "1e309", "-0", "0x10", "1_000", "１２",
                                     " ", "+5", "12abc"}) {
                Request request;
                request.command = command;
                request.options = options;
                request.options[std::string(row.name)] = {text};
                const auto reply = ask::ask(shipped_world(), request);
                BOOST_TEST(!reply.has_value(), command << " --" << row.name << " " << text);
                BOOST_TEST((reply || reply.error().text().find(row.name) != std::string::npos),
                           command << " --" << row.name << " " << text << ": "
                                   << (reply ? "" : reply.error().text()));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(names_that_nothing_has_are_refused) {
    for (const auto& [option, text] :
         {std::pair("part", "inf"), std::pair("part", "denoise"), std::pair("round-phase", "x"),
          std::pair("storage", "x"), std::pair("network", "x"), std::pair("framework", "x")}) {
        Request request;
        request.command = "estimate";
        request.options = {{"model", {"llama-3.1-8b"}}, {"on", {"h100-sxm5-80gb"}}};
        request.options[option] = {text};
        const auto reply = ask::ask(shipped_world(), request);
        BOOST_TEST((!reply && reply.error().text().find(text) != std::string::npos),
                   option << " " << text);
    }
    for (const auto& [option, text] :
         {std::pair("provider", "gogle"), std::pair("region", "mars"), std::pair("vendor", "x"),
          std::pair("provider", "aws,gogle"), std::pair("vendor", "!nvidea")}) {
        Request request;
        request.command = "advise";
        request.options = {{"question", {"7b"}}};
        request.options[option] = {text};
        const auto reply = ask::ask(shipped_world(), request);
        BOOST_TEST((!reply && reply.error().where == std::string("--") + option),
                   option << " " << text);
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
