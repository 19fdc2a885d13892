#include "advise/reading/words/token.h"

#include "advise/reading/words/everyday_words.h"
#include "advise/reading/words/folded.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <algorithm>
#include <utility>

namespace ridgeline::reading {

namespace {

bool is_word(char c) { return is_letter(c) || is_digit(c); }

/// A number in Han characters before a word that counts cards or machines, or before a name:
/// "\u56db\u5f20", "\u53cc4090".
struct Counted {
    int value = 0;           ///< 0: there is none
    std::size_t length = 0;  ///< bytes of both
    bool machines = false;
};

Counted counted_at(std::string_view text, std::size_t at) {
    constexpr std::size_t bytes = 3;  // of each of these characters in UTF-8
    struct Numeral {
        std::string_view sign;
        int value;
    };
    static constexpr Numeral numerals[] = {
        {"\u4e00", 1}, {"\u4e8c", 2}, {"\u4e24", 2}, {"\u5169", 2}, {"\u53cc", 2},
        {"\u4e09", 3}, {"\u56db", 4}, {"\u4e94", 5}, {"\u516d", 6}, {"\u4e03", 7},
        {"\u516b", 8}, {"\u4e5d", 9}, {"\u5341", 10}};
    static constexpr std::string_view counters[] = {
        "\u5f20", "\u5f35", "\u5757", "\u584a", "\u5361", "\u679a", "\u7247", "\u53f0", "\u81fa"};
    int value = 0;
    std::size_t end = at;
    for (bool tens = false;; end += bytes) {
        const auto numeral = std::ranges::find(
            numerals, text.substr(std::min(end, text.size()), bytes), &Numeral::sign);
        if (numeral == std::end(numerals)) {
            break;
        }
        const bool ten = numeral->value == 10;
        value = ten ? std::max(1, value) * 10 : tens ? value + numeral->value : numeral->value;
        tens = tens || ten;
    }
    const auto counter =
        std::ranges::find(counters, text.substr(std::min(end, text.size()), bytes));
    if (value == 0 ||
        (counter == std::end(counters) && (end >= text.size() || !is_digit(text[end])))) {
        return {};
    }
    const bool counts = counter != std::end(counters);
    return {value, end - at + (counts ? bytes : 0), counts && counter >= std::end(counters) - 2};
}

/// Digits, with a point or without.
bool is_figure(std::string_view text) {
    return has_digit(text) && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

class Scanner {
public:
    explicit Scanner(const Folded& folded) : text_(folded.text), origin_(folded.origin) {}

    Tokens run() {
        while (at_ < text_.size()) {
            step();
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : ' '; }
    [[nodiscard]] bool word_before() const { return at_ > 0 && is_word(text_[at_ - 1]); }

    void widen(Gap gap) { gap_ = std::max(gap_, gap); }

    void push(std::string text, std::size_t from, std::size_t to, bool foreign = false) {
        Token token;
        token.text = std::move(text);
        token.begin = origin_[from];
        token.end = to < origin_.size() ? origin_[to] : origin_.back() + 1;
        token.gap = out_.list.empty() ? Gap::stop : gap_;
        token.negative = negative_;
        token.foreign = foreign;
        out_.list.push_back(std::move(token));
        gap_ = Gap::none;
        negative_ = false;
    }

    void step() {
        const char c = text_[at_];
        if (is_word(c) || (c == '.' && is_digit(peek(at_ + 1)) && !word_before())) {
            word();
        } else if (static_cast<unsigned char>(c) >= 0x80) {
            other_script();
        } else {
            sign(c);
        }
    }

    void word() {
        const std::size_t start = at_;
        std::string text = text_[at_] == '.' ? "0" : "";
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (is_word(c)) {
                text += c;
            } else if (c == '.' && is_word(peek(at_ + 1)) && (at_ > start || !text.empty())) {
                text += c;
            } else if (c == '\'' && is_letter(peek(at_ + 1))) {
                continue;
            } else if (c == ',' && inside_number(start, text)) {
                continue;
            } else {
                break;
            }
        }
        take_power(text);
        push(std::move(text), start, at_);
        join_factor();
    }

    /// "10^12" and "1.5x10^12" are one number.
    void take_power(std::string& text) {
        const bool product = text.ends_with("x10");
        const std::string factor = product ? text.substr(0, text.size() - 3) : "1";
        if ((!product && text != "10") || !is_figure(factor) || peek(at_) != '^' ||
            !is_digit(peek(at_ + 1))) {
            return;
        }
        std::size_t end = at_ + 1;
        while (is_digit(peek(end))) {
            ++end;
        }
        constexpr std::size_t most_digits = 2;
        if (end - at_ - 1 <= most_digits) {
            text = factor + "e" + std::string(text_.substr(at_ + 1, end - at_ - 1));
            at_ = end;
        }
    }

    /// "2 * 10^12", as the power of ten before which a number and the sign stand.
    void join_factor() {
        std::vector<Token>& list = out_.list;
        if (list.size() < 3 || !list.back().text.starts_with("1e") ||
            !all_digits(std::string_view(list.back().text).substr(2)) ||
            list[list.size() - 2].text != "x" || !is_figure(list[list.size() - 3].text)) {
            return;
        }
        const Token power = std::move(list.back());
        list.resize(list.size() - 2);
        list.back().text += power.text.substr(1);
        list.back().end = power.end;
    }

    /// A comma between digits: thousands are joined, a decimal comma is remembered as a fault.
    bool inside_number(std::size_t start, const std::string& text) {
        if (!all_digits(text) || !is_digit(peek(at_ + 1))) {
            return false;
        }
        std::size_t digits = 0;
        while (is_digit(peek(at_ + 1 + digits))) {
            ++digits;
        }
        if (digits == 3) {
            return true;
        }
        // "devices=0,1", "0,1,2,3": a list
        const bool listed = (!out_.list.empty() && out_.list.back().text == "devices") ||
                            (peek(at_ + 1 + digits) == ',' && is_digit(peek(at_ + 2 + digits))) ||
                            (start > 0 && text_[start - 1] == ',');
        if (listed) {
            return false;
        }
        if (text.size() <= 3 && digits <= 2 && out_.decimal_comma.empty()) {
            std::size_t end = at_ + 1 + digits;
            while (is_letter(peek(end))) {
                ++end;
            }
            out_.decimal_comma = std::string(text_.substr(start, end - start));
        }
        return false;
    }

    void other_script() {
        for (const std::string_view money : {"\u20ac", "\u00a3", "\u00a5"}) {
            if (text_.substr(at_, money.size()) == money) {
                push(std::string(money), at_, at_ + money.size());
                at_ += money.size();
                return;
            }
        }
        std::size_t start = at_;
        const auto push_run = [&] {
            if (at_ > start) {
                push(std::string(text_.substr(start, at_ - start)), start, at_, true);
            }
        };
        while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80) {
            const Counted counted = counted_at(text_, at_);
            if (counted.value == 0) {
                ++at_;
                continue;
            }
            push_run();
            push(std::to_string(counted.value), at_, at_ + counted.length);
            at_ += counted.length;
            start = at_;
            widen(Gap::space);
            if (counted.machines) {
                push("nodes", at_ - 1, at_);
                widen(Gap::space);
            }
        }
        push_run();
    }

    /// "a$3000", "hk$ 500", "aud$2000": the sign and what stands right before it are one currency.
    bool join_dollar() {
        struct Dollar {
            std::string_view before;
            std::string_view code;
        };
        static constexpr Dollar dollars[] = {
            {"a", "aud"},   {"au", "aud"},  {"c", "cad"},   {"ca", "cad"},  {"s", "sgd"},
            {"sg", "sgd"},  {"nz", "nzd"},  {"hk", "hkd"},  {"r", "brl"},   {"us", "usd"},
            {"aud", "aud"}, {"cad", "cad"}, {"sgd", "sgd"}, {"nzd", "nzd"}, {"hkd", "hkd"},
        };
        const std::size_t number = at_ + (peek(at_ + 1) == ' ' ? 2 : 1);
        if (!word_before() || out_.list.empty() || !is_digit(peek(number))) {
            return false;
        }
        Token& last = out_.list.back();
        const auto* const found = std::ranges::find(dollars, last.text, &Dollar::before);
        if (found == std::end(dollars)) {
            return false;
        }
        last.text = found->code;
        last.end = at_ + 1 < origin_.size() ? origin_[at_ + 1] : origin_.back() + 1;
        return true;
    }

    void sign(char c) {
        const bool joins = word_before() && is_word(peek(at_ + 1));
        switch (c) {
            case '-':
            case '_':
                if (joins) {
                    widen(Gap::joint);
                } else if (c == '-' && !word_before() &&
                           (is_digit(peek(at_ + 1)) || peek(at_ + 1) == '$')) {
                    widen(Gap::space);
                    negative_ = true;
                } else {
                    widen(Gap::space);
                }
                break;
            case '/':
                widen(is_letter(peek(at_ + 1)) || joins ? Gap::slash : Gap::space);
                break;
            case ':':
                widen(joins ? Gap::colon : Gap::space);
                break;
            case '(':
            case ')':
            case '[':
            case ']':
                widen(Gap::paren);
                break;
            case ' ':
            case '=':
            case '@':
            case '~':
            case '\'':
            case '`':
            case '#':
                widen(Gap::space);
                break;
            case '*':
                push("x", at_, at_ + 1);
                break;
            case '$':
                if (!join_dollar()) {
                    push("$", at_, at_ + 1);
                }
                break;
            case '%':
            case '+':
            case '<':
            case '>':
            case '&':
                push(std::string(1, c), at_, at_ + 1);
                break;
            default:
                widen(Gap::stop);
        }
        ++at_;
    }

    std::string_view text_;
    const std::vector<std::size_t>& origin_;
    std::size_t at_ = 0;
    Gap gap_ = Gap::stop;
    bool negative_ = false;
    Tokens out_;
};

/// "128x128x64": the sides of a volume, or of a picture and its number. "8x8x16" is a topology.
bool is_volume(std::string_view text) {
    constexpr double least_of_longest = 32;
    const auto sides = split(text, 'x');
    const auto is_side = [](std::string_view side) {
        return all_digits(side) && side.size() >= 2 && side.size() <= 4;
    };
    return sides.size() == 3 && std::ranges::all_of(sides, is_side) &&
           std::ranges::any_of(sides, [](std::string_view side) {
               return amount_in(side)->value >= least_of_longest;
           });
}

/// Where a token falls into two or three: "8xh100" after 1 and 2, "h100x8" after 4 and 5. The
/// second number is 0 where there are only two.
std::pair<std::size_t, std::size_t> cuts_of(const std::string& text) {
    const auto x = text.find('x');
    if (x == std::string::npos || is_volume(text)) {
        return {0, 0};
    }
    const std::string_view left = std::string_view(text).substr(0, x);
    const std::string_view right = std::string_view(text).substr(x + 1);
    if (left.empty()) {
        return all_digits(right) && right.size() <= 5 ? std::pair{std::size_t{1}, std::size_t{0}}
                                                      : std::pair{std::size_t{0}, std::size_t{0}};
    }
    if (all_digits(left) && left.size() <= 5) {
        if (right.empty()) {
            return {x, 0};
        }
        if (left == right && is_any(left, "28 32 48 64 96")) {
            return {0, 0};  // sides of a picture
        }
        const bool size = parameters_in(right).has_value();
        const bool small = left.size() <= 2;
        const bool radeon = left.size() >= 3 && (right == "t" || right == "tx");  // "6750xt"
        if (!size && !radeon && (has_letter(right) || small) && is_word(right.front())) {
            return {x, x + 1};
        }
    }
    const auto last = text.rfind('x');
    const std::string_view name = std::string_view(text).substr(0, last);
    const std::string_view count = std::string_view(text).substr(last + 1);
    const bool counted = all_digits(count) && count.size() <= 4 && name.size() >= 2 &&
                         has_digit(name) && is_word(name.back());
    const bool picture = all_digits(name) && count.size() > 2;
    // "mi300x8" may end in the x of its own name.
    if (counted && !picture && name.substr(0, 2) != "mi") {
        return {last, last + 1};
    }
    return {0, 0};
}

void part_counts(std::vector<Token>& tokens) {
    std::vector<Token> out;
    for (Token& token : tokens) {
        const auto [first, second] =
            token.foreign ? std::pair<std::size_t, std::size_t>{0, 0} : cuts_of(token.text);
        if (first == 0) {
            out.push_back(std::move(token));
            continue;
        }
        std::size_t from = 0;
        std::vector<Token> pieces;
        for (const std::size_t to : {first, second, token.text.size()}) {
            if (to <= from) {
                continue;
            }
            Token piece = token;
            piece.text = token.text.substr(from, to - from);
            piece.begin = std::min(token.begin + from, token.end);
            piece.end = std::min(token.begin + to, token.end);
            piece.gap = from == 0 ? token.gap : Gap::none;
            piece.negative = from == 0 && token.negative;
            pieces.push_back(std::move(piece));
            from = to;
        }
        part_counts(pieces);  // "2x8xh100"
        out.insert(out.end(), pieces.begin(), pieces.end());
    }
    tokens = std::move(out);
}

/// Whether a run of another script is made of nothing but what joins words or ends a question.
bool joins_words(std::string_view run) {
    static constexpr std::string_view particles[] = {
        // Japanese
        "\u3067\u3059\u304b", "\u3067\u3059", "\u307e\u3059\u304b", "\u307e\u3059", "\u306b\u306f",
        "\u3067", "\u306b", "\u306f", "\u3092", "\u306e", "\u304c", "\u304b", "\u3068", "\u3082",
        "\u308b",
        // Chinese
        "\u7684", "\u4e86", "\u5417", "\u5462", "\u597d", "\u80fd", "\u4e2a", "\u7528", "\u8981",
        "\u6211", "\u662f",
        // Korean
        "\uc73c\ub85c", "\ub85c", "\uc740", "\ub294", "\uc774", "\uac00", "\uc744", "\ub97c",
        "\uc5d0\uc11c", "\uc5d0", "\uc758", "\ud574\uc694", "\uc694", "\ud560 \uc218", "\uc218",
        "\uc788\ub098\uc694", "\uc788\uc5b4\uc694", "\ub098\uc694", "\ud558\uba74", "\ud558\uace0",
        // Russian
        "\u043b\u0438", "\u043c\u043d\u0435"};
    while (!run.empty()) {
        const auto* const found =
            std::find_if(std::begin(particles), std::end(particles),
                         [&](std::string_view particle) { return run.starts_with(particle); });
        if (found == std::end(particles)) {
            return false;
        }
        run.remove_prefix(found->size());
    }
    return true;
}

Tokens tokens_as_written(std::string_view question) {
    const Folded text = folded(question);
    Tokens tokens = Scanner(text).run();
    std::erase_if(tokens.list,
                  [](const Token& token) { return token.foreign && joins_words(token.text); });
    part_counts(tokens.list);
    return tokens;
}

}  // namespace

Tokens tokens_of(std::string_view question) {
    Tokens tokens = tokens_as_written(question);
    settle_everyday_words(tokens.list);
    return tokens;
}

Tokens tokens_in_english(std::string_view question) {
    Tokens tokens = tokens_as_written(question);
    settle_all_everyday_words(tokens.list);
    return tokens;
}

std::string bare(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (is_word(small) || small == '.') {
            out += small;
        }
    }
    return out;
}

}  // namespace ridgeline::reading
