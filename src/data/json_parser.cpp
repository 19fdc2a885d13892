#include "data/json_tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <version>

// Text to the nodes of a tree: plain JSON, of which anything unusual is left to nlohmann's parser.

namespace ridgeline {

/// Sorts members from `first` on by name; of those of one name the last stays.
static void sort_members(std::vector<JsonMember>& members, std::size_t first) {
    const auto begin = members.begin() + static_cast<std::ptrdiff_t>(first);
    std::reverse(begin, members.end());
    std::stable_sort(begin, members.end(),
                     [](const JsonMember& a, const JsonMember& b) { return a.name < b.name; });
    members.erase(
        std::unique(begin, members.end(),
                    [](const JsonMember& a, const JsonMember& b) { return a.name == b.name; }),
        members.end());
}

/// Children are gathered on a stack, and laid side by side when their list or object ends.
class PlainJson {
public:
    PlainJson(std::string_view text, int deepest, JsonTree& tree)
        : at_(text.data()), end_(text.data() + text.size()), left_(deepest), tree_(tree) {}

    bool read() {
        skip();
        if (!value(tree_.root_)) {
            return false;
        }
        skip();
        return at_ == end_;
    }

private:
    void skip() {
        const char* at = at_;
        while (at != end_ && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
            ++at;
        }
        at_ = at;
    }
    [[nodiscard]] bool next_is(char letter) const { return at_ != end_ && *at_ == letter; }
    bool take(char letter) {
        const bool there = next_is(letter);
        at_ += there ? 1 : 0;
        return there;
    }
    bool word(std::string_view word, JsonNode meant, JsonNode& into) {
        if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) {
            return false;
        }
        at_ += word.size();
        into = meant;
        return true;
    }

    bool value(JsonNode& into);
    bool object(JsonNode& into);
    bool list(JsonNode& into);
    bool text(std::string_view& into);
    bool escaped(const char* begin, std::string_view& into);
    bool number(JsonNode& into);

    void repeat(std::string_view name) {
        tree_.repeated_ = tree_.repeated_.empty() ? name : tree_.repeated_;
    }

    const char* at_;
    const char* end_;
    int left_;  ///< levels that may still be opened
    JsonTree& tree_;
    std::vector<JsonNode> elements_;
    std::vector<JsonMember> members_;
};

bool PlainJson::value(JsonNode& into) {
    if (at_ == end_) {
        return false;
    }
    switch (*at_) {
        case '{':
            return object(into);
        case '[':
            return list(into);
        case '"': {
            std::string_view words;
            const bool read = text(words);
            into = JsonNode(words);
            return read;
        }
        case 't':
            return word("true", JsonNode(true), into);
        case 'f':
            return word("false", JsonNode(false), into);
        case 'n':
            return word("null", {}, into);
        default:
            return number(into);
    }
}

bool PlainJson::object(JsonNode& into) {
    ++at_;
    if (left_-- == 0) {
        return false;
    }
    const std::size_t first = members_.size();
    skip();
    if (!next_is('}')) {
        do {
            skip();
            JsonMember member;
            if (!next_is('"') || !text(member.name)) {
                return false;
            }
            skip();
            if (!take(':')) {
                return false;
            }
            skip();
            if (!value(member.value)) {
                return false;
            }
            members_.push_back(member);
            skip();
        } while (take(','));
    }
    ++left_;
    const std::size_t count = members_.size() - first;
    if (count > most_unsorted_members) {
        sort_members(members_, first);
        repeat(members_.size() - first < count ? "of a large object" : "");
    } else {
        for (std::size_t i = first; i < members_.size(); ++i) {
            for (std::size_t j = i + 1; j < members_.size(); ++j) {
                repeat(members_[i].name == members_[j].name ? members_[i].name : "");
            }
        }
    }
    into = JsonNode(tree_.keep(std::span<const JsonMember>(members_).subspan(first)));
    members_.resize(first);
    return take('}');
}

bool PlainJson::list(JsonNode& into) {
    ++at_;
    if (left_-- == 0) {
        return false;
    }
    const std::size_t first = elements_.size();
    skip();
    if (!next_is(']')) {
        do {
            skip();
            JsonNode element;
            if (!value(element)) {
                return false;
            }
            elements_.push_back(element);
            skip();
        } while (take(','));
    }
    ++left_;
    into = JsonNode(tree_.keep(std::span<const JsonNode>(elements_).subspan(first)));
    elements_.resize(first);
    return take(']');
}

/// The text from the quote that is next.
bool PlainJson::text(std::string_view& into) {
    const char* const begin = at_ + 1;
    const char* at = begin;
    while (at != end_ && *at != '"' && *at != '\\' && *at >= ' ') {
        ++at;  // other bytes than those of ASCII are below zero
    }
    at_ = at;
    if (next_is('\\')) {
        return escaped(begin, into);
    }
    into = {begin, static_cast<std::size_t>(at_ - begin)};
    return take('"');
}

/// A text of which so much is read, up to its first escape.
bool PlainJson::escaped(const char* begin, std::string_view& into) {
    std::string words(begin, at_);
    while (at_ != end_ && *at_ >= ' ' && *at_ != '"') {
        if (*at_ != '\\') {
            words += *at_++;
            continue;
        }
        if (++at_ == end_) {
            return false;
        }
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
        const std::size_t which = letters.find(*at_++);
        if (which == std::string_view::npos) {
            return false;
        }
        words += meant[which];
    }
    into = tree_.keep(std::string_view(words));
    return take('"');
}

/// A number with a point or an exponent, whose form was checked.
static bool read_real(const char* begin, const char* end, double& into) {
#ifdef __cpp_lib_to_chars
    const auto [stop, problem] = std::from_chars(begin, end, into);
    return problem == std::errc{} && stop == end;
#else
    into = std::strtod(std::string(begin, end).c_str(), nullptr);
    return true;
#endif
}

bool PlainJson::number(JsonNode& into) {
    const char* begin = at_;
    const auto digits = [this] {
        const char* first = at_;
        while (at_ != end_ && *at_ >= '0' && *at_ <= '9') {
            ++at_;
        }
        return at_ != first;
    };
    const bool negative = take('-');
    if (!take('0') && !digits()) {
        return false;
    }
    bool whole = true;
    if (take('.')) {
        whole = false;
        if (!digits()) {
            return false;
        }
    }
    if (take('e') || take('E')) {
        whole = false;
        if (!take('+')) {
            take('-');
        }
        if (!digits()) {
            return false;
        }
    }
    const auto parsed = [&](auto number) {
        const auto [stop, problem] = std::from_chars(begin, at_, number);
        into = JsonNode(number);
        return problem == std::errc{} && stop == at_;
    };
    if (!whole) {
        double real = 0;
        const bool read = read_real(begin, at_, real) && std::isfinite(real);
        into = JsonNode(real);
        return read;
    }
    return negative ? parsed(std::int64_t{}) : parsed(std::uint64_t{});
}

bool JsonTree::read(std::string_view text, int deepest) {
    return PlainJson(text, deepest, *this).read();
}

}  // namespace ridgeline
