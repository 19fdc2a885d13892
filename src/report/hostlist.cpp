#include "report/hostlist.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ridgeline::report {
namespace {

constexpr std::size_t most_digits = 9;

struct Group {
    std::string stem;
    std::size_t width = 0;  ///< of numbers with leading zeros; 0: none has them
    std::vector<unsigned long> numbers;
};

std::string ranges_of(const Group& group) {
    const auto shown = [&](unsigned long number) {
        return fmt::format("{:0{}}", number, group.width);
    };
    std::string text;
    for (std::size_t i = 0; i < group.numbers.size();) {
        std::size_t last = i;
        while (last + 1 < group.numbers.size() &&
               group.numbers[last + 1] == group.numbers[last] + 1) {
            ++last;
        }
        append(text, ",", shown(group.numbers[i]));
        text += last > i ? "-" + shown(group.numbers[last]) : "";
        i = last + 1;
    }
    const bool one = group.numbers.size() == 1;
    return group.stem + (one ? text : "[" + text + "]");
}

}  // namespace

std::string hostlist(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::map<std::pair<std::string, std::size_t>, Group> groups;
    std::vector<std::string> alone;
    for (const std::string& name : names) {
        const std::size_t end = name.find_last_not_of("0123456789");
        const std::size_t begin = end == std::string::npos ? 0 : end + 1;
        const std::string digits = name.substr(begin);
        if (digits.empty() || digits.size() > most_digits) {
            alone.push_back(name);
            continue;
        }
        const std::size_t width = digits.size() > 1 && digits.front() == '0' ? digits.size() : 0;
        // 07 and 10 are of one width; 7 and 10 have none.
        const std::size_t key = width > 0 ? width : digits.size();
        const std::string stem = name.substr(0, begin);
        const bool padded = std::any_of(names.begin(), names.end(), [&](const std::string& other) {
            return other.size() == stem.size() + digits.size() &&
                   other.compare(0, begin, stem) == 0 && digits.size() > 1 && other[begin] == '0';
        });
        Group& group = groups[{stem, padded ? key : 0}];
        group.stem = stem;
        group.width = padded ? digits.size() : 0;
        group.numbers.push_back(std::stoul(digits));
    }
    std::string text;
    for (auto& [key, group] : groups) {
        std::sort(group.numbers.begin(), group.numbers.end());
        append(text, ",", ranges_of(group));
    }
    for (const std::string& name : alone) {
        append(text, ",", name);
    }
    return text;
}

}  // namespace ridgeline::report
