#include "data/formats/yaml_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ridgeline {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0'; }

bool is_flow_mark(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80U | (code >> shift & 0x3fU)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0U | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0U | code >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0U | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

void trim_end(std::string& text) { text.erase(text.find_last_not_of(" \t\r") + 1); }

/// Lines of a block text joined: '>' makes blanks of single line ends, but not around lines that
/// stand deeper.
std::string one_text(const std::vector<std::string>& lines, bool folded) {
    std::string out;
    bool blank_before = true;  // nothing to fold with yet
    bool deep_before = false;
    std::size_t empty = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        if (line.empty()) {
            ++empty;
            continue;
        }
        const bool deep = line.front() == ' ' || line.front() == '\t';
        if (blank_before) {
            out.append(empty, '\n');
        } else if (!folded || deep || deep_before) {
            out.append(empty + 1, '\n');
        } else if (empty > 0) {
            out.append(empty, '\n');
        } else {
            out += ' ';
        }
        out += line;
        blank_before = false;
        deep_before = deep;
        empty = 0;
    }
    return out;
}

}  // namespace

void YamlCursor::fail(std::string_view problem) {
    if (!failed_) {
        const auto here = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
        problem_ = fmt::format("{} (line {})", problem, std::count(text_.begin(), here, '\n') + 1);
        failed_ = true;
        at_ = text_.size();
    }
}

bool YamlCursor::at_blank(std::size_t ahead) const { return is_blank(peek(ahead)); }

bool YamlCursor::ended() const {
    if (at_ >= text_.size()) {
        return true;
    }
    const std::string_view mark = text_.substr(at_, 3);
    return (mark == "---" || mark == "...") && (at_ == 0 || text_[at_ - 1] == '\n') && at_blank(3);
}

bool YamlCursor::next_document() {
    skip();
    while (peek() == '%' || (ended() && peek() == '.')) {
        at_ = std::min(text_.find('\n', at_), text_.size());
        skip();
    }
    if (at_ < text_.size() && ended()) {
        at_ += 3;
        skip();
        return good();
    }
    return good() && at_ < text_.size();
}

bool YamlCursor::skip() {
    bool new_line = false;
    for (; at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (c == '#' && (at_ == 0 || is_blank(text_[at_ - 1]))) {
            at_ = text_.find('\n', at_);
            if (at_ == std::string_view::npos) {
                at_ = text_.size();
                break;
            }
            new_line = true;
        } else if (c == '\n') {
            new_line = true;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
    }
    return new_line;
}

int YamlCursor::column() const {
    const std::size_t line = at_ == 0 ? std::string_view::npos : text_.rfind('\n', at_ - 1);
    return static_cast<int>(at_ - (line == std::string_view::npos ? 0 : line + 1));
}

int YamlCursor::block_column() {
    const int left = column();
    const std::string_view line =
        text_.substr(at_ - static_cast<std::size_t>(left), static_cast<std::size_t>(left));
    if (line.find('\t') != std::string_view::npos) {
        fail("a tab stands where blanks indent");
    }
    return left;
}

bool YamlCursor::at_mark(char mark) const { return peek() == mark && at_blank(1); }

bool YamlCursor::at_colon(bool flow) {
    std::size_t ahead = 0;
    while (peek(ahead) == ' ' || peek(ahead) == '\t') {
        ++ahead;
    }
    const bool quoted_before = at_ > 0 && (text_[at_ - 1] == '"' || text_[at_ - 1] == '\'');
    if (peek(ahead) != ':' ||
        !(at_blank(ahead + 1) || (flow && (quoted_before || is_flow_mark(peek(ahead + 1)))))) {
        return false;
    }
    at_ += ahead;
    return true;
}

std::string YamlCursor::word(bool flow) {
    const std::size_t start = at_;
    while (!at_blank(0) && !(flow && is_flow_mark(peek()))) {
        ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
}

/// The line ends here: it becomes a blank, or as many line ends as lines are empty.
void YamlCursor::fold(std::string& out) {
    trim_end(out);
    int lines = 0;
    for (; peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n'; ++at_) {
        lines += peek() == '\n' ? 1 : 0;
    }
    out.append(lines > 1 ? static_cast<std::size_t>(lines - 1) : 1, lines > 1 ? '\n' : ' ');
}

void YamlCursor::hexadecimal(std::string& out, int digits) {
    std::uint32_t code = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
        const std::size_t value =
            std::string_view("0123456789abcdef").find(static_cast<char>(peek() | 0x20));
        if (value == std::string_view::npos) {
            return fail("an escape of too few digits");
        }
        code = code << 4U | static_cast<std::uint32_t>(value);
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        return fail("an escape of no character");
    }
    append_utf8(out, code);
}

void YamlCursor::escape(std::string& out) {
    static constexpr std::string_view names = "0abtnvfre\"/\\ ";
    static constexpr std::string_view values("\0\a\b\t\n\v\f\r\x1b\"/\\ ", 13);
    const char name = peek();
    step();
    if (const std::size_t known = names.find(name); known != std::string_view::npos) {
        out += values[known];
    } else if (name == 'x' || name == 'u' || name == 'U') {
        hexadecimal(out, name == 'x' ? 2 : name == 'u' ? 4 : 8);
    } else if (name == '\n') {
        while (peek() == ' ' || peek() == '\t') {
            ++at_;
        }
    } else {
        fail("an escape that means nothing");
    }
}

std::string YamlCursor::quoted() {
    const char quote = peek();
    std::string out;
    step();
    while (at_ < text_.size()) {
        const char c = peek();
        if (c == '\n') {
            fold(out);
            continue;
        }
        step();
        if (c == quote) {
            if (quote == '"' || peek() != '\'') {
                return out;
            }
            step();
            out += '\'';
        } else if (c == '\\' && quote == '"') {
            escape(out);
        } else {
            out += c;
        }
    }
    fail("a quote is not closed");
    return out;
}

std::string YamlCursor::plain_line(bool flow) {
    static constexpr std::string_view reserved = ",[]{}#&*!|>'\"%@`";
    if (reserved.find(peek()) != std::string_view::npos) {
        fail("a text begins with a sign that needs quotes");
        return {};
    }
    return rest_of_line(flow);
}

std::string YamlCursor::rest_of_line(bool flow) {
    const std::size_t start = at_;
    for (; at_ < text_.size() && peek() != '\n'; ++at_) {
        const char c = peek();
        const bool ends_key = c == ':' && (at_blank(1) || (flow && is_flow_mark(peek(1))));
        const bool comment = c == '#' && at_ > start && is_blank(text_[at_ - 1]);
        if (ends_key || comment || (flow && is_flow_mark(c))) {
            break;
        }
    }
    std::string out(text_.substr(start, at_ - start));
    trim_end(out);
    return out;
}

std::string YamlCursor::plain(int indent, bool flow) {
    std::string out = plain_line(flow);
    while (good() && peek() == '\n') {
        const std::size_t line_end = at_;
        int lines = 0;
        for (; at_ < text_.size() && at_blank(0); ++at_) {
            lines += peek() == '\n' ? 1 : 0;
        }
        const bool stops = flow ? is_flow_mark(peek()) || peek() == ':' : column() < indent;
        if (ended() || stops || peek() == '#') {
            at_ = line_end;
            break;
        }
        out.append(lines > 1 ? static_cast<std::size_t>(lines - 1) : 1, lines > 1 ? '\n' : ' ');
        out += rest_of_line(flow);
    }
    return out;
}

YamlCursor::BlockHead YamlCursor::block_head() {
    BlockHead head;
    head.folded = peek() == '>';
    for (step(); !at_blank(0); step()) {
        const char c = peek();
        if (c == '+' || c == '-') {
            head.chomping = c;
        } else if (c >= '1' && c <= '9') {
            head.indent = c - '0';
        } else {
            fail("| or > is followed by something");
        }
    }
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') {
        step();
    }
    if (peek() == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
    }
    if (at_ < text_.size() && peek() != '\n') {
        fail("| or > is followed by something");
    }
    step();
    return head;
}

std::string YamlCursor::block_text(int indent) {
    const BlockHead head = block_head();
    int own = head.indent > 0 ? std::max(0, indent - 1) + head.indent : 0;
    std::vector<std::string> lines;
    while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string line(text_.substr(at_, end - at_));
        line.erase(line.find_last_not_of('\r') + 1);
        const std::size_t words = line.find_first_not_of(' ');
        const int left = static_cast<int>(std::min(words, line.size()));
        if (words != std::string::npos) {
            own = own == 0 ? std::max(left, 0) : own;
            if (left < std::max(own, indent) || ended()) {
                break;
            }
        }
        lines.push_back(line.size() > static_cast<std::size_t>(own) && own > 0
                            ? line.substr(static_cast<std::size_t>(own))
                        : words == std::string::npos ? ""
                                                     : line);
        at_ = std::min(end + 1, text_.size());
    }
    std::size_t empty = 0;
    while (empty < lines.size() && lines[lines.size() - 1 - empty].empty()) {
        ++empty;
    }
    std::string out = one_text(lines, head.folded);
    const bool any = empty < lines.size();
    out.append(head.chomping == '+'          ? empty + (any ? 1 : 0)
               : head.chomping == ' ' && any ? 1
                                             : 0,
               '\n');
    return out;
}

}  // namespace ridgeline
