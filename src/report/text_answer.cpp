#include "base/text.h"
#include "report/answer_report.h"
#include "report/table.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace ridgeline::report {
namespace {

constexpr std::size_t three_lines = 228;

/// Where the sentences end that fill three lines; what comes behind is told below them.
std::size_t end_of_lead(const std::string& headline) {
    std::size_t end = headline.size() <= three_lines ? headline.size() : std::string::npos;
    for (std::size_t at = headline.find(". "); end == std::string::npos && at != std::string::npos;
         at = headline.find(". ", at + 1)) {
        const std::size_t next = headline.find(". ", at + 1);
        if (next == std::string::npos || next >= three_lines) {
            end = at + 1;
        }
    }
    return std::min(end, headline.size());
}

/// Where the last "; " before `most` stands that is in no parenthesis; npos: there is none.
std::size_t clause_before(const std::string& text, std::size_t most) {
    std::size_t at = text.rfind("; ", most);
    while (at != text.npos &&
           std::count(text.begin(), text.begin() + static_cast<long>(at), '(') !=
               std::count(text.begin(), text.begin() + static_cast<long>(at), ')')) {
        at = at == 0 ? text.npos : text.rfind("; ", at - 1);
    }
    return at;
}

/// The answer in three lines, and what else is told: of one sentence that is longer, its parts
/// behind a semicolon.
std::pair<std::string, std::string> lead_and_rest(const std::string& headline) {
    const std::size_t end = end_of_lead(headline);
    std::string lead = headline.substr(0, end);
    std::string rest = end < headline.size() ? headline.substr(end + 1) : "";
    const std::size_t part =
        lead.size() > three_lines ? clause_before(lead, three_lines) : lead.npos;
    if (part != lead.npos && part > 0) {
        std::string behind = lead.substr(part + 2);
        behind.front() =
            static_cast<char>(std::toupper(static_cast<unsigned char>(behind.front())));
        rest = behind + (rest.empty() ? "" : " ") + rest;
        lead = lead.substr(0, part) + ".";
    }
    return {std::move(lead), std::move(rest)};
}

}  // namespace

std::string answer_text(const Reading& reading, const Answer& answer, const Style& style) {
    const auto [lead, rest] = lead_and_rest(answer.headline);
    std::string out = paragraph("", lead, style);
    out.pop_back();
    out = strong(out, style) + "\n";
    if (!reading.flags.empty()) {
        out += paragraph("Read as  ", std::string(name_of(reading.intent)) + ": " + reading.flags,
                         style);
    }
    if (style.explain && !reading.because.empty()) {
        out += paragraph("Rule     ",
                         std::string(name_of(reading.intent)) + ": " + std::string(reading.because),
                         style);
    }
    // The three that move an answer most come first in the reading.
    constexpr std::size_t most = 3;
    std::string assumed;
    for (std::size_t i = 0; i < reading.assumed.size(); ++i) {
        const AssumedField& field = reading.assumed[i];
        // The rate by which a sum was turned into dollars is told, whatever else is assumed.
        if (i < most ||
            (!reading.currency.empty() && field.field == "usd_per_" + reading.currency)) {
            append(assumed, "; ", field.field + " " + field.value + " (" + field.why + ")");
        }
    }
    // A number may decide all: one with a unit that nothing knows is told where the answer stands.
    std::string unread;
    for (auto word = reading.not_understood.begin(); word != reading.not_understood.end(); ++word) {
        if (word->find_first_not_of("0123456789.") == std::string::npos) {
            const auto unit = std::next(word);
            append(unread, ", ", *word + (unit == reading.not_understood.end() ? "" : " " + *unit));
        }
    }
    if (!unread.empty()) {
        out += paragraph("Not read ", unread + ": left out of the answer", style);
    }
    if (!assumed.empty()) {
        out += paragraph("Assumed  ", assumed, style);
    }
    if (!rest.empty()) {
        out += "\n" + paragraph("", rest, style);
    }
    return out;
}

}  // namespace ridgeline::report
