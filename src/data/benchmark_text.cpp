#include "data/benchmark_text.h"

#include "base/text.h"

#include <utility>

namespace ridgeline {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        constexpr std::string_view tag = "<stdout>:";
        if (const std::size_t at = line.find(tag); at != std::string_view::npos) {
            line.remove_prefix(at + tag.size());
        }
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string_view> words_in(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view blanks = " \t";
    while (true) {
        const std::size_t begin = line.find_first_not_of(blanks);
        if (begin == std::string_view::npos) {
            return words;
        }
        line.remove_prefix(begin);
        const std::size_t end = std::min(line.find_first_of(blanks), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

std::optional<double> plain_number(std::string_view text) {
    const bool digits = text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
    return digits ? number_with_suffix(text) : std::nullopt;
}

MeasuredRun run_of_tool(std::string tool, std::string backend) {
    MeasuredRun run;
    run.tool = std::move(tool);
    run.backend = std::move(backend);
    return run;
}

MeasuredPoint point_of_time(PointKind kind, std::string name, double bytes, double seconds) {
    MeasuredPoint point;
    point.kind = kind;
    point.name = std::move(name);
    point.bytes = bytes;
    const Seconds time = seconds * second;
    point.time = {time, time, time, time, 1};
    return point;
}

}  // namespace ridgeline
