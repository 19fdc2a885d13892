#include "data/load_requests.h"

#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_bytes = 64U << 20U;
constexpr std::size_t most_requests = 200'000;
constexpr double most_tokens = 1e8;
/// Tokens of a block whose hash Mooncake's traces give.
constexpr double hashed_tokens = 512;

struct Column {
    std::string_view what;
    std::array<std::string_view, 9> names;
};
// Without case and separators.
constexpr Column time_column{
    "time",
    {"time", "timestamp", "arrivaltime", "arrival", "arrivedat", "starttime", "seconds", "t", ""}};
constexpr Column input_column{"prompt tokens",
                              {"inputtokens", "prompttokens", "contexttokens", "requesttokens",
                               "inputlength", "promptlen", "prompt", "input", "numprefilltokens"}};
constexpr Column output_column{
    "output tokens",
    {"outputtokens", "completiontokens", "generatedtokens", "responsetokens", "outputlength",
     "outputlen", "output", "completion", "numdecodetokens"}};

std::string plain(std::string_view name) {
    std::string key;
    for (const char letter : lower(name)) {
        if (is_letter(letter) || is_digit(letter)) {
            key += letter;
        }
    }
    return key;
}

std::optional<std::size_t> position_of(const Column& column, const std::vector<std::string>& head) {
    for (const std::string_view name : column.names) {
        for (std::size_t i = 0; i < head.size(); ++i) {
            if (!name.empty() && plain(head[i]) == name) {
                return i;
            }
        }
    }
    return std::nullopt;
}

std::string bare(std::string_view text) { return std::string(trimmed(text, " \r\t\"")); }

/// Seconds of "12.5" or of "2023-11-16 18:15:46.68" since the year 2000.
std::optional<double> time_of(const std::string& text) {
    constexpr std::string_view form = "0000-00-00 00:00:0";  // any sign may part day and hour
    bool dated = text.size() >= form.size();
    for (std::size_t i = 0; dated && i < form.size(); ++i) {
        dated = form[i] == '0' ? is_digit(text[i]) : form[i] == ' ' || form[i] == text[i];
    }
    if (!dated) {
        return number_with_suffix(text);
    }
    const auto whole = [&](std::size_t at, std::size_t digits) {
        return static_cast<int>(number_with_suffix(text.substr(at, digits)).value_or(0));
    };
    const int year = whole(0, 4);
    const int month = whole(5, 2);
    const int day = whole(8, 2);
    const int hour = whole(11, 2);
    const int minute = whole(14, 2);
    const double second = std::strtod(text.c_str() + 17, nullptr);
    using namespace std::chrono;
    const sys_days date(year_month_day(std::chrono::year(year),
                                       std::chrono::month(static_cast<unsigned>(month)),
                                       std::chrono::day(static_cast<unsigned>(day))));
    const auto days = static_cast<double>((date - sys_days(2000y / January / 1)).count());
    return 86400.0 * days + 3600.0 * hour + 60.0 * minute + second;
}

bool is_length(const std::optional<double>& tokens) {
    return tokens && *tokens >= 0 && *tokens <= most_tokens;
}

using Requests = Result<std::vector<TracedRequest>>;

Requests from_table(const std::string& where, const std::vector<std::string>& lines) {
    const std::vector<std::string> head = split(lines.front(), ',');
    const auto time = position_of(time_column, head);
    const auto input = position_of(input_column, head);
    const auto output = position_of(output_column, head);
    for (const auto& [at, column] :
         {std::pair{input, &input_column}, std::pair{output, &output_column}}) {
        if (!at) {
            return input_error(
                where + ": line 1",
                fmt::format("no column of {} in \"{}\"", column->what, bare(lines.front())),
                "Expected a header such as time,input_tokens,output_tokens.");
        }
    }
    std::vector<TracedRequest> requests;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (bare(lines[i]).empty()) {
            continue;
        }
        const std::vector<std::string> cells = split(lines[i], ',');
        const auto number = [&](std::size_t at) -> std::optional<double> {
            return at < cells.size() ? time_of(bare(cells[at])) : std::nullopt;
        };
        const auto came = time ? number(*time) : std::optional<double>(0);
        const auto prompt = number(*input);
        const auto answer = number(*output);
        if (!came || !is_length(prompt) || !is_length(answer)) {
            return input_error(fmt::format("{}: line {}", where, i + 1),
                               fmt::format("found \"{}\", expected a time and numbers of tokens",
                                           bare(lines[i]).substr(0, 60)));
        }
        requests.push_back({*came, *prompt, *answer, 0});
    }
    return requests;
}

Requests from_json_lines(const std::string& where, const std::vector<std::string>& lines) {
    std::vector<TracedRequest> requests;
    std::set<double> seen;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (bare(lines[i]).empty()) {
            continue;
        }
        const Json row = Json::parse(lines[i], nullptr, false);
        const auto number = [&row](const char* key) -> std::optional<double> {
            const bool there = row.is_object() && row.contains(key) && row[key].is_number();
            return there ? std::optional<double>(row[key].get<double>()) : std::nullopt;
        };
        const auto input = number("input_length");
        const auto output = number("output_length");
        if (!is_length(input) || !is_length(output)) {
            return input_error(fmt::format("{}: line {}", where, i + 1), "found no request",
                               "Expected {\"timestamp\": ms, \"input_length\": N, "
                               "\"output_length\": N}, as Mooncake's traces have it.");
        }
        double cached = 0;
        bool before = true;
        if (row.contains("hash_ids") && row["hash_ids"].is_array()) {
            for (const Json& id : row["hash_ids"]) {
                if (id.is_number()) {
                    before = !seen.insert(id.get<double>()).second && before;
                    cached += before ? hashed_tokens : 0;
                }
            }
        }
        requests.push_back(
            {number("timestamp").value_or(0) / 1000, *input, *output, std::min(cached, *input)});
    }
    return requests;
}

}  // namespace

Requests load_requests(const TreePath& file) {
    const auto text = file.read(most_bytes);
    if (!text) {
        return tl::unexpected(text.error());
    }
    std::vector<std::string> lines = split(*text, '\n');
    while (!lines.empty() && bare(lines.back()).empty()) {
        lines.pop_back();
    }
    const std::string where = file.string();
    if (lines.empty()) {
        return input_error(where, "found an empty file, expected a line a request");
    }
    const bool json = bare(lines.front()).starts_with("{");
    Requests requests = json ? from_json_lines(where, lines) : from_table(where, lines);
    if (!requests) {
        return requests;
    }
    if (requests->empty()) {
        return input_error(where, "found no request below the header");
    }
    if (requests->size() > most_requests) {
        return input_error(where, fmt::format("found {} requests, expected {} at most",
                                              requests->size(), most_requests));
    }
    std::ranges::stable_sort(*requests, {}, &TracedRequest::time);
    const double first = requests->front().time;
    for (TracedRequest& request : *requests) {
        request.time -= first;
    }
    return requests;
}

}  // namespace ridgeline
